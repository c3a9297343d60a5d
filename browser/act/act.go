// Package act holds the steps of an act on one element of a page: what is looked at before
// it, who may stop it, when it is done, and what is noted, read and awaited after it. It
// returns facts, and makes no sentence of them.
package act

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/rest"
)

// Page is what an act needs of the page whose turn it has, about the element that it is for.
type Page interface {
	Look(ctx context.Context, q Question, limit time.Duration) (Aim, error) // puts a question; without one it counts the elements
	Presence(ctx context.Context, passed time.Duration) rest.Presence       // of the element, when it has been waited for so long
	Stops(e Element) bool                                                   // a rule is against activating it
	Permit(ctx context.Context) (end func(), err error)                     // asks whoever may lift the rule
	EndAim(ctx context.Context) (why string)                                // ends what a look began with a point: why no event met the element
	Late(err error) bool                                                    // err says no more than that time was over
	Navigates() bool                                                        // another document came, or is coming, since the act began
	ClosedItself() bool                                                     // the page is gone, and nothing else is
	NoteTyped(ctx context.Context)                                          // notes what the field with the focus holds now
	AwaitDownload(ctx context.Context) (begun bool)
	Settle(ctx context.Context) (eventlog.Effects, error) // waits for what the act caused
}

// Element describes an element that is about to be activated, for the guard.
type Element struct {
	Line     string   `json:"line"`
	Names    []string `json:"names"`  // of the control and of what it submits, as a person reads them
	Hints    []string `json:"hints"`  // see [guard.Element]
	Around   []string `json:"around"` // see [guard.Element]
	Saves    bool     `json:"saves"`  // a link whose address the browser saves as a file
	Requests []struct {
		Method  string `json:"method"`
		Address string `json:"address"`
		Body    string `json:"body"` // of a form: what no person types into it
	} `json:"requests"`
}

// Aim describes what an act leads to, just before it.
type Aim struct {
	Count   int          `json:"count"`
	Ready   bool         `json:"ready"`   // one element, which the act can begin on; of an act that the question has prepared, it is
	Force   bool         `json:"force"`   // it is ready, and the driver can't find that out
	ByLabel bool         `json:"byLabel"` // its label is what is worked
	Point   *input.Point `json:"point"`   // where a click meets it; nil: not known, or not sure
	Known   bool         `json:"-"`       // it is known what a click would do:
	Element
}

// Question is put to the page before an act. The zero value asks nothing.
type Question struct {
	Op     Op
	Text   string // to be put or chosen
	Secret bool   // the text is one, and is not for the page before it is typed
	Key    bool   // of aim: a key is to be pressed, not a pointer
	Point  bool   // of aim: where; a click there follows
	Hover  bool   // of aim: the pointer is moved there, and not pressed
}

// Op says what a question is about.
type Op string

// The questions. All but aim are a part of the act.
const (
	AskNothing Op = ""
	TakeAim    Op = "aim"       // what would it activate, can it begin
	PutText    Op = "put"       // select what the control holds
	Choose     Op = "choose"    // choose the option
	GiveFocus  Op = "giveFocus" // give it the focus
)

// Act describes what can be done to an element. Ready waits until it can be done, without
// doing it; Do does it once. An act without Ready may be done again without harm, so it waits
// by trying. Where the question can prove that it can be done at once, Input does it then; what
// Input leaves undone is done by Do.
type Act struct {
	Ask       Question
	Input     func(ctx context.Context, at Aim, limit time.Duration) (done bool, err error)
	Ready     func(limit time.Duration) error
	Do        func(limit time.Duration) error
	Value     func(ctx context.Context) string // what to tell of the control afterwards; nil: nothing
	Activates bool                             // the element: the guard looks at it first
	ByKey     bool                             // not by the pointer
	Types     bool                             // it writes into what has the focus

	Whole time.Duration // the time of the act
	Given bool          // its caller set that
	Log   *eventlog.Log
}

// Done holds what an act was.
type Done struct {
	Value   string
	Unsaved bool // the link saves a file, and no download has begun yet
	eventlog.Effects
}

// NotDone says that an act could not be done.
type NotDone struct{ Cause error }

func (e *NotDone) Error() string { return e.Cause.Error() }

// Unwrap returns why.
func (e *NotDone) Unwrap() error { return e.Cause }

// Why an act is not tried.
var (
	ErrSeveral = errors.New("several elements match")
	ErrAbsent  = errors.New("the element is not there")
)

