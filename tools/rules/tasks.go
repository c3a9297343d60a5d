package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/kpicheck"
)

// CheckTask reports everything that this build would refuse in a task: what
// [qa.TaskSpec.Validate] does, ranges without an oracle, steps that are none,
// selectors and addresses that are none, and KPIs that the oracle does not have.
func CheckTask(t qa.TaskSpec) error {
	errs := []error{t.Validate()}
	if t.KPISpec == nil && len(t.Ranges) > 0 {
		errs = append(errs, errors.New("ranges without kpiSpec: nothing says which values are expected; add one, or set [env.NAME.kpi] in mcp.toml"))
	}
	for i, r := range t.Ranges {
		if len(r.Steps) == 0 {
			continue // the page shows this range by itself
		}
		for _, p := range (flow.Flow{Steps: r.Steps}).Validate(Flows()) {
			errs = append(errs, fmt.Errorf("ranges[%d] %q: %w", i, r.Name, p))
		}
	}
	for i, v := range t.Visual {
		errs = append(errs, visualProblems(fmt.Sprintf("visual[%d].", i), v)...)
	}
	if k := t.KPISpec; k != nil {
		errs = append(errs, oracleProblems(*k)...)
		if t.Tolerance != nil {
			errs = append(errs, unknownKPIs(*k, "tolerance.perKpi", t.Tolerance.PerKPI)...)
		}
	}
	return errors.Join(errs...)
}

// visualProblems returns the selectors of a picture that are none.
func visualProblems(at string, v qa.VisualCheck) []error {
	var errs []error
	places := v.Places()
	if v.Selector != "" {
		places["selector"] = v.Selector
	}
	for _, field := range slices.Sorted(maps.Keys(places)) {
		place := places[field]
		if strings.TrimSpace(place) == "" || qa.IsBox(place) {
			continue // qa says what is wrong with those
		}
		if err := Flows().Selector(place); err != nil {
			errs = append(errs, fmt.Errorf("%s%s: %w", at, field, err))
		}
	}
	return errs
}

// oracleProblems returns what qa can't see: form of pointers, addresses, selectors,
// and names that only nearly match.
func oracleProblems(k qa.KPISpec) []error {
	errs := append(unknownKPIs(k, "kpiSpec.units", k.Units), unknownKPIs(k, "kpiSpec.selectors", k.Selectors)...)
	if k.URL != "" {
		if err := Flows().URL(k.URL); err != nil {
			errs = append(errs, fmt.Errorf("kpiSpec.url: %w", err))
		}
	}
	for _, label := range slices.Sorted(maps.Keys(k.Map)) {
		if err := kpicheck.CheckPointer(k.Map[label]); err != nil {
			errs = append(errs, fmt.Errorf("kpiSpec.map[%q]: %w", label, err))
		}
	}
	for _, label := range slices.Sorted(maps.Keys(k.Selectors)) {
		if err := Flows().Selector(k.Selectors[label]); err != nil {
			errs = append(errs, fmt.Errorf("kpiSpec.selectors[%q]: %w", label, err))
		}
	}
	for i, sum := range k.Sums {
		errs = append(errs, unknownKPIs(k, fmt.Sprintf("kpiSpec.sums[%d].kpi", i), map[string]bool{sum.KPI: true})...)
		if err := Flows().Selector(sum.Selector); err != nil && sum.Selector != "" {
			errs = append(errs, fmt.Errorf("kpiSpec.sums[%d].selector: %w", i, err))
		}
	}
	return errs
}

// unknownKPIs returns the keys of a field that are no KPI of the oracle. One that
// names none itself may have any.
func unknownKPIs[V any](k qa.KPISpec, field string, named map[string]V) []error {
	known := k.Labels()
	if k.Type == qa.APIEndpoint && len(k.Map) == 0 {
		return nil
	}
	var errs []error
	for _, label := range slices.Sorted(maps.Keys(named)) {
		if label != "" && !slices.Contains(known, label) {
			errs = append(errs, fmt.Errorf("%s: %q is no KPI of kpiSpec%s; it has: %s", field, label, text.Hint(label, known), strings.Join(known, ", ")))
		}
	}
	return errs
}
