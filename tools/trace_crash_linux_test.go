package tools_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

// TestFinishAfterACrash: a run whose browser died just before it is finished has
// its report, its verdict by the checks, the trace until then, and a note that
// its end may be missing (A2, A8).
func TestFinishAfterACrash(t *testing.T) {
	t.Parallel()
	d := online(t)
	temp := t.TempDir()
	d.Pool = newPool(func(o *browser.Options) { o.TempDir = temp })
	t.Cleanup(func() { d.Pool.Close(3 * time.Second) })
	web := site(t, map[string]string{"/": goodPage})
	finish := d.traced(`{"goal": "g"}`)
	d.ok("page_navigate", `{"url": %q}`, web)
	d.ok("verify_element_exists", `{"selector": "css=h1"}`)
	s, err := d.Pool.Session("")
	if err != nil {
		t.Fatal(err)
	}
	killBrowser(t, temp)
	eventually(t, 5*time.Second, "the session is rebuilt", func() string {
		if _, err := s.State(context.Background()); err != nil {
			return err.Error()
		}
		return ""
	})
	report := finish()
	if report.Status != qa.Passed {
		t.Errorf("%s (%s)", report.Status, report.StatusReason)
	}
	if traces := tracesOf(report); len(traces) != 2 {
		t.Errorf("traces %v, want that until the crash and that after it", traces)
	}
	told := false
	for _, f := range report.Findings {
		told = told || strings.Contains(string(f.Observed), "the browser died while it was traced")
	}
	if !told {
		t.Errorf("nothing tells that the end of a trace may be missing: %+v", report.Findings)
	}
}
