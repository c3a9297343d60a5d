package browser

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/pagetext"
)

// target holds a parsed selector, and the frame to search.
type target struct {
	frame playwright.Frame // instead of the page, without hops; nil: in the page
	selectors.Selector
}

// parseSelector reads a selector of any accepted form.
func parseSelector(s string) (target, error) {
	parsed, err := input.Selector(s)
	return target{Selector: parsed}, err
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

// quoted returns the target as a part of a message.
func (t target) quoted() pagetext.Sentence { return explain.Quoting(t.String()) }

// locator finds the target in a page; nothing is looked up yet.
func (t target) locator(p playwright.Page) playwright.Locator { return t.in(p, t.query()) }

// query returns how the target is found in its document.
func (t target) query() string {
	queries := make([]string, len(t.Parts))
	for i, part := range t.Parts {
		queries[i] = query(part)
	}
	return strings.Join(queries, " >> ")
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

// entered returns the target in the frame that it leads into, as one question to each document
// on the way tells it: what is asked there then takes one trip. Where that can't be told, as of
// a frame of another process or of two that show the same, it is returned as it is. A frame may
// be another one later.
func (t target) entered(p playwright.Page, limit time.Duration) target {
	if t.frame != nil || len(t.Frames) == 0 {
		return t
	}
	at := p.MainFrame()
	for _, hop := range t.Frames {
		var shown struct{ URL string }
		if askEngine(at.Locator(engineAsk{Op: "frame", Lines: []string{hop.String()}}.query()), limit, &shown) != nil || shown.URL == "" {
			return t
		}
		like := slices.DeleteFunc(at.ChildFrames(), func(f playwright.Frame) bool { return f.URL() != shown.URL })
		if len(like) != 1 {
			return t
		}
		at = like[0]
	}
	t.frame = at
	return t
}

// count returns how many elements match now. A frame that is not there has none.
func (t target) count(p playwright.Page) (int, error) {
	n, err := t.locator(p).Count()
	if err != nil {
		if isFrameMissing(err) {
			return 0, nil
		}
		return 0, selectorError(t, err)
	}
	return n, nil
}

// lines returns the lines of a snapshot that lead to the target; all reports whether nothing
// else does.
func (t target) lines() (lines []string, all bool) {
	for _, part := range t.Parts {
		if part.Line != nil {
			lines = append(lines, part.Line.String())
		}
	}
	return lines, len(lines) == len(t.Parts)
}

// ask puts a question about the one element that a target leads to, and decodes the answer
// where there is just one; n is how many there are. Where lines of a snapshot lead there,
// one trip to the page is enough.
func (t target) ask(p playwright.Page, q engineAsk, limit time.Duration, n *int, answer any) error {
	if lines, all := t.lines(); all && (t.frame != nil || len(t.Frames) == 0) {
		q.Lines = lines
		return askEngine(t.in(p, q.query()), limit, answer)
	}
	found, err := t.count(p)
	if *n = found; err != nil || found != 1 {
		return err
	}
	return askEngine(t.locator(p).Locator(q.query()), limit, answer)
}

// ambiguous returns the error for a selector that several elements match. Its page
// text lists them as selectors that match one each.
func (t target) ambiguous(p playwright.Page, n int) error {
	limit := 10
	if n > 100 { // to describe one takes a look at all of them
		limit = 2
	}
	found, err := t.candidates(p, limit)
	if err != nil {
		return err
	}
	var lines, places []string
	for _, c := range found {
		lines, places = append(lines, c.selector), append(places, c.place)
	}
	return explain.Several(t.String(), n, lines, places)
}

// maxNearest bounds how many elements an error names in place of a missing one.
const maxNearest = 3

// absent looks for what comes nearest to a selector that nothing matches.
func (t target) absent(p playwright.Page) explain.Absent {
	out := explain.Absent{Selector: t.String(), Words: t.PlainWords()}
	if nearest, alike, err := nearestLines(p, t, maxNearest); err == nil { // else the hint names none
		out.Nearest, out.Alike = nearest, alike
	}
	return out
}

// notFound returns the error for a selector that nothing matches. Its page text
// lists what comes nearest.
func (t target) notFound(p playwright.Page) error { return t.absent(p).Explain() }

// candidates returns the elements that match, as selectors that match one each.
// Where a frame on the way is what is ambiguous, they are the ways through it.
func (t target) candidates(p playwright.Page, limit int) ([]candidate, error) {
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
		lines[i].selector = before + lines[i].selector + after
	}
	return lines, err
}

// candidate holds one of several matches: a selector that matches it alone, and where it
// stands, "" where the page does not tell.
type candidate struct{ selector, place string }

// describe says what a locator finds, each element as a selector within its
// frame: its snapshot line, or a CSS path where it has none.
func describe(l playwright.Locator, limit int) ([]candidate, error) {
	n, err := l.Count()
	if err != nil {
		return nil, err
	}
	var lines []candidate
	for i := range min(n, limit) {
		var answer struct {
			Line  string `json:"line"`
			Place string `json:"place"`
		}
		at := l.Nth(i).Locator(engineAsk{Op: "line", All: true}.query())
		if err := askEngine(at, rest.LookLimit, &answer); err != nil {
			return lines, err
		}
		lines = append(lines, candidate{answer.Line, answer.Place})
	}
	return lines, nil
}

// nearAnswer holds what of a document is near to a missing element.
type nearAnswer struct {
	Lines  []string  `json:"lines"`
	Scores []float64 `json:"scores"`
	First  []string  `json:"first"`
	Frames []string  `json:"frames"`
}

// nearestLines returns the selectors of the elements that are nearest to a target
// without a match, in the document that it is about and in all others. Where a
// frame on its way is missing, the nearest frames come first unless the element
// itself is found elsewhere. Without any, it returns the first controls of the page, and alike is
// false.
func nearestLines(p playwright.Page, t target, limit int) (lines []string, alike bool, err error) {
	ask, missing := t.nearQuestion(limit), -1
	for i, hop := range t.Frames {
		n, err := inFrames(p, t.Frames[:i], outlineEngine+"="+hop.String()).Count()
		if err != nil {
			return nil, false, err
		}
		if n != 1 {
			missing = i
			break
		}
	}
	s := nearSearch{page: p, ask: ask, own: selectors.Selector{Frames: t.Frames}.Prefix()}
	if err := s.read(nil); err != nil {
		return nil, false, err
	}
	sort.SliceStable(s.found, func(i, j int) bool { return s.found[i].score > s.found[j].score })
	if missing >= 0 {
		hop := t.Frames[missing]
		frames := nearSearch{page: p, ask: engineAsk{Op: "near", Role: hop.Role, Name: hop.Name, Limit: limit}}
		if err := frames.ask.at(p, t.Frames[:missing], rest.LookLimit, &frames.answer); err != nil {
			return nil, false, err
		}
		exact := slices.IndexFunc(s.found, func(l nearLine) bool { return l.score < sameName })
		if exact < 0 {
			exact = len(s.found)
		}
		var ways []nearLine
		for _, line := range frames.answer.Lines {
			if strings.HasPrefix(line, "frame") {
				ways = append(ways, nearLine{line: selectors.Selector{Frames: t.Frames[:missing]}.Prefix() + line})
			}
		}
		s.found = slices.Insert(s.found, exact, ways...)
	}
	for _, one := range s.found {
		if len(lines) < limit && !slices.Contains(lines, one.line) {
			lines = append(lines, one.line)
		}
	}
	if len(lines) > 0 {
		return lines, true, nil
	}
	return s.first[:min(limit, len(s.first))], false, nil
}

// sameName is the score of the engine for an element of the very name.
const sameName = 8

// nearQuestion returns what the engine is asked about elements near to the target.
func (t target) nearQuestion(limit int) engineAsk {
	ask := engineAsk{Op: "near", Limit: limit}
	last := t.Parts[len(t.Parts)-1]
	for i := len(t.Parts) - 1; i > 0 && (last.Engine == "nth" || last.Engine == "visible"); i-- {
		last = t.Parts[i-1]
	}
	text, quoted := selectors.Unquote(last.Body)
	if !quoted {
		text = last.Body
	}
	switch {
	case last.Line != nil:
		ask.Role, ask.Name = last.Line.Role, last.Line.Name
	case last.Engine == "text":
		ask.Role, ask.Name = "text", strings.TrimSpace(text)
	case last.Engine == "label":
		ask.Role, ask.Name = "textbox", strings.TrimSpace(text)
	case last.Engine == "testid":
		ask.Names = []string{strings.ToLower(text)}
	case last.Engine == "role":
		role, rest, _ := strings.Cut(last.Body, "[")
		ask.Role = strings.TrimSpace(role)
		if named := (selectors.Part{Body: rest}).Words(); len(named) > 0 {
			ask.Name = named[0]
		}
	case t.PlainWords() != "":
		ask.Role, ask.Name = "button", t.PlainWords()
	default:
		ask.Role, ask.Names = tagRole[last.Tag()], last.Words()
		if ask.Names == nil {
			ask.Names = []string{}
		}
	}
	return ask
}

// tagRole gives the roles of the tags that queries in CSS name most.
var tagRole = map[string]string{"a": "link", "button": "button", "input": "textbox", "textarea": "textbox", "select": "combobox", "img": "img", "iframe": "frame",
	"h1": "heading", "h2": "heading", "h3": "heading", "table": "table", "tr": "row", "td": "cell", "li": "listitem", "nav": "navigation", "main": "main", "form": "form"}

type nearLine struct {
	line  string
	score float64
}

// maxSilent bounds how many frames without an answer are waited for.
const maxSilent = 2

// nearSearch looks through the documents of a page.
type nearSearch struct {
	page   playwright.Page
	ask    engineAsk
	own    string // the prefix of the document that the target is about
	asked  int
	silent int // frames that did not answer
	answer nearAnswer
	found  []nearLine
	first  []string
}

// at asks the engine in the frame that the hops lead to.
func (a engineAsk) at(p playwright.Page, hops []selectors.Line, limit time.Duration, answer any) error {
	return askEngine(inFrames(p, hops, a.query()), limit, answer)
}

// read asks one document, and those of the frames in it. A frame that does not
// answer is left out.
func (s *nearSearch) read(hops []selectors.Line) error {
	limit := rest.LookLimit
	if s.asked++; s.asked > maxFrames || s.silent > maxSilent {
		return nil
	}
	if len(hops) > 0 {
		limit = rest.LookLimit / 4
	}
	var answer nearAnswer
	if err := s.ask.at(s.page, hops, limit, &answer); err != nil {
		return err
	}
	prefix := selectors.Selector{Frames: hops}.Prefix()
	for i, line := range answer.Lines {
		score := answer.Scores[i]
		if prefix == s.own {
			score += 0.25 // where it was looked for
		}
		s.found = append(s.found, nearLine{prefix + line, score})
	}
	for _, line := range answer.First {
		s.first = append(s.first, prefix+line)
	}
	if len(hops) >= maxFrameDepth {
		return nil
	}
	for _, frame := range answer.Frames {
		if hop, _, ok, err := selectors.ScanLine(frame); ok && err == nil {
			if s.read(append(slices.Clone(hops), hop)) != nil {
				s.silent++
			}
		}
	}
	return nil
}

// selectorError turns what Playwright says about a selector that is none into
// an [InvalidInput] error; any other error passes.
func selectorError(t target, err error) error {
	if err == nil {
		return nil
	}
	if isNoSelector(err) {
		return explain.NoSelector(t.String(), selectors.Accepted, firstLine(plain(err)))
	}
	return err
}

// awaitAttached waits until the locator finds its one element. The binding's own
// [playwright.Locator.WaitFor] returns a handle of the element in the page's world, for
// which Playwright puts its whole script into each document a second time.
func awaitAttached(l playwright.Locator, limit *float64) error {
	_, err := l.GetAttribute("id", playwright.LocatorGetAttributeOptions{Timeout: limit})
	return err
}

// awaitVisible waits until what the locator finds is visible. That it is one element is
// for whoever uses it then.
func awaitVisible(l playwright.Locator, limit *float64) error {
	return awaitAttached(l.Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}), limit)
}
