package tools

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/kpicheck"
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
		Name: "verify_assertion", Set: tool.Core, Repeat: workspace.Repeat{Step: (*workspace.FlowBuilder).Assertion}, Verifies: true, Publish: true,
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
	return engine.InvalidInput("the run has: "+strings.Join(ids, ", "), "expects: %q is no expectation of this run%s", id, text.Hint(id, ids))
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
	for len(all) > 0 {
		n := max(1, leadingAsserted(all))
		if err := proveNext(ctx, c, s, all[:n], in.TimeoutMS, &out); err != nil {
			return out, err
		}
		all = all[n:]
	}
	return out, nil
}

// leadingAsserted returns how many of the leading checks are assertions, which are made as one.
func leadingAsserted(all []demandedCheck) int {
	if n := slices.IndexFunc(all, func(d demandedCheck) bool { return d.Figure != "" }); n >= 0 {
		return n
	}
	return len(all)
}

// proveNext makes a figure's check, or several assertions, and keeps the call's first picture.
func proveNext(ctx context.Context, c *tool.Call, s *browser.Session, all []demandedCheck, timeout schema.Millis, out *verifyAssertionOutput) error {
	first := c.Shot
	c.Shot = nil
	defer func() { c.Shot = cmp.Or(first, c.Shot) }()
	if d := all[0]; d.Figure != "" {
		check, err := figure(ctx, c, s, d)
		if err == nil {
			out.add(made(d, check, ""), 0)
		}
		return err
	}
	alike, demanded := make([][]string, len(all)), make([]tool.Demanded, len(all))
	for i, d := range all {
		alike[i] = d.Selectors()
	}
	c.About = all[0].Assertion.Check(all[0].Selector)
	c.About.Expects = []string{all[0].id}
	selectors, absent := c.Present(ctx, s, alike, tool.AssertTimeout(timeout))
	if len(selectors) == 0 {
		return absent
	}
	demanded = demanded[:len(selectors)]
	for i, d := range all[:len(selectors)] {
		demanded[i] = tool.Demanded{Asked: qa.Asked{A: d.Assertion, Selector: selectors[i], Timeout: tool.AssertTimeout(timeout)}, Expects: []string{d.id}}
	}
	verified, err := c.VerifyAll(ctx, s, demanded)
	for i, v := range verified {
		first = cmp.Or(first, v.Shot)
		out.add(made(all[i], v.Check, selectors[i]), v.Waited)
	}
	return cmp.Or(err, absent)
}

// made describes one check that an expectation demanded.
func made(d demandedCheck, check qa.Check, selector string) madeCheck {
	out := madeCheck{Expects: d.id, Figure: d.Figure, Selector: selector, CheckID: check.ID, Expected: check.Expected, Observed: check.Observed, Passed: check.CountsAsProof(), Void: check.Void}
	if d.Figure == "" {
		out.Assertion = &d.Assertion
	}
	return out
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

// figure compares a figure on the page as it is with the value that a sentence says.
func figure(ctx context.Context, c *tool.Call, s *browser.Session, d demandedCheck) (qa.Check, error) {
	value := d.Assertion.Expected
	c.About = qa.Check{Kind: qa.KPIKind, Subject: d.Figure, Expected: value, Expects: []string{d.id}}
	o := flows.KPIOptions(c, s)
	o.Labels, o.Ranges, o.Tolerance, o.Expects = []string{d.Figure}, []qa.Range{{}}, flows.Tolerance(c), []string{d.id}
	o.Spec = qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{d.Figure: value}}
	result, err := kpicheck.Run(ctx, &flows.Comparison{Call: c, Session: s}, o)
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
