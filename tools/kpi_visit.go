package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/qa/kpi"
)

// kpiCheck is one call of check_kpis.
type kpiCheck struct {
	c         *call
	in        checkKPIsInput
	out       checkKPIsOutput
	session   *browser.Session
	spec      qa.KPISpec
	labels    []string
	tolerance *qa.Tolerances
	ranges    []*kpiRange
	visited   int // ranges that are done
	plain     map[string]bool

	failed, unsure int
	problems       []string // one line for each thing that does not hold
	hints          []string
}

// kpiRange is one range, and what was found in it.
type kpiRange struct {
	qa.Range
	since   time.Time // what the page asked for since then belongs to it
	want    map[string]kpi.Expected
	source  string
	look    kpiLook
	tracks  map[string]*kpiTrack
	sums    []kpi.Sum              // of the last look
	asked   int                    // how many of them, the first ones, are declared
	charts  []kpi.Sum              // parts of charts that do not make the KPI
	pending []browser.NetworkEvent // requests that were never answered
	refused []browser.NetworkEvent // requests that failed
	carried map[string]string      // KPI to the request that brought its value
	shots   map[string]string      // KPI to a stored picture
	page    string                 // the stored picture of the page
	err     error                  // why it could not be looked at
	broken  bool                   // a step failed by the page's fault, which is filed
}

// prepare finds session, oracle, ranges and tolerance.
func (k *kpiCheck) prepare(ctx context.Context) error {
	c := k.c
	if c.runErr != nil {
		return c.runErr
	}
	c.about = qa.Check{Kind: "check_kpis", Expected: kpisHold, Expects: k.in.Expects}
	k.plain = map[string]bool{}
	var err error
	if k.spec, err = c.oracleSpec(k.in.Spec); err != nil {
		return err
	}
	if err := k.chooseTolerance(); err != nil {
		return err
	}
	if err := k.chooseRanges(); err != nil {
		return err
	}
	if k.session, err = c.sessionFor(ctx, k.in.SessionID); err != nil {
		return err
	}
	k.labels = k.spec.Labels()
	if k.spec.Type == qa.APIEndpoint && len(k.spec.Map) == 0 { // only the endpoint knows which it has
		answer, err := c.oracleSite(k.session).Ask(ctx, k.spec, k.ranges[0].Params)
		if err != nil {
			return err
		}
		k.labels = sortedKeys(answer.Values)
	}
	if len(k.labels) == 0 {
		return engine.InvalidInput("name the KPIs in the spec's values or map", "the oracle has no KPI: nothing would be compared")
	}
	for _, label := range sortedKeys(k.in.Selectors) {
		if !slices.Contains(k.labels, label) {
			return engine.InvalidInput("the oracle has: "+strings.Join(k.labels, ", "), "selectors: %q is no KPI of the oracle%s", label, nearest.Hint(label, k.labels))
		}
		if err := browser.CheckSelector(k.in.Selectors[label]); err != nil {
			return err
		}
	}
	return nil
}

// chooseTolerance: what comes with the oracle is not for a caller to loosen.
func (k *kpiCheck) chooseTolerance() error {
	k.tolerance = k.c.tolerance()
	if k.in.Tolerance == nil {
		return nil
	}
	if k.in.Spec == nil || k.c.task().Tolerance != nil {
		return engine.InvalidInput("set tolerance in the task, or in [env.NAME.tolerance]", "tolerance: it comes from where the expected values come from")
	}
	if err := (qa.TaskSpec{Goal: "-", Tolerance: k.in.Tolerance}).Validate(); err != nil {
		return engine.InvalidInput("", "tolerance: %v", err)
	}
	k.tolerance = k.in.Tolerance
	return nil
}

// tolerance is what the task admits, or else the configuration.
func (c *call) tolerance() *qa.Tolerances {
	return cmp.Or(c.task().Tolerance, c.desk.Target.Tolerance)
}

func newRange(r qa.Range) *kpiRange {
	return &kpiRange{Range: r, tracks: map[string]*kpiTrack{}, carried: map[string]string{}, shots: map[string]string{}}
}

// chooseRanges takes the caller's ranges, the task's, or the page as it is. A
// range of the task keeps the parameters that the task gives it.
func (k *kpiCheck) chooseRanges() error {
	task := k.c.task()
	chosen := k.in.Ranges
	if len(chosen) == 0 {
		chosen = task.Ranges
	}
	if len(chosen) == 0 {
		chosen = []qa.Range{{}}
	}
	named := map[string]bool{}
	for i, r := range chosen {
		if named[r.Name] {
			return engine.InvalidInput("give each range a name of its own", "ranges[%d].name is %q, as another range's", i, r.Name)
		}
		named[r.Name] = true
		at := slices.IndexFunc(task.Ranges, func(own qa.Range) bool { return own.Name == r.Name })
		if at >= 0 {
			own := task.Ranges[at]
			if len(r.Params) > 0 && !maps.Equal(r.Params, own.Params) {
				return engine.InvalidInput("leave params out, or give the range another name", "ranges[%d].params differ from those that the task has for %q", i, r.Name)
			}
			r.Params = own.Params
			if len(r.Steps) == 0 {
				r.Steps = own.Steps
			}
		}
		if len(r.Params) > 0 && k.spec.Type == qa.StaticValues {
			return engine.InvalidInput("leave params out, or use an apiEndpoint, which is asked anew for each range", "ranges[%d].params: static values are the same for every range", i)
		}
		if len(r.Steps) > 0 {
			if problems := (flow.Flow{Steps: r.Steps}).Validate(FlowRules()); len(problems) > 0 {
				return badFlow(problems)
			}
		}
		k.c.about.Subject = oneSpace(k.c.about.Subject, r.Name)
		k.ranges = append(k.ranges, newRange(r))
	}
	return nil
}

