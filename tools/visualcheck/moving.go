package visualcheck

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/visual"
	"github.com/assay-qa/assay/visual/layout"
)

// moving returns what the picture lacks, or the elements that keep changing, as far as the last two pictures
// and what the page consisted of at the end and a moment later tell: what is
// another one by then, else what the pictures differ in.
func (v *Check) moving(r *browser.RestlessError) []qa.VisualRegion {
	if len(r.Missing) > 0 {
		return missing(r.Missing)
	}
	if len(r.Readings) < 2 || len(r.Readings[0]) == 0 || len(r.Readings[1]) == 0 {
		return nil
	}
	then, now := readMap(r, 0), readMap(r, 1)
	whole := qa.Box{Width: now.Width, Height: now.Height}
	out := slices.DeleteFunc(layout.Explain(then, now, layout.Differences{Places: []qa.VisualRegion{{Box: whole}}}), func(r qa.VisualRegion) bool { return !r.Cause || r.Kind == qa.ChangePixels })
	for i := range out {
		out[i].Selector = v.maskOf(out[i], r.Readings[1:])
	}
	if len(out) == 0 {
		out = v.repainted(r)
	}
	if was, is, err := sizesOf(r.Last); err == nil && was != is {
		out = append([]qa.VisualRegion{{Kind: qa.ChangeResized, Cause: true, Box: whole, Text: "the size of the picture changes: " + was + ", then " + is}}, out...)
	}
	return out
}

// readMap returns the layout map of a reading.
func readMap(r *browser.RestlessError, i int) layout.Map {
	w, h, err := visual.Size(r.Last[1])
	if err != nil { // no picture was taken in time: the document's own size
		root := r.Readings[1][0]
		w, h = root.X+root.Width, root.Y+root.Height
	}
	return layout.Map{Version: layout.Current, Width: w, Height: h, Elements: layoutElements(r.Readings[i])}
}

// repainted returns the elements in which the last two pictures differ.
func (v *Check) repainted(r *browser.RestlessError) []qa.VisualRegion {
	d, err := visual.Compare(r.Last[0], r.Last[1], visual.Options{CountAntialiasing: true, Limit: v.MaxPixels})
	if err != nil || d.Raw == 0 {
		return nil
	}
	places := regionsOf(d.Regions)
	if len(places) == 0 { // by too little to be perceived
		places = []qa.VisualRegion{{Box: qa.Box(d.RawBox), RawPixels: d.Raw}}
	}
	m := readMap(r, 1)
	out := layout.Explain(m, m, layout.Differences{Places: places})
	for i := range out {
		out[i].Text = cmp.Or(out[i].Selector, "a place without an element") + " is painted differently each time"
		out[i].Selector = v.maskOf(out[i], r.Readings[1:])
	}
	return out
}

// missing returns the places of what a picture lacks.
func missing(parts []browser.MissingPart) []qa.VisualRegion {
	var out []qa.VisualRegion
	for _, m := range parts {
		a := m.Area
		out = append(out, qa.VisualRegion{Kind: qa.ChangeRemoved, Cause: true, Selector: m.Mask, From: m.Words,
			Box: qa.Box{X: int(a.X), Y: int(a.Y), Width: int(a.Width), Height: int(a.Height)}, Text: fmt.Sprintf("%q is shown only where the page is scrolled to", m.Words)})
	}
	return out
}

func sizesOf(pictures [2][]byte) (was, is string, err error) {
	var words [2]string
	for i, p := range pictures {
		w, h, err := visual.Size(p)
		if err != nil {
			return "", "", err
		}
		words[i] = fmt.Sprintf("%d×%d", w, h)
	}
	return words[0], words[1], nil
}

// maskOf returns the mask that hides what changed in a region: the element, where it stands
// still in all readings of the page, else the box of all its places.
func (v *Check) maskOf(r qa.VisualRegion, readings [][]browser.LayoutElement) string {
	at := lastingElement(r, readings[0])
	if at < 0 || boxOf(readings[0][at]) == boxOf(readings[0][0]) { // all of the page is no place
		return v.boxMask(r.Box)
	}
	way, moves := wayOf(at, readings)
	if moves {
		return v.boxMask(way)
	}
	if s := lastingSelector(r, readings[0], at); s != "" {
		return s
	}
	return v.boxMask(r.Box)
}

