package element_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa/element"
)

// control returns an element of a page with sections.
func control(section, name, id string, section0, place int) element.Element {
	path := fmt.Sprintf("html[1]/body[1]/main[1]/section[%d]/form[1]/button[%d]", section0, place)
	return element.Element{Role: "button", Name: name, Landmark: "main", Print: element.Print{Tag: "button", Type: "submit", Text: name, ID: id, Section: section,
		Classes: []string{"btn"}, Near: section, Path: path, FromID: path, Visible: true, Box: &element.Box{X: 100 * float64(place), Y: 200 * float64(section0), Width: 80, Height: 30}}}
}

// Req 0032/5: an element that is gone is not healed onto one that was another before, even
// where that one is called as it was.
func TestNeighbourIsNotTaken(t *testing.T) {
	send, submit, cancel := control("Message", "Send", "", 1, 1), control("Feedback", "Submit", "", 2, 1), control("Feedback", "Cancel", "", 2, 2)
	old := []element.Element{send, submit, cancel}
	called := func(e element.Element, name string) element.Element {
		return with(e, func(e *element.Element) { e.Name, e.Text = name, name })
	}
	for name, now := range map[string][]element.Element{
		"it is gone, its neighbour called as it was": {called(submit, "Send"), cancel},
		"… and its section is gone":                  {with(called(submit, "Send"), func(e *element.Element) { e.Path = send.Path }), cancel},
		"it is gone":                                 {submit, cancel},
	} {
		p := element.Match(old, now)[0]
		if p.Sure() || !p.Gone() && name != "it is gone" {
			t.Errorf("%s: sure %v, gone %v: %s", name, p.Sure(), p.Gone(), p.Why)
		}
		if p.Gone() && !strings.Contains(p.Why, `was button "Submit" in "Feedback"`) {
			t.Errorf("%s: it does not say who that was: %s", name, p.Why)
		}
		if d := element.Decide(send, old[1:], [2][]element.Element{now, now}, nil); d.Sure() || d.Why != p.Why {
			t.Errorf("%s: decided otherwise than matched: %q, %q", name, d.Why, p.Why)
		}
	}
	row := []element.Element{control("Shop", "Likes", "", 1, 6), control("Shop", "Products", "", 1, 7)}
	if p := element.Match(row, []element.Element{called(row[0], "Products"), called(row[1], "Proceed")})[1]; p.Sure() {
		t.Errorf("two of a row are called otherwise: healed onto %s", p.Best[0].Element)
	}
	keyed := []element.Element{control("Order", "Save", "save", 1, 1), control("Order", "Discard", "discard", 1, 2)}
	for name, now := range map[string][]element.Element{
		"names swapped":                   {called(keyed[0], "Discard"), called(keyed[1], "Save")},
		"the other one is called as it":   {called(keyed[1], "Save")},
		"its id is another one's":         {with(keyed[1], func(e *element.Element) { e.ID = "save" }), with(keyed[0], func(e *element.Element) { e.ID = "" })},
		"the other one stands where it …": {with(called(keyed[1], "Save"), func(e *element.Element) { e.Path = keyed[0].Path })},
	} {
		if p := element.Match(keyed, now)[0]; p.Sure() {
			t.Errorf("%s: healed onto %s", name, p.Best[0].Element)
		}
	}
	moved := []element.Element{with(keyed[1], func(e *element.Element) { e.Path, e.Box = keyed[0].Path, keyed[0].Box }),
		with(keyed[0], func(e *element.Element) { e.Path, e.Box, e.ID = keyed[1].Path, keyed[1].Box, "k7" })}
	if p := element.Match(keyed, moved)[0]; !p.Sure() || p.Best[0].Element.Name != "Save" {
		t.Errorf("in another order, with another id: %s", p.Why)
	}
}

// Req 0032/5: whatever becomes of a page, no new element is surely two of the old ones, and
// none is surely an old one that it was not: each is removed, called otherwise (also as one
// that is gone), swapped with another, moved and restyled by chance.
func TestMatchIsAnAssignment(t *testing.T) {
	random := rand.New(rand.NewPCG(32, 5))
	names := []string{"Send", "Submit", "Save", "Cancel", "Delete", "Apply", "Close", "Reset", "Print", "Export"}
	sure, all := 0, 0
	for round := range 600 {
		old, now, was := randomPages(random, names)
		taken := map[string]int{}
		for i, p := range element.Match(old, now) {
			if all++; !p.Sure() {
				continue
			}
			sure++
			if other, twice := taken[p.Best[0].Element.Path]; twice {
				t.Fatalf("round %d: %s and %s are both %s", round, old[i], old[other], p.Best[0].Element)
			}
			taken[p.Best[0].Element.Path] = i
			if truth := was[p.Best[0].Element.Path]; truth != i {
				t.Fatalf("round %d: %s (%s) is taken for %s, which was %s (%s)", round, old[i], old[i].Path, p.Best[0].Element, old[truth], old[truth].Path)
			}
		}
	}
	if sure*2 < all {
		t.Errorf("%d of %d are found: nothing is shown by a matching that refuses all", sure, all)
	}
}

// randomPages returns a page and what became of it, with which old element each path of the
// new one was.
func randomPages(random *rand.Rand, names []string) (old, now []element.Element, was map[string]int) {
	keyed := random.IntN(2) == 0
	type piece struct {
		section, id string
		name        string
		from        int
		fooled      bool // it is called as another was: its id tells
	}
	var sections [3][]piece
	for s := range sections {
		for place, n := range random.Perm(len(names))[:2+random.IntN(4)] {
			p := piece{section: []string{"Message", "Feedback", "Orders"}[s], name: names[n], from: len(old)}
			if keyed {
				p.id = fmt.Sprintf("%s-%s", strings.ToLower(p.section), strings.ToLower(p.name))
			}
			sections[s] = append(sections[s], p)
			old = append(old, control(p.section, p.name, p.id, s+1, place+1))
		}
	}
	twins(old)
	was = map[string]int{}
	other := sections[1+random.IntN(2)]
	has := func(pieces []piece, name string) bool {
		return slices.ContainsFunc(pieces, func(p piece) bool { return p.name == name })
	}
	if a, b := &sections[0][0], &other[1]; random.IntN(3) == 0 && (keyed || !has(other, a.name) && !has(sections[0], b.name)) { // names of two are swapped
		a.name, b.name, a.fooled, b.fooled = b.name, a.name, true, true
	}
	for s, pieces := range sections {
		left := pieces[:0:0]
		for i, p := range pieces {
			switch random.IntN(8) {
			case 0: // gone, and maybe its neighbour is called as it was: without a key nobody could tell
				if keyed && i+1 < len(pieces) && random.IntN(2) == 0 {
					pieces[i+1].name, pieces[i+1].fooled = p.name, true
				}
				continue
			case 1:
				if p.name = names[random.IntN(len(names))]; !keyed {
					p.name = "Other " + p.name
				}
			case 2:
				if keyed && !p.fooled {
					p.id = "x" + p.id
				}
			}
			left = append(left, p)
		}
		if random.IntN(4) == 0 {
			random.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		}
		for place, p := range left {
			e := control(p.section, p.name, p.id, s+1, place+1)
			was[e.Path] = p.from
			now = append(now, e)
		}
	}
	twins(now)
	return old, now, was
}

// twins counts those of one name.
func twins(all []element.Element) {
	for i := range all {
		all[i].Twins = -1
		for _, o := range all {
			if o.Name == all[i].Name {
				all[i].Twins++
			}
		}
	}
}
