package admit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// line is a line of a page's outline: a selector of its element.
type line struct {
	selectors.Line
	landmarks []string // those that it lies in, the innermost first
	item      bool     // it is an item of a list or table, or lies in one
	invalid   bool     // the field says that its entry is wrong
}

// outline is a page as its lines.
type outline []line

// landmarkRoles lists the roles of a page's parts. A dialog and a message are such too:
// they have their place wherever they are.
var landmarkRoles = []string{"main", "navigation", "banner", "contentinfo", "complementary", "region", "form", "search"}
var messageRoles = []string{"dialog", "alertdialog", "alert", "status"}

// itemRoles lists the roles of records in lists and tables, and of their parts.
var itemRoles = []string{"row", "listitem", "cell", "gridcell", "article", "option", "treeitem"}

// maxMarks bounds the landmarks that are tried for what is no line of the outline.
const maxMarks = 8

// outline reads the page's outline.
func (p *page) outline(ctx context.Context) (outline, error) {
	o, _, err := p.session.Snapshot(ctx, browser.OutlineOptions{MaxChars: maxOutline})
	if err != nil {
		return nil, err
	}
	return readOutline(o.Text), nil
}

func readOutline(text string) outline {
	type level struct {
		indent   int
		landmark string
		item     bool
	}
	var out outline
	var above []level
	for raw := range strings.Lines(text) {
		trimmed := strings.TrimLeft(raw, " ")
		indent := len(raw) - len(trimmed)
		l, marks, ok, err := selectors.ScanLine(strings.TrimPrefix(strings.TrimRight(trimmed, "\n"), "- "))
		if !ok || err != nil {
			// A line without a name is a bare role.
			word := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimRight(trimmed, "\n"), "- "), ":"))
			l, ok = selectors.Line{Role: word}, slices.Contains(landmarkRoles, word) || slices.Contains(messageRoles, word)
		}
		for len(above) > 0 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		if !ok {
			continue
		}
		entry := line{Line: l, invalid: markedInvalid.MatchString(marks), item: slices.Contains(itemRoles, l.Role) || len(above) > 0 && above[len(above)-1].item}
		for i := len(above) - 1; i >= 0; i-- {
			if above[i].landmark != "" {
				entry.landmarks = append(entry.landmarks, above[i].landmark)
			}
		}
		out = append(out, entry)
		mark := ""
		if slices.Contains(landmarkRoles, l.Role) || slices.Contains(messageRoles, l.Role) {
			mark = selectorOf(l)
		}
		above = append(above, level{indent, mark, entry.item})
	}
	return out
}

// markedInvalid matches what follows the line of a field whose entry is wrong.
var markedInvalid = pattern.New(`^(?: \[[^\]]*\])*? \[invalid\]`)

// selectorOf returns a line as a selector. The first of a landmark without a name is found
// by its role: where there are others, it is not found alone.
func selectorOf(l selectors.Line) string {
	if l.Name == "" && l.Nth <= 1 {
		return "role=" + l.Role
	}
	return l.String()
}

// landmarks returns all landmarks of a page, the innermost ones first.
func (o outline) landmarks() []string {
	var out []string
	for _, l := range o {
		if slices.Contains(landmarkRoles, l.Role) || slices.Contains(messageRoles, l.Role) {
			out = append(out, selectorOf(l.Line))
		}
	}
	slices.Reverse(out)
	return out
}

// scoped returns selectors within a landmark of the page: the first that leads to one
// element there. On a page without landmarks they are returned as they are, and so is a
// line outside of them where none of them is for the content of the page, or where it has a role
// and a name, as those of a drawer have that an application puts below all else. A mere text
// outside of them could be taken for one elsewhere.
func (p *page) scoped(ctx context.Context, locators []string, o outline) []string {
	marks := o.landmarks()
	if len(marks) == 0 {
		return locators
	}
	for _, l := range locators {
		t, err := selectors.Parse(l)
		if err != nil {
			continue
		}
		if len(t.Frames) > 0 || message(t) { // a frame is a part of its own
			return []string{l}
		}
		tried := o.around(l)
		switch {
		case tried == nil: // it is no line
			tried = marks[:min(len(marks), maxMarks)]
		case len(tried) == 0 && (named(t) || !slices.ContainsFunc(o, func(l line) bool { return l.Role == "main" })):
			return []string{l}
		}
		inside := make([]string, len(tried))
		for i, m := range tried {
			inside[i] = m + " >> " + l
		}
		if n := slices.IndexFunc(inside, p.ones(ctx, inside)); n >= 0 {
			return inside[n : n+1]
		}
	}
	return nil
}

// named reports whether a selector leads to an element with a role by its name.
func named(t selectors.Selector) bool {
	last := t.Parts[len(t.Parts)-1]
	return last.Line != nil && last.Line.Named && last.Line.Role != "text"
}

// message reports whether a selector leads to a dialog, an alert or a status.
func message(t selectors.Selector) bool {
	last := t.Parts[len(t.Parts)-1]
	return last.Line != nil && slices.Contains(messageRoles, last.Line.Role)
}

// around returns the landmarks around the line that a selector is; nil where it is none
// of the outline.
func (o outline) around(selector string) []string {
	for _, l := range o {
		if selectorOf(l.Line) == selector {
			return append([]string{}, l.landmarks...)
		}
	}
	return nil
}

