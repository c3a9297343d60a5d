package demo_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/demo"
)

var (
	htmlRefs   = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
	scriptRefs = regexp.MustCompile(`from '\./([^']+)'`)
	absolute   = regexp.MustCompile(`(?i)https?://[^\s"')]+`)
)

// crawl fetches every page and, from there, everything that is referred to. It
// returns the answers by path.
func crawl(v *visitor) map[string]page {
	v.t.Helper()
	seen := map[string]page{}
	todo := []string{"/login", "/dashboard", "/favicon.ico"}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		if _, done := seen[path]; done || path == "/logout" || strings.HasPrefix(path, "#") {
			continue
		}
		p := v.get(path)
		seen[path] = p
		for _, ref := range htmlRefs.FindAllStringSubmatch(p.body, -1) {
			todo = append(todo, ref[1])
		}
		for _, ref := range scriptRefs.FindAllStringSubmatch(p.body, -1) {
			todo = append(todo, "/assets/"+ref[1])
		}
	}
	return seen
}

func TestHealthyPagesAreWhole(t *testing.T) {
	seen := crawl(signedIn(t, demo.Options{}))
	for path, p := range seen {
		if p.status != http.StatusOK {
			t.Errorf("%s answers %d", path, p.status)
		}
		for _, address := range absolute.FindAllString(p.body, -1) {
			if address != "http://www.w3.org/2000/svg" { // a name, never fetched
				t.Errorf("%s refers to another host: %s", path, address)
			}
		}
		if strings.Contains(p.body, "url(") || strings.Contains(p.body, "@import") {
			t.Errorf("%s loads from a stylesheet, which this test does not follow", path)
		}
	}
	for _, must := range []string{"/assets/style.css", "/assets/dashboard.js", "/assets/dom.js", "/assets/chart.js", "/assets/avatar.svg"} {
		if _, ok := seen[must]; !ok {
			t.Errorf("the crawl did not reach %s: it proves less than it says", must)
		}
	}
}

