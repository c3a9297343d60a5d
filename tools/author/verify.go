package author

import (
	"context"
	"net/http"

	"github.com/assay-qa/assay/author/admit"
	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/workspace"
)

// Verifier returns what tries tests in the making in sessions of a workspace, each in a
// fresh context, signed in as the plan's role. Those of which the runner has the last word are
// tried in fewer contexts, as it runs them in others.
func Verifier(ws *workspace.Workspace, order generate.Order, draft bool, cookies []*http.Cookie) func(context.Context, string, string, generate.Path) (generate.Path, []generate.Dropped, error) {
	signedIn := map[string][]byte{}
	return func(ctx context.Context, base, role string, p generate.Path) (generate.Path, []generate.Dropped, error) {
		if _, known := signedIn[role]; !known {
			page := &livePage{state: []byte(nobody)}
			if role != "" {
				if err := page.signInAs(ctx, ws, role); err != nil {
					return p, nil, err
				}
			}
			state, err := withCookies(page.state, cookies, base)
			if err != nil {
				return p, nil, err
			}
			signedIn[role] = state
		}
		s := admit.Site{BaseURL: base, Order: order, Now: ws.Now, Reveal: ws.Reveal}
		if !draft {
			s.Rounds = 1
		}
		s.Launch = func(ctx context.Context) (*browser.Session, error) {
			return ws.Pool.Launch(ctx, browser.LaunchOptions{State: signedIn[role]})
		}
		return s.Path(ctx, p)
	}
}

// TestCookies returns cookies as generated tests set them.
func TestCookies(cookies []*http.Cookie) []testfile.Cookie {
	var out []testfile.Cookie
	for _, c := range cookies {
		out = append(out, testfile.Cookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path})
	}
	return out
}
