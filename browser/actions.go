package browser

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/act"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/redact"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// Acted holds the outcome of an action on an element.
type Acted struct {
	Target  pagetext.Text   `json:"target,omitempty" jsonschema:"the element acted on, as a selector; of several, see filled"`
	Value   pagetext.Text   `json:"value,omitempty" jsonschema:"the control's value afterwards, as read from the page"`
	Changes []pagetext.Text `json:"changes,omitempty" jsonschema:"outline lines that came (+), went (-) or changed (~) since before the act; of a new page its headings and landmarks"`
	Effects `json:",inline"`
	Files   []input.File `json:"files,omitempty" jsonschema:"that the input was given"`
}

// actions does what a person does to a page, and finds out what that caused.
type actions struct {
	*livePage
	guard     *sessionGuard
	egress    *egressProxy
	downloads *downloads
	waiter    *waiter
	files     input.Files
	pointer   input.Pointer
	traced    func() bool

	stoodBeforeScript atomic.Pointer[Stood]
}

// Click clicks the one element that selector names, after scrolling it into
// view and waiting until it is stable and receives pointer events.
func (s *actions) Click(ctx context.Context, selector string, timeout time.Duration) (Acted, error) {
	return s.act(ctx, "page_click", selector, timeout, s.clicks(playwright.MouseButtonLeft, 1))
}

// DoubleClick clicks the element twice, as one gesture.
func (s *actions) DoubleClick(ctx context.Context, selector string, timeout time.Duration) (Acted, error) {
	return s.act(ctx, "double_click", selector, timeout, s.clicks(playwright.MouseButtonLeft, 2))
}

// Hover moves the pointer over the element.
func (s *actions) Hover(ctx context.Context, selector string, timeout time.Duration) (Acted, error) {
	return s.act(ctx, "page_hover", selector, timeout, func(e *actedElement) act.Act {
		return act.Act{
			Ask: act.Question{Op: act.TakeAim, Point: s.opts.Type == "chromium", Hover: true},
			Input: func(ctx context.Context, at act.Aim, limit time.Duration) (bool, error) {
				err := e.atOnce(ctx, limit, func() error { return e.tab.page.Mouse().Move(at.Point.X, at.Point.Y) })
				return err != nil || e.EndAim(ctx) == "", err
			},
			Do: func(limit time.Duration) error {
				return e.at().Hover(playwright.LocatorHoverOptions{Timeout: inMilliseconds(limit), Force: &e.force})
			},
		}
	})
}

// Fill replaces the value of a text control and reads it back. The value of a
// password control is neither read back nor kept in the answer; masked tells
// that it was one.
func (s *actions) Fill(ctx context.Context, selector, value string, timeout time.Duration) (acted Acted, masked bool, err error) {
	return s.Type(ctx, selector, input.Typing{Text: value}, timeout)
}

// FillSecret fills in a secret: from then on the control's value is hidden
// like a password's in outlines, values and pictures, whatever control it is.
func (s *actions) FillSecret(ctx context.Context, selector, value string, timeout time.Duration) (Acted, error) {
	acted, _, err := s.Type(ctx, selector, input.Typing{Text: value, Secret: true}, timeout)
	return acted, err
}

// prepares returns the question that selects what a control holds, so that the text replaces
// it. A text that is typed key by key, or that is for some hosts alone, has none.
func prepares(t input.Typing) act.Question {
	if t.Delay > 0 || len(t.OnlyOn) > 0 {
		return act.Question{}
	}
	if t.Secret { // its text is not for the page before it is typed
		return act.Question{Op: act.PutText, Secret: true}
	}
	return act.Question{Op: act.PutText, Text: t.Text}
}

// put replaces what the control holds.
func put(t input.Typing, l playwright.Locator, limit *float64) error {
	if len(t.OnlyOn) > 0 {
		return putOnHosts(t, l, limit)
	}
	if t.Delay == 0 {
		return l.Fill(t.Text, playwright.LocatorFillOptions{Timeout: limit})
	}
	if err := l.Fill("", playwright.LocatorFillOptions{Timeout: limit}); err != nil {
		return err
	}
	pause := float64(t.Delay.Milliseconds())
	whole := *limit + 2*pause*float64(utf8.RuneCountInString(t.Text))
	return l.PressSequentially(t.Text, playwright.LocatorPressSequentiallyOptions{Delay: &pause, Timeout: &whole})
}

