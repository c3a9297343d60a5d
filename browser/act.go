package browser

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Acted is the outcome of an action on an element.
type Acted struct {
	Target  string `json:"target" jsonschema:"the element acted on, as a selector"`
	Value   string `json:"value,omitempty" jsonschema:"the control's value afterwards, as read from the page"`
	Effects `json:",inline"`
}

// Click clicks the one element that selector names, after scrolling it into
// view and waiting until it is stable and receives pointer events.
func (s *Session) Click(ctx context.Context, selector string, timeout time.Duration) (Acted, error) {
	return s.act(ctx, "page_click", selector, timeout, func(ctx context.Context, l playwright.Locator) (string, error) {
		return "", l.Click(playwright.LocatorClickOptions{Timeout: left(ctx, s.pool.Timeout)})
	})
}

// Hover moves the pointer over the element.
func (s *Session) Hover(ctx context.Context, selector string, timeout time.Duration) (Acted, error) {
	return s.act(ctx, "page_hover", selector, timeout, func(ctx context.Context, l playwright.Locator) (string, error) {
		return "", l.Hover(playwright.LocatorHoverOptions{Timeout: left(ctx, s.pool.Timeout)})
	})
}

// Fill replaces the value of a text control and reads it back. The value of a
// password control is neither read back nor kept in the answer; masked tells
// that it was one.
func (s *Session) Fill(ctx context.Context, selector, value string, timeout time.Duration) (acted Acted, masked bool, err error) {
	acted, err = s.act(ctx, "page_fill", selector, timeout, func(ctx context.Context, l playwright.Locator) (string, error) {
		if err := l.Fill(value, playwright.LocatorFillOptions{Timeout: left(ctx, s.pool.Timeout)}); err != nil {
			return "", err
		}
		return readValue(ctx, l)
	})
	return acted, acted.Value == maskedValue, err
}

// maskedValue stands for the content of a password control.
const maskedValue = "••••"

// valueOf reads a control's value in one round trip. Whether a password is
// masked is decided before its value leaves the page.
const valueOf = `(e, mask) => e.type === 'password' ? mask : 'value' in e ? String(e.value) : e.innerText`

// readValue reads a control's value. An element that went away with the
// action tells none.
func readValue(ctx context.Context, l playwright.Locator) (string, error) {
	got, err := l.Evaluate(valueOf, maskedValue, playwright.LocatorEvaluateOptions{Timeout: left(ctx, time.Second)})
	if err != nil && (isClosed(err) || !errors.Is(err, playwright.ErrTimeout)) {
		return "", err
	}
	text, _ := got.(string)
	return text, nil
}

// Select chooses an option of a select element by its label or its value, and
// reads the choice back.
func (s *Session) Select(ctx context.Context, selector, option string, timeout time.Duration) (Acted, error) {
	return s.act(ctx, "page_select", selector, timeout, func(ctx context.Context, l playwright.Locator) (string, error) {
		if err := hasOption(ctx, l, option, s.pool.Timeout); err != nil {
			return "", err
		}
		if _, err := l.SelectOption(playwright.SelectOptionValues{ValuesOrLabels: &[]string{option}},
			playwright.LocatorSelectOptionOptions{Timeout: left(ctx, s.pool.Timeout)}); err != nil {
			return "", err
		}
		return readValue(ctx, l)
	})
}

// optionsOf lists a select's options as "label" and "value" pairs, or null for
// another element.
const optionsOf = `e => e instanceof HTMLSelectElement ? [...e.options].map(o => [o.label, o.value]) : null`

// hasOption fails at once when the option isn't there: waiting for it until
// the time-out would tell a model nothing.
func hasOption(ctx context.Context, l playwright.Locator, option string, timeout time.Duration) error {
	got, err := l.Evaluate(optionsOf, nil, playwright.LocatorEvaluateOptions{Timeout: left(ctx, timeout)})
	if err != nil {
		return err
	}
	pairs, ok := got.([]any)
	if !ok {
		return &Error{Code: NotActionable, Message: "page_select: the element is no <select>",
			Hint: "click it with page_click, then click the option that appears"}
	}
	var labels []string
	for _, p := range pairs {
		pair, ok := p.([]any)
		if !ok || len(pair) != 2 {
			continue
		}
		label, _ := pair[0].(string)
		value, _ := pair[1].(string)
		if label == option || value == option || strings.TrimSpace(label) == option {
			return nil
		}
		if len(labels) < 20 {
			labels = append(labels, strconv.Quote(label))
		}
	}
	return &Error{Code: ElementNotFound, Message: "page_select: no option " + strconv.Quote(option), Hint: "its options:", Page: labels}
}

// Press presses a key or chord such as Enter or Control+A, on the element, or
// on what has the focus when selector is empty.
func (s *Session) Press(ctx context.Context, selector, key string, timeout time.Duration) (Acted, error) {
	if selector != "" {
		return s.act(ctx, "page_press", selector, timeout, func(ctx context.Context, l playwright.Locator) (string, error) {
			return "", keyError(key, l.Press(key, playwright.LocatorPressOptions{Timeout: left(ctx, s.pool.Timeout)}))
		})
	}
	return on(ctx, s, "page_press", key, func(ctx context.Context, t *tab) (Acted, error) {
		m := s.markNow(t)
		if err := keyError(key, t.page.Keyboard().Press(key)); err != nil {
			return Acted{}, err
		}
		e, err := s.settle(ctx, t, m)
		return Acted{Target: "the focused element", Effects: e}, err
	})
}

