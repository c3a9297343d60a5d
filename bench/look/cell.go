package look

import (
	"slices"
	"strings"
)

// truth names what is known of a cell: what a verdict on it must be.
type truth string

const (
	mustPass truth = "pass"
	mustFail truth = "fail"
	notPass  truth = "fail or inconclusive" // that it is wrong is certain, whose fault it is is not
	notFail  truth = "pass or inconclusive" // so it is, and nobody can be sure
	mustOpen truth = "inconclusive"         // nobody can tell
	mustFind truth = "not pass without a word"
	mustHush truth = "pass without a word" // a finding on a healthy page is a false one
)

// outcome names what came of a cell.
type outcome string

const (
	passed       outcome = "passed"
	withFinding  outcome = "passed, with a finding"
	failed       outcome = "failed"
	inconclusive outcome = "inconclusive"
	refused      outcome = "refused" // the call was no call: the measure is at fault
)

// verdict says what an outcome is, held against the truth.
type verdict string

const (
	right      verdict = "right"
	falseGreen verdict = "false green"
	falseRed   verdict = "false red"
	undecided  verdict = "inconclusive"
	broken     verdict = "refused"
)

func (t truth) judge(o outcome) verdict {
	switch {
	case o == refused:
		return broken
	case o == inconclusive && (t == notPass || t == notFail || t == mustOpen):
		return right
	case o == inconclusive:
		return undecided
	case o == failed && (t == mustPass || t == notFail || t == mustOpen || t == mustHush), o == withFinding && t == mustHush:
		return falseRed
	case o == passed && t == mustFind, (o == passed || o == withFinding) && (t == mustFail || t == notPass || t == mustOpen):
		return falseGreen
	default:
		return right
	}
}

// question asks the program about a page and reads its answer.
type question func(w *worker, page string) (outcome, string, error)

// cell combines one page with one tool that is called on it.
type cell struct {
	Class, Way, Tool string
	Page             string // path on the site
	About            string // the page in a line
	Truth            truth
	Outcome          outcome
	Verdict          verdict
	Said             string // what the program said, short
	ask              question
	batch            bool // asked by command, with others
	fresh            bool // asked in a session that saw nothing before
}

// Name returns the cell in the words of -only.
func (c *cell) Name() string { return c.Class + "/" + c.Way + " × " + c.Tool }

// parts collects pages and cells.
type parts struct {
	pages map[string]page
	cells []*cell
}

func (p *parts) page(path string, content page) string {
	if _, twice := p.pages[path]; twice {
		panic("two pages at " + path)
	}
	p.pages[path] = content
	return path
}

func (p *parts) cell(c cell) { p.cells = append(p.cells, &c) }

// corpus returns all there is. Only ways to be seen or not have more tools than
// are called by turns.
func corpus(all bool) *parts {
	p := &parts{pages: map[string]page{}}
	seenCells(p, all)
	lateCells(p)
	healthCells(p)
	figureCells(p)
	addressCells(p)
	pictureCells(p)
	tokenCells(p)
	orderCells(p)
	absenceCells(p)
	inkCells(p)
	timeCells(p)
	broughtCells(p)
	madeCells(p)
	noticedCells(p)
	causeCells(p)
	return p
}

// choose takes the cells that the command line asks for.
func choose(cells []*cell, o options) []*cell {
	classes := map[string][]*cell{}
	var order []string
	for _, c := range cells {
		if o.class != "" && !slices.Contains(strings.Split(o.class, ","), c.Class) || !strings.Contains(c.Name(), o.only) {
			continue
		}
		if classes[c.Class] == nil {
			order = append(order, c.Class)
		}
		classes[c.Class] = append(classes[c.Class], c)
	}
	var out []*cell
	for _, class := range order {
		has := classes[class]
		if o.sample == 0 || o.sample >= len(has) {
			out = append(out, has...)
			continue
		}
		for i := range o.sample {
			out = append(out, has[i*len(has)/o.sample])
		}
	}
	return out
}
