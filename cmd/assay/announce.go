package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/notify"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// audience is who is told of a suite: readers of its folder, of a summary file,
// of the CI step's page, and of a webhook.
type audience struct {
	store   *evidence.Store
	folder  string // of the suite's documents
	summary string // file for a pull request; "" for none
	step    string // file that GitHub shows as the step's summary; "" for none
	webhook string
	format  string // of the webhook's message
}

// webhookLimit bounds what telling a webhook may take after an interruption.
const webhookLimit = 2 * time.Second

// view writes one document of a suite.
type view = func(io.Writer, report.Suite) error

// announce tells a suite as it is now to its audience: its index while it runs
// (FinishedAt is zero then), and everything when it has ended. It is the one
// place for that; a failure to tell is a warning, and never changes the
// suite's outcome.
func (a *app) announce(ctx context.Context, s suite.Suite, to audience) {
	if s.FinishedAt.IsZero() {
		a.warn(s, write(to.store, to.folder, s, map[string]view{"index.html": report.Index}))
		return
	}
	a.warn(s, write(to.store, to.folder, s, map[string]view{"index.html": report.Index, "summary.md": report.Summary, "junit.xml": report.SuiteJUnit, "ctrf.json": report.SuiteCTRF}))
	if to.summary != "" {
		a.warn(s, write(to.store, filepath.Dir(to.summary), s, map[string]view{filepath.Base(to.summary): report.Summary}))
	}
	if to.step != "" {
		a.warn(s, a.appendSummary(to.step, s))
	}
	if to.webhook != "" {
		if ctx.Err() != nil { // interrupted: who waits for the end is still told
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), webhookLimit)
			defer cancel()
		}
		a.warn(s, notify.Post(ctx, to.webhook, to.format, shown(s, "")))
	}
	counts := map[suite.State]int{}
	for _, e := range s.Entries {
		counts[e.State]++
	}
	a.log.Info("run.finished", "event", "run.finished", "suite", s.ID, "status", string(s.Sum().Status), "cases", len(s.Entries),
		"done", counts[suite.Done], "kept", counts[suite.Kept], "skipped", counts[suite.Skipped], "took", s.FinishedAt.Sub(s.StartedAt).String())
}

func (a *app) warn(s suite.Suite, err error) {
	if err != nil {
		a.log.Warn("tell of the suite", "suite", s.ID, "err", err)
	}
}

// write stores views of a suite in a folder.
func write(store *evidence.Store, folder string, s suite.Suite, views map[string]view) error {
	files := map[string][]byte{}
	for name, v := range views {
		var doc bytes.Buffer
		if err := v(&doc, shown(s, folder)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		files[name] = doc.Bytes()
	}
	return store.WriteSuite(folder, files)
}

// appendSummary adds the summary to a file that other steps write to, too.
func (a *app) appendSummary(path string, s suite.Suite) (err error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var doc bytes.Buffer
	if err := report.Summary(&doc, shown(s, "")); err != nil {
		return err
	}
	_, err = masked{a, f, "text/plain"}.Write(doc.Bytes())
	return err
}

// shown is a suite as reports show it, with paths as seen from a folder; "" is
// for readers elsewhere, who could not follow any.
func shown(s suite.Suite, folder string) report.Suite {
	out := report.Suite{Title: cmp.Or(s.BaseURL, "assay run"), StartedAt: s.StartedAt, FinishedAt: s.FinishedAt}
	for _, e := range s.Entries {
		c := report.SuiteCase{Name: e.Name, Path: e.Path, Tags: e.Tags, Running: e.State == suite.Running, Reason: e.Note}
		switch {
		case e.State == suite.Skipped:
			c.Status, c.Reason = qa.Inconclusive, "interrupted before it began"
		case c.Running && !s.FinishedAt.IsZero(): // what it did could not be kept
			c.Running, c.Status = false, qa.Inconclusive
		}
		if r := e.Result; r != nil {
			c.Status, c.Reason = r.Status.Verdict(), r.FailureReason
			c.DurationMS, c.Findings, c.Checks, c.ToolCalls, c.Flaky, c.RunID = r.DurationMS, r.Findings, r.Checks, r.ToolCalls, r.Flaky, r.RunID
			c.Seal, c.Evidence = r.Seal, r.Evidence
			c.Report, c.Screenshot = seen(folder, r.Report), seen(folder, r.Screenshot)
			for _, b := range r.Before {
				c.Before = append(c.Before, report.SuiteAttempt{RunID: b.RunID, Status: b.Status.Verdict(), Reason: b.Reason, Report: seen(folder, b.Report)})
			}
		}
		out.Cases = append(out.Cases, c)
	}
	return out
}

// seen is a path as seen from a folder, with slashes.
func seen(folder, path string) string {
	if folder == "" || path == "" {
		return ""
	}
	from, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(from, path)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}
