package explore

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/bench/measure"
)

// speedPages is how many pages the static app has whose exploration is timed.
const (
	speedPages   = 60
	speedActions = 200
)

// speed times explorations of a static app, and of TodoMVC beside it.
func (b *bench) speed(ctx context.Context) (table, error) {
	t := table{Head: []string{"app", "actions", "states", "seconds", "actions a second", "loads an action", "acts an action", "of the time: loads", "acts", "scans", "scripts", "pictures", "health", "pauses", "our own"}}
	for _, a := range []app{{"static", fmt.Sprintf("%s/static/%d/a", b.site.url, speedPages)}, {"todomvc-react", b.site.url + "/todomvc/react/"}, {"sb-admin-2", b.site.url + "/" + dashboards()[0]}} {
		if !b.wants(a.name) {
			continue
		}
		began := time.Now()
		site, w, err := b.exploreOne(ctx, a.name, a.address, ours, func(o *explore.Options) { o.Limits.Actions = speedActions })
		if err != nil {
			return t, err
		}
		took := time.Since(began).Seconds()
		n := max(1, len(site.Loops))
		left := 100.0
		spent := func(kind string) string {
			share := 100 * w.spent[kind].Seconds() / took
			left -= share
			return fmt.Sprintf("%.0f %%", share)
		}
		t.row(a.name, n, len(site.States), fmt.Sprintf("%.1f", took), fmt.Sprintf("%.1f", float64(n)/took), fmt.Sprintf("%.2f", float64(w.loads)/float64(n)), fmt.Sprintf("%.2f", float64(w.acts)/float64(n)),
			spent("load"), spent("act"), spent("scan"), spent("scripts"), spent("picture"), spent("health"), spent("pause"), fmt.Sprintf("%.0f %%", left))
	}
	t.note("Goal: ≥ 4 actions a second on a static app on 2 cores; here %d.", runtime.NumCPU())
	return t, nil
}

// memory explores a site of many states and reads the memory at each quarter.
func (b *bench) memory(ctx context.Context) (table, error) {
	t := table{Head: []string{"states", "heap of this process, MB", "this process with driver and browser, MB"}}
	next := b.states / 8
	var heaps []float64
	_, _, err := b.exploreOne(ctx, "memory", fmt.Sprintf("%s/static/%d/a", b.site.url, b.states), ours, func(o *explore.Options) {
		o.Limits = explore.Limits{States: b.states, Time: b.limit, Frontier: o.Limits.Frontier}
		o.Tell = func(p explore.Progress) {
			if p.States < next {
				return
			}
			next += b.states / 8
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			all, err := measure.Of(os.Getpid())
			if err != nil {
				fmt.Fprintln(b.progress, "memory:", err)
			}
			heaps = append(heaps, measure.MB(int64(m.HeapAlloc)))
			t.row(p.States, fmt.Sprintf("%.0f", measure.MB(int64(m.HeapAlloc))), fmt.Sprintf("%.0f", measure.MB(all.Tree)))
		}
	})
	if len(heaps) > 1 {
		grown := heaps[len(heaps)-1] - heaps[0]
		t.note("The heap of this process grew by %.1f KB a state: what site.json holds of each, and what is left to try.", 1000*grown*8/float64(b.states*(len(heaps)-1)))
	}
	return t, err
}
