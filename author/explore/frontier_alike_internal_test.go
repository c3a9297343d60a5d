package explore

import "testing"

// Req 0032/4: of a kind of pages of which a further one has shown nothing new no more are visited;
// to come back to one that is known says nothing of the others.
func TestKindsOfPagesThatAreAlike(t *testing.T) {
	link := func(address string) Action {
		return Action{State: "s1", Kind: "click", Class: address, Goal: address, Visit: "/orders/{n}"}
	}
	for again, want := range map[bool]bool{true: true, false: false} {
		f := NewFrontier(0, DefaultFrontierLimits())
		for _, address := range []string{"/orders/1", "/orders/2"} {
			if first := f.Visited(address, "/orders/{n}"); !first || f.Visited(address, "/orders/{n}") {
				t.Errorf("%s was shown before: %t", address, !first)
			}
		}
		if again {
			f.Alike("/orders/{n}")
		}
		other := NewFrontier(0, DefaultFrontierLimits())
		other.Restore(f.Snapshot())
		if got := other.spent(link("/orders/3")) != ""; got != want {
			t.Errorf("a third page is left out: %t, want %t", got, want)
		}
	}
}
