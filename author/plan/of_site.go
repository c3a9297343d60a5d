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

// OfSite makes a plan of what an exploration found: a flow for each path of [Cover].
// Its steps are numbered from 2, as opening the start address is the first.
func OfSite(s site.Site) Plan {
	p := Plan{StartURL: s.StartURL, Role: s.Role, Marked: true, Summary: summaryOf(s.Loops)}
	paths, _ := Cover(s)
	states := map[string]*site.State{}
	for i := range s.States {
		states[s.States[i].ID] = &s.States[i]
	}
	if len(s.States) > 0 {
		p.Start = &s.States[0]
	}
	at := func(id string) *site.State {
		if state := states[id]; state != nil {
			return state
		}
		return &site.State{ID: id}
	}
	names := map[string]int{}
	for _, path := range paths {
		f := Flow{}
		for _, e := range path {
			f.add(stepsOf(e, at(e.To))...)
		}
		f.Name = unique(names, flowName(path, at))
		p.Flows = append(p.Flows, f)
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

func (f *Flow) add(steps ...Step) {
	for _, s := range steps {
		s.Number = len(f.Steps) + 2
		f.Steps = append(f.Steps, s)
	}
}

// flowName returns what a path ends with: where, and what is done there.
func flowName(path []site.Edge, at func(id string) *site.State) string {
	last := path[len(path)-1]
	steps := stepsOf(last, at(last.To))
	name := steps[len(steps)-1].Name()
	if last.Action.Invalid != "" {
		name += ", " + oneLine(last.Action.Invalid)
	}
	if title := oneLine(at(last.From).Title); title != "" {
		name = text.Shorten(title, 60) + ": " + name
	}
	return name
}

// unique returns a name that was not given before.
func unique(given map[string]int, name string) string {
	key := strings.ToLower(name)
	given[key]++
	if n := given[key]; n > 1 {
		return unique(given, fmt.Sprintf("%s (%d)", name, n))
	}
	return name
}

// stepsOf returns an edge as steps: the fields of a form first, and what is expected
// after the last.
func stepsOf(e site.Edge, to *site.State) []Step {
	a := e.Action
	var steps []Step
	for _, f := range a.Fields {
		steps = append(steps, fieldStep(f))
	}
	if a.Kind == site.Press && a.Value != "" { // the text that the key sends
		typed := elementStep(Type, a.Element)
		typed.Value = &a.Value
		steps = append(steps, typed)
	}
	last := elementStep(a.Kind, a.Element)
	last.Option, last.Key, last.Reason = a.Option, a.Key, oneLine(a.Reason)
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

// label returns what a person calls an element.
func label(e site.Element) string {
	first := []string{e.Text, e.Name}
	if e.Tag == "select" { // its text is all that can be chosen
		first = []string{e.Name, e.AriaLabel}
	}
	for _, text := range first {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return e.AriaLabel
}
