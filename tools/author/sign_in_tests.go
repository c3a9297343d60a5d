package author

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// signInLimit bounds one act of a sign-in.
const signInLimit = 10 * time.Second

// maxSeen bounds the elements of a page that are looked at.
const maxSeen = 400

// LookAtSignIn signs a role in and looks at what tests of its sign-in need: where the
// sign-in leads, which control ends it, and what the page says of an attempt that it
// refuses. Each attempt is made once, with a name that nobody has. account is the name of
// one that the tests may try a wrong password with; empty: they try that name, too.
func LookAtSignIn(ctx context.Context, ws *workspace.Workspace, name, account string) (generate.SignIn, error) {
	role, err := ws.Role(name)
	if err != nil {
		return generate.SignIn{}, workspace.AsBrowserError(err)
	}
	if role.Login == nil {
		return generate.SignIn{}, fmt.Errorf("role %s has no login_flow, which tests of its sign-in are made from: docs/sign-in.md says how to write one", name)
	}
	page := &livePage{}
	if err := page.signInAs(ctx, ws, name); err != nil {
		return generate.SignIn{}, err
	}
	landing := auth.Address(page.state)
	base, err := generate.Base(cmp.Or(ws.Target.BaseURL, landing))
	if err != nil {
		return generate.SignIn{}, err
	}
	out := generate.SignIn{Role: name, Login: *role.Login, Base: base, Landing: generate.Below(base, landing), Account: account, Said: map[generate.Attempt]generate.Expect{}}
	if out.SignOut, err = signOutControl(ctx, ws, page.state, landing); err != nil {
		return out, err
	}
	for _, a := range []generate.Attempt{generate.Wrong, generate.Empty} {
		steps, err := out.Acts(a, "")
		if err != nil {
			return out, err
		}
		said, err := refusal(ctx, ws, steps)
		if err != nil {
			return out, fmt.Errorf("look at how the site %s: %w", a, err)
		}
		if said != "" {
			out.Said[a] = generate.Expect{Assertion: qa.Assertion{Type: qa.Visible}, Target: generate.Target{Locators: []string{"text=" + said}}}
		}
	}
	return out, nil
}

// maxSignOuts bounds the controls that are pressed to see whether they sign out.
const maxSignOuts = 3

// signOutControl returns the selector of the control on a page that signs out; empty
// where there is none. What is called so is pressed: after the one that is meant the page
// is not shown any more, or asks for a password.
func signOutControl(ctx context.Context, ws *workspace.Workspace, state []byte, landing string) (string, error) {
	s, err := ws.Pool.Launch(ctx, browser.LaunchOptions{State: state})
	if err != nil {
		return "", err
	}
	defer closeSession(ctx, ws, s)
	before, err := lookAt(ctx, s, landing)
	if err != nil {
		return "", err
	}
	var called []string
	for _, el := range before.Elements {
		if (el.Role == "button" || el.Role == "link") && el.IsVisible && explore.SignsOut(el.Name) {
			called = append(called, selectors.Line{Role: el.Role, Name: el.Name, Named: true}.String())
		}
	}
	for _, control := range called[:min(maxSignOuts, len(called))] {
		if _, err := s.Click(ctx, control, signInLimit); err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			continue // covered, one of several of its name, or stopped by the guard: a test could not press it either
		}
		after, err := lookAt(ctx, s, landing)
		if err != nil {
			return "", err
		}
		if generate.PagePath(landing, after.URL) != generate.PagePath(landing, before.URL) || asksForPassword(after) && !asksForPassword(before) {
			return control, nil
		}
	}
	return "", nil
}

// lookAt opens a page and reads it once it has settled.
func lookAt(ctx context.Context, s *browser.Session, url string) (scan.Page, error) {
	if _, err := s.Navigate(ctx, url, "load", signInLimit); err != nil {
		return scan.Page{}, err
	}
	s.LetPass(ctx, s.Waits().Changes)
	return s.Scan(ctx, scan.Options{Max: maxSeen})
}

func asksForPassword(p scan.Page) bool {
	return slices.ContainsFunc(p.Elements, func(el scan.Element) bool { return el.Type == "password" && el.IsVisible })
}

// refusal does an attempt to sign in and returns the first text that its last act brings;
// empty where it brings none.
func refusal(ctx context.Context, ws *workspace.Workspace, steps []generate.Step) (string, error) {
	s, err := ws.Pool.Launch(ctx, browser.LaunchOptions{})
	if err != nil {
		return "", err
	}
	defer closeSession(ctx, ws, s)
	before := map[string]bool{}
	for i, step := range steps {
		if i == len(steps)-1 {
			page, err := s.Scan(ctx, scan.Options{Max: maxSeen})
			if err != nil {
				return "", err
			}
			for _, n := range page.Nodes {
				before[n.Name] = true
			}
		}
		if err := signInAct(ctx, ws, s, step.Act); err != nil {
			return "", err
		}
	}
	s.LetPass(ctx, s.Waits().Changes)
	page, err := s.Scan(ctx, scan.Options{Max: maxSeen})
	if err != nil {
		return "", err
	}
	for _, n := range page.Nodes {
		if text := strings.Join(strings.Fields(n.Name), " "); n.Role == "text" && text != "" && !before[n.Name] {
			return text, nil
		}
	}
	return "", nil
}

// signInAct does one act of an attempt to sign in.
func signInAct(ctx context.Context, ws *workspace.Workspace, s *browser.Session, a generate.Act) error {
	on := ""
	if len(a.Target.Locators) > 0 {
		on = a.Target.Locators[0]
	}
	var err error
	switch a.Action {
	case "navigate":
		address, wrong := ws.Address(a.URL)
		if wrong != nil {
			return wrong
		}
		_, err = s.Navigate(ctx, address, "load", signInLimit)
	case "fill":
		_, _, err = s.Fill(ctx, on, a.Value, signInLimit)
	case "select":
		_, err = s.Select(ctx, on, a.Option, signInLimit)
	case "press":
		_, err = s.Press(ctx, on, a.Key, signInLimit)
	case "hover":
		_, err = s.Hover(ctx, on, signInLimit)
	case "double_click":
		_, err = s.DoubleClick(ctx, on, signInLimit)
	default:
		_, err = s.Click(ctx, on, signInLimit)
	}
	return err
}
