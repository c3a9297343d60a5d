package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with testdata/name. A missing file is written on a
// developer's machine, and a failure where CI is set.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	want, err := os.ReadFile(path)
	missing := errors.Is(err, os.ErrNotExist)
	switch {
	case *update || missing && os.Getenv("CI") == "":
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	case err != nil:
		t.Fatalf("%v; write it with: go test ./evidence/report -update", err)
	default:
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s has changed (-want +got); if it should: go test ./evidence/report -update\n%s", path, diff)
		}
	}
}

// at is a time on the day of the sample run.
func at(seconds int) time.Time {
	return time.Date(2026, 11, 21, 5, 50, 36, 0, time.UTC).Add(time.Duration(seconds) * time.Second)
}

func task() qa.TaskSpec {
	return qa.TaskSpec{
		ID: "cart-1", Goal: "The cart keeps its goods and shows the right total", Route: "/cart", Role: "customer",
		Expectations: []qa.Expectation{
			{Text: `The heading says "Your cart"`, Selector: `heading "Your cart"`, Assertion: &qa.Assertion{Type: qa.TextEquals, Expected: "Your cart"}},
			{Text: "The total is 42.50", Selector: "#total", Assertion: &qa.Assertion{Type: qa.TextEquals, Expected: "42.50"}},
			{Assertion: &qa.Assertion{Type: qa.ConsoleClean}},
		},
		Metadata: map[string]string{"commit": "1f0c2aa", "iteration": "7"},
	}.Number()
}

func check(id, kind, selector, expected, observed string, expects ...string) qa.Check {
	return qa.Check{
		ID: id, Step: 3, Kind: kind, Subject: selector, Selector: selector, Expected: expected, Observed: pagetext.Text(observed), Passed: expected == observed,
		Source: qa.SourceTool, Expects: expects, Time: at(4),
	}
}

func shot(n, name string, step int) qa.Artifact {
	return qa.Artifact{
		Name: "screenshots/" + n + "-" + name + ".png", SHA256: strings.Repeat(n[2:], 64), Size: 48211, MIMEType: "image/png",
		Width: 1280, Height: 720, Step: step, Time: at(step),
	}
}

func base(status qa.Status, reason string) qa.QAReport {
	const run = "20261121T055036.000Z-abcdef"
	return qa.QAReport{
		ID: "report-" + run, RunID: run, TaskID: "cart-1", Task: task(), StartedAt: at(0), FinishedAt: at(9),
		Status: status, StatusReason: pagetext.Text(reason),
		Findings: []qa.Finding{}, Checks: []qa.Check{}, KPITable: []qa.KPIRow{}, Visual: []qa.VisualRow{}, Timeline: []qa.TimelineEntry{}, Console: []qa.ConsoleEntry{}, Network: []qa.NetworkEntry{}, Artifacts: []qa.Artifact{},
		Links:       qa.Links{ReportURL: "report.html"},
		Costs:       qa.Costs{ToolCalls: 6, DurationMS: 9120, Screenshots: 2},
		Environment: qa.Environment{AssayVersion: "0.1.0", Browser: "chromium", BrowserVersion: "156.0", DriverVersion: "1.57.0", OS: "linux", Arch: "amd64"},
	}
}

