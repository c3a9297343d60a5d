package qa

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
)

// Labels returns the KPIs that the spec names, sorted: what it gives values or a
// place in the answer for. An endpoint without a map has those that other
// fields name, and may answer more.
func (k KPISpec) Labels() []string {
	named := map[string]bool{}
	switch {
	case k.Type == StaticValues:
		add(named, k.Values)
	case len(k.Map) > 0:
		add(named, k.Map)
	default:
		add(named, k.Units)
		add(named, k.Selectors)
	}
	return slices.Sorted(maps.Keys(named))
}

func add[V any](to map[string]bool, from map[string]V) {
	for key := range from {
		to[key] = true
	}
}

// Validate reports what the oracle lacks, what it would ignore, and KPIs that
// are named in one place and not in the other.
func (k KPISpec) Validate() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	switch k.Type {
	case StaticValues:
		if len(k.Values) == 0 {
			refuse("values is empty: staticValues needs {KPI: expected value}")
		}
		for field, given := range map[string]bool{"url": k.URL != "", "params": len(k.Params) > 0, "map": len(k.Map) > 0, "timeoutMs": k.TimeoutMS != 0} {
			if given {
				refuse("%s belongs to an apiEndpoint: leave it out of staticValues", field)
			}
		}
	case APIEndpoint:
		if strings.TrimSpace(k.URL) == "" {
			refuse("url is empty: apiEndpoint needs the address that answers the KPIs")
		}
		if len(k.Values) > 0 {
			refuse("values belongs to staticValues: an apiEndpoint answers them")
		}
	default:
		refuse("type is %q: use staticValues or apiEndpoint", k.Type)
	}
	if k.TimeoutMS < 0 || k.TimeoutMS > maxOracleMS {
		refuse("timeoutMs is %d: use 1 to %d", k.TimeoutMS, maxOracleMS)
	}
	for field, named := range map[string]map[string]string{"values": k.Values, "map": k.Map, "units": k.Units, "selectors": k.Selectors} {
		for label := range named {
			if strings.TrimSpace(label) == "" {
				refuse("%s has an entry without a KPI", field)
			}
		}
	}
	for _, label := range slices.Sorted(maps.Keys(k.Values)) {
		if strings.TrimSpace(k.Values[label]) == "" {
			refuse("values[%q] is empty", label)
		}
	}
	for i, sum := range k.Sums {
		if strings.TrimSpace(sum.KPI) == "" || strings.TrimSpace(sum.Selector) == "" {
			refuse("sums[%d] needs kpi and selector", i)
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// maxOracleMS bounds the time-out of an endpoint.
const maxOracleMS = 600_000

// UncomparedKPIs returns the KPIs that a task demands, by its own oracle and
// for each of its ranges, and that were not compared: one interruption a
// range. A value that did not settle, or reads as two numbers, was not
// compared either.
func UncomparedKPIs(task TaskSpec, table []KPIRow) []Interruption {
	if task.KPISpec == nil {
		return nil
	}
	names := []string{""}
	if len(task.Ranges) > 0 {
		names = nil
		for _, r := range task.Ranges {
			names = append(names, r.Name)
		}
	}
	var out []Interruption
	for _, name := range names {
		compared := map[string]bool{}
		for _, row := range table {
			if (name == "" || row.Range == name) && slices.Contains([]KPIStatus{KPIOk, KPIMismatch, KPIMissing}, row.Status) {
				compared[row.Label] = true
			}
		}
		missing := slices.DeleteFunc(task.KPISpec.Labels(), func(label string) bool { return compared[label] })
		subject := strings.TrimSpace("check_kpis " + name)
		switch {
		case len(missing) > 0:
			out = append(out, Interruption{Kind: NotExecuted, Subject: subject, Detail: pagetext.Text("not compared: " + strings.Join(missing, ", "))})
		case len(compared) == 0:
			out = append(out, Interruption{Kind: NotExecuted, Subject: subject, Detail: "no KPI was compared"})
		}
	}
	return out
}

// validateKPIs reports what is wrong with the task's oracle and its ranges.
func (t TaskSpec) validateKPIs() []error {
	var errs []error
	if t.KPISpec != nil {
		for _, err := range splitErrors(t.KPISpec.Validate()) {
			errs = append(errs, fmt.Errorf("kpiSpec.%w", err))
		}
	}
	seen := map[string]bool{}
	for i, r := range t.Ranges {
		switch {
		case strings.TrimSpace(r.Name) == "":
			errs = append(errs, fmt.Errorf("ranges[%d].name is empty: give the name that the report shows, such as 7d", i))
		case seen[r.Name]:
			errs = append(errs, fmt.Errorf("ranges[%d].name is %q, as another range's: names must differ", i, r.Name))
		}
		seen[r.Name] = true
		if len(r.Params) > 0 && t.KPISpec != nil && t.KPISpec.Type == StaticValues {
			errs = append(errs, fmt.Errorf("ranges[%d].params are for an apiEndpoint: staticValues are the same for every range", i))
		}
	}
	return errs
}

func splitErrors(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err != nil {
		return []error{err}
	}
	return nil
}
