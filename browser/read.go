package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Snapshot returns the page as an outline whose every line is a selector.
func (s *Session) Snapshot(ctx context.Context, o OutlineOptions) (Outline, PageState, error) {
	type both struct {
		outline Outline
		state   PageState
	}
	b, err := on(ctx, s, "page_snapshot", o.Root, func(ctx context.Context, t *tab) (both, error) {
		out, err := takeOutline(t.page, o, *left(ctx, s.pool.Timeout))
		if err != nil {
			return both{}, err
		}
		title, err := s.title(ctx, t)
		return both{out, s.pageState(t, title)}, err
	})
	return b.outline, b.state, err
}

// State returns the page line.
func (s *Session) State(ctx context.Context) (PageState, error) {
	return on(ctx, s, "read the page", "", func(ctx context.Context, t *tab) (PageState, error) {
		title, err := s.title(ctx, t)
		return s.pageState(t, title), err
	})
}

// ElementStates are the states WaitFor can wait for.
func ElementStates() []string { return []string{"visible", "hidden", "attached", "detached"} }

// WaitFor waits until any element of selector is visible or attached, or none
// is, and returns the measured wait. A timeout of 0 means the pool's.
func (s *Session) WaitFor(ctx context.Context, selector, state string, timeout time.Duration) (time.Duration, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return 0, err
	}
	if !slices.Contains(ElementStates(), state) {
		return 0, invalid("use one of "+strings.Join(ElementStates(), ", "), "state %q is unknown", state)
	}
	if timeout == 0 {
		timeout = s.pool.Timeout
	}
	return on(ctx, s, "page_wait_for_selector", selector, func(ctx context.Context, t *tab) (time.Duration, error) {
		start := s.pool.Now()
		l, goal := target.locator(t.page), playwright.WaitForSelectorState(state)
		switch state {
		case "visible":
			l, goal = l.Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}), *playwright.WaitForSelectorStateAttached
		case "hidden":
			l, goal = l.Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}), *playwright.WaitForSelectorStateDetached
		}
		err := l.First().WaitFor(playwright.LocatorWaitForOptions{State: &goal, Timeout: left(ctx, timeout)})
		waited := s.pool.Now().Sub(start)
		if errors.Is(err, playwright.ErrTimeout) {
			return waited, s.notInState(t, target, state, waited)
		}
		return waited, selectorError(target, err)
	})
}

func (s *Session) notInState(t *tab, target target, state string, waited time.Duration) error {
	n, err := target.locator(t.page).Count()
	if err != nil {
		return err
	}
	e := &Error{Code: TimedOut, Retriable: true, Hint: "look at the page with page_snapshot, or raise timeout_ms",
		Message: fmt.Sprintf("page_wait_for_selector %s: not %s after %d ms; %d elements match", target, state, waited.Milliseconds(), n)}
	if n == 0 && (state == "visible" || state == "attached") {
		near, err := nearest(t.page, target, 5)
		if err == nil && len(near) > 0 {
			e.Hint, e.Page = "nearest:", near
		}
	}
	return e
}

// maxResult bounds what Evaluate returns, in bytes of JSON.
const maxResult = 64 << 10

// Evaluate runs a JavaScript expression or function in the page and returns
// its result as JSON. It is the page's own world: a hostile page can lie.
func (s *Session) Evaluate(ctx context.Context, script string, arg any) (json.RawMessage, Effects, error) {
	type both struct {
		result json.RawMessage
		e      Effects
	}
	b, err := on(ctx, s, "page_evaluate", "", func(ctx context.Context, t *tab) (both, error) {
		m := s.markNow(t)
		value, err := t.page.Evaluate(script, arg)
		if err != nil {
			return both{}, scriptError(err)
		}
		result, err := json.Marshal(value)
		if err != nil {
			return both{}, invalid("return plain data: strings, numbers, arrays, objects", "page_evaluate: the result is no JSON: %v", err)
		}
		if len(result) > maxResult {
			return both{}, invalid("return less: pick fields, slice arrays", "page_evaluate: the result has %d bytes, more than %d", len(result), maxResult)
		}
		e, err := s.settle(ctx, t, m)
		return both{result, e}, err
	})
	return b.result, b.e, err
}

// firstLine leaves a stack trace out.
func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// scriptError tells a fault of the caller's script from one of the browser.
func scriptError(err error) error {
	text := rawText(err)
	if isClosed(err) || strings.Contains(text, "crashed") || strings.Contains(text, "context was destroyed") {
		return err
	}
	return &Error{Code: InvalidInput, Message: "page_evaluate: the script threw", Cause: err,
		Hint: "mend the script (an expression, or a function such as () => document.title); it threw:", Page: []string{firstLine(plain(err))}}
}
