package plan

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/author/site"
)

// asked is a question of a site: the edges that go to its act, and the act.
type asked struct {
	way   []site.Edge
	act   site.Edge
	own   bool      // the way makes the record that the act is done on
	alien bool      // the act is done on a record that the way does not make
	maker site.Edge // what makes that record
	begin int       // from which edge on the way is on that record
	made  string    // path of the places of the record that the act makes; empty: it makes none
	left  string    // path of the record that the way makes and whose pages the act leaves, as deleting it does
}

// record reports whether the act is done on the page of a record.
func (q asked) record() bool { return q.own || q.alien }

// writes reports whether the way to the act sends what is stored.
func (q asked) writes() bool { return slices.ContainsFunc(q.way, final) }

// questions returns the questions of a site, one for each effect of a control, each refusal
// of a form and each kind of page, and the edges that no way leads to. What only reads comes
// first.
func questions(s site.Site) (all []asked, left []site.Edge) {
	if len(s.States) == 0 {
		return nil, s.Edges
	}
	m := newWays(s)
	best := map[string]int{}
	for i, e := range s.Edges {
		if !Proves(e) && e.Action.Invalid == "" || m.endsSignIn(e) {
			continue
		}
		if e.Action.Invalid != "" && !e.Wrote && e.Changes.URL != "" { // it was taken, as a search for nothing is
			left = append(left, e)
			continue
		}
		q, ok := m.ask(i)
		if !ok {
			left = append(left, e)
			continue
		}
		key := m.key(e)
		at, known := best[key]
		switch {
		case !known:
			best[key] = len(all)
			all = append(all, q)
		case m.better(q, all[at]):
			all[at] = q
		}
	}
	left = slices.DeleteFunc(left, func(e site.Edge) bool { _, known := best[m.key(e)]; return known })
	all = slices.DeleteFunc(all, func(q asked) bool { return m.opensRecord(q.act) && m.makes(m.path(q.act.To)) })
	sort.SliceStable(all, func(i, j int) bool { return rank(all[i].act) < rank(all[j].act) })
	return all, left
}

// rank sorts what forms do, and what they refuse, before what is only looked at: where the time is short, that is what is missed most.
func rank(e site.Edge) int {
	if e.Wrote || e.Action.Invalid != "" {
		return 0
	}
	return 1
}

// ways knows how one gets to each act of a site. Acts are known by the index of their edge.
type ways struct {
	s       site.Site
	states  map[string]*site.State
	out     map[string][]int // by the state that they leave
	control map[string][]int // by path and control
	again   map[string][]int // forms that were sent again where they had been refused, by the state that has them first
	creates []int            // acts that make a record
	plain   map[int][]int    // the way from the start to each act
	own     map[int]ownWay   // the way to each act on a record that the way makes
}

func newWays(s site.Site) *ways {
	m := &ways{s: s, states: map[string]*site.State{}, out: map[string][]int{}, control: map[string][]int{}, again: map[string][]int{}}
	for i := range s.States {
		m.states[s.States[i].ID] = &s.States[i]
	}
	for i, e := range s.Edges {
		m.out[e.From] = append(m.out[e.From], i)
		if key := controlKey(e.Action.Element); key != "" {
			m.control[m.path(e.From)+key] = append(m.control[m.path(e.From)+key], i)
		}
		if m.creating(e) {
			m.creates = append(m.creates, i)
		}
	}
	for _, e := range s.Edges {
		key := controlKey(e.Action.Element)
		if e.Action.Invalid == "" || e.From == e.To || key == "" {
			continue
		}
		for _, i := range m.out[e.To] {
			if sends(s.Edges[i]) && controlKey(s.Edges[i].Action.Element) == key && !slices.Contains(m.again[e.From], i) {
				m.again[e.From] = append(m.again[e.From], i)
			}
		}
	}
	var begin []reached
	for _, i := range m.out[m.start()] {
		begin = append(begin, reached{act: i})
	}
	m.plain = m.search(begin, nil, func(site.Edge) bool { return true })
	m.own = map[int]ownWay{}
	for c, way := range m.plain {
		switch e := s.Edges[c]; {
		case m.creating(e):
			m.addOwn(ownWay{append(slices.Clone(way), c), c, len(way) + 1, recordOf(m.path(e.To))})
		case sends(e):
			for _, next := range m.after(reached{act: c}) {
				if record := recordOf(m.path(s.Edges[next.act].To)); record != "" && m.opensMade(e, s.Edges[next.act]) {
					m.addOwn(ownWay{append(slices.Clone(way), c, next.act), c, len(way) + 2, record})
				}
			}
		}
	}
	return m
}

