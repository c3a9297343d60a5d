package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/explore"
	found "github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/bench/measure"
)

// baselineActions bounds each exploration that is compared.
const baselineActions = 120

// app is one that explorations are compared on.
type app struct{ name, address string }

// compared are six apps of different kinds.
func (b *bench) compared() []app {
	return []app{{"todomvc-react", b.site.url + "/todomvc/react/"}, {"todomvc-knockout", b.site.url + "/todomvc/knockout/"}, {"todomvc-lit", b.site.url + "/todomvc/lit/"},
		{"sb-admin-2", b.site.url + "/" + dashboards()[0]}, {"adminator", b.site.url + "/" + dashboards()[1]}, {"admin-lte", b.site.url + "/" + dashboards()[2]}}
}

// atRandom chooses with equal chances, from one seed.
func (b *bench) atRandom() func(context.Context, explore.Question) (explore.Choice, error) {
	r := rand.New(rand.NewPCG(uint64(b.seed), 1))
	return func(_ context.Context, q explore.Question) (explore.Choice, error) {
		return explore.Choice{Element: r.IntN(len(q.Elements))}, nil
	}
}

// baselines compares explorations of the same engine with the same budget.
func (b *bench) baselines(ctx context.Context) (table, error) {
	t := table{Head: []string{"app", "way", "actions", "states", "places", "blocks of scripts that ran", "share", "stopped"}}
	ways := []string{ours, exact, atHand, ofPaths}
	points, ratios := map[string][]float64{}, map[string][]float64{}
	for _, a := range b.compared() {
		if !b.wants(a.name) {
			continue
		}
		results := map[string]found.Site{}
		known := 0
		for _, way := range ways {
			site, _, err := b.exploreOne(ctx, a.name, a.address, way, func(o *explore.Options) {
				o.Limits.Actions = baselineActions
				if b.actions > 0 {
					o.Limits.Actions = b.actions
				}
			})
			if err != nil {
				return t, err
			}
			results[way] = site
			known = max(known, site.Coverage.ScriptBlocks.Known)
		}
		share := func(way string) float64 {
			return 100 * float64(results[way].Coverage.ScriptBlocks.Covered) / float64(max(1, known))
		}
		for _, way := range ways {
			s := results[way]
			t.row(a.name, way, len(s.Loops), len(s.States), s.Coverage.Places.Covered, s.Coverage.ScriptBlocks.Covered, fmt.Sprintf("%.1f %%", share(way)), s.Stop.Reason)
			points[way] = append(points[way], share(ours)-share(way))
			ratios[way] = append(ratios[way], float64(len(results[ours].States))/float64(max(1, len(s.States))))
		}
		again, _, err := b.exploreOne(ctx, a.name+"-again", a.address, ours, func(o *explore.Options) { o.Limits.Actions = len(results[ours].Loops) })
		if err != nil {
			return t, err
		}
		t.note("%s, explored again with the same seed: %s", a.name, difference(results[ours], again))
	}
	for _, way := range ways[1:] {
		t.note("Against %s: %+.1f points of blocks (median; goal ≥ +5), %.2f× the states (median; goal ≤ 0.3).", way, measure.Median(points[way]), measure.Median(ratios[way]))
	}
	return t, nil
}

// difference says where two graphs differ first.
func difference(a, b found.Site) string {
	lines := func(s found.Site) (out []string) {
		for _, e := range s.Edges {
			out = append(out, e.From+" "+explore.Describe(e.Action)+" "+e.To)
		}
		return out
	}
	x, y := lines(a), lines(b)
	if n := min(len(x), len(y)); !slices.Equal(x[:n], y[:n]) {
		for i := range n {
			if x[i] != y[i] {
				return fmt.Sprintf("the graphs differ from edge %d of %d on: %q, and %q", i+1, n, strings.TrimSpace(x[i]), strings.TrimSpace(y[i]))
			}
		}
	}
	if len(x) != len(y) {
		return fmt.Sprintf("the same graph, one with %d edges, the other with %d (%s, %s)", len(x), len(y), a.Stop.Reason, b.Stop.Reason)
	}
	return fmt.Sprintf("the same graph, %d states, %d edges", len(a.States), len(x))
}
