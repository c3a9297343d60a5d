package author

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/tools/workspace"
)

// SignInHint says how to see what lies behind a page that asks to sign in; empty where a
// site that was explored has none, or somebody was signed in.
func SignInHint(s site.Site, t workspace.Target) string {
	at := s.SignInPage()
	if at == "" {
		return ""
	}
	roles := slices.Sorted(maps.Keys(t.Roles))
	if len(roles) == 0 {
		return browser.ShownURL(at) + " asks to sign in: to see what lies behind it, configure a role (docs/sign-in.md) and use --role"
	}
	return browser.ShownURL(at) + " asks to sign in: to see what lies behind it, use --role with one of: " + strings.Join(roles, ", ")
}

// Reason says why so many actions were not tried.
type Reason struct {
	Reason pagetext.Text
	Count  int
}

// Reasons lists why actions were not tried, the most frequent first.
func Reasons(s site.Site) []Reason {
	var out []Reason
	for _, u := range s.Untried {
		i := slices.IndexFunc(out, func(r Reason) bool { return r.Reason == u.Reason })
		if i < 0 {
			out = append(out, Reason{u.Reason, 0})
			i = len(out) - 1
		}
		out[i].Count++
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Count > out[j].Count })
	return out
}
