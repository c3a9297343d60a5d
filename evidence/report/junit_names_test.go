package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
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
		sent := qa.Check{ID: id + "5", Kind: "request_made", Expected: "POST http://127.0.0.1:" + port + "/pay 201", Passed: true, Source: qa.SourceTool}
		thrown := func(times string) qa.Finding {
			return qa.Finding{ID: "F" + id + times, Severity: qa.Blocker, Category: qa.Reliability, Title: pagetext.Text("Uncaught exception: Error: " + times), Assertion: "the page throws no uncaught exception", Source: qa.SourceRule}
		}
		r := qa.QAReport{RunID: "run-" + id, Task: qa.TaskSpec{Route: "http://127.0.0.1:" + port + "/cart"}, Status: qa.Failed, Checks: []qa.Check{loads, seen, again, seen, text, sent}, StartedAt: time.Unix(0, 0),
			Findings: []qa.Finding{thrown("x (" + port + " times)")}}
		if failed {
			r.Findings = append(r.Findings, thrown("another"))
		}
		var out []string
		seenNames := map[string]bool{}
		root := parseXML(t, []byte(render(t, report.RichJUnit, r)))
		if name := root.all("testsuite")[0].attrs["name"]; name != "http://127.0.0.1/cart" {
			t.Errorf("the suite is called %s", name)
		}
		for _, c := range root.all("testcase") {
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
	if len(first) != 7 || !strings.HasSuffix(first[5], `request_made "POST http://127.0.0.1/pay 201"`) || !strings.HasSuffix(first[6], "the page throws no uncaught exception") || !strings.HasSuffix(first[0], "http://127.0.0.1/cart?x=1") || !strings.HasSuffix(first[3], `visible button "Pay" (2)`) || !strings.HasSuffix(first[4], `text_contains "Total"`) {
		t.Errorf("the names are\n%s", strings.Join(first, "\n"))
	}
}

// The cases of a suite too: pages at another port, of one name or not, have the names that they had (33).
func TestNamesOfASuiteHoldFromRunToRun(t *testing.T) {
	t.Parallel()
	names := func(port string) (out []string) {
		at := "http://127.0.0.1:" + port
		s := report.Suite{Title: at, FinishedAt: time.Unix(9, 0), Cases: []report.SuiteCase{
			{Name: at + "/cart", Path: at + "/cart", RunID: "a" + port, Status: qa.Passed}, {Name: "row", Path: "cart.md", Status: qa.Failed}, {Name: "row", Path: "cart.md", Status: qa.Passed}}}
		root := parseXML(t, []byte(showSuite(t, report.SuiteJUnit, s)))
		out = append(out, root.attrs["name"], root.all("testsuite")[0].attrs["name"])
		for _, c := range root.all("testcase") {
			out = append(out, c.attrs["classname"]+" "+c.attrs["name"])
		}
		return out
	}
	first, second := strings.Join(names("8080"), "\n"), strings.Join(names("39411"), "\n")
	if first != second || strings.Contains(first, "8080") || !strings.HasSuffix(first, "assay.cart.md row\nassay.cart.md row (2)") {
		t.Errorf("the names are\n%s\nand at another port\n%s", first, second)
	}
}

func voided(void bool) []string {
	if void {
		return []string{"of the caller's making"}
	}
	return nil
}