// start returns the state in which ways begin: the first one, or the next of its address where
// nothing was done in that. It may have been looked at before all was there.
func (m *ways) start() string {
	for _, s := range m.s.States {
		if s.URL == m.s.States[0].URL && len(m.out[s.ID]) > 0 {
			return s.ID
		}
	}
	return m.s.States[0].ID
}

// ownWay is a way that makes a record.
type ownWay struct {
	acts   []int
	maker  int    // the act that makes it
	begin  int    // from which act on the way is on that record
	record string // its path
}

// addOwn notes the ways to the acts on a record, of which one leads to its page.
func (m *ways) addOwn(to ownWay) {
	within := func(e site.Edge) bool { return strings.HasPrefix(m.path(e.From), to.record) }
	for act, more := range m.search(m.after(reached{act: to.acts[len(to.acts)-1]}), to.acts, within) {
		known, ok := m.own[act]
		if !ok || len(more) < len(known.acts) || len(more) == len(known.acts) && slices.Compare(more, known.acts) < 0 {
			m.own[act] = ownWay{more, to.maker, to.begin, to.record}
		}
	}
}

// recordOf returns a path up to the number of its record; empty where it has none.
func recordOf(path string) string {
	at := strings.LastIndex(path, "{n}")
	if at < 0 {
		return ""
	}
	return path[:at+len("{n}")]
}

// sends reports whether an edge sends a form that is taken.
func sends(e site.Edge) bool {
	return e.Wrote && e.Action.Invalid == "" && len(e.Action.Fields) > 0
}

// opensMade reports whether an edge opens the record that a form made, which led elsewhere: it
// is called by what was entered.
func (m *ways) opensMade(form, opens site.Edge) bool {
	x := opens.Action.Element
	return !opens.Wrote && x != nil && entered(form, oneLine(label(*x)))
}

// path returns the place of a state without its query.
func (m *ways) path(state string) string {
	if s := m.states[state]; s != nil {
		return pathOf(s.Place)
	}
	return ""
}

// controlKey tells a control from others of a page, whatever state the page is in.
func controlKey(e *site.Element) string {
	if e == nil || e.Name == "" {
		return ""
	}
	return "\x1f" + strings.Join([]string{e.Frame, e.Landmark, e.Role, oneLine(e.Name)}, "\x1f")
}

// reached is an act as a way comes to it: loose where it was done in another state than the one that
// the act before it leads to.
type reached struct {
	act   int
	loose bool
}

// after returns the acts that can follow one: those that were done in the state that it leads
// to, forms of that state that were sent where they had been refused, and acts on controls that
// it brought, whatever else the page showed then. Behind a loose act on the same page nothing is
// known of that state.
func (m *ways) after(of reached) (next []reached) {
	e := m.s.Edges[of.act]
	if !of.loose || m.path(e.From) != m.path(e.To) {
		for _, i := range m.out[e.To] {
			next = append(next, reached{act: i})
		}
		for _, i := range m.again[e.To] {
			next = append(next, reached{i, true})
		}
	}
	for _, x := range e.Changes.Appeared {
		if key := controlKey(&x); key != "" {
			for _, i := range m.control[m.path(e.To)+key] {
				next = append(next, reached{i, true})
			}
		}
	}
	return next
}

