package runner

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/publish"
	"github.com/assay-qa/assay/tools/workspace"
)

// Runner prepares and runs one suite in one environment.
type Runner struct {
	Config   config.Config
	DataDir  string               // absolute
	Desk     *workspace.Workspace // each case has a fork of it
	Reader   load.Reader          // but for its target, variables and base address
	Vault    *secrets.Vault
	BaseURL  string // wins over that of the environment; empty: that holds
	CI       bool   // runs where no person sits at a terminal
	Version  string
	Provider func(config.Agent) (provider.Provider, error)
	Confirm  func(ctx context.Context, question string) (bool, error) // asks a person about a destructive action
	// CheckModel refuses the model of an environment, if the folder says it and nobody has trusted the folder; nil: all are trusted.
	CheckModel func(env string) error

	Budgets config.Budgets // of the profile
	Links   suite.Links    // where people elsewhere find the reports
	Step    publish.Step   // of the workflow on GitHub that this runs in
	// Environment makes a fork of Desk for an environment of the profile's matrix.
	Environment func(name string) (*workspace.Workspace, error)
	// Progress reports what happens in case i of n; may be nil. Several
	// goroutines call it.
	Progress func(i, n int, path string, message pagetext.Text)

	Now func() time.Time
	Log *slog.Logger

	recordings recordings // how those of specs are used
}

// Prepared holds a suite whose files passed their checks.
type Prepared struct {
	Suite     suite.Suite
	Files     [][]string // absolute paths of the files that say what each case does
	cases     []suite.Case
	needsHere []string // by case; see NeedsHere
	store     suite.Store
	publisher publish.Publisher
}

// IndexPath returns where the suite's index is written.
func (p Prepared) IndexPath() string { return filepath.Join(p.publisher.Folder, "index.html") }

// Index returns the path of the suite's index; empty: it could not be written.
func (p Prepared) Index() string {
	if _, err := os.Stat(p.IndexPath()); err != nil {
		return ""
	}
	return p.IndexPath()
}

// Publisher returns what has written the suite's documents.
func (p Prepared) Publisher() publish.Publisher { return p.publisher }

// ReportDir returns the folder with the readable copy of the reports; empty: there is
// none, or it could not be written.
func (p Prepared) ReportDir() string {
	if p.publisher.Readable == nil || !p.publisher.Readable.Written() {
		return ""
	}
	return p.publisher.Readable.Dir
}

// Prepare reads the files of a request, and makes a suite of what is selected; old
// is the suite that it resumes, if any (see [Request.Previous]). Nothing runs yet.
func (rn *Runner) Prepare(ctx context.Context, r Request, old suite.Suite) (q Prepared, err error) {
	cfg, d := rn.Config, rn.Desk
	q.store = Store(rn.DataDir)
	d.Target.BaseURL = cmp.Or(rn.BaseURL, d.Target.BaseURL)
	p, err := planMatrix(ctx, rn, plan{request: r, selection: old.Selection})
	if err != nil {
		return q, err
	}
	q.cases = p.cases
	for _, f := range p.files {
		files, err := rn.filesOf(f)
		if err != nil {
			return q, err
		}
		q.Files, q.needsHere = append(q.Files, files), append(q.needsHere, f.NeedsHere(len(cfg.Network.UploadRoots) > 0))
	}
	asked, err := load.Absolute(r.Paths)
	if err != nil {
		return q, err
	}
	q.Suite = suite.New(rn.suiteID(), d.Target.BaseURL, asked, q.cases)
	if err := quarantine(q.Suite.Entries, cfg.Quarantines, rn.Now(), rn.Log); err != nil {
		return q, err
	}
	q.Suite.Selection, q.Suite.Setup = p.selection, setup(d, agentConfig(cfg, d), p.replay, p)
	if r.Resume != "" {
		q.Suite = suite.Resume(q.Suite, old)
		requeueUnverified(ctx, rn.DataDir, cfg.Compliance.TrustedKeys, q.Suite.Entries)
		requeueSignIns(q.Suite.Entries, p.files)
	}
	q.publisher = publish.Publisher{Store: d.Store, Folder: q.store.Folder(q.Suite.ID), Links: rn.Links, Summary: r.Summary, JUnit: r.JUnit, Step: rn.Step,
		Webhook: string(cfg.Notify.Webhook), Format: cfg.Notify.Format, Mask: rn.Vault.MaskFile, Log: rn.Log}
	if r.ReportDir != "" {
		sent, err := evidence.Open(q.store.Folder(q.Suite.ID), rn.Now)
		if err != nil {
			return q, err
		}
		q.publisher.Readable = &publish.Folder{Dir: r.ReportDir, Store: d.Store, Sent: sent, Foreign: r.ReportForced, MaxPixels: d.MaxPixels}
	}
	return q, nil
}

// filesOf returns the files that say what a case does: its own and, where it is signed in as a role, those that sign
// roles in.
func (rn *Runner) filesOf(f load.Case) ([]string, error) {
	files := f.Files()
	if f.Role() == "" || len(rn.Reader.LoginFlows) == 0 {
		return files, nil
	}
	logins, err := load.Absolute(rn.Reader.LoginFlows)
	return append(files, logins...), err
}

// suiteID names a suite. Ids sort by time.
func (rn *Runner) suiteID() string {
	return rn.Now().UTC().Format("20060102T150405.000Z") + "-" + strings.ToLower(rand.Text()[:6])
}

// Run runs a suite, stores and publishes it with each change, and calls watch with
// it, one change at a time. An error says that nothing can be run here at all.
func (rn *Runner) Run(ctx context.Context, q Prepared, parallel int, watch func(suite.Suite)) (suite.Suite, error) {
	if err := disk.MakeDataFolder(rn.DataDir); err != nil {
		return q.Suite, config.Usage("data folder: %w", err)
	}
	q.Suite.StartedAt = rn.Now()
	rn.Log.Info("run.started", "event", "run.started", "suite", q.Suite.ID, "cases", len(q.cases), "parallel", parallel)
	if past, err := q.store.WithHistory(q.Suite); err != nil {
		rn.Log.Warn("look up the trend of the cases", "err", err)
	} else {
		q.Suite = past
	}
	changed := func(s suite.Suite, i int) error {
		if i >= 0 && s.Entries[i].State == suite.Done {
			e := s.Entries[i]
			rn.Log.Info("case finished", "specPath", e.Path, "status", string(e.Result.Status), "runId", e.Result.RunID, "tookMs", e.Result.DurationMS)
		}
		watch(s)
		q.publisher.Publish(ctx, s)
		return q.store.Write(s)
	}
	s, err := suite.Run(ctx, q.Suite, q.cases, suite.Options{Parallel: parallel, Now: rn.Now, Changed: changed})
	if err != nil {
		return s, withRemedy(err)
	}
	return s, nil
}

// withRemedy adds to a browser's error what to do about it. A missing driver is a
// matter of the set-up.
func withRemedy(err error) error {
	var be *explain.Error
	if !errors.As(err, &be) {
		return err
	}
	said := err
	if be.Hint != "" {
		said = fmt.Errorf("%s (%s)", be.Message.Line(), be.Hint)
	}
	if be.Code == explain.DriverMissing { // in the words of all commands
		return config.Usage("%s; %s", be.Message.Line(), be.Hint)
	}
	return said
}
