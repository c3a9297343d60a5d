package flows

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/kpicheck"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/tool"
)

// kpisHold names what check_kpis as a whole expects. It holds no figure: only
// the checks of the KPIs prove those.
const kpisHold = "every KPI shows its expected value"

// Ask holds what a caller asks of a comparison of figures.
type Ask struct {
	SessionID string
	Spec      *qa.KPISpec       // nil: the task's, or the environment's
	Ranges    []qa.Range        // none: the task's
	Tolerance *qa.Tolerances    // nil: the task's, or the environment's
	Selectors map[string]string // of figures whose labels do not lead to them
	Timeout   time.Duration
	Expects   []string
}

// Comparison adapts a call to what a comparison of figures needs.
type Comparison struct {
	Call    *tool.Call
	Ask     Ask
	Session *browser.Session
	Plain   map[string]bool // fields that steps have filled; true: they hold no password
	steps   []string        // ids of the checks of steps that failed
}

// Options finds session, oracle, ranges and tolerance.
func (k *Comparison) Options(ctx context.Context) (kpicheck.Options, error) {
	c := k.Call
	if c.RunErr != nil {
		return kpicheck.Options{}, c.RunErr
	}
	c.About = qa.Check{Kind: c.Spec.Name, Expected: kpisHold, Expects: k.Ask.Expects}
	expected, err := OracleSpec(c, k.Ask.Spec)
	if err != nil {
		return kpicheck.Options{}, err
	}
	if c.Task().KPISpec != nil {
		k.Ask.Spec = nil // a copy of the task's, so nothing that the caller chose
	}
	tolerance, err := k.tolerance()
	if err != nil {
		return kpicheck.Options{}, err
	}
	ranges, err := k.ranges(expected)
	if err != nil {
		return kpicheck.Options{}, err
	}
	if k.Session, err = c.SessionFor(ctx, k.Ask.SessionID); err != nil {
		return kpicheck.Options{}, err
	}
	o := KPIOptions(c, k.Session)
	o.Spec, o.Ranges, o.Tolerance, o.Selectors, o.Expects = expected, ranges, tolerance, k.Ask.Selectors, k.Ask.Expects
	o.Timeout, o.OwnSpec, o.OwnTolerance = k.Ask.Timeout, k.Ask.Spec, k.Ask.Tolerance != nil
	return o, nil
}

// KPIOptions returns what every comparison of figures in this call is given.
func KPIOptions(c *tool.Call, s *browser.Session) kpicheck.Options {
	return kpicheck.Options{Session: s, Oracle: OracleSite(c, s), About: c.About, Locale: c.Workspace.ReportEnvironment().Locale,
		NumberLocale: c.NumberLocale(), MaxPixels: c.Workspace.MaxPixels, Tool: c.Spec.Name}
}

// tolerance returns the caller's, where it may give one: what comes with the
// oracle is not for a caller to loosen.
func (k *Comparison) tolerance() (*qa.Tolerances, error) {
	if k.Ask.Tolerance == nil {
		return Tolerance(k.Call), nil
	}
	if k.Ask.Spec == nil || k.Call.Task().Tolerance != nil {
		return nil, engine.InvalidInput("set tolerance in the task, or in [env.NAME.tolerance]", "tolerance: it comes from where the expected values come from")
	}
	if err := (qa.TaskSpec{Goal: "-", Tolerance: k.Ask.Tolerance}).Validate(); err != nil {
		return nil, engine.InvalidInput("", "tolerance: %v", err)
	}
	return k.Ask.Tolerance, nil
}

// Tolerance returns what the task admits, or else the configuration.
func Tolerance(c *tool.Call) *qa.Tolerances {
	return cmp.Or(c.Task().Tolerance, c.Workspace.Target.Tolerance)
}

// ranges returns the caller's ranges, the task's, or the page as it is. A
// range of the task keeps the parameters that the task gives it.
func (k *Comparison) ranges(expected qa.KPISpec) ([]qa.Range, error) {
	var out []qa.Range
	task := k.Call.Task()
	chosen := k.Ask.Ranges
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
			if problems := (flow.Flow{Steps: r.Steps}).Validate(rules.Flows()); len(problems) > 0 {
				return nil, BadFlow(problems)
			}
		}
		k.Call.About.Subject = engine.OneSpace(k.Call.About.Subject, r.Name)
		out = append(out, r)
	}
	return out, nil
}

// File files what was found, and the check as a whole. It returns the ids of the
// checks.
func (k *Comparison) File(r kpicheck.Result) ([]string, error) {
	ids, err := k.Call.FileRecords(r.Records)
	ids = append(slices.Clone(k.steps), ids...)
	if err != nil || r.Unsure > 0 {
		return ids, err
	}
	whole := k.Call.About
	whole.Step, whole.Source, whole.Passed, whole.Observed = k.Call.Step, qa.SourceTool, r.Failed == 0, pagetext.Text(r.Observed)
	if !whole.Passed {
		whole.Finding = k.Call.PartFinding()
	}
	_, err = k.Call.AddCheck(whole)
	return ids, err
}

// RangeNamed returns a range of the task. What is no range of it is an error that
// names the nearest.
func RangeNamed(task qa.TaskSpec, name string) (qa.Range, error) {
	var names []string
	for _, r := range task.Ranges {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	return qa.Range{}, engine.InvalidInput("ranges of this task: "+strings.Join(names, ", "), "range %q is unknown%s", name, text.Hint(name, names))
}

// OracleSpec returns the oracle of this call.
func OracleSpec(c *tool.Call, given *qa.KPISpec) (qa.KPISpec, error) {
	return kpicheck.ChooseOracle(c.Task().KPISpec, given, c.Workspace.Target.KPI, !c.InOwn)
}

// OracleSite returns the session and the settings with which this call's
// oracle reads its endpoint.
func OracleSite(c *tool.Call, s *browser.Session) kpicheck.OracleSite {
	return kpicheck.OracleSite{Session: s, Address: c.Workspace.Address, Now: c.Workspace.Now}
}
