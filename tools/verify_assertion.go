package tools

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/address"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/kpicheck"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/figures"
	"github.com/assay-qa/assay/tools/reproduce"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type verifyAssertionInput struct {
	tool.OnSession
	Selector  string        `json:"selector,omitempty" jsonschema:"the element, if it is about one"`
	Assertion *qa.Assertion `json:"assertion,omitempty" jsonschema:"default: what expects demand"`
	tool.TimeLimit
	tool.Binds
	tool.Shows
}

type verifyAssertionOutput struct {
	Passed   bool          `json:"passed"`
	Void     []string      `json:"void,omitempty"`
	Expected string        `json:"expected"`
	Observed pagetext.Text `json:"observed"`
	WaitedMS int64         `json:"waited_ms"`
	CheckID  string        `json:"check_id" jsonschema:"of several: of the first that failed, or the first"`
	Checks   []madeCheck   `json:"checks,omitempty" jsonschema:"what expects demanded, where no assertion was given"`
}

func verifyAssertion(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "verify_assertion", Set: tool.Core, Repeat: reproduce.Repeat{Step: (*reproduce.Builder).Assertion}, Verifies: true, Publish: true,
		Description: "Check what the expectations in expects demand, or a property, retrying for 5 s.",
	}, func(ctx context.Context, c *tool.Call, in verifyAssertionInput) (verifyAssertionOutput, error) {
		if in.Assertion == nil {
			return proveAll(ctx, c, in)
		}
		if err := in.Assertion.Validate(in.Selector); err != nil {
			return verifyAssertionOutput{}, wrongAssertion(err)
		}
		c.About = in.Assertion.Check(in.Selector)
		c.About.Expects = in.Expects
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return verifyAssertionOutput{}, err
		}
		check, r, err := c.Verify(ctx, s, *in.Assertion, in.Selector, in.Expects, tool.AssertTimeout(in.TimeoutMS))
		if err != nil {
			return verifyAssertionOutput{}, err
		}
		return verifyAssertionOutput{Passed: check.CountsAsProof(), Void: check.Void, Expected: r.Expected, Observed: r.Observed, WaitedMS: r.Waited.Milliseconds(), CheckID: check.ID}, nil
	})
}

// wrongAssertion says what is wrong with an assertion, and what to write instead.
func wrongAssertion(err error) error {
	var pattern *address.Error
	if errors.As(err, &pattern) {
		return engine.InvalidInput(pattern.Hint, "assertion: %s", pattern.Message)
	}
	return engine.InvalidInput("", "assertion: %v", err)
}

// demandedCheck holds a check that an expectation demands.
type demandedCheck struct {
	id string // of the expectation
	qa.Demand
}

// madeCheck holds one of several checks that a call made by itself.
type madeCheck struct {
	CheckID   string        `json:"check_id"`
	Expects   string        `json:"expects"`
	Selector  string        `json:"selector,omitempty"`
	Assertion *qa.Assertion `json:"assertion,omitempty"`
	Figure    string        `json:"figure,omitempty" jsonschema:"label of the figure that was compared, where there is no assertion"`
	Expected  string        `json:"expected"`
	Observed  pagetext.Text `json:"observed"`
	Passed    bool          `json:"passed"`
	Void      []string      `json:"void,omitempty"`
}

// demandedChecks returns the checks that the expectations with these ids demand.
func demandedChecks(c *tool.Call, ids []string) ([]demandedCheck, error) {
	if c.RunErr != nil {
		return nil, c.RunErr
	}
	if len(ids) == 0 {
		return nil, engine.InvalidInput(`give what to check, or "expects" with ids of the run's expectations, which say it themselves`, "there is neither assertion nor expects")
	}
	var out []demandedCheck
	all := c.Task().Expectations
	for _, id := range ids {
		at := slices.IndexFunc(all, func(e qa.Expectation) bool { return e.ID == id })
		if at < 0 {
			return nil, noExpectation(c, id)
		}
		demands, err := all[at].Demands()
		if err != nil {
			return nil, engine.InvalidInput("it stays unproved in this run; fix it in the task, and start anew", "%s can't be proved: %v", id, err)
		}
		for _, d := range demands {
			out = append(out, demandedCheck{id, d})
		}
	}
	return out, nil
}

func noExpectation(c *tool.Call, id string) error {
	var ids []string
	for _, e := range c.Task().Expectations {
		ids = append(ids, e.ID)
	}
	if len(ids) == 0 {
		return engine.InvalidInput("start a run with expectations: run_start; or give an assertion", "expects: the run has no expectations, so none is called %q", id)
	}
	return engine.InvalidInput("the run has: "+strings.Join(ids, ", "), "expects: %q is no expectation of this run%s", id, nearest.Hint(id, ids))
}

