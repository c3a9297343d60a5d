package heal

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/qa/element"
)

// analysis is what one look at a failing test comes to: a heal, or the reason for none.
type analysis struct {
	heal *Heal
	edit edit

	reason   Reason
	detail   string
	proposal *Proposal
}

// lateMS is how long an element may take before it counts as late, where an act has a
// time-out of its own.
const lateMS = 200

// analyse finds the first act whose element has moved.
func (r *round) analyse(j *job, t testrun.Test, calls []prove.Studied) analysis {
	for _, c := range calls {
		if !c.Act {
			if !c.OK {
				return r.expectation(j, t, c)
			}
			continue
		}
		old := r.known(j, c)
		if c.Count == 1 {
			if old.by != byLocator && c.Element != nil && element.Drifted(old.Element, old.others, *c.Element, c.Looks) {
				return r.moved(j, c, old)
			}
			if !c.OK {
				return refused(t, c)
			}
			continue
		}
		return r.moved(j, c, old)
	}
	for _, s := range t.Steps {
		if s.Category == "expect" && s.Error != nil {
			return analysis{reason: Assertion, detail: firstError(t)}
		}
	}
	return analysis{reason: Page, detail: firstError(t)}
}

// first returns a call as it was before tests were healed.
func (r *round) first(c prove.Studied) prove.Call {
	out := c.Call
	for _, j := range r.jobs {
		for _, e := range j.tried {
			if e.text == "" || r.sources[e.file] == nil {
				continue
			}
			if at, err := r.locate(c); err == nil && at.file == e.file && at.n == e.n {
				out.Selector = e.was
				return out
			}
		}
	}
	return out
}

// late waits for the element of the act that failed, if it came late.
func (r *round) late(j *job, calls []prove.Studied) analysis {
	out := analysis{reason: Page, detail: "it fails only sometimes: it was green when it was looked at"}
	failed := j.test.Errors
	for _, c := range calls {
		if len(failed) == 0 || failed[0].Location == nil || !c.Act || c.At == nil || c.At.Line != failed[0].Location.Line || c.SoughtMS < lateMS || c.Count != 1 {
			continue
		}
		at, err := r.locate(c)
		if err != nil {
			return out
		}
		e := edit{file: at.file, n: at.n}
		if _, _, err := at.source.after([]edit{e}); err != nil {
			return out
		}
		return analysis{edit: e, heal: &Heal{Place: at.place(r, j), Action: c.Method, Old: at.text, New: at.text + ".waitFor()", By: byTime, Score: 1, Margin: 1}}
	}
	return out
}

// at is where a call stands, as the owner of the file knows it.
func (r *round) at(j *job, c prove.Studied) Place {
	if c.At == nil {
		return j.place()
	}
	return Place{File: r.owner(c.At.File), Line: c.At.Line, Test: j.test.Title()}
}

func firstError(t testrun.Test) string {
	return cmp.Or(t.Why(), t.Status)
}

// moved decides about an act whose locator leads to no element, to several, or to
// another one.
func (r *round) moved(j *job, c prove.Studied, old remembered) analysis {
	if len(c.Looks[0]) == 0 {
		return analysis{reason: Page, detail: label(c.Call) + ": its element is not there, and the page could not be looked at for another: it may have been closed, or have taken too long"}
	}
	at, err := r.locate(c)
	if err != nil {
		return r.unsure(j, c, old, located{}, err.Error())
	}
	recorded := r.recorded(c)
	d := element.Decide(old.Element, old.others, c.Looks, r.keeps(j, at, old.Element, recorded))
	if !d.Sure() {
		return r.unsure(j, c, old, at, d.Why)
	}
	way := ""
	for _, w := range d.Best[0].Element.Ways(recorded) {
		if way = at.source.write(at.n, w); way != "" && way != at.text && !slices.ContainsFunc(j.tried, func(e edit) bool { return e.file == at.file && e.n == at.n && e.text == way }) {
			break
		}
		way = ""
	}
	if way == "" {
		return r.unsure(j, c, old, at, "no locator leads to it alone")
	}
	e := edit{file: at.file, n: at.n, text: way, was: r.first(c).Selector}
	if _, _, err := at.source.after([]edit{e}); err != nil {
		return r.unsure(j, c, old, at, "the test would not be the same: "+err.Error())
	}
	return analysis{edit: e, heal: &Heal{Place: at.place(r, j), Action: c.Method, Old: at.text, New: way, By: old.by, Score: d.Best[0].Score, Margin: d.Margin}}
}

