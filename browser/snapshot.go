package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// pageReader reads what the page consists of and says: outline, elements and their
// identities, figures, health.
type pageReader struct{ *livePage }

// Snapshot returns the page as an outline whose every line is a selector.
func (s *pageReader) Snapshot(ctx context.Context, o OutlineOptions) (Outline, PageState, error) {
	type both struct {
		outline Outline
		state   PageState
	}
	b, err := on(ctx, s.livePage, "page_snapshot", o.Root, func(ctx context.Context, t *tab) (both, error) {
		out, err := takeOutline(t.page, o, *left(ctx, s.pool.Timeout))
		if err != nil {
			return both{}, err
		}
		title, err := titleOf(ctx, t)
		return both{out, s.pageState(t, title)}, err
	})
	return b.outline, b.state, err
}

// State returns the page line.
func (s *livePage) State(ctx context.Context) (PageState, error) {
	return on(ctx, s, "read the page", "", func(ctx context.Context, t *tab) (PageState, error) {
		title, err := titleOf(ctx, t)
		return s.pageState(t, title), err
	})
}

// ElementStates returns the states WaitFor can wait for.
func ElementStates() []string { return []string{"visible", "hidden", "attached", "detached"} }

// WaitFor waits until any element of selector is visible or attached, or none
// is, and returns the measured wait. A timeout of 0 means the pool's.
func (s *waiter) WaitFor(ctx context.Context, selector, state string, timeout time.Duration) (time.Duration, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return 0, err
	}
	if !slices.Contains(ElementStates(), state) {
		return 0, invalid("use one of "+strings.Join(ElementStates(), ", "), "state %q is unknown", state)
	}
	if timeout <= 0 {
		timeout = s.pool.Timeout
	}
	return on(ctx, s.livePage, "page_wait_for_selector", selector, func(ctx context.Context, t *tab) (time.Duration, error) {
		start := s.pool.Now()
		l, goal := target.locator(t.page), playwright.WaitForSelectorState(state)
		switch state {
		case "visible":
			l, goal = l.Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}), *playwright.WaitForSelectorStateAttached
		case "hidden":
			l, goal = l.Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}), *playwright.WaitForSelectorStateDetached
		}
		err := inPieces(ctx, timeout, func(limit *float64) error {
			return l.First().WaitFor(playwright.LocatorWaitForOptions{State: &goal, Timeout: limit})
		}, nil)
		waited := s.pool.Now().Sub(start)
		if errors.Is(err, playwright.ErrTimeout) {
			return waited, s.notInState(t, target, state, waited)
		}
		return waited, selectorError(target, err)
	})
}

func (s *waiter) notInState(t *tab, target target, state string, waited time.Duration) error {
	n, err := target.count(t.page)
	if err != nil {
		return err
	}
	e := &Error{Code: TimedOut, Retriable: true, Hint: "look at the page with page_snapshot, or raise timeout_ms",
		Message: fmt.Sprintf("page_wait_for_selector %s: not %s after %d ms; %d elements match", target, state, waited.Milliseconds(), n)}
	if n == 0 && (state == "visible" || state == "attached") {
		near, err := nearestLines(t.page, target, 5)
		if err == nil && len(near) > 0 {
			e.Hint, e.Page = "nearest:", near
		}
	}
	return e
}