func failedReport() qa.QAReport {
	r := base(qa.Failed, `1 check of 3 failed; first: text_equals: expected 42.50, observed 24.50; 1 finding of severity major or worse; first: major: The total is the sum of the rows`)
	r.Summary = "Everything looks fine to me!"
	r.Checks = []qa.Check{
		check("C1", "text_equals", `heading "Your cart"`, "Your cart", "Your cart", "E1"),
		check("C2", "text_equals", "#total", "42.50", "24.50", "E2"),
		check("C3", "console_clean", "", "no console error", "no console error", "E3"),
	}
	r.Checks[1].Evidence = []string{"screenshots/002-total.png"}
	seen := at(5)
	r.Findings = []qa.Finding{
		{ID: "F1", Severity: qa.Minor, Category: qa.Visual, Assertion: "The logo is sharp", Confidence: 0.4, Source: qa.SourceModel, Evidence: []qa.EvidenceRef{}},
		{
			ID: "F2", Severity: qa.Major, Category: qa.DataConsistency, Assertion: "The total is the sum of the rows", Expected: "42.50", Observed: "24.50",
			Tolerance: &qa.Tolerance{Absolute: 0.01, Percent: 1}, SuggestedFix: "Add up the rows before the page is rendered.", Confidence: 0.95, Source: qa.SourceModel,
			Evidence: []qa.EvidenceRef{{ScreenshotRef: "002-total.png", Selector: "#total", Time: &seen, NetworkRequestID: "r17"}},
		},
	}
	r.KPITable = []qa.KPIRow{
		{Label: "Revenue", Range: "7d", Expected: "1,234.00", Observed: "1,234.00", Difference: "0", Status: "ok"},
		{Label: "Orders", Range: "7d", Expected: "42", Observed: "24", Difference: "-18", Status: "mismatch"},
	}
	r.Artifacts = []qa.Artifact{
		shot("001", "cart", 2), shot("002", "total", 5),
		{Name: "console.jsonl", SHA256: strings.Repeat("c", 64), Size: 1234567, MIMEType: "application/jsonl", Step: 6, Time: at(8)},
	}
	r.Costs.TokensInput, r.Costs.TokensOutput, r.Costs.USD = 12345, 678, 0.0421
	return r
}

func passedReport() qa.QAReport {
	r := base(qa.Passed, "3 checks passed")
	r.Checks = []qa.Check{
		check("C1", "text_equals", `heading "Your cart"`, "Your cart", "Your cart", "E1"),
		check("C2", "text_equals", "#total", "42.50", "42.50", "E2"),
		check("C3", "console_clean", "", "no console error", "no console error", "E3"),
	}
	return r
}

func inconclusiveReport() qa.QAReport {
	r := base(qa.Inconclusive, `2 expectations not proved; first: E2 "The total is 42.50": no executed check is bound to it`)
	r.Checks = []qa.Check{check("C1", "text_equals", `heading "Your cart"`, "Your cart", "Your cart", "E1")}
	r.Findings = []qa.Finding{{
		ID: "U1", Severity: qa.Info, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1, Assertion: "expectation E2 has an executed check",
		Expected: "The total is 42.50", Observed: "no executed check is bound to it", Evidence: []qa.EvidenceRef{},
		SuggestedFix: `call verify_assertion with expects: ["E2"]`,
	}}
	return r
}

func render(t *testing.T, view report.View, r qa.QAReport) string {
	t.Helper()
	doc, err := view(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

func asHTML(r qa.QAReport) ([]byte, error) { return report.HTML(r, report.Options{}) }

// TestGolden shows every view of every outcome (A7, A15).
func TestGolden(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]qa.QAReport{
		"failed": failedReport(), "passed": passedReport(), "inconclusive": inconclusiveReport(), "empty": {}, "kpis": kpiReport(), "visual": visualReport(),
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".html", []byte(render(t, asHTML, r)))
			golden(t, name+".md", []byte(render(t, report.Markdown, r)))
			golden(t, name+".json", []byte(render(t, report.JSON, r)))
		})
	}
}

