package browser

import (
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/selectors"
)

// target holds a parsed selector, and the frame to search.
type target struct {
	frame playwright.Frame // instead of the page, without hops; nil: in the page
	selectors.Selector
}

// parseSelector reads a selector of any accepted form.
func parseSelector(s string) (target, error) {
	parsed, err := selectors.Parse(s)
	if err != nil {
		return target{}, invalid(selectors.Accepted, "%v", err)
	}
	return target{Selector: parsed}, nil
}

// CheckSelector reports whether a selector has one of the accepted forms. What
// only a page can tell, such as CSS that the browser refuses, is not known.
func CheckSelector(selector string) error {
	_, err := parseSelector(selector)
	return err
}

// query returns the part as Playwright reads it.
func query(p selectors.Part) string {
	switch {
	case p.Line != nil:
		return outlineEngine + "=" + p.Line.String()
	case p.Engine == "testid":
		return "css=[data-testid=" + cssString(p.Body) + "]"
	case p.Engine == "label":
		return labelQuery(p.Body)
	default:
		return p.Engine + "=" + p.Body
	}
}

// labelQuery returns what Playwright's GetByLabel asks for: a quoted label must be
// equal, any other is a part of it in any case.
func labelQuery(body string) string {
	if text, ok := selectors.Unquote(body); ok {
		return "internal:label=" + jsonString(text) + "s"
	}
	return "internal:label=" + jsonString(body) + "i"
}

