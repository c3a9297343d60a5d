package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
)

// A CI system tells a test's history by its name: two runs of one task, on another port, in
// another order of calls and with another outcome, name the same checks alike, and no two
// cases of a run have one name (B4, A10).
func TestNamesHoldFromRunToRun(t *testing.T) {
	t.Parallel()
	names := func(id, port string, failed bool) []string {
		loads := qa.Check{ID: id + "1", Kind: "verify_page_loads", Subject: "http://127.0.0.1:" + port + "/cart?x=1", Expected: "http://127.0.0.1:" + port + "/cart?x=1 loads", Passed: true, Source: qa.SourceTool}
		seen := qa.Check{ID: id + "2", Kind: "visible", Selector: `button "Pay"`, Subject: `button "Pay"`, Expected: "visible", Passed: !failed, Observed: "0 elements", Source: qa.SourceTool, Held: failed}
		again := seen
		again.ID, again.Not = id+"3", true
		text := qa.Check{ID: id + "4", Kind: "text_contains", Expected: "Total", Passed: true, Source: qa.SourceTool, Void: voided(failed)}
		r := qa.QAReport{RunID: "run-" + id, Task: qa.TaskSpec{Goal: "pay"}, Status: qa.Passed, Checks: []qa.Check{loads, seen, again, seen, text}, StartedAt: time.Unix(0, 0)}
		if failed {
			r.Status = qa.Failed
		}
		var out []string
		seenNames := map[string]bool{}
		for _, c := range parseXML(t, []byte(render(t, report.RichJUnit, r))).all("testcase") {
			name := c.attrs["classname"] + " " + c.attrs["name"]
			if seenNames[name] {
				t.Errorf("two cases are called %s", name)
			}
			seenNames[name] = true
			out = append(out, name)
		}
		return out
	}
	first, second := names("C", "8080", false), names("D", "39411", true)
	if got, want := strings.Join(second, "\n"), strings.Join(first, "\n"); got != want {
		t.Errorf("the same task has other names:\n%s\nwant\n%s", got, want)
	}
	if len(first) != 5 || !strings.HasSuffix(first[0], "http://127.0.0.1/cart?x=1") || !strings.HasSuffix(first[3], `visible button "Pay" (2)`) || !strings.HasSuffix(first[4], `text_contains "Total"`) {
		t.Errorf("the names are\n%s", strings.Join(first, "\n"))
	}
}

func voided(void bool) []string {
	if void {
		return []string{"of the caller's making"}
	}
	return nil
}
