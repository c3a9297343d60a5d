package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
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
	Files   []UploadedFile `json:"files,omitempty" jsonschema:"that the input was given"`
}

// action describes what can be done to an element. ready waits until it can be done,
// without doing it; do does it once. An action without ready may be done again
// without harm, so it waits by trying.
//
// look is put to the page before all that, where one question can prove that the element
// can be acted on at once; input does the act then. What it leaves undone is done by do.
type action struct {
	look  engineAsk
	input func(ctx context.Context, t *tab, at aimed, limit time.Duration) (done bool, err error)
	ready func(l playwright.Locator, limit *float64) error
	do    func(l playwright.Locator, limit *float64) error
	read  bool                                                    // tell the control's value afterwards
	value func(ctx context.Context, t *tab, target target) string // in place of read, for controls with a value of their own kind
	acts  bool                                                    // it activates the element, so the guard looks at it first
	key   bool                                                    // by a key, not by the pointer

	permit func(aimed) error // the guard's decision, after ready
	typed  bool              // it writes into what has the focus
}

// actions does what a person does to a page, and finds out what that caused.
type actions struct {
	*livePage
	guard     *sessionGuard
	egress    *egressProxy
	downloads *downloads
	waiter    *waiter
	staged    staged
	pointer   pointer
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
	return s.act(ctx, "page_hover", selector, timeout, action{
		look: engineAsk{Op: "aim", Point: s.opts.Type == "chromium", Hover: true},
		input: func(ctx context.Context, t *tab, at aimed, limit time.Duration) (bool, error) {
			err := inputWithin(ctx, t, limit, func() error { return t.page.Mouse().Move(at.Point.X, at.Point.Y) })
			return err != nil || s.endAim(ctx, t, at) == "", err
		},
		do: func(l playwright.Locator, limit *float64) error {
			return l.Hover(playwright.LocatorHoverOptions{Timeout: limit})
		}})
}

// Fill replaces the value of a text control and reads it back. The value of a
// password control is neither read back nor kept in the answer; masked tells
// that it was one.
func (s *actions) Fill(ctx context.Context, selector, value string, timeout time.Duration) (acted Acted, masked bool, err error) {
	return s.Type(ctx, selector, Typing{Text: value}, timeout)
}

// FillSecret fills in a secret: from then on the control's value is hidden
// like a password's in outlines, values and pictures, whatever control it is.
func (s *actions) FillSecret(ctx context.Context, selector, value string, timeout time.Duration) (Acted, error) {
	acted, _, err := s.Type(ctx, selector, Typing{Text: value, Secret: true}, timeout)
	return acted, err
}

// Typing describes what is typed into a text control, and how.
type Typing struct {
	Text   string
	Secret bool          // see FillSecret
	Delay  time.Duration // between two keys; 0: the text is put in at once
	// OnlyOn holds lists of hosts: the document of the control has to be of one on each list. Patterns are those
	// of network.allowed_hosts. An empty list has none.
	OnlyOn [][]string
}

func (t Typing) check() error {
	switch whole := t.Delay * time.Duration(utf8.RuneCountInString(t.Text)); {
	case t.Delay == 0:
		return nil
	case t.Delay < 0 || whole > rest.PauseLimit:
		return explain.Invalid("use a shorter delay, or none", "typing key by key would take %d ms; the limit is %d", whole.Milliseconds(), rest.PauseLimit.Milliseconds())
	case strings.ContainsFunc(t.Text, unicode.IsControl):
		return explain.Invalid("leave the delay out, or press the key by page_press", "a text with line breaks or tabs can't be typed key by key: they would be keys of their own")
	}
	return nil
}

// look returns the question that selects what a control holds, so that the text replaces
// it. A text that is typed key by key, or that is for some hosts alone, has none.
func (t Typing) look() engineAsk {
	if t.Delay > 0 || len(t.OnlyOn) > 0 {
		return engineAsk{}
	}
	if t.Secret { // its text is not for the page before it is typed
		return engineAsk{Op: "put", Secret: true}
	}
	return engineAsk{Op: "put", Name: t.Text}
}

