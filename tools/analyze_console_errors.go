package tools

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type analyzeConsoleInput struct {
	tool.OnSession
	URL            string   `json:"url,omitempty" jsonschema:"in a fresh context"`
	IgnorePatterns []string `json:"ignore_patterns,omitempty" jsonschema:"regular expressions"`
	tool.Binds
}

type consoleMessage struct {
	Message pagetext.Text `json:"message"`
	Source  string        `json:"source"`
	Line    int           `json:"line"`
}

type analyzeConsoleOutput struct {
	tool.Opened
	HasErrors bool             `json:"has_errors"`
	Errors    []consoleMessage `json:"errors"`
	Warnings  []consoleMessage `json:"warnings"`
	Ignored   int              `json:"ignored"`
	Dropped   int              `json:"dropped" jsonschema:"older errors that are counted only"`
	CheckID   string           `json:"check_id"`
}

// consoleClean names what the tool expects.
const consoleClean = "no console error"

func analyzeConsoleErrors(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "analyze_console_errors", Set: tool.Core, Verifies: true, Publish: true,
		Description: "Check that no console error and no exception was logged.",
	}, func(ctx context.Context, c *tool.Call, in analyzeConsoleInput) (analyzeConsoleOutput, error) {
		c.About = qa.Check{Kind: "analyze_console_errors", Subject: in.URL, Expected: consoleClean, Expects: in.Expects}
		ignore, err := patterns(in.IgnorePatterns)
		if err != nil {
			return analyzeConsoleOutput{}, err
		}
		s, fault, err := c.SessionAt(ctx, in.SessionID, in.URL)
		if err != nil {
			return analyzeConsoleOutput{}, err
		}
		if fault != "" {
			return consoleNotSeen(c, fault)
		}
		if err := c.Checker(s).AwaitRest(ctx); err != nil { // what comes late is in
			return analyzeConsoleOutput{}, err
		}
		state, err := s.State(ctx) // a round trip: what the page logged is in
		if err != nil {
			return analyzeConsoleOutput{}, err
		}
		if err := c.Checker(s).RefuseIfExpired(ctx, qa.Assertion{Type: qa.ConsoleClean}, true); err != nil {
			return analyzeConsoleOutput{}, err
		}
		logs, err := s.Console("warning", time.Time{}, 1<<30)
		if err != nil {
			return analyzeConsoleOutput{}, err
		}
		errors := c.ConsoleErrors(s)
		logs.Dropped = errors.Dropped
		logs.Entries = slices.Concat(errors.Entries, slices.DeleteFunc(logs.Entries, browser.LogEntry.IsError))
		return judgeConsole(c, sortLogs(logs, state.URL, ignore))
	})
}

// consoleNotSeen files that a site at fault has no clean console.
func consoleNotSeen(c *tool.Call, fault pagetext.Sentence) (analyzeConsoleOutput, error) {
	out := analyzeConsoleOutput{Errors: []consoleMessage{{Message: fault.Text()}}, HasErrors: true, Warnings: []consoleMessage{}}
	check, err := c.FileCheck(qa.Outcome{Expected: consoleClean, Observed: fault.Text()})
	if err != nil {
		return out, err
	}
	c.Say("FAILED: %s", fault)
	out.CheckID = check.ID
	out.Opened, err = c.Opened(false)
	return out, err
}

func patterns(texts []string) ([]*regexp.Regexp, error) {
	var out []*regexp.Regexp
	for i, text := range texts {
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, engine.InvalidInput("write Go regular expressions", "ignore_patterns[%d]: %v", i, err)
		}
		out = append(out, re)
	}
	return out, nil
}

// sortLogs parts errors from warnings. An error of another page than that at
// address says which.
func sortLogs(logs browser.Logs, address string, ignore []*regexp.Regexp) analyzeConsoleOutput {
	out := analyzeConsoleOutput{Errors: []consoleMessage{}, Warnings: []consoleMessage{}, Dropped: logs.Dropped}
	for _, e := range logs.Entries {
		m := consoleMessage{Message: e.Text, Source: e.URL, Line: e.Line}
		switch {
		case slices.ContainsFunc(ignore, func(re *regexp.Regexp) bool { return e.Text.Matches(re) }):
			out.Ignored++
		case e.IsError():
			if e.Page != "" && e.Page != address {
				m.Message += pagetext.Sprintf(" (on %s)", e.Page)
			}
			out.Errors = append(out.Errors, m)
		default:
			out.Warnings = append(out.Warnings, m)
		}
	}
	out.HasErrors = len(out.Errors) > 0
	return out
}

func judgeConsole(c *tool.Call, out analyzeConsoleOutput) (analyzeConsoleOutput, error) {
	if out.Dropped > 0 && !out.HasErrors {
		return out, &engine.Error{Code: code.Internal, Message: pagetext.Sentencef("%d older console errors are counted only, so whether all of them are to be ignored cannot be decided", out.Dropped),
			Hint: "look earlier, or load the page afresh by giving url"}
	}
	o := qa.Outcome{Passed: !out.HasErrors, Expected: consoleClean, Observed: pagetext.Sprintf("%d errors, %d warnings, %d ignored", len(out.Errors), len(out.Warnings), out.Ignored)}
	if out.HasErrors {
		var err error
		if c.About.Finding, err = consoleFinding(c, out.Errors); err != nil {
			return out, err
		}
	}
	check, err := c.FileCheck(o)
	if err != nil {
		return out, err
	}
	out.CheckID = check.ID
	c.Say("%s", o.Status().Shouted())
	c.Quote("observed: %s", o.Observed)
	for _, e := range out.Errors[:min(5, len(out.Errors))] {
		c.Quote("%s (%s:%d)", engine.OneLine(e.Message), e.Source, e.Line)
	}
	out.Opened, err = c.Opened(o.Passed)
	return out, err
}

// consoleFinding files what was logged as one finding, and returns its id: a reader
// fixes the first error before the others.
func consoleFinding(c *tool.Call, errors []consoleMessage) (string, error) {
	if c.RunErr != nil {
		return "", c.RunErr
	}
	first := errors[0]
	observed := pagetext.Sprintf("%d; first: %s", len(errors), engine.OneLine(first.Message))
	if first.Source != "" {
		observed += pagetext.Sprintf(" (%s:%d)", first.Source, first.Line)
	}
	for _, f := range c.Run.Record().Findings {
		if f.Assertion == consoleHolds && f.Observed == observed {
			return f.ID, nil // filed already
		}
	}
	found, err := c.AddFinding(qa.Finding{Severity: qa.Major, Category: qa.Reliability, Source: qa.SourceTool, Confidence: 1,
		Title: pagetext.Sprintf("%s: %s", errorCount(len(errors)), engine.OneLine(first.Message)), Assertion: consoleHolds, Expected: consoleClean, Observed: observed, Evidence: []qa.EvidenceRef{},
		SuggestedFix: "fix the first error; those that are not yours go into ignore_patterns"})
	return found.ID, err
}

func errorCount(n int) string {
	if n == 1 {
		return "1 console error"
	}
	return fmt.Sprintf("%d console errors; first", n)
}

// consoleHolds names what a finding about the console says should have held.
const consoleHolds = "the console has no errors"