// The content security policy refuses what is inline, with a console error.
func TestNothingIsInline(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|<script(?:\s[^>]*)?>[^<]`)
	for path, p := range crawl(signedIn(t, demo.Options{})) {
		if !strings.HasPrefix(p.header.Get("Content-Type"), "text/html") {
			continue
		}
		if found := inline.FindString(p.body); found != "" {
			t.Errorf("%s has inline style or script: %q", path, found)
		}
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	v := signedIn(t, demo.Options{})
	for _, path := range []string{"/", "/login", "/dashboard", "/api/kpi", "/assets/style.css", "/nowhere"} {
		header := v.get(path).header
		if got := header.Get("Content-Security-Policy"); !strings.Contains(got, "default-src 'self'") {
			t.Errorf("%s: content security policy %q", path, got)
		}
		if got := header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options %q, want nosniff", path, got)
		}
	}
}

func TestAPINeedsTheSession(t *testing.T) {
	v := visit(t, demo.Options{})
	for _, path := range []string{"/api/kpi", "/api/kpi?range=nonsense", "/api/alerts"} {
		var got struct{ Error string }
		v.json(path, http.StatusUnauthorized, &got)
		if got.Error == "" {
			t.Errorf("%s: no error in the answer", path)
		}
		if kind := v.get(path).header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
			t.Errorf("%s: content type %q, want JSON", path, kind)
		}
	}
}

func TestOnlyWhatIsListedIsServed(t *testing.T) {
	v := signedIn(t, demo.Options{})
	for _, path := range []string{
		"/assets/", "/assets/defects.js", "/assets/dashboard.html", "/assets/../login.html", "/site/login.html", "/api", "/api/kpi/",
	} {
		if got := v.get(path).status; got == http.StatusOK {
			t.Errorf("%s answers 200", path)
		}
	}
}

// The broken variant has the listed faults and no other: what differs between
// the variants is collected, and each defect must account for its part of it.
func TestBrokenDiffersExactlyInItsDefects(t *testing.T) {
	healthy, broken := signedIn(t, demo.Options{}), signedIn(t, demo.Options{Broken: true})
	sound, faulty := crawl(healthy), crawl(broken)
	for _, path := range []string{"/api/alerts", "/api/kpi", "/api/kpi?range=7d&category=Hardware"} {
		sound[path], faulty[path] = healthy.get(path), broken.get(path)
	}

	differs := map[string]bool{}
	for _, both := range []map[string]page{sound, faulty} {
		for path := range both {
			if a, b := sound[path], faulty[path]; a.status != b.status || a.body != b.body {
				differs[path] = true
			}
		}
	}
	removed, added := lineDiff(sound["/dashboard"].body, faulty["/dashboard"].body)
	accounts := accountsOf(sound, faulty)
	var paths, wantRemoved, wantAdded []string
	for _, defect := range demo.Defects() {
		its, known := accounts[defect.ID]
		if !known || !its.holds || defect.Description == "" {
			t.Errorf("defect %q: known to this test %v, found %v, description %q", defect.ID, known, its.holds, defect.Description)
		}
		paths = append(paths, its.paths...)
		wantRemoved = append(wantRemoved, its.removed...)
		wantAdded = append(wantAdded, its.added...)
	}
	if diff := cmp.Diff(sorted(paths), sortedKeys(differs)); diff != "" {
		t.Errorf("answers that differ (-accounted for +found):\n%s", diff)
	}
	if diff := cmp.Diff(sorted(wantRemoved), sorted(removed)); diff != "" {
		t.Errorf("lines missing from the broken dashboard (-accounted for +found):\n%s", diff)
	}
	if diff := cmp.Diff(sorted(wantAdded), sorted(added)); diff != "" {
		t.Errorf("lines only on the broken dashboard (-accounted for +found):\n%s", diff)
	}
}

// account holds what one defect may change: answers by path, lines of the
// dashboard; and whether the fault is really there.
type account struct {
	paths          []string
	removed, added []string
	holds          bool
}

func accountsOf(sound, faulty map[string]page) map[string]account {
	script := faulty["/assets/defects.js"].body
	return map[string]account{
		demo.DefectWrongKPI: {
			paths: []string{"/assets/defects.js"},
			added: []string{`<script type="module" src="/assets/defects.js"></script>`},
			holds: strings.Contains(script, "Revenue: ") && strings.Contains(script, "value * 1.1"),
		},
		demo.DefectConsoleError: {
			holds: strings.HasSuffix(script, "promotion.banner.show();\n"),
		},
		demo.DefectFailedRequest: {
			paths: []string{"/api/alerts"},
			holds: sound["/api/alerts"].body == "[]\n" && faulty["/api/alerts"].status == http.StatusInternalServerError,
		},
		demo.DefectMissingElement: {
			paths: []string{"/dashboard"},
			removed: []string{
				`<article class="panel card" aria-label="Refunds" data-testid="kpi-refunds">`, `<h3>Refunds</h3>`,
				`<p class="value" data-kpi="Refunds">–</p>`, `<p class="note">Returned to customers</p>`, `</article>`,
			},
			holds: true,
		},
		demo.DefectBrokenImage: {
			paths:   []string{"/assets/avatar.svg", "/assets/avatar-missing.svg"},
			removed: []string{`<img src="/assets/avatar.svg" alt="Demo user" width="36" height="36">`},
			added:   []string{`<img src="/assets/avatar-missing.svg" alt="Demo user" width="36" height="36">`},
			holds:   faulty["/assets/avatar-missing.svg"].status == http.StatusNotFound,
		},
	}
}

// lineDiff returns the lines that only one of two texts has, as multisets.
func lineDiff(before, after string) (removed, added []string) {
	count := map[string]int{}
	for line := range strings.Lines(before) {
		count[strings.TrimSpace(line)]++
	}
	for line := range strings.Lines(after) {
		count[strings.TrimSpace(line)]--
	}
	for line, n := range count {
		for ; n > 0; n-- {
			removed = append(removed, line)
		}
		for ; n < 0; n++ {
			added = append(added, line)
		}
	}
	return removed, added
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}

func sortedKeys(set map[string]bool) []string {
	var keys []string
	for key := range set {
		keys = append(keys, key)
	}
	return sorted(keys)
}
