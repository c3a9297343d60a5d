package report_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/summary"
)

func suite() report.Suite {
	return report.Suite{Title: "Sanity of the shop", StartedAt: at(0), FinishedAt: at(9), Cases: []report.SuiteCase{
		{Name: "Home", Path: "tasks/home.task.toml", Status: qa.Passed, Reason: "4 checks passed", DurationMS: 900, Checks: 4, ToolCalls: 6, Report: "runs/a/report.html", Screenshot: "runs/a/screenshots/001 home.png", Tags: []string{"smoke"}},
		{Name: "Cart", Path: "tasks/cart.task.toml", Status: qa.Failed, Reason: "1 check of 3 failed", DurationMS: 2100, Checks: 3, Report: "https://ci.test/b(1)/report.html", Findings: failedReport().Findings, RunID: "20261121T055036.000Z-abcdef"},
		{Name: "Reports", Path: "tasks/reports.task.toml", Status: qa.Inconclusive, Reason: "budget: maxTimeMs", DurationMS: 60000, Flaky: true},
	}}
}

// trending has been run before: one case three times, one once, one never.
func trending() report.Suite {
	s := suite()
	for i, status := range []qa.Status{qa.Passed, qa.Failed, qa.Inconclusive} {
		s.Cases[0].Past = append(s.Cases[0].Past, summary.Past{At: at(-100 + i), Status: status, DurationMS: int64(800 + i)})
	}
	s.Cases[1].Past = []summary.Past{{At: at(-50), Status: qa.Passed, DurationMS: 61000}}
	return s
}

func running() report.Suite {
	s := suite()
	s.FinishedAt = time.Time{}
	s.Cases[1].Status, s.Cases[1].Running, s.Cases[1].Findings = "", true, nil
	s.Cases[2].Status = ""
	return s
}

func hostileSuite() report.Suite {
	s := suite()
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Name, c.Path, c.Reason, c.RunID, c.Tags = hostile, hostile, hostile, hostile, []string{hostile}
		c.Report, c.Screenshot = "javascript:alert(1)", "//evil.test/x.png"
		c.Findings = []qa.Finding{{Severity: qa.Major, Assertion: hostile, Expected: hostile, Observed: hostile}}
	}
	s.Title = hostile
	return s
}