// logged is the input as the log may show it.
func (k *kpiCheck) logged() json.RawMessage {
	in := k.in
	in.Ranges = slices.Clone(in.Ranges)
	for i, r := range in.Ranges {
		in.Ranges[i].Steps = loggedSteps(r.Steps, func(n int) bool { return k.plain[r.Steps[n].Selector] })
	}
	return mustJSON(in)
}

// visitAll brings the page to each range and looks. What could not be looked at
// is noted with its range; the error says that nothing could.
func (k *kpiCheck) visitAll(ctx context.Context) error {
	for i, r := range k.ranges {
		k.c.progress(fmt.Sprintf("KPIs %d/%d %s", i+1, len(k.ranges), r.Name))
		r.err = k.visit(ctx, r)
		k.visited++
		if r.err == nil {
			continue
		}
		var wrong *engine.Error
		if errors.As(r.err, &wrong) && wrong.Code == string(browser.InvalidInput) || ctx.Err() != nil || len(k.ranges) == 1 {
			return r.err
		}
	}
	if !slices.ContainsFunc(k.ranges, func(r *kpiRange) bool { return r.err == nil }) {
		return k.ranges[0].err
	}
	return nil
}

func (k *kpiCheck) visit(ctx context.Context, r *kpiRange) error {
	r.since = k.session.DocumentSince()
	if len(r.Steps) > 0 {
		r.since = k.c.desk.Now().Add(-time.Nanosecond)
		if err := k.steps(ctx, r); err != nil || r.broken {
			return err
		}
	}
	if err := k.settle(ctx, r); err != nil {
		return err
	}
	if lapsed, err := k.c.signInExpired(ctx, k.session); lapsed != nil || err != nil {
		return cmp.Or[error](err, lapsed)
	}
	if err := k.confirmSeen(ctx, r); err != nil {
		return err
	}
	r.refused = k.refusedIn(r)
	k.carry(ctx, r)
	return k.picture(ctx, r)
}

// steps brings the page to a range. A step that the page makes impossible is a
// failed check.
func (k *kpiCheck) steps(ctx context.Context, r *kpiRange) error {
	state, err := k.session.State(ctx)
	if err != nil {
		return err
	}
	base := k.c.desk.Target.BaseURL // its path belongs to every address of a step
	resolved, problems := flow.Flow{Steps: r.Steps}.Below(base).Resolve(cmp.Or(base, state.URL))
	if len(problems) > 0 {
		return badFlow(problems)
	}
	losses, _ := k.session.Losses()
	page := &flowPage{run: &flowRun{c: k.c, plain: k.plain, session: k.session}, session: k.session, losses: losses}
	for i, s := range resolved.Steps {
		outcome, err := k.step(ctx, page, s)
		var fault *flow.Fault
		if errors.As(err, &fault) && fault.OfPage {
			outcome = qa.Outcome{Expected: "done", Observed: fault.Message}
		} else if err != nil {
			return err
		}
		if outcome.Passed {
			continue
		}
		r.broken = true
		name := fmt.Sprintf("range %s, step %d: %s %s", r.Name, i+1, s.Action, cmp.Or(s.Selector, s.URL))
		return k.stepFailed(ctx, r, s, name, outcome)
	}
	return nil
}

// step does one step, and says what came of it.
func (k *kpiCheck) step(ctx context.Context, page *flowPage, s qa.FlowStep) (qa.Outcome, error) {
	done := qa.Outcome{Passed: true}
	timeout := time.Duration(s.TimeoutMS) * time.Millisecond
	switch {
	case s.Action == "assert":
		return page.Check(ctx, *s.Assertion, s.Selector, cmp.Or(timeout, defaultAssertTimeout))
	case s.Action == "visual":
		outcome, _, err := page.Visual(ctx, s, timeout)
		if fault := (*flow.Fault)(nil); errors.As(err, &fault) && fault.GoesOn {
			k.c.say("not compared: %s", fault.Message)
			return done, nil // the run can't pass, and the figures can be read all the same
		}
		return outcome, err
	case s.Action == "screenshot":
		return done, k.c.shoot(ctx, cmp.Or(s.Name, "range"), browser.ShotOptions{Selector: s.Selector})
	case s.Action == "wait" && s.Selector == "":
		ms, err := strconv.Atoi(strings.TrimSpace(s.Value))
		if err != nil {
			return done, engine.InvalidInput("give milliseconds", "wait: value %q is no number", s.Value)
		}
		return done, deskClock{k.c.desk}.Sleep(ctx, time.Duration(ms)*time.Millisecond)
	default:
		k.c.screenshotBefore(ctx, k.session, s.Action)
		return done, page.Do(ctx, s, timeout)
	}
}

func (k *kpiCheck) stepFailed(ctx context.Context, r *kpiRange, s qa.FlowStep, name string, o qa.Outcome) error {
	if err := k.c.shoot(ctx, "range-"+r.Name+"-failed", browser.ShotOptions{}); err != nil {
		k.c.say("no screenshot: %s", engine.AsError(k.c.spec.name, err).Message)
	}
	check := qa.Check{Step: k.c.step, Kind: s.Action, Subject: name, Selector: s.Selector, Expected: o.Expected, Observed: o.Observed, Source: qa.SourceTool}
	if k.c.shot != nil {
		check.Evidence = []string{k.c.shot.Name}
	}
	filed, err := k.c.run.AddCheck(check)
	if err != nil {
		return err
	}
	k.out.CheckIDs = append(k.out.CheckIDs, filed.ID)
	k.failed++
	k.problems = append(k.problems, name+": "+o.Observed)
	return nil
}