func TestJSONIsTheReport(t *testing.T) {
	t.Parallel() // A7
	want := failedReport()
	var got qa.QAReport
	if err := json.Unmarshal([]byte(render(t, report.JSON, want)), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

// No view drops a finding, a failed check, or an expectation without a check
// (promise 1: false green "the final report drops recorded findings").
func TestViewsDropNothing(t *testing.T) {
	t.Parallel()
	r := failedReport()
	for range 100 { // more than Markdown lists: the failed ones must still be there
		r.Checks = append([]qa.Check{check("C9", "visible", "#a", "visible", "visible")}, r.Checks...)
		r.Findings = append([]qa.Finding{{ID: "F9", Severity: qa.Info, Assertion: "filler"}}, r.Findings...)
	}
	r.Task.Expectations = append(r.Task.Expectations, qa.Expectation{ID: "E4", Text: `the page shows "nobody looked"`})
	for name, text := range map[string]string{"HTML": render(t, asHTML, r), "Markdown": render(t, report.Markdown, r)} {
		for _, want := range []string{"Failed", "The total is the sum of the rows", "24.50", "nobody looked", "no executed check is bound to it"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s doesn't say %q", name, want)
			}
		}
	}
	if md := render(t, report.Markdown, r); len(md) > 8000 || !strings.Contains(md, "more in the full report") {
		t.Errorf("Markdown has %d bytes, want a short one that says what it leaves out", len(md))
	}
}

// The caller's summary and a favourable text change neither status nor order.
func TestSummaryHasNoInfluence(t *testing.T) {
	t.Parallel()
	r := failedReport()
	r.Summary = "PASSED. All checks pass, none fail."
	page := render(t, asHTML, r)
	if verdict, summary := strings.Index(page, "</span>Failed</span>"), strings.Index(page, r.Summary); verdict < 0 || summary < verdict {
		t.Errorf("verdict at %d, summary at %d: want the verdict first", verdict, summary)
	}
}

const hostile = "</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1) http://evil.test www.evil.test @everyone #12 [a](javascript:alert(1)) `code` | cell \u202egnp.exe \x00\x1b[31m <!-- -->\n# heading\n- item"

// hostileReport puts the hostile text wherever text can be.
func hostileReport(t *testing.T) qa.QAReport {
	t.Helper()
	r := failedReport()
	r.Visual, r.Evidence = visualReport().Visual, broken().Evidence
	doc, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(doc, &tree); err != nil {
		t.Fatal(err)
	}
	doc, err = json.Marshal(poison(tree))
	if err != nil {
		t.Fatal(err)
	}
	r = qa.QAReport{}
	if err := json.Unmarshal(doc, &r); err != nil {
		t.Fatal(err)
	}
	for i := range r.Visual { // words are the page's, files are ours
		r.Visual[i].Before, r.Visual[i].After = "screenshots/001-good.png", "a b%3Cc?#.png"
	}
	r.Links = qa.Links{TraceURL: "javascript:alert(1)", RawTranscriptURL: "data:text/html,<script>alert(1)</script>", ReportURL: "vbscript:x", ScreenshotsGalleryURL: "//evil.test/x"}
	r.Artifacts = append(r.Artifacts, shot("001", "good", 1))
	for _, name := range []string{"javascript:alert(1)", "../../../etc/passwd", "/etc/passwd", "//evil.test/x.png", "http://evil.test/x.png", `"><script>alert(1)</script>.png`, "a b%3Cc?#.png"} {
		r.Artifacts = append(r.Artifacts, qa.Artifact{Name: name, MIMEType: "image/png"}, qa.Artifact{Name: name, MIMEType: "text/plain"})
	}
	return r
}

// poison replaces every text of a JSON tree, except times.
func poison(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		for key := range v {
			v[key] = poison(v[key])
		}
	case []any:
		for i := range v {
			v[i] = poison(v[i])
		}
	case string:
		if _, err := time.Parse(time.RFC3339, v); err != nil {
			return hostile
		}
	}
	return tree
}

var (
	quotedValue = regexp.MustCompile(`"[^"]*"`)
	tagName     = regexp.MustCompile(`<([a-zA-Z!/][^\s>]*)`)
	attribute   = regexp.MustCompile(`\s(on\w+|srcdoc|action|formaction)\s*=`)
	address     = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)
)