// put replaces what the control holds.
func (t Typing) put(l playwright.Locator, limit *float64) error {
	if len(t.OnlyOn) > 0 {
		return t.putOnHosts(l, limit)
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
func (t Typing) putOnHosts(l playwright.Locator, limit *float64) error {
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
	if err := t.mayBeOn(address); err != nil {
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

// mayBeOn refuses a document that the text is not for. A document without a host, such as about:blank, is of none.
func (t Typing) mayBeOn(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		u = &url.URL{}
	}
	for _, hosts := range t.OnlyOn {
		policy, err := egress.NewPolicy(egress.Lists{AllowedHosts: hosts})
		if err != nil {
			return err
		}
		if host := u.Hostname(); host == "" || len(hosts) == 0 || policy.Check(host) != "" {
			return explain.SecretElsewhere(host, strings.Join(hosts, ", "))
		}
	}
	return nil
}

// Type fills a control with key events, where there is a delay between two
// keys; see Typing.
func (s *actions) Type(ctx context.Context, selector string, typed Typing, timeout time.Duration) (acted Acted, masked bool, err error) {
	if err := typed.check(); err != nil {
		return Acted{}, false, err
	}
	acted, err = s.act(ctx, "page_fill", selector, timeout, action{read: true, look: typed.look(), input: s.typesText(typed.Text), do: func(l playwright.Locator, limit *float64) error {
		if typed.Secret { // before it holds it
			if err := markSecret(l, limit); err != nil {
				return err
			}
		} else if err := typing(l, typed.Text, limit); err != nil {
			return err
		}
		return typed.put(l, limit)
	}})
	return acted, acted.Value == redact.MaskedValue, err
}

// Select chooses an option of a select element by its label or its value, and
// reads the choice back.
func (s *actions) Select(ctx context.Context, selector, option string, timeout time.Duration) (Acted, error) {
	return s.act(ctx, "page_select", selector, timeout, action{read: true, look: engineAsk{Op: "choose", Name: option}, input: isDone, do: func(l playwright.Locator, limit *float64) error {
		err := typing(l, option, limit)
		if err == nil {
			_, err = l.SelectOption(playwright.SelectOptionValues{ValuesOrLabels: &[]string{option}}, playwright.LocatorSelectOptionOptions{Timeout: limit})
		}
		if errors.Is(err, playwright.ErrTimeout) {
			return errors.Join(missingOption(l, option), err)
		}
		return err
	}})
}

// Press presses a key or chord such as Enter or Control+A, on the element, or
// on what has the focus when selector is empty.
func (s *actions) Press(ctx context.Context, selector, key string, timeout time.Duration) (Acted, error) {
	if key == "" {
		return Acted{}, explain.UnknownKey(texts.Cut(key, maxNote))
	}
	if selector != "" {
		look := engineAsk{Op: "giveFocus"}
		if activates(key) { // what it activates is judged before anything happens to it
			look = engineAsk{Op: "aim", Key: true}
		}
		return s.act(ctx, "page_press", selector, timeout, action{acts: activates(key), key: true, look: look, input: s.pressesKey(selector, key),
			ready: func(l playwright.Locator, limit *float64) error {
				return awaitAttached(l, limit)
			},
			do: func(l playwright.Locator, limit *float64) error {
				return keyError(key, l.Press(key, playwright.LocatorPressOptions{Timeout: limit}))
			},
			typed: writes(key),
		})
	}
	return on(ctx, s.livePage, "page_press", pagetext.Sentencef("%s", key), func(ctx context.Context, t *tab) (Acted, error) {
		m, what := s.log.MarkAct(t.page), pagetext.Sentencef("page_press %s on the focused element", key)
		defer s.guard.actsFor(ctx)()
		if activates(key) {
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
		if writes(key) {
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

// act does one action on the one element that selector names, and tells what
// it acted on and what that caused. A timeout of 0 means the default.
func (s *actions) act(ctx context.Context, op, selector string, timeout time.Duration, a action) (Acted, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return Acted{}, err
	}
	return on(ctx, s.livePage, op, explain.Quoting(selector), func(ctx context.Context, t *tab) (Acted, error) {
		m := s.log.MarkAct(t.page)
		defer s.guard.actsFor(ctx)()
		end, saves := func() {}, false
		defer func() { end() }()
		if a.acts {
			a.permit = func(at aimed) (err error) {
				saves = at.Saves
				if at.known && s.guard.destructiveRule(at.actionElement) == "" {
					return nil
				}
				end, err = s.guard.permitAction(ctx, t, target.locator(t.page).Locator(engineAsk{Op: "about", Key: a.key}.query()), explain.Doing(op, target.quoted()))
				return err
			}
		}
		if s.traced() {
			a = a.byLocator()
		}
		if err := s.perform(ctx, t, m, target, timeout, a); err != nil && !s.closedItself(t) {
			return Acted{}, whyNot(ctx, t, target, op, err)
		}
		if a.typed {
			typedByKey(ctx, t)
		}
		late := saves && !s.downloads.awaitBegin(ctx, t, m)
		out := Acted{Target: pagetext.Text(target.String())}
		switch {
		case a.value != nil:
			out.Value = pagetext.Text(a.value(ctx, t, target))
		case a.read:
			out.Value = pagetext.Text(readValue(ctx, t, target))
		}
		out.Effects, err = s.aftermath(ctx, t, m, explain.Doing(op, target.quoted()))
		if late {
			out.Notes = append(out.Notes, "download: the link saves a file, and no download has begun yet")
		}
		return out, err
	})
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

// errAmbiguous says, in Playwright's words, that a selector has several matches.
var errAmbiguous = errors.New("strict mode violation")

// perform gives an action the caller's time-out, or the default one: short
// while no element matches, long once one does.
func (s *actions) perform(ctx context.Context, t *tab, m eventlog.Mark, target target, timeout time.Duration, a action) error {
	// With thousands of matches Playwright takes longer to refuse than a piece
	// of the wait lasts, and the wait would never end.
	limit := rest.LookLimit
	if timeout > 0 {
		limit = min(limit, timeout)
	}
	at, err := within(ctx, t, limit, func() (aimed, error) { return s.firstLook(t, target, a, limit) })
	if err == nil && at.Count > 1 {
		return errAmbiguous
	}
	l, whole := target.locator(t.page), timeout
	var look func(time.Duration) absence
	if timeout <= 0 {
		whole, look = s.pool.Timeout, absentIn(ctx, s.livePage, t, target)
		if err == nil && at.Count == 0 && look(0) == hopeless {
			return errAbsent
		}
	}
	if done, err := s.actAtOnce(ctx, t, a, at, whole); done {
		return s.unlessItNavigates(t, m, err)
	}
	call := ctx
	ctx, cancel := context.WithTimeout(ctx, whole)
	defer cancel()
	do := func(l playwright.Locator, limit *float64) error {
		s.log.Touch(true)
		return a.do(l, limit)
	}
	try := a.ready
	if try == nil {
		try = do
	}
	if !at.Ready || a.look.Op != "aim" || a.key || a.ready == nil {
		at.known = false // it may change while it is waited for
		if err := inPieces(ctx, whole, func(limit *float64) error { s.log.BeginAct(); return try(l, limit) }, look); err != nil || a.ready == nil {
			return err
		}
	}
	if a.permit != nil {
		if err := a.permit(at); err != nil {
			return err
		}
		// A person may have taken longer than the action's own time-out.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(call, whole)
		defer cancel()
	}
	s.log.BeginAct()
	return s.unlessItNavigates(t, m, do(l, left(ctx, whole)))
}

// unlessItNavigates returns the error of an act, unless all that was not over in time is
// the navigation that it began.
func (s *actions) unlessItNavigates(t *tab, m eventlog.Mark, err error) error {
	if errors.Is(err, playwright.ErrTimeout) && s.log.Navigates(t.page, m) {
		return nil
	}
	return err
}

// byLocator returns the action as Playwright alone does it: a trace then names the element,
// and has the page before it and after it.
func (a action) byLocator() action {
	if a.input, a.look.Point = nil, false; a.look.Op != "aim" || a.key {
		a.look = engineAsk{}
	}
	return a
}

// firstLook puts the question of an action to the page, which may prepare it; without a
// question, it counts what the target leads to.
func (s *actions) firstLook(t *tab, target target, a action, limit time.Duration) (aimed, error) {
	if a.look.Op == "" {
		n, err := target.count(t.page)
		return aimed{Count: n}, err
	}
	touched := s.log.Acted()
	if a.look.Op != "aim" { // it is a part of the act
		s.log.Touch(true)
		s.log.BeginAct()
	}
	at, err := target.look(t.page, a.look, limit)
	if !at.Ready {
		s.log.Touch(touched)
	}
	return at, err
}

// canBegin reports whether the look of an action has proved that its input can follow.
func (a action) canBegin(at aimed) bool {
	switch {
	case a.input == nil:
		return false
	case a.look.Op != "aim":
		return at.Ready
	case a.key:
		return at.known
	}
	return at.Point != nil
}

// actAtOnce does an action by its input, where one look has proved that it can be done and
// the guard has nothing against it. Where it was not done, it is still to be done.
func (s *actions) actAtOnce(ctx context.Context, t *tab, a action, at aimed, limit time.Duration) (done bool, err error) {
	if !a.canBegin(at) {
		return false, nil
	}
	if a.acts && (!at.known || s.guard.destructiveRule(at.actionElement) != "") {
		if at.Point != nil { // somebody may have to be asked, for longer than the aim lasts
			s.endAim(ctx, t, at)
		}
		return false, nil
	}
	if a.permit != nil {
		if err := a.permit(at); err != nil {
			return true, err
		}
	}
	if a.look.Op == "aim" {
		s.log.BeginAct()
		s.log.Touch(true)
	}
	done, err = a.input(ctx, t, at, limit)
	if errors.Is(err, errNoAnswer) {
		err = fmt.Errorf("the input was not over in time: %w", playwright.ErrTimeout)
	}
	return done, err
}

// errAbsent ends a wait for an element that is not worth its time.
var errAbsent = fmt.Errorf("the element is not there: %w", playwright.ErrTimeout)

// absence says of a wait what is known of its element.
type absence int

const (
	present  absence = iota // or it could not be looked
	absent                  // and it may still come
	hopeless                // and it is waited for no longer
)

// absentIn returns a look at whether an element is still to be waited for, by a call
// to which its caller gave no time-out.
func absentIn(ctx context.Context, s *livePage, t *tab, of target) func(passed time.Duration) absence {
	absentLimit := s.pool.Waits.Absent
	return func(passed time.Duration) absence {
		n, err := within(ctx, t, rest.LookLimit, func() (int, error) { return of.count(t.page) })
		switch {
		case err != nil || n > 0:
			return present
		case passed >= absentLimit, of.PlainWords() != "":
			return hopeless
		case passed < s.pool.Waits.AbsentAtRest || waitsForMore(ctx, s.log, t, absentLimit-passed):
			return absent
		}
		return hopeless
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

// inPieces tries, for longer and longer, until try doesn't time out or limit is
// over. look, which may be nil, ends it earlier where the element is not there.
func inPieces(ctx context.Context, limit time.Duration, try func(limit *float64) error, look func(passed time.Duration) absence) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	passed, piece := time.Duration(0), rest.FirstPiece
	for {
		wait := left(ctx, piece)
		err := try(wait)
		if err == nil || !errors.Is(err, playwright.ErrTimeout) || explain.Explained(err) || errors.Is(ctx.Err(), context.Canceled) {
			return err
		}
		passed += time.Duration(*wait) * time.Millisecond
		seen := present
		if look != nil {
			seen = look(passed)
		}
		if seen == hopeless || *left(ctx, limit) < 20 {
			return err
		}
		if seen == present {
			piece = min(2*piece, rest.LastPiece)
		}
	}
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
	case isAmbiguous(err):
		return ambiguous(t, target, what)
	case errors.Is(err, playwright.ErrTimeout):
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
