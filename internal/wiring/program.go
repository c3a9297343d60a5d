package wiring

import (
	"log/slog"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/internal/wait"
)

// Program holds what the rooms need of the program that runs: its environment,
// clock and log, and what its flags choose.
type Program struct {
	Version string
	Command string // by which a person calls this program; empty: assay
	Getenv  func(string) string
	Environ []string // what Getenv reads, whole: for programs that are the person's own; nil: that of this process
	Now     func() time.Time
	Log     *slog.Logger
	Env     string         // environment under test; empty: ASSAY_ENV, or the only one
	BaseURL string         // the environment is there instead
	Profile config.Profile // whose environments pages may reach, too
	Vault   *secrets.Vault // of the configured secrets
	// Browsers has the driver and the browsers that are used; nil: a desk has its own.
	Browsers *browser.Pool
	Waits    wait.Waits // of its browsers; zero: [wait.Standard]

	Folder Folder // the working folder, which may be a stranger's
}

// WritableDataDir returns the data folder, and refuses one that takes no file: a run
// would end without a report.
func WritableDataDir(cfg config.Config) (string, error) {
	dir, err := DataDir(cfg)
	if err != nil {
		return "", err
	}
	err = disk.TryFolder(dir)
	if disk.OutOfFiles(err) {
		return "", config.Usage("%w", disk.Explain(err))
	}
	if err != nil {
		return "", config.Usage("the data folder %s can't be written (%w): name another one with --data-dir FOLDER, or run assay in another folder", dir, err)
	}
	return dir, nil
}

// DataDir returns the data folder as an absolute path.
func DataDir(cfg config.Config) (string, error) {
	dir, err := filepath.Abs(cfg.DataDir)
	if err != nil {
		return "", config.Usage("data directory %s: %w", cfg.DataDir, err)
	}
	return dir, nil
}
