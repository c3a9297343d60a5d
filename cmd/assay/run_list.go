package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/suite/spec"
)

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
