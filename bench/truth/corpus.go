package truth

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/wiretest"
)

// corpus returns all cells, and the pages they need. Only checks to please are more than are made
// by turns.
func corpus(all bool) ([]*cell, map[string]page) {
	pages := map[string]page{}
	var out []*cell
	for i, f := range facts() {
		paths := make([]string, len(f.pages))
		for j, v := range f.pages {
			path := fmt.Sprintf("/%s/%d/%d", slug(f.class), i, j)
			if f.class == "address" {
				path = v.name // the name of such a page is where it is
			}
			if _, twice := pages[path]; twice && f.class != "address" {
				panic("two pages at " + path)
			}
			pages[path] = v.page
			paths[j] = path + v.query
		}
		out = append(out, ruleCells(f, paths)...)
		out = append(out, clientCells(f, paths)...)
		out = append(out, pleasingCells(f, i, paths, all)...)
	}
	out = append(out, modelCells(out)...)
	slices.SortStableFunc(out, func(a, b *cell) int { return strings.Compare(a.Way, b.Way) })
	return out, pages
}

// facts returns all things that are said of pages.
func facts() []fact {
	return slices.Concat(textFacts(), denialFacts(), stateFacts(), fieldFacts(), kindFacts(), countFacts(), pageFacts(), figureFacts(), vagueFacts())
}

func slug(s string) string { return strings.ReplaceAll(s, " ", "-") }

func (f fact) truth(v variant) truth {
	switch {
	case v.is && f.checks == nil:
		return notFail
	case v.is:
		return mustPass
	case f.checks == nil, v.beyond:
		return notPass
	default:
		return mustFail
	}
}

// ruleCells returns every sentence on every page.
func ruleCells(f fact, paths []string) []*cell {
	var out []*cell
	for _, sentence := range f.said {
		for j, v := range f.pages {
			out = append(out, &cell{Way: byRules, Class: f.class, Sentence: sentence, Page: paths[j], About: v.name, Truth: f.truth(v)})
		}
	}
	return out
}

// clientCells returns one sentence on every page, with the checks that the program says it demands.
func clientCells(f fact, paths []string) []*cell {
	if f.checks == nil {
		return nil
	}
	var out []*cell
	for j, v := range f.pages {
		out = append(out, &cell{Way: byClient, Class: f.class, Sentence: f.said[j%len(f.said)], Page: paths[j], About: v.name, Truth: f.truth(v), script: honest, rehearsal: f.pages[0].page})
	}
	return out
}

// pleasingCells lists lies on pages on which the sentences are not so: there
// nothing may pass, whatever is checked. Each fact has a third of the lies, if
// not all.
func pleasingCells(f fact, turn int, paths []string, all bool) []*cell {
	var wrong []int
	for j, v := range f.pages {
		if !v.is {
			wrong = append(wrong, j)
		}
	}
	var out []*cell
	for k, l := range lies() {
		s := l.build(f)
		if s == nil || !all && (turn+k)%3 != 0 {
			continue
		}
		j := wrong[(turn+k)%len(wrong)]
		out = append(out, &cell{Way: byPleasing, Class: f.class, Sentence: f.said[(turn+k)%len(f.said)], Page: paths[j], About: f.pages[j].name, Lie: l.name, Truth: notPass, script: s})
	}
	return out
}

// modelCells lists cells of clients, a part of them by turns, that a model
// makes over every wire: as a task, and as a spec whose recording is then
// replayed.
func modelCells(clients []*cell) []*cell {
	var out []*cell
	turn := map[string]int{}
	for _, c := range clients {
		if c.Way != byClient && c.Way != byPleasing {
			continue
		}
		turn[c.Way]++
		n := turn[c.Way]
		if n%6 == 0 {
			of := *c
			of.Way, of.Wire = byWire, wiretest.Wires()[n/6%len(wiretest.Wires())]
			out = append(out, &of)
		}
		recordable := !strings.Contains(c.Page, "?") && c.Class != "address" && c.Class != "figure" // figures against an oracle have no recording
		if n%6 == 3 && recordable {
			of := *c
			of.Way = byReplay
			out = append(out, &of)
		}
	}
	return out
}
