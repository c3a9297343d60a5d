package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
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
	Passed   bool        `json:"passed"`
	KPITable []qa.KPIRow `json:"kpiTable"`
	Sums     []kpiSum    `json:"sums"`
	CheckIDs []string    `json:"check_ids"`
	Reason   string      `json:"reason"`
}

// kpiSum is one sum on the page that was added up.
type kpiSum struct {
	Subject  string `json:"subject"`
	Range    string `json:"range,omitempty"`
	Expected string `json:"expected" jsonschema:"what the parts add up to"`
	Observed string `json:"observed" jsonschema:"what the page shows as the total"`
	Passed   bool   `json:"passed"`
	Note     string `json:"note,omitempty"`
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
		k := &kpiCheck{c: c, in: in, out: checkKPIsOutput{KPITable: []qa.KPIRow{}, Sums: []kpiSum{}, CheckIDs: []string{}}}
		c.hidden = []string{"ranges"} // a fill may hold a password
		defer func() { c.hidden, c.input = nil, k.logged() }()
		if err := k.prepare(ctx); err != nil {
			return k.out, err
		}
		if err := k.visitAll(ctx); err != nil {
			return k.out, err
		}
		if err := k.file(); err != nil {
			return k.out, err
		}
		k.answer()
		return k.out, nil
	})
}

// answer says what came of it: what is wrong first.
func (k *kpiCheck) answer() {
	c, ok := k.c, 0
	for _, row := range k.out.KPITable {
		if row.Status == qa.KPIOk {
			ok++
		}
	}
	word := "PASSED"
	switch {
	case k.failed > 0:
		word = "FAILED"
	case k.unsure > 0:
		word = "INCONCLUSIVE"
	}
	k.out.Passed = k.failed == 0 && k.unsure == 0
	k.out.Reason = fmt.Sprintf("%d of %d KPI values hold", ok, len(k.out.KPITable))
	if len(k.problems) > 0 {
		k.out.Reason += "; " + k.problems[0]
		if more := len(k.problems) - 1; more > 0 {
			k.out.Reason += fmt.Sprintf("; and %d more", more)
		}
	}
	c.say("%s: %d of %d KPI values hold", word, ok, len(k.out.KPITable))
	for _, line := range k.problems[:min(20, len(k.problems))] {
		c.quote("%s", engine.OneLine(line))
	}
	for _, hint := range k.hints {
		c.say("next: %s", hint)
	}
}

// subjectOf names a KPI in a range.
func subjectOf(label, rangeName string) string {
	if rangeName == "" {
		return label
	}
	return label + " (" + strings.TrimSpace(rangeName) + ")"
}
