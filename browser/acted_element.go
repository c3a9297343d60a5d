package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/act"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// actedElement is the one element of a page that an act is for, as [act.Page] has it.
type actedElement struct {
	s       *actions
	tab     *tab
	target  target
	looked  target // the target as the newest look entered it
	one     bool   // that look found one element
	over    bool   // the pointer may be over it
	force   bool   // the driver is not to check it
	label   bool   // its label is what is worked
	since   eventlog.Mark
	what    pagetext.Sentence // that is done to it
	byKey   bool
	pressed bool // a button of the pointer or a key is
}

// at finds the element. From the second time on, and after an input that missed it, that is the
// one that was looked at where nothing is called as its selector says any more, which the
// pointer over it may bring about.
func (e *actedElement) at() playwright.Locator {
	if e.label {
		return e.target.in(e.tab.page, engineAsk{Op: "aimed"}.query())
	}
	over := e.over
	e.over = true
	if lines, all := e.target.lines(); all && e.one && over {
		var only struct{ Aimed bool }
		if err := askEngine(e.target.in(e.tab.page, engineAsk{Op: "onlyAimed", Lines: lines}.query()), rest.LookLimit, &only); err == nil && only.Aimed {
			return e.target.in(e.tab.page, engineAsk{Op: "aimed"}.query())
		}
	}
	return e.target.locator(e.tab.page)
}

func (e *actedElement) value(ctx context.Context) string { return readValue(ctx, e.tab, e.target) }

// Look puts a question about the element, to the document of the frame that it is in; without
// one it counts the elements. A point is one of the page.
func (e *actedElement) Look(ctx context.Context, q act.Question, limit time.Duration) (act.Aim, error) {
	if q.Op == act.AskNothing {
		n, err := within(ctx, e.tab, limit, func() (int, error) { return e.target.count(e.tab.page) })
		return act.Aim{Count: n}, err
	}
	type look struct {
		at      act.Aim
		entered target
	}
	found, err := within(ctx, e.tab, limit, func() (l look, err error) {
		l.entered = e.target.entered(e.tab.page, limit)
		ask := engineAsk{Op: string(q.Op), Name: q.Text, Secret: q.Secret, Key: q.Key, Hover: q.Hover, Point: q.Point && (l.entered.frame != nil || len(l.entered.Frames) == 0)}
		err = l.entered.ask(e.tab.page, ask, limit, &l.at.Count, &l.at)
		l.at.Known = err == nil && l.at.Count == 1 && q.Op == act.TakeAim
		return l, err
	})
	e.looked, e.one = found.entered, err == nil && found.at.Count == 1 && q.Op == act.TakeAim
	e.force, e.label = found.at.Force, found.at.ByLabel
	return found.at, err
}

// Presence tells of the element when it has been waited for so long.
func (e *actedElement) Presence(ctx context.Context, passed time.Duration) rest.Presence {
	return absentIn(ctx, e.s.livePage, e.tab, e.target)(passed)
}

// Stops reports whether a rule is against activating the element.
func (e *actedElement) Stops(of act.Element) bool { return e.s.guard.destructiveRule(of) != "" }

// Permit asks whoever may lift the rule.
func (e *actedElement) Permit(ctx context.Context) (end func(), err error) {
	return e.s.guard.permitAction(ctx, e.tab, e.at().Locator(engineAsk{Op: "about", Key: e.byKey}.query()), e.what)
}

// Late reports whether an error says no more than that time was over.
func (e *actedElement) Late(err error) bool { return isLate(err) }

// Navigates reports whether another document came, or is coming.
func (e *actedElement) Navigates() bool { return e.s.log.Navigates(e.tab.page, e.since) }

// ClosedItself reports whether the page is gone, and nothing else is.
func (e *actedElement) ClosedItself() bool { return e.s.closedItself(e.tab) }

// NoteTyped notes what the field with the focus holds.
func (e *actedElement) NoteTyped(ctx context.Context) { typedByKey(ctx, e.tab) }

// AwaitDownload waits for the beginning of a download, for a moment.
func (e *actedElement) AwaitDownload(ctx context.Context) (begun bool) {
	return e.s.downloads.awaitBegin(ctx, e.tab, e.since)
}

