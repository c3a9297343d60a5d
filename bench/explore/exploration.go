package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/explore"
	found "github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/tools/author"
)

// watched is a page that notes what an exploration sees and does.
type watched struct {
	explore.Page
	history []string        // since the last load
	looks   map[string]look // by address and what is said, whole
	at      string          // the address at the last look
	then    int             // acts until then
	loads   int
	acts    int
	spent   map[string]time.Duration // in the calls of the page
}

// look is one look at the page.
type look struct {
	url       string
	untouched bool // the first one since the address changed, or a load
	page      *scan.Page
}

func (w *watched) Open(ctx context.Context, address string) (explore.Effect, error) {
	w.loads++
	w.history = []string{address}
	defer w.time("load")()
	return w.Page.Open(ctx, address)
}

func (w *watched) Do(ctx context.Context, a explore.Act) (explore.Effect, error) {
	w.acts++
	w.history = append(w.history, fmt.Sprint(a))
	defer w.time("act")()
	return w.Page.Do(ctx, a)
}

// time adds up what a kind of call takes.
func (w *watched) time(kind string) func() {
	began := time.Now()
	return func() { w.spent[kind] += time.Since(began) }
}

func (w *watched) Picture(ctx context.Context) (data []byte, ext string, err error) {
	defer w.time("picture")()
	return w.Page.Picture(ctx)
}

func (w *watched) Health(ctx context.Context) ([]found.Finding, error) {
	defer w.time("health")()
	return w.Page.Health(ctx)
}

func (w *watched) Scripts(ctx context.Context) ([]scan.Script, error) {
	defer w.time("scripts")()
	return w.Page.Scripts(ctx)
}

func (w *watched) Pause(ctx context.Context, d time.Duration) error {
	defer w.time("pause")()
	return w.Page.Pause(ctx, d)
}

func (w *watched) Scan(ctx context.Context) (scan.Page, error) {
	done := w.time("scan")
	page, err := w.Page.Scan(ctx)
	done()
	if err == nil {
		said := page.URL + explore.Of(&page, explore.Read(&page, ""), nil).Exact
		one, seen := w.looks[said]
		if !seen {
			one = look{url: page.URL, page: &page}
		}
		one.untouched = one.untouched || len(w.history) == 1 || w.acts == w.then+1 && explore.NormalText(page.URL) != explore.NormalText(w.at)
		w.at, w.then = page.URL, w.acts
		w.looks[said] = one
	}
	return page, err
}

// ways are the explorations that are compared.
const (
	ours    = "ours"
	exact   = "string comparison"
	atHand  = "random choice"
	ofPaths = "action history"
)

// exploreOne explores an app in one of the ways.
func (b *bench) exploreOne(ctx context.Context, name, address, way string, change func(*explore.Options)) (found.Site, *watched, error) {
	w := &watched{looks: map[string]look{}, spent: map[string]time.Duration{}}
	o, err := wiring.Exploration(b.program, b.settings, false)
	if err != nil {
		return found.Site{}, w, err
	}
	o.URLs, o.Out = []string{address}, b.folder("explored-"+name+"-"+strings.ReplaceAll(way, " ", "-"))
	o.StayOnStart = true
	o.Explore.Seed, o.Explore.Limits.Time = b.seed, b.limit
	o.Watch = func(p explore.Page) explore.Page { w.Page = p; return w }
	switch way {
	case exact:
		o.Explore.Identify = func(page *scan.Page, id explore.StateID) string { return page.URL + "\x1f" + id.Exact }
	case ofPaths:
		o.Explore.Identify = func(*scan.Page, explore.StateID) string { return strings.Join(w.history, "\x1f") }
	case atHand:
		o.Explore.Choices = 1 << 20
		o.Explore.Choose = b.atRandom()
		o.Explore.Limits.Frontier.ListSample, o.Explore.Limits.Frontier.Visits, o.Explore.Limits.Frontier.Class = 1<<20, 1<<20, 1<<20
	}
	if change != nil {
		change(&o.Explore)
	}
	last := 0
	tell := o.Explore.Tell // the progress takes its place
	o.Progress = func(_ string, p explore.Progress) {
		if tell != nil {
			tell(p)
		}
		if p.Loops >= last+25 {
			last = p.Loops
			fmt.Fprintf(b.progress, "%s, %s: %d actions, %d states\n", name, way, p.Loops, p.States)
		}
	}
	r := author.Explore(ctx, b.desk, o)[0]
	if r.Err == nil && ctx.Err() != nil {
		r.Err = ctx.Err()
	}
	return r.Site, w, r.Err
}

// pagesOf returns the addresses that an exploration came to.
func pagesOf(w *watched) []string {
	var out []string
	for _, l := range w.looks {
		out = append(out, explore.NormalText(l.url))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
