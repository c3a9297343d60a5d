package driver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pattern"
)

const browserProbeTimeout = 15 * time.Second

// browserPlace describes one place where a browser may be.
type browserPlace struct {
	source string
	paths  []string // the first that is there is taken
}

// browser finds a browser, fetches one when there is none, and (unless only locating) makes sure that
// it starts.
func (in *installer) browser(ctx context.Context, driver DriverInfo) (BrowserInfo, error) {
	start := len(in.steps)
	info, ok, err := in.findBrowser(driver)
	if err != nil {
		return info, err
	}
	if !ok && !in.NoDownload {
		info, ok = in.fetchBrowser(ctx, driver)
	}
	if !ok {
		if err := cancelled(ctx, "installing the browser"); err != nil {
			return info, err
		}
		return info, &InstallError{What: in.noBrowser(), Tried: in.since(start), Remedy: in.browserRemedy()}
	}
	if in.NoDownload {
		return info, nil
	}
	return in.ensureStarts(ctx, info, driver)
}

func (in *installer) noBrowser() string {
	if in.Headed {
		return "no " + in.Browser + " browser that can show a window"
	}
	return "no " + in.Browser + " browser"
}

// findBrowser looks at files only, in the order in which browsers are preferred. A configured browser
// is not replaced by another one: the caller wanted that one, and baselines belong to it.
func (in *installer) findBrowser(driver DriverInfo) (BrowserInfo, bool, error) {
	if in.ExecutablePath != "" {
		info, err := in.configuredBrowser()
		return info, err == nil, err
	}
	in.record("configured path", OutcomeSkipped, nil, "not set")
	if info, ok := in.findInPlaywrightCache(driver); ok {
		return info, true, nil
	}
	for _, place := range in.systemPlaces() {
		if info, ok := in.tryPlace(place); ok {
			return info, true, nil
		}
	}
	return BrowserInfo{}, false, nil
}

func (in *installer) configuredBrowser() (BrowserInfo, error) {
	const source = "configured path"
	start := len(in.steps)
	if !in.host.isExecutable(in.ExecutablePath) {
		err := fmt.Errorf("%s is no executable file", in.ExecutablePath)
		in.record(source, OutcomeFailed, err, "")
		return BrowserInfo{}, &InstallError{
			What:   "the configured browser cannot be used; correct executable_path, or remove it and a browser is found",
			Tried:  in.since(start),
			Remedy: in.installLine(""),
		}
	}
	path, err := in.host.realExecutable(in.ExecutablePath)
	switch {
	case err != nil: // a script of the user's own: its flags may be the point of it
		path = in.ExecutablePath
		in.record(source, OutcomeFound, nil, "%s, as it is (%v)", path, err)
	case path != in.ExecutablePath:
		in.record(source, OutcomeFound, nil, "%s, the real file behind %s", path, in.ExecutablePath)
	default:
		in.record(source, OutcomeFound, nil, "%s", path)
	}
	return in.browserInfo(path, "", source), nil
}

// systemPlaces lists where the system keeps the browser. Firefox and WebKit have no such place:
// Playwright drives only its own builds of them.
func (in *installer) systemPlaces() []browserPlace {
	if in.Browser != "chromium" {
		return nil
	}
	return in.host.chromiumPlaces(in.Headed)
}

// tryPlace takes the first usable browser of a place and says why the others would not do.
func (in *installer) tryPlace(place browserPlace) (BrowserInfo, bool) {
	var unsuitable []string
	for _, candidate := range place.paths {
		if !in.host.isExecutable(candidate) {
			continue
		}
		path, err := in.host.realExecutable(candidate)
		if err != nil {
			unsuitable = append(unsuitable, err.Error())
			continue
		}
		if path == candidate {
			in.record(place.source, OutcomeFound, nil, "%s", path)
		} else {
			in.record(place.source, OutcomeFound, nil, "%s, the real file behind %s", path, candidate)
		}
		return in.browserInfo(path, "", place.source), true
	}
	if len(unsuitable) > 0 {
		in.record(place.source, OutcomeMissing, nil, "%s", strings.Join(unsuitable, "; "))
	} else {
		in.record(place.source, OutcomeMissing, nil, "none of %s", shortList(place.paths, 4))
	}
	return BrowserInfo{}, false
}

func (in *installer) browserInfo(path, version, source string) BrowserInfo {
	return BrowserInfo{
		Path:          path,
		Type:          in.Browser,
		Version:       version,
		Source:        source,
		HeadlessShell: in.Browser == "chromium" && isHeadlessShell(path),
	}
}

func isHeadlessShell(path string) bool {
	name := strings.ReplaceAll(filepath.Base(path), "_", "-")
	return strings.Contains(name, "headless-shell")
}

func shortList(items []string, most int) string {
	switch {
	case len(items) == 0:
		return "the known places on this system"
	case len(items) > most:
		return fmt.Sprintf("%s and %d more", strings.Join(items[:most], ", "), len(items)-most)
	}
	return strings.Join(items, ", ")
}

// ensureStarts asks the browser for its version: a browser without its libraries is a file, not a
// browser. Where packages may be installed, they are, and the check runs once more.
func (in *installer) ensureStarts(ctx context.Context, info BrowserInfo, driver DriverInfo) (BrowserInfo, error) {
	start := len(in.steps)
	version, err := in.probeBrowser(ctx, info)
	if err != nil && in.WithDeps && in.installPackages(ctx, driver) {
		version, err = in.probeBrowser(ctx, info)
	}
	if stop := cancelled(ctx, "checking the browser"); stop != nil {
		return info, stop
	}
	if err != nil {
		return info, &InstallError{
			What:   info.Path + " does not start; a library it needs may be missing",
			Tried:  in.since(start),
			Remedy: in.depsRemedy(driver),
		}
	}
	if version != "" {
		info.Version = version
	}
	if in.WithDeps {
		in.ensureFonts(ctx)
	}
	return info, nil
}

var versionPattern = pattern.New(`\d+(\.\d+)+`)

// probeBrowser returns the browser's version. Where asking would open a window (Windows) or is not
// understood (WebKit's launch script) it gives none, and no error.
func (in *installer) probeBrowser(ctx context.Context, info BrowserInfo) (string, error) {
	const name = "browser starts"
	if in.host.goos == "windows" || info.Type == "webkit" {
		in.record(name, OutcomeSkipped, nil, "%s cannot be asked without a window", info.Path)
		return info.Version, nil
	}
	printed, err := installCommand{path: info.Path, args: []string{"--version"}, timeout: browserProbeTimeout}.run(ctx)
	if err == nil {
		if version := versionPattern.FindString(printed); version != "" {
			in.record(name, OutcomeFound, nil, "%s, version %s", info.Path, version)
			return version, nil
		}
		err = errors.New("it printed no version")
	}
	in.record(name, OutcomeFailed, err, "%s", info.Path)
	return "", err
}
