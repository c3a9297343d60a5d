package explore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
)

// explorer is one exploration.
type explorer struct {
	o        Options
	page     Page
	places   *StatePlaces
	frontier *Frontier
	filler   Filler
	scripts  *CoverageSum
	site     site.Site
	graph    *graph
	began    time.Time
	saved    time.Time
	saving   time.Duration // what storing took at last

	states map[string]*state      // by coarse identity
	byID   map[string]*state      // by id
	masks  map[string]*learnt     // by place
	kept   []*learnt              // those that keep their first look
	shows  map[string]*state      // what an address shows in a fresh context
	lost   map[string]bool        // states that can't be reached again
	work   map[string]*work       // what is behind the actions of the frontier
	said   map[pagetext.Text]bool // findings, once each
	links  map[string]bool        // addresses that pages link to and that were visited
	rules  map[string]bool        // constraints of forms that were tried
	misses map[string]int         // how often a state could not be reached again

	constraints map[string]bool    // constraints of forms
	families    map[string]*family // by path and principal
	seen        map[string]bool    // kinds of actions that were offered
	extra       int                // actions that views of known states offered
	listed      []offered          // what the last view that was listed offers
	quiet       bool               // it is listed to find one action alone
	records     records
	harm        map[string]RankActions // of classes that the guard takes for destructive
	choices     map[string]string      // what fields of choice had at first, by place and name
	signIn      signIn

	here        *view // what the page shows; nil: nobody knows
	model       asked
	uncounted   int // looks since what ran of the scripts was counted
	actions     int
	navigations int
	idle        int // actions since the last new state
	loops       int
}

// Run explores a site and returns what it found. It returns an error where nothing
// could be looked at; what goes wrong later ends at most an action.
func Run(ctx context.Context, page Page, o Options) (site.Site, error) {
	o = o.withDefaults()
	e := &explorer{o: o, page: page, places: NewPlaces(), frontier: NewFrontier(o.Seed, o.Limits.Frontier), scripts: New(), graph: newGraph(),
		filler: Filler{Seed: o.Seed, Day: o.Now()}, began: o.Now(), saved: o.Now(),
		states: map[string]*state{}, byID: map[string]*state{}, masks: map[string]*learnt{},
		shows: map[string]*state{}, work: map[string]*work{}, said: map[pagetext.Text]bool{}, links: map[string]bool{},
		rules: map[string]bool{}, constraints: map[string]bool{}, misses: map[string]int{}, lost: map[string]bool{},
		families: map[string]*family{}, seen: map[string]bool{}, records: newRecords(o.StartURL), harm: map[string]RankActions{}, choices: map[string]string{}}
	e.frontier.DepthBy(e.depth)
	e.site = site.Site{SchemaVersion: site.SchemaVersion, StartURL: o.StartURL, Role: o.Role, Seed: o.Seed, AllowWrites: o.AllowWrites, StartedAt: o.Now().UTC().Format(time.RFC3339)}
	if o.AllowWrites {
		e.site.Mark = markOf(o.Seed, o.Now())
		e.filler.Mark, e.records.mark = e.site.Mark, e.site.Mark
	}
	if o.Limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, o.Limits.Time, errTime)
		defer cancel()
	}
	begin := e.start
	if o.Resume != nil {
		begin = func(ctx context.Context) error { return resume(ctx, e, *o.Resume) }
	}
	err := begin(ctx)
	if err != nil && o.Resume != nil {
		return o.Resume.Site, err // what is stored stays as it is
	}
	if err == nil {
		e.loop(ctx)
		err = e.end()
	} else {
		e.site.Stop = site.Stop{Reason: site.Unreachable, Detail: pagetext.Text(err.Error())}
		if context.Cause(ctx) != nil {
			e.site.Stop, err = e.stopped(ctx), nil
		}
	}
	e.finish(ctx)
	if saveErr := o.Save(e.site); saveErr != nil {
		err = errors.Join(err, saveErr)
	}
	return e.site, err
}

var (
	errTime       = errors.New("the time of the exploration is over")
	errOutOfRange = errors.New("the model chose an element that is not on the list")
)

// start opens the start address.
func (e *explorer) start(ctx context.Context) error {
	effect, err := e.page.Open(ctx, e.o.StartURL)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnreachable, e.o.StartURL, err)
	}
	now, err := e.look(ctx)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnreachable, e.o.StartURL, err)
	}
	e.navigations++
	if _, err := e.arrive(ctx, now, true); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnreachable, e.o.StartURL, err)
	}
	e.opened(now.state, e.o.StartURL)
	e.note(effect, "")
	return nil
}

