package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// sentence reports what happened to an element, and what that moved.
func (e *explainer) sentence(c *change) string {
	if c.text == "" {
		c.text = e.what(c) + e.itself(c) + e.others(c) + e.pushes(c)
	}
	return c.text
}

func (e *explainer) what(c *change) string {
	name := e.nameOf(c)
	switch c.kind {
	case qa.ChangeAdded:
		return name + " was added"
	case qa.ChangeRemoved:
		return name + " was removed"
	case qa.ChangeMoved:
		return name + e.movement(c)
	case qa.ChangeResized:
		return name + resizing(boxOf(e.before.all[c.b]), boxOf(e.after.all[c.a]))
	case qa.ChangeText:
		from, to := excerpts(c.from, c.to)
		if c.property == "" && strings.HasPrefix(name, "text ") {
			return fmt.Sprintf("the text %q changed to %q", from, to) + e.also(c)
		}
		if state(c.from) && state(c.to) {
			return fmt.Sprintf("%s changed from %s to %s", name, from, to) + e.also(c)
		}
		what := "the text"
		if c.property != "" {
			what = "the " + c.property
		}
		return fmt.Sprintf("%s of %s changed from %q to %q", what, name, from, to) + e.also(c)
	case qa.ChangeImage:
		if c.from == c.to {
			return "the image of " + name + " changed" + e.also(c)
		}
		return fmt.Sprintf("the image of %s changed from %q to %q", name, c.from, c.to) + e.also(c)
	default:
		if c.parts > 0 {
			name = fmt.Sprintf("the %d parts of %s", c.parts, name)
		}
		return fmt.Sprintf("%s of %s %s", c.property, name, values(c.from, c.to)) + e.also(c)
	}
}

// state reports whether a text is one that a map has for the state of a check box.
func state(text string) bool { return text == "checked" || text == "not checked" || text == "mixed" }

