package explore

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/identity"
)

// crawls compares what an exploration comes to with what a plain crawl finds.
func (b *bench) crawls(ctx context.Context) (table, error) {
	t := table{Head: []string{"app", "pages linked from the start", "of them explored", "pages of the whole crawl", "of them explored", "places seen untouched", "states of them", "states a place", "states in all", "actions", "stopped"}}
	var linked, came int
	for _, app := range dashboards() {
		name, _, _ := strings.Cut(app, "/")
		if !b.wants(name) {
			continue
		}
		address := b.site.url + "/" + app
		first, all, err := crawl(ctx, address)
		if err != nil {
			return t, err
		}
		site, w, err := b.exploreOne(ctx, name, address, ours, func(o *explore.Options) {
			if b.actions > 0 {
				o.Limits.Actions = b.actions
			}
		})
		if err != nil {
			return t, err
		}
		seen := pagesOf(w)
		missed := func(of []string) (out []string) {
			return slices.DeleteFunc(slices.Clone(of), func(page string) bool { return slices.Contains(seen, page) })
		}
		for _, page := range missed(first) {
			t.note("%s: not explored: %s", name, strings.TrimPrefix(page, b.site.url))
		}
		states, places := 0, map[string]bool{}
		for _, s := range site.States {
			if w.looks[s.URL+s.Exact].untouched {
				states++
				places[s.Place] = true
			}
		}
		linked, came = linked+len(first), came+len(first)-len(missed(first))
		t.row(name, len(first), len(first)-len(missed(first)), len(all), len(all)-len(missed(all)), len(places), states, fmt.Sprintf("%.2f", float64(states)/float64(max(1, len(places)))), len(site.States), len(site.Loops), site.Stop.Reason)
	}
	t.note("Pages linked from the start: %d of %d explored (%s; goal 100 %%). States of an untouched place: goal ≤ 1.05.", came, linked, percent(came, linked))
	return t, nil
}

// crawl follows links by HTTP alone, below the folder of the start address.
func crawl(ctx context.Context, start string) (first, all []string, err error) {
	folder := start[:strings.LastIndex(start, "/")+1]
	seen := map[string]bool{identity.Normal(start): true}
	for queue := []string{start}; len(queue) > 0 && len(all) < 1000; queue = queue[1:] {
		links, ok, err := linksOf(ctx, queue[0])
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		all = append(all, identity.Normal(queue[0]))
		for _, l := range links {
			if n := identity.Normal(l); strings.HasPrefix(l, folder) && !seen[n] {
				seen[n] = true
				queue = append(queue, l)
			}
		}
		if queue[0] != start {
			continue
		}
		for _, l := range queue[1:] {
			if _, ok, err := linksOf(ctx, l); err == nil && ok {
				first = append(first, identity.Normal(l))
			}
		}
	}
	return first, all, nil
}

// linksOf returns the addresses that a page links to; ok is false where it is none.
func linksOf(ctx context.Context, address string) (links []string, ok bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, false, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
		return nil, false, nil
	}
	base, err := url.Parse(address)
	if err != nil {
		return nil, false, err
	}
	for tokens := html.NewTokenizer(io.LimitReader(answer.Body, 20<<20)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		if token.Type != html.StartTagToken || token.Data != "a" {
			continue
		}
		for _, a := range token.Attr {
			if to, err := base.Parse(strings.TrimSpace(a.Val)); a.Key == "href" && err == nil {
				links = append(links, to.String())
			}
		}
	}
	return links, true, nil
}
