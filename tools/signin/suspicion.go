package signin

import (
	"context"
	"net/url"
	"slices"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/auth"
)

// Suspects returns the requests of a page for which its sign-in may have ended: data of its
// own site was refused with status 401, or led to the login page. Left out are those of which
// it is known whether it had; a page that asks to sign in is judged by [SignIn.Ended].
func (in *SignIn) Suspects(page browser.PageState) []browser.Unauthorized {
	if in.wanted.Load() || in.Role.AsksToSignIn(page.URL) {
		return nil
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	var out []browser.Unauthorized
	for _, u := range page.Unauthorized {
		known, cleared := in.cleared[u.Request]
		if (u.LedTo == "" || in.Role.AsksToSignIn(u.LedTo)) && (!cleared || u.Granted > known) {
			out = append(out, u)
		}
	}
	return out
}

// maxCleared bounds how many requests a sign-in knows.
const maxCleared = 200

// Clear notes requests that were refused while the sign-in worked, or right before it was
// renewed: until one alike is granted, what refuses them is no sign-in that has ended.
func (in *SignIn) Clear(requests []browser.Unauthorized) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.cleared) > maxCleared {
		clear(in.cleared)
	}
	for _, u := range requests {
		in.cleared[u.Request] = u.Number
	}
}

// Gone finds out on a fresh session, which has the sign-in of another one, whether it has ended:
// it opens the page at an address and waits for its data. reason is why it has; empty: it works.
func (in *SignIn) Gone(ctx context.Context, fresh *browser.Session, address string) (reason string, err error) {
	page, err := in.Open(ctx, fresh, address)
	if err == nil && page.Reason == "" && len(page.Refused) > 0 {
		page.Reason = page.Refused[0].Request + " is refused there, too"
	}
	return page.Reason, err
}

// Opened is what a page shows to the sign-in of a session.
type Opened struct {
	Reason  string                 // why the sign-in does not work; empty: it does
	Refused []browser.Unauthorized // requests for which it may have ended, or which are refused to the role
	Offers  bool                   // it offers to sign in
}

// Open opens the page at an address with the sign-in that a session has, and waits for its data.
func (in *SignIn) Open(ctx context.Context, fresh *browser.Session, address string) (page Opened, err error) {
	if page.Reason, err = in.Works(ctx, fresh, address); err != nil || page.Reason != "" {
		return page, err
	}
	if _, err := fresh.Rest(ctx, browser.RestOptions{}); err != nil {
		return Opened{}, err
	}
	if page.Offers, err = in.Offers(ctx, fresh); err != nil {
		return Opened{}, err
	}
	state, err := fresh.State(ctx)
	switch {
	case err != nil:
		return Opened{}, err
	case in.Role.AsksToSignIn(state.URL) && !in.Role.AsksToSignIn(address): // a script led there
		page.Reason = browser.ShownURL(address) + " asks to sign in"
	case page.Offers && in.offersNone():
		page.Reason = browser.ShownURL(address) + " offers to sign in, as it did not right after the sign-in"
	default:
		page.Refused = in.Suspects(state)
	}
	return page, nil
}

// Offers reports whether the page of a session offers to sign in: it has a link to the login page,
// or a field for a password, that somebody can see.
func (in *SignIn) Offers(ctx context.Context, s *browser.Session) (bool, error) {
	page, err := s.Scan(ctx, scan.Options{Elements: []string{"a[href]", "area[href]", "input[type=password]"}, Max: maxOffers})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(page.Elements, func(el scan.Element) bool {
		return el.IsVisible && (el.Type == "password" || in.Role.AsksToSignIn(el.Href))
	}), nil
}

// maxOffers bounds how many links and fields of a page are looked at for that.
const maxOffers = 2000

// offersNone reports whether the page that the sign-in led to offered nobody to sign in then.
func (in *SignIn) offersNone() bool { return in.offered != nil && !*in.offered }

// DoubtOnce reports, once for each stored sign-in, whether a page that offers to sign in makes
// it doubtful: pages that anybody may open tell in no other way that it has ended.
func (in *SignIn) DoubtOnce() bool { return in.offersNone() && in.doubted.CompareAndSwap(false, true) }

// Recall notes what a stored state says of its page right after the sign-in: which requests were
// refused, and whether it offered to sign in.
func (in *SignIn) Recall(state []byte) {
	in.offered = auth.OffersSignIn(state)
	var known []browser.Unauthorized
	for _, request := range auth.Refused(state) {
		known = append(known, browser.Unauthorized{Request: request})
	}
	in.Clear(known)
}

// CheckedAt returns the address by which the stored sign-in is checked: that which it led to, on
// the site at base.
func (in *SignIn) CheckedAt(base string) string {
	state, err := in.Role.State.Read()
	if err != nil {
		return base
	}
	return OnSite(auth.Address(state), base)
}

// OnSite returns the address that a sign-in led to, on the site that is to be tested: one
// that was stored for another site proves nothing there.
func OnSite(stored, base string) string {
	to, err := url.Parse(base)
	from, failed := url.Parse(stored)
	if stored == "" || err != nil || failed != nil {
		return base
	}
	if base == "" || from.Scheme == to.Scheme && from.Host == to.Host {
		return stored
	}
	from.Scheme, from.Host = to.Scheme, to.Host
	return from.String()
}