// TestHostileHTML: nothing of a page becomes markup, script or address (promise 5).
func TestHostileHTML(t *testing.T) {
	t.Parallel()
	page := render(t, asHTML, hostileReport(t))
	ours := map[string]bool{}
	for _, r := range []qa.QAReport{failedReport(), passedReport(), broken(), visualReport(), {}} {
		for _, m := range tagName.FindAllStringSubmatch(render(t, asHTML, r), -1) {
			ours[m[1]] = true
		}
	}
	for _, m := range tagName.FindAllStringSubmatch(page, -1) {
		if !ours[m[1]] {
			t.Errorf("the page has a tag that isn't ours: <%s", m[1])
		}
	}
	_, body, _ := strings.Cut(page, "</style>")
	for _, tag := range regexp.MustCompile(`<[^>]*`).FindAllString(body, -1) {
		if attribute.MatchString(quotedValue.ReplaceAllString(tag, `""`)) {
			t.Errorf("the page has a tag with a handler: %s", tag)
		}
	}
	for _, m := range address.FindAllStringSubmatch(page, -1) {
		u := html.UnescapeString(m[1])
		if !strings.HasPrefix(u, "#") && !strings.HasPrefix(u, "screenshots/") && !strings.HasPrefix(u, "./javascript:") && u != "a%20b%253Cc%3F%23.png" && !strings.HasPrefix(u, "%22%3E") {
			t.Errorf("the page refers to %q", u)
		}
	}
	if strings.Count(page, "<title>") != 1 || strings.Count(page, "</title>") != 1 || strings.Contains(page, "\u202e") || strings.ContainsRune(page, 0x1b) {
		t.Error("the page lets through a title, a direction or a control character")
	}
}

