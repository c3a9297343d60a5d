package report_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// shared is the one browser of this test binary.
var shared struct {
	start   sync.Once
	pw      *playwright.Playwright
	browser playwright.Browser
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.pw != nil {
		if err := shared.pw.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop the driver:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// chromium is a real browser without any gate of ours: it would follow every
// request that a page of ours makes.
func chromium(t *testing.T) playwright.Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	shared.start.Do(func() { shared.err = launch(t) })
	if shared.err != nil {
		t.Fatalf("%v; run: make setup", shared.err)
	}
	return shared.browser
}

func launch(t *testing.T) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	at, err := driver.Locate(t.Context(), driver.Options{Getenv: os.Getenv, HomeDir: home, CacheDir: filepath.Join(cache, "assay"), TempDir: t.TempDir()})
	if err != nil {
		return err
	}
	t.Setenv("PLAYWRIGHT_NODEJS_PATH", at.Driver.Node)
	shared.pw, err = playwright.Run(&playwright.RunOptions{DriverDirectory: at.Driver.Dir, SkipInstallBrowsers: true, Stdout: io.Discard, Stderr: io.Discard, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	shared.browser, err = shared.pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: &at.Browser.Path, Args: []string{"--no-sandbox"}})
	return err
}

// watched is a page, with all that it asked for and complained of.
type watched struct {
	playwright.Page
	t  *testing.T
	mu sync.Mutex
	// requests, and what went wrong
	asked, wrong []string
}

