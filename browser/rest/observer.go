package rest

import (
	"context"
	"errors"
	"time"
)

// Observer tells what a page does, as far as that is known without a call to it. Who judges
// and waits knows no other one, however it is found out.
type Observer interface {
	Now() time.Time
	// Requests returns what the page's document has asked for that may change what it
	// shows, oldest first, and when the last act began.
	Requests() (all []Request, acted time.Time)
	// Stirred returns what is closed when the next answer comes, or a request ends.
	Stirred() <-chan struct{}
}

// Answers holds one wait for the answers that a page waits for: see [Awaited].
type Answers struct {
	of    Observer
	began time.Time
	limit time.Duration
}

// AwaitAnswers begins a wait; limit bounds all that is waited in it.
func AwaitAnswers(of Observer, limit time.Duration) *Answers { return &Answers{of, of.Now(), limit} }

// Open returns the requests whose answers may still change what the page shows.
func (w *Answers) Open() []Request {
	all, acted := w.of.Requests()
	return Awaited(w.of.Now(), w.began, acted, all, ToProve())
}

// For returns how long a request has been open.
func (w *Answers) For(r Request) time.Duration { return w.of.Now().Sub(r.Sent) }

// Over reports whether the limit of all waits is over.
func (w *Answers) Over() bool { return w.left() <= 0 }

func (w *Answers) left() time.Duration { return w.limit - w.of.Now().Sub(w.began) }

// Until waits until nothing is unanswered, or the limit of all waits is over. It reports
// whether it has waited, and the page may be another one.
func (w *Answers) Until(ctx context.Context) (waited bool, err error) {
	for {
		stirred := w.of.Stirred()
		left := w.left()
		if left <= 0 || len(w.Open()) == 0 {
			return waited, nil
		}
		waited = true
		if ctx.Err() != nil {
			return waited, ctx.Err()
		}
		err := Until(ctx, nil, Policy{Limit: min(left, answerLook), Events: []Event{{Of: stirred}}})
		if err != nil && !errors.Is(err, ErrLimit) {
			return waited, err
		}
	}
}
