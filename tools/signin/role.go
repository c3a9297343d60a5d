package signin

import (
	"net/url"
	"strings"

	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/qa/flow"
)

// Role holds one user of an environment.
type Role struct {
	State     *auth.State // the stored sign-in
	Login     *flow.Flow  // signs the role in; nil: a person does
	LoginPage string      // where a page leads whoever is not signed in; empty: the first address of Login

	ChangesState bool // its cases change what it has on the server
}

// LoginAddress returns the address that tells that a page asks to sign in; nil
// when none is known.
func (r Role) LoginAddress() *url.URL {
	address := r.LoginPage
	if f := r.Login; address == "" && f != nil {
		address = f.StartURL
		for i := 0; address == "" && i < len(f.Steps); i++ {
			address = f.Steps[i].URL
		}
	}
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return nil
	}
	return u
}

// AsksToSignIn reports whether an address is that of the login page: its path
// is, its host where the login page has another one, its fragment where that tells
// pages apart (#/login), and its parameters, such as ?view=signin. What leads back
// after the sign-in, such as ?next=/cart, tells no page apart.
func (r Role) AsksToSignIn(at string) bool {
	login := r.LoginAddress()
	u, err := url.Parse(at)
	if login == nil || err != nil {
		return false
	}
	return address.SamePath(login, u) && (login.Host == "" || address.SameHost(login, u)) &&
		holds(u.RawQuery, login.RawQuery) && sameFragment(u.Fragment, login.Fragment)
}

// sameFragment compares the fragment of a page with the login page's. Where that
// has none, one that only points into the page makes no difference.
func sameFragment(page, login string) bool {
	page, given, _ := strings.Cut(page, "?")
	login, wanted, _ := strings.Cut(login, "?")
	page, login = strings.TrimRight(page, "/"), strings.TrimRight(login, "/")
	if login == "" {
		return page == "" || !strings.HasPrefix(page, "/") && !strings.HasPrefix(page, "!")
	}
	return page == login && holds(given, wanted)
}

// holds reports whether a query has the parameters of another one, but for those
// that say where to go afterwards.
func holds(query, wanted string) bool {
	given, _ := url.ParseQuery(query) // what is no parameter tells nothing apart
	needed, _ := url.ParseQuery(wanted)
	for name, values := range needed {
		for i, value := range values {
			if strings.HasPrefix(value, "/") || strings.Contains(value, "://") {
				continue
			}
			if i >= len(given[name]) || given[name][i] != value {
				return false
			}
		}
	}
	return true
}
