package visualcheck

import (
	"cmp"
	"fmt"
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
	if len(r.Elements[0]) == 0 || len(r.Elements[1]) == 0 {
		return nil
	}
	w, h, err := visual.Size(r.Last[1])
	if err != nil { // no picture was taken in time: the document's own size
		root := r.Elements[1][0]
		w, h = root.X+root.Width, root.Y+root.Height
	}
	m := [2]layout.Map{}
	for i := range m {
		m[i] = layout.Map{Version: layout.Current, Width: w, Height: h, Elements: layoutElements(r.Elements[i])}
	}
	anywhere := layout.Differences{Places: []qa.VisualRegion{{Box: qa.Box{Width: w, Height: h}}}}
	out := slices.DeleteFunc(layout.Explain(m[0], m[1], anywhere), func(r qa.VisualRegion) bool { return !r.Cause || r.Kind == qa.ChangePixels })
	d, err := visual.Compare(r.Last[0], r.Last[1], visual.Options{CountAntialiasing: true, Limit: v.MaxPixels})
	if err == nil && len(out) == 0 {
		moving := regionsOf(d.Regions)
		if len(moving) == 0 { // by too little to be perceived
			moving = []qa.VisualRegion{{Box: qa.Box(d.RawBox), RawPixels: d.Raw}}
		}
		out = layout.Explain(m[1], m[1], layout.Differences{Places: moving})
		for i := range out {
			out[i].Text = cmp.Or(out[i].Selector, "a place without an element") + " is painted differently each time"
		}
	}
	for i := range out {
		out[i].Selector = lastingSelector(out[i], r.Elements[1])
		out[i].Text += "; mask " + out[i].Selector
	}
	if was, is, err := sizesOf(r.Last); err == nil && was != is {
		out = append([]qa.VisualRegion{{Kind: qa.ChangeResized, Cause: true, Box: qa.Box{Width: w, Height: h}, Text: "the size of the picture changes: " + was + ", then " + is}}, out...)
	}
	return out
}

// missing returns the places of what a picture lacks.
func missing(parts []browser.MissingPart) []qa.VisualRegion {
	var out []qa.VisualRegion
	for _, m := range parts {
		a := m.Area
		out = append(out, qa.VisualRegion{Kind: qa.ChangeRemoved, Cause: true, Selector: m.Mask, From: m.Words,
			Box: qa.Box{X: int(a.X), Y: int(a.Y), Width: int(a.Width), Height: int(a.Height)}, Text: fmt.Sprintf("%q is shown only where the page is scrolled to; mask %s", m.Words, m.Mask)})
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

// lastingSelector finds what changes by itself also when it has changed: the
// element's own selector, unless that holds words that change; else its place in
// the document; else its box.
func lastingSelector(r qa.VisualRegion, elements []browser.LayoutElement) string {
	box := fmt.Sprintf("box=%d,%d,%d,%d", r.Box.X, r.Box.Y, r.Box.Width, r.Box.Height)
	at := slices.IndexFunc(elements, func(e browser.LayoutElement) bool { return e.Selector == r.Selector })
	if at < 0 || r.Kind == qa.ChangeRemoved || at > 0 && elements[at].Parent < 0 {
		return box
	}
	if r.Kind == qa.ChangeAdded { // what is made anew is another one each time: what it stands in stays
		if at = elements[at].Parent; at < 0 {
			return box
		}
	}
	e := elements[at]
	if s := e.Selector; strings.HasPrefix(s, "testid=") || strings.HasPrefix(s, "#") || s != "html" && s != "body" && e.Text == "" && r.Kind != qa.ChangeText {
		return s
	}
	if path := placeInDocument(elements, at); path != "" {
		return path
	}
	return box
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
