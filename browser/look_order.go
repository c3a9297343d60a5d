package browser

import (
	"context"
	"fmt"
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// OrderLook is what one look at the order of two elements found.
type OrderLook struct {
	Before *bool  // a person reads the first one before the other; nil when that can't be asked
	Why    string // where they stand, or why it can't be asked
	Doubt  string // why it can't be told whether they are seen
}

// LookOrder looks once whether a person reads the element of selector before
// that of other: it stands above it, or beside it, on the side where lines begin.
// Each must be one element.
func (s *Session) LookOrder(ctx context.Context, selector, other string) (OrderLook, error) {
	first, err := parseSelector(selector)
	if err != nil {
		return OrderLook{}, err
	}
	second, err := parseSelector(other)
	if err != nil {
		return OrderLook{}, err
	}
	return on(ctx, s, "look at", selector, func(ctx context.Context, t *tab) (OrderLook, error) {
		var boxes [2]*playwright.Rect
		for i, of := range []target{first, second} {
			look, err := s.look(ctx, t, of, FactCount, "")
			switch {
			case err != nil:
				return OrderLook{}, err
			case look.Count > 1:
				return OrderLook{}, prefixed("look at "+of.String(), of.ambiguous(t.page, look.Count))
			case look.Count == 0:
				return OrderLook{Why: "no element matches " + of.String()}, nil
			case look.Doubt != "":
				return OrderLook{Doubt: look.Doubt}, nil
			case look.Seen == 0:
				return OrderLook{Why: of.String() + " is not seen: " + strings.Join(look.Unseen, ", ")}, nil
			}
			if boxes[i], err = of.locator(t.page).BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, lookLimit)}); err != nil {
				return OrderLook{}, err
			}
			if boxes[i] == nil {
				return OrderLook{Why: of.String() + " has no place"}, nil
			}
		}
		direction, err := askProperty(first.locator(t.page), "direction", "", *left(ctx, lookLimit))
		if err != nil {
			return OrderLook{}, err
		}
		return orderOf(*boxes[0], *boxes[1], direction.Value != nil && *direction.Value == "rtl"), nil
	})
}

// orderOf tells which of two boxes is read first. rtl: lines begin on the right.
func orderOf(a, b playwright.Rect, rtl bool) OrderLook {
	at := fmt.Sprintf("at %.0f, %.0f; the other at %.0f, %.0f", a.X, a.Y, b.X, b.Y)
	if encloses(a, b) || encloses(b, a) {
		return OrderLook{Why: "one lies within the other: " + at}
	}
	before := a.Y < b.Y
	if overlap := min(a.Y+a.Height, b.Y+b.Height) - max(a.Y, b.Y); overlap > min(a.Height, b.Height)/2 { // of one line
		before = a.X < b.X
		if rtl {
			before = a.X+a.Width > b.X+b.Width
		}
	}
	return OrderLook{Before: &before, Why: at}
}

// encloses reports whether the outer box has all of the inner one in it.
func encloses(outer, inner playwright.Rect) bool {
	return inner.X >= outer.X && inner.Y >= outer.Y && inner.X+inner.Width <= outer.X+outer.Width && inner.Y+inner.Height <= outer.Y+outer.Height
}
