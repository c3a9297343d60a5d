package explore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/scan"
)

// fake is a site in memory: screens by name, what their controls lead to, and which of
// them an address shows.
type fake struct {
	screens map[string]screen
	at      string
	opened  []string
	done    []string
	fails   map[string]error // by control
}

type screen struct {
	address  string
	heading  string
	controls []control
	unseen   []string // where links lead that nobody sees
}

type control struct {
	role, name, href string
	to               string
}

func (f *fake) Open(_ context.Context, address string) (explore.Effect, error) {
	f.opened = append(f.opened, strings.TrimPrefix(address, "http://a.test"))
	for _, name := range []string{"home", "list", "settings"} {
		if s, ok := f.screens[name]; ok && s.address == address {
			f.at = name
			return explore.Effect{}, nil
		}
	}
	return explore.Effect{}, fmt.Errorf("%s is down", address)
}

func (f *fake) Visit(ctx context.Context, address string) (explore.Effect, error) {
	return f.Open(ctx, address)
}

func (f *fake) Do(_ context.Context, a explore.Act) (explore.Effect, error) {
	for _, c := range f.screens[f.at].controls {
		if "css="+c.name != a.Selectors[0] {
			continue
		}
		f.done = append(f.done, f.at+" "+c.name)
		if err := f.fails[c.name]; err != nil {
			return explore.Effect{}, err
		}
		if c.to != "" {
			f.at = c.to
		}
		return explore.Effect{}, nil
	}
	return explore.Effect{}, errors.New("no such control on " + f.at)
}

func (f *fake) Scan(context.Context) (scan.Page, error) {
	s := f.screens[f.at]
	p := scan.Page{URL: s.address, Title: s.heading, Status: 200, Nodes: []scan.Node{{Role: "heading", Name: s.heading}}}
	for _, href := range s.unseen {
		p.Links = append(p.Links, scan.Link{Href: href})
	}
	for i, c := range s.controls {
		p.Nodes = append(p.Nodes, scan.Node{Role: c.role, Name: c.name, Element: &i})
		p.Elements = append(p.Elements, scan.Element{Tag: "a", Role: c.role, Name: c.name, Href: c.href, IsVisible: true, Locators: []string{"css=" + c.name}})
	}
	return p, nil
}

func (f *fake) DoubleClicks(context.Context) ([]scan.Element, error) { return nil, nil }

func (f *fake) Pause(context.Context, time.Duration) error      { return nil }
func (f *fake) Picture(context.Context) ([]byte, string, error) { return nil, "", nil }
func (f *fake) Scripts(context.Context) ([]scan.Script, error)  { return nil, nil }
func (f *fake) Faults() []site.Finding                          { return nil }
func (f *fake) Health(context.Context) ([]site.Finding, error)  { return nil, nil }
func (f *fake) Principal(string, int) string                    { return "" }
func (f *fake) SignedIn(context.Context) (bool, error)          { return true, nil }
func (f *fake) Renew(context.Context) error                     { return nil }

func newFake() *fake {
	const host = "http://a.test"
	home := control{role: "link", name: "Home", href: host + "/", to: "home"}
	list := control{role: "link", name: "List", href: host + "/list", to: "list"}
	settings := control{role: "link", name: "Settings", href: host + "/settings", to: "settings"}
	return &fake{fails: map[string]error{}, screens: map[string]screen{
		"home":     {host + "/", "Home", []control{home, list, settings}, nil},
		"list":     {host + "/list", "List", []control{home, list, settings, {role: "button", name: "Wizard", to: "step 1"}, {role: "button", name: "Broken"}}, nil},
		"step 1":   {host + "/list", "Step 1", []control{{role: "button", name: "Cancel", to: "list"}, {role: "button", name: "Next", to: "step 2"}}, nil},
		"step 2":   {host + "/list", "Step 2", []control{{role: "button", name: "Leave", to: "list"}, {role: "button", name: "Finish", to: "end"}}, nil},
		"end":      {host + "/list", "Finished", nil, nil},
		"settings": {host + "/settings", "Settings", []control{home, list, settings}, nil},
	}}
}

