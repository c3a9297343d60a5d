package generate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// SignIn is what tests of a role's sign-in are made from: its login flow, and what was
// seen of the site.
type SignIn struct {
	Role    string
	Login   flow.Flow
	Base    string // of the site
	Landing string // address that only who is signed in sees, as [Below] returns it
	SignOut string // selector, on that page, of the control that signs out; empty: none is known
	Account string // name of an account that may be locked, for the wrong password; empty: one that nobody has
	// Said has what the page says of an attempt that it refuses, by the attempt; nothing
	// where it says nothing.
	Said map[Attempt]Expect
}

// Source names what the tests are made from, in the tests.
func (s SignIn) Source() string { return "the login flow of " + s.Role }

// signIn makes paths of a sign-in. They are not tried as others are: what has to be refused
// changes nothing that could be told from the page before.
func (m *making) signIn() (source, error) {
	paths, dropped, err := m.SignIn.Paths()
	if err != nil {
		return source{}, err
	}
	m.out.Dropped = append(m.out.Dropped, dropped...)
	data, err := json.Marshal(paths)
	return source{untried: true, paths: paths, digest: digestOf(data), options: Options{Source: m.SignIn.Source(), Describe: "sign-in as " + m.SignIn.Role,
		BaseURL: m.SignIn.Base, Width: m.Width, Height: m.Height, Cookies: m.Cookies, Draft: m.Draft, Nobody: true}}, err
}

// Attempt is a sign-in that has to be refused.
type Attempt string

// The attempts.
const (
	Wrong Attempt = "refuses a wrong password"
	Empty Attempt = "refuses a sign-in without name and password"
)

// UnknownName is what a test of a wrong password shows that has no account to try it with.
const UnknownName = "refuses a name that nobody has"

// What is typed where a sign-in has to be refused.
const (
	wrongPassword = "not-the-password"
	nobodysName   = "assay-nobody"
)

// Acts returns what an attempt does: the login flow up to its sending, with other values.
func (s SignIn) Acts(a Attempt, account string) ([]Step, error) {
	steps, err := s.steps()
	if err != nil {
		return nil, err
	}
	last := -1 // step that fills
	for i, step := range steps {
		if step.Act.Action == "fill" {
			last = i
		}
	}
	sends := -1
	for i := last + 1; i < len(steps) && sends < 0; i++ {
		if action := steps[i].Act.Action; action == "click" || action == "press" {
			sends = i
		}
	}
	if last < 0 || sends < 0 {
		return nil, fmt.Errorf("the login flow of role %s has no step that fills a field, or none after it that sends it", s.Role)
	}
	var out []Step
	named := false
	for _, step := range steps[:sends+1] {
		step.Expects = nil
		if step.Act.Action == "fill" {
			if a == Empty {
				continue
			}
			secret := len(flow.Secrets(step.Act.Value)) > 0
			if step.Act.Value = wrongPassword; !named && (!secret || s.secrets() > 1) {
				named, step.Act.Value = true, s.name(account)
			}
		}
		out = append(out, step)
	}
	return out, nil
}

// secrets counts the steps that type secrets.
func (s SignIn) secrets() (n int) {
	for _, step := range s.Login.Steps {
		if step.Action == "fill" && len(flow.Secrets(step.Value)) > 0 {
			n++
		}
	}
	return n
}

// name returns the name that is tried with a wrong password: the given one, or one that
// nobody has, in the form of the role's own.
func (s SignIn) name(account string) string {
	if account != "" {
		return account
	}
	for _, step := range s.Login.Steps {
		if _, domain, isMail := strings.Cut(step.Value, "@"); step.Action == "fill" && isMail && !strings.ContainsAny(domain, " {}@") {
			return nobodysName + "@" + domain
		}
	}
	return nobodysName
}

