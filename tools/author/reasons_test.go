package author_test

import (
	"testing"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// A1, C1: who explores as nobody and meets a page that asks to sign in is told how to see
// more, with the roles that there are.
func TestSignInHint(t *testing.T) {
	wall := site.Site{States: []site.State{{ID: "s1", URL: "http://a.test/"}, {ID: "s2", URL: "http://a.test/login?next=%2F"}}, Untried: []site.Untried{{State: "s2", Reason: site.TakesPassword}}}
	signedIn, open := wall, wall
	signedIn.Role, open.Untried = "clerk", nil
	roles := workspace.Target{Roles: map[string]workspace.Role{"viewer": {}, "clerk": {}}}
	for _, c := range []struct {
		site   site.Site
		target workspace.Target
		want   string
	}{
		{wall, roles, "http://a.test/login?next=%2F asks to sign in: to see what lies behind it, use --role with one of: clerk, viewer"},
		{wall, workspace.Target{}, "http://a.test/login?next=%2F asks to sign in: to see what lies behind it, configure a role (docs/sign-in.md) and use --role"},
		{signedIn, roles, ""},
		{open, roles, ""},
	} {
		if got := author.SignInHint(c.site, c.target); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
