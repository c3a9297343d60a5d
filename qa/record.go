package qa

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
)

// Source says who made a check. Only checks of a tool or a rule count for a pass.
type Source string

// The sources of a check.
const (
	SourceTool  Source = "tool"  // a verify tool looked at the page
	SourceRule  Source = "rule"  // a built-in rule looked
	SourceModel Source = "model" // a model's word: it can fail a run, never pass it
)

// Check holds one executed comparison of what was expected with what was
// observed. It is written when it is executed and never edited.
type Check struct {
	ID        string        `json:"id"`
	Step      int           `json:"step"`                  // number of the tool call within the run
	Kind      string        `json:"kind"`                  // what was checked: an assertion type or a tool's name
	Not       bool          `json:"not,omitempty"`         // the opposite of the assertion was checked
	Words     bool          `json:"whole_words,omitempty"` // the text was looked for as whole words
	Held      bool          `json:"held_before,omitempty"` // it held before the act that precedes it
	Unchanged bool          `json:"unchanged,omitempty"`   // it had to hold before that act too
	NeverSeen bool          `json:"never_seen,omitempty"`  // what is absent was never seen in the run
	Void      []string      `json:"void,omitempty"`        // why it proves no expectation though it passed
	Subject   string        `json:"subject,omitempty"`
	Selector  string        `json:"selector,omitempty"`
	Expected  string        `json:"expected"`
	Observed  pagetext.Text `json:"observed"`
	Passed    bool          `json:"passed"`
	Evidence  []string      `json:"evidence,omitempty"` // names of stored artefacts
	Source    Source        `json:"source"`
	Expects   []string      `json:"expects,omitempty"` // expectations this check claims to prove
	Finding   string        `json:"finding,omitempty"` // id of the finding about it, where it failed
	Time      time.Time     `json:"time"`

	// Cause says how it ended, where its other fields don't say all of that. See Ended.
	Cause *Cause `json:"cause,omitempty"`

	// Assertion holds what was checked, where it may become the reading of an
	// expectation that is not understood.
	Assertion *Assertion `json:"assertion,omitempty"`
}

// executed reports whether the check may count for a pass. A source that we
// don't know is no source.
func (c Check) executed() bool { return c.Source == SourceTool || c.Source == SourceRule }

// Take enters the outcome of the comparison.
func (c *Check) Take(o Outcome) {
	c.Expected, c.Observed, c.Passed, c.Void, c.Cause = o.Expected, o.Observed, o.Passed, o.Void, o.cause()
	c.NeverSeen = o.NeverSeen
}

// CountsAsProof reports whether the check passed, and not by what the caller made.
func (c Check) CountsAsProof() bool { return c.Passed && len(c.Void) == 0 }

// Ended returns how the check ended. One of an older record that names no cause was looked
// at.
func (c Check) Ended() Cause {
	if c.Cause != nil {
		return *c.Cause
	}
	return CauseOf(c.Passed, Facts{})
}

// Called returns the kind as readers see it: one that is named after a tool without the tool's
// verb; with what turns or narrows it, whether it held before the act, and whether it proves
// nothing.
func (c Check) Called() string {
	out := c.Kind
	for _, verb := range []string{"verify_", "analyze_", "check_"} {
		out = strings.TrimPrefix(out, verb)
	}
	if c.Not {
		out = "not " + out
	}
	if c.Words {
		out += ", whole words"
	}
	switch {
	case c.Unchanged:
		out += ", unchanged"
	case c.Held:
		out += ", held before"
	}
	if c.NeverSeen {
		out += ", never seen"
	}
	if len(c.Void) > 0 {
		out += ", proves nothing"
	}
	return out
}

// Severity grades a finding.
type Severity string

// The severities, gravest first. Major and above fail a run.
const (
	Blocker  Severity = "blocker"
	Critical Severity = "critical"
	Major    Severity = "major"
	Minor    Severity = "minor"
	Info     Severity = "info"
)

// Severities lists every severity, gravest first.
func Severities() []Severity { return []Severity{Blocker, Critical, Major, Minor, Info} }

// Fails reports whether a finding of this severity fails a run.
func (s Severity) Fails() bool { return s == Blocker || s == Critical || s == Major }

// Category sorts findings by what they hurt.
type Category string

// The categories of findings.
const (
	Functional      Category = "functional"
	DataConsistency Category = "data-consistency"
	Performance     Category = "performance"
	A11y            Category = "a11y"
	Reliability     Category = "reliability"
	Visual          Category = "visual"
	Security        Category = "security"
)

// Categories lists every category.
func Categories() []Category {
	return []Category{Functional, DataConsistency, Performance, A11y, Reliability, Visual, Security}
}

