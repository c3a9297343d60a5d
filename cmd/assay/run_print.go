package main

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/texts"
)

// caseCounts returns how many cases of which kind there are.
func caseCounts(s suite.Suite) string {
	count := map[string]int{}
	for _, e := range s.Entries {
		count[spec.Kind(e.Path)]++
	}
	var parts []string
	for _, noun := range []string{"flow", "task", "spec"} {
		if n := count[noun]; n > 0 {
			parts = append(parts, texts.Count(n, noun))
		}
	}
	return strings.Join(parts, " and ")
}

// amber colours a line of stdout for a person's terminal.
func amber(a *app, s string) string {
	if !isTerminal(a.stdout) || a.getenv("NO_COLOR") != "" {
		return s
	}
	return "\x1b[33m" + s + "\x1b[0m"
}

// printSuite prints the outcome of a suite, and where its index is.
func printSuite(a *app, s suite.Suite, index string) {
	result := s.Sum()
	n := result.Summary
	fmt.Fprintf(a.stdout, "%s: %s, %d passed, %d failed, %d error, %d skipped\n", result.Status, caseCounts(s), n.Passed, n.Failed, n.Error, n.Skipped)
	fmt.Fprintf(a.stdout, "index: %s\n", index)
}

func printCase(a *app, e suite.Entry) {
	if e.Result == nil {
		fmt.Fprintf(a.stdout, "%-7s %s  %q\n", qa.TestSkipped, e.Path, e.Name)
		return
	}
	c, note := e.Result, ""
	if e.State == suite.Kept {
		note = "  (kept from the suite before)"
	} else if e.Note != "" {
		note = "  (run again: " + e.Note + ")"
	}
	size := fmt.Sprintf("steps: %d", c.Steps)
	if spec.Kind(e.Path) != "flow" {
		size = fmt.Sprintf("checks: %d", c.Checks)
	}
	fmt.Fprintf(a.stdout, "%-7s %s  %q (%s) in %d ms%s\n", c.Status, e.Path, c.Name, size, c.DurationMS, note)
	if c.Flaky {
		fmt.Fprintf(a.stdout, "  flaky: passed at attempt %d\n", c.Attempts)
	}
	for i, b := range c.Before {
		fmt.Fprintf(a.stdout, "  attempt %d: %s: %s\n    report: %s\n", i+1, b.Status, texts.Line(b.Reason), b.Report)
	}
	if c.FailureReason != "" {
		fmt.Fprintf(a.stdout, "  why: %s\n", texts.Line(c.FailureReason))
	}
	for _, note := range c.Notes {
		fmt.Fprintf(a.stdout, "  note: %s\n", texts.Line(note))
	}
	for _, f := range c.Findings {
		if f.Within() {
			fmt.Fprintf(a.stdout, "  %s\n", amber(a, "within the threshold: "+texts.Line(f.Observed)))
		} else if spec.Kind(e.Path) != "flow" && !f.SaidIn(c.FailureReason) { // a flow's reason tells its step
			fmt.Fprintf(a.stdout, "  %s: %s: expected %s, observed %s\n", f.Severity, texts.Line(f.Assertion), texts.Line(f.Expected), texts.Line(f.Observed))
		}
		if f.Category == qa.Visual && f.Source == qa.SourceTool && f.SuggestedFix != "" {
			fmt.Fprintf(a.stdout, "  next: %s\n", texts.Line(f.SuggestedFix))
		}
	}
	if c.Report != "" {
		fmt.Fprintf(a.stdout, "  report: %s\n", c.Report)
	}
}
