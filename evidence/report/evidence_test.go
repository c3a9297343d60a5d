package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
)

// A checkpoint as a log signed it, and the key that it is checked with.
const (
	sampleCheckpoint = "assay/sample\n42\nryvb4aqbbsHireHWlPQfxxqDHQJo6YkVYhE9imKt0b8=\n\n— assay/sample 56I+GhE/Qff25jM+tqvztiVbPxNabeVrVtUG6wvDXTiFOIcP++I6yZflF4ZQihAgXUjtKMJazpwj2u14JMAqBauaVQ4=\n"
	sampleVerifier   = "assay/sample+e7a23e1a+Ae4apTLtP7H2JEmz3jcf8An3lToQEr3/M3jM+k1aqFrP"
)

// sealed is a report whose evidence is in order.
func sealed(r qa.QAReport) qa.QAReport {
	n := len(r.Artifacts) + 1 // and the journal
	r.Evidence = &qa.Evidence{LogIndex: 40, TreeSize: 42, RootHash: "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf", Checkpoint: sampleCheckpoint,
		Journal: strings.Repeat("5e", 32), Check: qa.EvidenceCheck{Time: at(9), Files: n, Bytes: int64(n) * 41234, Problems: []string{}}}
	return r
}

// broken is a report of a run whose files were changed while it went on.
func broken() qa.QAReport {
	r := inconclusiveReport()
	r.Artifacts = failedReport().Artifacts
	r = sealed(r)
	r.Evidence.Check.Problems = []string{"screenshots/002-total.png has other bytes: expected " + strings.Repeat("2", 64) + ", found " + strings.Repeat("3", 64), "console.jsonl is missing"}
	return r
}

func partial() qa.QAReport {
	r := sealed(failedReport())
	r.Evidence.Check.Files = 2
	return r
}

func verified() *report.Verification {
	return &report.Verification{Time: at(60), Outcome: "verified", Line: "5 files, 2 log entries, checkpoint of 412 entries, key " + sampleVerifier + " (not pinned)"}
}

func unverified() *report.Verification {
	return &report.Verification{Time: at(60), Outcome: "incomplete", Line: "5 files, no log entry", Findings: []string{"the log can't be read: " + hostile}}
}

// badges are all that views may say of evidence, with what each must and must
// not say.
func badges() map[string]struct {
	report       qa.QAReport
	later        *report.Verification
	says, denies []string
} {
	type badge = struct {
		report       qa.QAReport
		later        *report.Verification
		says, denies []string
	}
	return map[string]badge{
		"none":    {passedReport(), nil, []string{"Not sealed", "no log confirms the files of this run"}, []string{"re-read"}},
		"intact":  {sealed(failedReport()), nil, []string{"ntact (4 files)", "unchanged when this report was written", "assay verify 20261121T055036.000Z-abcdef"}, []string{"Not sealed", "Broken", "Verified"}},
		"partial": {partial(), nil, []string{"2 of 4 files re-read", "what is left was not looked at"}, []string{"unchanged", "Not sealed", "Verified"}},
		"broken":  {broken(), nil, []string{"Broken", "2 problems when this report was written", "002-total.png has other bytes"}, []string{"unchanged", "Verified"}},
		"pinned":  {sealed(failedReport()), &report.Verification{Time: at(60), Outcome: "verified", Pinned: true, Line: "all"}, []string{"Verified"}, []string{"not pinned"}},
		"later":   {sealed(failedReport()), verified(), []string{"Verified, key not pinned", "checked 2026-11-21 05:51:36 UTC: 5 files, 2 log entries", "(not pinned)", "ntact (4 files)"}, []string{"Not verified", "Not all verified"}},
		"unseen":  {sealed(failedReport()), unverified(), []string{"Not all verified", "be read"}, []string{"Verified"}},
		"refused": {sealed(failedReport()), &report.Verification{Time: at(60), Outcome: "failed", Line: "report.json has other bytes"}, []string{"Not verified", "report.json has other bytes"}, []string{"Verified"}},
		"unknown": {sealed(failedReport()), &report.Verification{Outcome: "surely"}, []string{"Not verified"}, []string{"Verified"}},
	}
}

