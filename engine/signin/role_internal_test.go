package signin

import (
	"testing"

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
