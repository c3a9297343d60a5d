package plan

import (
	"fmt"
	"slices"

	"github.com/assay-qa/assay/author/site"
)

// MaxSteps bounds the steps of a path through a site.
const MaxSteps = 12

// Cover returns paths from the site's start that go over each edge that changed
// something, and the edges that no path reaches. Paths have at most [MaxSteps] steps,
// or as many as the shortest way to an edge where that is longer.
//
// It is greedy: it takes the farthest edge that is left, by the shortest path, and goes
// on over edges that are left as long as it can. A path ends with an edge that wrote to
// the server or broke a rule of a form: what follows would depend on it.
func Cover(s site.Site) (paths [][]site.Edge, left []site.Edge) {
	if len(s.States) == 0 {
		return nil, s.Edges
	}
	g := newGraph(s)
	for {
		i := g.farthest()
		if i < 0 {
			break
		}
		path := append(slices.Clone(g.shortest[s.Edges[i].From]), i)
		g.walk(path)
		for g.steps(path) < MaxSteps && !g.ends(path[len(path)-1]) {
			more := g.next(s.Edges[path[len(path)-1]].To, MaxSteps-g.steps(path))
			if more == nil {
				break
			}
			g.walk(more)
			path = append(path, more...)
		}
		edges := make([]site.Edge, len(path))
		for n, i := range path {
			edges[n] = s.Edges[i]
		}
		paths = append(paths, edges)
	}
	for i, e := range s.Edges {
		if Proves(e) && !g.done[i] {
			left = append(left, e)
		}
	}
	slices.SortStableFunc(paths, func(a, b []site.Edge) int { return rank(a) - rank(b) })
	return paths, left
}

// Proves reports whether an edge changed something that a person sees. What changed
// nothing gives a test nothing to expect.
func Proves(e site.Edge) bool {
	c := e.Changes
	return e.From != e.To || c.URL != "" || c.Title != "" || len(c.Appeared) > 0 || len(c.Gone) > 0 || c.Dialog != "" || c.Popup != "" || c.Download != ""
}

// final reports whether a path ends with an edge, unless it is the only way.
func final(e site.Edge) bool { return e.Wrote || e.Action.Invalid != "" }

// rank puts paths that write after those that only read.
func rank(path []site.Edge) int {
	if slices.ContainsFunc(path, func(e site.Edge) bool { return e.Wrote }) {
		return 1
	}
	return 0
}

// graph is a site as edges by the state that they leave. Edges are known by their index.
type graph struct {
	edges    []site.Edge
	out      map[string][]int
	shortest map[string][]int // path from the start to a state that can be reached
	done     []bool           // edges that a path goes over
}

func newGraph(s site.Site) *graph {
	g := &graph{edges: s.Edges, out: map[string][]int{}, shortest: map[string][]int{}, done: make([]bool, len(s.Edges))}
	for i, e := range s.Edges {
		if Proves(e) {
			g.out[e.From] = append(g.out[e.From], i)
		}
	}
	start := s.States[0].ID
	g.shortest[start] = []int{}
	var later []int // edges that paths go over where there is no other way
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		for _, i := range g.out[queue[0]] {
			if final(s.Edges[i]) {
				later = append(later, i)
			} else {
				queue = g.reach(queue, i)
			}
		}
		for len(queue) == 1 && len(later) > 0 {
			queue, later = g.reach(queue, later[0]), later[1:]
		}
	}
	return g
}

// reach adds the state that an edge leads to, where it is new, to the states to look at.
func (g *graph) reach(queue []string, i int) []string {
	e := g.edges[i]
	if _, known := g.shortest[e.To]; known {
		return queue
	}
	g.shortest[e.To] = append(slices.Clone(g.shortest[e.From]), i)
	return append(queue, e.To)
}

// steps returns how many steps a path has: each field of a form is one.
func (g *graph) steps(path []int) int {
	n := 0
	for _, i := range path {
		n += 1 + len(g.edges[i].Action.Fields)
		if g.edges[i].Action.Kind == site.Press && g.edges[i].Action.Value != "" {
			n++ // the text comes first
		}
	}
	return n
}

// walk notes that a path goes over edges.
func (g *graph) walk(path []int) {
	for _, i := range path {
		g.done[i] = true
	}
}

// ends reports whether a path is not to go on after an edge.
func (g *graph) ends(i int) bool {
	way := g.shortest[g.edges[i].To]
	return final(g.edges[i]) && (len(way) == 0 || way[len(way)-1] != i)
}

// farthest returns the edge that is left and has the longest way to it, the first of
// equals; -1 where none is left.
func (g *graph) farthest() int {
	best, length := -1, -1
	for i, e := range g.edges {
		if way, ok := g.shortest[e.From]; ok && Proves(e) && !g.done[i] && len(way) > length {
			best, length = i, len(way)
		}
	}
	return best
}

// next returns the shortest way from a state over an edge that is left, of at most limit
// steps; nil where there is none.
func (g *graph) next(from string, limit int) []int {
	seen := map[string]bool{from: true}
	type way struct {
		at   string
		path []int
	}
	for queue := []way{{from, nil}}; len(queue) > 0; queue = queue[1:] {
		w := queue[0]
		for _, i := range g.out[w.at] {
			path := append(slices.Clone(w.path), i)
			if g.steps(path) > limit {
				continue
			}
			if !g.done[i] {
				return path
			}
			if to := g.edges[i].To; !seen[to] && !g.ends(i) {
				seen[to] = true
				queue = append(queue, way{to, path})
			}
		}
	}
	return nil
}

// longestWay bounds the steps of a path of the explorer's: where the shortest way to an
// action is longer than [MaxSteps], the path is as long.
const longestWay = 100

// CheckLength returns a [*ParseError] for flows that are too long for a test: such a test
// takes minutes, and what fails in it says little. file is the plan's name in messages.
func (p Plan) CheckLength(file string) error {
	most := MaxSteps
	if p.Marked {
		most = longestWay
	}
	var problems []Problem
	for _, f := range p.Flows {
		if len(f.Steps) <= most {
			continue
		}
		first := f.Steps[most]
		problems = append(problems, Problem{File: file, Line: first.Line, Message: fmt.Sprintf(
			"step %d: the flow %q has %d steps, and a test has at most %d: begin a flow of its own, \"## Steps to Reproduce: NAME\", where the start URL or a navigate step leads to what follows",
			first.Number, f.Name, len(f.Steps), most)})
	}
	if len(problems) == 0 {
		return nil
	}
	return &ParseError{problems}
}