// stopped says why a context ended.
func (e *explorer) stopped(ctx context.Context) site.Stop {
	if errors.Is(context.Cause(ctx), errTime) {
		return site.Stop{Reason: site.MaxTime, Detail: pagetext.Text(e.o.Limits.Time.String())}
	}
	return site.Stop{Reason: site.Cancelled}
}

// loop tries actions until there are none, or a budget is spent.
func (e *explorer) loop(ctx context.Context) {
	for {
		if stop, over := e.over(ctx); over {
			e.site.Stop = stop
			return
		}
		next, ok := e.next(ctx)
		if !ok {
			e.site.Stop = e.whole()
			return
		}
		e.loops++
		e.turn(ctx, next)
		if e.loops%tidyEvery == 0 {
			e.tidy()
		}
		if began := e.o.Now(); began.Sub(e.saved) > max(saveEvery, saveShare*e.saving) {
			e.measure()
			if err := e.store(); err != nil {
				e.o.Log.Warn("store what was found so far", "err", err)
			}
			e.saved = e.o.Now()
			e.saving = e.saved.Sub(began)
		}
	}
}

// whole says whether all was tried that was found.
func (e *explorer) whole() site.Stop {
	lost := map[string]bool{}
	for _, u := range e.site.Untried {
		if u.Cause == site.ByLoss {
			lost[u.State] = true
		}
	}
	if len(lost) > 0 {
		return site.Stop{Reason: site.StatesLost, Detail: pagetext.Sprintf("nothing is left to try but what is in states that could not be reached again: %d", len(lost))}
	}
	return site.Stop{Reason: site.Complete, Detail: "nothing is left to try"}
}

// end stores how to go on where an exploration ended before it was complete.
func (e *explorer) end() error {
	if e.o.Checkpoint == nil {
		return nil
	}
	if r := e.site.Stop.Reason; r == site.Complete || r == site.NoNewState || r == site.StatesLost {
		return e.o.Checkpoint(nil)
	}
	e.measure()
	return e.store()
}

// store stores what is known so far: what was found, and then how to go on from there.
func (e *explorer) store() error {
	if err := e.o.Save(e.site); err != nil || e.o.Checkpoint == nil {
		return err
	}
	data, err := json.Marshal(checkpointOf(e))
	if err != nil {
		return fmt.Errorf("write how to go on: %w", err)
	}
	return e.o.Checkpoint(data)
}

// tidyEvery says after how many rounds is forgotten what is not needed any more.
const tidyEvery = 50

// These say how often what is known so far is stored: less often where that takes long.
const (
	saveEvery = 3 * time.Second
	saveShare = 20 // of the time, what storing may take
)

// over reports whether a budget is spent.
func (e *explorer) over(ctx context.Context) (site.Stop, bool) {
	l := e.o.Limits
	reached := func(reason string, n int) (site.Stop, bool) {
		return site.Stop{Reason: reason, Detail: pagetext.Text(fmt.Sprint(n))}, true
	}
	switch {
	case ctx.Err() != nil:
		return e.stopped(ctx), true
	case e.signIn.lost != "":
		return site.Stop{Reason: site.SignedOut, Detail: e.signIn.lost}, true
	case l.Navigations > 0 && e.navigations >= l.Navigations:
		return reached(site.MaxNavigations, e.navigations)
	case l.Loops > 0 && e.loops >= l.Loops:
		return reached(site.MaxLoops, e.loops)
	case l.Actions > 0 && e.actions >= l.Actions:
		return reached(site.MaxActions, e.actions)
	case l.States > 0 && len(e.site.States) >= l.States:
		return reached(site.MaxStates, len(e.site.States))
	case e.idle >= l.Idle && !e.frontier.Promises() && e.frontier.Final(e.distance) == 0:
		return site.Stop{Reason: site.NoNewState, Detail: pagetext.Sprintf("%d actions in a row", e.idle)}, true
	}
	return site.Stop{}, false
}

