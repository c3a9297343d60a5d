package signin

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// A2: a login page is told from the ordinary page by path, query and route.
func TestAsksToSignIn(t *testing.T) {
	for _, c := range []struct {
		login string
		yes   []string
		no    []string
	}{
		{"/login", []string{"http://h/login", "http://h/login/", "http://h/login?next=/cart", "http://h/login#top", "http://h//login"}, []string{"http://h/", "http://h/login/help", "http://h/?next=/login", "http://h/#/login", "http://h/logins", "http://h/login#/app"}},
		{"/?page=login", []string{"http://h/?page=login", "http://h/?a=1&page=login#x"}, []string{"http://h/", "http://h/?page=home", "http://h/?mypage=login", "http://h/x?page=login", "http://h/?q=page=login"}},
		{"/account?view=signin", []string{"http://h/account?view=signin&return=%2Fa"}, []string{"http://h/account", "http://h/account?view=orders"}},
		{"/login?next=/app", []string{"http://h/login?next=/orders", "http://h/login"}, []string{"http://h/app"}},
		{"/login?next=https://h/app&mode=user", []string{"http://h/login?mode=user"}, []string{"http://h/login?mode=admin"}},
		{"/#/login", []string{"http://h/#/login", "http://h/#/login/", "http://h/#/login?next=/a"}, []string{"http://h/", "http://h/#/", "http://h/#/app", "http://h/#/login/help", "http://h/x#/login"}},
		{"/app#!/auth?view=in", []string{"http://h/app#!/auth?view=in&x=1"}, []string{"http://h/app#!/auth", "http://h/app#!/auth?view=out"}},
		{"/#login", []string{"http://h/#login"}, []string{"http://h/", "http://h/#app"}},
		{"/", []string{"http://h/", "http://h/?x"}, []string{"http://h/app", "http://h/#/app"}},
		{"https://id.test/login", []string{"https://ID.test:443/login"}, []string{"https://h/login", "https://id.test/"}},
	} {
		r := Role{LoginPage: c.login}
		for i, all := range [][]string{c.yes, c.no} {
			for _, a := range all {
				if r.AsksToSignIn(a) != (i == 0) {
					t.Errorf("login page %s, address %s: %v", c.login, a, i != 0)
				}
			}
		}
	}
	byFlow := Role{Login: &flow.Flow{Steps: []qa.FlowStep{{Action: "navigate", URL: "http://h/?page=login"}}}}
	if byFlow.AsksToSignIn("http://h/") || !byFlow.AsksToSignIn("http://h/?page=login&e=1") || (Role{}).AsksToSignIn("http://h/login") {
		t.Error("the login page of a login flow")
	}
}

// Step 15, point 10: what of a page puts a sign-in in doubt. What is known not to be the
// sign-in's end puts none, and neither does a login page, which asks for one anyway.
func TestSuspects(t *testing.T) {
	t.Parallel()
	refused := func(requests ...string) (out []browser.Unauthorized) {
		for _, r := range requests {
			request, to, _ := strings.Cut(r, " -> ")
			out = append(out, browser.Unauthorized{Request: request, LedTo: to})
		}
		return out
	}
	for name, c := range map[string]struct {
		role    Role
		page    browser.PageState
		cleared []browser.Unauthorized
		wanted  bool
		want    string
	}{
		"nothing was refused":       {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/app"}, nil, false, ""},
		"status 401":                {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/app", Unauthorized: refused("GET http://h/api/a")}, nil, false, "GET http://h/api/a"},
		"a role without login page": {Role{}, browser.PageState{URL: "http://h/app", Unauthorized: refused("POST http://h/api/a")}, nil, false, "POST http://h/api/a"},
		"led to the login page":     {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/app", Unauthorized: refused("GET http://h/login -> http://h/login?next=/api")}, nil, false, "GET http://h/login"},
		"led elsewhere":             {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/app", Unauthorized: refused("GET http://h/api/v2 -> http://h/api/v2")}, nil, false, ""},
		"led, no login page known":  {Role{}, browser.PageState{URL: "http://h/app", Unauthorized: refused("GET http://h/x -> http://h/x")}, nil, false, ""},
		"on the login page":         {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/login", Unauthorized: refused("POST http://h/api/login")}, nil, false, ""},
		"the login page was wanted": {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/", Unauthorized: refused("POST http://h/api/login")}, nil, true, ""},
		"refused to the role":       {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/app", Unauthorized: refused("GET http://h/api/a")}, refused("GET http://h/api/a"), false, ""},
		"granted, then refused":     {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/app", Unauthorized: []browser.Unauthorized{{Request: "GET http://h/api/a", Number: 9, Granted: 8}}}, []browser.Unauthorized{{Request: "GET http://h/api/a", Number: 7}}, false, "GET http://h/api/a"},
		"refused beside that":       {Role{LoginPage: "/login"}, browser.PageState{URL: "http://h/app", Unauthorized: refused("GET http://h/api/a", "GET http://h/api/b", "POST http://h/api/a")}, refused("GET http://h/api/a"), false, "GET http://h/api/b, POST http://h/api/a"},
	} {
		in := New("somebody", c.role)
		in.wanted.Store(c.wanted)
		in.Clear(c.cleared)
		var got []string
		for _, u := range in.Suspects(c.page) {
			got = append(got, u.Request)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
