package driver

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/rest"
)

// driverPackage names the driver for npm; driverIntegrity is the hash that its registry published
// for exactly this version, so whichever registry or cache answers, the bytes are the known ones.
const (
	driverPackage   = "playwright-core@" + driverVersion
	driverIntegrity = "sha512-h7Qlt6m4REp25qvIdvbDtVmD4LqVXfpRxhORv9L0jzETM05p4fuPJ3dKyuSXQxDSbXnmS79HAgi9589lGSpLkg=="
)

const (
	npmTimeout    = 3 * time.Minute
	vendorTimeout = 3 * time.Minute
)

// stagingPrefix marks half-made folders in our cache. The owner's process id follows.
const stagingPrefix = "staging-"

// ErrDriverIntegrity reports a driver archive whose bytes are not the published ones.
var ErrDriverIntegrity = errors.New("the archive's checksum is not the published one")

// fetchDriver tries the sources that need a network, the checked one first.
func (in *installer) fetchDriver(ctx context.Context) (DriverInfo, bool) {
	target := in.driverTarget()
	if target == "" {
		in.record("npm "+driverPackage, OutcomeSkipped, nil, "no cache directory given")
		return DriverInfo{}, false
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		in.noCache = true
		in.record("assay's cache", OutcomeFailed, err, "cannot be written; the server needs the same other folder")
		return DriverInfo{}, false
	}
	if err := removeStale(filepath.Dir(target), stagingPrefix); err != nil {
		in.Log.Warn("leftovers of an interrupted install stay", "error", err)
	}
	sources := []struct {
		name  string
		fetch func(ctx context.Context, stage string) error
	}{
		{"npm " + driverPackage, in.host.fetchWithNpm},
		{"playwright-go's own download", fetchWithVendor},
	}
	for _, source := range sources {
		if ctx.Err() != nil {
			break
		}
		in.record(source.name, OutcomeTrying, nil, "into %s", target)
		if err := stageDriver(ctx, target, source.fetch); err != nil {
			in.record(source.name, OutcomeFailed, err, "")
			continue
		}
		in.record(source.name, OutcomeInstalled, nil, "%s", target)
		return DriverInfo{Dir: target, Version: driverVersion, Source: source.name}, true
	}
	return DriverInfo{}, false
}

// stageDriver lets fetch fill a folder beside the target and moves it into place whole, so that an
// interrupted fetch leaves no half driver and of two installs at once both end with a good one.
func stageDriver(ctx context.Context, target string, fetch func(context.Context, string) error) (err error) {
	work, err := makeOwnedDir(filepath.Dir(target), stagingPrefix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	stage := filepath.Join(work, "driver")
	if err := os.Mkdir(stage, 0o755); err != nil {
		return fmt.Errorf("making the staging folder: %w", err)
	}
	if err := fetch(ctx, stage); err != nil {
		return err
	}
	if err := checkDriverDir(stage); err != nil {
		return fmt.Errorf("checking what was fetched: %w", err)
	}
	return moveIntoPlace(stage, target, filepath.Join(work, "old"))
}

// moveIntoPlace renames stage to target. Losing the race against another install is a success; an
// unusable target (no install of ours leaves one) is moved aside first.
func moveIntoPlace(stage, target, aside string) error {
	err := os.Rename(stage, target)
	if err == nil || checkDriverDir(target) == nil {
		return nil
	}
	if errOld := os.Rename(target, aside); errOld != nil && !errors.Is(errOld, os.ErrNotExist) {
		return fmt.Errorf("moving the unusable driver out of the way: %w", errOld)
	}
	if err = os.Rename(stage, target); err == nil || checkDriverDir(target) == nil {
		return nil
	}
	return fmt.Errorf("moving the driver into place: %w", err)
}

// fetchWithNpm uses the user's npm, and with it their registry, proxy and certificates.
func (h hostSystem) fetchWithNpm(ctx context.Context, stage string) error {
	npm, ok := h.lookPath("npm")
	if !ok {
		return errors.New("no program named npm on the PATH")
	}
	dest := filepath.Dir(stage)
	pack := installCommand{
		path: npm,
		// --prefer-offline: what npm's own cache holds needs no network, and the checksum is ours to check.
		args:    []string{"pack", driverPackage, "--pack-destination", dest, "--ignore-scripts", "--prefer-offline", "--loglevel=error"},
		dir:     dest,
		environ: h.environ,
		timeout: npmTimeout,
	}
	if _, err := pack.run(ctx); err != nil {
		return err
	}
	archive, err := onlyArchive(dest)
	if err != nil {
		return err
	}
	if err := checkIntegrity(archive, driverIntegrity); err != nil {
		return fmt.Errorf("%s from npm: %w", driverPackage, err)
	}
	return extractTarball(archive, stage)
}

// onlyArchive finds what npm packed; its name is npm's affair.
func onlyArchive(dir string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil {
		return "", fmt.Errorf("looking for the archive that npm made: %w", err)
	}
	if len(found) != 1 {
		return "", fmt.Errorf("npm pack ended well but left %d archives, expected is one", len(found))
	}
	return found[0], nil
}

// checkIntegrity compares a file with a hash in the form that npm prints.
func checkIntegrity(path, want string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	defer f.Close()
	sum := sha512.New()
	if n, err := io.Copy(sum, io.LimitReader(f, maxArchiveBytes+1)); err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	} else if n > maxArchiveBytes {
		return fmt.Errorf("%w: it is larger than %d bytes", ErrDriverIntegrity, maxArchiveBytes)
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("%w: got %s, want %s", ErrDriverIntegrity, got, want)
	}
	return nil
}

// fetchWithVendor runs the Go client's own download. It has neither a context nor a time-out and
// unpacks as it reads, hence the staging folder and the goroutine, which may outlive a cancelled
// install and then fails on its removed folder.
func fetchWithVendor(ctx context.Context, stage string) error {
	vendor, err := playwright.NewDriver(&playwright.RunOptions{
		DriverDirectory:     stage,
		SkipInstallBrowsers: true,
		Stdout:              io.Discard, // its default is our stdout
		Stderr:              io.Discard,
		Logger:              slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return fmt.Errorf("preparing the download: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, vendorTimeout)
	defer cancel()
	_, err = rest.Answer(ctx, func() (struct{}, error) { return struct{}{}, vendor.DownloadDriver() }, rest.Policy{})
	if ctx.Err() != nil {
		return fmt.Errorf("no end within %s: %w", vendorTimeout, context.Cause(ctx))
	}
	return err
}
