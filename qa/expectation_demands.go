package qa

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa/claim"
)

// KPIKind names the kind of the checks that compare a figure with its expected
// value; their subject is the figure's label.
const KPIKind = "kpi"

// Demand holds one check that a sentence asks for.
type Demand struct {
	Assertion Assertion
	Selector  string   // of the element; empty: the page
	Alike     []string // further selectors of the same subject, where a word stands for several roles
	Figure    string   // the label, where the sentence is about a figure: Assertion.Expected is its value then
	Means     string   // what the sentence was understood as, in plain English
}

// Demands returns the checks that prove the expectation: that of its assertion, or else
// those that its sentence asks for. A reading of the caller's own proves a sentence that a
// form reads only where it says as much. The error says why no check can prove it: its
// words are not understood, or its assertion holds on any page, or leaves out what
// the sentence quotes.
func (e Expectation) Demands() ([]Demand, error) {
	a := e.Assertion
	if a == nil {
		demands, err := Demands(e.Text)
		if unread := (*claim.Unread)(nil); errors.As(err, &unread) {
			err = fmt.Errorf("its words are not understood: %s; write for example: %s; or give it an assertion: %s", unread.Why, unread.Nearest, unread.Assertion)
		}
		return demands, err
	}
	if demands := e.outspoken(); demands != nil {
		return demands, nil
	}
	means := a.describe(e.Selector)
	if a.holdsAnywhere(e.Selector) {
		return nil, fmt.Errorf("its assertion holds on any page: %s", means)
	}
	if err := CheckReading(e.Text, *a, e.Selector); err != nil {
		return nil, fmt.Errorf("its assertion, %s, does not fit: %w", means, err)
	}
	return []Demand{{Assertion: *a, Selector: e.Selector, Means: means}}, nil
}

// Wants says in one line what proves the expectation, or why nothing does.
func (e Expectation) Wants() string {
	demands, err := e.Demands()
	if err != nil {
		return fmt.Sprintf("%s can't be proved: %v", e.ID, err)
	}
	return fmt.Sprintf("%s wants: %s", e.ID, e.means(demands))
}

// means says how the demands are made, and what they are.
func (e Expectation) means(demands []Demand) string {
	words := make([]string, len(demands))
	for i, d := range demands {
		words[i] = d.Means
	}
	out := fmt.Sprintf("verify_assertion {\"expects\":[%q]} (%s)", e.ID, strings.Join(words, "; "))
	if e.outspoken() != nil {
		out += "; the assertion that the caller gave, " + e.Assertion.describe(e.Selector) + ", says something else and proves none of it"
	}
	return out
}

// outspoken returns what the sentence demands by itself where the caller's assertion says
// something else, or less; nil where that is the reading, or a person's.
func (e Expectation) outspoken() []Demand {
	if !e.ByCaller || e.Assertion == nil {
		return nil
	}
	demands, err := Demands(e.Text)
	if err != nil || !slices.ContainsFunc(demands, func(d Demand) bool { return !e.Assertion.implies(e.Selector, d) }) {
		return nil
	}
	return demands
}

// Demands reads an expectation in words by closed forms (see [claim.Parse]), and
// returns the checks that it asks for: each of them must be made. The error is a
// [claim.Unread]: no form fits the whole sentence, or none of our checks makes
// what it asks for. Such a sentence needs an assertion.
func Demands(sentence string) ([]Demand, error) {
	claims, unread := claim.Parse(sentence)
	if unread != nil {
		return nil, unread
	}
	var out []Demand
	for _, c := range claims {
		d := demandOf(c)
		err := d.unchecked(c)
		if err == nil && d.Figure == "" {
			err = d.Assertion.Validate(d.Selector)
		}
		if err != nil {
			return nil, &claim.Unread{Why: fmt.Sprintf("no check tells whether %s: %v", c, err), Nearest: `the page shows "…"`, Assertion: `assertion = { type = "text_contains", expected = "…" }`}
		}
		out = append(out, d)
	}
	return out, nil
}

func demandOf(c claim.Claim) Demand {
	d := Demand{Selector: rowsAsCSS(c.Selector), Means: c.String(),
		Assertion: Assertion{Type: AssertionType(c.Type), Not: c.Not, Expected: c.Expected, WholeWords: c.WholeWords, Attribute: c.Attribute, URL: c.URL}}
	for _, selector := range c.Alike {
		d.Alike = append(d.Alike, rowsAsCSS(selector))
	}
	if text, ok := rowText(c.Selector); ok && d.Assertion.Type == Visible && !c.Not { // an unseen cell names no row
		d.Assertion = Assertion{Type: TextContains, Expected: text, WholeWords: true}
	}
	switch d.Assertion.Type {
	case KPIKind:
		d.Figure, d.Assertion = c.Attribute, Assertion{Expected: c.Expected, Not: c.Not}
	case NumberCompared:
		d.Assertion.Expected, d.Assertion.Value, d.Assertion.Op = "", c.Expected, c.Op
		if c.Op == "=" {
			d.Assertion.Op = "=="
		}
	case ComesBefore:
		d.Assertion.Expected, d.Assertion.Other = "", c.Expected
	case Checked, Enabled, Expanded, Pressed:
		d.Assertion.Expected = ""
	}
	return d
}

// unchecked says what of a claim no check of ours looks at.
func (d Demand) unchecked(c claim.Claim) error {
	switch {
	case d.Figure != "" && c.Not:
		return fmt.Errorf("that a figure is another one can't be checked")
	case c.DataRows && !strings.HasSuffix(d.Selector, dataRows), !c.DataRows && strings.HasSuffix(d.Selector, dataRows):
		return fmt.Errorf("which rows are meant is not said")
	case c.WholeWords && !d.Assertion.Type.takesWholeWords():
		return fmt.Errorf("how often a text is on the page can't be counted")
	case d.Assertion.Type == SortedBy:
		return fmt.Errorf("name the items that are sorted: sorted_by with their selector")
	}
	return nil
}

// These select rows as people mean them: rows of data, each found by one of
// its cells. A line of a snapshot names a row by all of its text.
const (
	anyRow   = `css=:is(tr, [role="row"]):not(:has(tr))` // what has rows in it is layout
	dataRows = anyRow + `:not(thead *, tfoot *):has(> :is(td, [role="cell"], [role="gridcell"]))`
)

// placeForm matches the place of an element among its kind, at the end of a claim's selector.
var placeForm = pattern.New(` >> nth=-?[0-9]+$`)

// namedRow matches a row in a claim's selector.
var namedRow = pattern.New(`(^|>> )row "((?:[^"\\]|\\.)*)"`)

// rowsAsCSS returns a claim's selector with its rows as CSS: a row with a cell, or something in
// one, whose text is the name, or the rows of data.
func rowsAsCSS(selector string) string {
	selector = namedRow.ReplaceAllString(selector, `${1}`+anyRow+`:has(:text-is("$2"))`)
	if selector == "row" {
		return dataRows
	}
	if place := placeForm.FindString(selector); place != "" { // the first, the last, the third
		return rowsAsCSS(strings.TrimSuffix(selector, place)) + place
	}
	if rest, ok := strings.CutSuffix(selector, ">> row"); ok {
		return rest + ">> " + dataRows
	}
	return selector
}

// rowText returns the name of the row that a claim is about.
func rowText(selector string) (string, bool) {
	all := namedRow.FindAllStringSubmatchIndex(selector, -1)
	if len(all) == 0 || all[len(all)-1][1] != len(selector) {
		return "", false
	}
	last := all[len(all)-1]
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(selector[last[4]:last[5]]), true
}
