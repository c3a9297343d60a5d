// Package plan holds test plans: what a tester does on a site, step by step, and
// what is expected after each step. It reads and prints test-plan.md, and makes a
// plan of what an exploration found.
package plan

import (
	"strings"
	"unicode"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/text"
)

// Plan is one test plan: flows that all begin at one address.
type Plan struct {
	StartURL string
	Role     string // who is signed in; empty: nobody
	Flows    []Flow

	// Summary holds the rounds of the exploration that the plan was made of, as rows of
	// a table in Markdown (C3). Nothing is made of them.
	Summary []string

	// Start is the state that the plan begins in, where it was made of a site.
	Start *site.State

	// Left are the edges of the site that no flow goes over, as no way leads to them.
	Left []site.Edge

	// Records holds the texts of the site that are data, where it was made of a site.
	Records Records

	// Marked says that the file has a line at its begin and one at its end, so
	// that a reader sees where it was cut off.
	Marked bool
}

// Flow is a path through the site.
type Flow struct {
	Name  string // empty where the plan has only one
	Steps []Step
	Ask   *Ask // what a flow of a site asks; nil: a person wrote it
	Left  bool // it leaves behind on the server what it made
	Alien bool // its act is done on a record that was there already

	entered []string // the fresh texts of its steps
	onOwn   bool     // the steps that follow are done on the record that it made
}

// Part says what a step of a flow of a site is for.
type Part int

// The parts of a flow.
const (
	Whole  Part = iota // of a flow that a person wrote: all that it names is expected
	Way                // it leads to the act, and nothing is expected of it
	Act                // the act that the flow is about
	Listed             // it leads to where the record is listed that the act made, or left
)

// Step is one action, and what is expected after it.
type Step struct {
	Number   int // as printed; the first of a flow is 1 or more
	Kind     string
	Selector string // CSS, or a line of a snapshot
	Text     string
	Link     string
	XPath    string
	ID       string
	Frame    string  // a line of a snapshot
	Value    *string // of type and fill
	Option   string  // of select
	Key      string  // of press
	Reason   string
	Expected Expected

	Part Part
	Own  bool // it is done on the record that the flow made
	Line int  // where it stands in its file; 0: it comes from none

	// What a plan that was made of a site knows beyond its file; nil otherwise.
	Element *site.Element
	Edge    *site.Edge  // of the last step of each edge
	To      *site.State // that the edge leads to
	Stays   bool        // its element is there still only where the act was refused, or does nothing
}

// Expected is what a step leads to. Empty fields expect nothing.
type Expected struct {
	URL     string
	Title   string
	Notable []Notable
}

// Notable is an element that must be there after a step.
type Notable struct {
	Selector    string
	Text        string
	Description string

	Element *site.Element // see [Step]
}

// Kinds of steps beyond those of [site]. A type step is a fill.
const (
	Type    = "type"
	Uncheck = "uncheck"
	Hover   = "hover"
)

// Kinds returns the kinds of steps that a plan can have.
func Kinds() []string {
	return []string{site.Click, site.DoubleClick, Type, site.Fill, site.Select, site.Check, Uncheck, site.Press, Hover, site.Navigate, site.Submit}
}

// OnPage reports whether a step is done to the page rather than to an element.
func (s Step) OnPage() bool {
	return s.Kind == site.Navigate || s.Kind == site.Press && s.Selector == "" && s.XPath == "" && s.ID == ""
}

// readable reports whether a character can be read: not a space, and no glyph of an icon.
func readable(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Co, r) }

// Name returns what a step is called in a list: its kind and its element.
func (s Step) Name() string {
	on := s.Text
	if s.Element != nil && s.Element.AriaLabel != "" {
		on = spoken(*s.Element)
	}
	if s.Kind == site.Select {
		on = s.Option
	}
	for _, other := range []string{s.Key, s.Link, s.Selector, s.ID, s.XPath} {
		if !strings.ContainsFunc(on, readable) {
			on = other
		}
	}
	return strings.TrimSpace(s.Kind + " " + text.Shorten(strings.Join(strings.Fields(on), " "), 60))
}

// Steps returns the number of steps in all flows.
func (p Plan) Steps() int {
	n := 0
	for _, f := range p.Flows {
		n += len(f.Steps)
	}
	return n
}