// Finding holds a fault, or something worth a reader's time, with its
// evidence.
type Finding struct {
	ID           string        `json:"id"`
	Severity     Severity      `json:"severity"`
	Category     Category      `json:"category"`
	Title        pagetext.Text `json:"title,omitempty"` // what was observed, in one line
	Assertion    pagetext.Text `json:"assertion"`       // what should have held
	Expected     pagetext.Text `json:"expected"`
	Observed     pagetext.Text `json:"observed"`
	Tolerance    *Tolerance    `json:"tolerance,omitempty"`
	Evidence     []EvidenceRef `json:"evidence"`
	SuggestedFix pagetext.Text `json:"suggested_fix,omitempty"`
	Confidence   float64       `json:"confidence"` // 0 to 1
	Source       Source        `json:"source"`

	// At says where in a script of the site it arose; nil: it is not known.
	At *Place `json:"at,omitempty"`
	// Requests are those behind it, the first of them.
	Requests []RequestRef `json:"requests,omitempty"`

	// Stopped says what kept the tester from its work, of a finding that says so.
	Stopped InterruptionKind `json:"stopped,omitempty"`
}

// Place says where in a script something arose.
type Place struct {
	URL    string `json:"url"`
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1
}

// String returns the place as file:line:column.
func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.URL, p.Line, p.Column) }

// RequestRef names a request with what came of it.
type RequestRef struct {
	ID      string `json:"requestId,omitempty"`
	Method  string `json:"method"`
	URL     string `json:"url"`
	Status  int    `json:"status,omitempty"`  // 0: there was no answer
	Failure string `json:"failure,omitempty"` // why there was none
}

// String returns the request in a line: method, address, and the status or why there is none.
func (r RequestRef) String() string {
	if r.Status == 0 {
		return r.Method + " " + r.URL + " – " + cmp.Or(r.Failure, "no answer")
	}
	return fmt.Sprintf("%s %s – status %d", r.Method, r.URL, r.Status)
}

// EvidenceRef points from a finding to what shows it.
type EvidenceRef struct {
	ScreenshotRef    string     `json:"screenshotRef,omitempty" jsonschema:"such as 001-login.png"`
	Selector         string     `json:"selector,omitempty"`
	Time             *time.Time `json:"time,omitempty"`
	NetworkRequestID string     `json:"networkRequestId,omitempty" jsonschema:"a request_id"`
}

// Validate reports everything that is wrong with the finding. stored says
// whether an artefact of that name exists in the run.
func (f Finding) Validate(stored func(name string) bool) error {
	var errs []error
	if !slices.Contains(Severities(), f.Severity) {
		errs = append(errs, fmt.Errorf("severity is %q: use one of %v", f.Severity, Severities()))
	}
	if !slices.Contains(Categories(), f.Category) {
		errs = append(errs, fmt.Errorf("category is %q: use one of %v", f.Category, Categories()))
	}
	if f.Assertion.Trim() == "" {
		errs = append(errs, errors.New("assertion is empty: say what should have held"))
	}
	if !(f.Confidence >= 0 && f.Confidence <= 1) { // this way round it refuses NaN, too
		errs = append(errs, fmt.Errorf("confidence is %v: use a number from 0 to 1", f.Confidence))
	}
	if f.Tolerance != nil {
		errs = append(errs, f.Tolerance.validate())
	}
	for i, e := range f.Evidence {
		if e.ScreenshotRef != "" && !stored(e.ScreenshotRef) {
			errs = append(errs, fmt.Errorf("evidence[%d].screenshotRef %q names no stored artefact of this run: take a screenshot first, and give its name, uri, path or sha256", i, e.ScreenshotRef))
		}
		if e == (EvidenceRef{}) {
			errs = append(errs, fmt.Errorf("evidence[%d] points at nothing", i))
		}
	}
	return errors.Join(errs...)
}

// Interruption holds something that the tester itself could not do. It makes a
// run inconclusive: a fault of the tester is not a fault of the thing under
// test.
type Interruption struct {
	Kind    InterruptionKind `json:"kind"`
	Subject string           `json:"subject"` // what could not be done, such as a tool and its target
	Detail  pagetext.Text    `json:"detail"`
}

// InterruptionKind sorts interruptions.
type InterruptionKind string

// The kinds of interruptions.
const (
	BudgetSpent InterruptionKind = "budget"      // a budget of the task is spent
	TimedOut    InterruptionKind = "timeout"     // the run did not end in time
	Crashed     InterruptionKind = "crash"       // browser or driver crashed and recovery did not cure it
	ModelError  InterruptionKind = "model"       // the model gave no usable answer
	NeedsHuman  InterruptionKind = "needs-human" // only a person can go on
	NotExecuted InterruptionKind = "not-executed"
	Guardrail   InterruptionKind = "guardrail" // the work ran in circles, or into one error after the other
)

// Record holds all that a verdict is computed from.
type Record struct {
	Expectations  []Expectation
	Checks        []Check
	Findings      []Finding
	Interruptions []Interruption
}
