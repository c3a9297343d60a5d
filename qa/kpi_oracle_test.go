package qa_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
)

// A5, A8: what a task demands of KPIs and nobody compared keeps it from passing,
// range by range. Only what was compared counts, whatever came out of it.
func TestUncompared(t *testing.T) {
	static := func(labels ...string) *qa.KPISpec {
		k := &qa.KPISpec{Type: qa.StaticValues, Values: map[string]string{}}
		for _, label := range labels {
			k.Values[label] = "1"
		}
		return k
	}
	row := func(label, in string, status qa.KPIStatus) qa.KPIRow {
		return qa.KPIRow{Label: label, Range: in, Status: status}
	}
	both := []qa.Range{{Name: "today"}, {Name: "7d"}}
	for _, tt := range []struct {
		name  string
		task  qa.TaskSpec
		table []qa.KPIRow
		want  []string // subject: detail
	}{
		{"a task without KPIs", qa.TaskSpec{}, nil, nil},
		{"nothing compared", qa.TaskSpec{KPISpec: static("A", "B"), Ranges: both}, nil, []string{"check_kpis today: not compared: A, B", "check_kpis 7d: not compared: A, B"}},
		{"one range left out", qa.TaskSpec{KPISpec: static("A"), Ranges: both}, []qa.KPIRow{row("A", "today", qa.KPIOk)}, []string{"check_kpis 7d: not compared: A"}},
		{"one KPI left out", qa.TaskSpec{KPISpec: static("A", "B"), Ranges: both},
			[]qa.KPIRow{row("A", "today", qa.KPIMismatch), row("B", "today", qa.KPIMissing), row("B", "7d", qa.KPIOk)}, []string{"check_kpis 7d: not compared: A"}},
		{"not read is not compared", qa.TaskSpec{KPISpec: static("A", "B"), Ranges: both[:1]},
			[]qa.KPIRow{row("A", "today", qa.KPIAmbiguous), row("B", "today", qa.KPIUnsettled)}, []string{"check_kpis today: not compared: A, B"}},
		{"read again, and compared", qa.TaskSpec{KPISpec: static("A"), Ranges: both[:1]}, []qa.KPIRow{row("A", "today", qa.KPIUnsettled), row("A", "today", qa.KPIOk)}, nil},
		{"no ranges: as the page stands", qa.TaskSpec{KPISpec: static("A", "B")}, []qa.KPIRow{row("A", "", qa.KPIOk), row("B", "current", qa.KPIOk)}, nil},
		{"another KPI does not stand for it", qa.TaskSpec{KPISpec: static("A")}, []qa.KPIRow{row("C", "", qa.KPIOk)}, []string{"check_kpis: not compared: A"}},
		{"an endpoint that names no KPI", qa.TaskSpec{KPISpec: &qa.KPISpec{Type: qa.APIEndpoint, URL: "/k"}, Ranges: both}, []qa.KPIRow{row("A", "7d", qa.KPIOk)}, []string{"check_kpis today: no KPI was compared"}},
		{"an endpoint with a map", qa.TaskSpec{KPISpec: &qa.KPISpec{Type: qa.APIEndpoint, URL: "/k", Map: map[string]string{"A": "/a"}, Units: map[string]string{"B": "USD"}}}, nil, []string{"check_kpis: not compared: A"}},
		{"an endpoint with units alone", qa.TaskSpec{KPISpec: &qa.KPISpec{Type: qa.APIEndpoint, URL: "/k", Units: map[string]string{"B": "USD"}, Selectors: map[string]string{"A": "#a"}}}, nil, []string{"check_kpis: not compared: A, B"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, in := range qa.UncomparedKPIs(tt.task, tt.table) {
				if in.Kind != qa.NotExecuted {
					t.Errorf("kind %s", in.Kind)
				}
				got = append(got, in.Subject+": "+string(in.Detail))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
