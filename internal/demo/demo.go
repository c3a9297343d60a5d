// Package demo serves the sample dashboard that assay checks itself against: a
// sign-in page and a sales dashboard, embedded in the binary and served on
// loopback. It comes healthy, in several looks, and with faults: one at a time
// ([Variants]), or the five of [Defects] at once. A check that finds fewer
// than these, or any on a healthy one, is wrong.
//
// It refuses to listen on anything but a loopback address, loads nothing from
// another host, and stores nothing: data are computed, sessions are kept in
// memory. Its numbers are a pure function of range and category ([KPIs]),
// which makes them an oracle; only dates come from the clock.
//
// # Sanity
//
// [Checker] checks the sample dashboard with the program itself: by tool calls, and by
// the sanity task on variants whose seeded faults must all be found. It uses the
// program only through its protocol and its exit codes.
package demo

import (
	"log/slog"
	"net/http"
	"time"
)

// The one account of the demo. The sign-in page shows both values, so they
// protect nothing.
const (
	Email    = "demo@assay.test"
	Password = "assay-demo"
)

// LoginTitle names the title of the sign-in page.
const LoginTitle = "Sign in – Assay Demo"

// Options choose the variant and its surroundings. The zero value is the
// healthy dashboard on a free loopback port, silent, on a fixed date.
type Options struct {
	// Broken serves the page with every fault of [Defects].
	Broken bool
	// Variant selects one of [Variants] by name; empty means plain.
	Variant string
	// Addr sets the host:port that [Start] listens on: a loopback address, or
	// localhost. Empty means a free port on 127.0.0.1.
	Addr string
	// Clock dates the data. Without one the demo's calendar stands still, which
	// also keeps its pictures equal from day to day. Numbers never depend on it.
	Clock func() time.Time
	// Log receives a line per request and sign-in. Nil discards them.
	Log *slog.Logger
}

// withDefaults fills what was left out.
func (o Options) withDefaults() Options {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Clock == nil {
		o.Clock = stillClock
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// stillClock returns a time late on a Friday, so that "today" is a whole working day.
func stillClock() time.Time {
	return time.Date(2025, time.November, 14, 21, 30, 0, 0, time.UTC)
}

// Handler returns the demo as a handler with sessions of its own. Addr is not
// used: whoever serves the handler decides where it can be reached. It panics on
// a variant that there is not; [Start] answers that with an error.
func Handler(opts Options) http.Handler {
	opts = opts.withDefaults()
	variant, err := opts.variant()
	if err != nil {
		panic(err)
	}
	s := &site{
		opts:     opts,
		variant:  variant,
		sessions: newSessions(opts.Broken, variant.Name),
	}
	return withRequestLog(opts.Log, withSecurityHeaders(s.routes()))
}
