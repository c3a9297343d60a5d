package explore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
)

// checkpointVersion is the version of the checkpoints that this build writes.
const checkpointVersion = 3

// checkpoint is what an exploration knows beside what it found. It belongs to the site
// that was stored just before, whose lists only grow: what came later is left out of them.
type checkpoint struct {
	Version     int    `json:"version"`
	StartURL    string `json:"startUrl"`
	Role        string `json:"role"`
	Seed        int64  `json:"seed"`
	AllowWrites bool   `json:"allowWrites"`

	States, Edges, Untried, Findings, Loops int // how many of each the site has at that time
	Actions, Navigations, Idle, Rounds      int

	Frontier FrontierSnapshot       `json:"frontier"`
	Work     map[string]workRecord  `json:"work"`
	Places   *StatePlaces           `json:"places"`
	Scripts  *CoverageSum           `json:"scripts"`
	Masks    map[string]maskRecord  `json:"masks"`
	Known    map[string]stateRecord `json:"known"` // by id
	Keys     map[string]string      `json:"keys"`  // ids by coarse identity
	Shows    map[string]string      `json:"shows"` // ids by address
	Roots    map[string]bool        `json:"roots"`
	Bad      map[int]bool           `json:"bad"`
	Weak     map[int]bool           `json:"weak"`
	Lost     map[string]bool        `json:"lost"`
	Said     map[pagetext.Text]bool `json:"said"`
	Rules    map[string]bool        `json:"rules"`
	Limits   map[string]bool        `json:"constraints"`
	Misses   map[string]int         `json:"misses"`

	Families map[string]familyRecord `json:"families"`
	Seen     map[string]bool         `json:"seen"`
	Extra    int                     `json:"extra"`
	Listed   map[string]bool         `json:"listed"` // records
	Named    map[string]bool         `json:"named,omitempty"`
	Queried  map[string]bool         `json:"queried,omitempty"`
	Varies   map[string]bool         `json:"varies,omitempty"`
	Beside   map[string]bool         `json:"beside,omitempty"`
	Linked   map[string]bool         `json:"linked"`
	Own      map[string]bool         `json:"own"`
	Harm     map[string]RankActions  `json:"harm"`
	Renewed  int                     `json:"renewed"`
}

type familyRecord struct {
	Some   map[string]bool `json:"some"`
	All    map[string]bool `json:"all"`
	States []string        `json:"states"`
}

type workRecord struct {
	Action site.Action `json:"action"`
	Rules  []string    `json:"rules,omitempty"`
	At     string      `json:"at,omitempty"`

	Bare []site.Field `json:"bare,omitempty"`
}

type stateRecord struct {
	Direct string `json:"direct,omitempty"`
	Asked  bool   `json:"asked,omitempty"`
	Linked string `json:"linked,omitempty"`

	Lines    map[string]bool `json:"lines,omitempty"`
	Overlays []string        `json:"overlays,omitempty"`
	Own      bool            `json:"own,omitempty"`
}

type maskRecord struct {
	Mask  *StateMask `json:"mask"`
	Done  bool       `json:"done"`
	First string     `json:"first,omitempty"`
}

// Resumed is an exploration that ended before it was complete.
type Resumed struct {
	Site       site.Site
	Checkpoint []byte
}

func checkpointOf(e *explorer) checkpoint {
	s := e.site
	c := checkpoint{Version: checkpointVersion, StartURL: s.StartURL, Role: s.Role, Seed: s.Seed, AllowWrites: s.AllowWrites,
		States: len(s.States), Edges: len(s.Edges), Untried: len(s.Untried), Findings: len(s.Findings), Loops: len(s.Loops),
		Actions: e.actions, Navigations: e.navigations, Idle: e.idle, Rounds: e.loops,
		Frontier: e.frontier.Snapshot(), Work: map[string]workRecord{}, Places: e.places, Scripts: e.scripts,
		Masks: map[string]maskRecord{}, Known: map[string]stateRecord{}, Keys: map[string]string{}, Shows: map[string]string{},
		Roots: e.graph.roots, Bad: e.graph.bad, Weak: e.graph.weak, Lost: e.lost, Said: e.said, Rules: e.rules, Limits: e.constraints, Misses: e.misses,
		Families: map[string]familyRecord{}, Seen: e.seen, Extra: e.extra, Harm: e.harm, Renewed: e.signIn.renewed,
		Listed: e.records.listed, Queried: e.records.queried, Named: e.records.named, Varies: e.records.varies, Beside: e.records.beside, Linked: e.records.linked, Own: e.records.own}
	for key, f := range e.families {
		one := familyRecord{Some: f.some, All: f.all}
		for _, s := range f.states {
			one.States = append(one.States, s.site.ID)
		}
		c.Families[key] = one
	}
	for key, w := range e.work {
		c.Work[key] = workRecord{w.action, w.rules, w.at, w.bare}
	}
	for place, l := range e.masks {
		c.Masks[place] = maskRecord{&l.mask, l.done, l.first}
	}
	for id, one := range e.byID {
		c.Known[id] = stateRecord{one.direct, one.asked, one.linked, one.lines, one.overlays, one.own}
	}
	for key, one := range e.states {
		c.Keys[key] = one.site.ID
	}
	for address, one := range e.shows {
		c.Shows[address] = one.site.ID
	}
	return c
}