// proveAll makes all checks that the expectations of the call demand.
func proveAll(ctx context.Context, c *tool.Call, in verifyAssertionInput) (verifyAssertionOutput, error) {
	out := verifyAssertionOutput{Passed: true}
	if in.Selector != "" {
		return out, engine.InvalidInput("leave selector out, or give an assertion", "selector: without an assertion the expectation says what is checked")
	}
	all, err := demandedChecks(c, in.Expects)
	if err != nil {
		return out, err
	}
	s, err := c.SessionFor(ctx, in.SessionID)
	if err != nil {
		return out, err
	}
	var first *tool.ScreenshotRef
	for _, d := range all {
		c.Shot = nil
		made, waited, err := makeCheck(ctx, c, s, d, in.TimeoutMS)
		first = cmp.Or(first, c.Shot)
		if err != nil {
			return out, err
		}
		out.add(made, waited)
	}
	c.Shot = first
	return out, nil
}

// add takes in one of several checks. The answer begins with what failed first.
func (o *verifyAssertionOutput) add(made madeCheck, waited time.Duration) {
	if o.Passed && !made.Passed || o.CheckID == "" {
		o.CheckID = made.CheckID
	}
	o.Passed = o.Passed && made.Passed
	o.Void = append(o.Void, made.Void...)
	o.WaitedMS += waited.Milliseconds()
	o.Checks = append(o.Checks, made)
	expected, observed := "", []pagetext.Text(nil)
	for _, m := range o.Checks {
		if m.Passed == o.Passed {
			expected, observed = strings.TrimPrefix(expected+"; "+m.Expected, "; "), append(observed, m.Observed)
		}
	}
	o.Expected, o.Observed = expected, pagetext.Join(observed, "; ")
}

// makeCheck makes one check that an expectation demands.
func makeCheck(ctx context.Context, c *tool.Call, s *browser.Session, d demandedCheck, timeout schema.Millis) (madeCheck, time.Duration, error) {
	made := madeCheck{Expects: d.id}
	if d.Figure != "" {
		check, err := figure(ctx, c, s, d)
		made.Figure, made.CheckID, made.Expected, made.Observed, made.Passed, made.Void = d.Figure, check.ID, check.Expected, check.Observed, check.CountsAsProof(), check.Void
		return made, 0, err
	}
	c.About = d.Assertion.Check(d.Selector)
	c.About.Expects = []string{d.id}
	selector, err := c.Present(ctx, s, d.Selectors(), tool.AssertTimeout(timeout))
	if err != nil {
		return made, 0, err
	}
	check, r, err := c.Verify(ctx, s, d.Assertion, selector, []string{d.id}, tool.AssertTimeout(timeout))
	made.Selector, made.Assertion = selector, &d.Assertion
	made.CheckID, made.Expected, made.Observed, made.Passed, made.Void = check.ID, check.Expected, check.Observed, check.CountsAsProof(), check.Void
	return made, r.Waited, err
}

// figure compares a figure on the page as it is with the value that a sentence says.
func figure(ctx context.Context, c *tool.Call, s *browser.Session, d demandedCheck) (qa.Check, error) {
	value := d.Assertion.Expected
	c.About = qa.Check{Kind: qa.KPIKind, Subject: d.Figure, Expected: value, Expects: []string{d.id}}
	o := figures.KPIOptions(c, s)
	o.Labels, o.Ranges, o.Tolerance, o.Expects = []string{d.Figure}, []qa.Range{{}}, figures.Tolerance(c), []string{d.id}
	o.Spec = qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{d.Figure: value}}
	result, err := kpicheck.Run(ctx, &figures.Comparison{Call: c, Session: s}, o)
	if err != nil {
		return qa.Check{}, err
	}
	ids, err := c.FileRecords(result.Records)
	if err != nil {
		return qa.Check{}, err
	}
	if len(ids) == 0 {
		return qa.Check{}, &explain.Error{Code: explain.TimedOut, Retriable: true, Cause: errors.New("no reading"),
			Message: pagetext.Sentencef("the figure %q cannot be read for sure: %s", d.Figure, pagetext.Join(result.Problems, "; ")), Hint: "what settles it:", Page: textsOf(result.Hints)}
	}
	checks := c.Run.Record().Checks
	at := slices.IndexFunc(checks, func(check qa.Check) bool { return check.ID == ids[0] })
	c.SayUnmetDemand(checks[at])
	c.Say("%s: the figure %s", checks[at].Status().Shouted(), d.Figure)
	c.Quote("expected: %s\nobserved: %s", engine.OneLine(checks[at].Expected), engine.OneLine(checks[at].Observed))
	return checks[at], nil
}

// textsOf returns sentences as lines of the page's part of an answer.
func textsOf(sentences []pagetext.Sentence) []pagetext.Text {
	out := make([]pagetext.Text, len(sentences))
	for i, s := range sentences {
		out[i] = s.Text()
	}
	return out
}