// steps returns the login flow as steps of a path. What it waits for and asserts is
// expected of the step before.
func (s SignIn) steps() ([]Step, error) {
	var out []Step
	add := func(name string, a Act) { out = append(out, Step{Name: name, Where: "login flow", Act: a}) }
	open := func(address string) {
		address = Below(s.Base, address)
		add("open "+address, Act{Action: "navigate", URL: address})
	}
	if s.Login.StartURL != "" {
		open(s.Login.StartURL)
	}
	for i, step := range s.Login.Steps {
		a := Act{Action: step.Action, URL: step.URL, Value: step.Value, Option: step.Option, Key: step.Key}
		if step.Selector != "" {
			a.Target = Target{[]string{step.Selector}}
		}
		switch step.Action {
		case "navigate":
			open(step.URL)
		case "fill", "click", "press", "select", "hover", "double_click":
			add(strings.TrimSpace(step.Action+" "+step.Selector+" "+step.Key), a)
		case "assert", "wait":
			e := Expect{Target: a.Target, Assertion: qa.Assertion{Type: qa.Visible}}
			if step.Assertion != nil {
				e.Assertion = *step.Assertion
			} else if step.Selector == "" { // it waits for a time
				continue
			}
			if len(out) > 0 {
				out[len(out)-1].Expects = append(out[len(out)-1].Expects, e)
			}
		case "screenshot":
		default:
			return nil, fmt.Errorf("step %d of the login flow of role %s is %q, which tests of a sign-in can't say", i+1, s.Role, step.Action)
		}
	}
	return out, nil
}

// Paths returns the tests: the right password, a wrong one, none, and the end of the
// sign-in. Whether somebody is signed in is asked by opening the page that asks to sign in
// otherwise: it shows the first field of the login flow, or it does not.
func (s SignIn) Paths() (paths []Path, dropped []Dropped, err error) {
	right, err := s.steps()
	if err != nil {
		return nil, nil, err
	}
	first := slices.IndexFunc(right, func(step Step) bool { return step.Act.Action == "fill" })
	if first < 0 {
		return nil, nil, fmt.Errorf("the login flow of role %s fills no field", s.Role)
	}
	field := right[first].Act.Target
	open := func(asks bool) Step {
		kind, what := qa.Hidden, "opens "+s.Landing+" without being asked to sign in"
		if asks {
			kind, what = qa.Visible, "is asked to sign in at "+s.Landing
		}
		step := Step{Name: what, Where: "login flow", Act: Act{Action: "navigate", URL: s.Landing}}
		if !asks {
			step.Expects = []Expect{{Assertion: qa.Assertion{Type: qa.URLMatches, Expected: s.Landing}}}
			if s.SignOut != "" {
				step.Expects = append(step.Expects, Expect{Assertion: qa.Assertion{Type: qa.Visible}, Target: Target{[]string{s.SignOut}}})
			}
		}
		step.Expects = append(step.Expects, Expect{Assertion: qa.Assertion{Type: kind}, Target: field})
		return step
	}
	gone := Expect{Assertion: qa.Assertion{Type: qa.Hidden}, Target: field}
	right[len(right)-1].Expects = append(right[len(right)-1].Expects, gone)
	paths = append(paths, Path{Name: "signs in as " + s.Role, Steps: append(slices.Clone(right), open(false))})
	for _, a := range []Attempt{Wrong, Empty} {
		steps, err := s.Acts(a, s.Account)
		if err != nil {
			return nil, nil, err
		}
		said, known := s.Said[a]
		if known {
			steps[len(steps)-1].Expects = []Expect{said}
		} else if a == Wrong { // the next step must not overtake the sending
			dropped = append(dropped, Dropped{Flow: string(a), What: "test", Reason: "the page says nothing when it refuses a wrong password, so a test could not tell when it has answered"})
			continue
		}
		name := string(a)
		if a == Wrong && s.Account == "" { // nobody's password is wrong
			name = UnknownName
			dropped = append(dropped, Dropped{Flow: string(a), What: "test", Reason: "the site may lock the account of the role: --wrong-password-account NAME names one that may be locked"})
		}
		paths = append(paths, Path{Name: name, Steps: append(steps, open(true))})
	}
	const ends = "asks to sign in again after signing out"
	if s.SignOut == "" {
		return paths, append(dropped, Dropped{Flow: ends, What: "test", Reason: "no control that signs out is seen on " + s.Landing}), nil
	}
	out := Step{Name: "click " + s.SignOut, Where: s.Landing, Act: Act{Action: "click", Target: Target{[]string{s.SignOut}}}}
	out.Expects = []Expect{{Assertion: qa.Assertion{Type: qa.Hidden}, Target: out.Act.Target}}
	return append(paths, Path{Name: ends, Steps: append(slices.Clone(right), open(false), out, open(true))}), dropped, nil
}
