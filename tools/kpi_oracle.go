package tools

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/oracle"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
)

type kpiOracleInput struct {
	onSession
	Spec    *qa.KPISpec   `json:"spec,omitempty" jsonschema:"{type: staticValues, values: {KPI: value}}; only where the run's task has no kpiSpec"`
	Context oracleContext `json:"context,omitempty" jsonschema:"{range, filters: {name: value}}: which data"`
}

// oracleContext holds all that a caller may choose of an oracle.
type oracleContext struct {
	Range   string            `json:"range,omitempty" jsonschema:"a range of the task, or the value of the parameter range"`
	Role    string            `json:"role,omitempty" jsonschema:"must be the run's own"`
	Filters map[string]string `json:"filters,omitempty" jsonschema:"query parameters of the endpoint"`
}

type expectedValue struct {
	Expected  string    `json:"expected"`
	Source    string    `json:"source"`
	FetchedAt time.Time `json:"fetched_at"`
}

type kpiOracleOutput struct {
	Data   map[string]expectedValue `json:"data"`
	Params map[string]string        `json:"params"`
}

func (d *Desk) kpiOracle() Tool {
	return define(d, spec{
		name: "kpi_oracle", set: Core, repeat: repeat{nothing: true}, readOnly: true, idempotent: true, publish: true, loose: []string{"spec", "context"},
		description: "Expected KPI values from the oracle of the task or the environment.",
	}, func(ctx context.Context, c *call, in kpiOracleInput) (kpiOracleOutput, error) {
		expected, err := c.oracleSpec(in.Spec)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		params, err := c.oracleParams(expected, in.Context)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		if expected.Type == qa.APIEndpoint {
			if _, err := c.sessionFor(ctx, in.SessionID); err != nil {
				return kpiOracleOutput{}, err
			}
		}
		c.progress("asking the oracle")
		answer, err := c.oracleSite(c.session).Ask(ctx, expected, params)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		c.say("%d expected values from %s", len(answer.Values), answer.Source)
		out := kpiOracleOutput{Data: map[string]expectedValue{}, Params: map[string]string{}}
		maps.Copy(out.Params, answer.Params)
		for _, label := range sortedKeys(answer.Values) {
			c.quote("%s: %s", engine.OneLine(label), engine.OneLine(answer.Values[label]))
			out.Data[label] = expectedValue{answer.Values[label], answer.Source, answer.FetchedAt}
		}
		return out, nil
	})
}

// oracleParams turns what a caller chooses into parameters. Static values are
// of no range, so choosing one would be accepted and do nothing.
func (c *call) oracleParams(spec qa.KPISpec, in oracleContext) (map[string]string, error) {
	task := c.task()
	if in.Role != "" && in.Role != task.Role {
		return nil, engine.InvalidInput("leave it out: the oracle is asked with the session's own sign-in", "context.role is %q, and the role of this run is %q", in.Role, task.Role)
	}
	if spec.Type == qa.StaticValues && (in.Range != "" || len(in.Filters) > 0) {
		return nil, engine.InvalidInput("leave context out, or use an apiEndpoint, which is asked anew for each range", "context: static values are the same for every range and filter")
	}
	params := map[string]string{}
	switch {
	case in.Range == "":
	case len(task.Ranges) > 0:
		r, err := rangeNamed(task, in.Range)
		if err != nil {
			return nil, err
		}
		maps.Copy(params, r.Params)
	default:
		params["range"] = in.Range
	}
	maps.Copy(params, in.Filters)
	return params, nil
}

// oracleToText lets a caller write values and parameters of a KPISpec as
// numbers.
func oracleToText(spec map[string]any) {
	if spec["type"] != string(qa.StaticValues) && spec["type"] != string(qa.APIEndpoint) {
		return
	}
	for _, field := range []string{"values", "params"} {
		named, _ := spec[field].(map[string]any)
		for name, v := range named {
			if n, ok := v.(float64); ok {
				named[name] = string(engine.JSON(n))
			}
		}
	}
}

// rangeNamed returns a range of the task. What is no range of it is an error that
// names the nearest.
func rangeNamed(task qa.TaskSpec, name string) (qa.Range, error) {
	var names []string
	for _, r := range task.Ranges {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	return qa.Range{}, engine.InvalidInput("ranges of this task: "+strings.Join(names, ", "), "range %q is unknown%s", name, nearest.Hint(name, names))
}

// oracleSpec returns the oracle of this call.
func (c *call) oracleSpec(given *qa.KPISpec) (qa.KPISpec, error) {
	return oracle.Choose(c.task().KPISpec, given, c.desk.Target.KPI)
}

// oracleSite returns where this call's oracle is asked from.
func (c *call) oracleSite(s *browser.Session) oracle.Site {
	return oracle.Site{Session: s, Address: c.desk.address, Now: c.desk.Now}
}
