package browser

import (
	"context"
	_ "embed"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/redact"
)

// maxValue bounds what is returned of a control's value, in bytes.
const maxValue = 16 << 10

// readValue reads a control's value after an action on it. What was done is
// done: a control that went away with it, or no longer is the only one, tells
// no value.
func readValue(ctx context.Context, t *tab, target target) string {
	l, limit := target.locator(t.page), left(ctx, time.Second)
	n, err := target.count(t.page)
	if err != nil || n != 1 {
		return ""
	}
	var held struct {
		Secret, Known bool
		Value         string
	}
	if err := askEngine(l.Locator(engineAsk{Op: "value"}.query()), time.Duration(*limit)*time.Millisecond, &held); err != nil || held.Secret {
		return redact.MaskedValue // better masked without need than shown
	}
	if held.Known {
		return cut(held.Value, maxValue)
	}
	value, err := l.InputValue(playwright.LocatorInputValueOptions{Timeout: limit})
	if err != nil && isWrongKind(err) {
		value, err = l.InnerText(playwright.LocatorInnerTextOptions{Timeout: limit})
	}
	if err != nil {
		return ""
	}
	return cut(value, maxValue)
}

// isWrongKind reports whether an element is not of the kind that was asked of.
func isWrongKind(err error) bool {
	text := rawText(err)
	for _, sign := range []string{"Element is not", "Node is not", "Not a checkbox", "Not an input", "cannot be filled", "Cannot type text into", "Malformed value"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
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
		labels = append(labels, strconv.Quote(cut(label, maxNote)))
	}
	return &Error{Code: ElementNotFound, Message: "page_select: no option " + strconv.Quote(cut(option, maxNote)),
		Hint: "its options:", Page: listed(labels, len(labels))}
}

// explain turns a failed action into an error that lists candidates: the
// matches when they are several, the nearest elements when there is none.
func explain(ctx context.Context, t *tab, target target, op string, err error) error {
	text := rawText(err)
	what := op + " " + target.String()
	switch {
	case asked(err), ctx.Err() != nil, isClosed(err), ended(t.crashed):
		return err
	case strings.Contains(text, "strict mode violation"):
		return ambiguous(t, target, what)
	case errors.Is(err, playwright.ErrTimeout):
		return whyTimedOut(ctx, t, target, what, err)
	case isWrongKind(err):
		hint := "use a control of the right kind, and a value it can hold; page_snapshot shows them"
		if op == "page_select" {
			hint = "it is no <select>: click it with page_click, then click the option that appears"
		}
		return &Error{Code: NotActionable, Message: what + ": " + strings.TrimPrefix(firstLine(plain(err)), "Error: "), Hint: hint, Cause: err}
	default:
		return selectorError(target, err)
	}
}

// ambiguous lists the matches of a selector that should have one.
func ambiguous(t *tab, target target, what string) error {
	n, err := target.count(t.page)
	if err != nil {
		return err
	}
	return prefixed(what, target.ambiguous(t.page, n))
}

// whyTimedOut tells a missing element from one that can't be acted on.
func whyTimedOut(ctx context.Context, t *tab, target target, what string, cause error) error {
	n, err := within(ctx, t, settleLimit, func() (int, error) { return target.count(t.page) })
	switch {
	case err != nil:
		return err
	case n == 0:
		return prefixed(what, target.notFound(t.page))
	case n > 1:
		return prefixed(what, target.ambiguous(t.page, n))
	}
	return &Error{Code: NotActionable, Message: what + ": the element is there but can't be acted on", Retriable: true, Cause: cause,
		Hint: "wait, scroll, or close what is in the way:", Page: []string{obstacle(ctx, t, target.locator(t.page))}}
}

// prefixed adds what was attempted to an error about a selector.
func prefixed(what string, err error) error {
	var ours *Error
	if !errors.As(err, &ours) {
		return err
	}
	e := *ours
	e.Message = what + ": " + e.Message
	return &e
}

// obstacleScript says what keeps an element from being acted on. Playwright
// knows, and its Go binding drops what it says.
//
//go:embed obstacle.js
var obstacleScript string

// obstacle finds out why an element could not be acted on.
func obstacle(ctx context.Context, t *tab, l playwright.Locator) string {
	got, err := within(ctx, t, lookLimit, func() (any, error) { return l.EvaluateAll(obstacleScript) })
	if reason, ok := got.(string); ok && err == nil && reason != "" {
		return cut(reason, maxReason)
	}
	return "the element could not be acted on in time"
}
