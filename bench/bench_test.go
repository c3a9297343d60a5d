package main_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

const patience = 10 * time.Second

// BenchmarkCatalogue builds every tool with its schemas, which a server does
// once, at its start.
func BenchmarkCatalogue(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		desk := &workspace.Workspace{Settings: workspace.Settings{Sets: []string{string(tool.Core), string(tool.Full), string(tool.Author)}, Evaluate: true}}
		if len(tools.Catalogue(desk)) == 0 {
			b.Fatal("the catalogue is empty")
		}
	}
}

// BenchmarkCatalogueJSON is what tools/list costs once the catalogue is there.
func BenchmarkCatalogueJSON(b *testing.B) {
	desk := &workspace.Workspace{Settings: workspace.Settings{Sets: []string{string(tool.Core)}}}
	catalogue := tools.Catalogue(desk)
	var size int
	for b.Loop() {
		size = 0
		for _, tool := range catalogue {
			text, err := json.Marshal(tool.Definition)
			if err != nil {
				b.Fatal(err)
			}
			size += len(text)
		}
	}
	b.ReportMetric(float64(size), "bytes")
}

// BenchmarkLaunch opens and closes a session in a browser that is running.
func BenchmarkLaunch(b *testing.B) {
	pool := newPool(b)
	warm := launch(b, pool) // the driver and the browser are there from now on
	defer closeSession(b, warm)
	for b.Loop() {
		closeSession(b, launch(b, pool))
	}
}

func BenchmarkNavigate(b *testing.B) {
	session, site := signedIn(b)
	for b.Loop() {
		if _, err := session.Navigate(b.Context(), site+"/dashboard", "", 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	session, _ := signedIn(b)
	var size int
	for b.Loop() {
		outline, _, err := session.Snapshot(b.Context(), browser.OutlineOptions{})
		if err != nil {
			b.Fatal(err)
		}
		size = len(outline.Text)
	}
	b.ReportMetric(float64(size), "bytes")
}

// BenchmarkClick presses a button that makes the page fetch and redraw.
func BenchmarkClick(b *testing.B) {
	session, _ := signedIn(b)
	for b.Loop() {
		if _, err := session.Click(b.Context(), `button "Refresh"`, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHover is an action that the page does not answer: what is left is
// the action itself and the proof that nothing followed.
func BenchmarkHover(b *testing.B) {
	session, _ := signedIn(b)
	for b.Loop() {
		if _, err := session.Hover(b.Context(), `button "Refresh"`, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSelect(b *testing.B) {
	session, _ := signedIn(b)
	options := []string{demo.Range7Days, demo.RangeToday}
	for i := 0; b.Loop(); i++ {
		if _, err := session.Select(b.Context(), `combobox "Range"`, options[i%2], 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFill(b *testing.B) {
	session, site := newSession(b)
	if _, err := session.Navigate(b.Context(), site+"/login", "", 0); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		if _, _, err := session.Fill(b.Context(), `textbox "Email"`, demo.Email, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLook(b *testing.B) {
	session, _ := signedIn(b)
	for b.Loop() {
		if _, err := session.Look(b.Context(), `heading "Dashboard"`, browser.FactCount, ""); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScreenshot(b *testing.B) {
	session, _ := signedIn(b)
	var size int
	for b.Loop() {
		shot, err := session.Screenshot(b.Context(), browser.ShotOptions{})
		if err != nil {
			b.Fatal(err)
		}
		size = len(shot.Data)
	}
	b.ReportMetric(float64(size), "bytes")
}

// newPool is a pool in the environment's own installation. Without one the
// benchmark is skipped on a laptop and fails where CI is set.
func newPool(b *testing.B) *browser.Pool {
	b.Helper()
	if testing.Short() {
		b.Skip("needs a browser, and -short is set")
	}
	install := browsertest.Installation()
	if _, err := driver.Locate(b.Context(), install); err != nil {
		if os.Getenv("CI") != "" {
			b.Fatal(err)
		}
		b.Skip(err)
	}
	pool := browser.NewPool(browser.Options{Install: install, TempDir: b.TempDir()})
	b.Cleanup(func() { pool.Close(patience) })
	return pool
}

func launch(b *testing.B, pool *browser.Pool) *browser.Session {
	b.Helper()
	session, err := pool.Launch(b.Context(), browser.LaunchOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return session
}

func closeSession(b *testing.B, session *browser.Session) {
	b.Helper()
	if err := session.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
}

// newSession opens a session and starts the demo.
func newSession(b *testing.B) (session *browser.Session, url string) {
	b.Helper()
	session = launch(b, newPool(b))
	site, err := demo.Start(b.Context(), demo.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := site.Close(); err != nil {
			b.Error(err)
		}
	})
	return session, site.URL()
}

// SignedIn is a session on the dashboard, with its figures there.
func signedIn(b *testing.B) (session *browser.Session, url string) {
	b.Helper()
	session, url = newSession(b)
	ctx := b.Context()
	if _, err := session.Navigate(ctx, url+"/login", "", 0); err != nil {
		b.Fatal(err)
	}
	for field, value := range map[string]string{"Email": demo.Email, "Password": demo.Password} {
		if _, _, err := session.Fill(ctx, `textbox "`+field+`"`, value, 0); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := session.Click(ctx, `button "Sign in"`, 0); err != nil {
		b.Fatal(err)
	}
	if _, err := session.WaitFor(ctx, `css=#data[aria-busy="false"]`, "attached", 0); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	return session, url
}
