package main

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/spec"
)

// caseCounts returns how many cases of which kind there are.
func caseCounts(s suite.Suite) string {
	count, rounds := map[string]int{}, 0
	for _, e := range s.Entries {
		rounds = max(rounds, e.Round)
		if e.Round <= 1 {
			count[spec.Kind(e.Path)]++
		}
	}
	var parts []string
	for _, noun := range []string{"flow", "task", "spec"} {
		if n := count[noun]; n > 0 {
			parts = append(parts, text.Count(n, noun))
		}
	}
	counts := strings.Join(parts, " and ")
	if rounds > 0 {
		counts += " in " + text.Count(rounds, "round")
	}
	return counts
}

// mark returns what stands before the word of a verdict: its mark, at a terminal.
func (a *app) mark(s qa.Status) string { return a.style.Mark(outcome(s)) }

// outcome returns the outcome that a verdict is shown as.
func outcome(s qa.Status) terminal.Outcome {
	return qa.Told(s, terminal.Passed, terminal.Failed, terminal.Inconclusive)
}

// printSuite prints the outcome of a suite, and where its index is.
func printSuite(a *app, s suite.Suite, index string) {
	result := s.Sum()
	n := result.Summary
	counted := []string{caseCounts(s), fmt.Sprintf("%d passed", n.Passed)}
	for _, c := range []struct {
		n    int
		word string
	}{{n.Failed, "failed"}, {n.Error, "inconclusive"}, {n.Skipped, "skipped"}} {
		if c.n > 0 {
			counted = append(counted, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	status := result.Status.Verdict()
	fmt.Fprintf(a.stdout, "%s%s: %s\n", a.mark(status), status, strings.Join(counted, ", "))
	if index != "" {
		fmt.Fprintf(a.stdout, "index: %s\n", index)
	}
}

// maxObstacles bounds what is printed of why a case is inconclusive, beside its reason.
const maxObstacles = 2

func printCase(a *app, e suite.Entry) {
	if e.Result == nil {
		fmt.Fprintf(a.stdout, "%s%s  %s  %q\n", a.mark(qa.Inconclusive), qa.TestSkipped, e.Path, e.Name)
		return
	}
	c, note := e.Result, ""
	if e.State == suite.Kept {
		note = "  (kept from the suite before)"
	} else if e.Note != "" {
		note = "  (run again: " + e.Note + ")"
	}
	if e.Round > 0 {
		note = fmt.Sprintf("  (round %d)", e.Round) + note
	}
	size := fmt.Sprintf("steps: %d", c.Steps)
	if spec.Kind(e.Path) != "flow" {
		size = fmt.Sprintf("checks: %d", c.Checks)
	}
	status := c.Status.Verdict()
	fmt.Fprintf(a.stdout, "%s%s  %s  %q (%s) in %.1f s%s\n", a.mark(status), status, e.Path, c.Name, size, float64(c.DurationMS)/1000, note)
	say := func(format string, args ...any) {
		fmt.Fprintln(a.stdout, a.style.Wrap("  ", fmt.Sprintf(format, args...)))
	}
	if c.Flaky {
		say("flaky: passed at attempt %d", c.Attempts)
	}
	for i, b := range c.Before {
		say("attempt %d: %s: %s", i+1, b.Status.Verdict(), pagetext.Terminal(b.Reason))
		fmt.Fprintf(a.stdout, "    report: %s\n", b.Report)
	}
	if c.FailureReason != "" {
		say("why: %s", pagetext.Terminal(c.FailureReason))
	}
	for _, note := range c.Notes {
		say("note: %s", pagetext.Terminal(note))
	}
	left := 0 // of what stood in the tester's way, beyond the reason
	for _, f := range c.Findings {
		if f.Severity == qa.Info && !f.Within() && !saidIn(f, c.FailureReason) {
			if left++; left > maxObstacles {
				continue
			}
		}
		if f.Within() {
			fmt.Fprintf(a.stdout, "  %s\n", a.style.Paint(terminal.Inconclusive, "within the threshold: "+pagetext.Terminal(f.Observed)))
		} else if spec.Kind(e.Path) != "flow" && !saidIn(f, c.FailureReason) { // a flow's reason tells its step
			say("%s: %s", f.Severity, pagetext.Terminal(f.Headline()))
		}
		if f.Category == qa.Visual && f.Source == qa.SourceTool && f.SuggestedFix != "" {
			say("next: %s", pagetext.Terminal(f.SuggestedFix))
		}
	}
	if left > maxObstacles {
		say("info: %d more in the report", left-maxObstacles)
	}
	if c.Report != "" {
		fmt.Fprintf(a.stdout, "  report: %s\n", c.Report)
	}
}

// saidIn reports whether the reason of an outcome, as it is printed, has said already what
// failed, or all that stood in the tester's way. A reason that counts more than it names
// has not.
func saidIn(f qa.Finding, reason pagetext.Text) bool {
	if f.Severity != qa.Info && f.Expected != "" && reason.Contains(": expected "+f.Expected+", observed "+f.Observed) {
		return true
	}
	_, detail, _ := f.Observed.Cut(": ")
	return f.Severity == qa.Info && detail != "" && reason.Contains(detail) && !reason.HasSuffix(" more)")
}