// search returns the shortest ways from some acts to all that can follow, each behind
// before. What writes is on the way only where there is no other.
func (m *ways) search(from []reached, before []int, allowed func(site.Edge) bool) map[int][]int {
	found, first := map[reached][]int{}, map[int][]int{}
	var queue, later []reached
	reach := func(way []int, all []reached) {
		for _, s := range all {
			e := m.s.Edges[s.act]
			if _, known := found[s]; known || !allowed(e) || m.endsSignIn(e) {
				continue
			}
			found[s] = way
			if _, known := first[s.act]; !known {
				first[s.act] = way
			}
			if final(e) {
				later = append(later, s)
			} else {
				queue = append(queue, s)
			}
		}
	}
	reach(before, from)
	for len(queue)+len(later) > 0 {
		if len(queue) == 0 {
			queue, later = later[:1], later[1:]
		}
		s := queue[0]
		queue = queue[1:]
		if Proves(m.s.Edges[s.act]) {
			reach(append(slices.Clone(found[s]), s.act), m.after(s))
		}
	}
	return first
}

// ask returns the question of an edge. ok is false where no way leads to it.
func (m *ways) ask(i int) (q asked, ok bool) {
	e := m.s.Edges[i]
	record := strings.Contains(m.path(e.From), "{n}")
	way, ok := m.plain[i]
	if record {
		if own, known := m.own[i]; known {
			way, ok, q.own = own.acts, true, true
			q.maker, q.begin = m.s.Edges[own.maker], own.begin
			if e.Wrote && e.Action.Invalid == "" && !strings.HasPrefix(m.path(e.To), own.record) {
				q.left = own.record
			}
		}
	}
	if !ok {
		return q, false
	}
	q.act, q.alien = e, record && !q.own
	for _, n := range way {
		q.way = append(q.way, m.s.Edges[n])
	}
	if slices.Contains(m.creates, i) {
		q.made = m.path(e.To)
	}
	return q, true
}

// better reports whether a way is to be preferred to another one to the same question.
func (m *ways) better(a, b asked) bool {
	switch {
	case Proves(a.act) != Proves(b.act):
		return Proves(a.act)
	case a.record() != b.record():
		return !a.record()
	case a.own != b.own:
		return a.own
	case !a.own && a.writes() != b.writes():
		return !a.writes()
	}
	return len(a.way) < len(b.way)
}

// key tells questions apart.
func (m *ways) key(e site.Edge) string {
	a, from, to := e.Action, m.path(e.From), m.path(e.To)
	if from != to && !e.Wrote && a.Invalid == "" {
		return "page\x1f" + to
	}
	control := controlKey(a.Element)
	if control == "" && a.Element != nil {
		control = a.Element.Selector
	}
	parts := []string{from, a.Kind, control, a.Invalid}
	if a.Invalid == "" {
		parts = append(parts, fmt.Sprint(e.Changes.Popup != "", e.Changes.Download != "", len(e.Changes.Appeared) > 0)) // what opens and closes a part are two questions
		if from != to {
			parts = append(parts, to)
		}
	}
	return strings.Join(parts, "\x1f")
}

// leaves reports whether what a control sends takes it away once that is taken, so that it is there
// still only where it was refused: it led to a page that is not known to have such a control.
func (m *ways) leaves(refused site.Edge) bool {
	key := controlKey(refused.Action.Element)
	return key != "" && slices.ContainsFunc(m.s.Edges, func(e site.Edge) bool {
		if e.Action.Invalid != "" || m.path(e.From) != m.path(refused.From) || !sameForm(e, refused) {
			return false
		}
		return takesAway(e, key) || m.path(e.To) != m.path(e.From) && !m.works(m.path(e.To), key)
	})
}

// takesAway reports whether a control has gone with what an edge did.
func takesAway(e site.Edge, key string) bool {
	return slices.ContainsFunc(e.Changes.Gone, func(x site.Element) bool { return controlKey(&x) == key })
}