// Settle waits for what the act caused.
func (e *actedElement) Settle(ctx context.Context) (Effects, error) {
	return e.s.aftermath(ctx, e.tab, e.since, e.what, e.pressed)
}

// EndAim ends what a look began with a point, and returns why the events since did not
// meet their element; "" where they did, or the document has gone with its element.
func (e *actedElement) EndAim(ctx context.Context) (why string) {
	var missed struct{ Why string }
	_, _ = within(ctx, e.tab, rest.LookLimit, func() (int, error) {
		return 0, askEngine(e.looked.in(e.tab.page, engineAsk{Op: "hit"}.query()), rest.LookLimit, &missed)
	})
	e.over = e.over || missed.Why != ""
	return missed.Why
}

func isLate(err error) bool { return errors.Is(err, playwright.ErrTimeout) && !explain.Explained(err) }

// absentIn returns a look at whether an element is still to be waited for, by a call
// to which its caller gave no time-out.
func absentIn(ctx context.Context, s *livePage, t *tab, of target) func(passed time.Duration) rest.Presence {
	absentLimit := s.pool.Waits.Absent
	return func(passed time.Duration) rest.Presence {
		n, err := within(ctx, t, rest.LookLimit, func() (int, error) { return of.count(t.page) })
		switch {
		case err != nil || n > 0:
			return rest.Present
		case passed >= absentLimit, of.PlainWords() != "":
			return rest.Hopeless
		case passed < s.pool.Waits.AbsentAtRest || waitsForMore(ctx, s.log, t, absentLimit-passed):
			return rest.Absent
		}
		return rest.Hopeless
	}
}

// maxWaitFrames bounds how many frames are asked whether they wait for something.
const maxWaitFrames = 10

// waitsForMore reports whether what a page shows may still change by itself: a request
// of it is unanswered, a document is loading, or a timer is due within limit.
func waitsForMore(ctx context.Context, log *eventlog.Log, t *tab, limit time.Duration) bool {
	if log.Loading(t.page) != "" || log.UnderWay(t.page, log.DocumentMark(t.page)) {
		return true
	}
	ask := engineAsk{Op: "waits", Within: int(limit.Milliseconds())}
	frames := append([]playwright.Frame{t.page.MainFrame()}, inner(t.page)...)
	for _, frame := range frames[:min(len(frames), maxWaitFrames)] {
		var a struct{ Loading, Timers bool }
		_, err := within(ctx, t, rest.LookLimit, func() (int, error) { return 0, askEngine(frame.Locator(ask.query()), rest.LookLimit, &a) })
		if err != nil && frame == frames[0] || err == nil && (a.Loading || a.Timers) {
			return true // a page that does not answer is not at rest
		}
	}
	return false
}

// inPieces tries as [rest.InPieces] does, with limits as Playwright has them.
func inPieces(ctx context.Context, limit time.Duration, try func(limit *float64) error, look func(passed time.Duration) rest.Presence) error {
	return rest.InPieces(ctx, limit, func(piece time.Duration) error { return try(inMilliseconds(piece)) }, isLate, look)
}

// isDone is the input of an act that its look has done already.
func isDone(context.Context, act.Aim, time.Duration) (bool, error) { return true, nil }

