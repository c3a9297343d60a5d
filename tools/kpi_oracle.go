package tools

import (
	"context"
	"maps"
	"time"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/figures"
	"github.com/assay-qa/assay/tools/reproduce"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type kpiOracleInput struct {
	tool.OnSession
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

func kpiOracle(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "kpi_oracle", Set: tool.Core, Repeat: reproduce.Repeat{Nothing: true}, ReadOnly: true, Idempotent: true, Publish: true, Loose: []string{"spec", "context"},
		Description: "Expected KPI values from the oracle of the task or the environment.",
	}, func(ctx context.Context, c *tool.Call, in kpiOracleInput) (kpiOracleOutput, error) {
		expected, err := figures.OracleSpec(c, in.Spec)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		params, err := oracleParams(c, expected, in.Context)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		if expected.Type == qa.APIEndpoint {
			if _, err := c.SessionFor(ctx, in.SessionID); err != nil {
				return kpiOracleOutput{}, err
			}
		}
		c.Progress("asking the oracle")
		answer, err := figures.OracleSite(c, c.Session).Ask(ctx, expected, params)
		if err != nil {
			return kpiOracleOutput{}, err
		}
		c.Say("%d expected values from %s", len(answer.Values), answer.Source)
		out := kpiOracleOutput{Data: map[string]expectedValue{}, Params: map[string]string{}}
		maps.Copy(out.Params, answer.Params)
		for _, label := range schema.SortedKeys(answer.Values) {
			c.Quote("%s: %s", engine.OneLine(label), engine.OneLine(answer.Values[label]))
			out.Data[label] = expectedValue{answer.Values[label], answer.Source, answer.FetchedAt}
		}
		return out, nil
	})
}

// oracleParams turns what a caller chooses into parameters. Static values are
// of no range, so choosing one would be accepted and do nothing.
func oracleParams(c *tool.Call, spec qa.KPISpec, in oracleContext) (map[string]string, error) {
	task := c.Task()
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
		r, err := figures.RangeNamed(task, in.Range)
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
