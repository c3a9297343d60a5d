package runner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
)

// TestCells: a matrix has a cell for each combination, whose name tells it, and a task in
// it has what the cell says (A18).
func TestCells(t *testing.T) {
	var names []string
	for _, c := range cellsOf(config.Profile{Roles: []string{"admin", "guest"}, Devices: []string{"Pixel 7", "1366x768"}, Locales: []string{"de-DE"}}, "staging") {
		names = append(names, c.String())
	}
	want := []string{"admin, Pixel 7, de-DE, staging", "admin, 1366x768, de-DE, staging", "guest, Pixel 7, de-DE, staging", "guest, 1366x768, de-DE, staging"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	own := &spec.Task{TaskSpec: qa.TaskSpec{Role: "own", Device: "Nexus 5", Locale: "en-US", Timezone: "UTC"}}
	got, err := cell{role: "admin", device: "1366x768", viewport: size("1366x768")}.apply(load.Case{Task: own})
	if err != nil {
		t.Fatal(err)
	}
	after := qa.TaskSpec{Role: "admin", Viewport: &qa.Viewport{Width: 1366, Height: 768}, Locale: "en-US", Timezone: "UTC", Metadata: map[string]string{"cell": "admin, 1366x768"}}
	if diff := cmp.Diff(after, got.Task.TaskSpec); diff != "" || own.Role != "own" || own.Metadata != nil {
		t.Errorf("%s; the file's own: %+v", diff, own)
	}
	if _, err := (cell{role: "admin"}).apply(load.Case{Spec: &load.Spec{SignsIn: true}}); err == nil {
		t.Error("a spec that signs in runs as another role")
	}
}

// TestProfileBudgets: a profile's budgets hold before those of environment and agent, and
// raise a task's own, which they never lower (A18).
func TestProfileBudgets(t *testing.T) {
	task := qa.TaskSpec{Budgets: &qa.Budgets{MaxToolCalls: 10, MaxTimeMS: 9000}}
	got := taskLimits(task, config.Budgets{MaxToolCalls: 50, MaxTimeMS: 5, MaxTokens: 7}, &qa.Budgets{MaxTokens: 3, MaxScreenshots: 4}, config.Agent{MaxTokens: 1, MaxScreenshots: 1}).Budgets
	if diff := cmp.Diff(qa.Budgets{MaxToolCalls: 50, MaxTimeMS: 9000, MaxScreenshots: 4, MaxTokens: 7}, got); diff != "" {
		t.Error(diff)
	}
}
