package wiring

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/workspace"
)

// callLimit bounds a call whose caller set no time-out (design §5).
const callLimit = 45 * time.Second

// Install says where driver and browser are looked for.
func (p Program) Install(cfg config.Config) (driver.Options, error) {
	home, err := os.UserHomeDir()
	if err != nil { // nothing is looked for there
		home = ""
	}
	cache, err := os.UserCacheDir()
	if err != nil { // without a home directory the data folder is the only place of ours
		if cache, err = DataDir(cfg); err != nil {
			return driver.Options{}, err
		}
	}
	return driver.Options{
		Program:  p.Command,
		CacheDir: filepath.Join(cache, "assay"), HomeDir: home,
		ExecutablePath: cfg.Browser.ExecutablePath, Browser: cfg.Browser.Type, Headed: !cfg.Browser.Headless,
		Getenv: p.Getenv, Environ: p.Environ, TempDir: os.TempDir(), DataDir: cfg.DataDir, Log: p.Log,
	}, nil
}

// Desk wires the tools to a browser pool and a store. Nothing runs yet.
func (p Program) Desk(cfg config.Config) (*workspace.Workspace, error) {
	cfg, err := p.inEnvironment(cfg)
	if err != nil {
		return nil, err
	}
	install, err := p.Install(cfg)
	if err != nil {
		return nil, err
	}
	dir, err := DataDir(cfg)
	if err != nil {
		return nil, err
	}
	store, err := evidence.Open(dir, p.Now)
	if err != nil {
		return nil, config.Usage("data directory: %w", err)
	}
	baselines, err := baseline.Open(dir, p.Now)
	if err != nil {
		return nil, config.Usage("data directory: %w", err)
	}
	store.Mask = p.Vault.MaskFile
	log := p.Ledger(cfg, dir)
	store.Log, baselines.Log = log, log
	store.Stamp = p.stamp(cfg)
	store.NoPictureHashes, store.NoAudit = !cfg.Compliance.ScreenshotHashing, !cfg.Compliance.AuditLogging
	target, err := p.target(cfg, dir)
	if err != nil {
		return nil, err
	}
	uploads, downloads, err := exchangeFolders(cfg)
	if err != nil {
		return nil, err
	}
	states, err := stateFolders(cfg)
	if err != nil {
		return nil, err
	}
	options, err := guarded(browser.Options{
		Install: install, TempDir: os.TempDir(), Browsers: p.Browsers, Waits: p.Waits,
		Type: cfg.Browser.Type, Headed: !cfg.Browser.Headless,
		Width: cfg.Browser.Viewport.Width, Height: cfg.Browser.Viewport.Height,
		Locale: cfg.Browser.Locale, Timezone: cfg.Browser.Timezone,
		Timeout:     time.Duration(cfg.Browser.TimeoutMS) * time.Millisecond,
		MaxSessions: cfg.Limits.MaxSessions, MaxPixels: cfg.Limits.MaxPixels, MemoryLimit: int64(cfg.Limits.MemoryMB) << 20, CPUPercent: cfg.Limits.CPUPercent,
		Network: p.NetworkLists(cfg),
		Mask:    p.Vault.Mask, Secrets: p.Vault.Values,
		UploadRoots: uploads, StateRoots: states, DownloadDir: downloads,
		Now: p.Now, Log: p.Log, Warmed: driver.Trim,
	}, cfg.Guard)
	if err != nil {
		return nil, err
	}
	if err := pagehealth.KnownHealth(cfg.Health.Ignore); err != nil {
		return nil, config.Usage("health.ignore: %w", err)
	}
	fatal, err := patterns("health.fatal_console", cfg.Health.FatalConsole)
	if err != nil {
		return nil, err
	}
	tests, err := newDraft(cfg, install, p.Getenv, p.Vault.Mask)
	if err != nil {
		return nil, err
	}
	hardLimit := time.Duration(cfg.Limits.TimeoutMS) * time.Millisecond
	return &workspace.Workspace{Settings: workspace.Settings{
		Pool: browser.NewPool(options), Store: store, Limit: min(callLimit, hardLimit), HardLimit: hardLimit, Watch: time.Duration(cfg.Browser.WatchMS) * time.Millisecond,
		MaxPixels: cfg.Limits.MaxPixels, Sets: cfg.Tools.Sets, Evaluate: cfg.Tools.Evaluate,
		HealthIgnore: cfg.Health.Ignore, FatalConsole: fatal, KeepDownloads: downloads != "", Trace: cfg.Browser.Trace,
		Screenshot: browser.ShotOptions{Format: cfg.Screenshots.Format, FullPage: cfg.Screenshots.FullPage, Quality: cfg.Screenshots.Quality},
		Baselines:  baselines,
		Visual: workspace.VisualDefaults{Engine: cfg.Visual.Engine, Threshold: cfg.Visual.Threshold, NamedChanges: cfg.Visual.NamedChanges, IgnoreAntialiasing: cfg.Visual.IgnoreAntialiasing,
			IgnoreColors: cfg.Visual.IgnoreColors, AutoCapture: cfg.Visual.AutoCapture},
		Environment: p.reported(cfg, qa.Environment{AssayVersion: p.Version, Browser: cfg.Browser.Type, OS: runtime.GOOS, Arch: runtime.GOARCH}, target),
		Target:      target, Secrets: p.Vault, Untrusted: workspace.Untrusted{Secrets: p.Folder.withheldSecrets(), TypedOn: p.Folder.TypedOn},
		Draft: tests, Views: report.Views, Now: p.Now, Log: p.Log,
	}}, nil
}

