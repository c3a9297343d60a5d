package explore

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/pagetext"
)

// Page is the browser page that an exploration works on.
type Page interface {
	// Open loads an address in a fresh context that has the stored sign-in, and waits
	// until it is quiet.
	Open(ctx context.Context, address string) (Effect, error)
	// Visit loads an address in the context at hand, as one does who types it, and waits
	// until it is quiet.
	Visit(ctx context.Context, address string) (Effect, error)
	// Do does one act and waits until the page is quiet. An act that must not be done
	// is a [Refused] error.
	Do(ctx context.Context, a Act) (Effect, error)
	// Scan looks at the page as it is.
	Scan(ctx context.Context) (scan.Page, error)
	// DoubleClicks returns the elements that answer a double click, as far as it is known.
	DoubleClicks(ctx context.Context) ([]scan.Element, error)
	// Pause waits for what changes by itself.
	Pause(ctx context.Context, d time.Duration) error
	// Picture takes a picture of the viewport; ext is the end of its file's name.
	Picture(ctx context.Context) (data []byte, ext string, err error)
	// Scripts returns which blocks of scripts ran since the last call.
	Scripts(ctx context.Context) ([]scan.Script, error)
	// Faults returns what went wrong since the last call.
	Faults() []site.Finding
	// Health returns what anybody would call broken on the page.
	Health(ctx context.Context) ([]site.Finding, error)
	// Principal returns who is signed in, as far as the page at an address shows.
	Principal(address string, status int) string
	// SignedIn reports whether the stored sign-in works.
	SignedIn(ctx context.Context) (bool, error)
	// Renew signs in again, for all that is opened later.
	Renew(ctx context.Context) error
}

// Act is one thing done to an element.
type Act struct {
	Kind      string // of package site
	Selectors []string
	Value     string
	Option    string
	Key       string
	On        bool       // of check: what it shall be
	Stands    bool       // the page is at rest, so that what is not there by then hardly comes
	As        guard.Kind // 0: [guard.Explored]
	Record    string     // of [guard.Others]: what names the record in addresses
}

// Effect is what an act or a load caused beside what a scan shows.
type Effect struct {
	Dialog   string
	Popup    string // address of a page that opened and was closed
	Download string
	Stopped  []pagetext.Text // requests that the guard stopped
	Wrote    bool            // a request that may change data left
	WroteTo  []string        // method and address of each
	Loaded   bool            // the server sent a page
}

// Refused says that an act was not done, or that what it asked for was stopped, because
// it might do harm.
type Refused struct {
	Why  pagetext.Sentence
	Rule string // of the guard, by which its name or its form is destructive: nothing was done; "": a request was stopped
}

func (r *Refused) Error() string { return r.Why.Line() }

// Gone says that no selector of an act leads to one element.
type Gone struct{ Cause error }

func (g *Gone) Error() string { return g.Cause.Error() }

// Unwrap returns what the last of them found.
func (g *Gone) Unwrap() error { return g.Cause }

// Unanswered says that the page did not answer: a script of it may run without end.
type Unanswered struct{ Cause error }

func (u *Unanswered) Error() string { return u.Cause.Error() }

// Unwrap returns what could not be done for that.
func (u *Unanswered) Unwrap() error { return u.Cause }

// ErrUnreachable says that the start address can't be opened.
var ErrUnreachable = errors.New("the start address can't be opened")