// boxMask writes a box of the picture's pixels as a mask, in CSS pixels.
func (v *Check) boxMask(b qa.Box) string {
	scale := cmp.Or(v.env.Scale, 1)
	x, y := max(0, math.Floor(float64(b.X)/scale)), max(0, math.Floor(float64(b.Y)/scale))
	right, bottom := math.Ceil(float64(b.X+b.Width)/scale), math.Ceil(float64(b.Y+b.Height)/scale)
	return fmt.Sprintf("box=%g,%g,%g,%g", x, y, max(1, right-x), max(1, bottom-y))
}

// wayOf returns the box of all places of an element of the first reading. One that moves is
// seen between its ends: the box is wider by a step on either side.
func wayOf(at int, readings [][]browser.LayoutElement) (way qa.Box, moves bool) {
	e, place := readings[0][at], placeInDocument(readings[0], at)
	way = boxOf(e)
	last := way
	var across, down []int
	for _, elements := range readings[1:] {
		now := slices.IndexFunc(elements, func(o browser.LayoutElement) bool { return o.Selector == e.Selector })
		if now < 0 && place != "" {
			now = slices.IndexFunc(elements, func(o browser.LayoutElement) bool { return o.Path == e.Path })
			for now >= 0 && placeInDocument(elements, now) != place {
				next := slices.IndexFunc(elements[now+1:], func(o browser.LayoutElement) bool { return o.Path == e.Path })
				if now += 1 + next; next < 0 {
					now = -1
				}
			}
		}
		if now < 0 {
			continue
		}
		b := boxOf(elements[now])
		if x := max(b.X-last.X, last.X-b.X, b.X+b.Width-last.X-last.Width, last.X+last.Width-b.X-b.Width); x > 0 {
			across = append(across, x)
		}
		if y := max(b.Y-last.Y, last.Y-b.Y, b.Y+b.Height-last.Y-last.Height, last.Y+last.Height-b.Y-b.Height); y > 0 {
			down = append(down, y)
		}
		way, last = around(way, b), b
	}
	x, y := middle(across), middle(down)
	return qa.Box{X: way.X - x, Y: way.Y - y, Width: way.Width + 2*x, Height: way.Height + 2*y}, len(across)+len(down) > 0
}

func boxOf(e browser.LayoutElement) qa.Box {
	return qa.Box{X: e.X, Y: e.Y, Width: e.Width, Height: e.Height}
}

// around returns the smallest box that holds both.
func around(a, b qa.Box) qa.Box {
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return qa.Box{X: x, Y: y, Width: max(a.X+a.Width, b.X+b.Width) - x, Height: max(a.Y+a.Height, b.Y+b.Height) - y}
}

// middle returns the median of steps; 0 if there are none. A jump back to the beginning is
// no step of a way, and seldom.
func middle(steps []int) int {
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// lastingElement returns which element stays in its place while what changed in a region
// changes; -1: none.
func lastingElement(r qa.VisualRegion, elements []browser.LayoutElement) int {
	at := slices.IndexFunc(elements, func(e browser.LayoutElement) bool { return e.Selector == r.Selector })
	if at < 0 || r.Kind == qa.ChangeRemoved || at > 0 && elements[at].Parent < 0 {
		return -1
	}
	if r.Kind == qa.ChangeAdded { // what is made anew is another one each time: what it stands in stays
		return elements[at].Parent
	}
	return at
}

// lastingSelector finds an element also when it has changed: its own selector, unless that
// holds words that change; else its place in the document; "" if there is none.
func lastingSelector(r qa.VisualRegion, elements []browser.LayoutElement, at int) string {
	e := elements[at]
	if s := e.Selector; strings.HasPrefix(s, "testid=") || strings.HasPrefix(s, "#") || s != "html" && s != "body" && e.Text == "" && r.Kind != qa.ChangeText {
		return s
	}
	return placeInDocument(elements, at)
}

var pathStep = pattern.New(`^([a-z][a-z0-9-]*)(?:#([A-Za-z][\w-]*))?(?:\.[^\[]*)?\[([0-9]+)\]$`)

// placeInDocument returns the CSS path of an element from the next id around it, or
// from the document; "" where one of its steps is none of a document's.
func placeInDocument(elements []browser.LayoutElement, at int) string {
	var steps []string
	for ; at >= 0; at = elements[at].Parent {
		m := pathStep.FindStringSubmatch(elements[at].Path)
		if m == nil || strings.HasPrefix(elements[at].Selector, "frame ") {
			return ""
		}
		if m[2] != "" {
			steps = append(steps, "#"+m[2])
			break
		}
		step := m[1]
		if step != "html" && step != "body" {
			step += ":nth-of-type(" + m[3] + ")"
		}
		steps = append(steps, step)
	}
	slices.Reverse(steps)
	return "css=" + strings.Join(steps, " > ")
}
