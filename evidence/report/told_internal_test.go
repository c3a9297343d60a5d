package report

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// anyReport makes a report of checks and findings that end in all ways.
func anyReport(r *rand.Rand) qa.QAReport {
	out := qa.QAReport{RunID: "run", Task: qa.TaskSpec{Goal: "it works"}}
	ends := []qa.Facts{{}, {}, {}, {Open: true}, {Code: "TIMEOUT", OutOfTime: true}, {Code: "NEEDS_HUMAN"}, {NotApproved: true, Approvable: "b-1"}}
	for i := range 1 + r.IntN(24) {
		c := qa.Check{ID: fmt.Sprint("C", i+1), Kind: "visible", Selector: fmt.Sprint("#", r.IntN(30)), Source: qa.SourceTool}
		c.Take(qa.Outcome{Passed: r.IntN(3) > 0, Expected: "visible", Observed: "passed", Facts: ends[r.IntN(len(ends))]})
		if c.Status() == qa.Failed {
			f := c.AsFinding()
			f.ID = fmt.Sprint("F", 1+r.IntN(4)) // several checks may have one
			c.Finding = f.ID
			if !strings.Contains(fmt.Sprint(ids(out.Findings)), f.ID) {
				out.Findings = append(out.Findings, f)
			}
		}
		out.Checks = append(out.Checks, c)
	}
	for i := range r.IntN(3) {
		out.Findings = append(out.Findings, qa.Finding{ID: fmt.Sprint("G", i), Severity: qa.Major, Category: qa.Functional, Assertion: "it holds", Observed: "it does not hold here", Source: qa.SourceRule})
	}
	v := qa.Judge(qa.Record{Checks: out.Checks, Findings: out.Findings})
	out.Status, out.StatusReason, out.Findings = v.Status, v.Reason, append(out.Findings, v.Findings...)
	return out
}

func ids(all []qa.Finding) (out []string) {
	for _, f := range all {
		out = append(out, f.ID)
	}
	return out
}

// numbers returns the numbers of a text by the words behind them.
func numbers(text string) map[string]int {
	out := map[string]int{}
	for _, m := range regexp.MustCompile(`(\d+) (of|checks?|failures?|failed|could|noticed|passed)`).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		if _, ok := out[strings.TrimSuffix(m[2], "s")]; !ok {
			out[strings.TrimSuffix(m[2], "s")] = n
		}
	}
	return out
}

// Issue 29, item 1: all views of a report count alike, the numbers of a sentence add up, and
// a check is failed, passed or not judged in all of them: "failures 7; 14 of 20 passed" of 21
// is never said.
func TestViewsCountAlike(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(29, 6))
	for range 300 {
		report := anyReport(r)
		tally := qa.TallyOf(report.Checks)
		p := newPage(report, Options{})
		said, head := p.outcome(), numbers(p.outcome())
		beside := 0
		for _, f := range p.failures {
			if len(f.Checks) == 0 {
				beside++
			}
		}
		failed := head["failed"]
		if strings.HasSuffix(said, "passed.") { // a reader takes the failures for all that did not pass
			failed = head["failure"]
		}
		if report.Status == qa.Failed && (head["of"] != tally.Passed || head["check"] != len(report.Checks) || failed != tally.Failed || tally.Passed+failed+head["could"] != len(report.Checks) ||
			head["failure"] != len(p.failures) || strings.Contains(said, "noticed by no check") != (beside > 0)) {
			t.Fatalf("%+v, %d failures, %d beside: %s", tally, len(p.failures), beside, said)
		}
		junit := map[qa.TestStatus]int{}
		for _, c := range testCases(report) {
			if strings.HasPrefix(c.Class, "check.") {
				junit[c.Status]++
			}
		}
		result := map[qa.TestStatus]int{}
		for _, c := range qa.NewTestResult(report, qa.Record{}).TestCases {
			if strings.HasPrefix(string(c.Name), "visible") {
				result[c.Status]++
			}
		}
		for status, n := range map[qa.TestStatus]int{qa.TestPassed: tally.Passed, qa.TestFailed: tally.Failed, qa.TestError: tally.Open} {
			if junit[status] != n || result[status] != n {
				t.Fatalf("%s: %d by the count, %d in JUnit, %d in the test result", status, n, junit[status], result[status])
			}
		}
		md, html := string(VerifiedMarkdown(report, nil)), ""
		if doc, err := HTML(report, Options{}); err == nil {
			html = string(doc)
		}
		if !strings.Contains(md, tally.Line()+" · ") {
			t.Fatalf("the Markdown does not say %q:\n%s", tally.Line(), md)
		}
		for class, n := range map[string]int{"good": tally.Passed, "bad": tally.Failed, "open": tally.Open} {
			if rows := len(regexp.MustCompile(`<tr id="check-C\d+" class="`+class+`"`).FindAllString(html, -1)); rows != n {
				t.Fatalf("%d checks are %s in the page, of %+v", rows, class, tally)
			}
		}
		point := qa.NewCheckpoint(report, qa.Record{})
		if len(point.Failed) != tally.Failed || len(point.NotExecuted) != tally.Open {
			t.Fatalf("the checkpoint has %d failed, %d not executed, of %+v", len(point.Failed), len(point.NotExecuted), tally)
		}
		if _, err := json.Marshal(report); err != nil {
			t.Fatal(err)
		}
	}
}
