package spec_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/spec"
)

// B2, A7: the pictures of a task are read from both forms of a task file.
func TestLoadTaskVisual(t *testing.T) {
	inLines := `goal = "the dashboard looks as approved"
visual = [
  { name = "dashboard" },
  { name = "revenue card", selector = "testid=revenue", threshold = 0 },
  { name = "chart", mask = ["testid=clock"], freeze = 2026-01-31T09:00:00Z, components = { "css=#legend" = 0.1 } },
]`
	inJSON := `{"goal": "the dashboard looks as approved", "visual": [{"name": "dashboard"}, {"name": "revenue card", "selector": "testid=revenue", "threshold": 0},
{"name": "chart", "mask": ["testid=clock"], "freeze": "2026-01-31T09:00:00Z", "components": {"css=#legend": 0.1}}]}`
	inTables := `goal = "the dashboard looks as approved"
[[visual]]
name = "dashboard"
[[visual]]
name = "revenue card"
selector = "testid=revenue"
threshold = 0
[[visual]]
name = "chart"
mask = ["testid=clock"]
freeze = 2026-01-31T09:00:00Z
components = { "css=#legend" = 0.1 }
`
	zero, at := 0.0, time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	want := []qa.VisualCheck{{Name: "dashboard"}, {Name: "revenue card", Selector: "testid=revenue", VisualOptions: qa.VisualOptions{Threshold: &zero}},
		{Name: "chart", VisualOptions: qa.VisualOptions{Mask: []string{"testid=clock"}, Freeze: &at, Components: map[string]float64{"css=#legend": 0.1}}}}
	for name, data := range map[string]string{"lines.task.toml": inLines, "tables.task.toml": inTables, "looks.task.json": inJSON} {
		task, problems := spec.LoadTask(name, []byte(data), "http://shop.test/", rules())
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		if diff := cmp.Diff(want, task.Visual); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
