package browser

import (
	"context"
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
	l := target.locator(t.page)
	var out Look
	var err error
	if out.Count, err = l.Count(); err != nil {
		return out, selectorError(target, err)
	}
	if fact == FactCount {
		if out.Count > 0 {
			out.Visible, err = l.Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}).Count()
		}
		return out, err
	}
	if out.Count == 0 {
		return out, nil
	}
	if out.Count > 1 {
		return out, s.ambiguous(t, target, "look at "+target.String())
	}
	limit := left(ctx, lookLimit)
	switch fact {
	case FactText:
		out.Text, err = value(l.InnerText(playwright.LocatorInnerTextOptions{Timeout: limit}))
	case FactValue:
		out.Value, err = value(l.InputValue(playwright.LocatorInputValueOptions{Timeout: limit}))
	case FactAttribute:
		out.Value, err = s.attribute(l, attribute, limit)
	case FactChecked:
		out.On, err = value(l.IsChecked(playwright.LocatorIsCheckedOptions{Timeout: limit}))
	case FactEnabled:
		out.On, err = value(l.IsEnabled(playwright.LocatorIsEnabledOptions{Timeout: limit}))
	}
	if err != nil && strings.Contains(rawText(err), "Not a checkbox") || err != nil && strings.Contains(rawText(err), "Node is not") {
		return out, &Error{Code: NotActionable, Message: "look at " + target.String() + ": " + plain(err), Cause: err,
			Hint: "use an assertion that fits this kind of element"}
	}
	return out, err
}

// attribute tells an absent attribute (nil) from an empty one.
func (s *Session) attribute(l playwright.Locator, name string, limit *float64) (*string, error) {
	got, err := l.Evaluate(`(e, name) => e.getAttribute(name)`, name, playwright.LocatorEvaluateOptions{Timeout: limit})
	if text, ok := got.(string); ok {
		return &text, err
	}
	return nil, err
}

// value turns a result pair into a pointer that is nil on error.
func value[T any](v T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return &v, nil
}
