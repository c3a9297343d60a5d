package heal

import (
	"github.com/assay-qa/assay/author/prove"
)

// Reason says why a test was not healed.
type Reason string

// The reasons.
const (
	Assertion Reason = "assertion" // what it expects does not hold: expectations are never healed
	Page      Reason = "page"      // the page failed, or an act on an element that is there
	Ambiguous Reason = "ambiguous" // it is not sure which element it is
	Gone      Reason = "gone"      // nothing on the page comes near to the element
)

// Place is a line of a test.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Test string `json:"test"`
}

// Heal is one replaced locator, or a wait for an element.
type Heal struct {
	Place
	Action string  `json:"action"`
	Old    string  `json:"old"`
	New    string  `json:"new"`
	By     string  `json:"by"` // what is known of the old element comes from: proof, site, locator, time
	Score  float64 `json:"score"`
	Margin float64 `json:"margin"`
}

// Choice is one candidate of a proposal.
type Choice struct {
	Number  int     `json:"number"`
	New     string  `json:"new"`
	Element string  `json:"element"` // in words
	Score   float64 `json:"score"`
	Picture string  `json:"picture,omitempty"` // a file of the run
}

// Proposal is a locator that a person has to decide about.
type Proposal struct {
	Place
	Number  int      `json:"number"`
	Action  string   `json:"action"`
	Old     string   `json:"old"`
	Why     string   `json:"why"` // it is not healed without a person
	By      string   `json:"by"`
	Choices []Choice `json:"choices"`

	shots [][]byte // of the choices, as PNG
}

// Unhealed is a test that is as red as before.
type Unhealed struct {
	Place
	Reason Reason `json:"reason"`
	Detail string `json:"detail"`
}

// Rerun is what a healed test came to.
type Rerun struct {
	Test   string   `json:"test"`
	File   string   `json:"file"`
	Green  int      `json:"green"` // of Runs
	Runs   int      `json:"runs"`
	Before int      `json:"before"` // mutants that it noticed before; 0: it was never proved
	Killed int      `json:"killed"` // mutants that it notices now
	Lost   []string `json:"lost,omitempty"`
	Moot   int      `json:"moot,omitempty"` // mutants of before that can't be brought about any more
}

// Report is what came of all tests.
type Report struct {
	Healed      []Heal        `json:"healed"`
	Proposals   []Proposal    `json:"proposals"`
	Unhealed    []Unhealed    `json:"unhealed"`
	Diff        string        `json:"diff"`
	Rerun       []Rerun       `json:"rerun"`
	Green       int           `json:"green"`                   // tests that needed nothing
	Others      []prove.Other `json:"otherElements,omitempty"` // acts of those that met another control than when they were proved
	Written     []string      `json:"written,omitempty"`
	Open        []Open        `json:"open,omitempty"`   // failing tests of an interrupted healing, of which nothing is known
	Errors      []string      `json:"errors,omitempty"` // files that can't be run
	Interrupted bool          `json:"interrupted,omitempty"`

	Proof prove.Report `json:"-"` // of the healed tests

	files []healedFile
}

// healedFile is a file that a heal changes.
type healedFile struct {
	path          string
	before, after []byte
}

// AllGreen reports whether every test is green, or is once the heals are written, and each
// act of those that need nothing meets the control that it was proved on.
func (r Report) AllGreen() bool {
	return len(r.Unhealed)+len(r.Errors)+len(r.Others)+len(r.Open) == 0 && !r.Interrupted && len(r.Healed)+r.Green > 0
}

// Empty reports whether no test was found.
func (r Report) Empty() bool {
	return len(r.Healed)+len(r.Unhealed)+len(r.Proposals)+len(r.Errors)+len(r.Open)+r.Green == 0
}

// With returns a report of the tests of both.
func (r Report) With(o Report) Report {
	for i := range o.Proposals {
		o.Proposals[i].Number = len(r.Proposals) + i + 1
	}
	r.Healed, r.Proposals, r.Unhealed = append(r.Healed, o.Healed...), append(r.Proposals, o.Proposals...), append(r.Unhealed, o.Unhealed...)
	r.Diff += o.Diff
	r.Rerun, r.Written, r.Errors = append(r.Rerun, o.Rerun...), append(r.Written, o.Written...), append(r.Errors, o.Errors...)
	r.Green += o.Green
	r.Others, r.Open = append(r.Others, o.Others...), append(r.Open, o.Open...)
	r.Interrupted = r.Interrupted || o.Interrupted
	r.Proof = r.Proof.With(o.Proof)
	r.files = append(r.files, o.files...)
	return r
}