// explored runs an exploration of the fake site.
func explored(t *testing.T, f *fake, change func(*explore.Options)) site.Site {
	t.Helper()
	now := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	o := explore.Options{StartURL: "http://a.test/", StayOnDomain: true, Notable: 5, Now: func() time.Time { return now }}
	if change != nil {
		change(&o)
	}
	s, err := explore.Run(t.Context(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return s
}

func titles(s site.Site) []string {
	var out []string
	for _, state := range s.States {
		out = append(out, state.Title)
	}
	slices.Sort(out)
	return out
}

// All states are found, those too that only a path of acts leads to, which is replayed
// from an address and never by going back (C2).
func TestStatesBehindPaths(t *testing.T) {
	f := newFake()
	s := explored(t, f, nil)
	if diff := cmp.Diff([]string{"Finished", "Home", "List", "Settings", "Step 1", "Step 2"}, titles(s)); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if s.Stop.Reason != site.Complete {
		t.Errorf("stopped: %+v", s.Stop)
	}
	i := slices.Index(f.done, "step 2 Finish")
	if i < 2 || !cmp.Equal(f.done[i-2:i], []string{"list Wizard", "step 1 Next"}) {
		t.Errorf("the path to the end was not replayed: %v", f.done)
	}
	for _, state := range s.States {
		if want := map[string]int{"Home": 0, "List": 1, "Settings": 2, "Step 1": 2, "Step 2": 3, "Finished": 4}[state.Title]; state.Distance != want {
			t.Errorf("%s is %d edges from the start, want %d", state.Title, state.Distance, want)
		}
	}
}

// Errors of one element end nothing (C6).
func TestFailingElements(t *testing.T) {
	f := newFake()
	f.fails["Broken"] = errors.New("it moved away")
	f.fails["Wizard"] = &explore.Refused{Why: "it deletes"}
	s := explored(t, f, nil)
	if diff := cmp.Diff([]string{"Home", "List", "Settings"}, titles(s)); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	for name, why := range map[string]string{"Broken": "it moved away", "Wizard": "it deletes"} {
		if !slices.ContainsFunc(s.Untried, func(u site.Untried) bool {
			return u.Action.Element != nil && u.Action.Element.Name == name && strings.Contains(string(u.Reason), why)
		}) {
			t.Errorf("%s is not listed with its reason: %+v", name, s.Untried)
		}
	}
}

// Each budget ends an exploration, and the site says which did (C1).
func TestBudgets(t *testing.T) {
	for reason, limits := range map[string]explore.Limits{
		site.MaxActions: {Actions: 2}, site.MaxStates: {States: 2}, site.MaxLoops: {Loops: 1}, site.MaxNavigations: {Navigations: 2},
	} {
		s := explored(t, newFake(), func(o *explore.Options) { o.Limits = limits })
		if s.Stop.Reason != reason || len(s.States) > 3 {
			t.Errorf("stopped: %+v after %d states, want %s", s.Stop, len(s.States), reason)
		}
		if len(s.Untried) == 0 {
			t.Errorf("%s: what is left is not listed", reason)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := explore.Run(ctx, newFake(), explore.Options{StartURL: "http://a.test/", Now: time.Now})
	if err != nil || s.Stop.Reason != site.Cancelled {
		t.Errorf("cancelled: %+v, %v", s.Stop, err)
	}
	if s, err = explore.Run(t.Context(), newFake(), explore.Options{StartURL: "http://b.test/", Now: time.Now}); err == nil || s.Stop.Reason != site.Unreachable {
		t.Errorf("a site that is down: %+v, %v", s.Stop, err)
	}
}

// A link that another address answers is followed once, and not from each state again.
func TestRedirectingLink(t *testing.T) {
	f := newFake()
	for _, name := range []string{"home", "list", "step 1", "step 2", "settings"} {
		s := f.screens[name]
		s.controls = append(s.controls, control{role: "link", name: "Start", href: "http://a.test/start", to: "home"})
		f.screens[name] = s
	}
	explored(t, f, nil)
	followed := 0
	for _, one := range f.done {
		if strings.HasSuffix(one, " Start") {
			followed++
		}
	}
	if followed != 1 {
		t.Errorf("the link was followed %d times, want once: %v", followed, f.done)
	}
}

// A model chooses among the next actions; one that can't be used changes nothing of what
// is found (C2, C6).
func TestModels(t *testing.T) {
	whole := titles(explored(t, newFake(), nil))
	asked := 0
	for name, answer := range map[string]func() (explore.Choice, error){
		"a dead provider":       func() (explore.Choice, error) { asked++; return explore.Choice{}, errors.New("no connection") },
		"an index out of range": func() (explore.Choice, error) { return explore.Choice{Element: 99}, nil },
		"the last one always":   func() (explore.Choice, error) { return explore.Choice{Element: 1, Reason: "it is new"}, nil },
	} {
		s := explored(t, newFake(), func(o *explore.Options) {
			o.Choices = 10
			o.Choose = func(context.Context, explore.Question) (explore.Choice, error) { return answer() }
		})
		if diff := cmp.Diff(whole, titles(s)); diff != "" {
			t.Errorf("%s: states (-without +with):\n%s", name, diff)
		}
		has := slices.ContainsFunc(s.Edges, func(e site.Edge) bool { return e.Action.Reason == "it is new" })
		if has != (name == "the last one always") {
			t.Errorf("%s: a reason of the model is told: %t", name, has)
		}
	}
	if asked != 3 {
		t.Errorf("a dead provider was asked %d times, want 3", asked)
	}
}

// A page that only a link leads to which nobody sees is visited by its address, before
// what is behind the controls of other pages; the link to sign out is not (C2).
func TestUnseenLinks(t *testing.T) {
	f := newFake()
	home := f.screens["home"]
	home.controls, home.unseen = home.controls[:2], []string{"http://a.test/settings", "http://a.test/log-out", "http://other.test/"}
	f.screens["home"] = home
	list := f.screens["list"]
	list.controls = slices.Delete(list.controls, 2, 3)
	f.screens["list"] = list
	s := explored(t, f, nil)
	if want := []string{"/", "/settings"}; !cmp.Equal(f.opened[:2], want) {
		t.Errorf("opened %v, want %v first", f.opened, want)
	}
	if slices.Contains(f.opened, "/log-out") {
		t.Error("a link that signs out was followed")
	}
	at := slices.IndexFunc(s.Edges, func(e site.Edge) bool { return e.Action.Kind == site.Navigate })
	if at < 0 || at > 2 || s.Edges[at].Changes.URL != "http://a.test/settings" {
		t.Errorf("the edge to the page is number %d of %d", at, len(s.Edges))
	}
}

// A page that a link of the page at hand leads to is reached by that link, without a load.
func TestLinksLeadBack(t *testing.T) {
	f := newFake()
	home := f.screens["home"]
	home.controls = append(home.controls, control{role: "button", name: "Help"})
	f.screens["home"] = home
	s := explored(t, f, nil)
	if slices.Contains(f.opened[1:], "/") || !slices.Contains(f.done, "settings Home") {
		t.Errorf("opened %v, done %v: the way back is a link", f.opened, f.done)
	}
	if !slices.ContainsFunc(s.Edges, func(e site.Edge) bool { return e.From == "s3" && e.To == "s1" }) {
		t.Error("the way back is no edge")
	}
}

// A page that does not answer after an act is a finding of the page and the act, and ends
// no exploration.
func TestSilentPagesAreFound(t *testing.T) {
	f := newFake()
	f.fails["Broken"] = fmt.Errorf("do it: %w", &explore.Unanswered{Cause: errors.New("TIMEOUT")})
	s := explored(t, f, nil)
	want := site.Finding{Kind: "no_answer", Message: `the page does not answer: click button "Broken"`, URL: "http://a.test/list"}
	i := slices.IndexFunc(s.Findings, func(found site.Finding) bool { return found.Kind == want.Kind })
	if i < 0 {
		t.Fatalf("findings: %+v", s.Findings)
	}
	want.State = s.Findings[i].State
	if diff := cmp.Diff(want, s.Findings[i]); diff != "" || want.State == "" {
		t.Errorf("state %q (-want +got):\n%s", want.State, diff)
	}
}