// turn does one round: it goes to the state of an action, does it, and looks.
func (e *explorer) turn(ctx context.Context, a Action) {
	began := e.o.Now()
	loop := site.Loop{Number: e.loops, State: a.State}
	w := e.work[keyOf(a)]
	defer func() {
		loop.TotalMS = e.o.Now().Sub(began).Milliseconds()
		e.site.Loops = append(e.site.Loops, loop)
		e.o.Tell(Progress{Loops: e.loops, States: len(e.site.States), Edges: len(e.site.Edges), Findings: len(e.site.Findings), Loop: loop})
	}()
	if w == nil {
		e.frontier.Drop(a)
		loop.Result = "nothing is known of it any more"
		return
	}
	loop.Action = pagetext.Text(Describe(w.action))
	if err := e.goFor(ctx, &a, &w); err != nil {
		loop.Result = pagetext.Text("not reached again: " + err.Error())
		e.noteSilence(err, a.State, w.action)
		e.missed(ctx, a, err)
		return
	}
	acted := e.o.Now()
	from := e.here
	effect, err := e.perform(ctx, w, e.as(a))
	loop.ActMS = e.o.Now().Sub(acted).Milliseconds()
	e.actions++
	if ctx.Err() != nil {
		loop.Result = "interrupted"
		return // what became of it nobody knows
	}
	e.frontier.Tried(a)
	delete(e.work, keyOf(a))
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		e.refuse(a, from, w, refused, effect)
		loop.Result = "refused: " + refused.Why.Text()
	case err != nil:
		e.leave(a.State, w.action, site.ByError, err.Error())
		e.noteSilence(err, a.State, w.action)
		loop.Result = pagetext.Text("failed: " + err.Error())
		e.o.Log.Debug("an action failed", "state", a.State, "action", loop.Action, "err", err)
		e.goInstead(a, w)
	}
	if err != nil && w.action.Kind == site.Navigate { // the fresh context shows nothing
		e.here = nil
		e.note(effect, "")
		return
	}
	scanned := e.o.Now()
	result := e.after(ctx, a, from, w, effect, err == nil, acted)
	loop.ScanMS = e.o.Now().Sub(scanned).Milliseconds()
	if loop.Result == "" {
		loop.Result = pagetext.Text(result)
	}
}

// goFor brings the page to where an action can be done. Where its state is not shown any
// more, as something was written since, what does the same in the state that is shown
// instead takes its place.
func (e *explorer) goFor(ctx context.Context, a *Action, w **work) error {
	if a.Free && e.here != nil && e.here.state != nil {
		return nil
	}
	err := e.goTo(ctx, a.State, func() bool {
		_, does := e.twinHere(*a)
		return does
	})
	if ctx.Err() != nil || err == nil && (*w).at == "" && !e.stale() {
		return err
	}
	o, ok := e.twinNear(ctx, *a, cmp.Or((*w).at, e.byID[a.State].site.URL))
	if !ok {
		return cmp.Or(err, errLost)
	}
	e.o.Log.Debug("an action takes the place of another one", "action", Describe((*w).action), "state", e.here.state.site.ID)
	rules, values := (*w).rules, (*w).action
	*w = &work{action: o.work.action, rules: rules}
	(*w).action.Reason = values.Reason
	return nil
}

// twinNear comes to a view of the path of an action's state that offers what does the same:
// the page at hand, its address, or what the acts that led to the state lead to from there.
func (e *explorer) twinNear(ctx context.Context, a Action, address string) (offered, bool) {
	if o, ok := e.twinHere(a); ok {
		return o, true
	}
	if e.here == nil || NormalText(e.here.page.URL) != NormalText(address) || len(e.here.page.Overlays) > 0 {
		if e.openAt(ctx, address) != nil {
			return offered{}, false
		}
	}
	if o, ok := e.twinHere(a); ok {
		return o, true
	}
	for _, edge := range e.graph.within(a.State, pathOfPlace(e.byID[a.State].site.Place), e.byID) {
		if e.here == nil {
			return offered{}, false
		}
		if err := e.do(ctx, edge.Action, e.records.standing(e.here)); err != nil {
			return offered{}, false
		}
		now, err := e.look(ctx)
		if err != nil {
			return offered{}, false
		}
		if _, err := e.arrive(ctx, now, false); err != nil {
			return offered{}, false
		}
	}
	if ctx.Err() != nil {
		return offered{}, false
	}
	return e.twinHere(a)
}

// twinHere returns what does the same as an action, where the page shows a view of the path of
// its state that offers it.
func (e *explorer) twinHere(a Action) (offered, bool) {
	if e.here == nil || e.here.state == nil || !e.sameFamily(a.State) || e.byID[a.State].own && e.records.standing(e.here) != guard.Own {
		return offered{}, false
	}
	return e.twin(e.here, a)
}

// stale reports whether the page shows other data than the state that it is taken for did.
func (e *explorer) stale() bool { return e.site.States[e.here.state.index].Exact != e.here.id.Exact }

