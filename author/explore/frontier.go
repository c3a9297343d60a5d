package explore

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
)

// RankActions orders actions before all else.
type RankActions int

// The ranks.
const (
	Ordinary RankActions = iota
	Writes               // it may change something on the server
	Harms                // the guard takes it for destructive, and it changes what this exploration made
	Removes              // it deletes that
	LogsOut              // it ends the sign-in
)

// Action is one thing that can be done in a state.
type Action struct {
	State string // id
	Index int    // of the element in the scan of that state; -1 - form for a form
	Kind  string
	Class string // actions of one class are expected to do alike
	Item  bool   // it belongs to an item of a repeated list
	Once  bool   // one action of its class is enough
	Rank  RankActions
	Goal  string // where it leads, normalised; "" where nobody knows
	Visit string // template of the goal
	Spare bool   // of little promise: it is tried when nothing else is left
	Opens bool   // it opens something that is collapsed, such as a menu
	Free  bool   // it can be done wherever the exploration is, at the cost of a load
	Place string // where it can be done
	Kin   string // the same control on other pages has the same; "": none is known

	Called string // what a control is called and where it leads has the same on other pages; "": it says nothing
	Door   string // what it asks of the server; "": nobody knows
	Others bool   // it is on a record that somebody else made
	Script bool   // its page is named by its query: it may be such a record, and comes no later for it
	Own    bool   // it is on a record that this exploration made
	Makes  bool   // its form makes a new record, though its page is listed as records are
	Asked  bool   // it lies in a dialog about such a record, which answering takes away
}

// FrontierLimits bound how often what is alike is tried.
type FrontierLimits struct {
	ListSample int // items of one repeated list
	Visits     int // of places of one template
	Class      int // actions of one class
}

// samePlaces is in how many places a control must have done the same before it is not
// tried elsewhere.
const samePlaces = 3

// controlHistory is what a control did on the pages that have it.
type controlHistory struct {
	did    string
	mixed  bool // not always the same
	places map[string]bool
}

// DefaultFrontierLimits are the limits where nothing else is said.
func DefaultFrontierLimits() FrontierLimits {
	return FrontierLimits{ListSample: 2, Visits: 3, Class: 3}
}

// Frontier holds actions and what was tried.
type Frontier struct {
	seed    int64
	limits  FrontierLimits
	open    []Action
	added   int                        // actions, ever
	classes map[string]int             // how often each was tried
	visited map[string]bool            // goals
	visits  map[string]int             // by template
	alike   map[string]bool            // templates of which a further page has shown nothing new
	order   map[string]int             // order of discovery of the actions that are open
	links   int                        // links that were tried since another action was
	dry     int                        // what was opened since a link to a page came that nobody has visited
	depth   func(state string) int     // see DepthBy; nil: nobody knows
	blocked map[string]bool            // addresses whose links can't be clicked
	states  int                        // that had an action
	found   map[string]int             // by address, and by state: the number of the state in which it was found
	kin     map[string]*controlHistory // what actions of one kin did
	ended   map[string]bool            // classes, kin and doors of what ended the sign-in
	barred  map[string]bool            // classes that would change records of others
	ending  bool                       // what comes after all else comes now, as the budget ends
	refused map[string]bool            // names of what the guard refuses for what it is called or sends
}

// NewFrontier returns an empty frontier.
func NewFrontier(seed int64, limits FrontierLimits) *Frontier {
	return &Frontier{seed: seed, limits: limits, classes: map[string]int{}, visited: map[string]bool{},
		visits: map[string]int{}, alike: map[string]bool{}, order: map[string]int{}, kin: map[string]*controlHistory{}, found: map[string]int{},
		blocked: map[string]bool{}, ended: map[string]bool{}, barred: map[string]bool{}, refused: map[string]bool{}}
}

// DepthBy says how many acts lead to a state from an address. What is near one comes first, so
// that a page with much in it does not take the budget of the others.
func (f *Frontier) DepthBy(depth func(state string) int) { f.depth = depth }

// EndsSignIn notes that an action has ended the sign-in: neither it nor what asks the same
// of the server is tried again.
func (f *Frontier) EndsSignIn(a Action) {
	for _, key := range []string{a.Class, a.Kin, a.Door} {
		if key != "" {
			f.ended[key] = true
		}
	}
	if a.Rank == LogsOut && a.Called != "" { // the same menu has it on other pages, at another place
		f.ended[a.Called] = true
	}
}

// Refuse notes that the guard refuses an action for what it is called or sends, which is
// the same on other pages. On a record of this exploration it may be tried, unless its
// address is just the one that was refused elsewhere.
func (f *Frontier) Refuse(a Action) {
	if a.Goal != "" && !a.Own {
		f.refused[a.Goal] = true
	}
	if a.Called != "" {
		f.refused[a.Called] = true
	}
}

