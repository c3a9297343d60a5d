package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/kpicheck"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

type checkKPIsInput struct {
	onSession
	Spec      *qa.KPISpec       `json:"spec,omitempty" jsonschema:"{type: staticValues, values: {KPI: value}}; the task's own can't be replaced"`
	Ranges    []qa.Range        `json:"ranges,omitempty" jsonschema:"[{name, params: {…}, steps: [FlowStep]}]; default: the task's"`
	Tolerance *qa.Tolerances    `json:"tolerance,omitempty" jsonschema:"{absolute, percent, perKpi}; the task's own can't be replaced"`
	Selectors map[string]string `json:"selectors,omitempty" jsonschema:"{KPI: selector} where the label does not lead to the value"`
	timeLimit
	binds
}

type checkKPIsOutput struct {
	Passed   bool           `json:"passed"`
	KPITable []qa.KPIRow    `json:"kpiTable"`
	Sums     []kpicheck.Sum `json:"sums"`
	CheckIDs []string       `json:"check_ids"`
	Reason   string         `json:"reason"`
}

// kpisHold is what check_kpis as a whole expects. It holds no figure: only the
// checks of the KPIs prove those.
const kpisHold = "every KPI shows its expected value"

func (d *Desk) checkKPIs() Tool {
	return define(d, spec{
		name: "check_kpis", set: Core, verifies: true, destructive: true, publish: true, loose: []string{"spec", "ranges", "tolerance", "selectors"}, secrets: []string{"ranges*"},
		fields:      []string{"passed", "kpiTable", "reason"},
		description: "Compare the KPIs on the page with the oracle's, for each range; waits up to 5 s a range until they settle.",
	}, func(ctx context.Context, c *call, in checkKPIsInput) (checkKPIsOutput, error) {
		k := &kpiCall{c: c, ask: kpiAsk{SessionID: in.SessionID, Spec: in.Spec, Ranges: in.Ranges, Tolerance: in.Tolerance,
			Selectors: in.Selectors, Timeout: in.TimeoutMS.duration(), Expects: in.Expects}, plain: map[string]bool{}}
		c.hidden = []string{"ranges"} // a fill may hold a password
		defer func() { c.hidden, c.input = nil, loggedKPIs(k, in) }()
		o, err := k.options(ctx)
		if err != nil {
			return checkKPIsOutput{}, err
		}
		result, err := kpicheck.Run(ctx, k, o)
		if err != nil {
			return checkKPIsOutput{}, err
		}
		out := checkKPIsOutput{KPITable: result.Rows, Sums: result.Sums}
		if out.CheckIDs, err = k.file(result); err != nil {
			return out, err
		}
		k.answer(&out, result)
		return out, nil
	})
}

// kpiAsk holds what a caller asks of a comparison of figures.
type kpiAsk struct {
	SessionID string
	Spec      *qa.KPISpec       // nil: the task's, or the environment's
	Ranges    []qa.Range        // none: the task's
	Tolerance *qa.Tolerances    // nil: the task's, or the environment's
	Selectors map[string]string // of figures whose labels do not lead to them
	Timeout   time.Duration
	Expects   []string
}

// kpiCall adapts a call to what a comparison of figures needs.
type kpiCall struct {
	c       *call
	ask     kpiAsk
	session *browser.Session
	plain   map[string]bool // fields that steps have filled; true: they hold no password
	steps   []string        // ids of the checks of steps that failed
}

// options finds session, oracle, ranges and tolerance.
func (k *kpiCall) options(ctx context.Context) (kpicheck.Options, error) {
	c := k.c
	if c.runErr != nil {
		return kpicheck.Options{}, c.runErr
	}
	c.about = qa.Check{Kind: c.spec.name, Expected: kpisHold, Expects: k.ask.Expects}
	expected, err := c.oracleSpec(k.ask.Spec)
	if err != nil {
		return kpicheck.Options{}, err
	}
	tolerance, err := k.tolerance()
	if err != nil {
		return kpicheck.Options{}, err
	}
	ranges, err := k.ranges(expected)
	if err != nil {
		return kpicheck.Options{}, err
	}
	if k.session, err = c.sessionFor(ctx, k.ask.SessionID); err != nil {
		return kpicheck.Options{}, err
	}
	o := c.kpiOptions(k.session)
	o.Spec, o.Ranges, o.Tolerance, o.Selectors, o.Expects = expected, ranges, tolerance, k.ask.Selectors, k.ask.Expects
	o.Timeout, o.OwnSpec, o.OwnTolerance = k.ask.Timeout, k.ask.Spec, k.ask.Tolerance != nil
	return o, nil
}

// kpiOptions returns what every comparison of figures in this call is given.
func (c *call) kpiOptions(s *browser.Session) kpicheck.Options {
	return kpicheck.Options{Session: s, Oracle: c.oracleSite(s), About: c.about, Locale: c.desk.environment().Locale, MaxPixels: c.desk.MaxPixels, Tool: c.spec.name}
}

