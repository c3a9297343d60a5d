package browser

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/mxschmitt/playwright-go"
)

// typing notes, before it is done, what the caller types or chooses in the one
// element that l finds: what a field holds for no other reason proves nothing.
// The page can't learn of it.
func typing(l playwright.Locator, text string, limit *float64) error {
	attached := playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached, Timeout: limit}
	if err := l.WaitFor(attached); err != nil { // it says what is wrong where none or several match
		return err
	}
	return askEngine(l.Locator(engineAsk{Op: "typing", Name: text}.query()), time.Duration(*limit)*time.Millisecond, &struct{}{})
}

// typedByKey notes what the field that has the focus holds, after keys were
// pressed in it. A page that has gone meanwhile has no such field.
func typedByKey(ctx context.Context, t *tab) {
	_, _ = within(ctx, t, lookLimit, func() (int, error) {
		return 0, askEngine(t.page.Locator(engineAsk{Op: "typing", All: true}.query()), time.Second, &struct{}{})
	})
}

// writes reports whether a key writes a character.
func writes(key string) bool { return utf8.RuneCountInString(key) == 1 }

// Typed looks once whether the one element that selector finds holds exactly what
// the caller typed or chose there, in this document. Without such an element it
// does not.
func (s *Session) Typed(ctx context.Context, selector string) (bool, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return false, err
	}
	return on(ctx, s, "look at", selector, func(_ context.Context, t *tab) (bool, error) {
		if n, err := target.count(t.page); err != nil || n != 1 {
			return false, err
		}
		var answer struct{ On bool }
		err := askEngine(target.locator(t.page).Locator(engineAsk{Op: "typed"}.query()), lookTimeout, &answer)
		return answer.On, err
	})
}
