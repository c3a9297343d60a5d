package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

func metricsCommand(a *app) *cobra.Command {
	var asJSON bool
	var since string
	c := &cobra.Command{
		Use:   "metrics",
		Short: "Sum up the stored runs: outcomes, calls, durations, findings, costs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, err := parseSince(since, a.now())
			if err != nil {
				return err
			}
			store, _, err := openStore(a, cmd)
			if err != nil {
				return err
			}
			m, err := store.Measure(from)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(m)
			}
			printMetrics(a.stdout, m)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the metrics as JSON")
	c.Flags().StringVar(&since, "since", "", "only runs since then: a date (2026-11-01), a time (RFC 3339), or how long ago (24h, 7d)")
	return c
}

// parseSince reads a point in time: "" is the beginning.
func parseSince(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, usage("--since %q: use a date (2026-11-01), a time (RFC 3339), or how long ago (24h, 7d)", s)
}

func printMetrics(w io.Writer, stored evidence.StoredMetrics) {
	m := stored.Metrics
	fmt.Fprintf(w, "runs          %d: %s\n", m.Runs, counts(m.ByStatus, []qa.Status{qa.Passed, qa.Failed, qa.Inconclusive}))
	fmt.Fprintf(w, "checks        %d, %d failed\n", m.Checks, m.ChecksFailed)
	fmt.Fprintf(w, "findings      %d\n", m.Findings)
	if m.Findings > 0 {
		fmt.Fprintf(w, "  severity    %s\n  category    %s\n", counts(m.BySeverity, qa.Severities()), counts(m.ByCategory, qa.Categories()))
	}
	fmt.Fprintf(w, "inconclusive  %s\ntimed out     %s\n", share(m.Inconclusive, m.Runs), share(m.TimedOut, m.Runs))
	fmt.Fprintf(w, "calls a run   median %d, p90 %d, max %d\n", m.ToolCalls.Median, m.ToolCalls.P90, m.ToolCalls.Max)
	fmt.Fprintf(w, "time a run    median %v, p90 %v, max %v\n", ms(m.DurationMS.Median), ms(m.DurationMS.P90), ms(m.DurationMS.Max))
	if len(m.Errors) > 0 {
		fmt.Fprintf(w, "errors        %s\n", counts(m.Errors, nil))
	}
	fmt.Fprintf(w, "tokens        %d in, %d out, %.4f USD\n", m.TokensInput, m.TokensOutput, m.USD)
	for _, r := range stored.Unfinished {
		fmt.Fprintf(w, "not counted   %s is unfinished: %q\n", r.ID, r.Goal)
	}
	for _, r := range stored.Damaged {
		fmt.Fprintf(w, "not counted   %s is damaged: %q\n", r.ID, r.Problem)
	}
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func share(r qa.Rate, of int) string {
	return fmt.Sprintf("%d of %d runs (%.0f %%)", r.Runs, of, r.Share*100)
}

// counts lists numbers by name: the given ones in their order, then the others.
func counts[K ~string](n map[K]int, order []K) string {
	var parts []string
	add := func(k K) { parts = append(parts, fmt.Sprintf("%d %s", n[k], k)) }
	for _, k := range order {
		if n[k] > 0 {
			add(k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(n)) {
		if !slices.Contains(order, k) {
			add(k)
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
