package prove

import (
	"slices"

	"github.com/assay-qa/assay/author/testrun"
)

// Outcome is what came of a test under one mutant.
type Outcome string

// The outcomes. Invalid says that nothing is known, as the mutant did not reach the
// page, or as the test was red without it.
const (
	Strong   Outcome = "killed"         // by an expectation
	Weak     Outcome = "killed weakly"  // by a time-out or an error, not by an expectation
	Survived Outcome = "survived"       // the test passed
	Invalid  Outcome = "invalid"        //
	Tolerant Outcome = "passed"         // under an equivalent mutant, as it should
	Brittle  Outcome = "failed wrongly" // under an equivalent mutant
	Open     Outcome = "open"           // not tried yet: the proof ended before
)

// Tried is a mutant with what came of it.
type Tried struct {
	Mutant
	Outcome  Outcome           `json:"outcome"`
	Why      string            `json:"why,omitempty"`      // what the test said, or why it is invalid
	KilledAt *testrun.Location `json:"killedAt,omitempty"` // the expectation that failed
	Before   string            `json:"before,omitempty"`   // digests of what was changed
	After    string            `json:"after,omitempty"`

	caught *testrun.Location // an expectation that failed while the test passed
}

// Verdict says whether a test can fail.
type Verdict string

// The verdicts.
const (
	CanFail    Verdict = "can fail"
	CannotFail Verdict = "can't fail"
	Unproved   Verdict = "unproved" // nothing is known
)

// Assertion is one expectation of a test, by its place.
type Assertion struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Title string   `json:"title"`
	Kills []string `json:"kills"` // ids of the mutants that it noticed
	Tried bool     `json:"tried"` // a mutant of what it looks at reached the page
	// Caught says that it failed and the test went on; Pending that the test ended before it did.
	Caught  bool `json:"caught,omitempty"`
	Pending bool `json:"pending,omitempty"`
}

// Useless reports whether the assertion noticed nothing, though there was something
// to notice.
func (a Assertion) Useless() bool { return (a.Tried || a.Pending) && len(a.Kills) == 0 }

// Count counts mutants of a class by outcome.
type Count struct {
	Strong   int `json:"killed"`
	Weak     int `json:"killedWeakly"`
	Survived int `json:"survived"`
	Invalid  int `json:"invalid"`
}

// Test is what was proved of one test.
type Test struct {
	Title      string          `json:"title"`
	File       string          `json:"file"`
	Line       int             `json:"line"`
	Source     string          `json:"source,omitempty"` // the flow that the test was made from
	Verdict    Verdict         `json:"verdict"`
	Reason     string          `json:"reason"`
	Mutants    []Tried         `json:"mutants"`
	Classes    map[Class]Count `json:"classes"`
	Assertions []Assertion     `json:"assertions"`
	Unnoticed  []string        `json:"unnoticed,omitempty"` // acts whose lack of effect no expectation noticed
	Tolerant   int             `json:"equivalentPassed"`
	Brittle    int             `json:"equivalentFailed"`
	Open       int             `json:"open,omitempty"`  // mutants that were not tried
	Calls      []Call          `json:"calls,omitempty"` // with the elements as they were, to find them again
}

// Report is what was proved of all tests.
type Report struct {
	SchemaVersion int             `json:"schemaVersion"`
	Seed          int64           `json:"seed"`
	Runner        string          `json:"runner"`
	Tests         []Test          `json:"tests"`
	Errors        []string        `json:"errors,omitempty"` // files that can't be run
	Classes       map[Class]Count `json:"classes"`
	Tolerant      int             `json:"equivalentPassed"`
	Brittle       int             `json:"equivalentFailed"`
	Open          int             `json:"open,omitempty"` // mutants that were not tried
	Interrupted   bool            `json:"interrupted,omitempty"`
	Pages         Pages           `json:"pages,omitempty"`         // that acts were done on
	Others        []Other         `json:"otherElements,omitempty"` // acts of green tests that met another control than when they were proved before
}

// Rate returns how many of the valid mutants were killed, and how many there were.
func (c Count) Rate() (killed, of int) { return c.Strong + c.Weak, c.Strong + c.Weak + c.Survived }

func (c Count) plus(o Outcome) Count {
	switch o {
	case Strong:
		c.Strong++
	case Weak:
		c.Weak++
	case Survived:
		c.Survived++
	case Invalid:
		c.Invalid++
	}
	return c
}

// Sum returns the counts of all classes of faults together.
func Sum(classes map[Class]Count) (all Count) {
	for class, c := range classes {
		if class != Equivalent {
			all.Strong, all.Weak, all.Survived, all.Invalid = all.Strong+c.Strong, all.Weak+c.Weak, all.Survived+c.Survived, all.Invalid+c.Invalid
		}
	}
	return all
}

// AllCanFail reports whether there are tests, and each of them can fail.
func (r Report) AllCanFail() bool {
	for _, t := range r.Tests {
		if t.Verdict != CanFail {
			return false
		}
	}
	return len(r.Tests) > 0 && len(r.Errors)+len(r.Others) == 0 && !r.Interrupted
}

// With returns a report of the tests of both.
func (r Report) With(other Report) Report {
	if len(r.Tests)+len(r.Errors) == 0 {
		return other
	}
	r.Tests, r.Errors = append(r.Tests, other.Tests...), append(r.Errors, other.Errors...)
	r.Interrupted = r.Interrupted || other.Interrupted
	r.Pages, r.Others = r.Pages.with(other.Pages), append(r.Others, other.Others...)
	r.Total()
	return r
}

// Total fills in the counts of all tests.
func (r *Report) Total() {
	r.Classes, r.Tolerant, r.Brittle, r.Open = map[Class]Count{}, 0, 0, 0
	for _, t := range r.Tests {
		for class, c := range t.Classes {
			all := r.Classes[class]
			r.Classes[class] = Count{all.Strong + c.Strong, all.Weak + c.Weak, all.Survived + c.Survived, all.Invalid + c.Invalid}
		}
		r.Tolerant += t.Tolerant
		r.Brittle += t.Brittle
		r.Open += t.Open
	}
}

func (t Test) at() *testrun.Location { return &testrun.Location{File: t.File, Line: t.Line} }

// Moved returns what was proved of a test whose file is elsewhere now.
func (t Test) Moved(to string) Test {
	from := t.File
	at := func(l *testrun.Location) *testrun.Location {
		if l == nil || l.File != from {
			return l
		}
		moved := *l
		moved.File = to
		return &moved
	}
	t.File = to
	t.Mutants, t.Assertions = slices.Clone(t.Mutants), slices.Clone(t.Assertions)
	for i := range t.Mutants {
		t.Mutants[i].At, t.Mutants[i].KilledAt = at(t.Mutants[i].At), at(t.Mutants[i].KilledAt)
	}
	for i := range t.Assertions {
		if t.Assertions[i].File == from {
			t.Assertions[i].File = to
		}
	}
	return t
}