// cssString writes a text as a CSS string; quotes around it are taken off first.
func cssString(s string) string {
	if text, ok := selectors.Unquote(s); ok {
		s = text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// locator finds the target in a page; nothing is looked up yet.
func (t target) locator(p playwright.Page) playwright.Locator {
	queries := make([]string, len(t.Parts))
	for i, part := range t.Parts {
		queries[i] = query(part)
	}
	return t.in(p, strings.Join(queries, " >> "))
}

// in returns a query in the document that the target is about.
func (t target) in(p playwright.Page, query string) playwright.Locator {
	if t.frame != nil {
		return t.frame.Locator(query)
	}
	return inFrames(p, t.Frames, query)
}

// inFrames returns a query in the frame that the hops lead to.
func inFrames(p playwright.Page, hops []selectors.Line, query string) playwright.Locator {
	if len(hops) == 0 {
		return p.Locator(query)
	}
	frame := p.FrameLocator(outlineEngine + "=" + hops[0].String())
	for _, hop := range hops[1:] {
		frame = frame.FrameLocator(outlineEngine + "=" + hop.String())
	}
	return frame.Locator(query)
}

// lookTimeout bounds a look at something that is already there.
const lookTimeout = 2 * time.Second

// count returns how many elements match now. A frame that is not there has none.
func (t target) count(p playwright.Page) (int, error) {
	n, err := t.locator(p).Count()
	if err != nil {
		if strings.Contains(rawText(err), "Failed to find frame") {
			return 0, nil
		}
		return 0, selectorError(t, err)
	}
	return n, nil
}

// aimed describes what a target leads to, just before a click.
type aimed struct {
	Count int  `json:"count"`
	Ready bool `json:"ready"` // one element, which a click can begin on
	known bool // it is known what a click would do:
	actionElement
}

// aim looks once at what a click on the target would meet. Where lines of a
// snapshot lead there, one question to the page is enough.
func (t target) aim(p playwright.Page, limit time.Duration) (a aimed, err error) {
	lines := make([]string, 0, len(t.Parts))
	for _, part := range t.Parts {
		if part.Line != nil {
			lines = append(lines, part.Line.String())
		}
	}
	if t.frame == nil && len(t.Frames) == 0 && len(lines) == len(t.Parts) {
		err = askEngine(p.Locator(engineAsk{Op: "aim", Lines: lines}.query()), limit, &a)
		a.known = err == nil && a.Count == 1
		return a, err
	}
	if a.Count, err = t.count(p); err == nil && a.Count == 1 {
		a.Ready = readyNow(t.locator(p))
	}
	return a, err
}

// ambiguous returns the error for a selector that several elements match. Its page
// text lists them as selectors that match one each.
func (t target) ambiguous(p playwright.Page, n int) error {
	limit := 10
	if n > 100 { // to describe one takes a look at all of them
		limit = 2
	}
	lines, err := t.candidates(p, limit)
	if err != nil {
		return err
	}
	return &Error{Code: SelectorAmbiguous, Message: fmt.Sprintf("%d elements match %s", n, t), Hint: "use one of:", Page: lines}
}

// notFound returns the error for a selector that nothing matches. Its page text
// lists what comes nearest.
func (t target) notFound(p playwright.Page) error {
	e := &Error{Code: ElementNotFound, Message: "no element matches " + t.String(), Retriable: true, Hint: "call page_snapshot and use one of its lines"}
	if near, err := nearestLines(p, t, 5); err == nil && len(near) > 0 {
		e.Hint, e.Page = "nearest:", near
	}
	return e
}

// candidates returns the elements that match, as selectors that match one each.
// Where a frame on the way is what is ambiguous, they are the ways through it.
func (t target) candidates(p playwright.Page, limit int) ([]string, error) {
	l, before, after := t.locator(p), t.Prefix(), ""
	for i, hop := range t.Frames {
		at := inFrames(p, t.Frames[:i], outlineEngine+"="+hop.String())
		if n, err := at.Count(); err != nil || n > 1 {
			l, before, after = at, selectors.Selector{Frames: t.Frames[:i]}.Prefix(), " > "+selectors.Selector{Frames: t.Frames[i+1:], Parts: t.Parts}.String()
			break
		}
	}
	lines, err := describe(l, limit)
	for i := range lines {
		lines[i] = before + lines[i] + after
	}
	return lines, err
}

// describe says what a locator finds, each element as a selector within its
// frame: its snapshot line, or a CSS path where it has none.
func describe(l playwright.Locator, limit int) ([]string, error) {
	n, err := l.Count()
	if err != nil {
		return nil, err
	}
	var lines []string
	for i := range min(n, limit) {
		var answer struct {
			Line string `json:"line"`
		}
		at := l.Nth(i).Locator(engineAsk{Op: "line"}.query())
		if err := askEngine(at, lookTimeout, &answer); err != nil {
			return lines, err
		}
		lines = append(lines, answer.Line)
	}
	return lines, nil
}

// nearestLines returns the lines of the page that are nearest to a target
// without a match: those of the first missing frame, or else of the element.
// It returns none for a target in CSS or XPath.
func nearestLines(p playwright.Page, t target, limit int) ([]string, error) {
	missing := selectors.Selector{Frames: t.Frames}
	wanted := t.Parts[len(t.Parts)-1].Line
	for i, hop := range t.Frames {
		n, err := inFrames(p, t.Frames[:i], outlineEngine+"="+hop.String()).Count()
		if err != nil {
			return nil, err
		}
		if n != 1 {
			missing.Frames, wanted = t.Frames[:i], &hop
			break
		}
	}
	if wanted == nil {
		last := t.Parts[len(t.Parts)-1]
		if last.Engine != "text" {
			return nil, nil
		}
		name, _ := selectors.Unquote(last.Body)
		wanted = &selectors.Line{Role: "text", Name: strings.TrimSpace(firstNonEmpty(name, last.Body)), Named: true}
	}
	var answer struct {
		Lines []string `json:"lines"`
	}
	ask := engineAsk{Op: "near", Role: wanted.Role, Name: wanted.Name, Limit: limit}
	if err := askEngine(inFrames(p, missing.Frames, ask.query()), lookTimeout, &answer); err != nil {
		return nil, err
	}
	for i := range answer.Lines {
		answer.Lines[i] = missing.Prefix() + answer.Lines[i]
	}
	return answer.Lines, nil
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// selectorTroubles lists what Playwright and the browser say about an invalid
// query, as opposed to one that matches nothing.
var selectorTroubles = []string{"while parsing", "not a valid selector", "not a valid XPath", "Unsupported token", "Malformed selector",
	"selector cannot be empty", "Role must not be empty", "attribute is only supported for roles", "must be one of", "does not support",
	"Unknown attribute", "Unknown engine", "Invalid regular expression", "must be compared to a number", "SyntaxError", "must have a value"}

// selectorError turns what Playwright says about a selector that is none into
// an [InvalidInput] error; any other error passes.
func selectorError(t target, err error) error {
	if err == nil {
		return nil
	}
	text := rawText(err)
	for _, trouble := range selectorTroubles {
		if strings.Contains(text, trouble) {
			reason, _, _ := strings.Cut(plain(err), "\n")
			return invalid(selectors.Accepted, "%v", selectors.Refuse(t.String(), "%s", reason))
		}
	}
	return err
}
