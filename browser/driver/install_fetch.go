package driver

import (
	"context"
	"path/filepath"
	"time"
)

const (
	browserDownloadTimeout = 10 * time.Minute // 100–300 MB
)

// fetchBrowser tries Playwright's download, then the system's packages.
func (in *installer) fetchBrowser(ctx context.Context, driver DriverInfo) (BrowserInfo, bool) {
	if in.downloadWithPlaywright(ctx, driver) {
		if info, ok := in.findInPlaywrightCache(driver); ok {
			info.Source = "Playwright's download"
			if in.WithDeps && in.Browser == "webkit" { // whether it starts cannot be checked
				in.installPackages(ctx, driver)
			}
			return info, true
		}
	}
	if ctx.Err() != nil || in.Browser != "chromium" || !in.installPackages(ctx, driver) {
		return BrowserInfo{}, false
	}
	for _, place := range in.systemPlaces() {
		if info, ok := in.tryPlace(place); ok {
			info.Source = stepOSPackages
			return info, true
		}
	}
	return BrowserInfo{}, false
}

// downloadWithPlaywright runs the driver's own installer for the one build that is needed.
func (in *installer) downloadWithPlaywright(ctx context.Context, driver DriverInfo) bool {
	const name = "Playwright's download"
	cache := in.playwrightCache(driver.Dir)
	if cache == "" {
		in.record(name, OutcomeSkipped, nil, "no home directory given")
		return false
	}
	build := in.registryNames()[0]
	in.record(name, OutcomeTrying, nil, "%s into %s", build, cache)
	args := []string{"install", build}
	if build == "chromium" {
		args = append(args, "--no-shell")
	}
	if _, err := in.driverCommand(driver, cache, args...).run(ctx); err != nil {
		in.record(name, OutcomeFailed, err, "")
		return false
	}
	in.record(name, OutcomeInstalled, nil, "%s into %s", build, cache)
	return true
}

// driverCommand returns the driver's command line, kept to the cache that we look into afterwards and to a
// connection time-out that a dead network meets quickly.
func (in *installer) driverCommand(driver DriverInfo, cache string, args ...string) installCommand {
	env := []string{"PLAYWRIGHT_BROWSERS_PATH=" + cache}
	if in.Getenv("PLAYWRIGHT_BROWSERS_PATH") == "0" {
		env = nil // the driver finds its own folder
	}
	if in.Getenv("PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT") == "" {
		env = append(env, "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT=15000")
	}
	for _, name := range whereFrom() {
		if value := in.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return installCommand{
		path:    driver.Node,
		args:    append([]string{filepath.Join(driver.Dir, "package", "cli.js")}, args...),
		env:     env,
		timeout: browserDownloadTimeout,
	}
}

// browserPackage returns Debian's name. Ubuntu has none but a snap; apt
// reports that.
func (in *installer) browserPackage() string {
	if in.Headed {
		return "chromium"
	}
	return "chromium-headless-shell"
}

// installPackages installs what the browser needs from the system, and reports whether the browser's
// own package is there now.
func (in *installer) installPackages(ctx context.Context, driver DriverInfo) bool {
	if why := in.packages.whyNot(); why != "" {
		in.record(stepOSPackages, OutcomeSkipped, nil, "%s", why)
		return false
	}
	if in.Browser == "chromium" {
		return in.packages.install(ctx, append([]string{in.browserPackage()}, fontPackages()...))
	}
	in.record(stepOSPackages, OutcomeTrying, nil, "what %s needs", in.Browser)
	deps := in.driverCommand(driver, in.playwrightCache(driver.Dir), "install-deps", in.Browser)
	if _, err := deps.run(ctx); err != nil {
		in.record(stepOSPackages, OutcomeFailed, err, "")
		return false
	}
	in.record(stepOSPackages, OutcomeInstalled, nil, "what %s needs", in.Browser)
	return true
}

// ensureFonts installs what pages need to be readable. It is no reason to fail: a page without its
// fonts shows boxes and works.
func (in *installer) ensureFonts(ctx context.Context) {
	fonts := in.host.findFonts()
	if len(fonts.missing()) == 0 {
		in.record("fonts", OutcomeFound, nil, "%s", fonts)
		return
	}
	if why := in.packages.whyNot(); why != "" {
		in.record("fonts", OutcomeSkipped, nil, "%s; %s", fonts, why)
		return
	}
	in.packages.install(ctx, fontPackages())
}