// TestEvidenceBadge: HTML and Markdown say what was computed and no more, and
// only what is in order is green (B8, A14).
func TestEvidenceBadge(t *testing.T) {
	for name, c := range badges() {
		html := render(t, func(r qa.QAReport) ([]byte, error) { return report.HTML(r, report.Options{Verified: c.later}) }, c.report)
		_, section, _ := strings.Cut(html, `<section id="evidence"`)
		section, _, _ = strings.Cut(section, "</section>")
		md := string(report.VerifiedMarkdown(c.report, c.later))
		_, lines, _ := strings.Cut(md, "\n**Evidence:**")
		lines, _, _ = strings.Cut(lines, "\n## ")
		lines = strings.ReplaceAll(lines, `\`, "")
		for view, text := range map[string]string{"HTML": section, "Markdown": lines} {
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("%s: %s doesn't say %q:\n%s", name, view, want, text)
				}
			}
			for _, never := range c.denies {
				if strings.Contains(text, never) {
					t.Errorf("%s: %s says %q:\n%s", name, view, never, text)
				}
			}
		}
		green := name == "intact" || name == "later" || name == "pinned"
		if got := !strings.Contains(section, `badge bad`) && !strings.Contains(section, `badge open`); got != green {
			t.Errorf("%s: HTML is green: %v", name, got)
		}
		if got := !strings.Contains(lines, "❌") && !strings.Contains(lines, "⚠️"); got != green {
			t.Errorf("%s: Markdown is green: %v", name, got)
		}
		if c.report.Evidence != nil && !strings.Contains(strings.ReplaceAll(section, "&#43;", "+"), "<pre>"+sampleCheckpoint+"</pre>") {
			t.Errorf("%s: the HTML has no checkpoint that can be copied", name)
		}
	}
}

// TestEvidenceGolden shows the block in every view (A15, B8).
func TestEvidenceGolden(t *testing.T) {
	for name, r := range map[string]qa.QAReport{"sealed": sealed(passedReport()), "broken": broken()} {
		golden(t, name+".html", []byte(render(t, asHTML, r)))
		golden(t, name+".md", []byte(render(t, report.Markdown, r)))
		golden(t, name+"-junit.xml", []byte(render(t, report.JUnit, r)))
		golden(t, name+"-ctrf.json", []byte(render(t, report.CTRF, r)))
	}
}

// TestCheckpointComesBack: each view for machines has the signed checkpoint to
// the last byte, so that it opens with the log's key (B8, B4).
func TestCheckpointComesBack(t *testing.T) {
	trust, err := attest.ParseTrust(sampleVerifier)
	if err != nil {
		t.Fatal(err)
	}
	property := func(view report.View, name string) string {
		for _, p := range parseXML(t, []byte(render(t, view, sealed(failedReport())))).all("property") {
			if p.attrs["name"] == name {
				return p.attrs["value"]
			}
		}
		return ""
	}
	var ctrf struct {
		Results struct {
			Extra struct {
				Seal     qa.Seal
				Evidence qa.Evidence
			}
		}
	}
	if err := json.Unmarshal([]byte(render(t, report.CTRF, sealed(failedReport()))), &ctrf); err != nil {
		t.Fatal(err)
	}
	const name = "assay.evidence.checkpoint"
	for view, got := range map[string]string{
		"strict JUnit": property(report.JUnit, name), "rich JUnit": property(report.RichJUnit, name), "CTRF": ctrf.Results.Extra.Evidence.Checkpoint,
		"JUnit of a suite": property(func(qa.QAReport) ([]byte, error) { return report.SuiteJUnit(sealedSuite()) }, name),
	} {
		if c, _, err := trust.OpenCheckpoint([]byte(got)); err != nil || c.Size != 42 {
			t.Errorf("%s: %+v, %v: %q", view, c, err, got)
		}
	}
	if got := ctrf.Results.Extra.Seal.State; got != qa.SealIntact {
		t.Errorf("CTRF: seal %q", got)
	}
	if got := property(report.JUnit, "assay.evidence"); got != "intact" {
		t.Errorf("JUnit: assay.evidence = %q", got)
	}
}

// TestEvidenceOfBadRuns: JUnit names each problem, and a report without
// evidence says so (B8).
func TestEvidenceOfBadRuns(t *testing.T) {
	for name, c := range map[string]struct {
		report qa.QAReport
		want   []string
	}{
		"broken": {broken(), []string{"assay.evidence broken", "assay.evidence.problem " + broken().Evidence.Check.Problems[0], "assay.evidence.problem console.jsonl is missing"}},
		"none":   {passedReport(), []string{"assay.evidence none", "assay.evidence.line not sealed: no log confirms the files of this run"}},
	} {
		var got []string
		for _, p := range parseXML(t, []byte(render(t, report.JUnit, c.report))).all("property") {
			if n := p.attrs["name"]; n == "assay.evidence" || n == "assay.evidence.problem" || name == "none" && strings.HasPrefix(n, "assay.") {
				got = append(got, n+" "+p.attrs["value"])
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func sealedSuite() report.Suite {
	s := suite()
	for i, r := range []qa.QAReport{sealed(passedReport()), sealed(failedReport()), broken()} {
		seal := r.Seal()
		s.Cases[i].Seal, s.Cases[i].Evidence, s.Cases[i].RunID = &seal, r.Evidence, "20261121T055036.00"+itoa(i)+"Z-abcdef"
	}
	older := *s.Cases[2].Evidence // the last one to end is not the newest of the log
	older.Checkpoint, older.TreeSize = "older", 41
	s.Cases[2].Evidence = &older
	return s
}

// TestSuiteEvidence: the index and the summary count what is intact, and never
// what is not known (B8, D4).
func TestSuiteEvidence(t *testing.T) {
	s := sealedSuite()
	if got, want := s.EvidenceLine(), "evidence of 2 of 3 runs was intact when its report was written, 1 broken"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	index, summary := showSuite(t, report.Index, s), showSuite(t, report.Summary, s)
	for _, want := range []string{"Evidence of 2 of 3 runs was intact", "Broken", "console.jsonl is missing", "Evidence intact (4 files)"} {
		if !strings.Contains(index, want) {
			t.Errorf("the index lacks %q", want)
		}
	}
	if !strings.Contains(summary, "Evidence of 2 of 3 runs was intact when its report was written, 1 broken") {
		t.Errorf("the summary says nothing of the evidence:\n%s", summary)
	}
	s.Cases[0].Seal = nil
	s.Cases[1].Seal = &qa.Seal{State: "golden"}
	if got, want := s.EvidenceLine(), "evidence of 0 of 3 runs was intact when its report was written, 1 broken, 2 not known"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if index := showSuite(t, report.Index, s); strings.Count(index, "Evidence <span class=\"mark bad\">") != 2 {
		t.Error("a seal of a kind that nobody knows is not shown as broken")
	}
}

// TestEvidenceInTheBrowser: the block is legible in both schemes and narrow,
// its badge has a sign and words beside its colour, it is on paper whole, and
// works without a script (A7, B8).
func TestEvidenceInTheBrowser(t *testing.T) {
	b := chromium(t)
	audit, err := os.ReadFile("testdata/audit.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]qa.QAReport{"intact": sealed(kpiReport()), "partial": partial(), "broken": broken()} {
		dir := stored(t, r)
		w := open(t, b, filepath.Join(dir, "report.html"), playwright.BrowserNewPageOptions{})
		for scheme, width := range map[*playwright.ColorScheme]int{playwright.ColorSchemeLight: 1366, playwright.ColorSchemeDark: 320} {
			w.as(scheme, width)
			if scroll := w.eval("() => document.documentElement.scrollWidth"); scroll != width {
				t.Errorf("%s: the page is %v pixels wide on a screen of %d: %v", name, scroll, width, w.eval(tooWide))
			}
			for _, c := range w.eval(string(audit)).([]any) {
				t.Errorf("%s, %s: %v", name, *scheme, c)
			}
			const marks = `() => [...document.querySelectorAll('.badge .mark, .sealed .mark')].filter(m => m.checkVisibility() && m.querySelector('.sign').textContent.trim() && m.textContent.length > 6).length`
			if n := w.eval(marks); n != 2 {
				t.Errorf("%s, %s: %v badges with a sign and words, want one in the verdict and one in the block", name, *scheme, n)
			}
			if err := w.EmulateMedia(playwright.PageEmulateMediaOptions{Media: playwright.MediaPrint}); err != nil {
				t.Fatal(err)
			}
			if got := w.eval(`() => document.querySelector('#evidence details pre').checkVisibility() && document.querySelector('#evidence details pre').getBoundingClientRect().height > 20`); got != true {
				t.Errorf("%s: the checkpoint is not on paper", name)
			}
		}
		w.requireQuiet(dir)
		if name != "intact" {
			continue
		}
		w.as(playwright.ColorSchemeLight, 1366)
		if err := w.Locator("#evidence summary").Click(); err != nil {
			t.Fatal(err)
		}
		if got := w.eval(`() => document.querySelector('#evidence details pre').textContent`); got != sampleCheckpoint {
			t.Errorf("the checkpoint on the page is %q", got)
		}
	}
}
