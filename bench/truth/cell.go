package truth

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/wiretest"
)

// truth names what is known of a sentence and a page: what a verdict must be.
type truth string

const (
	mustPass truth = "pass"
	mustFail truth = "fail"
	notPass  truth = "fail or inconclusive" // the check proves nothing, or nobody can read the sentence
	notFail  truth = "pass or inconclusive" // so it is, and nobody can read the sentence
)

// outcome names what came of a cell.
type outcome string

const (
	passed       outcome = "passed"
	failed       outcome = "failed"
	inconclusive outcome = "inconclusive"
	unasked      outcome = "unasked" // the program has no such check, or does not take the call
)

// verdict says what an outcome is, held against the truth.
type verdict string

const (
	right      verdict = "right"
	falseGreen verdict = "false green"
	falseRed   verdict = "false red"
	undecided  verdict = "inconclusive"
	cannotAsk  verdict = "can't be asked"
)

func (t truth) judge(o outcome) verdict {
	switch {
	case o == unasked && t == notPass:
		return right // what is refused can't please
	case o == unasked:
		return cannotAsk
	case o == passed && (t == mustFail || t == notPass):
		return falseGreen
	case o == failed && (t == mustPass || t == notFail):
		return falseRed
	case o == inconclusive && (t == mustPass || t == mustFail):
		return undecided
	default:
		return right
	}
}

// The ways in which a sentence is judged on a page.
const (
	byRules    = "rules"    // a task file, worked by the rules
	byClient   = "mcp"      // a client that makes the check a tester would make
	byPleasing = "pleasing" // a client that makes a check to please
	byWire     = "wires"    // a task that a model works, over a provider's wire
	byReplay   = "replay"   // a spec that a model works, and then its recording
)

// cell combines one sentence, one page and one way.
type cell struct {
	Way, Class string
	Sentence   string
	Page       string // path on the site, with its query
	About      string // the page in words
	Lie        string // the check to please, in words
	Wire       wiretest.Wire
	Truth      truth
	Outcome    outcome
	Verdict    verdict
	Said       string // what the program said, short

	script    script
	rehearsal page // on which the sentence is so, to record a check on
}

// Name returns the cell in the words of -only.
func (c *cell) Name() string {
	return strings.Join([]string{c.Way, string(c.Wire), c.Class, c.Lie, c.Sentence, c.About}, " / ")
}

// variant describes a page, and whether the sentences of a fact hold on it.
type variant struct {
	name   string
	is     bool
	beyond bool // it is not so, and no check can see that
	page   page
	query  string // behind the address
}

func so(name string, p page) variant    { return variant{name: name, is: true, page: p} }
func notSo(name string, p page) variant { return variant{name: name, page: p} }

// fact describes what can be said of a page: in several sentences, on several
// pages.
type fact struct {
	class  string
	said   []string
	checks []check  // what a tester would check; nil: the sentences can't be understood
	words  []string // quoted texts and numbers of the sentences
	pages  []variant
}

// choose takes the cells that the command line asks for.
func choose(all []*cell, o options) []*cell {
	ways := map[string][]*cell{}
	var order []string
	among := func(list, name string) bool { return list == "" || slices.Contains(strings.Split(list, ","), name) }
	for _, c := range all {
		if !among(o.way, c.Way) || !among(o.class, c.Class) || !strings.Contains(c.Name(), o.only) {
			continue
		}
		if ways[c.Way] == nil {
			order = append(order, c.Way)
		}
		ways[c.Way] = append(ways[c.Way], c)
	}
	var out []*cell
	for _, way := range order {
		has := ways[way]
		n := len(has)
		if o.sample > 0 {
			n = min(n, o.sample)
		}
		for i := range n {
			out = append(out, has[i*len(has)/n])
		}
	}
	return out
}
