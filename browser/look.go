package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Fact names what a look at an element should bring.
type Fact int

// The facts. Text, value, attribute, checked and enabled are about one
// element: a selector that matches several is SELECTOR_AMBIGUOUS for them.
const (
	FactCount Fact = iota // how many match, and how many of those are visible
	FactText
	FactValue
	FactAttribute
	FactChecked
	FactEnabled
)

// Look is what one look at the elements of a selector found. The pointers are
// nil when there is no such element, or it has no such property.
type Look struct {
	Count   int
	Visible int
	Text    *string // as rendered
	Value   *string // of a control, or the named attribute
	On      *bool   // checked, or enabled
}

// lookLimit bounds one look; the caller looks again until it is content.
const lookLimit = 2 * time.Second

// Look looks once, without waiting for anything to become true. attribute
// names the attribute for FactAttribute. An empty selector means the page's
// body.
func (s *Session) Look(ctx context.Context, selector string, fact Fact, attribute string) (Look, error) {
	if selector == "" {
		selector = "css=body"
	}
	target, err := parseSelector(selector)
	if err != nil {
		return Look{}, err
	}
	return on(ctx, s, "look at", selector, func(ctx context.Context, t *tab) (Look, error) {
		return s.look(ctx, t, target, fact, attribute)
	})
}

func (s *Session) look(ctx context.Context, t *tab, target target, fact Fact, attribute string) (Look, error) {
	out, err := s.countNow(ctx, t, target)
	if err != nil || fact == FactCount || out.Count == 0 {
		return out, err
	}
	what := "look at " + target.String()
	if out.Count > 1 {
		return out, prefixed(what, target.ambiguous(t.page, out.Count))
	}
	l, limit := target.locator(t.page), left(ctx, lookLimit)
	switch fact {
	case FactText:
		out.Text, err = value(renderedText(l, limit))
	case FactValue:
		out.Value, err = s.controlValue(t, l, limit)
	case FactAttribute:
		out.Value, err = attributeOf(t, l, attribute, limit)
	case FactChecked:
		out.On, err = value(l.IsChecked(playwright.LocatorIsCheckedOptions{Timeout: limit}))
	case FactEnabled:
		out.On, err = value(l.IsEnabled(playwright.LocatorIsEnabledOptions{Timeout: limit}))
	}
	switch {
	case err == nil || asked(err):
	case isWrongKind(err):
		err = &Error{Code: NotActionable, Message: what + ": " + firstLine(plain(err)), Cause: err,
			Hint: "use an assertion that fits this kind of element"}
	case strings.Contains(rawText(err), "strict mode violation"):
		err = s.ambiguous(t, target, what)
	case errors.Is(err, playwright.ErrTimeout): // it went away between the looks
		return s.countNow(ctx, t, target)
	}
	return out, err
}

// countNow counts what matches. While a page is being replaced by the next one,
// Playwright finds nothing in it: that nothing is there, or nothing is visible,
// is only taken for true when no frame went anywhere during the look.
func (s *Session) countNow(ctx context.Context, t *tab, target target) (Look, error) {
	for range titleTries {
		var out Look
		var err error
		moves := s.moves()
		if out.Count, err = target.count(t.page); err != nil {
			return out, selectorError(target, err)
		}
		if out.Count > 0 {
			visible := target.locator(t.page).Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)})
			if out.Visible, err = visible.Count(); err != nil {
				return out, err
			}
		}
		if out.Visible > 0 {
			return out, nil
		}
		if _, err := titleOf(ctx, t); err != nil { // a round trip: what moved is in the journal
			return out, err
		}
		if s.moves() == moves && s.loading(t) == "" {
			return out, nil
		}
		bound, cancel := context.WithTimeout(ctx, lookLimit)
		err = nextTurn(bound, t, true)
		cancel()
		if err != nil && ctx.Err() != nil {
			return out, err
		}
	}
	return Look{}, &Error{Code: NavigationFailed, Retriable: true, Message: "look at " + target.String() + ": the page keeps going to other addresses",
		Hint: "wait for an element of the page you want with page_wait_for_selector"}
}

// moves is how often a frame went to another address so far.
func (s *Session) moves() int {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	return s.journal.moves
}

// renderedText is the text as rendered; pictures (SVG) have only their own.
func renderedText(l playwright.Locator, limit *float64) (string, error) {
	text, err := l.InnerText(playwright.LocatorInnerTextOptions{Timeout: limit})
	if err != nil && isWrongKind(err) {
		return l.TextContent(playwright.LocatorTextContentOptions{Timeout: limit})
	}
	return text, err
}

// controlValue never reads a password or a secret: whoever may see it knows it
// already.
func (s *Session) controlValue(t *tab, l playwright.Locator, limit *float64) (*string, error) {
	secret, err := holdsSecret(l, t)
	if err != nil {
		return nil, err
	}
	if secret {
		return nil, &Error{Code: NotActionable, Message: "look at the value of a control that holds a password or a secret: it is never read",
			Hint: "check what it brings about instead"}
	}
	return value(l.InputValue(playwright.LocatorInputValueOptions{Timeout: limit}))
}

// attributeOf tells an absent attribute (nil) from an empty one, which the
// binding does not.
func attributeOf(t *tab, l playwright.Locator, name string, limit *float64) (*string, error) {
	text, err := l.GetAttribute(name, playwright.LocatorGetAttributeOptions{Timeout: limit})
	if err != nil {
		return nil, err
	}
	if text != "" {
		return &text, nil
	}
	n, err := l.And(t.page.Locator("css=[" + cssName(name) + "]")).Count()
	if err != nil || n == 0 {
		return nil, err
	}
	return &text, nil
}

// cssName escapes a name for CSS.
func cssName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\%x ", r)
		}
	}
	return b.String()
}

// value turns a result pair into a pointer that is nil on error.
func value[T any](v T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return &v, nil
}
