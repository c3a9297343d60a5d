package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
)

// graph is what leads from state to state.
type graph struct {
	edges []site.Edge
	out   map[string][]int // indexes of edges by the state that they leave
	roots map[string]bool  // states that an address shows in a fresh context
	bad   map[int]bool     // edges that did not lead there again
	weak  map[int]bool     // those that did not from what the page showed at the time
	walk  walk

	stale bool
	steps map[string]int // from a fresh context
	via   map[string]int // the last edge of the shortest path
}

func newGraph() *graph {
	return &graph{out: map[string][]int{}, roots: map[string]bool{}, bad: map[int]bool{}, weak: map[int]bool{}, stale: true}
}

// open notes that an address shows a state.
func (g *graph) open(id string) {
	if !g.roots[id] {
		g.roots[id], g.stale = true, true
	}
}

// shut notes that none does.
func (g *graph) shut(id string) { delete(g.roots, id); g.stale = true }

// add adds an edge. One that wrote is no way: it would write again. An address is one
// from anywhere: see open.
func (g *graph) add(e site.Edge, _ *work) {
	g.edges = append(g.edges, e)
	if !e.Wrote && e.From != e.To && e.Action.Kind != site.Navigate {
		g.out[e.From] = append(g.out[e.From], len(g.edges)-1)
		g.stale, g.walk.from = true, ""
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

// walk is what can be reached from a state by acts alone.
type walk struct {
	from  string
	steps map[string]int
	via   map[string]int
}

// These weigh ways against each other.
const (
	loadCost = 3 // of a load in a fresh context, in acts
	maxWalk  = 4 // acts in a row without a load
)

// onward returns the acts that lead from a state to another without a load; ok is false
// where none do, or too many.
func (g *graph) onward(from, to string) (edges []int, ok bool) {
	if g.walk.from != from {
		w := walk{from: from, steps: map[string]int{from: 0}, via: map[string]int{}}
		for queue := []string{from}; len(queue) > 0 && w.steps[queue[0]] < maxWalk; queue = queue[1:] {
			for _, i := range g.out[queue[0]] {
				next := g.edges[i].To
				if _, seen := w.steps[next]; seen || g.bad[i] || g.weak[i] {
					continue
				}
				w.steps[next], w.via[next] = w.steps[queue[0]]+1, i
				queue = append(queue, next)
			}
		}
		g.walk = w
	}
	if _, reached := g.walk.steps[to]; !reached || from == to {
		return nil, false
	}
	for at := to; at != from; at = g.edges[g.walk.via[at]].From {
		edges = append([]int{g.walk.via[at]}, edges...)
	}
	return edges, true
}

// doubt notes that an edge did not lead on from what the page showed.
func (g *graph) doubt(edge int) { g.weak[edge], g.walk.from = true, "" }

// distance returns what it costs to come to a state from what the page shows, in acts; a
// negative number where no way is known.
func (e *explorer) distance(id string) int {
	if e.isHere(id) {
		return 0
	}
	if e.lost[id] {
		return -1
	}
	if _, ok := e.linkTo(e.byID[id]); ok {
		return 1
	}
	fresh := -1
	e.graph.measure()
	if n, ok := e.graph.steps[id]; ok {
		fresh = loadCost + n - 1
	} else if e.mayAsk(e.byID[id]) {
		fresh = loadCost
	}
	if e.here == nil || e.here.state == nil {
		return fresh
	}
	if edges, ok := e.graph.onward(e.here.state.site.ID, id); ok && (fresh < 0 || len(edges) <= fresh) {
		return len(edges)
	}
	return fresh
}

// mayAsk reports whether it is worth a load to find out whether a state's own address
// shows it: not where the address is known to show another.
func (e *explorer) mayAsk(s *state) bool {
	if s == nil || s.asked {
		return false
	}
	other := e.shows[NormalText(s.site.URL)]
	return other == nil || other == s
}

// isHere reports whether the page shows a state, of a record of this exploration where the
// state is one.
func (e *explorer) isHere(id string) bool {
	s := e.byID[id]
	return e.here != nil && e.here.state == s && (!s.own || e.records.standing(e.here) == guard.Own)
}

var errLost = errors.New("no way leads to it that shows it again")

// goTo brings the page to a state: by acts that lead on from what it shows, where they
// are few; by its address in a fresh context, or by the shortest path from a state that an
// address shows. It ends once a way has led elsewhere and what is there will do.
func (e *explorer) goTo(ctx context.Context, id string, willDo func() bool) error {
	if e.isHere(id) {
		return nil
	}
	target := e.byID[id]
	if i, ok := e.linkTo(target); ok {
		if err := e.follow(ctx, target, i); err == nil || ctx.Err() != nil {
			return err
		}
	}
	e.graph.measure()
	if e.here != nil && e.here.state != nil {
		edges, ok := e.graph.onward(e.here.state.site.ID, id)
		if n, known := e.graph.steps[id]; ok && (!known || len(edges) <= loadCost+n-1) {
			if err := e.replay(ctx, target, edges, e.graph.doubt); err == nil || ctx.Err() != nil || willDo() {
				return err
			}
		}
	}
	if e.mayAsk(target) {
		if err := e.open(ctx, target, target.site.URL); err == nil || ctx.Err() != nil || willDo() {
			return err
		}
	}
	target.asked = true
	for {
		from, edges, ok := e.graph.path(id)
		if !ok {
			return errLost
		}
		root := e.byID[from]
		if done, err := e.visit(ctx, root, target, edges); done || err != nil {
			return err
		}
		if err := e.open(ctx, root, root.direct); err != nil {
			if ctx.Err() != nil || willDo() {
				return err
			}
			continue // the address is no way any more
		}
		if len(edges) == 0 {
			return nil
		}
		if err := e.replay(ctx, target, edges, e.graph.spoil); err == nil || ctx.Err() != nil || willDo() {
			return err
		}
	}
}

// linkTo returns a link of the page at hand to an address that is known to show a state:
// in a fresh context, or by a link elsewhere.
func (e *explorer) linkTo(s *state) (element int, ok bool) {
	if s == nil || s.direct == "" && s.linked == "" || s.astray || e.here == nil || e.here.state == nil {
		return 0, false
	}
	if e.here.links == nil {
		e.here.links = map[string]int{}
		for i, el := range e.here.page.Elements {
			address := NormalText(el.Href)
			if _, known := e.here.links[address]; known || el.Href == "" || el.Target != "" || el.Download || !el.IsVisible || el.Disabled || el.Behind || strings.HasPrefix(el.HrefSet, "#") {
				continue
			}
			e.here.links[address] = i
		}
	}
	element, ok = e.here.links[NormalText(cmp.Or(s.linked, s.direct))]
	return element, ok
}

// follow clicks a link that should lead to a state. Where it does, it is an edge like any
// other, and where it does not, none is followed there again.
func (e *explorer) follow(ctx context.Context, target *state, link int) error {
	from, began := e.here, e.o.Now()
	e.here = nil
	el := element(&from.page, link)
	w := &work{action: site.Action{Kind: site.Click, Element: &el}}
	effect, err := e.perform(ctx, w, e.records.standing(from))
	if err != nil {
		target.astray = true
		return err
	}
	now, err := e.look(ctx)
	if err != nil {
		return err
	}
	if !e.isState(now, target) {
		target.astray = true
		e.note(effect, "")
		if e.whyNotExplored(&now.page) == "" {
			if _, err := e.arrive(ctx, now, true); err != nil {
				return err
			}
		}
		return errLost
	}
	now.state, e.here = target, now
	e.enterEdge(from, now, w, effect, began)
	return nil
}

// visit types the address of a state that a fresh context has shown there, does the acts that
// lead on to another one, and reports whether the page shows that now: what the page's context
// keeps may lead elsewhere, which costs less to find out than a fresh context does.
func (e *explorer) visit(ctx context.Context, root, target *state, edges []int) (done bool, err error) {
	if e.here == nil || root.wanders || target.wanders {
		return false, nil
	}
	e.here = nil
	effect, err := e.page.Visit(ctx, root.direct)
	e.note(effect, "")
	if err == nil {
		var now *view
		if now, err = e.look(ctx); err == nil && e.isState(now, root) {
			now.state, e.here = root, now
			if len(edges) == 0 || e.replay(ctx, target, edges, func(int) {}) == nil {
				return true, nil
			}
			target.wanders = true
			return false, ctx.Err()
		}
	}
	root.wanders = true
	return false, ctx.Err()
}

// open loads an address in a fresh context and looks whether it shows a state.
func (e *explorer) open(ctx context.Context, s *state, address string) error {
	s.asked = true
	e.here = nil
	effect, err := e.load(ctx, address)
	e.note(effect, "")
	if err == nil {
		var now *view
		if now, err = e.look(ctx); err == nil && e.signIn.expired(ctx, e, now, &e.site.States[s.index]) {
			if _, err = e.load(ctx, address); err == nil {
				now, err = e.look(ctx)
			}
		}
		if err == nil {
			if e.isState(now, s) {
				now.state, e.here = s, now
				e.opened(s, address)
				return nil
			}
			err = fmt.Errorf("%s shows another state", shown(address))
			if _, arriveErr := e.arrive(ctx, now, true); arriveErr != nil {
				err = arriveErr
			} else {
				e.opened(now.state, address)
			}
			if e.here != nil && e.here.state == s { // it was told apart by what changes by itself
				return nil
			}
		}
	}
	s.direct = ""
	e.graph.shut(s.site.ID)
	return err
}

// within returns acts of one path that lead to a state, the shortest way from a state
// whose views its address shows.
func (g *graph) within(to, path string, states map[string]*state) []site.Edge {
	type way struct {
		from  string
		edges []site.Edge
	}
	seen := map[string]bool{to: true}
	for queue := []way{{to, nil}}; len(queue) > 0 && len(queue[0].edges) <= maxWalk; queue = queue[1:] {
		if at := states[queue[0].from]; len(at.overlays) == 0 && len(queue[0].edges) > 0 && at.asked {
			return queue[0].edges
		}
		for _, e := range g.edges {
			if e.To == queue[0].from && !seen[e.From] && !e.Wrote && e.Action.Kind != site.Navigate && pathOfPlace(states[e.From].site.Place) == path {
				seen[e.From] = true
				queue = append(queue, way{e.From, append([]site.Edge{e}, queue[0].edges...)})
			}
		}
	}
	return nil
}

// spoil notes that an edge is no way any more.
func (g *graph) spoil(edge int) { g.bad[edge], g.stale, g.walk.from = true, true, "" }

// replay does the acts of a path and looks whether they lead to its end. It tells of the
// act that fails; where all succeed and lead elsewhere, of the last one.
func (e *explorer) replay(ctx context.Context, target *state, edges []int, wrong func(edge int)) error {
	e.here = nil
	for _, i := range edges {
		if err := e.do(ctx, e.graph.edges[i].Action, guard.Explored); err != nil {
			wrong(i)
			return err
		}
	}
	now, err := e.look(ctx)
	if err != nil {
		return err
	}
	if !e.isState(now, target) {
		wrong(edges[len(edges)-1])
		if e.whyNotExplored(&now.page) == "" {
			if _, err := e.arrive(ctx, now, false); err != nil {
				return err
			}
		}
		return errLost
	}
	now.state, e.here = target, now
	return nil
}

// sameElsewhere is why an action is not tried whose state is not shown any more.
const sameElsewhere = "the same was done in another state"

// maxMisses is how often coming to a state may fail for another reason than that its ways
// lead elsewhere, such as a machine that is overloaded.
const maxMisses = 4

// missed gives a state up that could not be reached again.
func (e *explorer) missed(ctx context.Context, a Action, err error) {
	if ctx.Err() != nil {
		return
	}
	e.misses[a.State]++
	if !errors.Is(err, errLost) && e.misses[a.State] < maxMisses {
		return
	}
	e.lost[a.State] = true
	for _, left := range e.frontier.Of(a.State) {
		if left.Free {
			continue
		}
		if w := e.work[keyOf(left)]; w != nil {
			if e.frontier.spent(left) != "" || e.frontier.classes[left.Class] > 0 {
				e.leave(a.State, w.action, site.ByLikes, sameElsewhere)
			} else {
				e.leave(a.State, w.action, site.ByLoss, "its state could not be reached again: "+err.Error())
			}
			delete(e.work, keyOf(left))
		}
		e.frontier.Drop(left)
	}
}

// depth returns how many acts lead to a state from an address.
func (e *explorer) depth(id string) int {
	e.graph.measure()
	return max(0, e.graph.steps[id]-1)
}