// sameFamily reports whether the page shows a view of the path of a state.
func (e *explorer) sameFamily(id string) bool {
	return pathOfPlace(e.byID[id].site.Place) == pathOfPlace(e.here.id.Place)
}

// openAt loads the address at which an action was found.
func (e *explorer) openAt(ctx context.Context, address string) error {
	e.here = nil
	effect, err := e.load(ctx, address)
	e.note(effect, "")
	if err != nil {
		return err
	}
	now, err := e.look(ctx)
	if err != nil {
		return err
	}
	_, err = e.arrive(ctx, now, true)
	return err
}

// as says on whose record an action is done.
func (e *explorer) as(a Action) guard.Kind {
	switch {
	case e.here == nil || e.here.state == nil:
		return guard.Explored
	case (a.Rank == Harms || a.Rank == Removes) && e.records.standing(e.here) == guard.Own && e.records.holds(e.here):
		return guard.Own
	case e.records.standing(e.here) == guard.Others && !a.Makes, a.Others && e.records.standing(e.here) != guard.Own, e.isLoose(a) && e.records.edits(e.here, noForm):
		return guard.Others
	}
	return guard.Explored
}

// isLoose reports whether an action is on an element of the page at hand that is in no form.
func (e *explorer) isLoose(a Action) bool {
	return a.State == e.here.state.site.ID && a.Index >= 0 && a.Index < len(e.here.page.Elements) && e.here.page.Elements[a.Index].Form == noForm
}

// refuse enters that an action was stopped: on a record of this exploration it may be done
// at the end.
func (e *explorer) refuse(a Action, from *view, w *work, r *Refused, effect Effect) {
	if from != nil && len(from.page.Overlays) > 0 {
		a.Called = "" // what it does may be told by the question that it answers
	}
	own, others := from != nil && e.records.standing(from) == guard.Own, a.Others || from != nil && e.records.standing(from) == guard.Others
	switch {
	case a.Item && a.Goal != "": // a link that is called so: others of its list are not
	case e.o.AllowWrites && others && len(effect.Stopped) > 0:
		e.frontier.Bar(a.Class)
		e.frontier.Untry(a.Class)
	case e.o.AllowWrites && r.Rule != "" && a.Rank != Harms && a.Rank != Removes:
		e.frontier.Untry(a.Class)
		if e.harms(a, w, r, own) {
			return
		}
	default:
		e.frontier.Exhaust(a.Class)
		if r.Rule != "" {
			e.frontier.Refuse(a)
		}
	}
	e.leave(a.State, w.action, site.ByGuard, r.Error())
}

// goInstead adds the address of a link that could not be clicked.
func (e *explorer) goInstead(a Action, w *work) {
	if w.action.Kind != site.Click || a.Goal == "" {
		return
	}
	other := a
	other.Kind, other.Class, other.Kin, other.Free = site.Navigate, a.Class+"\x1faddress", "", true
	e.frontier.Instead(other)
	e.work[keyOf(other)] = &work{action: site.Action{Kind: site.Navigate, URL: w.action.Element.Href, Reason: "its link could not be clicked"}}
}

// after looks at what an action led to, and enters it.
func (e *explorer) after(ctx context.Context, a Action, from *view, w *work, effect Effect, done bool, began time.Time) string {
	e.here = nil
	now, err := e.look(ctx)
	if err != nil {
		e.note(effect, "")
		e.noteSilence(err, a.State, w.action)
		return "the page can't be looked at: " + err.Error()
	}
	e.idle++
	outside := e.whyNotExplored(&now.page)
	if outside != "" { // it is left at once
		e.frontier.Did(a, "leaves")
		e.leave(from.state.site.ID, w.action, site.ByGuard, "it led to "+shown(now.page.URL)+": "+outside)
		e.note(effect, "")
		return "left: " + outside
	}
	if now.page.URL != from.page.URL {
		e.navigations++
	}
	e.records.made(now, effect)
	fresh, err := e.arrive(ctx, now, w.action.Kind == site.Navigate || NormalText(now.page.URL) != NormalText(from.page.URL))
	if err != nil {
		return err.Error()
	}
	if !done {
		e.note(effect, "")
		return ""
	}
	if w.action.Kind == site.Navigate {
		e.opened(e.here.state, w.action.URL)
	}
	if a.Goal != "" { // where it leads may be known by another address
		e.frontier.Visited(a.Goal, a.Visit)
		if NormalText(now.page.URL) == a.Goal && e.here == now {
			now.state.linked = a.Goal
		}
	}
	to := now
	edge := e.enterEdge(from, now, w, effect, began)
	if effect.Wrote {
		e.offerBare(a, from, now, w, edge.Changes.Appeared)
	}
	e.frontier.Did(a, did(from, now, edge.Changes, effect))
	e.openPopup(from.state, effect.Popup)
	if e.signIn.endedBy(ctx, e, &a, to, effect) {
		e.site.Edges[len(e.site.Edges)-1].SignsOut = true
		return "ended the sign-in, at " + to.state.site.ID
	}
	switch {
	case fresh:
		e.idle = 0
		return "new state " + to.state.site.ID + " " + to.state.site.Place
	case to.state == from.state:
		return "stayed in " + from.state.site.ID
	}
	return "went to " + to.state.site.ID
}

