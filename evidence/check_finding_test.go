package evidence_test

import (
	"slices"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// A6: every failed check is a finding, once: one that a rule has filed counts, the
// same check made again is the same fault, and the verdict's reason tells a fault
// once.
func TestFailedCheckIsAFindingOnce(t *testing.T) {
	s, _ := openStore(t)
	run := startRun(t, s)
	add := func(c qa.Check) qa.Check {
		t.Helper()
		c.Source = qa.SourceTool
		filed, err := run.AddCheck(c)
		if err != nil {
			t.Fatal(err)
		}
		return filed
	}
	passed := add(qa.Check{Kind: "visible", Subject: "#a", Expected: "visible", Observed: "visible", Passed: true, Finding: "F9"})
	first := add(qa.Check{Kind: "visible", Subject: "#b", Expected: "visible", Observed: "hidden"})
	again := add(qa.Check{Kind: "visible", Subject: "#b", Expected: "visible", Observed: "hidden"})
	rule, err := run.AddFinding(qa.Finding{Severity: qa.Blocker, Category: qa.Reliability, Assertion: "the site answers", Source: qa.SourceRule, Confidence: 1})
	if err != nil {
		t.Fatal(err)
	}
	down := add(qa.Check{Kind: "page_loads", Expected: "loads", Observed: "refused", Finding: rule.ID})
	lost := add(qa.Check{Kind: "visual", Expected: "as its baseline", Observed: "3 %", Finding: "F77"})
	got := []string{passed.Finding, first.Finding, again.Finding, down.Finding, lost.Finding}
	if want := []string{"", "F1", "F1", rule.ID, "F3"}; !slices.Equal(got, want) {
		t.Errorf("findings of the checks: %q, want %q", got, want)
	}
	findings := run.Record().Findings
	if len(findings) != 3 || findings[0].Assertion != "visible: #b" || findings[0].Title != "#b is not visible (hidden)" || findings[0].Severity != qa.Major || findings[2].Category != qa.Visual {
		t.Errorf("findings: %+v", findings)
	}
	for i, repeats := range []bool{true, false, true} {
		if findings[i].RepeatsCheck(run.Record().Checks) != repeats {
			t.Errorf("%s repeats a check: %v, want %v", findings[i].Assertion, !repeats, repeats)
		}
	}
	if reason := qa.Judge(run.Record()).Reason; reason != `4 checks of 5 failed by 3 faults; first: visible #b: expected visible, observed hidden` {
		t.Errorf("reason: %s", reason)
	}
}

// The title of a finding calls the element as the page called it when its picture was taken;
// by the selector where that is not known (33).
func TestFindingCallsTheElementAsThePageDoes(t *testing.T) {
	s, _ := openStore(t)
	run := startRun(t, s)
	shot, err := run.SaveScreenshot("failed", []byte(png), 1, 1, 1, qa.ElementBox{Selector: "css=#coupon", Name: `textbox "Coupon"`}, qa.ElementBox{Selector: "css=#total"})
	if err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]string{"css=#coupon": `textbox "Coupon" shows "X1" instead of "X2"`, "css=#total": `css=#total shows "X1" instead of "X2"`, "css=#other": `css=#other shows "X1" instead of "X2"`} {
		if _, err := run.AddCheck(qa.Check{Kind: "value_equals", Selector: selector, Subject: selector, Expected: "X2", Observed: "X1", Source: qa.SourceTool, Evidence: []string{shot.Name}}); err != nil {
			t.Fatal(err)
		}
		if all := run.Record().Findings; !all[len(all)-1].Title.Equal(want) {
			t.Errorf("%s: %q, want %q", selector, all[len(all)-1].Title, want)
		}
	}
}