// resume takes over what an earlier exploration found and knew. The next action comes to
// its state by an address in a fresh context.
func resume(ctx context.Context, e *explorer, from Resumed) error {
	c := checkpoint{Places: NewPlaces(), Scripts: New()}
	if err := json.Unmarshal(from.Checkpoint, &c); err != nil {
		return fmt.Errorf("%w: what says how can't be read: %w", ErrNotResumed, err)
	}
	if err := c.fits(e.o, from.Site); err != nil {
		return err
	}
	if _, err := e.page.Open(ctx, e.o.StartURL); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnreachable, e.o.StartURL, err)
	}
	s := from.Site
	s.States, s.Edges, s.Untried, s.Findings, s.Loops = s.States[:c.States], s.Edges[:c.Edges], s.Untried[:c.Untried], s.Findings[:c.Findings], s.Loops[:c.Loops]
	s.Stop, s.FinishedAt = site.Stop{}, ""
	e.site = s
	e.actions, e.navigations, e.idle, e.loops = c.Actions, c.Navigations, c.Idle, c.Rounds
	e.places, e.scripts = c.Places, c.Scripts
	e.frontier.Restore(c.Frontier)
	for key, w := range c.Work {
		e.work[key] = &work{action: w.Action, rules: w.Rules, at: w.At, bare: w.Bare}
	}
	for i, one := range s.States {
		known := c.Known[one.ID]
		e.byID[one.ID] = &state{site: &site.State{ID: one.ID, Place: one.Place, URL: one.URL}, index: i, direct: known.Direct, asked: known.Asked, linked: known.Linked,
			lines: known.Lines, overlays: known.Overlays, own: known.Own}
	}
	for key, id := range c.Keys {
		e.states[key] = e.byID[id]
	}
	for address, id := range c.Shows {
		e.shows[address] = e.byID[id]
	}
	for place, m := range c.Masks {
		e.masks[place] = &learnt{mask: *m.Mask, done: m.Done, first: m.First}
	}
	for _, edge := range s.Edges {
		e.graph.add(edge, nil)
	}
	for _, both := range []struct{ to, from map[string]bool }{{e.graph.roots, c.Roots}, {e.lost, c.Lost}, {e.rules, c.Rules}, {e.constraints, c.Limits}} {
		maps.Copy(both.to, both.from)
	}
	for key, f := range c.Families {
		one := &family{some: f.Some, all: f.All}
		for _, id := range f.States {
			one.states = append(one.states, e.byID[id])
		}
		e.families[key] = one
	}
	e.filler.Mark, e.records.mark, e.extra, e.signIn.renewed = s.Mark, s.Mark, c.Extra, c.Renewed
	maps.Copy(e.seen, c.Seen)
	maps.Copy(e.records.listed, c.Listed)
	maps.Copy(e.records.queried, c.Queried)
	maps.Copy(e.records.named, c.Named)
	maps.Copy(e.records.varies, c.Varies)
	maps.Copy(e.records.beside, c.Beside)
	maps.Copy(e.records.linked, c.Linked)
	maps.Copy(e.records.own, c.Own)
	for path := range c.Linked {
		e.records.page(path)
	}
	maps.Copy(e.harm, c.Harm)
	maps.Copy(e.said, c.Said)
	maps.Copy(e.graph.bad, c.Bad)
	maps.Copy(e.graph.weak, c.Weak)
	maps.Copy(e.misses, c.Misses)
	return nil
}

// ErrNotResumed says that an exploration is not the one that is to go on.
var ErrNotResumed = errors.New("this exploration can't go on")

// fits reports why a checkpoint does not belong to this exploration or to its site.
func (c checkpoint) fits(o Options, s site.Site) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %w", ErrNotResumed, fmt.Errorf(format, args...))
	}
	switch {
	case c.Version != checkpointVersion:
		return wrong("it is of another version of assay")
	case c.StartURL != o.StartURL:
		return wrong("it began at %s", shown(c.StartURL))
	case c.Role != o.Role:
		return wrong("it has the role %q", c.Role)
	case c.Seed != o.Seed:
		return wrong("its seed is %d", c.Seed)
	case c.AllowWrites != o.AllowWrites:
		return wrong("it was begun with allow-writes=%t", c.AllowWrites)
	case c.States > len(s.States) || c.Edges > len(s.Edges) || c.Untried > len(s.Untried) || c.Findings > len(s.Findings) || c.Loops > len(s.Loops) || c.States < 1:
		return wrong("%s is not the one that it belongs to", site.FileName)
	}
	for _, f := range c.Families {
		for _, id := range f.States {
			if _, ok := c.Known[id]; !ok {
				return wrong("it speaks of a state %q that nothing is known of", id)
			}
		}
	}
	for _, of := range []map[string]string{c.Keys, c.Shows} {
		for _, id := range of {
			if _, ok := c.Known[id]; !ok {
				return wrong("it speaks of a state %q that nothing is known of", id)
			}
		}
	}
	for _, one := range s.States[:c.States] {
		if _, ok := c.Known[one.ID]; !ok {
			return wrong("nothing is known of state %s", one.ID)
		}
	}
	return nil
}
