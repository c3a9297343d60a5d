package prove

import (
	"context"
	"slices"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/qa/element"
)

// study is the slot in which failing tests are looked at.
const study = "study"

// Call is one act or expectation of a test.
type Call struct {
	Method   string            `json:"method"`
	Selector string            `json:"selector"` // as Playwright's engines read it
	N        int               `json:"n"`        // how often the same call has come
	At       *testrun.Location `json:"at,omitempty"`
	Act      bool              `json:"act"`
	Element  *element.Element  `json:"element,omitempty"` // the one that it led to
	Page     string            `json:"page,omitempty"`    // of an act: which of the report's it was done on
}

// Studied is a call of a failing test, with the page as it was then.
type Studied struct {
	Call
	OK       bool
	Count    int                  // elements that the selector led to
	SoughtMS int64                // until there was one
	Looks    [2][]element.Element // all elements of the page, twice
	Made     []testrun.Location   // where locators with the selector were made
	Picture  string               // file of a screenshot of the whole page; empty: none
}

// Study runs tests once, and looks at the page before each act and where something
// fails. The calls are those of each test by [Key].
func (p Prover) Study(ctx context.Context, tests []testrun.SlotTest) (testrun.Result, map[string][]Studied, error) {
	result, records, err := p.pass(ctx, map[string]any{"study": study}, testrun.Request{Workers: max(1, p.Workers), Slots: []testrun.Slot{{Name: study, Tests: tests}}})
	if err != nil {
		return result, nil, err
	}
	out := map[string][]Studied{}
	for key, r := range records[study] {
		for _, o := range r.Ops {
			if o.Kind != act && o.Kind != expect {
				continue
			}
			s := Studied{Call: o.call(nil), OK: o.OK, Count: o.Count, SoughtMS: o.Sought, Made: o.Made, Picture: o.Picture}
			copy(s.Looks[:], o.Looks)
			out[key] = append(out[key], s)
		}
	}
	result.Tests = slices.DeleteFunc(result.Tests, func(t testrun.Test) bool { return t.Project != study })
	return result, out, nil
}

// Key names a test by its file and its titles.
func Key(t testrun.Test) string { return recordKey(t) }

func (o op) call(pages [][]element.Element) Call {
	c := Call{Method: o.Method, Selector: o.Selector, N: o.N, At: o.At, Act: o.Kind == act}
	if len(o.Marks) == 1 {
		c.Element = &o.Marks[0]
	}
	if o.Page != nil && *o.Page < len(pages) {
		c.Page = nameOfPage(pages[*o.Page])
	}
	return c
}

// calls lists what a test acts on and looks at, with the elements as they were.
func (r record) calls() []Call {
	var out []Call
	for _, o := range r.Ops {
		if (o.Kind == act || o.Kind == expect) && len(o.Marks) == 1 {
			out = append(out, o.call(r.Pages))
		}
	}
	return out
}

// Like reports whether two mutants, of a test before and after it was healed, are the
// same: what is done at which line.
func (m Mutant) Like(o Mutant) bool {
	at := func(m Mutant) int {
		if m.At == nil {
			return 0
		}
		return m.At.Line
	}
	return m.Class == o.Class && m.Kind == o.Kind && m.OfAct == o.OfAct && at(m) == at(o)
}

// Noticed reports whether the test failed under the mutant, as it should.
func (t Tried) Noticed() bool {
	return t.Class != Equivalent && (t.Outcome == Strong || t.Outcome == Weak)
}

// noticed lists the mutants that a test noticed when it was proved before.
func noticed(before []Test, now testrun.Test) []Mutant {
	var out []Mutant
	for _, t := range before {
		if t.File != now.Location.File || t.Title != now.Title() {
			continue
		}
		for _, m := range t.Mutants {
			if m.Noticed() {
				out = append(out, m.Mutant)
			}
		}
	}
	return out
}