// Harm notes how the guard takes actions of one class or name: those that are open on
// records of this exploration come in that order. It takes the others away, and returns them.
func (f *Frontier) Harm(like Action, rank RankActions) (others []Action) {
	f.Refuse(like)
	alike := func(a Action) bool { return a.Class == like.Class || like.Called != "" && a.Called == like.Called }
	f.remove(func(a Action) bool {
		if alike(a) && !a.Own {
			others = append(others, a)
			return true
		}
		return false
	})
	for i := range f.open {
		if a := &f.open[i]; alike(*a) && a.Rank < rank {
			a.Rank, a.Once = rank, true
		}
	}
	return others
}

// New lists what is open of classes of which nothing was done.
func (f *Frontier) New() []Action {
	return slices.DeleteFunc(slices.Clone(f.open), func(a Action) bool { return f.classes[a.Class] > 0 || f.spent(a) != "" })
}

// Untry forgets that an action of a class was tried.
func (f *Frontier) Untry(class string) { f.classes[class] = max(0, f.classes[class]-1) }

// Bar notes that actions of a class change records, and are not tried on those of others.
func (f *Frontier) Bar(class string) { f.barred[class] = true }

func frontierKey(a Action) string {
	return a.State + "\x1f" + a.Kind + "\x1f" + strconv.Itoa(a.Index)
}

// Add adds an action, unless it is open. One that was tried is not known any more: the
// actions of a state are added once.
func (f *Frontier) Add(a Action) {
	key := frontierKey(a)
	if _, open := f.order[key]; open {
		return
	}
	f.added++
	f.order[key] = f.added
	if _, ok := f.found[stateKey+a.State]; !ok {
		f.states++
		f.found[stateKey+a.State] = f.states
	}
	if _, ok := f.found[a.Goal]; !ok && a.Goal != "" {
		f.found[a.Goal] = f.found[stateKey+a.State]
	}
	if _, ok := f.classes[a.Class]; !ok {
		f.classes[a.Class] = 0
	}
	f.open = append(f.open, a)
	if f.promises(a) {
		f.dry = 0
	}
}

// Visited notes that an address has been shown, and reports whether it is the first time.
func (f *Frontier) Visited(address, template string) (first bool) {
	if first = !f.visited[address]; first {
		f.visited[address] = true
		f.visits[template]++
	}
	return first
}

// Alike notes that a page has shown what another one of its template had.
func (f *Frontier) Alike(template string) {
	if f.visits[template] > 1 {
		f.alike[template] = true
	}
}

// Tried notes that an action was done, or can't be done.
func (f *Frontier) Tried(a Action) {
	switch f.links++; f.tier(a) {
	case acts:
		f.links = 0
	case menus:
		f.dry++
	}
	f.classes[a.Class]++
	f.Drop(a)
}

// Did notes what an action did, in a text that is the same where it did the same.
func (f *Frontier) Did(a Action, what string) {
	if a.Kin == "" {
		return
	}
	k := f.kin[a.Kin]
	if k == nil {
		k = &controlHistory{did: what, places: map[string]bool{}}
		f.kin[a.Kin] = k
	}
	k.places[a.Place], k.mixed = true, k.mixed || k.did != what
}

// same reports whether a control did the same wherever it was tried, and elsewhere than
// here.
func (f *Frontier) same(a Action) bool {
	k := f.kin[a.Kin]
	return k != nil && !k.mixed && len(k.places) >= samePlaces && !k.places[a.Place]
}

// Instead notes that links to an address can't be clicked, and are replaced by an action
// that goes to the address itself.
func (f *Frontier) Instead(a Action) {
	f.blocked[a.Goal] = true
	f.Add(a)
}

// Exhaust notes that no action of a class is worth another try.
func (f *Frontier) Exhaust(class string) { f.classes[class] = max(f.classes[class], f.limits.Class) }

// Drop takes an action away that is not to be tried.
func (f *Frontier) Drop(a Action) {
	f.remove(func(o Action) bool { return o.State == a.State && o.Kind == a.Kind && o.Index == a.Index })
}

// remove takes actions away, and forgets them.
func (f *Frontier) remove(which func(Action) bool) {
	f.open = slices.DeleteFunc(f.open, func(a Action) bool {
		gone := which(a)
		if gone {
			delete(f.order, frontierKey(a))
		}
		return gone
	})
}

