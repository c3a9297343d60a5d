package act_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/act"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/rest"
)

var (
	errLate    = errors.New("late")
	errRefused = errors.New("refused")
	errGone    = errors.New("gone")
)

// page is an act.Page that notes what an act asks of it.
type page struct {
	aim       act.Aim
	presence  rest.Presence
	stops     bool
	refuses   bool
	navigates bool
	closed    bool
	steps     []string
}

func (p *page) did(step string) { p.steps = append(p.steps, step) }

func (p *page) Look(context.Context, act.Question, time.Duration) (act.Aim, error) {
	p.did("look")
	return p.aim, nil
}

func (p *page) Presence(context.Context, time.Duration) rest.Presence { return p.presence }
func (p *page) Stops(act.Element) bool                                { return p.stops }
func (p *page) Late(err error) bool                                   { return errors.Is(err, errLate) }
func (p *page) Navigates() bool                                       { return p.navigates }
func (p *page) ClosedItself() bool                                    { return p.closed }
func (p *page) NoteTyped(context.Context)                             { p.did("note") }

func (p *page) EndAim(context.Context) string {
	p.did("end aim")
	return ""
}

func (p *page) Permit(context.Context) (func(), error) {
	p.did("ask")
	if p.refuses {
		return func() {}, errRefused
	}
	return func() { p.did("end permission") }, nil
}

func (p *page) AwaitDownload(context.Context) bool {
	p.did("download")
	return false
}

func (p *page) Settle(context.Context) (eventlog.Effects, error) {
	p.did("settle")
	return eventlog.Effects{}, nil
}

// TestStepsOfAnAct: the guard has its word before anything is done, a permission lasts until
// the page is at rest, and an act is done once.
func TestStepsOfAnAct(t *testing.T) {
	t.Parallel()
	one := act.Aim{Count: 1, Ready: true, Known: true, Point: &input.Point{X: 1, Y: 1}}
	saves, unknown, busy := one, one, one
	saves.Saves = true
	unknown.Known = false
	busy.Ready, busy.Point = false, nil
	for name, c := range map[string]struct {
		page   page
		change func(*act.Act) // nil: a click
		missed bool           // the input meets something else
		do     error
		want   string
		err    error
	}{
		"at once":                       {page: page{aim: one}, want: "look, input, settle"},
		"the input missed":              {page: page{aim: one}, missed: true, want: "look, input, ask, do, settle, end permission"},
		"not ready yet":                 {page: page{aim: busy}, want: "look, ready, ask, do, settle, end permission"},
		"a rule stops it, a person not": {page: page{aim: one, stops: true}, want: "look, end aim, ask, do, settle, end permission"},
		"a rule stops it":               {page: page{aim: one, stops: true, refuses: true}, want: "look, end aim, ask", err: errRefused},
		"nobody knows what it does":     {page: page{aim: unknown, refuses: true}, want: "look, end aim, ask", err: errRefused},
		"several":                       {page: page{aim: act.Aim{Count: 2}}, want: "look", err: act.ErrSeveral},
		"none, and none comes":          {page: page{presence: rest.Hopeless}, want: "look", err: act.ErrAbsent},
		"none, and it is waited for":    {page: page{presence: rest.Hopeless}, change: func(a *act.Act) { a.Given = true }, want: "look, ready, ask, do, settle, end permission"},
		"late, as it navigates":         {page: page{aim: one, navigates: true}, missed: true, do: errLate, want: "look, input, ask, do, settle, end permission"},
		"late":                          {page: page{aim: one}, missed: true, do: errLate, want: "look, input, ask, do, end permission", err: errLate},
		"it closes its page":            {page: page{aim: one, closed: true}, missed: true, do: errGone, want: "look, input, ask, do, settle, end permission"},
		"a file to save":                {page: page{aim: saves}, want: "look, input, download, settle"},
		"a control to fill":             {page: page{aim: one}, change: func(a *act.Act) { a.Ask.Op, a.Activates, a.Types = act.PutText, false, true }, want: "look, input, note, settle"},
		"no question, by trying":        {page: page{aim: act.Aim{Count: 1}}, change: func(a *act.Act) { *a = act.Act{Do: a.Do, Log: a.Log, Whole: a.Whole} }, want: "look, do, settle"},
		"a key on what must not be":     {page: page{aim: one, stops: true, refuses: true}, change: func(a *act.Act) { a.ByKey = true }, want: "look, end aim, ready, ask", err: errRefused},
	} {
		p := &c.page
		a := act.Act{Ask: act.Question{Op: act.TakeAim}, Activates: true, Whole: time.Minute, Log: eventlog.New(eventlog.Options{Now: time.Now}),
			Input: func(context.Context, act.Aim, time.Duration) (bool, error) { p.did("input"); return !c.missed, nil },
			Ready: func(time.Duration) error { p.did("ready"); return nil },
			Do:    func(time.Duration) error { p.did("do"); return c.do }}
		if c.change != nil {
			c.change(&a)
		}
		done, err := act.Do(t.Context(), p, a)
		failed, notDone := errors.AsType[*act.NotDone](err)
		if got := strings.Join(p.steps, ", "); got != c.want || notDone != (c.err != nil) || notDone && !errors.Is(failed, c.err) {
			t.Errorf("%s: %s and %v, want %s and %v", name, got, err, c.want, c.err)
		}
		if done.Unsaved != slices.Contains(p.steps, "download") {
			t.Errorf("%s: unsaved %v", name, done.Unsaved)
		}
	}
}