// Do does an act. Its error is a [NotDone], or that of the page after the act.
func Do(ctx context.Context, p Page, a Act) (out Done, err error) {
	permission := &permission{end: func() {}}
	defer func() { permission.end() }()
	if err := a.perform(ctx, p, permission); err != nil && !p.ClosedItself() {
		return Done{}, &NotDone{err}
	}
	if a.Types {
		p.NoteTyped(ctx)
	}
	out.Unsaved = permission.saves && !p.AwaitDownload(ctx)
	if a.Value != nil {
		out.Value = a.Value(ctx)
	}
	out.Effects, err = p.Settle(ctx)
	return out, err
}

// permission holds what the guard has permitted.
type permission struct {
	saves bool   // to follow a link that saves a file
	end   func() // ends what a person permitted
}

// perform looks at the element, and does the act at once, or once it can be done. It gives
// the act its caller's time-out, or the default one: short while no element matches, long
// once one does.
func (a Act) perform(ctx context.Context, p Page, allowed *permission) error {
	at, err := a.look(ctx, p)
	switch {
	case err == nil && at.Count > 1:
		return ErrSeveral
	case err == nil && at.Count == 0 && !a.Given && p.Presence(ctx, 0) == rest.Hopeless:
		return ErrAbsent
	}
	allowed.saves = a.Activates && at.Saves
	free := !a.Activates || at.Known && !p.Stops(at.Element)
	if begins := a.begins(at); begins && free {
		if done, err := a.doAtOnce(ctx, at); done {
			return a.unlessItNavigates(p, err)
		}
		free = !a.Activates // the pointer over it may have changed what it is
	} else if begins && at.Point != nil { // somebody may have to be asked, for longer than the aim lasts
		p.EndAim(ctx)
	}
	bound, cancel := context.WithTimeout(ctx, a.Whole)
	defer cancel()
	if !at.Ready || a.Ask.Op != TakeAim || a.ByKey || a.Ready == nil {
		free = !a.Activates // it may change while it is waited for
		if err := a.await(bound, p); err != nil || a.Ready == nil {
			return err
		}
	}
	if !free {
		if allowed.end, err = p.Permit(ctx); err != nil {
			return err
		}
	}
	if a.Activates { // a person may have taken longer than the act's own time-out
		var cancel context.CancelFunc
		bound, cancel = context.WithTimeout(ctx, a.Whole)
		defer cancel()
	}
	a.Log.BeginAct()
	return a.unlessItNavigates(p, a.try(rest.Left(bound, a.Whole)))
}

// look puts the question of an act to the page, which may prepare it.
func (a Act) look(ctx context.Context, p Page) (Aim, error) {
	// With thousands of matches Playwright takes longer to refuse than a piece
	// of the wait lasts, and the wait would never end.
	limit := rest.LookLimit
	if a.Given {
		limit = min(limit, a.Whole)
	}
	touched := a.Log.Acted()
	if a.Ask.Op != TakeAim && a.Ask.Op != AskNothing { // it is a part of the act
		a.Log.Touch(true)
		a.Log.BeginAct()
	}
	at, err := p.Look(ctx, a.Ask, limit)
	if !at.Ready && a.Ask.Op != AskNothing {
		a.Log.Touch(touched)
	}
	return at, err
}

// begins reports whether the look of an act has proved that its input can follow.
func (a Act) begins(at Aim) bool {
	switch {
	case a.Input == nil:
		return false
	case a.Ask.Op != TakeAim:
		return at.Ready
	case a.ByKey:
		return at.Known
	}
	return at.Point != nil
}

// doAtOnce does an act by its input. Where it was not done, it is still to be done.
func (a Act) doAtOnce(ctx context.Context, at Aim) (done bool, err error) {
	if a.Ask.Op == TakeAim {
		a.Log.BeginAct()
		a.Log.Touch(true)
	}
	return a.Input(ctx, at, a.Whole)
}

// await waits until an act can be done; one that need not wait is done by that.
func (a Act) await(ctx context.Context, p Page) error {
	try := a.Ready
	if try == nil {
		try = a.try
	}
	var look func(time.Duration) rest.Presence
	if !a.Given {
		look = func(passed time.Duration) rest.Presence { return p.Presence(ctx, passed) }
	}
	return rest.InPieces(ctx, a.Whole, func(limit time.Duration) error { a.Log.BeginAct(); return try(limit) }, p.Late, look)
}

// try does an act once.
func (a Act) try(limit time.Duration) error {
	a.Log.Touch(true)
	return a.Do(limit)
}

// unlessItNavigates returns the error of an act, unless all that was not over in time is
// the navigation that it began.
func (a Act) unlessItNavigates(p Page, err error) error {
	if p.Late(err) && p.Navigates() {
		return nil
	}
	return err
}
