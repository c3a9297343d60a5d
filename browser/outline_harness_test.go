package browser

import (
	"os"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// outlineBrowser is the one browser of the outline tests. It lives as long as
// the test binary; closing the driver's pipe at exit ends it.
var outlineBrowser = sync.OnceValues(startOutlineBrowser)

func startOutlineBrowser() (playwright.Browser, error) {
	pw, err := playwright.Run(&playwright.RunOptions{
		SkipInstallBrowsers: true, DriverDirectory: os.Getenv("PLAYWRIGHT_DRIVER_PATH"), Stdout: os.Stderr, Stderr: os.Stderr,
	})
	if err != nil {
		return nil, err
	}
	if err := registerEngines(pw); err != nil {
		return nil, err
	}
	options := playwright.BrowserTypeLaunchOptions{ChromiumSandbox: playwright.Bool(os.Geteuid() != 0)}
	for _, path := range []string{os.Getenv("ASSAY_BROWSER"), "/usr/lib/chromium/chromium-headless-shell"} {
		if _, err := os.Stat(path); err == nil {
			options.ExecutablePath = playwright.String(path)
			break
		}
	}
	return pw.Chromium.Launch(options)
}

// newOutlinePage opens a fresh page with the outline engine in it.
func newOutlinePage(tb testing.TB) playwright.Page {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs a browser; -short leaves it out")
	}
	b, err := outlineBrowser()
	if err != nil {
		if os.Getenv("CI") != "" {
			tb.Fatalf("no browser, and CI is set: %v", err)
		}
		tb.Skipf("no browser: %v", err)
	}
	c, err := b.NewContext()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Errorf("closing the context: %v", err)
		}
	})
	p, err := c.NewPage()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// setContent fills a page with HTML.
func setContent(tb testing.TB, p playwright.Page, html string) {
	tb.Helper()
	if err := p.SetContent(html); err != nil {
		tb.Fatal(err)
	}
}
