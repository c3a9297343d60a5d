package element

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// How much speaks for a new element being an old one, from nothing to all.
const (
	unlike    = iota
	somewhere // called the same elsewhere, or alike in much
	inPlace   // called otherwise, and it has the other's key or its place
	firm      // called the same, with its key or in its region
)

// Bounds of what else may be in an element's place.
const (
	standsIn = .80 // share of what is known beside the name
	closer   = .02 // by which one is more in a place than another
)

// Match pairs all elements that were known of a page with those of a later look at it, all
// at once: what was another element before is no candidate. No element of the later look
// is surely two of the old ones.
func Match(old, now []Element) []Pair {
	m := assign(old, now)
	out := make([]Pair, len(old))
	for i := range old {
		out[i] = m.pair(i)
	}
	return out
}

// matching says which new element belongs to which old one.
type matching struct {
	old, now         []Element
	oldKeys, nowKeys map[string]int // elements by keys that no other of their page has
	owner, strength  []int          // of each new element: the old one, or -1; what speaks for it
	has              []int          // of each old element: what speaks for its new one
}

type claim struct {
	i, j, strength int
	score          float64
}

func assign(old, now []Element) *matching {
	m := &matching{old: old, now: now, oldKeys: keysOf(old), nowKeys: keysOf(now),
		owner: make([]int, len(now)), strength: make([]int, len(now)), has: make([]int, len(old))}
	for j := range m.owner {
		m.owner[j] = -1
	}
	same, alone := only(now, Element.identity), only(old, Element.identity)
	for i, e := range old {
		if j, ok := same[e.identity()]; ok {
			if _, ok := alone[e.identity()]; ok {
				m.give(claim{i: i, j: j, strength: firm})
			}
		}
	}
	var claims []claim
	for i := range old {
		for j := range now {
			if m.owner[j] < 0 && m.has[i] == unlike && mayBeOne(old[i], now[j]) {
				if c := m.claim(i, j); c.strength > unlike {
					claims = append(claims, c)
				}
			}
		}
	}
	slices.SortStableFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(b.strength, a.strength), cmp.Compare(b.score, a.score))
	})
	for _, c := range claims {
		if m.owner[c.j] < 0 && m.has[c.i] == unlike {
			m.give(c)
		}
	}
	return m
}

func (m *matching) give(c claim) {
	m.owner[c.j], m.strength[c.j], m.has[c.i] = c.i, c.strength, c.strength
}

// claim says what speaks for a new element being an old one.
func (m *matching) claim(i, j int) claim {
	old, now := m.old[i], m.now[j]
	shares, breaks := m.keys(i, j)
	same := called(old, now) == "" && (old.called() != "" || shares || old.Path == now.Path)
	whole, unnamed := scores(old, now)
	c := claim{i: i, j: j, score: whole}
	switch {
	case same && !breaks && (shares || sameRegion(old, now)):
		c.strength = firm
	case !same && (shares && !breaks || sameRegion(old, now) && unnamed >= standsIn):
		c.strength, c.score = inPlace, unnamed
	case same || whole >= Least || unnamed >= Renamed:
		c.strength = somewhere
	}
	return c
}

// keys says whether two elements share a key that each has alone on its page, and whether
// such a key of one of them belongs to another element of the other page.
func (m *matching) keys(i, j int) (shares, breaks bool) {
	look := func(e Element, there map[string]int, want int, here map[string]int) {
		for _, k := range e.keys() {
			_, alone := here[k]
			if at, ok := there[k]; ok && alone {
				shares, breaks = shares || at == want, breaks || at != want
			}
		}
	}
	look(m.now[j], m.oldKeys, i, m.nowKeys)
	look(m.old[i], m.nowKeys, j, m.oldKeys)
	return shares, breaks
}

// pair decides about one of the old elements.
func (m *matching) pair(i int) Pair {
	old := m.old[i]
	p := Pair{Old: old}
	var rivals []Candidate // what may be the element, with what is called otherwise only by chance
	best, taken := -1, -1
	for _, r := range rank(old, m.now) {
		another := m.owner[r.at] >= 0 && m.owner[r.at] != i
		if !another || m.strength[r.at] < firm {
			rivals = append(rivals, r.Candidate)
		}
		switch {
		case another && m.strength[r.at] >= inPlace:
			if taken < 0 {
				taken = r.at
			}
			continue
		case best < 0:
			best = r.at
		}
		if len(p.Best) < Shown {
			p.Best = append(p.Best, r.Candidate)
		}
	}
	if p.Gone() {
		p.Why = "nothing on the page comes near to it"
		if taken >= 0 {
			p.Why = fmt.Sprintf("what comes nearest to it, %s, was %s", m.now[taken], m.old[m.owner[taken]])
		}
		return p
	}
	p.Margin = ahead(p.Best[0], rivals)
	if p.Why = p.doubt(); p.Why == "" {
		p.Why = m.doubt(i, best)
	}
	return p
}

