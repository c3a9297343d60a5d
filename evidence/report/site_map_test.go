package report_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// siteMap has more states than are drawn with pictures in one row, texts without an end,
// and more rows than are shown unfolded.
func siteMap() report.SiteMap {
	endless := strings.Repeat("endless", 90)
	m := report.SiteMap{Start: "http://a.test/" + endless, RunID: "20261127T170000.000Z-abcdef", Status: qa.Failed, Reason: pagetext.Text(endless), Facts: [][2]string{{"States", "12"}, {"Role", endless}}}
	for i := range 12 {
		m.States = append(m.States, report.MapState{ID: fmt.Sprintf("s%d", i+1), Title: endless, Place: "/" + endless, URL: "http://a.test/" + endless, Picture: "pictures/s 1.png", Notable: []string{endless}, Column: i % 5})
		m.Ways = append(m.Ways, report.MapWay{ID: fmt.Sprintf("e%d", i+1), From: "s1", To: fmt.Sprintf("s%d", i+1), Action: "click " + endless})
	}
	m.Findings = []report.MapFinding{{Kind: "exception", Severity: qa.Blocker, Message: pagetext.Text(endless), URL: pagetext.Text(endless), State: "s2", At: &qa.Place{URL: "http://a.test/" + endless, Line: 2, Column: 21}, ToDo: pagetext.Text(endless)},
		{Kind: "dead_link", Severity: qa.Major, Message: pagetext.Text(endless), URL: pagetext.Text(endless), State: "s2"}, {Kind: "http", Severity: qa.Minor, State: "unknown"}}
	for i := range 60 {
		m.Covered = append(m.Covered, report.MapCoverage{What: endless, Tried: i < 3, Result: pagetext.Text(endless), States: []string{"s1", "s2", "s3", "s4", "s5", "s6", "s7"}, Times: i})
	}
	return m
}

// TestSiteMapInTheBrowser: the map of a site holds what reports hold: from disk, in both
// schemes, wide and narrow, legible, and nothing wider than the screen (C1, issue 32 item 7).
func TestSiteMapInTheBrowser(t *testing.T) {
	b := chromium(t)
	audit, err := os.ReadFile("testdata/audit.js")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "pictures"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"site.html": report.SiteMapHTML(siteMap()), "pictures/s 1.png": picture(t, 800, 500)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := open(t, b, filepath.Join(dir, "site.html"), playwright.BrowserNewPageOptions{})
	for scheme, width := range map[*playwright.ColorScheme]int{playwright.ColorSchemeLight: 1366, playwright.ColorSchemeDark: 390} {
		w.as(scheme, width)
		if scroll := w.eval("() => document.documentElement.scrollWidth"); scroll != width {
			t.Errorf("%s: the page is %v pixels wide on a screen of %d: %v", *scheme, scroll, width, w.eval(tooWide))
		}
		for _, c := range w.eval(string(audit)).([]any) {
			t.Errorf("%s, %d: %v", *scheme, width, c)
		}
	}
	if n := w.eval("() => document.querySelectorAll('.cards img, .map image').length"); n != 24 {
		t.Errorf("%v pictures, want one of each state in the map and one below it", n)
	}
	w.requireQuiet(dir)
}

// The findings stand first, the gravest of them before the others, each with the place in the
// site's script, as far as it is known, and with what to do (33).
func TestSiteMapLeadsToTheCause(t *testing.T) {
	t.Parallel()
	m := report.SiteMap{Start: "http://a.test/", Status: qa.Failed, States: []report.MapState{{ID: "s1"}}, Findings: []report.MapFinding{
		{Kind: "health", Severity: qa.Minor, Message: "an empty list"}, {Kind: "exception", Severity: qa.Blocker, Message: "no cart", At: &qa.Place{URL: "http://a.test/app.js", Line: 2, Column: 21}, ToDo: "correct that line"}}}
	page := string(report.SiteMapHTML(m))
	place := 0
	for _, want := range []string{`id="findings"`, "no cart", "http://a.test/app.js:2:21", "correct that line", "an empty list", `id="map"`} {
		at := strings.Index(page[place:], want)
		if at < 0 {
			t.Fatalf("%q does not come next in\n%s", want, page)
		}
		place += at
	}
	if m.Findings[0].Kind != "health" {
		t.Error("the values that were given have another order")
	}
}