// inputWithin does one thing with the mouse or the keyboard.
func inputWithin(ctx context.Context, t *tab, limit time.Duration, do func() error) error {
	_, err := within(ctx, t, limit, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// atOnce does one thing with the mouse or the keyboard, as an act that is late where that is
// not over in time.
func (e *actedElement) atOnce(ctx context.Context, limit time.Duration, do func() error) error {
	err := inputWithin(ctx, e.tab, limit, do)
	if errors.Is(err, errNoAnswer) {
		err = fmt.Errorf("the input was not over in time: %w", playwright.ErrTimeout)
	}
	return err
}

// typesText returns the input that puts a text in place of what is selected in the control
// that has the focus.
func (e *actedElement) typesText(text string) func(context.Context, act.Aim, time.Duration) (bool, error) {
	return func(ctx context.Context, _ act.Aim, limit time.Duration) (bool, error) {
		return true, e.atOnce(ctx, limit, func() error {
			if text == "" {
				return e.tab.page.Keyboard().Press("Delete")
			}
			return e.tab.page.Keyboard().InsertText(text)
		})
	}
}

// pressesKey returns the input that presses a key on the element. One that was only looked
// at is given the focus first.
func (e *actedElement) pressesKey(key string) func(context.Context, act.Aim, time.Duration) (bool, error) {
	return func(ctx context.Context, at act.Aim, limit time.Duration) (bool, error) {
		if at.Known {
			focused, err := e.Look(ctx, act.Question{Op: act.GiveFocus}, rest.LookLimit)
			if err != nil || !focused.Ready {
				return false, nil //nolint:nilerr // the act itself says what is wrong
			}
		}
		return true, keyError(key, e.atOnce(ctx, limit, func() error { return e.tab.page.Keyboard().Press(key) }))
	}
}

// typing notes, before it is done, what the caller types or chooses in the one
// element that l finds: what a field holds for no other reason proves nothing.
// The page can't learn of it.
func typing(l playwright.Locator, text string, limit *float64) error {
	return askEngine(l.Locator(engineAsk{Op: "typing", Name: text}.query()), time.Duration(*limit)*time.Millisecond, &struct{}{})
}

// typedByKey notes what the field that has the focus holds, after keys were
// pressed in it. A page that has gone meanwhile has no such field.
func typedByKey(ctx context.Context, t *tab) {
	_, _ = within(ctx, t, rest.LookLimit, func() (int, error) {
		return 0, askEngine(t.page.Locator(engineAsk{Op: "typing", All: true}.query()), rest.TypedLimit, &struct{}{})
	})
}

// Typed looks once whether the one element that selector finds holds exactly what
// the caller typed or chose there, in this document. Without such an element it
// does not. stood reports whether it is known to have held or said the same before the newest act.
func (s *looker) Typed(ctx context.Context, selector string) (typed, stood bool, err error) {
	target, err := parseSelector(selector)
	if err != nil {
		return false, false, err
	}
	var answer struct{ On, Stood bool }
	_, err = on(ctx, s.livePage, "look at", explain.Quoting(selector), func(_ context.Context, t *tab) (int, error) {
		n, err := target.count(t.page)
		if err != nil || n != 1 {
			return n, err
		}
		return n, askEngine(target.locator(t.page).Locator(engineAsk{Op: "typed"}.query()), rest.LookLimit, &answer)
	})
	return answer.On, answer.Stood, err
}

// Match says how what a field holds compares with what was typed into it.
type Match string

// The matches. Formatting leaves the letters and digits of a text; of a password it may
// leave nothing out.
const (
	MatchNone      Match = "" // there is no one such element any more, or it holds no text
	MatchEqual     Match = "equal"
	MatchFormatted Match = "formatted"
	MatchEmpty     Match = "empty"
	MatchOther     Match = "other"
)

// Filled describes what a field holds after it was filled.
type Filled struct {
	Match    Match
	Loose    bool   // the field may show something else than it took, such as an editor
	Withheld bool   // it is a secret
	Value    string // how the text begins, unless it is withheld
}

// CompareFilled looks once how the text of the one field that selector finds compares with
// what was typed there. The comparison is made in the page, so that no secret leaves it.
func (s *looker) CompareFilled(ctx context.Context, selector string, typed input.Typing) (Filled, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return Filled{}, err
	}
	return on(ctx, s.livePage, "look at", explain.Quoting(selector), func(_ context.Context, t *tab) (out Filled, err error) {
		var n int
		err = target.ask(t.page, engineAsk{Op: "filled", Name: typed.Text, Secret: typed.Secret}, rest.LookLimit, &n, &out)
		switch { // Playwright's errors may quote the question, and with it the text
		case err == nil:
			return out, nil
		case isClosed(err):
			return Filled{}, errUnusable
		default:
			return Filled{}, explain.SilentField(target.String())
		}
	})
}

// maxValue bounds what is returned of a control's value, in bytes.
const maxValue = 16 << 10

// readValue reads a control's value after an action on it. What was done is
// done: a control that went away with it, or no longer is the only one, tells
// no value.
func readValue(ctx context.Context, t *tab, target target) string {
	l, limit := target.locator(t.page), left(ctx, rest.ValueLimit)
	var held struct {
		Count         int
		Secret, Known bool
		Value         string
	}
	within := time.Duration(*limit) * time.Millisecond
	err := target.entered(t.page, within).ask(t.page, engineAsk{Op: "value"}, within, &held.Count, &held)
	switch {
	case err == nil && held.Count != 1, isFrameMissing(err):
		return ""
	case err != nil || held.Secret:
		return redact.MaskedValue // better masked without need than shown
	}
	if held.Known {
		return texts.Cut(held.Value, maxValue)
	}
	value, err := l.InputValue(playwright.LocatorInputValueOptions{Timeout: limit})
	if err != nil && isWrongKind(err) {
		value, err = l.InnerText(playwright.LocatorInnerTextOptions{Timeout: limit})
	}
	if err != nil {
		return ""
	}
	return texts.Cut(value, maxValue)
}

// whyNot turns a failed action into an error that lists candidates: the
// matches when they are several, the nearest elements when there is none.
func whyNot(ctx context.Context, t *tab, target target, op string, err error) error {
	what := explain.Doing(op, target.quoted())
	switch {
	case explain.Explained(err), ctx.Err() != nil, isClosed(err), ended(t.crashed):
		return err
	case isAmbiguous(err), errors.Is(err, act.ErrSeveral):
		return ambiguous(t, target, what)
	case errors.Is(err, playwright.ErrTimeout), errors.Is(err, act.ErrAbsent):
		return whyTimedOut(ctx, t, target, what, err)
	case isMalformed(err):
		return explain.OtherFormat(what, inputType(ctx, t, target), err)
	case isWrongKind(err):
		return explain.WrongKind(what, op, controlOf(err), why(err), err)
	case target.PlainWords() != "" && explain.Explained(selectorError(target, err)): // such as "Sign in!", which is no CSS
		return explain.Prefixed(what, target.notFound(t.page))
	default:
		return selectorError(target, err)
	}
}

// inputType returns the type of an input; "" where it can't be read any more.
func inputType(ctx context.Context, t *tab, target target) string {
	got, err := within(ctx, t, rest.LookLimit, func() (string, error) {
		return target.locator(t.page).GetAttribute("type", playwright.LocatorGetAttributeOptions{Timeout: left(ctx, rest.LookLimit)})
	})
	if err != nil {
		return ""
	}
	return strings.ToLower(got)
}

// ambiguous lists the matches of a selector that should have one.
func ambiguous(t *tab, target target, what pagetext.Sentence) error {
	n, err := target.count(t.page)
	if err != nil {
		return err
	}
	return explain.Prefixed(what, target.ambiguous(t.page, n))
}

// whyTimedOut distinguishes a missing element from one that can't be acted on.
func whyTimedOut(ctx context.Context, t *tab, target target, what pagetext.Sentence, cause error) error {
	n, err := within(ctx, t, rest.SettleLimit, func() (int, error) { return target.count(t.page) })
	switch {
	case err != nil:
		return err
	case n == 0:
		return explain.Prefixed(what, target.notFound(t.page))
	case n > 1:
		return explain.Prefixed(what, target.ambiguous(t.page, n))
	}
	return explain.Hindered(what, obstacle(ctx, t, target.locator(t.page)), cause)
}

// obstacleScript finds what keeps an element from being acted on. Playwright
// reports it, but its Go binding drops that.
//
//go:embed obstacle.js
var obstacleScript string

// obstacle finds out why an element could not be acted on.
func obstacle(ctx context.Context, t *tab, l playwright.Locator) (found explain.Obstacle) {
	got, err := within(ctx, t, rest.LookLimit, func() (any, error) { return l.EvaluateAll(obstacleScript) })
	if text, ok := got.(string); ok && err == nil {
		_ = json.Unmarshal([]byte(text), &found) // what can't be read says nothing
	}
	return found
}
