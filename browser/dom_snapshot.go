package browser

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/texts"
)

// Element describes what an element is and holds.
type Element struct {
	Selector   string             `json:"selector" jsonschema:"finds this element alone"`
	InnerText  string             `json:"innerText"`
	Attributes map[string]*string `json:"attributes" jsonschema:"null when absent"`
	Box        *Box               `json:"boundingBox" jsonschema:"null when not rendered"`
	Role       string             `json:"role" jsonschema:"ARIA role"`
	Name       string             `json:"name" jsonschema:"accessible name"`
}

// Box holds an element's place in the viewport, in CSS pixels.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Bounds on a look at elements.
const (
	maxElements   = 200
	maxAttributes = 20
	elementsLimit = 10 * time.Second // for all of them together
)

// Elements describes the one element that selector names, or all that it
// matches: the first 200, or fewer on a page that is slow to tell. total is how
// many there are.
func (s *pageReader) Elements(ctx context.Context, selector string, all bool, attributes []string) (found []Element, total int, err error) {
	target, err := parseSelector(selector)
	if err != nil {
		return nil, 0, err
	}
	if err := checkAttributes(attributes); err != nil {
		return nil, 0, err
	}
	found, err = on(ctx, s.livePage, "dom_snapshot", selector, func(ctx context.Context, t *tab) ([]Element, error) {
		n, err := within(ctx, t, settleLimit, func() (int, error) { return target.count(t.page) })
		total = n
		switch {
		case err != nil:
			return nil, err
		case all:
		case n == 0:
			return nil, prefixed("dom_snapshot", target.notFound(t.page))
		case n > 1:
			return nil, prefixed("dom_snapshot", target.ambiguous(t.page, n))
		}
		return within(ctx, t, elementsLimit+settleLimit, func() ([]Element, error) { return s.elements(t, target, n, attributes) })
	})
	return found, total, err
}

// elements asks for one element after the other. Those that go away meanwhile
// are left out.
func (s *pageReader) elements(t *tab, target target, n int, attributes []string) ([]Element, error) {
	out, over := []Element{}, s.pool.Now().Add(elementsLimit)
	l, look := target.locator(t.page), rand.Text()
	for i := range min(n, maxElements) {
		if s.pool.Now().After(over) {
			break
		}
		var answer struct {
			Line, Text, Role, Name string
			Attributes             map[string]*string
			Box                    *Box
		}
		at := l.Nth(i)
		err := askEngine(at.Locator(engineAsk{Op: "dom", Names: attributes, Look: look}.query()), lookTimeout, &answer)
		switch {
		case errors.Is(err, playwright.ErrTimeout) && n > 1:
			continue
		case err != nil:
			return nil, err
		}
		e := Element{Selector: target.Prefix() + answer.Line, InnerText: answer.Text, Attributes: answer.Attributes, Box: answer.Box, Role: answer.Role, Name: answer.Name}
		if e.Box != nil && len(target.Frames) > 0 { // a frame counts from its own corner
			if box, err := at.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: playwright.Float(1000)}); err == nil && box != nil {
				e.Box = &Box{box.X, box.Y, box.Width, box.Height}
			}
		}
		out = append(out, e)
	}
	return out, nil
}

func checkAttributes(names []string) error {
	if len(names) > maxAttributes {
		return invalid("ask for the rest in another call", "attributes has %d names, the limit is %d", len(names), maxAttributes)
	}
	for _, name := range names {
		if name == "" || len(name) > maxNote || strings.ContainsAny(name, " \t\n\r\"'<>/=\x00") {
			return invalid("use names such as href or data-id", "attribute %q is no name", texts.Cut(name, maxNote))
		}
	}
	return nil
}

// Nearest lists the lines of the page that come nearest to a selector which
// matches nothing.
func (s *pageReader) Nearest(ctx context.Context, selector string) ([]string, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return nil, err
	}
	return on(ctx, s.livePage, "look near", selector, func(_ context.Context, t *tab) ([]string, error) {
		lines, err := nearestLines(t.page, target, 5)
		if err != nil {
			return nil, fmt.Errorf("look for like elements: %w", err)
		}
		return lines, nil
	})
}