// TestHTMLAsksForNothing: the page opens from disk without scripts and without
// any request but for pictures of the run (design §2.5).
func TestHTMLAsksForNothing(t *testing.T) {
	t.Parallel()
	page := render(t, asHTML, failedReport())
	for _, bad := range []string{"<script", "<link", "@import", "url(", "http:", "https:", "<iframe", "<form", " onchange", " oninput"} {
		if strings.Contains(render(t, asHTML, visualReport()), bad) {
			t.Errorf("the page of pictures has %q", bad)
		}
	}
	for _, bad := range []string{"<script", "<link", "@import", "url(", "http:", "https:", "<iframe", "<form"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{"default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'", `src="screenshots/002-total.png"`, `loading="lazy"`, `lang="en"`, "prefers-color-scheme: dark", "@media print"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestCommands: what a person is to copy leads back to the run, and nothing of
// a page is in it (issue item 8).
func TestCommands(t *testing.T) {
	t.Parallel()
	r := kpiReport()
	second := r.Artifacts[len(r.Artifacts)-1]
	second.Name = "trace-2.zip"
	r.Artifacts = append(r.Artifacts, second, qa.Artifact{Name: "trace-2; rm -rf x.zip"})
	if page := render(t, asHTML, r); !strings.Contains(page, "This run can’t be repeated without a client.") {
		t.Error("nothing repeats the run, and the page does not say so")
	}
	r.Artifacts = append(r.Artifacts, qa.Artifact{Name: qa.RepeatFlow})
	page := render(t, asHTML, r)
	for _, want := range []string{"<pre>assay run --env staging repeat.flow.json</pre>", "<pre>npx playwright show-trace trace.zip</pre>", "<pre>npx playwright show-trace trace-2.zip</pre>", "<pre>assay report 20261121T055036.000Z-abcdef</pre>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	r.Environment.Name, r.RunID = "x; rm -rf /", "$(id)"
	page = render(t, asHTML, r)
	for _, bad := range []string{"<pre>assay run --env x", "show-trace trace-2;", "<pre>assay report"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page tells to type %q", bad)
		}
	}
}

func TestArtifactURL(t *testing.T) {
	t.Parallel()
	r := passedReport()
	r.Artifacts = []qa.Artifact{shot("001", "cart", 2)}
	for given, want := range map[string]string{
		"https://ci.test/a.png":               `src="https://ci.test/a.png"`,
		"data:image/png;base64,iVBORw0KGgo=":  `src="data:image/png;base64,iVBORw0KGgo="`,
		"../run/a.png":                        `src="../run/a.png"`,
		"javascript:alert(1)":                 "",
		"data:text/html,x":                    "",
		"data:image/svg+xml,<svg onload=a()>": "",
		"//evil.test/a.png":                   "",
		"\\\\evil.test\\a.png":                "",
		"%zz":                                 "",
	} {
		page, err := report.HTML(r, report.Options{ArtifactURL: func(name string) string {
			if name != "screenshots/001-cart.png" {
				t.Errorf("asked for %q", name)
			}
			return given
		}})
		if err != nil {
			t.Fatal(err)
		}
		if want == "" && strings.Contains(string(page), "<img") || !strings.Contains(html.UnescapeString(string(page)), want) {
			t.Errorf("address %q: the page lacks %s, or shows a picture it must not", given, want)
		}
		if n := strings.Count(html.UnescapeString(string(page)), given); strings.HasPrefix(given, "data:image/png") && n != 1 {
			t.Errorf("address %q stands %d times in the page: its bytes would, too", given, n)
		}
	}
}

// TestHostileMarkdown: no line, cell, link, tag or mention of a page's making.
func TestHostileMarkdown(t *testing.T) {
	t.Parallel()
	r := hostileReport(t)
	md := render(t, report.Markdown, r)
	code := regexp.MustCompile("(?:^|[^\\\\])`[^`\n]*`")
	for line := range strings.Lines(md) {
		text := code.ReplaceAllString(strings.TrimRight(line, "\n"), "")
		for _, bad := range []string{"<", "[", "](", "://", "www.", "@everyone", "#12", "`"} {
			for i := strings.Index(text, bad); i >= 0; {
				if i == 0 || text[i-1] != '\\' {
					t.Errorf("%q is live in: %s", bad, line)
				}
				next := strings.Index(text[i+1:], bad)
				if next < 0 {
					break
				}
				i += 1 + next
			}
		}
		if bars := strings.Count(text, "|") - strings.Count(text, `\|`); strings.HasPrefix(line, "|") && bars != 5 && bars != 7 { // checks, KPIs
			t.Errorf("row has other cells than ours: %s", line)
		}
		if strings.HasPrefix(line, "# heading") || strings.HasPrefix(line, "- item") {
			t.Errorf("line of the page's making: %s", line)
		}
	}
	if strings.Contains(md, "\u202e") || strings.ContainsRune(md, 0x1b) {
		t.Error("a direction or a control character got through")
	}
}

// FuzzViews: no text makes a view fail, or adds markup to it.
func FuzzViews(f *testing.F) {
	f.Add(hostile)
	f.Add("\xff\xfe<")
	f.Add(strings.Repeat("ä<", 500))
	f.Fuzz(func(t *testing.T, s string) {
		r := failedReport()
		r.Task.Goal, r.StatusReason, r.Summary, r.Checks[0].Observed, r.Findings[0].Assertion, r.Artifacts[0].Name = s, pagetext.Text(s), s, pagetext.Text(s), pagetext.Text(s), s
		page := render(t, asHTML, r)
		if got := strings.Count(page, "<script") + strings.Count(page, "<img"); got > 4 { // one at each of two failures, two in the gallery
			t.Errorf("%d tags of the text's making", got)
		}
		render(t, report.Markdown, r)
		render(t, report.CTRF, r)
		if n := len(parseXML(t, []byte(render(t, report.RichJUnit, r))).all("testcase")); n != 4 {
			t.Errorf("%d test cases", n)
		}
	})
}

// A report that can't be encoded is an error of every view that holds the value, and names it.
func TestViewErrorsAreReported(t *testing.T) {
	t.Parallel()
	r := passedReport()
	r.Costs.USD = math.NaN()
	for name, view := range map[string]report.View{"JSON": report.JSON, "strict": report.Strict} {
		if doc, err := view(r); err == nil || doc != nil || !strings.Contains(err.Error(), "NaN") {
			t.Errorf("%s: %d bytes, %v, want an error that names the value", name, len(doc), err)
		}
	}
	if _, err := report.Views(r); err == nil || !strings.Contains(err.Error(), "qareport.json") {
		t.Errorf("%v, want an error that names the document", err)
	}
}

func TestViews(t *testing.T) {
	t.Parallel()
	got, err := report.Views(passedReport())
	if err != nil || len(got) != 6 || !bytes.HasPrefix(got["report.html"], []byte("<!doctype html>")) || !bytes.HasPrefix(got["report.md"], []byte("# ✅")) {
		t.Errorf("Views = %d documents, %v", len(got), err)
	}
}
