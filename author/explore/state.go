package explore

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
)

// state is one of the states that were told apart.
type state struct {
	site   *site.State // in states, by index
	index  int
	direct string // an address that shows it in a fresh context; "": none is known
	asked  bool   // whether there is one has been tried
	linked string // an address whose link led to it; "": none is known

	lines    map[string]bool // what its first view showed
	overlays []string
	own      bool // it shows a record that this exploration made
	wanders  bool // its address, typed after other acts, led elsewhere
	astray   bool // a link to that address led elsewhere
}

// view is what a page shows at a moment.
type view struct {
	page  scan.Page
	tree  *StateTree
	id    StateID
	named string         // by Options.Identify
	state *state         // nil: not entered yet
	links map[string]int // elements by where they lead; nil: not listed yet

	doubles []scan.Element // what answers a double click

	shown map[string]bool // its lines; nil: not listed yet

	caught  bool // picture, health and doubles are those of this view
	picture []byte
	ext     string
	health  []site.Finding
}

// learnt is what is known of a place: what changes there by itself. A page that nothing
// seems to change is not loaded again to find out, until a load shows something else.
type learnt struct {
	mask  StateMask
	done  bool
	first string // key of the first look at the place, until it is learnt
	view  *view  // that look; nil where it is kept no longer
	state *state
	stood bool // it showed the same after what may change it by itself had had time to
}

// maxViews bounds the looks that are kept of places that nothing is learnt of.
const maxViews = 64

// look scans the page and names what it shows.
func (e *explorer) look(ctx context.Context) (*view, error) {
	page, err := e.page.Scan(ctx)
	if err != nil {
		return nil, err
	}
	if e.uncounted++; e.uncounted >= countEvery {
		e.count(ctx)
	}
	v := &view{page: page}
	place := e.places.Of(page.URL)
	v.tree = Read(&v.page, place)
	e.name(v)
	return v, nil
}

// name sets the identity of what a view shows, by what is known of its place.
func (e *explorer) name(v *view) {
	var mask *StateMask
	if l := e.masks[e.places.Of(v.page.URL)]; l != nil {
		mask = &l.mask
	}
	v.id, v.shown = Of(&v.page, v.tree, mask), nil
	if e.o.Identify != nil && v.named == "" {
		v.named = e.o.Identify(&v.page, v.id)
	}
}

// countEvery says after how many looks is counted what of the scripts ran: the browser
// adds it up by itself within one context.
const countEvery = 10

// load opens an address in a fresh context, and first counts what ran in the one that ends.
func (e *explorer) load(ctx context.Context, address string) (Effect, error) {
	e.count(ctx)
	return e.page.Open(ctx, address)
}

// count adds up what of the site's own scripts ran.
func (e *explorer) count(ctx context.Context) {
	if e.uncounted == 0 {
		return
	}
	e.uncounted = 0
	counted, err := e.page.Scripts(ctx)
	if err != nil {
		e.o.Log.Debug("count what scripts ran", "err", err)
		return
	}
	e.scripts.Add(counted, func(address string) bool { return sameSite(e.o.StartURL, address) })
}

// key returns the coarse identity of a view.
func (e *explorer) key(v *view) string {
	if v.named != "" {
		return v.named
	}
	key := v.id.Key(e.page.Principal(v.page.URL, v.page.Status))
	if e.records.standing(v) == guard.Own {
		key += "\x1eown"
	}
	return key
}

// arrive enters the state that a view shows, and learns of its place what changes
// there by itself, after which the page may show another view of it. loaded says that
// nothing was done since the address was opened; fresh reports that the state is a new
// one.
func (e *explorer) arrive(ctx context.Context, v *view, loaded bool) (fresh bool, err error) {
	now, err := e.learn(ctx, v, loaded)
	if err != nil {
		return false, err
	}
	fresh = e.enter(ctx, v, now == v)
	if l := e.masks[v.id.Place]; l != nil && l.view == v {
		l.state = v.state
	}
	e.here = v
	if now == v {
		return fresh, nil
	}
	if e.key(now) != e.key(v) {
		e.enter(ctx, now, true)
	}
	if now.state == nil {
		now.state = v.state
	}
	e.opened(now.state, now.page.URL)
	e.here = now
	return fresh, nil
}

// opened notes that an address shows a state in a fresh context.
func (e *explorer) opened(s *state, address string) {
	s.direct, s.asked = address, true
	e.shows[NormalText(address)] = s
	e.graph.open(s.site.ID)
}

