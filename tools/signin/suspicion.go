package signin

import (
	"context"
	"net/url"

	"github.com/assay-qa/assay/browser"
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
	reason, refused, err := in.Open(ctx, fresh, address)
	if err == nil && reason == "" && len(refused) > 0 {
		reason = refused[0].Request + " is refused there, too"
	}
	return reason, err
}

// Open opens the page at an address with the sign-in that a session has, and waits for its data.
// reason is why the sign-in does not work; refused are requests for which it may have ended, or
// which are refused to the role.
func (in *SignIn) Open(ctx context.Context, fresh *browser.Session, address string) (reason string, refused []browser.Unauthorized, err error) {
	if reason, err = in.Works(ctx, fresh, address); err != nil || reason != "" {
		return reason, nil, err
	}
	if _, err := fresh.Rest(ctx, browser.RestOptions{}); err != nil {
		return "", nil, err
	}
	state, err := fresh.State(ctx)
	if err != nil {
		return "", nil, err
	}
	if in.Role.AsksToSignIn(state.URL) && !in.Role.AsksToSignIn(address) { // a script led there
		return browser.ShownURL(address) + " asks to sign in", nil, nil
	}
	return "", in.Suspects(state), nil
}

// KnowRefused notes what a stored state says was refused right after the sign-in.
func (in *SignIn) KnowRefused(state []byte) {
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