// open shows a file from disk. It takes notes in handlers, and calls nothing there.
func open(t *testing.T, b playwright.Browser, file string, o playwright.BrowserNewPageOptions) *watched {
	t.Helper()
	p, err := b.NewPage(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &watched{Page: p, t: t}
	note := func(list *[]string, s string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		*list = append(*list, s)
	}
	p.OnRequest(func(r playwright.Request) { note(&w.asked, r.URL()) })
	p.OnRequestFailed(func(r playwright.Request) { note(&w.wrong, "failed: "+r.URL()) })
	p.OnConsole(func(m playwright.ConsoleMessage) { note(&w.wrong, m.Type()+": "+m.Text()) })
	p.OnPageError(func(err error) { note(&w.wrong, "exception: "+err.Error()) })
	if _, err := p.Goto((&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()); err != nil {
		t.Fatal(err)
	}
	return w
}

// as shows the page that is open in another scheme and width: to open it again for
// each would cost as much as to look at it.
func (w *watched) as(scheme *playwright.ColorScheme, width int) {
	w.t.Helper()
	if err := w.EmulateMedia(playwright.PageEmulateMediaOptions{ColorScheme: scheme, Media: playwright.MediaScreen}); err != nil {
		w.t.Fatal(err)
	}
	if err := w.SetViewportSize(width, 800); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) eval(script string) any {
	w.t.Helper()
	v, err := w.Evaluate(script)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// requireQuiet: no complaint, and no request but for files of the run's folder.
func (w *watched) requireQuiet(dir string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.wrong) > 0 {
		w.t.Errorf("the page complains: %q", w.wrong)
	}
	own := (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String() + "/"
	for _, u := range w.asked {
		if !strings.HasPrefix(u, own) {
			w.t.Errorf("the page asked for %s", u)
		}
	}
}

// stored writes a report's views and pictures as a run's folder has them.
func stored(t *testing.T, r qa.QAReport) (dir string) {
	t.Helper()
	dir = t.TempDir()
	views, err := report.Views(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range r.Artifacts {
		if a.Width > 0 && strings.HasPrefix(a.Name, "screenshots/") {
			views[a.Name] = picture(t, a.Width, a.Height)
		}
	}
	for name, data := range views {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// pictures are those made already, by their size: to pack one takes longer than to
// show it.
var pictures sync.Map

func picture(t *testing.T, w, h int) []byte {
	t.Helper()
	size := image.Pt(w, h)
	if made, ok := pictures.Load(size); ok {
		return made.([]byte)
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(i / 97)
	}
	img.Set(0, 0, color.Black)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	pictures.Store(size, b.Bytes())
	return b.Bytes()
}

func viewport(width int) *playwright.Size { return &playwright.Size{Width: width, Height: 800} }

// longReport has what breaks a layout: words without end, other directions,
// many lines.
func longReport() qa.QAReport {
	r := kpiReport()
	endless, rtl := strings.Repeat("endless", 700), "שלום עולם "+strings.Repeat("مرحبا", 30)
	r.Task.Goal, r.StatusReason, r.Summary, r.Task.Route = strings.Repeat("goal", 80), pagetext.Text(endless), rtl, endless
	for i := range r.Checks {
		r.Checks[i].Expected, r.Checks[i].Selector, r.Checks[i].Kind = endless, endless, rtl
	}
	for i := range r.KPITable {
		r.KPITable[i].Label, r.KPITable[i].Selector, r.KPITable[i].Observed = rtl, endless[:200], endless[:80]
	}
	for i := range r.Timeline {
		r.Timeline[i].Detail = endless[:160]
	}
	for i := range r.Network {
		r.Network[i].URL, r.Network[i].Failure, r.Network[i].Type = "http://shop.test/"+endless, endless[:100], endless[:30]
	}
	for i := range r.Console {
		r.Console[i].Text, r.Console[i].URL = pagetext.Text(endless), endless
	}
	for i := range r.Findings {
		r.Findings[i].Assertion, r.Findings[i].Observed = pagetext.Text(endless), pagetext.Text(rtl)
	}
	r.Visual = visualReport().Visual
	for i := range r.Visual {
		v := &r.Visual[i]
		v.Name, v.Part, v.Reason, v.Environment = endless, endless, pagetext.Sentence(rtl), []string{endless}
		for k := range v.Regions {
			v.Regions[k].Text, v.Regions[k].Selector, v.Regions[k].Property = rtl, endless, endless[:90]
		}
	}
	r.Environment.BaseURL, r.RunID, r.Environment.Name = endless, endless[:100], endless[:50]
	return r
}

// tooWide names what sticks out.
const tooWide = `() => [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 40)).slice(0, 12)`

// TestReportInTheBrowser: from disk, in both schemes, wide and narrow: nothing
// is asked for but the run's own pictures, nothing complained of, everything
// legible, nothing wider than the screen (A7, issue item 8).
func TestReportInTheBrowser(t *testing.T) {
	b := chromium(t)
	audit, err := os.ReadFile("testdata/audit.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]qa.QAReport{"kpis": kpiReport(), "visual": visualReport(), "passed": passedReport(), "inconclusive": inconclusiveReport(), "long": longReport(), "hostile": hostileReport(t)} {
		dir := stored(t, r)
		w := open(t, b, filepath.Join(dir, "report.html"), playwright.BrowserNewPageOptions{})
		for _, as := range []struct { // colours don't depend on the width, nor widths on the colours
			scheme *playwright.ColorScheme
			width  int
		}{{playwright.ColorSchemeLight, 1366}, {playwright.ColorSchemeDark, 880}, {playwright.ColorSchemeLight, 320}} {
			scheme, width := as.scheme, as.width
			t.Run(name+" "+string(*scheme)+" "+itoa(width), func(t *testing.T) {
				w.t = t
				w.as(scheme, width)
				if scroll := w.eval("() => document.documentElement.scrollWidth"); scroll != width {
					t.Errorf("the page is %v pixels wide on a screen of %d: %v", scroll, width, w.eval(tooWide))
				}
				if name == "hostile" { // its pictures lead nowhere, its ids are all alike
					if w.eval("() => document.title.length > 0 && document.scripts.length === 0 && document.querySelectorAll('iframe,object,embed,link,form').length === 0") != true {
						t.Error("the page has an element that is not ours")
					}
					return
				}
				for _, c := range w.eval(string(audit)).([]any) {
					t.Error(c)
				}
			})
		}
		if w.t = t; name != "hostile" {
			w.eval("() => Promise.all([...document.images].map(i => { i.loading = 'eager'; return i.decode(); }))")
			w.requireQuiet(dir)
		}
	}
}

// TestReportByKeyboard: the first stop leads past the navigation, every link
// and fold can be reached, and a fold opens (issue item 8).
func TestReportByKeyboard(t *testing.T) {
	w := open(t, chromium(t), filepath.Join(stored(t, kpiReport()), "report.html"), playwright.BrowserNewPageOptions{Viewport: viewport(1366)})
	press := func(key string) {
		t.Helper()
		if err := w.Keyboard().Press(key); err != nil {
			t.Fatal(err)
		}
	}
	press("Tab")
	if w.eval(`() => document.activeElement.className === 'skip' && document.activeElement.getBoundingClientRect().left >= 0`) != true {
		t.Error("the first stop is not a visible skip link")
	}
	stops := w.eval(`() => [...document.querySelectorAll('a[href],summary')].filter(e => e.checkVisibility()).length`).(int)
	reached := 1
	for range stops + 5 {
		press("Tab")
		if w.eval(`() => { const e = document.activeElement; if (e === document.body || e.dataset.seen) return false; e.dataset.seen = 1; return true }`) == true {
			reached++
		}
	}
	if reached < stops {
		t.Errorf("%d of %d links and folds can be reached", reached, stops)
	}
	const fold = "#files summary"
	if err := w.Locator(fold).Focus(); err != nil {
		t.Fatal(err)
	}
	press("Enter")
	if w.eval(`() => document.querySelector('#files details').open`) != true {
		t.Error("a fold does not open by the keyboard")
	}
}

// TestReportInPrint: what is folded on the screen is on paper, the navigation is not.
func TestReportInPrint(t *testing.T) {
	w := open(t, chromium(t), filepath.Join(stored(t, longReport()), "report.html"), playwright.BrowserNewPageOptions{Viewport: viewport(800)})
	const folded = `() => [...document.querySelectorAll('details:not([open]) > :not(summary)')].filter(e => e.getBoundingClientRect().height < 1 || !e.checkVisibility()).map(e => e.outerHTML.slice(0, 200))`
	if len(w.eval(folded).([]any)) == 0 {
		t.Fatal("nothing is folded on the screen: the test proves nothing")
	}
	if err := w.EmulateMedia(playwright.PageEmulateMediaOptions{Media: playwright.MediaPrint}); err != nil {
		t.Fatal(err)
	}
	if all := w.eval(folded).([]any); len(all) > 0 {
		t.Errorf("%d folds stay closed on paper: %v", len(all), all)
	}
	if w.eval(`() => document.querySelector('nav').checkVisibility()`) != false {
		t.Error("the navigation is printed")
	}
}

// TestIndexInTheBrowser: the page of a running suite brings the new state by
// itself, and rests when the suite has ended (D4).
func TestIndexInTheBrowser(t *testing.T) {
	b := chromium(t)
	audit, err := os.ReadFile("testdata/audit.js")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	store, err := evidence.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	write := func(s report.Suite) {
		t.Helper()
		shot := filepath.Join(dir, "runs", "a", "screenshots")
		if err := os.MkdirAll(shot, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(shot, "001 home.png"), picture(t, 800, 500), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := store.WriteSuite(dir, map[string][]byte{"index.html": []byte(showSuite(t, report.Index, s))}); err != nil { // whole: the page reads it meanwhile
			t.Fatal(err)
		}
	}
	for name, s := range map[string]report.Suite{"ended": suite(), "trend": trending(), "sealed": sealedSuite(), "running": running(), "hostile": hostileSuite()} {
		write(s)
		w := open(t, b, filepath.Join(dir, "index.html"), playwright.BrowserNewPageOptions{})
		for scheme, width := range map[*playwright.ColorScheme]int{playwright.ColorSchemeLight: 1366, playwright.ColorSchemeDark: 320} {
			w.as(scheme, width)
			if scroll := w.eval("() => document.documentElement.scrollWidth"); scroll != width {
				t.Errorf("%s, %s: the page is %v pixels wide on a screen of %d", name, *scheme, scroll, width)
			}
			if name == "hostile" {
				continue
			}
			for _, c := range w.eval(string(audit)).([]any) {
				t.Errorf("%s, %s, %d: %v", name, *scheme, width, c)
			}
		}
		if name != "hostile" {
			w.requireQuiet(dir)
		}
	}
	write(running())
	w := open(t, b, filepath.Join(dir, "index.html"), playwright.BrowserNewPageOptions{})
	if err := w.Locator("text=The suite is still running").WaitFor(); err != nil {
		t.Fatal(err)
	}
	write(suite())
	if err := w.Locator("text=1 of 3 cases passed, 1 failed").WaitFor(playwright.LocatorWaitForOptions{Timeout: playwright.Float(float64(20 * time.Second / time.Millisecond))}); err != nil {
		t.Errorf("the page did not bring the new state: %v", err)
	}
	if w.eval(`() => document.querySelectorAll('meta[http-equiv=refresh]').length`) != 0 {
		t.Error("it goes on reloading")
	}
	if shown := w.eval(`() => [...document.querySelectorAll('.card h3')].map(h => h.textContent)`).([]any); !slices.Equal(shown, []any{"Cart", "Reports", "Home"}) {
		t.Errorf("cards = %v, want the failed one first", shown)
	}
}