// enter enters the state of a view, unless it is known. shown says that the page shows
// it at this moment.
func (e *explorer) enter(ctx context.Context, v *view, shown bool) (fresh bool) {
	first := e.frontier.Visited(NormalText(v.page.URL), PlaceTemplate(v.page.URL))
	e.records.learn(v)
	family := e.familyOf(v)
	defer func() { family.learn(e.linesOf(v)) }()
	if known := e.known(v); known != nil {
		if first {
			e.frontier.Alike(PlaceTemplate(v.page.URL))
		}
		v.state = known
		e.states[e.key(v)] = known
		e.offerMore(v)
		return false
	}
	s := site.State{ID: fmt.Sprintf("s%d", len(e.site.States)+1), Place: v.id.Place, URL: v.page.URL, Title: v.page.Title, Shape: v.id.Shape, Exact: v.id.Exact,
		Overlays: v.page.Overlays, Principal: e.page.Principal(v.page.URL, v.page.Status), Notable: notable(v, e.o.Notable)}
	if l := e.masks[v.id.Place]; l != nil {
		s.Volatile = l.mask.Lines[:min(len(l.mask.Lines), maxVolatile)]
	}
	e.site.States = append(e.site.States, s)
	one := &state{index: len(e.site.States) - 1, site: &site.State{ID: s.ID, Place: s.Place, URL: s.URL}, lines: e.linesOf(v), overlays: v.id.Overlays, own: e.records.standing(v) == guard.Own}
	variant := family.variant(one.lines)
	family.states = append(family.states, one)
	v.state = one
	e.states[e.key(v)], e.byID[s.ID] = one, one
	if shown {
		e.catch(ctx, v)
	}
	e.file(v)
	if variant {
		e.offerMore(v)
	} else {
		e.offer(v)
	}
	return true
}

// maxVolatile bounds how much is listed of what changes by itself.
const maxVolatile = 50

// catch takes the picture of what a view shows, and judges its health, once.
func (e *explorer) catch(ctx context.Context, v *view) {
	if v.caught {
		return
	}
	v.caught = true
	var err error
	if e.o.Keep != nil {
		if v.picture, v.ext, err = e.page.Picture(ctx); err != nil && ctx.Err() == nil {
			e.o.Log.Warn("take the picture of a state", "address", shown(v.page.URL), "err", err)
		}
	}
	if v.health, err = e.page.Health(ctx); err != nil && ctx.Err() == nil {
		e.o.Log.Warn("judge the health of a page", "address", shown(v.page.URL), "err", err)
	}
	if v.doubles, err = e.page.DoubleClicks(ctx); err != nil && ctx.Err() == nil {
		e.o.Log.Warn("look for what answers a double click", "address", shown(v.page.URL), "err", err)
	}
}

// file stores what was caught of a new state.
func (e *explorer) file(v *view) {
	s := &e.site.States[v.state.index]
	if len(v.picture) > 0 {
		kept, err := e.o.Keep(s.ID, v.picture, v.ext)
		if err != nil {
			e.o.Log.Warn("store the picture of a state", "state", s.ID, "err", err)
		}
		s.Picture, v.picture = kept, nil
	}
	for _, f := range v.health {
		f.State = s.ID
		e.found(f)
	}
}

// alike is the share of a page that two loads must have in common: pages that have
// less are not one page that changes by itself.
const alike = 0.6

// learn finds out once for each place what changes there by itself: it looks again
// where a timer or a stream may have changed the page, and where it has, or another load
// showed something else, it loads the address in a fresh context, once more where that
// shows something else again. It returns what the page shows then.
func (e *explorer) learn(ctx context.Context, v *view, loaded bool) (*view, error) {
	place := v.id.Place
	l := e.masks[place]
	if l == nil {
		if l = e.learntNearby(v, func(l *learnt) bool { return l.done }); l != nil {
			e.masks[place] = l
			e.name(v)
		}
	}
	if l == nil {
		l = &learnt{}
		e.masks[place] = l
		if stands, err := e.standsStill(ctx, v, l); err != nil {
			return v, err
		} else if stands {
			l.first, l.view = e.key(v), v
			e.keep(l)
			return v, nil
		}
	}
	if l.done || l.first != "" && (!loaded || e.known(v) != nil) {
		return v, nil
	}
	l.done = true
	defer e.settle(l)
	defer e.name(v)
	e.catch(ctx, v) // it is a new state, or differs from one by what changes by itself
	first, ok := e.reload(ctx, v, place)
	if !ok {
		return e.elsewhere(ctx)
	}
	if first.id.Exact == v.id.Exact {
		return first, nil
	}
	second, ok := e.reload(ctx, v, place)
	if !ok {
		return e.elsewhere(ctx)
	}
	if AlikeStates(first.tree, second.tree) >= alike {
		l.mask.Differences(first.tree, second.tree)
	}
	e.name(second)
	return second, nil
}

