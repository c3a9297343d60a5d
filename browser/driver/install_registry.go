package driver

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// registryEntry describes one browser of the driver's browsers.json.
type registryEntry struct {
	Name              string            `json:"name"`
	Revision          string            `json:"revision"`
	BrowserVersion    string            `json:"browserVersion"`
	RevisionOverrides map[string]string `json:"revisionOverrides"`
}

// completeMarker names the file that Playwright writes when a download is whole.
const completeMarker = "INSTALLATION_COMPLETE"

// findInPlaywrightCache finds the build that belongs to this driver. Other revisions in the cache
// belong to other Playwrights.
func (in *installer) findInPlaywrightCache(driver DriverInfo) (BrowserInfo, bool) {
	const source = "Playwright's cache"
	if driver.Dir == "" {
		in.record(source, OutcomeSkipped, nil, "without a driver there is no telling which build belongs to it")
		return BrowserInfo{}, false
	}
	cache := in.playwrightCache(driver.Dir)
	if cache == "" {
		in.record(source, OutcomeSkipped, nil, "no home directory given")
		return BrowserInfo{}, false
	}
	entries, err := readRegistry(driver.Dir)
	if err != nil {
		in.record(source, OutcomeFailed, err, "%s", cache)
		return BrowserInfo{}, false
	}
	for _, name := range in.registryNames() {
		for _, dir := range buildDirs(entries, name) {
			path, ok := in.host.buildExecutable(filepath.Join(cache, dir), name)
			if !ok {
				continue
			}
			in.record(source, OutcomeFound, nil, "%s", path)
			return in.browserInfo(path, entries[name].BrowserVersion, source), true
		}
	}
	in.record(source, OutcomeMissing, nil, "no build for this driver in %s", cache)
	return BrowserInfo{}, false
}

// registryNames returns the builds that serve, the preferred first.
func (in *installer) registryNames() []string {
	switch {
	case in.Browser != "chromium":
		return []string{in.Browser}
	case in.Headed:
		return []string{"chromium"}
	}
	return []string{"chromium-headless-shell", "chromium"}
}

// playwrightCache returns Playwright's registry directory, by its own rules.
func (in *installer) playwrightCache(driverDir string) string {
	switch path := in.Getenv("PLAYWRIGHT_BROWSERS_PATH"); path {
	case "":
	case "0":
		return filepath.Join(driverDir, "package", ".local-browsers")
	default:
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
		return path
	}
	base := in.host.userCacheDir()
	if base == "" {
		return ""
	}
	return filepath.Join(base, "ms-playwright")
}

func readRegistry(driverDir string) (map[string]registryEntry, error) {
	f, err := os.Open(filepath.Join(driverDir, "package", "browsers.json"))
	if err != nil {
		return nil, fmt.Errorf("reading the driver's browsers.json: %w", err)
	}
	defer f.Close()
	var registry struct {
		Browsers []registryEntry `json:"browsers"`
	}
	if err := json.NewDecoder(io.LimitReader(f, 1<<20)).Decode(&registry); err != nil {
		return nil, fmt.Errorf("reading the driver's browsers.json: %w", err)
	}
	entries := make(map[string]registryEntry, len(registry.Browsers))
	for _, entry := range registry.Browsers {
		entries[entry.Name] = entry
	}
	return entries, nil
}

// buildDirs names the folders that a build may have: one per frozen system, and the usual one. Only the
// one that Playwright chose for this system can be there.
func buildDirs(entries map[string]registryEntry, name string) []string {
	entry, ok := entries[name]
	if !ok {
		return nil
	}
	folder := func(name, revision string) string { return strings.ReplaceAll(name, "-", "_") + "-" + revision }
	dirs := []string{folder(name, entry.Revision)}
	for system, revision := range entry.RevisionOverrides {
		dirs = append(dirs, folder(name+"_"+system+"_special", revision))
	}
	return dirs
}

// buildExecutable returns the executable of a whole build.
func (h hostSystem) buildExecutable(dir, name string) (string, bool) {
	if _, err := os.Stat(filepath.Join(dir, completeMarker)); err != nil {
		return "", false
	}
	below := buildLayout(name, h.goos, h.goarch)
	if below == "" {
		return "", false
	}
	path := filepath.Join(dir, filepath.FromSlash(below))
	return path, h.isExecutable(path)
}

// buildLayout returns where Playwright's archives keep the executable, "" for a system they are not made for.
func buildLayout(name, goos, goarch string) string {
	arch, ok := map[string]string{"amd64": "x64", "arm64": "arm64"}[goarch]
	if !ok {
		return ""
	}
	if goos == "windows" {
		arch = "x64" // the only build; Windows on ARM emulates it
	}
	layouts := map[string]string{
		"chromium linux-x64":                   "chrome-linux64/chrome",
		"chromium linux-arm64":                 "chrome-linux/chrome",
		"chromium darwin-x64":                  "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
		"chromium darwin-arm64":                "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
		"chromium windows-x64":                 "chrome-win64/chrome.exe",
		"chromium-headless-shell linux-x64":    "chrome-headless-shell-linux64/chrome-headless-shell",
		"chromium-headless-shell linux-arm64":  "chrome-linux/headless_shell",
		"chromium-headless-shell darwin-x64":   "chrome-headless-shell-mac-x64/chrome-headless-shell",
		"chromium-headless-shell darwin-arm64": "chrome-headless-shell-mac-arm64/chrome-headless-shell",
		"chromium-headless-shell windows-x64":  "chrome-headless-shell-win64/chrome-headless-shell.exe",
		"firefox linux-x64":                    "firefox/firefox",
		"firefox linux-arm64":                  "firefox/firefox",
		"firefox darwin-x64":                   "firefox/Nightly.app/Contents/MacOS/firefox",
		"firefox darwin-arm64":                 "firefox/Nightly.app/Contents/MacOS/firefox",
		"firefox windows-x64":                  "firefox/firefox.exe",
		"webkit linux-x64":                     "pw_run.sh",
		"webkit linux-arm64":                   "pw_run.sh",
		"webkit darwin-x64":                    "pw_run.sh",
		"webkit darwin-arm64":                  "pw_run.sh",
		"webkit windows-x64":                   "Playwright.exe",
	}
	return layouts[name+" "+goos+"-"+arch]
}
