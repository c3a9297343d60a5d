package explore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/explore"
)

// order does all actions and returns the classes in the order in which they came.
func order(f *explore.Frontier, distance func(string) int) []string {
	var out []string
	for {
		a, ok := f.Next(distance)
		if !ok {
			return out
		}
		out = append(out, a.State+" "+a.Class)
		f.Tried(a)
		if a.Goal != "" {
			f.Visited(a.Goal, a.Visit)
		}
	}
}

func here(string) int { return 0 }

func TestOrder(t *testing.T) { // C2: untried first, then least tried, then nearest; writes first, log-out very last
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	f.Add(explore.Action{State: "s1", Index: 1, Class: "log out", Rank: explore.LogsOut})
	f.Add(explore.Action{State: "s1", Index: 2, Class: "send", Rank: explore.Writes})
	f.Add(explore.Action{State: "s2", Index: 3, Class: "open"})
	f.Add(explore.Action{State: "s1", Index: 4, Class: "open"})
	f.Add(explore.Action{State: "s1", Index: 5, Class: "close"})
	far := func(state string) int { return map[string]int{"s1": 0, "s2": 2}[state] }
	f.Add(explore.Action{State: "s1", Index: 6, Class: "delete", Rank: explore.Removes})
	// What leads out of a question at hand comes before the answer, which takes it away.
	f.Add(explore.Action{State: "s1", Index: 7, Class: "cancel", Asked: true})
	f.Add(explore.Action{State: "s2", Index: 8, Class: "no", Asked: true})
	want := []string{"s1 cancel", "s1 send", "s1 open", "s1 close", "s2 no", "s2 open", "s1 delete", "s1 log out"}
	if diff := cmp.Diff(want, order(f, far)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// What an address shows comes before what lies deep in a page, and is done at hand where the
// page that was reached offers it, too.
func TestShallowComesFirst(t *testing.T) { // Req 0032/1
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	f.DepthBy(func(state string) int { return map[string]int{"page": 0, "drawer": 4}[state] })
	for i, one := range []explore.Action{{State: "drawer", Class: "option"}, {State: "page", Class: "new record"}, {State: "page", Class: "tab", Once: true}, {State: "drawer", Class: "tab", Once: true}} {
		one.Index = i
		f.Add(one)
	}
	far := func(state string) int { return map[string]int{"page": 3, "drawer": 0}[state] }
	if diff := cmp.Diff([]string{"drawer tab", "page new record", "drawer option"}, order(f, far)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// What is on somebody else's record comes last, unless the query names the page, which then may be a
// part of the site.
func TestRecordsOfOthersComeLast(t *testing.T) { // Req 0032/1
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	f.Add(explore.Action{State: "s1", Index: 1, Class: "others", Others: true})
	f.Add(explore.Action{State: "s1", Index: 2, Class: "script", Others: true, Script: true})
	f.Add(explore.Action{State: "s1", Index: 3, Class: "page"})
	if diff := cmp.Diff([]string{"s1 script", "s1 page", "s1 others"}, order(f, here)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// Menus come early since they may hold links. Where several in a row held none, they come as all
// else does, until a link has come.
func TestMenusThatHoldNoLinks(t *testing.T) { // Req 0032/1
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	add := func(state string, class string, opens bool) {
		f.Add(explore.Action{State: state, Index: len(class), Class: class, Opens: opens})
	}
	for _, class := range []string{"m", "mm", "mmm", "mmmm"} {
		add("far", class, true)
	}
	add("here", "act", false)
	far := func(state string) int { return map[string]int{"far": 3}[state] }
	if diff := cmp.Diff([]string{"far m", "far mm", "far mmm", "here act", "far mmmm"}, order(f, far)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	f.Add(explore.Action{State: "here", Index: 1, Class: "link", Goal: "http://a.test/new", Visit: "a.test/new"})
	add("far", "menu", true)
	add("here", "other", false)
	if diff := cmp.Diff([]string{"far menu", "here link", "here other"}, order(f, far)); diff != "" {
		t.Errorf("order once a link came (-want +got):\n%s", diff)
	}
}

// The sign-out of a menu that all pages have is tried once, at whatever place it stands there.
func TestOneSignOutOfAName(t *testing.T) { // Req 0032/1
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	for _, state := range []string{"a", "b"} {
		f.Add(explore.Action{State: state, Class: state, Kin: state, Called: "menuitem Logout", Rank: explore.LogsOut})
		f.Add(explore.Action{State: state, Index: 1, Class: state + " go", Called: "menuitem Logout"})
	}
	f.EndsSignIn(explore.Action{State: "a", Class: "a", Kin: "a", Called: "menuitem Logout", Rank: explore.LogsOut})
	if diff := cmp.Diff([]string{"a a go", "b b go"}, order(f, here)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestWhatIsAlikeIsSampled(t *testing.T) { // C1, C2
	f := explore.NewFrontier(0, explore.FrontierLimits{ListSample: 2, Visits: 3, Class: 5})
	for i := range 10 {
		goal := "http://a.test/orders/" + string(rune('0'+i))
		f.Add(explore.Action{State: "s1", Index: i, Class: "order", Goal: goal, Visit: "a.test/orders/{n}"})
		f.Add(explore.Action{State: "s1", Index: 100 + i, Class: "delete button", Item: true})
		f.Add(explore.Action{State: "s1", Index: 1000 + i, Class: "broken rule", Once: true})
	}
	f.Add(explore.Action{State: "s1", Index: 200, Class: "known", Goal: "http://a.test/orders/0"})
	count := map[string]int{}
	for _, class := range order(f, here) {
		count[class]++
	}
	want := map[string]int{"s1 broken rule": 1, "s1 order": 3, "s1 delete button": 2}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("how often each class was tried (-want +got):\n%s", diff)
	}
}

func TestSeeds(t *testing.T) { // equal seeds, equal order
	run := func(seed int64) []string {
		f := explore.NewFrontier(seed, explore.DefaultFrontierLimits())
		for i, class := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			f.Add(explore.Action{State: "s1", Index: i, Class: class})
		}
		return order(f, here)
	}
	if diff := cmp.Diff(run(7), run(7)); diff != "" {
		t.Errorf("one seed, two orders:\n%s", diff)
	}
	if cmp.Equal(run(7), run(8)) {
		t.Error("two seeds have one order")
	}
}

func TestUnreachableStatesWait(t *testing.T) {
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	f.Add(explore.Action{State: "s9", Index: 1, Class: "a"})
	if _, ok := f.Next(func(string) int { return -1 }); ok {
		t.Error("an action of a state that can't be reached was chosen")
	}
	left, reasons := f.Left("not reached")
	if len(left) != 1 || reasons[0] != "not reached" {
		t.Errorf("left: %v %v", left, reasons)
	}
}

// A control that did the same on three pages is not tried on a fourth; one that did not
// always do the same is (C2).
func TestSameControlElsewhere(t *testing.T) {
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	here := func(string) int { return 0 }
	for i, place := range []string{"a", "b", "c", "d"} {
		for kin, did := range map[string]string{"menu": "opens", "save": place} {
			a := explore.Action{State: place, Index: i, Kind: "click " + kin, Class: place + kin, Place: place, Kin: kin}
			if place == "d" {
				if worth := f.Worth(a); worth != (kin == "save") {
					t.Errorf("%s on a fourth page: worth %t", kin, worth)
				}
				continue
			}
			f.Add(a)
			next, ok := f.Next(here)
			if !ok || next.Kin != kin {
				t.Fatalf("%s on page %s was not tried: %+v", kin, place, next)
			}
			f.Tried(next)
			f.Did(next, did)
		}
	}
}

// A control that no page has shown yet is tried before one that was tried on another page,
// however near that is (C2).
func TestNewControlsComeFirst(t *testing.T) {
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	menu := func(state, kin string) explore.Action {
		return explore.Action{State: state, Kind: "click " + kin, Class: state + kin, Place: state, Kin: kin}
	}
	f.Add(menu("home", "menu"))
	first, _ := f.Next(func(string) int { return 0 })
	f.Tried(first)
	f.Did(first, "opens")
	f.Add(menu("page", "menu"))
	f.Add(menu("home", "help"))
	next, ok := f.Next(func(state string) int { return map[string]int{"home": 4}[state] })
	if !ok || next.Kin != "help" {
		t.Errorf("next is %+v, want the control that is new", next)
	}
}

// Pages of a new kind come before all else that is as safe, however many links of that
// class were tried (C2: all pages that are linked are visited); each fourth action is
// another one.
func TestNewPagesComeFirst(t *testing.T) {
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	f.Add(explore.Action{State: "s", Index: 100, Kind: "click", Class: "button"})
	for i, page := range []string{"/a", "/b", "/c", "/d", "/e"} {
		f.Add(explore.Action{State: "s", Index: i, Kind: "click", Class: "more", Goal: page, Visit: page})
	}
	for _, want := range []string{"/a", "/b", "/c", "", "/d", "/e"} {
		next, ok := f.Next(func(string) int { return 0 })
		if !ok || next.Goal != want {
			t.Fatalf("next is %+v, want the way to %q", next, want)
		}
		f.Tried(next)
		if next.Goal != "" {
			f.Visited(next.Goal, next.Visit)
		}
	}
}

// The address of a link that nobody sees comes after the links that are seen and after
// what opens a menu, which may show it, and before all else (C2).
func TestFrontierUnseenLinks(t *testing.T) {
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	f.Add(explore.Action{State: "s", Index: 1, Kind: "click", Class: "button"})
	f.Add(explore.Action{State: "far", Index: -1, Kind: "navigate", Class: "address", Goal: "/hidden", Visit: "/hidden", Free: true})
	f.Add(explore.Action{State: "s", Index: 2, Kind: "click", Class: "menu", Opens: true})
	f.Add(explore.Action{State: "s", Index: 3, Kind: "click", Class: "link", Goal: "/seen", Visit: "/seen"})
	distance := func(state string) int { return map[string]int{"s": 0, "far": -1}[state] }
	want := []string{"s link", "s menu", "far address", "s button"}
	if diff := cmp.Diff(want, order(f, distance)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// What the start page links to comes before what is nearer on another page (C2).
func TestLinksOfTheStartComeFirst(t *testing.T) {
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	for i, page := range []string{"/a", "/b"} {
		f.Add(explore.Action{State: "start", Index: i, Class: page, Goal: page, Visit: page})
	}
	f.Add(explore.Action{State: "a", Index: 9, Class: "/a/more", Goal: "/a/more", Visit: "/a/more"})
	distance := func(state string) int { return map[string]int{"start": 3, "a": 0}[state] }
	want := []string{"start /a", "start /b", "a /a/more"}
	if diff := cmp.Diff(want, order(f, distance)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// What the guard refuses for what it is called is refused on every page that has it: it is
// tried once, and again only on what this exploration made.
func TestRefusedControlsAreRefusedElsewhere(t *testing.T) { // Req 0032/1
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	for i, state := range []string{"s1", "s2", "s3", "s4"} {
		f.Add(explore.Action{State: state, Index: i, Class: state + " change password", Called: "change password", Place: state, Own: state == "s4"})
	}
	first, ok := f.Next(here)
	if !ok || first.State != "s1" {
		t.Fatalf("%+v", first)
	}
	f.Tried(first)
	first.Goal = "http://a.test/password"
	f.Add(explore.Action{State: "s4", Index: 11, Class: "s4 again", Called: "change password", Goal: first.Goal, Own: true})
	others := f.Harm(first, explore.Removes)
	if len(others) != 2 {
		t.Errorf("taken away: %+v", others)
	}
	if diff := cmp.Diff([]string{"s4 s4 change password"}, order(f, here)); diff != "" {
		t.Error(diff)
	}
	f.Add(explore.Action{State: "s5", Index: 9, Class: "s5 change password", Called: "change password", Place: "s5"})
	if a, ok := f.Next(here); ok {
		t.Errorf("on another page: %+v", a)
	}
}

// As the budget ends, what comes after all else comes before all else: what was made is
// deleted, then the role signs out.
func TestTheBudgetEndsWithCleaningUp(t *testing.T) { // Req 0032/1
	f := explore.NewFrontier(0, explore.DefaultFrontierLimits())
	for i, a := range []explore.Action{{Class: "look"}, {Class: "log out", Rank: explore.LogsOut}, {Class: "delete", Rank: explore.Removes}, {Class: "send", Rank: explore.Writes}} {
		a.State, a.Index = "s1", i
		f.Add(a)
	}
	if n := f.Final(here); n != 2 {
		t.Errorf("%d come last, want 2", n)
	}
	if n := f.Final(func(string) int { return -1 }); n != 0 {
		t.Errorf("%d come last that no way leads to", n)
	}
	f.End(true)
	if diff := cmp.Diff([]string{"s1 send", "s1 delete", "s1 log out", "s1 look"}, order(f, here)); diff != "" {
		t.Error(diff)
	}
}
