package element

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// attribute is one thing that elements are compared by: how much it counts, and how
// alike two elements are in it, from 0 to 1. It counts only where the old element has it.
type attribute struct {
	weight float64
	has    func(old Element) bool
	alike  func(old, now Element) float64
	called bool // it is what the element is called
}

// attributes lists Similo's, with names by words in place of letters, and what the page
// says of places in it. What people read counts most.
var attributes = sync.OnceValue(func() []attribute {
	return []attribute{
		naming(ofText(4, func(e Element) string { return e.Name })),
		naming(ofText(1.5, func(e Element) string { return e.Text })),
		ofText(.75, func(e Element) string { return e.Near }),
		ofText(1, func(e Element) string { return e.Placeholder }),
		equal(1, func(e Element) string { return e.Tag }),
		equal(1, func(e Element) string { return e.Role }),
		equal(.5, func(e Element) string { return e.Type }),
		equal(1.5, func(e Element) string { return e.ID }),
		equal(1.5, func(e Element) string { return e.FormName }),
		equal(1.5, func(e Element) string { return e.TestID }),
		equal(1.5, func(e Element) string { return e.Href }),
		equal(1, func(e Element) string { return e.Landmark }),
		ofText(1, func(e Element) string { return e.Section }),
		path(.5, func(e Element) string { return e.Path }),
		path(.5, func(e Element) string { return e.FromID }),
		{weight: .5, has: func(e Element) bool { return len(e.Classes) > 0 }, alike: func(a, b Element) float64 { return shared(a.Classes, b.Classes) }},
		ofBox(.5, func(a, b Box) float64 { return max(0, 1-math.Hypot(a.X-b.X, a.Y-b.Y)/100) }),
		ofBox(.5, func(a, b Box) float64 { return ratio(a.Width*a.Height, b.Width*b.Height) }),
		ofBox(.5, func(a, b Box) float64 { return ratio(a.Width*b.Height, b.Width*a.Height) }),
	}
})

// Score returns the share of what is known of the old element that another one has.
func Score(old, now Element) float64 {
	whole, _ := scores(old, now)
	return whole
}

// scores returns the share of all that is known, and of that without what the elements are
// called.
func scores(old, now Element) (whole, unnamed float64) {
	var got, of, gotNames, ofNames float64
	for _, a := range attributes() {
		if !a.has(old) {
			continue
		}
		has := a.weight * a.alike(old, now)
		got, of = got+has, of+a.weight
		if a.called {
			gotNames, ofNames = gotNames+has, ofNames+a.weight
		}
	}
	return share(got, of), share(got-gotNames, of-ofNames)
}

func share(got, of float64) float64 {
	if of == 0 {
		return 0
	}
	return got / of
}

// Known returns the weight of what is known of an element.
func Known(e Element) (sum float64) {
	for _, a := range attributes() {
		if a.has(e) {
			sum += a.weight
		}
	}
	return sum
}

func naming(a attribute) attribute {
	a.called = true
	return a
}

func ofText(weight float64, of func(Element) string) attribute {
	return attribute{weight: weight, has: func(e Element) bool { return of(e) != "" }, alike: func(a, b Element) float64 {
		return Alike(of(a), of(b))
	}}
}

func equal(weight float64, of func(Element) string) attribute {
	return attribute{weight: weight, has: func(e Element) bool { return of(e) != "" }, alike: func(a, b Element) float64 {
		if strings.EqualFold(of(a), of(b)) {
			return 1
		}
		return 0
	}}
}

func path(weight float64, of func(Element) string) attribute {
	return attribute{weight: weight, has: func(e Element) bool { return of(e) != "" }, alike: func(a, b Element) float64 {
		return shared(strings.Split(of(a), "/"), strings.Split(of(b), "/"))
	}}
}

func ofBox(weight float64, alike func(a, b Box) float64) attribute {
	return attribute{weight: weight, has: func(e Element) bool { return e.Box != nil }, alike: func(a, b Element) float64 {
		if b.Box == nil {
			return 0
		}
		return alike(*a.Box, *b.Box)
	}}
}

// shared returns how many of two lists' entries are in both.
func shared(a, b []string) float64 {
	left, both := slices.Clone(b), 0
	for _, one := range a {
		if i := slices.Index(left, one); i >= 0 {
			left = slices.Delete(left, i, i+1)
			both++
		}
	}
	return float64(both) / float64(max(len(a)+len(b)-both, 1))
}

func ratio(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return min(a, b) / max(a, b)
}