// spent reports why an action is not worth its time any more; "" where it is.
func (f *Frontier) spent(a Action) string {
	switch {
	case f.ended[a.Class] || f.ended[a.Kin] || f.ended[a.Door] || a.Rank == LogsOut && f.ended[a.Called]:
		return "it ends the sign-in, as was tried"
	case f.refused[a.Called] && !a.Own, f.refused[a.Goal]:
		return "the guard refuses it, as was tried"
	case a.Others && f.barred[a.Class]:
		return notOurs
	case f.blocked[a.Goal] && !a.Free:
		return "its link could not be clicked: the address itself is opened"
	case a.Goal != "" && f.visited[a.Goal]:
		return "its address has been visited"
	case a.Visit != "" && (f.alike[a.Visit] || f.visits[a.Visit] >= f.limits.Visits):
		return "enough pages of that kind have been visited"
	case a.Once && f.classes[a.Class] > 0:
		return "it was tried in another state"
	case a.Item && f.classes[a.Class] >= f.limits.ListSample:
		return "enough items of that list have been tried"
	case f.classes[a.Class] >= f.limits.Class && !f.promises(a):
		return "enough actions of that kind have been tried"
	case a.Kin != "" && f.same(a):
		return "it did the same on several other pages"
	}
	return ""
}

// promises reports whether an action leads to a page of a kind that nobody has visited.
func (f *Frontier) promises(a Action) bool {
	return a.Goal != "" && !a.Item && f.visits[a.Visit] == 0
}

// elsewhere returns on how many pages the same control has been tried.
func (f *Frontier) elsewhere(a Action) int {
	if k := f.kin[a.Kin]; a.Kin != "" && k != nil {
		return len(k.places)
	}
	return 0
}

// tier says what an action is chosen for.
type tier int

const (
	writes tier = iota // it may change something on the server
	turns              // another action has its turn after several links
	pages              // a link to a page of a kind that nobody has visited
	menus              // it opens what may hold such links
	unseen             // the address of a link to such a page that nobody sees
	more               // a link to a further page of a kind
	acts               // all else
)

func (f *Frontier) tier(a Action) tier {
	switch {
	case a.Rank == Writes || a.Rank == Harms:
		return writes
	case f.promises(a) && a.Free:
		return unseen
	case f.promises(a):
		return pages
	case a.Opens && f.classes[a.Class] == 0 && f.dry < linksInARow:
		return menus
	case a.Goal != "" && !a.Item && f.spent(a) == "":
		return more
	}
	return acts
}

// These balance links against other actions.
const (
	linksInARow = 3 // after which comes another action, if one is near that nobody has tried
	near        = 2 // steps
	loadSteps   = 3 // what a load costs, in steps
	depthStep   = 2 // acts from an address, by which a state is explored later
)

// depths returns how many acts lead from an address to the nearest state in which an action
// of each class is left. What stands there, too, is no deeper where the exploration is.
func (f *Frontier) depths() map[string]int {
	out, states := map[string]int{}, map[string]int{}
	for _, a := range f.open {
		if _, known := states[a.State]; !known && f.depth != nil && !a.Free {
			states[a.State] = f.depth(a.State)
		}
		if least, known := out[a.Class]; !known || states[a.State] < least {
			out[a.Class] = states[a.State]
		}
	}
	return out
}

// Next chooses the next action. distance returns how many steps lead to a state from
// where the exploration is; a negative number where none do. ok is false where nothing
// is left.
func (f *Frontier) Next(distance func(state string) int) (best Action, ok bool) {
	all := f.Ranked(distance, 1)
	if len(all) == 0 {
		return Action{}, false
	}
	return all[0], true
}

// Ranked lists the next actions, the best first, at most so many.
func (f *Frontier) Ranked(distance func(state string) int, most int) []Action {
	f.remove(func(a Action) bool { return f.spent(a) != "" && a.Rank == Ordinary })
	steps := map[string]int{}
	var all []Action
	for _, a := range f.open {
		if _, known := steps[a.State]; !known {
			steps[a.State] = distance(a.State)
		}
		if (a.Free || steps[a.State] >= 0) && f.spent(a) == "" {
			all = append(all, a)
		}
	}
	far := func(a Action) int {
		if a.Free {
			return loadSteps
		}
		return steps[a.State]
	}
	of, depths := make(map[string]tier, len(all)), f.depths()
	for _, a := range all {
		of[frontierKey(a)] = f.turn(a, far(a))
	}
	last := func(a Action) RankActions {
		switch {
		case f.ending && a.Rank == Ordinary:
			return LogsOut + 1
		case f.ending && a.Rank != LogsOut: // the answer to whether it is to be deleted may be a form as others are
			return Removes
		}
		return a.last()
	}
	better := func(x, y Action) int {
		tx, ty := of[frontierKey(x)], of[frontierKey(y)]
		c := cmp.Or(cmp.Compare(last(x), last(y)), compareBool(!x.Asked || far(x) > 0, !y.Asked || far(y) > 0), compareBool(x.Spare, y.Spare), compareBool(x.late(), y.late()), cmp.Compare(tx, ty))
		if tx >= pages && tx < acts && ty >= pages && ty < acts && x.last() == y.last() && x.Spare == y.Spare && x.late() == y.late() {
			c = cmp.Or(compareBool(!f.fromStart(x), !f.fromStart(y)), compareBool(tx == more, ty == more), cmp.Compare(tx, ty), cmp.Compare(far(x), far(y)))
		}
		if tx == acts && ty == acts {
			c = cmp.Or(c, cmp.Compare(depths[x.Class]/depthStep, depths[y.Class]/depthStep))
		}
		return cmp.Or(c, cmp.Compare(f.elsewhere(x), f.elsewhere(y)), cmp.Compare(f.classes[x.Class], f.classes[y.Class]),
			cmp.Compare(far(x), far(y)), f.compareTies(x, y))
	}
	if most == 1 && len(all) > 0 {
		return []Action{slices.MinFunc(all, better)}
	}
	slices.SortStableFunc(all, better)
	return all[:min(len(all), most)]
}