func keyError(key string, err error) error {
	if err != nil && strings.Contains(err.Error(), "Unknown key") {
		return invalid(`use names such as Enter, Tab, Escape, ArrowDown, a, A, Control+A`, "key %q is unknown", key)
	}
	return err
}

// absentLimit is how long an action without a time-out of its own waits for an
// element to appear at all. Once the element is there, the pool's time-out
// holds.
const absentLimit = 5 * time.Second

// act runs one action on the one element that selector names, and tells what
// it acted on and what that caused. A timeout of 0 means the default.
func (s *Session) act(ctx context.Context, op, selector string, timeout time.Duration, do func(ctx context.Context, l playwright.Locator) (string, error)) (Acted, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return Acted{}, err
	}
	return on(ctx, s, op, selector, func(ctx context.Context, t *tab) (Acted, error) {
		m := s.markNow(t)
		l := target.locator(t.page)
		value, err := s.patiently(ctx, timeout, l, do)
		if err != nil {
			return Acted{}, s.explain(t, target, op, err)
		}
		e, err := s.settle(ctx, t, m)
		return Acted{Target: target.String(), Value: value, Effects: e}, err
	})
}

// patiently gives an action the caller's time-out, or the default one: short
// while no element matches, long once one does.
func (s *Session) patiently(ctx context.Context, timeout time.Duration, l playwright.Locator, do func(context.Context, playwright.Locator) (string, error)) (string, error) {
	within := func(limit time.Duration) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return do(ctx, l)
	}
	if timeout > 0 {
		return within(timeout)
	}
	value, err := within(min(absentLimit, s.pool.Timeout))
	if err == nil || !errors.Is(err, playwright.ErrTimeout) || s.pool.Timeout <= absentLimit {
		return value, err
	}
	if n, countErr := l.Count(); countErr != nil || n == 0 {
		return "", err
	}
	return within(s.pool.Timeout - absentLimit)
}

// explain turns a failed action into an error that lists candidates: the
// matches when they are several, the nearest elements when there is none.
func (s *Session) explain(t *tab, target target, op string, err error) error {
	var ours *Error
	text := rawText(err)
	what := op + " " + target.String()
	switch {
	case errors.As(err, &ours):
		return ours
	case strings.Contains(text, "strict mode violation"):
		return s.ambiguous(t, target, what)
	case isClosed(err) || strings.Contains(text, "crashed"):
		return err
	case errors.Is(err, playwright.ErrTimeout):
		return s.whyTimedOut(t, target, what, err)
	case strings.Contains(text, "Element is not") || strings.Contains(text, "Node is not"):
		return &Error{Code: NotActionable, Message: what + ": " + plain(err), Hint: "use a control of the right kind; page_snapshot shows them", Cause: err}
	default:
		return selectorError(target, err)
	}
}

// ambiguous lists the matches of a selector that should have one.
func (s *Session) ambiguous(t *tab, target target, what string) error {
	l := target.locator(t.page)
	n, err := l.Count()
	if err != nil {
		return err
	}
	lines, err := describe(l, 10)
	if err != nil {
		return err
	}
	return &Error{Code: SelectorAmbiguous, Message: what + ": " + strconv.Itoa(n) + " elements match",
		Hint: "use one of:", Page: lines}
}

// whyTimedOut tells a missing element from one that can't be acted on.
func (s *Session) whyTimedOut(t *tab, target target, what string, cause error) error {
	n, err := target.locator(t.page).Count()
	if err != nil {
		return err
	}
	if n == 0 {
		return s.notFound(t, target, what)
	}
	return &Error{Code: NotActionable, Message: what + ": the element is there but can't be acted on", Retriable: true, Cause: cause,
		Hint: "wait, scroll, or close what is in the way:", Page: []string{obstacle(rawText(cause))}}
}

func (s *Session) notFound(t *tab, target target, what string) error {
	e := &Error{Code: ElementNotFound, Message: what + ": no element matches", Retriable: true, Hint: "call page_snapshot and use one of its lines"}
	if near, err := nearest(t.page, target, 5); err == nil && len(near) > 0 {
		e.Hint, e.Page = "nearest:", near
	}
	return e
}

// obstacle finds in Playwright's call log why an element could not be acted on.
func obstacle(log string) string {
	for _, sign := range []string{"intercepts pointer events", "element is not visible", "element is not enabled", "element is not stable", "element is outside of the viewport", "element is not editable", "element was detached from the DOM"} {
		if i := strings.LastIndex(log, sign); i >= 0 {
			line := log[strings.LastIndexByte(log[:i], '\n')+1 : i+len(sign)]
			return strings.Trim(line, " -\t")
		}
	}
	return "the element could not be acted on in time"
}

// origin is scheme, host and port of an address, "" when it has none.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}