// patterns compiles regular expressions of a setting.
func patterns(setting string, texts []string) ([]*regexp.Regexp, error) {
	var out []*regexp.Regexp
	for _, text := range texts {
		p, err := regexp.Compile(text)
		if err != nil {
			return nil, config.Usage("%s: %w", setting, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// Ledger opens the log of a data folder, signing with the configured key.
func (p Program) Ledger(cfg config.Config, dir string) *ledger.Ledger {
	var o ledger.Options
	if err := p.Folder.Check("compliance.signing_key", "the evidence log"); err != nil { // another key would sign a log that nobody continues
		o.Key = func() (string, error) { return "", err }
	} else if cfg.Compliance.SigningKey != "" {
		const name = "[compliance] signing_key"
		source := secrets.New(map[string]string{name: string(cfg.Compliance.SigningKey)}, p.Getenv)
		source.Environ = p.Environ
		o.Key = func() (string, error) { return source.Reveal(context.Background(), name) }
	}
	return ledger.Open(dir, p.Now, o)
}

// stateFolders returns the folders from which storage states may be read, as
// absolute paths: the working folder, that of the data, and those that are
// configured.
func stateFolders(cfg config.Config) ([]string, error) {
	var out []string
	for _, root := range append([]string{".", cfg.DataDir}, cfg.Network.StateRoots...) {
		dir, err := filepath.Abs(root)
		if err != nil {
			return nil, config.Usage("network.state_roots %s: %w", root, err)
		}
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out, nil
}

// exchangeFolders returns the folders for uploads and downloads, as absolute
// paths.
func exchangeFolders(cfg config.Config) (uploads []string, downloads string, err error) {
	for _, root := range cfg.Network.UploadRoots {
		dir, err := filepath.Abs(root)
		if err != nil {
			return nil, "", config.Usage("network.upload_roots %s: %w", root, err)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, "", config.Usage("network.upload_roots: %s is no folder: create it, or take it out", dir)
		}
		uploads = append(uploads, dir)
	}
	if cfg.Network.DownloadDir != "" {
		if downloads, err = filepath.Abs(cfg.Network.DownloadDir); err != nil {
			return nil, "", config.Usage("network.download_dir %s: %w", cfg.Network.DownloadDir, err)
		}
	}
	return uploads, downloads, nil
}