// standsStill reports whether a page shows the same once what may change it by itself has
// had time to. What has changed is learnt.
func (e *explorer) standsStill(ctx context.Context, v *view, l *learnt) (bool, error) {
	if v.page.Changing == 0 || e.learntNearby(v, func(l *learnt) bool { return l.stood }) != nil {
		return true, nil
	}
	if err := e.page.Pause(ctx, v.page.Changing); err != nil {
		return false, err
	}
	later, err := e.look(ctx)
	if err != nil {
		return false, err
	}
	if later.id.Place == v.id.Place && AlikeStates(v.tree, later.tree) >= alike {
		l.mask.Differences(v.tree, later.tree)
	}
	l.stood = later.id.Exact == v.id.Exact
	return l.stood, nil
}

// learntNearby returns what is known of a place of the same path that has shown much of the
// same, such as a list in another order: what changes by itself is the same there. nil where
// there is none that fits.
func (e *explorer) learntNearby(v *view, fits func(*learnt) bool) *learnt {
	lines := e.linesOf(v)
	for _, s := range e.familyOf(v).states {
		if l := e.masks[s.site.Place]; l != nil && fits(l) && shared(s.lines, lines) >= alike {
			return l
		}
	}
	return nil
}

// keep keeps the first look at a place, and forgets the oldest of those that are kept.
func (e *explorer) keep(l *learnt) {
	e.kept = append(e.kept, l)
	if len(e.kept) > maxViews {
		e.kept[0].view = nil
		e.kept = e.kept[1:]
	}
}

// settle names the first look at a place again, by what is learnt of it since.
func (e *explorer) settle(l *learnt) {
	v := l.view
	l.view = nil
	if v == nil || l.state == nil {
		return
	}
	e.name(v)
	if e.states[e.key(v)] == nil {
		e.states[e.key(v)] = l.state
	}
	e.familyOf(v).learn(e.linesOf(v)) // without what changes by itself
	e.site.States[l.state.index].Volatile = l.mask.Lines[:min(len(l.mask.Lines), maxVolatile)]
}

// elsewhere looks at what the page shows after a load that led to another place.
func (e *explorer) elsewhere(ctx context.Context) (*view, error) {
	now, err := e.look(ctx)
	if err != nil {
		return nil, err
	}
	return e.learn(ctx, now, true)
}

// reload loads the address of a view in a fresh context; ok is false where that leads
// elsewhere.
func (e *explorer) reload(ctx context.Context, v *view, place string) (again *view, ok bool) {
	if _, err := e.load(ctx, v.page.URL); err != nil {
		return nil, false
	}
	again, err := e.look(ctx)
	return again, err == nil && again.id.Place == place
}

// whyNotExplored returns why what a page shows is not explored; "" where it is.
func (e *explorer) whyNotExplored(page *scan.Page) string {
	if page.Other {
		return "it is no page: its document is not HTML"
	}
	return e.outside(page.URL)
}

// outside returns why an address is none that is explored; "" where it is.
func (e *explorer) outside(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return "its address can't be read"
	case u.Scheme != "http" && u.Scheme != "https":
		return "it is no page of the web (" + u.Scheme + ":)"
	case e.o.StayOnDomain && !sameSite(e.o.StartURL, address):
		return "another host"
	case e.o.StayOnPath != "" && !under(u.Path, e.o.StayOnPath):
		return "beyond the path " + e.o.StayOnPath
	}
	return ""
}

// familyOf returns the family of a view.
func (e *explorer) familyOf(v *view) *family {
	return e.familyAs(v, e.records.standing(v) == guard.Own)
}

func (e *explorer) familyAs(v *view, own bool) *family {
	key := strings.Join([]string{pathOfPlace(v.id.Place), e.page.Principal(v.page.URL, v.page.Status), strconv.FormatBool(own)}, "\x1f")
	f := e.families[key]
	if f == nil {
		f = &family{some: map[string]bool{}}
		e.families[key] = f
	}
	return f
}

// known returns the state that a view shows: one that shows the same, or else the nearest
// of its family where the view is of no new kind; nil where it is of one.
func (e *explorer) known(v *view) *state {
	if s := e.states[e.key(v)]; s != nil || v.named != "" {
		return s
	}
	lines := e.linesOf(v)
	if s := e.familyOf(v).nearest(v, lines); s != nil || e.records.standing(v) != guard.Others {
		return s
	}
	return e.familyAs(v, true).nearest(v, lines) // what a record of ours has shown
}

// isState reports whether a view shows a state; of a record of this exploration where the
// state is one.
func (e *explorer) isState(v *view, s *state) bool {
	return e.known(v) == s && (!s.own || e.records.standing(v) == guard.Own)
}

func (e *explorer) linesOf(v *view) map[string]bool {
	mask := &StateMask{}
	if l := e.masks[e.places.Of(v.page.URL)]; l != nil {
		mask = &l.mask
	}
	return v.lines(mask)
}
