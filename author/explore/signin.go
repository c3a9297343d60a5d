package explore

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
)

// signIn is what is known of the sign-in of a role.
type signIn struct {
	renewed int
	lost    pagetext.Text   // why it ended for good; "": it works
	acts    []Action        // that wrote since the server last showed a page to the role
	common  map[string]bool // lines that each page of the role shows
	places  map[string]bool // that have shown them

	harmless map[string]bool // requests after which the sign-in still worked, by method and kind of address
	suspects map[string]bool // classes of acts of which one has ended it
}

// maxRenewals bounds how often an exploration signs in again.
const maxRenewals = 12

// settled is on how many places a line must stand before its absence says anything.
const settled = 3

// signedOut reports whether a view asks to sign in, or lacks what all pages of the role
// show: then the sign-in may have ended.
func (s *signIn) signedOut(e *explorer, v *view) (asks, strange bool) {
	if e.page.Principal(v.page.URL, v.page.Status) == "" {
		return true, false
	}
	if len(v.id.Overlays) > 0 {
		return false, false
	}
	lines := e.linesOf(v)
	if len(s.places) >= settled {
		for line := range s.common {
			strange = strange || !lines[line]
		}
	}
	return false, strange
}

// furniture notes what a page of the role shows.
func (s *signIn) furniture(e *explorer, v *view) {
	lines := e.linesOf(v)
	if len(v.id.Overlays) > 0 || v.page.Status >= http.StatusBadRequest { // an error's page has nothing of it
		return
	}
	if s.common == nil {
		s.common, s.places = map[string]bool{}, map[string]bool{}
		for line := range lines {
			s.common[line] = true
		}
	}
	for line := range s.common {
		if !lines[line] {
			delete(s.common, line)
		}
	}
	s.places[v.id.Place] = true
}

// endedBy reports whether the sign-in has ended, as the role's check tells after an act that
// wrote or led to a page as nobody sees it who is signed in. The act that did it is not
// tried again, and the role is signed in again.
func (s *signIn) endedBy(ctx context.Context, e *explorer, a *Action, v *view, effect Effect) bool {
	if e.o.Role == "" || s.lost != "" || ctx.Err() != nil {
		return false
	}
	asks, strange := s.signedOut(e, v)
	if a != nil && effect.Wrote {
		s.acts = append(s.acts, *a)
	}
	said := a != nil && a.Rank == LogsOut // its page may look like any other
	if !asks && !strange && !said && (!effect.Wrote || effect.Loaded || !s.mayEndIt(a, effect)) {
		s.furniture(e, v)
		if effect.Loaded {
			s.acts = nil
		}
		return false
	}
	works, err := e.page.SignedIn(ctx)
	if err != nil {
		e.o.Log.Warn("ask whether the sign-in still works", "err", err)
		return false
	}
	if works {
		s.acts = nil
		for _, request := range effect.WroteTo {
			s.harmless = with(s.harmless, kindOfRequest(request))
		}
		if !asks {
			s.furniture(e, v)
		}
		return false
	}
	byAct := s.blame(e, a, effect)
	s.renew(ctx, e)
	return byAct
}

// mayEndIt reports whether an act that wrote, and after which the server has sent no page,
// may have ended the sign-in: not where it asked the server only for what has left the
// sign-in alone before. Should it have ended all the same, the next page tells.
func (s *signIn) mayEndIt(a *Action, effect Effect) bool {
	return a != nil && s.suspects[a.Class] || len(effect.WroteTo) == 0 ||
		slices.ContainsFunc(effect.WroteTo, func(request string) bool { return !s.harmless[kindOfRequest(request)] })
}

// kindOfRequest returns the method of a request and the kind of its address.
func kindOfRequest(request string) string {
	method, address, _ := strings.Cut(request, " ")
	return method + " " + PlaceTemplate(address)
}

// with adds a key to a set.
func with(set map[string]bool, key string) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	set[key] = true
	return set
}

// blame notes which act has ended the sign-in, and reports whether it is the newest: the
// last one that wrote, or else the newest where it leads to no page that the role has seen.
// Of the others that wrote each is asked for at once when it is done again.
func (s *signIn) blame(e *explorer, a *Action, effect Effect) bool {
	defer func() { s.acts = nil }()
	switch n := len(s.acts); {
	case n > 0:
		e.frontier.EndsSignIn(s.acts[n-1])
		for _, other := range s.acts[:n-1] {
			s.suspects = with(s.suspects, other.Class)
		}
		return a != nil && effect.Wrote
	case a == nil || a.Goal != "" && e.shows[a.Goal] != nil:
		return false // it has ended by itself
	}
	e.frontier.EndsSignIn(*a)
	return true
}

// renew signs in again. What the page shows is of the sign-in that has ended.
func (s *signIn) renew(ctx context.Context, e *explorer) {
	if s.renewed++; s.renewed > maxRenewals {
		s.lost = pagetext.Sprintf("the sign-in as %s ended %d times", e.o.Role, s.renewed)
		return
	}
	if err := e.page.Renew(ctx); err != nil && ctx.Err() == nil {
		s.lost = pagetext.Text("the sign-in as " + e.o.Role + " ended and could not be renewed: " + err.Error())
		e.o.Log.Warn("sign in again", "role", e.o.Role, "err", err)
	}
	e.here = nil
}

// expired reports whether what an address shows in a fresh context says that the sign-in
// has ended. It is renewed then.
func (s *signIn) expired(ctx context.Context, e *explorer, v *view, before *site.State) bool {
	if e.o.Role == "" || before == nil || before.Principal == "" || e.page.Principal(v.page.URL, v.page.Status) != "" {
		return false
	}
	works, err := e.page.SignedIn(ctx)
	if err != nil || works {
		return false
	}
	s.blame(e, nil, Effect{})
	s.renew(ctx, e)
	return s.lost == ""
}
