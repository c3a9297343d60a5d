package byhand

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/browser/record"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/wait"
)

// Window is a session in whose window a person works.
type Window interface {
	Acts() *record.Acts
	// Drain waits until all that was done can be taken.
	Drain(ctx context.Context) error
	// Rest waits until a tab is at rest, for a bounded time.
	Rest(ctx context.Context, tab int) error
	// Look returns what a person sees of a tab; ok is false where it does not answer.
	Look(ctx context.Context, tab int) (look *record.Look, ok bool)
	// Gone is closed when the browser has ended, however that came.
	Gone() <-chan struct{}
}

// Ended says why a record ended.
type Ended string

// The ends of a record.
const (
	ByWindow  Ended = "the window was closed"
	ByPerson  Ended = "it was ended here"
	ByLimit   Ended = "a flow takes no more steps"
	ByBrowser Ended = "the browser ended"
)

// idle is how long nobody acts between two looks at what a page changes by itself.
const idle = time.Second

// goneLimit is how long the word of a browser's end may come after that of its pages.
const goneLimit = 500 * time.Millisecond

// finishLimit is how long it may take to see what was done right before the end.
const finishLimit = 5 * time.Second

func anything(record.Act) bool { return true }

// errOver ends a wait for acts: there will be none.
var errOver = errors.New("the record is over")

// Record takes what a person does until the window is closed, done is closed, ctx ends or the flow is full.
// The builder has what was recorded, however it ended. It calls progress after each look at what was brought.
func Record(ctx context.Context, w Window, b *Builder, done <-chan struct{}, progress func(*Builder)) Ended {
	over := []rest.Event{{Of: w.Gone(), Err: errOver}, {Of: done, Err: errOver}}
	b.take(ctx, w) // how the start came about
	b.baseline(ctx, w, 1)
	for {
		acted, stirred := b.take(ctx, w)
		switch {
		case b.Full():
			return ByLimit
		case b.Current() == 0 && rest.Until(ctx, nil, rest.Policy{Limit: goneLimit, Events: []rest.Event{{Of: w.Gone()}}}) == nil, rest.Happened(w.Gone()): // which is known after the end of its pages
			b.End("the browser ended here: what was done right before may be missing")
			return ByBrowser
		case b.Current() == 0:
			return ByWindow
		case ctx.Err() != nil, rest.Happened(done):
			b.finish(ctx, w)
			progress(b)
			return ByPerson
		case acted, !b.Settled():
			b.settle(ctx, w)
			progress(b)
		case stirred:
			b.look(ctx, w)
			_ = w.Acts().Await(ctx, record.IsAct, rest.Policy{Limit: idle, Events: over}) // whichever it is
		}
		_ = w.Acts().Await(ctx, anything, rest.Policy{Events: over}) // the next round finds out what it is
	}
}

// finish takes what was done right before the end, and looks once what it brought.
func (b *Builder) finish(ctx context.Context, w Window) {
	last, cancel := wait.CleanUp(ctx, finishLimit)
	defer cancel()
	if err := w.Drain(last); err != nil {
		b.End("the record was ended before all that was done could be told: " + err.Error())
	}
	b.take(last, w)
	if !b.Settled() {
		b.settle(last, w)
	}
	b.take(last, w)
}

// take adds what was done, and reports whether a person acted, and whether the page has changed by itself.
func (b *Builder) take(ctx context.Context, w Window) (acted, stirred bool) {
	acts, lost := w.Acts().Take()
	for i := range acts {
		a := &acts[i]
		byItself := a.Kind == record.Stir || a.Kind == record.Went && a.ByPage && b.tab(a.Tab).settled
		b.Add(a)
		switch {
		case byItself:
			stirred = stirred || a.Tab == b.Current()
		case a.Kind == record.Opened && a.Tab > 1:
			b.baseline(ctx, w, a.Tab)
		default:
			acted = true
		}
	}
	b.Lost(lost)
	return acted, stirred
}

// settle waits until the page is at rest after acts, and looks what they have changed. Another act ends the wait:
// what it finds then is seen after that one.
func (b *Builder) settle(ctx context.Context, w Window) {
	n := b.Current()
	resting, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan struct{})
	var err error
	go func() {
		defer close(over)
		err = w.Rest(resting, n)
	}()
	_ = w.Acts().Await(ctx, record.IsAct, rest.Policy{Events: []rest.Event{{Of: over, Err: errOver}, {Of: w.Gone(), Err: errOver}}}) // whichever it is
	if !rest.Happened(over) || err != nil {
		return // a person goes on, or the page does not answer, or has closed
	}
	if look, ok := w.Look(ctx, n); ok && !w.Acts().Pending(record.IsAct) {
		b.Seen(n, look)
	}
}

// look notes what a page changes while nobody acts.
func (b *Builder) look(ctx context.Context, w Window) {
	n := b.Current()
	if look, ok := w.Look(ctx, n); ok && !w.Acts().Pending(record.IsAct) {
		b.Idle(n, look)
	}
}

// baseline notes what a tab shows before anything is done in it.
func (b *Builder) baseline(ctx context.Context, w Window, n int) {
	if w.Rest(ctx, n) != nil {
		return
	}
	if look, ok := w.Look(ctx, n); ok {
		b.Idle(n, look)
	}
}
