package explore_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/helpdesk"
)

// deskKinds are the states of the help desk as a person counts them who changes nothing that
// others made.
var deskKinds = []string{
	"list", "filtered list", "sorted list", "later page list", "found list", "nothing found list", "list notice",
	"/new form", "/new form refused", "/edit form", "/edit form refused",
	"ticket notice", "ticket assigned", "ticket closed", "ticket closed comments", "ticket closed customer", "ticket closed refused",
	"Close this ticket?", "Open this ticket again? notice", "Delete this ticket?",
	"/reports", "help", "help open", "help open close", "/profile", "/sign-in",
}

// exploreDesk explores the help desk with leave to write, and returns what a person calls
// the states that were found.
func exploreDesk(t *testing.T, d *desk, change func(*explore.Options)) (site.Site, []string) {
	t.Helper()
	now := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	kinds := map[string]bool{}
	o := explore.Options{StartURL: deskAddress + "/", Role: "agent", AllowWrites: true, StayOnDomain: true, Notable: 5, Now: func() time.Time { return now },
		Limits: explore.Limits{Actions: 120},
		Keep: func(_ string, picture []byte, _ string) (*site.Picture, error) {
			kinds[string(picture)] = true
			return nil, nil
		}}
	if change != nil {
		change(&o)
	}
	s, err := explore.Run(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return s, slices.Sorted(maps.Keys(kinds))
}

// States of a kind are found once, with few actions; each form is sent and refused; what
// the exploration made is changed and deleted, and nothing else.
func TestAnApplicationWithAServer(t *testing.T) { // Req 0032/1
	d := newDesk()
	s, found := exploreDesk(t, d, nil)
	var missing []string
	for _, kind := range deskKinds {
		if !slices.Contains(found, kind) {
			missing = append(missing, kind)
		}
	}
	if len(missing)*10 > len(deskKinds) || len(s.States)*10 > len(deskKinds)*12 || s.Stop.Reason != site.Complete {
		t.Errorf("%d states for %d that a person counts, stopped %+v; missing: %q\nfound: %q", len(s.States), len(deskKinds), s.Stop, missing, found)
	}
	fresh := helpdesk.New(helpdesk.Options{})
	if diff := cmp.Diff(fresh.Subjects(), d.server.Subjects()); diff != "" {
		t.Errorf("tickets (-before +after):\n%s", diff)
	}
	want := []string{"/tickets/14/assign", "/tickets/14/close", "/tickets/14/comments", "/tickets/14/delete", "/tickets/14/edit", "/tickets/new"}
	writes := d.server.Writes()
	slices.Sort(writes)
	if diff := cmp.Diff(want, slices.Compact(writes)); diff != "" {
		t.Errorf("what was written to (-want +got):\n%s", diff)
	}
	for _, name := range []string{"Assign to me", "Delete ticket", "Save profile"} {
		if !slices.ContainsFunc(s.Untried, func(u site.Untried) bool {
			return u.Action.Element != nil && u.Action.Element.Name == name && u.Cause == site.ByGuard
		}) {
			t.Errorf("%q on what others made is not listed as left to the guard", name)
		}
	}
	for _, e := range s.Edges { // a form that loses what was chosen must be seen
		for _, f := range e.Action.Fields {
			if e.Wrote && e.Action.Invalid == "" && f.Option == "Normal" && e.Action.Element.Name == "Create ticket" {
				t.Errorf("%s sends the %s that a new ticket has by itself", e.ID, f.Element.Name)
			}
		}
	}
	if d.checked > 4 { // once for each address that a script writes to, where a page looks strange, and for what signs out
		t.Errorf("the sign-in was tried %d times", d.checked)
	}
	if s.Mark == "" || !slices.ContainsFunc(s.Edges, func(e site.Edge) bool {
		return slices.ContainsFunc(e.Action.Fields, func(f site.Field) bool { return strings.Contains(strings.ToLower(f.Value), s.Mark) })
	}) {
		t.Errorf("no value has the mark %q", s.Mark)
	}
}

// What signs out is known by what it does, whatever it is called and however it asks the
// server: the role is signed in again, and the exploration goes on.
func TestSigningOutByAnyDoor(t *testing.T) { // Req 0032/1
	for _, door := range []string{"form", "link", "script"} {
		d := newDesk()
		d.door = door
		s, found := exploreDesk(t, d, nil)
		ends := 0
		for _, e := range s.Edges {
			if e.SignsOut {
				ends++
			}
		}
		if ends != 1 || d.renewed != 1 || s.Stop.Reason != site.Complete || len(found) < len(deskKinds)-2 {
			t.Errorf("%s: %d acts ended the sign-in, renewed %d times, %d kinds, stopped %+v", door, ends, d.renewed, len(found), s.Stop)
		}
	}
	d := newDesk()
	d.door = "one address" // which left the sign-in alone before: the next page tells
	if s, found := exploreDesk(t, d, nil); d.renewed != 1 || s.Stop.Reason != site.Complete || len(found) < len(deskKinds)-2 {
		t.Errorf("%s: renewed %d times, %d kinds, stopped %+v", d.door, d.renewed, len(found), s.Stop)
	}
	d = newDesk()
	d.left = 3
	if s, found := exploreDesk(t, d, nil); d.renewed != 2 || s.Stop.Reason != site.Complete || len(found) < len(deskKinds)-2 {
		t.Errorf("a sign-in that ends by itself: renewed %d times, %d kinds, stopped %+v", d.renewed, len(found), s.Stop)
	}
	d = newDesk()
	d.door, d.locked = "link", true
	if s, _ := exploreDesk(t, d, nil); s.Stop.Reason != site.SignedOut || !s.Stop.Broken() || !strings.Contains(string(s.Stop.Detail), "the account is locked") {
		t.Errorf("nobody can sign in again: stopped %+v", s.Stop)
	}
}

// Without leave to write nothing is written.
func TestAnApplicationIsOnlyRead(t *testing.T) {
	d := newDesk()
	d.guard = d.guard.OnlyReading()
	s, _ := exploreDesk(t, d, func(o *explore.Options) { o.AllowWrites = false })
	if writes := d.server.Writes(); len(writes) > 0 || s.Stop.Broken() {
		t.Errorf("written to: %q, stopped %+v", writes, s.Stop)
	}
}
