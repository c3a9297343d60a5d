package plan

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// maxNotable bounds the notable elements that a step lists.
const maxNotable = 8

// OfSite makes a plan of what an exploration found: a flow for each question, such as what
// a form does, what it refuses, and what a kind of page shows. Its steps are numbered from 2, as opening the start address is the first.
//
// Texts that a flow enters are fresh each time; a flow about a record makes one first, where
// the site has a form for it, so that it can be repeated.
func OfSite(s site.Site) Plan {
	p := Plan{StartURL: s.StartURL, Role: s.Role, Marked: true, Summary: summaryOf(s.Loops), Records: RecordsOf(s)}
	var all []asked
	if all, p.Left = questions(s); len(s.States) == 0 {
		return p
	}
	p.Start = &s.States[0]
	b := builder{ways: newWays(s), records: p.Records, names: pageNamesOf(s, p.Records), refused: refusedStates(s), named: map[string]int{}}
	b.shared = b.sentBy()
	if f := b.firstPage(); len(f.Steps) > 0 {
		p.Flows = append(p.Flows, f)
	}
	for _, q := range all {
		p.Flows = append(p.Flows, b.flow(q))
	}
	return p
}

// maxSummary bounds the rounds of a plan's summary.
const maxSummary = 200

// summaryOf returns the rounds of an exploration as a table, with their times in
// milliseconds.
func summaryOf(loops []site.Loop) []string {
	if len(loops) == 0 {
		return nil
	}
	rows := []string{"| Loop | State | Action | Result | Scan ms | Act ms | Total ms |", "|---:|---|---|---|---:|---:|---:|"}
	var all site.Loop
	for i, l := range loops {
		all.ScanMS, all.ActMS, all.TotalMS = all.ScanMS+l.ScanMS, all.ActMS+l.ActMS, all.TotalMS+l.TotalMS
		if i < maxSummary {
			rows = append(rows, fmt.Sprintf("| %d | %s | %s | %s | %d | %d | %d |", l.Number, pagetext.Markdown(pagetext.Text(l.State), 40),
				pagetext.Markdown(l.Action, 100), pagetext.Markdown(l.Result, 100), l.ScanMS, l.ActMS, l.TotalMS))
		}
	}
	what := text.Count(len(loops), "loop")
	if more := len(loops) - maxSummary; more > 0 {
		what += fmt.Sprintf(", %d of them in %s only", more, site.FileName)
	}
	return append(rows, fmt.Sprintf("| | | **%s** | | %d | %d | %d |", what, all.ScanMS, all.ActMS, all.TotalMS))
}

// stepsOf returns an edge as steps: the fields of a form first, and what is expected
// after the last.
func stepsOf(e site.Edge, to *site.State) []Step {
	a := e.Action
	var steps []Step
	for _, f := range a.Fields {
		if f.Choice != nil {
			steps = append(steps, choiceSteps(&f.Element, f.Choice)...)
			continue
		}
		steps = append(steps, fieldStep(f))
	}
	if a.Kind == site.Press && a.Value != "" { // the text that the key sends
		typed := elementStep(Type, a.Element)
		typed.Value = &a.Value
		steps = append(steps, typed)
	}
	last := elementStep(a.Kind, a.Element)
	if a.Choice != nil {
		chosen := choiceSteps(a.Element, a.Choice)
		steps, last = append(steps, chosen[:len(chosen)-1]...), chosen[len(chosen)-1]
	} else {
		last.Option, last.Key = a.Option, a.Key
	}
	last.Reason = oneLine(a.Reason)
	switch a.Kind {
	case site.Fill:
		last.Kind, last.Value = Type, &a.Value
	case site.Navigate:
		last.Link = a.URL
	case site.Check:
		if a.Value == "false" {
			last.Kind = Uncheck
		}
	}
	last.Expected = Expected{URL: to.URL, Title: to.Title, Notable: notables(e, to)}
	if e.Changes.URL != "" {
		last.Expected.URL = e.Changes.URL
	}
	last.Edge, last.To = &e, to
	return append(steps, last)
}

// choiceSteps returns how an option is taken of a list that a control opens.
func choiceSteps(of *site.Element, c *site.Choice) []Step {
	steps := []Step{elementStep(site.Click, of), elementStep(site.Click, &c.Element)}
	if c.Several {
		closes := elementStep(site.Press, &c.Element)
		closes.Key = "Escape"
		steps = append(steps, closes)
	}
	return steps
}

// fieldStep returns how one field of a form is filled.
func fieldStep(f site.Field) Step {
	kind := Type
	switch {
	case f.Option != "":
		kind = site.Select
	case f.Checked != nil && *f.Checked:
		kind = site.Check
	case f.Checked != nil:
		kind = Uncheck
	}
	s := elementStep(kind, &f.Element)
	if s.Option = f.Option; kind == Type {
		s.Value = &f.Value
	}
	return s
}

func elementStep(kind string, e *site.Element) Step {
	s := Step{Kind: kind}
	if e != nil {
		s.Selector, s.Text, s.Link, s.XPath, s.ID, s.Frame = e.Selector, oneLine(label(*e)), e.Href, e.XPath, e.ID, e.Frame
		s.Element = e
	}
	return s
}

// notables returns what appeared, and then what is notable in the state.
func notables(e site.Edge, to *site.State) []Notable {
	var all []Notable
	seen := map[string]bool{}
	add := func(x site.Element, why string) {
		if x.Selector == "" || seen[x.Selector] || len(all) == maxNotable {
			return
		}
		seen[x.Selector] = true
		all = append(all, Notable{Selector: x.Selector, Text: text.Shorten(oneLine(label(x)), 120), Description: why, Element: &x})
	}
	for _, x := range e.Changes.Appeared {
		add(x, "appeared: "+kindOf(x))
	}
	for _, x := range to.Notable {
		add(x, kindOf(x))
	}
	return all
}

// kindOf returns what an element is, and the landmark that it is in.
func kindOf(e site.Element) string {
	kind := e.Role
	if kind == "" {
		kind = e.Tag
	}
	if e.Landmark != "" {
		kind += " in " + oneLine(e.Landmark)
	}
	return kind
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// spoken returns what an element is called in a title: the name that its author gave it, such as
// that of a menu which shows one letter, and else its label.
func spoken(e site.Element) string {
	if e.AriaLabel != "" && strings.ContainsFunc(e.Name, readable) {
		return e.Name
	}
	return label(e)
}

// label returns what a person calls an element.
func label(e site.Element) string {
	first := []string{e.Text, e.Name}
	if e.Tag == "select" || e.Tag == "textarea" || e.Role == "combobox" { // its text is all that can be chosen, or what was entered
		first = []string{e.Name, e.AriaLabel}
	}
	for _, text := range first {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return e.AriaLabel
}
