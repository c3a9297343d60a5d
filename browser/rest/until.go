package rest

import (
	"context"
	"errors"
	"reflect"
	"time"
)

// ErrLimit says that a wait ended by its own limit, before its caller's deadline.
var ErrLimit = errors.New("it did not come about in time")

// Event ends a wait when its channel is closed.
type Event struct {
	Of  <-chan struct{} // nil: never
	Err error           // that the wait returns; nil: this was waited for
}

// Policy says how a wait goes on, within its caller's context.
type Policy struct {
	Every  time.Duration // between two looks; 0: it looks once
	Limit  time.Duration // of the wait itself; 0: none but its caller's
	Events []Event       // that end the wait; of several the first in the list
}

// Until waits until reached returns true, or an error, which it returns. A nil
// reached waits for the events alone. Otherwise it returns the error of the event
// that ended the wait, [ErrLimit], or why ctx ended.
//
// What reached asks must itself be bounded by ctx: see [Answer].
func Until(ctx context.Context, reached func() (bool, error), p Policy) error {
	var over, tick <-chan time.Time
	if p.Limit > 0 {
		limit := time.NewTimer(p.Limit)
		defer limit.Stop()
		over = limit.C
	}
	if p.Every > 0 {
		every := time.NewTicker(p.Every)
		defer every.Stop()
		tick = every.C
	}
	for {
		if reached != nil {
			if done, err := reached(); done || err != nil {
				return err
			}
		}
		if e := p.happened(); e != nil {
			return e.Err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if p.next(ctx, over, tick) {
			return p.orLate(reached, ErrLimit)
		}
	}
}

// orLate returns late, unless what was waited for has come in the same moment.
func (p Policy) orLate(reached func() (bool, error), late error) error {
	if reached != nil {
		if done, err := reached(); done || err != nil {
			return err
		}
	}
	if e := p.happened(); e != nil {
		return e.Err
	}
	return late
}

// happened returns the first event that has happened, or nil.
func (p Policy) happened() *Event {
	for i := range p.Events {
		if Happened(p.Events[i].Of) {
			return &p.Events[i]
		}
	}
	return nil
}

// next waits for whatever comes first, and reports whether that is the limit.
func (p Policy) next(ctx context.Context, over, tick <-chan time.Time) (late bool) {
	cases := []reflect.SelectCase{receive(over), receive(ctx.Done()), receive(tick)}
	for _, e := range p.Events {
		cases = append(cases, receive(e.Of))
	}
	chosen, _, _ := reflect.Select(cases)
	return chosen == 0
}

func receive[T any](c <-chan T) reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}
}

// Happened reports whether a channel is closed. It does not wait.
func Happened(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Answer makes a call that knows no context, and returns its answer, unless the
// wait ends before. The call goes on then, and its answer is lost.
func Answer[T any](ctx context.Context, call func() (T, error), p Policy) (T, error) {
	return AnswerOrLate(ctx, call, p, func(T) {})
}

// AnswerOrLate makes a call as [Answer] does. An answer that comes after the wait
// is given to late, which puts away what no caller has.
func AnswerOrLate[T any](ctx context.Context, call func() (T, error), p Policy, late func(T)) (T, error) {
	var value, zero T
	var failed error
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		value, failed = call()
	}()
	p.Events = append([]Event{{Of: answered}}, p.Events...)
	err := Until(ctx, nil, p)
	if Happened(answered) {
		return value, failed
	}
	go func() {
		if <-answered; failed == nil {
			late(value)
		}
	}()
	return zero, err
}
