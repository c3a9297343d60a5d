package publish

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/suite"
)

// Publisher writes the documents of a suite and sends its outcome.
type Publisher struct {
	Store    *evidence.Store
	Folder   string                                // of the suite's documents
	Readable *Folder                               // for people, to be sent around; nil for none
	Links    suite.Links                           // where people elsewhere find the documents
	Summary  string                                // file for a pull request; "" for none
	JUnit    string                                // file for a CI's list of tests; "" for none
	Step     Step                                  // of the workflow on GitHub that this runs in
	Webhook  string                                // address; "" for none
	Format   string                                // of the webhook's message
	Mask     func(mime string, data []byte) []byte // hides secrets in what the store does not write
	Log      *slog.Logger
}

// Step names the files by which a step of a GitHub workflow tells what came of it; "" for none.
// See https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands.
type Step struct {
	Summary string // Markdown that is shown on the workflow's page
	Output  string // values that later steps read: verdict, and report, the path of the suite's index
}

// webhookLimit bounds a message to the webhook after an interruption.
const webhookLimit = 2 * time.Second

// view writes one document of a suite.
type view = func(report.Suite) ([]byte, error)

// Publish writes the index of a suite while it runs (FinishedAt is zero then), and
// all documents and messages when it has ended. What goes wrong here is logged as a
// warning, and never changes the suite's outcome.
func (p Publisher) Publish(ctx context.Context, s suite.Suite) {
	if p.Readable != nil {
		p.warn(s, p.Readable.write(s))
	}
	if s.FinishedAt.IsZero() {
		p.warn(s, write(p.Store, p.Folder, s, map[string]view{"index.html": report.Index}))
		return
	}
	p.warn(s, write(p.Store, p.Folder, s, map[string]view{"index.html": report.Index, "summary.md": report.Summary, "junit.xml": report.SuiteJUnit, "ctrf.json": report.SuiteCTRF}))
	if p.Summary != "" {
		p.warn(s, p.writeAlone(p.Summary, s, report.Summary))
	}
	if p.JUnit != "" {
		p.warn(s, p.writeAlone(p.JUnit, s, report.SuiteJUnit))
	}
	p.warn(s, p.tellStep(s))
	if p.Webhook != "" {
		if ctx.Err() != nil { // interrupted: the webhook gets its message all the same
			var cancel context.CancelFunc
			ctx, cancel = wait.CleanUp(ctx, webhookLimit)
			defer cancel()
		}
		p.warn(s, Post(ctx, p.Webhook, p.Format, p.view(s, "")))
	}
	counts := map[suite.State]int{}
	for _, e := range s.Entries {
		counts[e.State]++
	}
	p.Log.Info("run.finished", "event", "run.finished", "suite", s.ID, "status", string(s.Sum().Status), "cases", len(s.Entries),
		"done", counts[suite.Done], "kept", counts[suite.Kept], "skipped", counts[suite.Skipped], "took", s.FinishedAt.Sub(s.StartedAt).String())
}

func (p Publisher) warn(s suite.Suite, err error) {
	if err != nil {
		p.Log.Warn("tell of the suite", "suite", s.ID, "err", err)
	}
}

// view returns a suite for readers who may be elsewhere: with addresses on the web
// where those are known, and else with paths as seen from a folder; "" for none.
func (p Publisher) view(s suite.Suite, folder string) suite.View {
	return p.Links.Apply(s, s.View(folder))
}

// writeAlone writes one document where a person asked for it.
func (p Publisher) writeAlone(path string, s suite.Suite, v view) error {
	doc, err := v(p.view(s, filepath.Dir(path)))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return p.Store.WriteSuite(filepath.Dir(path), map[string][]byte{filepath.Base(path): doc})
}

// write stores views of a suite in a folder.
func write(store *evidence.Store, folder string, s suite.Suite, views map[string]view) error {
	files := map[string][]byte{}
	for name, v := range views {
		var err error
		if files[name], err = v(s.View(folder)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return store.WriteSuite(folder, files)
}

// tellStep adds to the step's files what came of a suite. Other steps write to them, too.
func (p Publisher) tellStep(s suite.Suite) error {
	var summary, output error
	if p.Step.Summary != "" {
		doc, err := report.Summary(p.view(s, ""))
		summary = errors.Join(err, appendTo("GITHUB_STEP_SUMMARY", p.Step.Summary, p.Mask("text/plain", doc)))
	}
	if p.Step.Output != "" {
		index := filepath.Join(p.Folder, "index.html")
		if strings.ContainsAny(index, "\r\n") { // it would be another value
			index = ""
		}
		output = appendTo("GITHUB_OUTPUT", p.Step.Output, fmt.Appendf(nil, "verdict=%s\nreport=%s\n", s.Sum().Status.Verdict(), index))
	}
	return errors.Join(summary, output)
}

func appendTo(variable, path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("%s: %w", variable, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", variable, err)
	}
	return nil
}