// putOnHosts replaces what a control holds, if its document is of a host that may have the text. It holds the control
// by a handle: where the document is another one meanwhile, nothing is typed.
//
//nolint:staticcheck // a handle stays in its document, and a locator would find a control in the next one
func putOnHosts(t input.Typing, l playwright.Locator, limit *float64) error {
	control, err := l.ElementHandle(playwright.LocatorElementHandleOptions{Timeout: limit})
	if err != nil {
		return err
	}
	defer control.Dispose() //nolint:errcheck // it goes with its document
	frame, err := control.OwnerFrame()
	if err != nil {
		return err
	}
	address := ""
	if frame != nil {
		address = frame.URL()
	}
	if err := t.MayBeOn(address); err != nil {
		return err
	}
	if t.Delay == 0 {
		return control.Fill(t.Text, playwright.ElementHandleFillOptions{Timeout: limit})
	}
	if err := control.Fill("",
		playwright.ElementHandleFillOptions{Timeout: limit}); err != nil {
		return err
	}
	pause := float64(t.Delay.Milliseconds())
	whole := *limit + 2*pause*float64(utf8.RuneCountInString(t.Text))
	return control.Type(t.Text,
		playwright.ElementHandleTypeOptions{Delay: &pause, Timeout: &whole})
}

// Type fills a control with key events, where there is a delay between two
// keys; see [input.Typing].
func (s *actions) Type(ctx context.Context, selector string, typed input.Typing, timeout time.Duration) (acted Acted, masked bool, err error) {
	if err := typed.Check(); err != nil {
		return Acted{}, false, err
	}
	acted, err = s.act(ctx, "page_fill", selector, timeout, func(e *actedElement) act.Act {
		return act.Act{Value: e.value, Ask: prepares(typed), Input: e.typesText(typed.Text), Do: func(limit time.Duration) error {
			l, ms := e.at(), inMilliseconds(limit)
			if typed.Secret { // before it holds it
				if err := markSecret(l, ms); err != nil {
					return err
				}
			} else if err := typing(l, typed.Text, ms); err != nil {
				return err
			}
			return put(typed, l, ms)
		}}
	})
	return acted, acted.Value == redact.MaskedValue, err
}

// Select chooses an option of a select element by its label or its value, and
// reads the choice back.
func (s *actions) Select(ctx context.Context, selector, option string, timeout time.Duration) (Acted, error) {
	return s.act(ctx, "page_select", selector, timeout, func(e *actedElement) act.Act {
		return act.Act{Value: e.value, Ask: act.Question{Op: act.Choose, Text: option}, Input: isDone, Do: func(limit time.Duration) error {
			l, ms := e.at(), inMilliseconds(limit)
			err := typing(l, option, ms)
			if err == nil {
				_, err = l.SelectOption(playwright.SelectOptionValues{ValuesOrLabels: &[]string{option}}, playwright.LocatorSelectOptionOptions{Timeout: ms})
			}
			if errors.Is(err, playwright.ErrTimeout) {
				return errors.Join(missingOption(l, option), err)
			}
			return err
		}}
	})
}

// Press presses a key or chord such as Enter or Control+A, on the element, or
// on what has the focus when selector is empty.
func (s *actions) Press(ctx context.Context, selector, key string, timeout time.Duration) (Acted, error) {
	switch {
	case key == "":
		return Acted{}, explain.UnknownKey(texts.Cut(key, maxNote))
	case selector == "":
		return s.pressOnFocus(ctx, key)
	}
	ask := act.Question{Op: act.GiveFocus}
	if input.Activates(key) { // what it activates is judged before anything happens to it
		ask = act.Question{Op: act.TakeAim, Key: true}
	}
	return s.act(ctx, "page_press", selector, timeout, func(e *actedElement) act.Act {
		return act.Act{Activates: input.Activates(key), ByKey: true, Types: input.Writes(key), Ask: ask, Input: e.pressesKey(key),
			Ready: func(limit time.Duration) error { return awaitAttached(e.at(), inMilliseconds(limit)) },
			Do: func(limit time.Duration) error {
				return keyError(key, e.at().Press(key, playwright.LocatorPressOptions{Timeout: inMilliseconds(limit)}))
			},
		}
	})
}

