package tools_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/tools/resources"
)

// A4: the newest reports are offered beside the list of all runs, at most ten, and a run
// without a report is none of them.
func TestLatestReportsAreListed(t *testing.T) {
	t.Parallel()
	d := offline(t)
	for range 11 {
		d.ok("run_start", `{"goal": "the cart adds up"}`)
		d.ok("run_finish", `{}`)
	}
	d.ok("run_start", `{"goal": "open"}`)
	latest := resources.Latest(d.Workspace)
	if len(latest) != 10 {
		t.Fatalf("%d reports, want 10", len(latest))
	}
	for _, r := range latest {
		if !strings.HasPrefix(r.URI, "assay://runs/") || !strings.HasSuffix(r.URI, "/report.md") || r.Description != "inconclusive: the cart adds up" {
			t.Errorf("%+v", r)
		}
		if data, _, err := resources.All(d.Workspace)[1].Read(t.Context(), r.URI); err != nil || !strings.Contains(string(data), "the cart adds up") {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
}
