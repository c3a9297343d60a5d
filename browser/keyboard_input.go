package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/act"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// typeText types into what has the focus, or into the element of a selector,
// key by key. Enter, and a space where it presses a button, are judged as such.
func (s *actions) typeText(ctx context.Context, in input.Step) (acted Acted, hidden bool, err error) {
	if in.Selector != "" {
		if _, err := s.focusOn(ctx, in); err != nil {
			return Acted{}, true, err
		}
	}
	hidden = true
	acted, err = on(ctx, s.livePage, in.Op(), explain.Quoting(in.Selector), func(ctx context.Context, t *tab) (Acted, error) {
		m, what := s.log.MarkAct(t.page), explain.Doing(in.Op(), explain.Quoting(in.Selector))
		defer s.guard.actsFor(ctx)()
		s.log.BeginAct()
		there, err := focusedElement(ctx, t, false)
		if err != nil {
			return Acted{}, err
		}
		out := Acted{Target: pagetext.Text(there.line)}
		secret := there.secret
		s.log.Touch(true)
		var ends []func() // of permissions: what a key causes may come after the last one
		defer func() {
			for _, end := range ends {
				end()
			}
		}()
		for _, keys := range input.Strokes(in.Text) {
			end, err := s.permitTyping(ctx, t, keys, what)
			ends = append(ends, end)
			if err == nil {
				err = s.useMouse(ctx, t, func() error { return pressEach(ctx, t.page.Keyboard(), keys) })
			}
			if err != nil && !s.closedItself(t) {
				return Acted{}, err
			}
			if keys != "\n" && keys != "\t" {
				typedByKey(ctx, t)
			}
			if at, err := focusedElement(ctx, t, false); err == nil {
				secret = secret || at.secret
			}
		}
		hidden = secret
		out.Effects, err = s.aftermath(ctx, t, m, what)
		return out, err
	})
	return acted, hidden, err
}

// pressEach presses the key of each character; one that has no key is put in
// as an input method does. The binding's own Type only puts texts in.
func pressEach(ctx context.Context, keyboard playwright.Keyboard, text string) error {
	names := map[rune]string{'\n': "Enter", '\t': "Tab"}
	for _, r := range text {
		press, key := keyboard.Press, string(r)
		switch {
		case names[r] != "":
			key = names[r]
		case r < ' ' || r > '~':
			press = func(text string, _ ...playwright.KeyboardPressOptions) error { return keyboard.InsertText(text) }
		}
		if err := press(key); err != nil {
			return err
		}
		if ctx.Err() != nil { // no caller waits for the rest
			return ctx.Err()
		}
	}
	return nil
}

// permitTyping returns the guard's word on keys that could press what has the focus.
func (s *actions) permitTyping(ctx context.Context, t *tab, keys string, what pagetext.Sentence) (end func(), err error) {
	enter := keys == "\n"
	if s.guard.guardPolicy().Guard == nil || !enter && !strings.Contains(keys, " ") {
		return func() {}, nil
	}
	there, err := focusedElement(ctx, t, enter)
	if err != nil {
		return func() {}, err
	}
	return s.guard.permitAction(ctx, t, there.at, what+" into "+explain.Quoting(texts.Cut(there.line, maxNote)))
}

// focusOn gives the element of an input's selector the focus.
func (s *actions) focusOn(ctx context.Context, in input.Step) (Acted, error) {
	target, err := parseSelector(in.Selector)
	if err != nil {
		return Acted{}, err
	}
	return on(ctx, s.livePage, in.Op(), explain.Quoting(in.Selector), func(ctx context.Context, t *tab) (Acted, error) {
		l := target.locator(t.page)
		err := inPieces(ctx, min(s.pool.Waits.Absent, s.pool.Timeout),
			func(limit *float64) error { return l.Focus(playwright.LocatorFocusOptions{Timeout: limit}) }, absentIn(ctx, s.livePage, t, target))
		if err != nil {
			return Acted{}, whyNot(ctx, t, target, in.Op(), err)
		}
		var holds struct{ On bool }
		_, err = within(ctx, t, rest.LookLimit, func() (int, error) {
			return 0, askEngine(l.Locator(engineAsk{Op: "holds"}.query()), rest.LookLimit, &holds)
		})
		if err == nil && !holds.On {
			err = explain.Unfocusable(explain.Doing(in.Op(), target.quoted()))
		}
		return Acted{Target: pagetext.Text(target.String())}, err
	})
}

// awaitIdle waits until no request has been under way for a while. A limit of 0
// means ten seconds.
func (s *actions) awaitIdle(ctx context.Context, t *tab, limit time.Duration) error {
	if limit == 0 {
		limit = rest.IdleLimit
	}
	last, since := s.log.RequestCount(), s.pool.Now()
	idle := func() (bool, error) {
		if now := s.log.RequestCount(); now != last || s.underWay(t, eventlog.Mark{}) {
			last, since = now, s.pool.Now()
		}
		return s.pool.Now().Sub(since) >= s.pool.Waits.NetworkIdle, nil
	}
	err := rest.Until(ctx, idle, rest.Policy{Every: rest.SettlePoll, Limit: limit, Events: []rest.Event{{Of: t.context.gone, Err: errGone}}})
	if errors.Is(err, rest.ErrLimit) {
		pending := s.log.Effects(t.page, eventlog.Mark{}, "").Pending
		return explain.NotIdle(pending)
	}
	return err
}

// isDone is the input of an act that its look has done already.
func isDone(context.Context, act.Aim, time.Duration) (bool, error) { return true, nil }

// atOnce does one thing with the mouse or the keyboard, as an act that is late where that is
// not over in time.
func (e *element) atOnce(ctx context.Context, limit time.Duration, do func() error) error {
	err := inputWithin(ctx, e.tab, limit, do)
	if errors.Is(err, errNoAnswer) {
		err = fmt.Errorf("the input was not over in time: %w", playwright.ErrTimeout)
	}
	return err
}

// typesText returns the input that puts a text in place of what is selected in the control
// that has the focus.
func (e *element) typesText(text string) func(context.Context, act.Aim, time.Duration) (bool, error) {
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
func (e *element) pressesKey(key string) func(context.Context, act.Aim, time.Duration) (bool, error) {
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