// also names further styles that changed with it.
func (e *explainer) also(c *change) string {
	var parts []string
	for _, x := range c.more[:min(len(c.more), 3)] {
		x = x.singleSide()
		parts = append(parts, x.property+" "+values(x.from, x.to))
	}
	if more := len(c.more) - len(parts); more > 0 {
		parts = append(parts, texts.Count(more, "other style")+" changed")
	}
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

// itself reports where a style that only places an element has put it.
func (e *explainer) itself(c *change) string {
	if _, ok := placingStyles[c.property]; !ok || c.kind != qa.ChangeStyle || !e.outermost(c.a) {
		return ""
	}
	if by := e.relativeShift(c.a); pixelsOf(by.dx) != 0 || pixelsOf(by.dy) != 0 {
		return ", it moved " + direction(pixelsOf(by.dx), pixelsOf(by.dy))
	}
	return ""
}

func (e *explainer) others(c *change) string {
	if len(c.alike) == 0 || c.parts > 0 {
		return ""
	}
	return " and so did " + texts.Count(len(c.alike), "other element")
}

// alike reports that an element changed as another one did.
func (e *explainer) alike(c *change) string { return e.what(c) }

// values reports how a value changed.
func values(from, to string) string {
	f, t := pixels(from), pixels(to)
	if len(f) == 1 && len(t) == 1 {
		if t[0] > f[0] {
			return "grew from " + from + " to " + to
		}
		return "shrank from " + from + " to " + to
	}
	from, to = excerpts(from, to)
	return "changed from " + from + " to " + to
}

func (e *explainer) movement(c *change) string {
	if c.property != "order" {
		if by := direction(pixelsOf(e.shift[c.a].dx), pixelsOf(e.shift[c.a].dy)); by != "" {
			return " moved " + by
		}
		return " moved by less than a pixel"
	}
	was, is := e.neighbour(e.before, c.b), e.neighbour(e.after, c.a)
	return " moved: it stood " + was + " and stands " + is
}

// neighbour names what an element stands behind.
func (e *explainer) neighbour(t *tree, i int) string {
	kids := t.kids[t.up(i)]
	for at := slices.Index(kids, i) - 1; at >= 0; at-- {
		if !t.extent[kids[at]].empty() {
			return "behind " + t.name(kids[at])
		}
	}
	return "first"
}

func direction(dx, dy int) string {
	var parts []string
	switch {
	case dy > 0:
		parts = append(parts, fmt.Sprintf("down by %d px", dy))
	case dy < 0:
		parts = append(parts, fmt.Sprintf("up by %d px", -dy))
	}
	switch {
	case dx > 0:
		parts = append(parts, fmt.Sprintf("to the right by %d px", dx))
	case dx < 0:
		parts = append(parts, fmt.Sprintf("to the left by %d px", -dx))
	}
	return strings.Join(parts, " and ")
}

func resizing(was, is rect) string {
	var parts []string
	say := func(from, to int, more, less string) {
		if to > from {
			parts = append(parts, fmt.Sprintf("%s by %d px", more, to-from))
		} else if to < from {
			parts = append(parts, fmt.Sprintf("%s by %d px", less, from-to))
		}
	}
	say(was.right-was.left, is.right-is.left, "wider", "narrower")
	say(was.bottom-was.top, is.bottom-is.top, "higher", "lower")
	return " became " + strings.Join(parts, " and ")
}

// pushes sums up what a change moved: the commonest distance, and the rest.
func (e *explainer) pushes(c *change) string {
	var by [2]int
	all, most := 0, 0
	for d, n := range c.pushed {
		all += n
		if n > most || n == most && (d[0] < by[0] || d[0] == by[0] && d[1] < by[1]) {
			by, most = d, n
		}
	}
	if all == 0 {
		return ""
	}
	text := fmt.Sprintf("; it pushed %s %s", texts.Count(most, "element"), direction(by[0], by[1]))
	if rest := all - most; rest > 0 {
		text += fmt.Sprintf(" and moved %d more", rest)
	}
	return text
}

// nameOf returns the element's name for a reader: the one before, where that is what
// changed.
func (e *explainer) nameOf(c *change) string {
	if c.b >= 0 {
		return e.before.name(c.b)
	}
	return e.after.name(c.a)
}

// line matches a selector that reads as a name: a line of a snapshot, or a test id.
var line = pattern.New(`^(frame ("([^"\\]|\\.)*"|\[\d+\])( \[\d+\])? > )*([a-z]+ ("|\[\d+\]$)|testid=)`)

// name returns an element's line where it has one; else its tag with its text, or
// with what it stands in.
func (t *tree) name(i int) string {
	e := t.all[i]
	if whole(e) {
		return "the page"
	}
	if line.MatchString(e.Selector) {
		return glyphs.ReplaceAllString(e.Selector, "")
	}
	what := tag(e.Path)
	if what == "" {
		what = "element"
	}
	if text := t.firstText(i); text != "" {
		return fmt.Sprintf("%s %q", what, texts.Fit(text, 40))
	}
	if own := classes(e.Path); len(own) > 0 && e.Image == "" {
		what += " ." + strings.TrimPrefix(own[0], "#")
	}
	for up := e.Parent; up >= 0; up = t.all[up].Parent {
		if line.MatchString(t.all[up].Selector) {
			return what + " in " + t.all[up].Selector
		}
	}
	return what
}

// firstText returns what is read first in an element.
func (t *tree) firstText(i int) string {
	for k := i; k < i+t.size[i] && k < len(t.all); k++ {
		if text := t.all[k].Text; text != "" && t.within(k, i) && !glyphs.MatchString(text) {
			return text
		}
	}
	return ""
}

// maxShown limits how much of a value a sentence shows.
const maxShown = 80

// excerpts cuts two long texts so that the place where they begin to differ is
// in them.
func excerpts(from, to string) (string, string) {
	f, t := []rune(from), []rune(to)
	if len(f) <= maxShown && len(t) <= maxShown {
		return from, to
	}
	same := 0
	for same < len(f) && same < len(t) && f[same] == t[same] {
		same++
	}
	start := 0
	if same > maxShown/2 {
		start = same - maxShown/4
	}
	cut := func(r []rune) string {
		r = r[min(start, len(r)):]
		text := texts.Fit(string(r), maxShown)
		if start > 0 {
			text = "…" + text
		}
		return text
	}
	return cut(f), cut(t)
}

// smallest returns the smallest element of the after map around a place; -1: none.
func (e *explainer) smallest(place rect) int {
	best := -1
	for i, x := range e.after.all {
		if box := boxOf(x); box.grow(margin).holds(place) && (best < 0 || box.area() <= boxOf(e.after.all[best]).area()) {
			best = i
		}
	}
	return best
}

// unexplained returns the region of an element that is painted differently for no
// reason that is in the maps.
func (e *explainer) unexplained(i int) *qa.VisualRegion {
	r := &qa.VisualRegion{Kind: qa.ChangePixels, Cause: true, Text: "the picture differs where no element was read"}
	if i < 0 {
		return r
	}
	r.Selector, r.Text = e.after.all[i].Selector, e.after.name(i)+" is painted differently; nothing that was read of it says why"
	if image := e.after.all[i].Image; image != "" {
		r.Kind, r.From, r.To, r.Text = qa.ChangeImage, address(image), address(image), "the image of "+e.after.name(i)+" shows something else"
	}
	return r
}
