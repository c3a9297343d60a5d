package wiring

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/patch"
	"github.com/assay-qa/assay/author/workcopy"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/tools/tool"
)

// newDraft makes what the toolset author writes tests with; nil where it is not on offer.
// Nothing is copied yet.
func newDraft(cfg config.Config, install driver.Options, getenv func(string) string, mask func(string) string) (*draft.Draft, error) {
	if !slices.Contains(cfg.Tools.Sets, string(tool.Author)) {
		return nil, nil
	}
	rules := patch.Rules{TestDir: cfg.Author.TestDir}
	if err := rules.Valid(); err != nil {
		return nil, config.Usage("author.test_dir: %w", err)
	}
	root, err := filepath.Abs(cfg.Author.Root)
	if err != nil {
		return nil, err
	}
	return &draft.Draft{
		Project: workcopy.Options{Folder: root, Cache: filepath.Join(install.CacheDir, "author"), Environ: []string{"PATH=" + getenv("PATH")}, Rules: rules},
		Prefix:  cfg.Author.BranchPrefix,
		Mask:    mask,
		TestRunner: func(ctx context.Context) (driver.TestRunner, error) {
			return driver.LocateTestRunner(ctx, install)
		},
	}, nil
}