// resolve finds how what a step is expected to lead to is found on the live page. why
// says why it is not asserted.
func (p *page) resolve(ctx context.Context, e generate.Expect, acted []string, s *generate.Step, gone []string, after outline) (out generate.Expect, why string) {
	switch {
	case e.Assertion.Type == qa.Hidden:
		if e.Target.Locators = gone; len(gone) == 0 {
			return e, "before the step no locator led to exactly one element within a landmark"
		}
		return e, ""
	case len(e.Target.Locators) == 0:
		return e, ""
	case slices.Equal(e.Target.Locators, acted): // the element that the step itself is about
		e.Target = s.Act.Target
		return e, ""
	}
	found, other := p.better(ctx, e.Target.Locators)
	if other != "" {
		return e, fmt.Sprintf("it is not there: where it was is %q", text.Shorten(other, 60))
	}
	if len(found) == 0 {
		return e, "no locator leads to exactly one element: " + p.counts(ctx, e.Target.Locators)
	}
	e.Target.Locators = p.scoped(ctx, found, after)
	if len(e.Target.Locators) == 0 {
		return e, "it lies in no landmark, so a text elsewhere on the page could be taken for it"
	}
	if v := p.volatile(ctx, e.Target.Locators[0], s.Volatile); v != "" {
		return e, "it lies in " + v + ", which changes by itself"
	}
	if says(e.Target.Locators[0], e.Assertion.Expected) && e.Assertion.Type == qa.TextContains {
		e.Assertion = qa.Assertion{Type: qa.Visible}
	}
	return e, ""
}

// says reports whether a selector's own name is a text.
func says(selector, text string) bool {
	t, err := selectors.Parse(selector)
	if err != nil {
		return false
	}
	last := t.Parts[len(t.Parts)-1]
	return last.Line != nil && last.Line.Named && last.Line.Name == text
}

// volatile returns the part that changes by itself in which an element lies; empty
// where it lies in none.
func (p *page) volatile(ctx context.Context, selector string, parts []string) string {
	t, err := selectors.Parse(selector)
	if err != nil || len(t.Frames) > 0 {
		return ""
	}
	last := t.Parts[len(t.Parts)-1].String()
	for _, part := range parts {
		if p.count(ctx, part+" >> "+last) > 0 {
			return part
		}
	}
	return ""
}

// proseRoles lists the roles whose lines quote their text, though it is not their name.
var proseRoles = []string{"paragraph", "listitem", "blockquote", "term", "definition", "caption", "note"}

// has reports whether an element that must be seen after a step is in the outline
// already.
func (o outline) has(e generate.Expect) bool {
	if e.Assertion.Type != qa.Visible {
		return false
	}
	t, err := selectors.Parse(e.Target.Locators[0])
	if err != nil || len(t.Frames) > 0 {
		return false
	}
	last := t.Parts[len(t.Parts)-1].Line
	if last == nil || last.Nth > 0 {
		return false
	}
	mark := ""
	if len(t.Parts) > 1 {
		mark = t.Parts[0].String()
	}
	return slices.ContainsFunc(o, func(l line) bool {
		return l.Role == last.Role && l.Name == last.Name && (mark == "" || slices.Contains(l.landmarks, mark))
	})
}

// selectorsOf returns how a line is found by what it says, the plainest first.
func selectorsOf(l selectors.Line) []string {
	if (l.Role == "text" || slices.Contains(proseRoles, l.Role)) && !strings.ContainsAny(l.Name, "\"\\") {
		return []string{`text="` + l.Name + `"`, selectorOf(l)}
	}
	return []string{selectorOf(l)}
}

// clockLike matches texts that tell a time of day, or how long ago something was.
var clockLike = pattern.New(`(?i)\b\d{1,2}:\d{2}\b|\b(?:ago|just now)\b|\b\d{4}-\d{2}-\d{2}\b`)

// playwrights returns a selector as the locators of a Playwright test find its element.
// ok is false for one that a test can't say.
func playwrights(selector string) (string, bool) {
	t, err := selectors.Parse(selector)
	if err != nil {
		return "", false
	}
	var parts []selectors.Part
	for _, part := range t.Parts {
		l := part.Line
		switch {
		case l == nil:
			parts = append(parts, part)
			continue
		case strings.HasSuffix(l.Name, "…") || l.Role == "row" || l.Role == "frame":
			return "", false
		case l.Role == "text" || l.Role == "clickable":
			if !l.Named || l.Nth > 0 {
				return "", false
			}
			parts = append(parts, selectors.Part{Engine: "text", Body: cssText(l.Name)})
			continue
		case l.Named && slices.Contains(proseRoles, l.Role): // a test reads their text without line breaks
			return "", false
		}
		body := l.Role
		if l.Named {
			body += "[name=" + cssText(l.Name) + "]"
		}
		parts = append(parts, selectors.Part{Engine: "role", Body: body})
		if l.Nth > 0 {
			parts = append(parts, selectors.Part{Engine: "nth", Body: strconv.Itoa(l.Nth - 1)})
		}
	}
	t.Parts = parts
	return t.String(), true
}

// cssText returns a text in quotes as Playwright's engines read it.
func cssText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
