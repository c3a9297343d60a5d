package wiring

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/loop"
	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/author/workcopy"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/trust"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// newDraft makes what the toolset author writes tests with; nil where it is not on offer.
// Nothing is copied yet.
func newDraft(cfg config.Config, install driver.Options, getenv func(string) string, mask func(string) string) (*draft.Draft, error) {
	if !slices.Contains(cfg.Tools.Sets, string(tool.Author)) {
		return nil, nil
	}
	rules := workcopy.Rules{TestDir: cfg.Author.TestDir}
	if err := rules.Valid(); err != nil {
		return nil, config.Usage("author.test_dir: %w", err)
	}
	root, err := filepath.Abs(cfg.Author.Root)
	if err != nil {
		return nil, err
	}
	testRunner := func(ctx context.Context) (driver.TestRunner, error) { return driver.LocateTestRunner(ctx, install) }
	return &draft.Draft{
		Project:    workcopy.Options{Folder: root, Cache: filepath.Join(install.CacheDir, "author"), Environ: []string{"PATH=" + getenv("PATH")}, Rules: rules},
		Prefix:     cfg.Author.BranchPrefix,
		Mask:       mask,
		TestRunner: testRunner, Reader: &script.Reader{Runner: testRunner},
	}, nil
}

// AuthorRuns makes what runs the tests that a model writes, within limits; walls says
// how far they are kept from the system. Their browser reaches the hosts of the site
// under test and those that are configured.
func (p Program) AuthorRuns(ctx context.Context, cfg config.Config, d *workspace.Workspace, environ []string) (runs *loop.Runs, walls string, err error) {
	runner, err := p.TestRunner(cfg, environ)
	if err != nil {
		return nil, "", err
	}
	root, err := trust.RealPath(cmp.Or(cfg.Author.Root, "."))
	if err == nil {
		err = p.Folder.checkTests(root)
	}
	if err != nil {
		return nil, "", config.Usage("%w", err)
	}
	copies, err := filepath.Abs(filepath.Join(runner.Install.CacheDir, "author"))
	if err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(copies, disk.DirPerm); err != nil {
		return nil, "", err
	}
	if copies, err = trust.RealPath(copies); err != nil {
		return nil, "", err
	}
	runner.Trusted = append(slices.Clip(runner.Trusted), trust.Folder{Path: copies, Any: true}) // a copy of what is trusted
	runner.BaseURL = cmp.Or(runner.BaseURL, d.Target.BaseURL)
	runner.Network.AllowedHosts = load.Hosts("", runner.BaseURL, runner.Network.AllowedHosts)
	runs = &loop.Runs{Draft: d.Draft, Runner: runner, TestDir: cfg.Author.TestDir, FormatBy: cfg.Author.FormatCommand, CheckBy: cfg.Author.TestCommand, Seed: 1}
	bwrap, why := testrun.FindBwrap(ctx, p.Getenv("PATH"))
	if runs.Bwrap = bwrap; bwrap == "" {
		return runs, "with a scrubbed environment and bounded resources (" + why + ")", nil
	}
	if runner.Install.HomeDir != "" {
		runs.Hide = []string{runner.Install.HomeDir}
	}
	return runs, "within bwrap", nil
}
