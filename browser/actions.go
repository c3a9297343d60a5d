package browser

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
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
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// Acted holds the outcome of an action on an element.
type Acted struct {
	Target  pagetext.Text   `json:"target" jsonschema:"the element acted on, as a selector"`
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
	return s.act(ctx, "page_hover", selector, timeout, func(e *element) act.Act {
		return act.Act{
			Ask: act.Question{Op: act.TakeAim, Point: s.opts.Type == "chromium", Hover: true},
			Input: func(ctx context.Context, at act.Aim, limit time.Duration) (bool, error) {
				err := e.atOnce(ctx, limit, func() error { return e.tab.page.Mouse().Move(at.Point.X, at.Point.Y) })
				return err != nil || e.EndAim(ctx) == "", err
			},
			Do: func(limit time.Duration) error {
				return e.at().Hover(playwright.LocatorHoverOptions{Timeout: inMilliseconds(limit)})
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
	acted, err = s.act(ctx, "page_fill", selector, timeout, func(e *element) act.Act {
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
	return s.act(ctx, "page_select", selector, timeout, func(e *element) act.Act {
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
	return s.act(ctx, "page_press", selector, timeout, func(e *element) act.Act {
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
		e, err := s.aftermath(ctx, t, m, what)
		return Acted{Target: "the focused element", Effects: e}, err
	})
}

func keyError(key string, err error) error {
	if isUnknownKey(err) {
		return explain.UnknownKey(texts.Cut(key, maxNote))
	}
	return err
}

// element is the one element of a page that an act is for, as [act.Page] has it.
type element struct {
	s      *actions
	tab    *tab
	target target
	since  eventlog.Mark
	what   pagetext.Sentence // that is done to it
	byKey  bool
}

// act does one act on the one element that selector names, and tells what
// it acted on and what that caused. A timeout of 0 means the default.
func (s *actions) act(ctx context.Context, op, selector string, timeout time.Duration, doing func(*element) act.Act) (Acted, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return Acted{}, err
	}
	return on(ctx, s.livePage, op, explain.Quoting(selector), func(ctx context.Context, t *tab) (Acted, error) {
		e := &element{s: s, tab: t, target: target, since: s.log.MarkAct(t.page), what: explain.Doing(op, target.quoted())}
		defer s.guard.actsFor(ctx)()
		a := doing(e)
		e.byKey = a.ByKey
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

func (e *element) at() playwright.Locator { return e.target.locator(e.tab.page) }

func (e *element) value(ctx context.Context) string { return readValue(ctx, e.tab, e.target) }

// Look puts a question about the element; without one it counts the elements.
func (e *element) Look(ctx context.Context, q act.Question, limit time.Duration) (act.Aim, error) {
	return within(ctx, e.tab, limit, func() (act.Aim, error) {
		if q.Op == act.AskNothing {
			n, err := e.target.count(e.tab.page)
			return act.Aim{Count: n}, err
		}
		return e.target.look(e.tab.page, engineAsk{Op: string(q.Op), Name: q.Text, Secret: q.Secret, Key: q.Key, Point: q.Point, Hover: q.Hover}, limit)
	})
}

// Presence tells of the element when it has been waited for so long.
func (e *element) Presence(ctx context.Context, passed time.Duration) rest.Presence {
	return absentIn(ctx, e.s.livePage, e.tab, e.target)(passed)
}

// Stops reports whether a rule is against activating the element.
func (e *element) Stops(of act.Element) bool { return e.s.guard.destructiveRule(of) != "" }

// Permit asks whoever may lift the rule.
func (e *element) Permit(ctx context.Context) (end func(), err error) {
	return e.s.guard.permitAction(ctx, e.tab, e.at().Locator(engineAsk{Op: "about", Key: e.byKey}.query()), e.what)
}

// Late reports whether an error says no more than that time was over.
func (e *element) Late(err error) bool { return isLate(err) }

func isLate(err error) bool { return errors.Is(err, playwright.ErrTimeout) && !explain.Explained(err) }

// Navigates reports whether another document came, or is coming.
func (e *element) Navigates() bool { return e.s.log.Navigates(e.tab.page, e.since) }

// ClosedItself reports whether the page is gone, and nothing else is.
func (e *element) ClosedItself() bool { return e.s.closedItself(e.tab) }

// NoteTyped notes what the field with the focus holds.
func (e *element) NoteTyped(ctx context.Context) { typedByKey(ctx, e.tab) }

// AwaitDownload waits for the beginning of a download, for a moment.
func (e *element) AwaitDownload(ctx context.Context) (begun bool) {
	return e.s.downloads.awaitBegin(ctx, e.tab, e.since)
}

// Settle waits for what the act caused.
func (e *element) Settle(ctx context.Context) (Effects, error) {
	return e.s.aftermath(ctx, e.tab, e.since, e.what)
}

// aftermath settles after an action, which may have closed its own page. It
// returns an error where the guard stopped something of it.
func (s *actions) aftermath(ctx context.Context, t *tab, m eventlog.Mark, what pagetext.Sentence) (Effects, error) {
	s.guard.awaitAnswers(ctx)
	e, err := s.settle(ctx, t, m)
	if err == nil {
		return e, s.guard.afterStop(m, what)
	}
	if !s.closedItself(t) {
		return e, err
	}
	others := s.hasOtherTabs(t)
	e = s.log.Effects(t.page, m, "")
	e.Page.URL, e.URLFrom = "", m.URL
	if others {
		e.Notes = append(e.Notes, "page: it closed")
		e.Next = append(e.Next, "this tab is closed; select an open one: "+s.selectCall(t))
		return e, nil
	}
	s.reportEnd(t)
	e.Notes = append(e.Notes, "page: it closed; a blank one takes its place")
	return e, nil
}

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
	err := target.ask(t.page, engineAsk{Op: "value"}, time.Duration(*limit)*time.Millisecond, &held.Count, &held)
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
	case isWrongKind(err):
		return explain.WrongKind(what, op, controlOf(err), why(err), err)
	case target.PlainWords() != "" && explain.Explained(selectorError(target, err)): // such as "Sign in!", which is no CSS
		return explain.Prefixed(what, target.notFound(t.page))
	default:
		return selectorError(target, err)
	}
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