// late reports whether an action comes after those on no record of somebody else.
func (a Action) late() bool { return a.Others && !a.Script }

// last returns the rank of what comes after all else.
func (a Action) last() RankActions {
	if a.Rank < Removes {
		return Ordinary
	}
	return a.Rank
}

// End says whether the budget ends: what comes after all else, such as deleting what was
// made, then comes before all else.
func (f *Frontier) End(now bool) { f.ending = now }

// Final counts what comes after all else, and can be reached.
func (f *Frontier) Final(distance func(state string) int) (n int) {
	for _, a := range f.open {
		if a.last() != Ordinary && f.spent(a) == "" && distance(a.State) >= 0 {
			n++
		}
	}
	return n
}

// stateKey begins the keys of states, beside addresses.
const stateKey = "\x1fstate\x1f"

// fromStart reports whether a link, or what opens a menu, was found in the first state:
// what the start page leads to comes before what other pages do.
func (f *Frontier) fromStart(a Action) bool {
	if a.Goal != "" {
		return f.found[a.Goal] == 1
	}
	return f.found[stateKey+a.State] == 1
}

// turn returns the tier of an action, and one before all where an act has its turn after
// several links.
func (f *Frontier) turn(a Action, steps int) tier {
	t := f.tier(a)
	if t == acts && f.links >= linksInARow && steps <= near && f.classes[a.Class] == 0 && !a.Free {
		return turns
	}
	return t
}

// compareTies orders what is alike: as it was found where the seed is 0, and
// otherwise as the seed mixes it.
func (f *Frontier) compareTies(x, y Action) int {
	kx, ky := frontierKey(x), frontierKey(y)
	if f.seed != 0 {
		if c := cmp.Compare(f.mixed(x.Class), f.mixed(y.Class)); c != 0 {
			return c
		}
	}
	return cmp.Compare(f.order[kx], f.order[ky])
}

func (f *Frontier) mixed(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strconv.FormatInt(f.seed, 10) + text)) // it never fails
	return h.Sum64()
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// Left lists the actions that were not tried, each with the reason.
func (f *Frontier) Left(otherwise string) (actions []Action, reasons []string) {
	for _, a := range f.open {
		reason := f.spent(a)
		if reason == "" {
			reason = otherwise
		}
		actions, reasons = append(actions, a), append(reasons, reason)
	}
	return actions, reasons
}

// Classes returns how many classes of actions are known, and how many were tried.
func (f *Frontier) Classes() (tried, known int) {
	for _, n := range f.classes {
		if n > 0 {
			tried++
		}
	}
	return tried, len(f.classes)
}

// Promises reports whether an action is left that leads to an address which nobody has
// visited.
func (f *Frontier) Promises() bool {
	return slices.ContainsFunc(f.open, func(a Action) bool { return a.Goal != "" && f.spent(a) == "" })
}

// Unseen counts the templates of addresses that are known and were not visited.
func (f *Frontier) Unseen() int {
	templates := map[string]bool{}
	for _, a := range f.open {
		if a.Visit != "" && f.visits[a.Visit] == 0 {
			templates[a.Visit] = true
		}
	}
	return len(templates)
}

// Worth reports whether an action would be tried at all.
func (f *Frontier) Worth(a Action) bool { return a.Rank != Ordinary || f.spent(a) == "" }

// Open calls a function for each action that is left.
func (f *Frontier) Open(call func(Action)) {
	for _, a := range f.open {
		call(a)
	}
}

// Of lists the actions that are left in a state.
func (f *Frontier) Of(state string) []Action {
	var out []Action
	for _, a := range f.open {
		if a.State == state {
			out = append(out, a)
		}
	}
	return out
}
