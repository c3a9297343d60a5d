package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/assertion"
	"github.com/assay-qa/assay/engine/kpicheck"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
)

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
	Observed  string        `json:"observed"`
	Passed    bool          `json:"passed"`
}

// demandedChecks returns the checks that the expectations with these ids demand.
func (c *call) demandedChecks(ids []string) ([]demandedCheck, error) {
	if c.runErr != nil {
		return nil, c.runErr
	}
	if len(ids) == 0 {
		return nil, engine.InvalidInput(`give what to check, or "expects" with ids of the run's expectations, which say it themselves`, "there is neither assertion nor expects")
	}
	var out []demandedCheck
	all := c.task().Expectations
	for _, id := range ids {
		at := slices.IndexFunc(all, func(e qa.Expectation) bool { return e.ID == id })
		if at < 0 {
			return nil, c.noExpectation(id)
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

func (c *call) noExpectation(id string) error {
	var ids []string
	for _, e := range c.task().Expectations {
		ids = append(ids, e.ID)
	}
	if len(ids) == 0 {
		return engine.InvalidInput("start a run with expectations: run_start; or give an assertion", "expects: the run has no expectations, so none is called %q", id)
	}
	return engine.InvalidInput("the run has: "+strings.Join(ids, ", "), "expects: %q is no expectation of this run%s", id, nearest.Hint(id, ids))
}

// proveAll makes all checks that the expectations of the call demand.
func (c *call) proveAll(ctx context.Context, in verifyAssertionInput) (verifyAssertionOutput, error) {
	out := verifyAssertionOutput{Passed: true}
	if in.Selector != "" {
		return out, engine.InvalidInput("leave selector out, or give an assertion", "selector: without an assertion the expectation says what is checked")
	}
	all, err := c.demandedChecks(in.Expects)
	if err != nil {
		return out, err
	}
	s, err := c.sessionFor(ctx, in.SessionID)
	if err != nil {
		return out, err
	}
	var first *ScreenshotRef
	for _, d := range all {
		c.shot = nil
		made, waited, err := c.makeCheck(ctx, s, d, in.TimeoutMS)
		first = cmp.Or(first, c.shot)
		if err != nil {
			return out, err
		}
		out.add(made, waited)
	}
	c.shot = first
	return out, nil
}

// add takes in one of several checks. The answer begins with what failed first.
func (o *verifyAssertionOutput) add(made madeCheck, waited time.Duration) {
	if o.Passed && !made.Passed || o.CheckID == "" {
		o.CheckID = made.CheckID
	}
	o.Passed = o.Passed && made.Passed
	o.WaitedMS += waited.Milliseconds()
	o.Checks = append(o.Checks, made)
	expected, observed := "", ""
	for _, m := range o.Checks {
		if m.Passed == o.Passed {
			expected, observed = strings.TrimPrefix(expected+"; "+m.Expected, "; "), strings.TrimPrefix(observed+"; "+m.Observed, "; ")
		}
	}
	o.Expected, o.Observed = expected, observed
}

// makeCheck makes one check that an expectation demands.
func (c *call) makeCheck(ctx context.Context, s *browser.Session, d demandedCheck, timeout Millis) (madeCheck, time.Duration, error) {
	made := madeCheck{Expects: d.id}
	if d.Figure != "" {
		check, err := c.figure(ctx, s, d)
		made.Figure, made.CheckID, made.Expected, made.Observed, made.Passed = d.Figure, check.ID, check.Expected, check.Observed, check.Passed
		return made, 0, err
	}
	c.about = d.Assertion.Check(d.Selector)
	c.about.Expects = []string{d.id}
	selector, err := c.present(ctx, s, d.Selectors(), assertTimeout(timeout))
	if err != nil {
		return made, 0, err
	}
	check, r, err := c.verify(ctx, s, d.Assertion, selector, []string{d.id}, assertTimeout(timeout))
	made.Selector, made.Assertion = selector, &d.Assertion
	made.CheckID, made.Expected, made.Observed, made.Passed = check.ID, check.Expected, check.Observed, check.Passed
	return made, r.Waited, err
}

// verify makes an assertion and files it.
func (c *call) verify(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, expects []string, timeout time.Duration) (qa.Check, assertion.Result, error) {
	c.about = a.Check(selector)
	c.about.Expects = expects
	c.progress("asserting " + string(a.Type))
	r, err := c.checker(s).Check(ctx, a, selector, timeout)
	if err != nil {
		return qa.Check{}, r, err
	}
	if !r.Passed {
		if err := c.shoot(ctx, "assertion-failed", browser.ShotOptions{}); err != nil {
			c.say("no screenshot: %s", engine.AsError(c.spec.name, err).Message)
		}
	}
	check, err := c.check(r.Outcome)
	if err != nil {
		return check, r, err
	}
	c.noteHeld(s, a, selector, r)
	c.say("%s after %d ms: %s", pass(r.Passed), r.Waited.Milliseconds(), engine.OneSpace(check.Called(), selector))
	c.quote("expected: %s\nobserved: %s", engine.OneLine(r.Expected), engine.OneLine(r.Observed))
	return check, r, nil
}

// present returns the selector of a subject that several roles may have: the first
// whose element, or the container of it, is seen, else the first that is there.
// Where none comes in time it is the first of all.
func (c *call) present(ctx context.Context, s *browser.Session, alike []string, timeout time.Duration) (string, error) {
	if len(alike) == 1 {
		return alike[0], nil
	}
	for start, pause := c.desk.Now(), 20*time.Millisecond; ; pause = min(2*pause, 250*time.Millisecond) {
		there := ""
		for _, selector := range alike {
			container, _, _ := strings.Cut(selector, " >> ")
			seen, err := c.checker(s).Observe(ctx, qa.Assertion{Type: qa.Visible}, container)
			if err != nil {
				return "", err
			}
			if seen.Seen > 0 {
				return selector, nil
			}
			if seen.Count > 0 {
				there = cmp.Or(there, selector)
			}
		}
		if there != "" || c.desk.Now().Sub(start) >= timeout {
			return cmp.Or(there, alike[0]), nil
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(pause):
		}
	}
}

// figure compares a figure on the page as it is with the value that a sentence says.
func (c *call) figure(ctx context.Context, s *browser.Session, d demandedCheck) (qa.Check, error) {
	value := d.Assertion.Expected
	c.about = qa.Check{Kind: qa.KPIKind, Subject: d.Figure, Expected: value, Expects: []string{d.id}}
	o := c.kpiOptions(s)
	o.Labels, o.Ranges, o.Tolerance, o.Expects = []string{d.Figure}, []qa.Range{{}}, c.tolerance(), []string{d.id}
	o.Spec = qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{d.Figure: value}}
	result, err := kpicheck.Run(ctx, &kpiCall{c: c, session: s}, o)
	if err != nil {
		return qa.Check{}, err
	}
	ids, err := c.fileRecords(result.Records)
	if err != nil {
		return qa.Check{}, err
	}
	if len(ids) == 0 {
		return qa.Check{}, &browser.Error{Code: browser.TimedOut, Retriable: true, Cause: errors.New("no reading"),
			Message: fmt.Sprintf("the figure %q can't be told for sure: %s", d.Figure, strings.Join(result.Problems, "; ")), Hint: strings.Join(result.Hints, "; ")}
	}
	checks := c.run.Record().Checks
	at := slices.IndexFunc(checks, func(check qa.Check) bool { return check.ID == ids[0] })
	c.sayUnmetDemand(checks[at])
	c.say("%s: the figure %s", pass(result.Failed == 0), d.Figure)
	c.quote("expected: %s\nobserved: %s", engine.OneLine(checks[at].Expected), engine.OneLine(checks[at].Observed))
	return checks[at], nil
}

// maxWanted bounds the expectations that an answer lists.
const maxWanted = 5

// sayUnmetDemand says what the expectations that a check names demand, where it is not
// what they demand: it proves none of them.
func (c *call) sayUnmetDemand(check qa.Check) {
	told := 0
	for _, e := range c.task().Expectations {
		if told < maxWanted && slices.Contains(check.Expects, e.ID) && !check.Proves(e) {
			c.say("this check does not prove %s. %s", e.ID, engine.OneLine(e.Wants()))
			told++
		}
	}
}
