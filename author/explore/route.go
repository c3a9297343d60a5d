package explore

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-qa/assay/author/frontier"
	"github.com/assay-qa/assay/author/site"
)

// graph is what leads from state to state.
type graph struct {
	edges []site.Edge
	out   map[string][]int // indexes of edges by the state that they leave
	roots map[string]bool  // states that an address shows in a fresh context
	bad   map[int]bool     // edges that did not lead there again

	stale bool
	steps map[string]int // from a fresh context
	via   map[string]int // the last edge of the shortest path
}

func newGraph() *graph {
	return &graph{out: map[string][]int{}, roots: map[string]bool{}, bad: map[int]bool{}, stale: true}
}

// open notes that an address shows a state.
func (g *graph) open(id string) { g.roots[id], g.stale = true, true }

// shut notes that none does.
func (g *graph) shut(id string) { delete(g.roots, id); g.stale = true }

// add adds an edge. One that wrote is no way: it would write again.
func (g *graph) add(e site.Edge, _ *work) {
	g.edges = append(g.edges, e)
	if !e.Wrote && e.From != e.To {
		g.out[e.From] = append(g.out[e.From], len(g.edges)-1)
		g.stale = true
	}
}

// measure computes the shortest paths from a fresh context.
func (g *graph) measure() {
	if !g.stale {
		return
	}
	g.stale, g.steps, g.via = false, map[string]int{}, map[string]int{}
	var queue []string
	for _, e := range g.edges { // in the order of discovery, so that equal runs choose alike
		for _, id := range []string{e.From, e.To} {
			if _, seen := g.steps[id]; g.roots[id] && !seen {
				g.steps[id] = 1
				queue = append(queue, id)
			}
		}
	}
	for id := range g.roots {
		if _, seen := g.steps[id]; !seen {
			g.steps[id] = 1
			queue = append(queue, id)
		}
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, i := range g.out[id] {
			to := g.edges[i].To
			if _, seen := g.steps[to]; seen || g.bad[i] {
				continue
			}
			g.steps[to], g.via[to] = g.steps[id]+1, i
			queue = append(queue, to)
		}
	}
}

// path returns the state to open and the edges that lead on from it.
func (g *graph) path(to string) (from string, edges []int, ok bool) {
	g.measure()
	if _, known := g.steps[to]; !known {
		return "", nil, false
	}
	for at := to; ; {
		i, more := g.via[at]
		if !more {
			return at, edges, true
		}
		edges = append([]int{i}, edges...)
		at = g.edges[i].From
	}
}

// fromStart returns how many edges lead from the start to each state, by the shortest
// path; a state without an entry is reached by none, such as what only an address of its
// own shows.
func (g *graph) fromStart(start string) map[string]int {
	next := map[string][]string{}
	for _, e := range g.edges {
		next[e.From] = append(next[e.From], e.To)
	}
	steps := map[string]int{start: 0}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		for _, to := range next[queue[0]] {
			if _, seen := steps[to]; !seen {
				steps[to] = steps[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	return steps
}

// distance returns how many loads and acts lead to a state from what the page shows.
func (e *explorer) distance(id string) int {
	if e.here != nil && e.here.state != nil && e.here.state.site.ID == id {
		return 0
	}
	if e.lost[id] {
		return -1
	}
	e.graph.measure()
	if n, ok := e.graph.steps[id]; ok {
		return n
	}
	if s := e.byID[id]; s != nil && !s.asked {
		return 1
	}
	return -1
}

var errLost = errors.New("no way leads to it that shows it again")

// goTo brings the page to a state: by its address in a fresh context, or by the
// shortest path from one that an address shows.
func (e *explorer) goTo(ctx context.Context, id string) error {
	if e.here != nil && e.here.state != nil && e.here.state.site.ID == id {
		return nil
	}
	target := e.byID[id]
	if !target.asked {
		if err := e.open(ctx, target, target.site.URL); err == nil || ctx.Err() != nil {
			return err
		}
	}
	for {
		from, edges, ok := e.graph.path(id)
		if !ok {
			return errLost
		}
		root := e.byID[from]
		if err := e.open(ctx, root, root.direct); err != nil {
			if ctx.Err() != nil {
				return err
			}
			continue // the address is no way any more
		}
		if len(edges) == 0 {
			return nil
		}
		if err := e.replay(ctx, target, edges); err == nil || ctx.Err() != nil {
			return err
		}
	}
}

// open loads an address in a fresh context and looks whether it shows a state.
func (e *explorer) open(ctx context.Context, s *state, address string) error {
	s.asked = true
	e.here = nil
	effect, err := e.page.Open(ctx, address)
	e.note(effect, "")
	if err == nil {
		var now *view
		if now, err = e.look(ctx); err == nil {
			if e.states[e.key(now)] == s {
				now.state, e.here = s, now
				e.opened(s, address)
				return nil
			}
			err = fmt.Errorf("%s shows another state", shown(address))
			if _, arriveErr := e.arrive(ctx, now); arriveErr != nil {
				err = arriveErr
			}
		}
	}
	s.direct = ""
	e.graph.shut(s.site.ID)
	return err
}

// replay does the acts of a path and looks whether they lead to its end. The act that
// fails is no way any more; where all succeed and lead elsewhere, the last one is not.
func (e *explorer) replay(ctx context.Context, target *state, edges []int) error {
	e.here = nil
	for _, i := range edges {
		if _, err := e.do(ctx, e.graph.edges[i].Action); err != nil {
			e.graph.bad[i], e.graph.stale = true, true
			return err
		}
	}
	now, err := e.look(ctx)
	if err != nil {
		return err
	}
	if e.states[e.key(now)] != target {
		last := edges[len(edges)-1]
		e.graph.bad[last], e.graph.stale = true, true
		if e.outside(now.page.URL) == "" {
			if _, err := e.arrive(ctx, now); err != nil {
				return err
			}
		}
		return errLost
	}
	now.state, e.here = target, now
	return nil
}

// missed gives a state up that could not be reached again.
func (e *explorer) missed(ctx context.Context, a frontier.Action, err error) {
	if ctx.Err() != nil {
		return
	}
	e.misses[a.State]++
	if !errors.Is(err, errLost) && e.misses[a.State] < 2 {
		return
	}
	e.lost[a.State] = true
	for _, left := range e.frontier.Of(a.State) {
		if w := e.work[keyOf(left)]; w != nil {
			e.leave(a.State, w.action, "its state could not be reached again: "+err.Error())
			delete(e.work, keyOf(left))
		}
		e.frontier.Drop(left)
	}
}
