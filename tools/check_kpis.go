package tools

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/kpicheck"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type checkKPIsInput struct {
	tool.OnSession
	Spec      *qa.KPISpec       `json:"spec,omitempty" jsonschema:"lists of name=value"`
	Ranges    []qa.Range        `json:"ranges,omitempty" jsonschema:"default: the task's; params: name=value"`
	Tolerance *qa.Tolerances    `json:"tolerance,omitempty" jsonschema:"perKpi: KPI=1% or KPI=0.5"`
	Selectors map[string]string `json:"selectors,omitempty" jsonschema:"list of KPI=selector, where the label does not lead to the value"`
	tool.TimeLimit
	tool.Binds
}

type checkKPIsOutput struct {
	Passed   bool           `json:"passed"`
	KPITable []qa.KPIRow    `json:"kpiTable"`
	Sums     []kpicheck.Sum `json:"sums"`
	CheckIDs []string       `json:"check_ids"`
	Reason   pagetext.Text  `json:"reason"`
}

func checkKPIs(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "check_kpis", Set: tool.Core, Verifies: true, Destructive: true, Publish: true, Loose: []string{"spec", "ranges", "tolerance", "selectors"}, Secrets: []string{"ranges*"},
		Unlisted:    slices.Concat(rareOfOracle("spec"), []string{"ranges.steps"}),
		Description: "Compare the KPIs on the page with the oracle's, for each range; waits up to 5 s a range until they settle.",
	}, func(ctx context.Context, c *tool.Call, in checkKPIsInput) (checkKPIsOutput, error) {
		k := &flows.Comparison{Call: c, Ask: flows.Ask{SessionID: in.SessionID, Spec: in.Spec, Ranges: in.Ranges, Tolerance: in.Tolerance,
			Selectors: in.Selectors, Timeout: in.TimeoutMS.Duration(), Expects: in.Expects}, Plain: map[string]bool{}}
		c.Hidden = []string{"ranges"} // a fill may hold a password
		defer func() { c.Hidden, c.Input = nil, loggedKPIs(k, in) }()
		o, err := k.Options(ctx)
		if err != nil {
			return checkKPIsOutput{}, err
		}
		result, err := kpicheck.Run(ctx, k, o)
		if err != nil {
			return checkKPIsOutput{}, err
		}
		out := checkKPIsOutput{KPITable: result.Rows, Sums: result.Sums}
		if out.CheckIDs, err = k.File(result); err != nil {
			return out, err
		}
		answer(k, &out, result)
		return out, nil
	})
}

// loggedKPIs returns the input as the log may show it.
func loggedKPIs(k *flows.Comparison, in checkKPIsInput) json.RawMessage {
	in.Ranges = slices.Clone(in.Ranges)
	for i, r := range in.Ranges {
		in.Ranges[i].Steps = flows.LoggedSteps(r.Steps, func(n int) bool { return k.Plain[r.Steps[n].Selector] })
	}
	return engine.JSON(in)
}

// answer says what came of it: what is wrong first.
func answer(k *flows.Comparison, out *checkKPIsOutput, r kpicheck.Result) {
	c, ok := k.Call, 0
	for _, row := range out.KPITable {
		if row.Status == qa.KPIOk {
			ok++
		}
	}
	status := qa.StatusOf(r.Failed > 0, r.Unsure > 0)
	out.Passed = status == qa.Passed
	out.Reason = pagetext.Sprintf("%d of %d KPI values hold", ok, len(out.KPITable))
	if len(r.Problems) > 0 {
		out.Reason += "; " + r.Problems[0]
		if more := len(r.Problems) - 1; more > 0 {
			out.Reason += pagetext.Sprintf("; and %d more", more)
		}
	}
	c.Say("%s: %d of %d KPI values hold", status.Shouted(), ok, len(out.KPITable))
	for _, line := range r.Problems[:min(20, len(r.Problems))] {
		c.Quote("%s", engine.OneLine(line))
	}
	for _, hint := range r.Hints {
		c.Say("next: %s", hint)
	}
}