// doubt says why a new element is not taken for an old one, by what the others are.
func (m *matching) doubt(i, j int) string {
	old, now := m.old[i], m.now[j]
	if m.owner[j] != i {
		return "others of its page are as near to the best candidate"
	}
	shares, breaks := m.keys(i, j)
	switch {
	case breaks:
		return "the best candidate has an id, an address or a row that another one had, or another one has those of the old element"
	case shares:
		return ""
	case old.Section != "" && now.Section != "" && Alike(old.Section, now.Section) < Renamed && m.still(old.Section):
		return fmt.Sprintf("it stood in %q, which is still there, and the best candidate stands in %q", old.Section, now.Section)
	}
	_, own := scores(old, now)
	for k, other := range m.old {
		if k != i && m.has[k] < firm && mayBeOne(other, now) && sameRegion(other, now) && called(other, now) != "" {
			if _, in := scores(other, now); in >= standsIn && in > own+closer {
				return fmt.Sprintf("the best candidate stands where %s stood, which is not on the page any more", other)
			}
		}
	}
	return ""
}

// still reports whether a section of the old page is on the new one.
func (m *matching) still(section string) bool {
	return slices.ContainsFunc(m.now, func(e Element) bool { return SameName(e.Section, section) })
}

// Another says by what an element that an act meets is another control than the one that it
// met before; empty: it is that one. Both are known with what was on their pages, which may
// be nil. Names of what is in a list or a table are its data, and numbers are figures: they
// may differ.
func Another(old Element, known []Element, now Element, page []Element) string {
	record := func(e Element) bool { return strings.Contains(e.Path, "/li[") || strings.Contains(e.Path, "/tr[") }
	switch {
	case old.Role != now.Role && old.Role != "" && old.Family() != now.Family():
		return "its role"
	case old.called() != "" && called(old, now) != "" && Alike(old.called(), now.called()) < figures && (!record(old) || !record(now)):
		return "its name"
	case old.Landmark != now.Landmark && farApart(old.Landmark, now.Landmark):
		return "its region"
	case old.Section != "" && now.Section != "" && !SameName(old.Section, now.Section):
		m := matching{now: page}
		if m.still(old.Section) && slices.ContainsFunc(known, func(e Element) bool { return SameName(e.Section, now.Section) }) {
			return "its region"
		}
	}
	return ""
}

// figures is how alike two names are whose numbers alone differ.
const figures = .9

// identity is all that is known of an element but how it looks.
func (e Element) identity() string {
	e.Classes, e.Box, e.Visible, e.Twins = nil, nil, false, 0
	return fmt.Sprintf("%+v", struct {
		Role, Name, Landmark string
		Print
	}{e.Role, e.Name, e.Landmark, e.Print})
}

// keys lists what tells an element from all others of its page, where no other has it.
func (e Element) keys() []string {
	var out []string
	add := func(kind, value string) {
		if value != "" {
			out = append(out, kind+" "+value)
		}
	}
	add("id", e.ID)
	add("test id", e.TestID)
	add("field", e.FormName)
	if !strings.HasSuffix(e.Href, "#") && !strings.HasPrefix(e.Href, "javascript:") {
		add("address", e.Href)
	}
	if e.Within != "" {
		add("row", e.Family()+" "+e.called()+" "+e.Within)
	}
	return out
}

// keysOf returns elements by the keys that they alone have. An id that another one has but
// for its number is given in order: it tells nothing.
func keysOf(all []Element) map[string]int {
	out, count, numbered := map[string]int{}, map[string]int{}, map[string]int{}
	bare := func(k string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, k)
	}
	for i, e := range all {
		for _, k := range e.keys() {
			out[k] = i
			count[k]++
			if strings.HasPrefix(k, "id ") {
				numbered[bare(k)]++
			}
		}
	}
	for k, n := range count {
		if n > 1 || strings.HasPrefix(k, "id ") && numbered[bare(k)] > 1 {
			delete(out, k)
		}
	}
	return out
}

// only returns elements by what they alone have.
func only(all []Element, of func(Element) string) map[string]int {
	out, count := map[string]int{}, map[string]int{}
	for i, e := range all {
		k := of(e)
		out[k] = i
		count[k]++
	}
	for k, n := range count {
		if n > 1 {
			delete(out, k)
		}
	}
	return out
}

func sameRegion(a, b Element) bool {
	return a.Landmark == b.Landmark && (a.Section == b.Section || SameName(a.Section, b.Section))
}

// String names an element as people do, with where it stands.
func (e Element) String() string {
	out := fmt.Sprintf("%s %q", cmp.Or(e.Role, e.Tag, "element"), e.called())
	if where := cmp.Or(e.Section, e.Landmark); where != "" {
		out += fmt.Sprintf(" in %q", where)
	}
	return out
}