// tolerance returns the caller's, where it may give one: what comes with the
// oracle is not for a caller to loosen.
func (k *kpiCall) tolerance() (*qa.Tolerances, error) {
	if k.ask.Tolerance == nil {
		return k.c.tolerance(), nil
	}
	if k.ask.Spec == nil || k.c.task().Tolerance != nil {
		return nil, engine.InvalidInput("set tolerance in the task, or in [env.NAME.tolerance]", "tolerance: it comes from where the expected values come from")
	}
	if err := (qa.TaskSpec{Goal: "-", Tolerance: k.ask.Tolerance}).Validate(); err != nil {
		return nil, engine.InvalidInput("", "tolerance: %v", err)
	}
	return k.ask.Tolerance, nil
}

// tolerance returns what the task admits, or else the configuration.
func (c *call) tolerance() *qa.Tolerances {
	return cmp.Or(c.task().Tolerance, c.desk.Target.Tolerance)
}

// ranges returns the caller's ranges, the task's, or the page as it is. A
// range of the task keeps the parameters that the task gives it.
func (k *kpiCall) ranges(expected qa.KPISpec) ([]qa.Range, error) {
	var out []qa.Range
	task := k.c.task()
	chosen := k.ask.Ranges
	if len(chosen) == 0 {
		chosen = task.Ranges
	}
	if len(chosen) == 0 {
		chosen = []qa.Range{{}}
	}
	named := map[string]bool{}
	for i, r := range chosen {
		if named[r.Name] {
			return nil, engine.InvalidInput("give each range a name of its own", "ranges[%d].name is %q, as another range's", i, r.Name)
		}
		named[r.Name] = true
		at := slices.IndexFunc(task.Ranges, func(own qa.Range) bool { return own.Name == r.Name })
		if at >= 0 {
			own := task.Ranges[at]
			if len(r.Params) > 0 && !maps.Equal(r.Params, own.Params) {
				return nil, engine.InvalidInput("leave params out, or give the range another name", "ranges[%d].params differ from those that the task has for %q", i, r.Name)
			}
			r.Params = own.Params
			if len(r.Steps) == 0 {
				r.Steps = own.Steps
			}
		}
		if len(r.Params) > 0 && expected.Type == qa.StaticValues {
			return nil, engine.InvalidInput("leave params out, or use an apiEndpoint, which is asked anew for each range", "ranges[%d].params: static values are the same for every range", i)
		}
		if len(r.Steps) > 0 {
			if problems := (flow.Flow{Steps: r.Steps}).Validate(FlowRules()); len(problems) > 0 {
				return nil, badFlow(problems)
			}
		}
		k.c.about.Subject = engine.OneSpace(k.c.about.Subject, r.Name)
		out = append(out, r)
	}
	return out, nil
}

// loggedKPIs returns the input as the log may show it.
func loggedKPIs(k *kpiCall, in checkKPIsInput) json.RawMessage {
	in.Ranges = slices.Clone(in.Ranges)
	for i, r := range in.Ranges {
		in.Ranges[i].Steps = loggedSteps(r.Steps, func(n int) bool { return k.plain[r.Steps[n].Selector] })
	}
	return engine.JSON(in)
}

// file files what was found, and the check as a whole. It returns the ids of the
// checks.
func (k *kpiCall) file(r kpicheck.Result) ([]string, error) {
	ids, err := k.c.fileRecords(r.Records)
	ids = append(slices.Clone(k.steps), ids...)
	if err != nil || r.Unsure > 0 {
		return ids, err
	}
	whole := k.c.about
	whole.Step, whole.Source, whole.Passed, whole.Observed = k.c.step, qa.SourceTool, r.Failed == 0, r.Observed
	_, err = k.c.run.AddCheck(whole)
	return ids, err
}

// answer says what came of it: what is wrong first.
func (k *kpiCall) answer(out *checkKPIsOutput, r kpicheck.Result) {
	c, ok := k.c, 0
	for _, row := range out.KPITable {
		if row.Status == qa.KPIOk {
			ok++
		}
	}
	word := "PASSED"
	switch {
	case r.Failed > 0:
		word = "FAILED"
	case r.Unsure > 0:
		word = "INCONCLUSIVE"
	}
	out.Passed = r.Failed == 0 && r.Unsure == 0
	out.Reason = fmt.Sprintf("%d of %d KPI values hold", ok, len(out.KPITable))
	if len(r.Problems) > 0 {
		out.Reason += "; " + r.Problems[0]
		if more := len(r.Problems) - 1; more > 0 {
			out.Reason += fmt.Sprintf("; and %d more", more)
		}
	}
	c.say("%s: %d of %d KPI values hold", word, ok, len(out.KPITable))
	for _, line := range r.Problems[:min(20, len(r.Problems))] {
		c.quote("%s", engine.OneLine(line))
	}
	for _, hint := range r.Hints {
		c.say("next: %s", hint)
	}
}