// harms notes that the guard takes the actions of a class for destructive, and reports
// whether this one is tried again, as it is on a record of this exploration.
func (e *explorer) harms(a Action, w *work, r *Refused, own bool) bool {
	rank := Harms
	if guard.Deletes(r.Rule) {
		rank = Removes
	}
	if e.harm[a.Class] == Ordinary {
		delete(e.seen, seenKey(a)) // a record of ours may offer it later
	}
	e.harm[a.Class] = rank
	if a.Called != "" {
		e.harm[a.Called] = rank
	}
	for _, other := range e.frontier.Harm(a, rank) {
		if left := e.work[keyOf(other)]; left != nil && left.action.Element != nil {
			e.leaveOnce(other.State, left.action, site.ByGuard, r.Error())
		}
	}
	if own {
		again := a
		again.Rank, again.Once = rank, true
		e.add(again, &work{action: w.action, rules: w.rules, at: w.at})
	}
	return own
}

// enterEdge enters an action with what it changed, and what went wrong because of it.
func (e *explorer) enterEdge(from, now *view, w *work, effect Effect, began time.Time) site.Edge {
	edge := site.Edge{ID: fmt.Sprintf("e%d", len(e.site.Edges)+1), From: from.state.site.ID, To: now.state.site.ID,
		Action: w.action, Changes: changes(from, now, effect), Wrote: effect.Wrote, Ms: e.o.Now().Sub(began).Milliseconds()}
	e.site.Edges = append(e.site.Edges, edge)
	e.graph.add(edge, w)
	e.note(effect, edge.ID)
	return edge
}

// leave lists an action that was found and not done.
func (e *explorer) leave(state string, a site.Action, cause, reason string) {
	const most = 2000
	if len(e.site.Untried) < most {
		e.site.Untried = append(e.site.Untried, site.Untried{State: state, Action: a, Reason: pagetext.Text(reason), Cause: cause})
	}
}

// lastCount bounds the last count of what scripts ran, when an exploration has ended.
const lastCount = 5 * time.Second

// finish enters what is left, the coverage and the distances.
func (e *explorer) finish(ctx context.Context) {
	ctx, cancel := wait.CleanUp(ctx, lastCount)
	defer cancel()
	e.count(ctx)
	left, reasons := e.frontier.Left("the exploration ended before: " + e.site.Stop.Reason)
	for i, a := range left {
		w, cause := e.work[keyOf(a)], site.ByLikes
		switch spent := e.frontier.spent(a); {
		case spent == "" && e.frontier.classes[a.Class] > 0 && e.distance(a.State) < 0:
			reasons[i] = sameElsewhere
		case spent == "":
			cause = site.ByBudget
		}
		if w != nil {
			e.leave(a.State, w.action, cause, reasons[i])
		}
	}
	e.measure()
	e.site.FinishedAt = e.o.Now().UTC().Format(time.RFC3339)
}

// measure enters the coverage and the distances.
func (e *explorer) measure() {
	c := &e.site.Coverage
	c.States = len(e.site.States)
	places := map[string]bool{}
	for _, s := range e.site.States {
		places[s.Place] = true
	}
	c.Places = site.Count{Covered: len(places), Known: len(places) + e.frontier.Unseen()}
	c.ActionClasses.Covered, c.ActionClasses.Known = e.frontier.Classes()
	c.FormConstraints = site.Count{Covered: len(e.rules), Known: len(e.constraints)}
	c.ScriptBlocks.Covered, c.ScriptBlocks.Known = e.scripts.Blocks()
	c.ScriptCharacters.Covered, c.ScriptCharacters.Known = e.scripts.Characters()
	if len(e.site.States) == 0 {
		return
	}
	steps := e.graph.fromStart(e.site.States[0].ID)
	for i := range e.site.States {
		n, reached := steps[e.site.States[i].ID]
		if !reached {
			n = -1
		}
		e.site.States[i].Distance = n
	}
}