func showSuite(t *testing.T, view func(report.Suite) ([]byte, error), s report.Suite) string {
	t.Helper()
	doc, err := view(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

// TestSuiteStatus: green only when it has ended and everything passed (D4).
func TestSuiteStatus(t *testing.T) {
	t.Parallel()
	allGood := suite()
	allGood.Cases = allGood.Cases[:1]
	unknown := suite()
	unknown.Cases = append(unknown.Cases[:1:1], report.SuiteCase{Status: "weird"})
	notRun := suite()
	notRun.Cases = append(notRun.Cases[:1:1], report.SuiteCase{})
	unfinished := allGood
	unfinished.FinishedAt = time.Time{}
	for name, c := range map[string]struct {
		suite report.Suite
		want  qa.Status
		line  string
	}{
		"all passed": {allGood, qa.Passed, "1 of 1 case passed"},
		"failed":     {suite(), qa.Failed, "1 of 3 cases passed, 1 failed, 1 inconclusive, 1 flaky"},
		"running":    {running(), "", "1 of 3 cases passed, 1 running, 1 not run, 1 flaky"},
		"unfinished": {unfinished, "", "1 of 1 case passed"},
		"empty":      {report.Suite{FinishedAt: at(1)}, qa.Inconclusive, "0 of 0 cases passed"},
		"unknown":    {unknown, qa.Inconclusive, "1 of 2 cases passed, 1 inconclusive"},
		"not run":    {notRun, qa.Inconclusive, "1 of 2 cases passed, 1 not run"},
	} {
		if got := c.suite.Status(); got != c.want || c.suite.Line() != c.line {
			t.Errorf("%s: %q, %q; want %q, %q", name, got, c.suite.Line(), c.want, c.line)
		}
	}
}

// TestSuiteGolden shows the index and the summary as a person sees them (D4, A15).
func TestSuiteGolden(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]report.Suite{"suite": suite(), "running": running(), "trend": trending(), "nothing": {FinishedAt: at(1)}} {
		golden(t, name+"-index.html", []byte(showSuite(t, report.Index, s)))
		golden(t, name+"-summary.md", []byte(showSuite(t, report.Summary, s)))
	}
}

// The index has what became of each case before, the newest last, each outcome in words and
// with its time for those who see no sign (33); without earlier runs it has none.
func TestIndexShowsTheTrend(t *testing.T) {
	t.Parallel()
	_, trend, _ := strings.Cut(showSuite(t, report.Index, trending()), `<section id="trend"`)
	rows := strings.Split(trend, "<tr>")[2:]
	if len(rows) != 3 {
		t.Fatalf("%d rows:\n%s", len(rows), trend)
	}
	said := regexp.MustCompile(`<span class="said">(\w+), ([^<]+): </span>([^<]+)</span>`)
	for i, want := range []string{"Passed 800 ms, Failed 801 ms, Inconclusive 802 ms, Passed 900 ms", "Passed 1m1s, Failed 2.1 s", "Inconclusive 1m0s"} {
		var got []string
		for _, m := range said.FindAllStringSubmatch(rows[i], -1) {
			got = append(got, m[1]+" "+m[3])
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("row %d says %q, want %q", i+1, got, want)
		}
	}
	if page := showSuite(t, report.Index, suite()); strings.Contains(page, `id="trend"`) {
		t.Error("there is a trend of a suite that was never run before")
	}
}

// TestIndexReloadsWhileItRuns: and never once it has ended (D4).
func TestIndexReloadsWhileItRuns(t *testing.T) {
	t.Parallel()
	const refresh = `http-equiv="refresh"`
	if page := showSuite(t, report.Index, running()); !strings.Contains(page, refresh) || !strings.Contains(page, "still running") {
		t.Error("the index of a running suite does not load itself anew, or doesn't say so")
	}
	if page := showSuite(t, report.Index, suite()); strings.Contains(page, refresh) || strings.Contains(page, "still running") {
		t.Error("the index of a suite that has ended loads itself anew")
	}
}

// TestHostileIndex: nothing that a page wrote becomes markup or an address (promise 5).
func TestHostileIndex(t *testing.T) {
	t.Parallel()
	page := showSuite(t, report.Index, hostileSuite())
	for _, bad := range []string{"<script", "<img src=x", "<!-- ", "\u202e", "\x1b"} {
		if strings.Contains(page, bad) {
			t.Errorf("the index has %q", bad)
		}
	}
	for _, m := range regexp.MustCompile(`\s(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if u := html.UnescapeString(m[1]); u != "#main" && u != "./javascript:alert%281%29" && u != "./javascript:alert(1)" {
			t.Errorf("the index refers to %q", u)
		}
	}
}

// TestHostileSummary: no mention, link, tag or cell of a page's making (A15, promise 5).
func TestHostileSummary(t *testing.T) {
	t.Parallel()
	md := showSuite(t, report.Summary, hostileSuite())
	code := regexp.MustCompile("(?:^|[^\\\\])`[^`\n]*`")
	for line := range strings.Lines(md) {
		text := code.ReplaceAllString(strings.TrimRight(line, "\n"), "")
		for _, bad := range []string{"<", "[", "](", "://", "www.", "@everyone", "#12"} {
			for i := strings.Index(text, bad); i >= 0; {
				if i == 0 || text[i-1] != '\\' {
					t.Errorf("%q is live in: %s", bad, line)
					break
				}
				next := strings.Index(text[i+1:], bad)
				if next < 0 {
					break
				}
				i += 1 + next
			}
		}
		if strings.HasPrefix(line, "|") && strings.Count(text, "|")-strings.Count(text, `\|`) != 6 {
			t.Errorf("row has other cells than ours: %s", line)
		}
		if strings.HasPrefix(line, "# heading") || strings.HasPrefix(line, "- item") {
			t.Errorf("line of the page's making: %s", line)
		}
	}
}

// TestSummaryIsBounded: what a pull request can't hold is counted, and the
// failed cases come first (A15).
func TestSummaryIsBounded(t *testing.T) {
	t.Parallel()
	s := suite()
	long := strings.Repeat("<&`|@# ", 400)
	for i := range 3000 {
		s.Cases = append(s.Cases, report.SuiteCase{Name: fmt.Sprint("case ", i, long), Path: long, Status: qa.Passed, Reason: pagetext.Text(long)})
	}
	for i := range 150 {
		s.Cases = append(s.Cases, report.SuiteCase{Name: fmt.Sprint("bad ", i), Status: qa.Failed, Reason: pagetext.Text(long), Findings: []qa.Finding{{Severity: qa.Blocker, Assertion: pagetext.Text(long), Expected: pagetext.Text(long), Observed: pagetext.Text(long)}}})
	}
	md := showSuite(t, report.Summary, s)
	if len(md) > 60<<10 {
		t.Errorf("the summary has %d bytes, want at most %d", len(md), 60<<10)
	}
	for _, want := range []string{"more cases: see", "more findings", "| Cart", "bad 40"} {
		if !strings.Contains(strings.ReplaceAll(md, "[Cart]", "Cart"), want) {
			t.Errorf("the summary lacks %q", want)
		}
	}
}

// TestSuiteJUnit: valid by both schemas, and its counts are the suite's (A15, B4).
func TestSuiteJUnit(t *testing.T) {
	t.Parallel()
	beyond := regexp.MustCompile(`(<test(?:case|suite) [^>]*?)(?: timestamp="[0-9T:-]+")?(?: file="[^"]+")?>|(<testsuites [^>]*?) skipped="\d+"( time="[0-9.]+")>`) // all that the schemas do not know
	docs := map[string][]byte{}
	notRun := running()
	notRun.FinishedAt = at(9)
	for name, c := range map[string]struct {
		suite                     report.Suite
		failures, errors, skipped string
	}{
		"ended": {suite(), "1", "1", "0"}, "running": {running(), "0", "0", "2"}, "interrupted": {notRun, "0", "2", "0"},
		"hostile": {hostileSuite(), "1", "1", "0"}, "empty": {report.Suite{}, "0", "0", "0"},
	} {
		doc := []byte(showSuite(t, report.SuiteJUnit, c.suite))
		docs[name] = beyond.ReplaceAll(doc, []byte("$1$2$3>"))
		if got := parseXML(t, doc).attrs; got["failures"] != c.failures || got["errors"] != c.errors || got["skipped"] != c.skipped || got["tests"] != itoa(len(c.suite.Cases)) {
			t.Errorf("%s: %v", name, got)
		}
	}
	// A CI system gets file, time, picture and trace of a case, and its reason once.
	ended := suite()
	ended.Cases[1].Screenshot, ended.Cases[1].Trace = "runs/a/screenshots/001 home.png", "runs/a/trace.zip"
	cart := parseXML(t, []byte(showSuite(t, report.SuiteJUnit, ended))).all("testcase")[1]
	if cart.attrs["file"] != "tasks/cart.task.toml" || cart.attrs["timestamp"] != "2026-11-21T05:50:36" {
		t.Errorf("attributes: %v", cart.attrs)
	}
	if out := cart.all("system-out")[0].text; !strings.Contains(out, "[[ATTACHMENT|runs/a/screenshots/001 home.png]]\n[[ATTACHMENT|runs/a/trace.zip]]") {
		t.Errorf("system-out: %s", out)
	}
	if fault := cart.all("failure")[0]; fault.attrs["message"] != "1 check of 3 failed" || strings.Contains(fault.text, fault.attrs["message"]) {
		t.Errorf("the reason is not there once: %v %q", fault.attrs, fault.text)
	}
	// A16: a flaky pass is told from a plain one.
	flaky := report.Suite{FinishedAt: at(9), Cases: []report.SuiteCase{{Name: "Late", Status: qa.Passed, Flaky: true, Before: []report.SuiteAttempt{{Status: qa.Failed, Reason: "it was not [[ATTACHMENT|x]] ready"}}}}}
	doc := showSuite(t, report.SuiteJUnit, flaky)
	if !strings.Contains(doc, "flaky: passed at attempt 2") || !strings.Contains(doc, "attempt 1: failed: it was not") || strings.Contains(doc, "[[ATTACHMENT|") {
		t.Errorf("a flaky case: %s", doc)
	}
	docs["flaky"] = beyond.ReplaceAll([]byte(doc), []byte("$1$2$3>"))
	requireValid(t, docs)
}