// pressOnFocus presses a key on what has the focus.
func (s *actions) pressOnFocus(ctx context.Context, key string) (Acted, error) {
	return on(ctx, s.livePage, "page_press", pagetext.Sentencef("%s", key), func(ctx context.Context, t *tab) (Acted, error) {
		m, what := s.log.MarkAct(t.page), pagetext.Sentencef("page_press %s on the focused element", key)
		defer s.guard.actsFor(ctx)()
		if input.Activates(key) {
			there, err := focusedElement(ctx, t, true)
			if err != nil {
				return Acted{}, err
			}
			end, err := s.guard.permitAction(ctx, t, there.at, what)
			if err != nil {
				return Acted{}, err
			}
			defer end()
		}
		s.log.BeginAct()
		s.log.Touch(true)
		_, err := within(ctx, t, s.pool.Timeout, func() (struct{}, error) { return struct{}{}, t.page.Keyboard().Press(key) })
		if err != nil && !s.closedItself(t) {
			return Acted{}, keyError(key, err)
		}
		if input.Writes(key) {
			typedByKey(ctx, t)
		}
		e, err := s.aftermath(ctx, t, m, what, true)
		return Acted{Target: "the focused element", Effects: e}, err
	})
}

func keyError(key string, err error) error {
	if isUnknownKey(err) {
		return explain.UnknownKey(texts.Cut(key, maxNote))
	}
	return err
}

// act does one act on the one element that selector names, and tells what
// it acted on and what that caused. A timeout of 0 means the default.
func (s *actions) act(ctx context.Context, op, selector string, timeout time.Duration, doing func(*actedElement) act.Act) (Acted, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return Acted{}, err
	}
	return on(ctx, s.livePage, op, explain.Quoting(selector), func(ctx context.Context, t *tab) (Acted, error) {
		e := &actedElement{s: s, tab: t, target: target, since: s.log.MarkAct(t.page), what: explain.Doing(op, target.quoted())}
		defer s.guard.actsFor(ctx)()
		a := doing(e)
		e.byKey, e.pressed = a.ByKey, a.Activates || a.ByKey || a.Types
		a.Log, a.Whole, a.Given = s.log, cmp.Or(max(timeout, 0), s.pool.Timeout), timeout > 0
		if s.traced() { // a trace names the element of what Playwright alone does, and has the page before it and after it
			if a.Input, a.Ask.Point = nil, false; a.Ask.Op != act.TakeAim || a.ByKey {
				a.Ask = act.Question{}
			}
		}
		done, err := act.Do(ctx, e, a)
		if failed, ok := errors.AsType[*act.NotDone](err); ok {
			return Acted{}, whyNot(ctx, t, target, op, failed.Cause)
		}
		out := Acted{Target: pagetext.Text(target.String()), Value: pagetext.Text(done.Value), Effects: done.Effects}
		if done.Unsaved {
			out.Notes = append(out.Notes, "download: the link saves a file, and no download has begun yet")
		}
		return out, err
	})
}

// optionsOf lists a select's options as "label" and "value" pairs, or null for
// other elements.
const optionsOf = `found => found.length === 1 && found[0].nodeName === 'SELECT' ? [...found[0].options].map(o => [o.label, o.value]) : null`

// missingOption says that an option isn't there, and which are; nil when it is
// there and something else keeps it from being chosen.
func missingOption(l playwright.Locator, option string) error {
	got, err := l.EvaluateAll(optionsOf)
	pairs, ok := got.([]any)
	if err != nil || !ok {
		return nil //nolint:nilerr // the time-out that brought us here says enough
	}
	var labels []string
	for _, p := range pairs {
		pair, ok := p.([]any)
		if !ok || len(pair) != 2 {
			continue
		}
		label, _ := pair[0].(string)
		value, _ := pair[1].(string)
		if label == option || value == option {
			return nil
		}
		labels = append(labels, strconv.Quote(texts.Cut(label, maxNote)))
	}
	return explain.NoOption(texts.Cut(option, maxNote), eventlog.Listed(pagetext.Of(labels...), len(labels)))
}
