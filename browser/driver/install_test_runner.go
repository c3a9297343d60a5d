package driver

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// runnerFiles is the project that npm installs: the exact versions of the runner of
// Playwright tests, of the parser that it bundles, and of what checks their style, with
// the hash of each package.
//
//go:embed testrunner/package.json testrunner/package-lock.json
var runnerFiles embed.FS

const runnerTimeout = 5 * time.Minute

// TestRunner is the installed runner of Playwright tests, with its parser, eslint and
// prettier.
type TestRunner struct {
	Dir         string // holds node_modules
	Version     string // of @playwright/test
	Node        string // path of the Node executable
	NodeVersion string
}

// Modules returns the folder of the runner's packages.
func (r TestRunner) Modules() string { return filepath.Join(r.Dir, "node_modules") }

// InstallTestRunner installs the pinned runner of Playwright tests, its parser, eslint
// and prettier into the cache with npm, unless they are there. Packages run no scripts,
// and each has to have the hash that the lock file names.
func InstallTestRunner(ctx context.Context, opts Options) (TestRunner, error) {
	return newInstaller(opts).testRunner(ctx)
}

// LocateTestRunner finds the pinned test runner in the cache, and fetches nothing.
func LocateTestRunner(ctx context.Context, opts Options) (TestRunner, error) {
	opts.NoDownload = true
	return newInstaller(opts).testRunner(ctx)
}

// LocateNode finds the Node that runs test runners.
func LocateNode(ctx context.Context, opts Options) (path, version string, err error) {
	in := newInstaller(opts)
	driver, _ := in.findDriver() // its own Node is looked at, if it has one
	path, version, err = in.node(ctx, driver.Dir)
	if err != nil {
		return "", "", &InstallError{What: fmt.Sprintf("no Node.js %d or newer, which runs Playwright tests", minNodeMajor), Tried: in.steps, Remedy: in.nodeRemedy(), Err: err}
	}
	return path, version, nil
}

func (in *installer) testRunner(ctx context.Context) (TestRunner, error) {
	r := TestRunner{Version: driverVersion}
	lock, err := runnerFiles.ReadFile("testrunner/package-lock.json")
	if err != nil {
		return r, err
	}
	sum := sha256.Sum256(lock)
	if in.CacheDir == "" {
		return r, &InstallError{What: "no test runner: there is no cache folder to keep it in", Remedy: in.runnerLine()}
	}
	r.Dir = filepath.Join(in.CacheDir, "test-runner", driverVersion+"-"+hex.EncodeToString(sum[:4]))
	if r.Node, r.NodeVersion, err = in.node(ctx, ""); err != nil {
		return r, &InstallError{What: fmt.Sprintf("no Node.js %d or newer, which runs the test runner", minNodeMajor), Tried: in.steps, Remedy: in.nodeRemedy(), Err: err}
	}
	start := len(in.steps)
	switch err := checkRunnerDir(r.Dir); {
	case err == nil:
		in.record("assay's cache", OutcomeFound, nil, "%s", r.Dir)
		return r, nil
	case errors.Is(err, fs.ErrNotExist):
		in.record("assay's cache", OutcomeMissing, nil, "no test runner in %s", r.Dir)
	default:
		in.record("assay's cache", OutcomeFailed, err, "%s", r.Dir)
	}
	if in.NoDownload {
		return r, &InstallError{What: "no test runner (@playwright/test " + driverVersion + ")", Tried: in.since(start), Remedy: in.runnerLine()}
	}
	if err := in.fetchRunner(ctx, r.Dir); err != nil {
		in.record("npm ci", OutcomeFailed, err, "")
		if stopped := cancelled(ctx, "installing the test runner"); stopped != nil {
			return r, stopped
		}
		return r, &InstallError{What: "no test runner (@playwright/test " + driverVersion + ")", Tried: in.since(start), Remedy: in.runnerRemedy()}
	}
	in.record("npm ci", OutcomeInstalled, nil, "%s", r.Dir)
	return r, nil
}

// runnerRemedy is the npm that was lacking, or the same again once the network is back.
func (in *installer) runnerRemedy() string {
	if _, ok := in.host.lookPath("npm"); !ok {
		return in.nodeRemedy()
	}
	return in.runnerLine()
}

// runnerLine returns our own command for the test runner.
func (in *installer) runnerLine() string { return in.Program + " install --test-runner" }

// fetchRunner lets npm fill a folder beside the target and moves it into place whole.
func (in *installer) fetchRunner(ctx context.Context, target string) (err error) {
	npm, ok := in.host.lookPath("npm")
	if !ok {
		return errors.New("no program named npm on the PATH")
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	if err := removeStale(filepath.Dir(target), stagingPrefix); err != nil {
		in.Log.Warn("leftovers of an interrupted install stay", "error", err)
	}
	work, err := makeOwnedDir(filepath.Dir(target), stagingPrefix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	stage := filepath.Join(work, "runner")
	if err := os.Mkdir(stage, 0o755); err != nil {
		return fmt.Errorf("making the staging folder: %w", err)
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := runnerFiles.ReadFile("testrunner/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(stage, name), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	in.record("npm ci", OutcomeTrying, nil, "into %s", target)
	install := installCommand{path: npm, args: []string{"ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"}, dir: stage, timeout: runnerTimeout,
		environ: in.host.environ, env: []string{"PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1"}}
	if _, err := install.run(ctx); err != nil {
		return err
	}
	if err := checkRunnerDir(stage); err != nil {
		return fmt.Errorf("checking what npm installed: %w", err)
	}
	if _, err := os.Stat(target); err == nil {
		if err := os.Rename(target, filepath.Join(work, "old")); err != nil {
			return fmt.Errorf("moving the unusable test runner out of the way: %w", err)
		}
	}
	if err := os.Rename(stage, target); err != nil && checkRunnerDir(target) != nil {
		return fmt.Errorf("moving the test runner into place: %w", err)
	}
	return nil
}

// checkRunnerDir accepts a folder that has all programs of the runner. One without
// node_modules is fs.ErrNotExist.
func checkRunnerDir(dir string) error {
	for _, name := range []string{"@playwright/test/cli.js", "playwright-core/package.json", "eslint/bin/eslint.js",
		"eslint-plugin-playwright/package.json", "prettier/package.json", "@babel/parser/package.json"} {
		if _, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("the test runner is incomplete: %w", err)
		}
	}
	return nil
}
