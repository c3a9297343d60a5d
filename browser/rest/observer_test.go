package rest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/rest"
)

// observer is a page of which a test says what is known. Each look at its requests is the
// next state; the last one stays. passes is how far its clock goes on with each look.
type observer struct {
	now    time.Time
	passes time.Duration
	states [][]rest.Request
}

func (o *observer) Now() time.Time { return o.now }

func (o *observer) Requests() ([]rest.Request, time.Time) {
	state := o.states[0]
	if len(o.states) > 1 {
		o.states = o.states[1:]
	}
	o.now = o.now.Add(o.passes)
	return state, time.Time{}
}

// Stirred says at each look that something has come.
func (o *observer) Stirred() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// A wait for answers ends with the last of them, with its limit, or with its caller, whoever
// observes the page.
func TestAnswers(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	read := rest.Request{Method: "GET", URL: "http://a.test/total", Data: true, Sent: base}
	done, next := read, read
	done.Ended = base.Add(time.Second)
	next.URL = "http://a.test/rows"
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		states       [][]rest.Request
		passes       time.Duration
		ctx          context.Context
		waited, over bool
		err          error
		open         int
	}{
		"nothing was asked for":          {[][]rest.Request{{}}, 0, t.Context(), false, false, nil, 0},
		"it comes":                       {[][]rest.Request{{read}, {read}, {done}}, 0, t.Context(), true, false, nil, 0},
		"it brings another request":      {[][]rest.Request{{read}, {done, next}, {done, next}, {done}}, 0, t.Context(), true, false, nil, 0},
		"it does not come in time":       {[][]rest.Request{{read}}, time.Second, t.Context(), true, true, nil, 1},
		"nobody waits for it any longer": {[][]rest.Request{{read}}, 0, gone, true, false, context.Canceled, 1},
	} {
		w := rest.AwaitAnswers(&observer{base, tt.passes, tt.states}, 3*time.Second)
		waited, err := w.Until(tt.ctx)
		if waited != tt.waited || !errors.Is(err, tt.err) || w.Over() != tt.over || len(w.Open()) != tt.open {
			t.Errorf("%s: waited %v, %v, over %v, open %v", name, waited, err, w.Over(), w.Open())
		}
	}
}
