package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/suite/spec"
)

// caseCounts returns how many cases of which kind there are.
func caseCounts(s suite.Suite) string {
	if s.Command == suite.CheckCommand {
		return text.Count(len(s.Entries), "page")
	}
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
	quarantined := 0
	for _, c := range result.TestCases {
		if c.Quarantine != "" {
			quarantined++
		}
	}
	counted := []string{caseCounts(s), fmt.Sprintf("%d passed", n.Passed)}
	for _, c := range []struct {
		n    int
		word string
	}{{n.Failed, "failed"}, {n.Error, "inconclusive"}, {quarantined, "in quarantine"}, {n.Skipped - quarantined, "skipped"}} {
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
	switch {
	case e.Quarantine != "" && c.Status == qa.TestPassed:
		say("in quarantine (%s), and it passed: if it is steady, as assay run --repeat 20 %s says, take the section out", pagetext.Terminal(e.Quarantine), e.Path)
	case e.Quarantine != "":
		say("in quarantine, so it does not count: %s", pagetext.Terminal(e.Quarantine))
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

// listedCase is a case as assay run --list --json prints it.
type listedCase struct {
	Kind string         `json:"kind"` // flow, task or spec
	Path string         `json:"path"`
	Name string         `json:"name"`
	Row  int            `json:"row,omitempty"`
	Cell string         `json:"cell,omitempty"`
	Tags []string       `json:"tags,omitempty"`
	Last *suite.Outcome `json:"last,omitempty"` // how it ended when it ran last
}

// listCases prints the cases that would run, each with how it ended when it ran last.
func listCases(a *app, s suite.Suite, dir string, asJSON bool) error {
	history, err := runner.Store(dir).History()
	if err != nil {
		return err
	}
	cases := []listedCase{}
	for _, e := range s.Entries {
		c := listedCase{Kind: spec.Kind(e.Path), Path: e.Path, Name: e.Name, Row: e.Row, Cell: e.Cell, Tags: e.Tags}
		if outcomes := history[e.ID()]; len(outcomes) > 0 {
			c.Last = &outcomes[0]
		}
		cases = append(cases, c)
	}
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(struct {
			Cases []listedCase `json:"cases"`
		}{cases})
	}
	for _, c := range cases {
		tags := ""
		if len(c.Tags) > 0 {
			tags = "  [" + strings.Join(c.Tags, ", ") + "]"
		}
		last := "never ran"
		if c.Last != nil {
			last = fmt.Sprintf("%s in %.1f s on %s", c.Last.Status.Verdict(), float64(c.Last.DurationMS)/1000, c.Last.StartedAt.Local().Format("2006-01-02 15:04"))
		}
		fmt.Fprintf(a.stdout, "%s  %q%s  (%s)\n", c.Path, c.Name, tags, last)
	}
	fmt.Fprintf(a.stdout, "%s; none was run\n", text.Count(len(cases), "case"))
	return nil
}

// printStability prints how steady the cases of several rounds are.
func printStability(a *app, all []suite.Stability) {
	for _, c := range all {
		fmt.Fprintf(a.stdout, "%s  %s  %q: %d of %d rounds passed; %s (95 %% confidence)\n", c.Verdict(), c.Path, c.Name, c.Passed, c.Rounds, notPassedShare(c))
		for _, r := range c.Reasons {
			fmt.Fprintln(a.stdout, a.style.Wrap("  ", fmt.Sprintf("%d ×: %s", r.Rounds, pagetext.Terminal(r.Reason))))
		}
	}
}

// notPassedShare says how often a case does not pass, as far as its rounds tell.
func notPassedShare(c suite.Stability) string {
	switch low, high := 100*c.Low, 100*c.High; c.Passed {
	case c.Rounds:
		return fmt.Sprintf("it does not pass in at most %.0f %% of its runs", high)
	case 0:
		return fmt.Sprintf("it does not pass in at least %.0f %% of its runs", low)
	default:
		return fmt.Sprintf("it does not pass in %.0f to %.0f %% of its runs", low, high)
	}
}
