package explore

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/browser/driver"
)

// crawls compares what an exploration comes to with the pages that the start page links
// to, as the browser alone writes it down.
func (b *bench) crawls(ctx context.Context) (table, error) {
	t := table{Head: []string{"app", "pages linked from the start", "of them explored", "places seen untouched", "states of them", "states a place", "states in all", "actions", "loads", "stopped"}}
	var linked, came int
	for _, app := range dashboards() {
		name, _, _ := strings.Cut(app, "/")
		if !b.wants(name) {
			continue
		}
		first, err := linkedFrom(ctx, b.site.url+"/"+app)
		if err != nil {
			return t, err
		}
		site, w, err := b.exploreOne(ctx, name, b.site.url+"/"+app, ours, func(o *explore.Options) {
			if b.actions > 0 {
				o.Limits.Actions = b.actions
			}
		})
		if err != nil {
			return t, err
		}
		seen, missed := pagesOf(w), 0
		for _, page := range first {
			if !slices.Contains(seen, page) {
				missed++
				t.note("%s: not explored: %s", name, strings.TrimPrefix(page, b.site.url))
			}
		}
		states, places := 0, map[string]bool{}
		for _, s := range site.States {
			if w.looks[s.URL+s.Exact].untouched {
				states++
				places[s.Place] = true
			}
		}
		linked, came = linked+len(first), came+len(first)-missed
		t.row(name, len(first), len(first)-missed, len(places), states, fmt.Sprintf("%.2f", float64(states)/float64(max(1, len(places)))), len(site.States), len(site.Loops), w.loads, site.Stop.Reason)
	}
	t.note("Pages linked from the start: %d of %d explored (%s; goal 100 %%). States of an untouched place: goal ≤ 1.05.", came, linked, percent(came, linked))
	return t, nil
}

// links matches the links of a document as the browser writes it.
var links = regexp.MustCompile(`(?i)<a\s(?:[^>]*\s)?href="([^"]*)"`)

// linkedFrom returns the pages below the folder of a start page that it links to, once
// its scripts have run.
func linkedFrom(ctx context.Context, start string) ([]string, error) {
	document, err := rendered(ctx, start)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(start)
	if err != nil {
		return nil, err
	}
	folder := start[:strings.LastIndex(start, "/")+1]
	var out []string
	for _, found := range links.FindAllStringSubmatch(document, -1) {
		to, err := base.Parse(strings.TrimSpace(html.UnescapeString(found[1])))
		if err != nil || !strings.HasPrefix(to.String(), folder) || slices.Contains(out, explore.NormalText(to.String())) {
			continue
		}
		page, err := pageAt(ctx, to.String())
		if err != nil {
			return nil, err
		}
		if page = explore.NormalText(page); strings.HasPrefix(page, folder) && !slices.Contains(out, page) && page != explore.NormalText(folder) {
			out = append(out, page)
		}
	}
	return out, nil
}

// rendered has the browser write down a page, without any of ours.
func rendered(ctx context.Context, address string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	found, err := driver.Locate(ctx, driver.Options{CacheDir: filepath.Join(cache, "assay"), HomeDir: home, Getenv: os.Getenv})
	if err != nil {
		return "", fmt.Errorf("find the browser: %w; run: make install", err)
	}
	args := []string{"--headless", "--dump-dom", "--virtual-time-budget=5000", address}
	if os.Geteuid() == 0 { // Chromium refuses its sandbox to root
		args = append([]string{"--no-sandbox"}, args...)
	}
	out, err := exec.CommandContext(ctx, found.Browser.Path, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s --dump-dom %s: %w", found.Browser.Path, address, err)
	}
	return string(out), nil
}

// pageAt returns the address at which a link arrives; "" where that is no document.
func pageAt(ctx context.Context, address string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
		return "", answer.Body.Close()
	}
	return answer.Request.URL.String(), answer.Body.Close()
}
