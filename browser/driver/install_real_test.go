package driver

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// D5, for real: an empty cache, npm's package with its checksum, and the driver runs from the launcher.
func TestInstallWithRealNpm(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches the driver")
	}
	opts := testInstall(t)
	opts.CacheDir, opts.HomeDir = t.TempDir(), t.TempDir()
	opts.Getenv = func(key string) string {
		switch key {
		case "PLAYWRIGHT_DRIVER_PATH", "XDG_CACHE_HOME", "LOCALAPPDATA": // as on a fresh machine
			return ""
		}
		return os.Getenv(key)
	}
	in := newInstaller(opts)
	driver, err := in.driver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := "npm " + driverPackage; driver.Source != want {
		t.Fatalf("the driver came from %q, want %q; tried %s", driver.Source, want, joinSteps(in.steps))
	}
	entries, err := os.ReadDir(filepath.Join(opts.CacheDir, "driver"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("the cache should hold the driver and nothing else: %v, %v", entries, err)
	}
	l, err := NewLauncher(driver, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	vendor, err := playwright.NewDriver(&playwright.RunOptions{DriverDirectory: l.Dir})
	if err != nil {
		t.Fatal(err)
	}
	version, err := vendor.Command("--version").Output()
	if err != nil || !strings.Contains(string(version), driverVersion) {
		t.Fatalf("--version: %q, %v", version, err)
	}
	pw := runForTest(t, l)
	if pid, ok := l.PID(); !ok || pid != pw.Pid() {
		t.Errorf("launcher's PID: got %d, %v, want %d", pid, ok, pw.Pid())
	}
	if err := pw.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(l.Dir); !os.IsNotExist(err) {
		t.Errorf("the driver left its folder: %v", err)
	}
	if err := l.Remove(); err != nil {
		t.Errorf("Remove after the driver's own clean-up: %v", err)
	}
}

// testInstall returns the machine's own installation, as cmd would look for it.
func testInstall(t testing.TB) Options {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return Options{Getenv: os.Getenv, HomeDir: home, CacheDir: filepath.Join(cache, "assay"), TempDir: os.TempDir()}
}

func locateForTest(t testing.TB) Installation {
	t.Helper()
	inst, err := Locate(t.Context(), testInstall(t))
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

func runForTest(t testing.TB, l *Launcher) *playwright.Playwright {
	t.Helper()
	pw, err := playwright.Run(&playwright.RunOptions{
		DriverDirectory:     l.Dir,
		SkipInstallBrowsers: true,
		Stdout:              io.Discard,
		Stderr:              os.Stderr,
		Logger:              slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return pw
}

// chromiumForTest starts a driver and a browser.
func chromiumForTest(t *testing.T) (*playwright.Playwright, playwright.Browser) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	inst := locateForTest(t)
	l, err := NewLauncher(inst.Driver, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pw := runForTest(t, l)
	b, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: playwright.String(inst.Browser.Path), ChromiumSandbox: playwright.Bool(false)})
	if err != nil {
		t.Fatal(err)
	}
	return pw, b
}