// keeps says what keeps a candidate from being taken without a person.
func (r *round) keeps(j *job, at located, old element.Element, recorded *element.Element) func(element.Element) string {
	quotes, own := r.Memory.quotes(), []string{at.text}
	var expectations [][]string
	var unread error
	switch s := at.source.(type) {
	case *flowSource:
		quotes, expectations = append(quotes, s.quotes()...), s.expected()
	case testSource:
		own = s.form.Locators[at.n].Texts
		expectations, unread = r.expected(j, at)
		quotes = append(quotes, slices.Concat(expectations...)...)
	}
	return func(now element.Element) string {
		switch {
		case unread != nil:
			return fmt.Sprintf("what its test expects is not known: %v", unread)
		case recorded != nil && !element.Same(*recorded, now):
			return "the recording knows another element by what is recorded of it: it would not be replayed on this one"
		case r.Destructive != nil && (r.Destructive(now.Name) || r.Destructive(now.Text)):
			return fmt.Sprintf("%q is destructive, as what deletes, pays or sends is", now.Name)
		case old.Name != "" && slices.ContainsFunc(quotes, func(q string) bool { return element.SameName(q, old.Name) }):
			return fmt.Sprintf("its name %q is expected by the test or its plan", old.Name)
		case len(own) > 0 && slices.ContainsFunc(expectations, func(of []string) bool { return names(of, own) }):
			return "an expectation looks for it by the same locator, which is never changed: it could not fail any more"
		}
		return ""
	}
}

// names reports whether each text of a locator is one of those of an expectation, or a
// part of one where it is a selector.
func names(expectation, locator []string) bool {
	for _, text := range locator {
		selector := strings.ContainsAny(text, "#.[>:/")
		if !slices.ContainsFunc(expectation, func(e string) bool { return e == text || selector && strings.Contains(e, text) }) {
			return false
		}
	}
	return true
}

// expected lists the texts that each expectation of a test may name: those of its own
// file, of that of a locator, and of what they import.
func (r *round) expected(j *job, at located) (out [][]string, err error) {
	if r.imports == nil {
		var err error
		if r.imports, err = readImports(r.copy.to, ""); err != nil {
			r.imports = imports{} // the two files are read all the same
		}
	}
	for _, path := range r.imports.reached(j.test.Location.File, at.file) {
		named, ok := r.expectations[path]
		if s, read := r.sources[path].(testSource); read {
			named = s.form.Expected() // as it was
		} else if !ok {
			s, err := readTest(path, r.read)
			if err != nil {
				return nil, err
			}
			named = s.form.Expected()
		}
		if r.expectations == nil {
			r.expectations = map[string][][]string{}
		}
		r.expectations[path] = named
		out = append(out, named...)
	}
	return out, nil
}

// unsure makes a proposal of what comes near, or says that nothing does.
func (r *round) unsure(j *job, c prove.Studied, old remembered, at located, why string) analysis {
	d := element.Decide(old.Element, old.others, c.Looks, nil)
	if d.Gone() {
		if old.by == byLocator {
			return analysis{reason: Ambiguous,
				detail: fmt.Sprintf("%s: nothing is known of the element but its locator, and nothing on the page has that: prove tests while they are green", label(c.Call))}
		}
		return analysis{reason: Gone, detail: fmt.Sprintf("%s: %s is gone: %s", label(c.Call), describe(old.Element), d.Why)}
	}
	p := &Proposal{Place: r.at(j, c), Action: c.Method, Old: c.Selector, Why: why, By: old.by}
	if at.source != nil {
		p.Place, p.Old = at.place(r, j), at.text
	}
	picture, _ := os.ReadFile(c.Picture) // a proposal without pictures is one still
	for i, best := range d.Best {
		choice := Choice{Number: i + 1, Element: describe(best.Element), Score: best.Score}
		if ways := best.Element.Locators; len(ways) > 0 {
			choice.New = ways[0]
			if at.source != nil {
				choice.New = cmp.Or(at.source.write(at.n, ways[0]), choice.New)
			}
		}
		p.Choices = append(p.Choices, choice)
		p.shots = append(p.shots, crop(picture, best.Element.Box))
	}
	return analysis{reason: Ambiguous, detail: fmt.Sprintf("%s: %s", label(c.Call), why), proposal: p}
}

// expectation is a failed one: what it expects is never changed, and where its element
// is not found, a person is asked.
func (r *round) expectation(j *job, t testrun.Test, c prove.Studied) analysis {
	out := analysis{reason: Assertion, detail: firstError(t)}
	if c.Count > 0 || c.Selector == "" || c.At == nil || len(c.Looks[0]) == 0 {
		return out
	}
	a := r.unsure(j, c, r.known(j, c), located{}, "an expectation's own locator is never changed without a person")
	out.proposal = a.proposal
	return out
}

// refused is an act that failed though its element is there.
func refused(t testrun.Test, c prove.Studied) analysis {
	return analysis{reason: Page, detail: label(c.Call) + ": the element is there, and the act failed: " + strings.Replace(firstError(t), "frame.apply: ", "", 1)} // as it is called through the watch
}

func label(c prove.Call) string {
	if c.At == nil {
		return c.Method
	}
	return fmt.Sprintf("%s in line %d", c.Method, c.At.Line)
}

// describe says in words what element it is.
func describe(e element.Element) string {
	kind := e.Role
	if kind == "" {
		kind = e.Tag
	}
	if kind == "" {
		kind = "the element"
	}
	for _, name := range []string{e.Name, e.Text} {
		if name != "" {
			return fmt.Sprintf("%s %q", kind, name)
		}
	}
	for _, one := range []struct{ sign, value string }{{"#", e.ID}, {"test id ", e.TestID}, {"name ", e.FormName}, {".", strings.Join(e.Classes, ".")}} {
		if one.value != "" {
			return kind + " " + one.sign + one.value
		}
	}
	return kind
}