// spares reports whether an answer to a question, which an edge had opened, leaves that edge's
// control where another answer takes it away.
func (m *ways) spares(answer, opened site.Edge) bool {
	key := controlKey(opened.Action.Element)
	if key == "" || answer.Wrote || opened.To != answer.From || m.path(answer.From) != m.path(answer.To) {
		return false
	}
	return slices.ContainsFunc(m.out[answer.From], func(i int) bool {
		e := m.s.Edges[i]
		return e.Wrote && (takesAway(e, key) || m.path(e.To) != m.path(e.From))
	})
}

// works reports whether an act on the pages of a path worked a control.
func (m *ways) works(path, key string) bool {
	return len(m.control[path+key]) > 0 || slices.ContainsFunc(m.s.Edges, func(e site.Edge) bool { return m.path(e.From) == path && fills(e, key) })
}

// fills reports whether an edge fills a field of a form.
func fills(e site.Edge, key string) bool {
	return slices.ContainsFunc(e.Action.Fields, func(f site.Field) bool { return controlKey(&f.Element) == key })
}

// sameForm reports whether two edges send one form, of which either may leave fields out.
func sameForm(a, b site.Edge) bool {
	few, many := a, b
	if len(few.Action.Fields) > len(many.Action.Fields) {
		few, many = b, a
	}
	strange := func(f site.Field) bool { return !fills(many, controlKey(&f.Element)) }
	return a.Action.Kind == b.Action.Kind && len(few.Action.Fields) > 0 && !slices.ContainsFunc(few.Action.Fields, strange)
}

// creating reports whether an edge makes a record: a form sent it, and the page of one
// record followed.
func (m *ways) creating(e site.Edge) bool {
	from, to := m.path(e.From), m.path(e.To)
	return e.Wrote && e.Action.Invalid == "" && len(e.Action.Fields) > 0 && from != to && strings.Contains(to, "{n}") && !strings.HasPrefix(from, to)
}

// makes reports whether an edge makes records of a path.
func (m *ways) makes(path string) bool {
	return slices.ContainsFunc(m.creates, func(c int) bool { _, known := m.plain[c]; return known && m.path(m.s.Edges[c].To) == path })
}

// opensRecord reports whether an edge opens the page of a record.
func (m *ways) opensRecord(e site.Edge) bool {
	to := m.path(e.To)
	n := strings.LastIndex(to, "{n}")
	return !e.Wrote && n >= 0 && !strings.HasPrefix(m.path(e.From), to[:n+len("{n}")])
}

// endsSignIn reports whether an edge of a role led to a page that asks for a password:
// tests of a role share its sign-in, and one that ends it would end the others.
func (m *ways) endsSignIn(e site.Edge) bool {
	return e.SignsOut || m.s.Role != "" && e.Wrote && slices.ContainsFunc(e.Changes.Appeared, func(x site.Element) bool { return x.Type == "password" })
}

// list returns the state that lists the records of a path, and the edge that searches there;
// nil where there is none.
func (m *ways) list(record string) (list *site.State, find *site.Edge) {
	open := slices.IndexFunc(m.s.Edges, func(e site.Edge) bool {
		return m.opensRecord(e) && recordOf(m.path(e.To)) == recordOf(record) && e.Action.Element != nil && item(*e.Action.Element)
	})
	if open < 0 {
		return nil, nil
	}
	at := m.path(m.s.Edges[open].From)
	for i := range m.s.States {
		if s := &m.s.States[i]; pathOf(s.Place) == at && (list == nil || len(s.URL) < len(list.URL)) {
			list = s
		}
	}
	if i := slices.IndexFunc(m.s.Edges, func(e site.Edge) bool { return m.searches(e) && m.path(e.From) == at }); i >= 0 {
		find = &m.s.Edges[i]
	}
	return list, find
}

// searches reports whether an edge sends a text that only chooses what the same page shows.
func (m *ways) searches(e site.Edge) bool {
	f := e.Action.Fields
	return !e.Wrote && e.Action.Invalid == "" && len(f) == 1 && f[0].Option == "" && f[0].Checked == nil && m.path(e.From) == m.path(e.To) && e.Changes.URL != ""
}
