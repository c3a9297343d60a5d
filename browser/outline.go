package browser

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/readingorder"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/browser/selectors"
)

// OutlineOptions choose the part of a page to outline. The zero value is all
// of it, within [DefaultOutlineChars].
type OutlineOptions struct {
	Root     string // a selector: only that element and what is in it
	Find     string // only lines that contain this, in any case, and the lines they stand under
	Depth    int    // only so many levels; 0 is all
	MaxChars int    // the longest answer; 0 is DefaultOutlineChars
}

// DefaultOutlineChars bounds an outline's length in characters where the
// caller sets no limit.
const DefaultOutlineChars = 8000

// Outline holds a page as text. Each line is also a selector of its element.
type Outline struct {
	Text  string
	Lines int    // of the page or of the root
	Shown int    // of these, in Text
	Cut   string // what was left out and how to get it, the last line of Text; empty when nothing was
}

// outlineEngine names our selector engine in Playwright.
const outlineEngine = "assay"

// The engine's parts, in the order in which they build on each other.
//
//go:embed outline/*.js
var engineSources embed.FS

func engineScript() (string, error) {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	b.WriteString(readingorder.Script())
	for _, part := range []string{
		"dom", "text_forms", "aria_roles", "accessible_names", "secret_fields", "screen_order", "outline_index", "line_decorations", "line_search", "outline_print",
		"selector_engine", "cells_by_heads", "activation", "control_state", "element_at_point", "element_identity", "element_facts", "comparable_pose",
		"element_layout", "visibility_rules", "ending_animations", "visible_texts", "typed_values",
		"prepared_act", "visible_element", "named_element", "brought_by_scrolling", "outline_visibility_marks",
		"unaccounted_paint", "number_writing", "element_property", "blink", "text_visibility", "altered_since", "stood_before", "texts_of_document", "unrendered_rows",
		"figures_on_page", "page_rest", "page_waits", "scrolled_through", "seen_in_place", "outline_changes", "late_shifts", "icon_glyphs", "page_health", "page_scan",
		"observed_from_start", "shown_words",
	} {
		source, err := engineSources.ReadFile("outline/" + part + ".js")
		if err != nil {
			return "", fmt.Errorf("reading the outline engine: %w", err)
		}
		b.Write(source)
	}
	b.WriteString("\nreturn { queryAll };\n})()")
	return compact(b.String()), nil
}

// observerScript observes each document until the engine comes.
func observerScript() (string, error) {
	source, err := engineSources.ReadFile("outline/observed_from_start.js")
	if err != nil {
		return "", fmt.Errorf("reading the observer of documents: %w", err)
	}
	return compact(string(source)), nil
}

// compact returns a script without its indentation and its lines of comment, and in ASCII
// alone: every document compiles it, and V8 keeps and reads a text twice as large where one
// letter of it is beyond Latin-1. A literal of several lines loses its indentation, too.
func compact(script string) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		line = strings.TrimLeft(line, " ")
		if strings.HasPrefix(line, "//") {
			continue
		}
		for _, r := range line {
			if r < 0x80 {
				b.WriteByte(byte(r))
				continue
			}
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, "\\u%04x", unit)
			}
		}
	}
	return b.String()
}

// registerEngines teaches Playwright to find elements by snapshot lines. It
// must run before the first page opens. As a content script the engine runs
// in Playwright's own world, which the page's scripts can't reach.
func registerEngines(pw *playwright.Playwright) error {
	script, err := engineScript()
	if err != nil {
		return err
	}
	err = pw.Selectors.Register(outlineEngine, playwright.Script{Content: &script},
		playwright.SelectorsRegisterOptions{ContentScript: playwright.Bool(true)})
	if err != nil {
		return fmt.Errorf("registering the outline engine with Playwright: %w", err)
	}
	return nil
}

// engineAsk encodes a question to the engine, in place of a line.
type engineAsk struct {
	Op       string        `json:"op"`
	Find     string        `json:"find,omitempty"`
	Role     string        `json:"role,omitempty"`
	Name     string        `json:"name,omitempty"`
	Limit    int           `json:"limit,omitempty"`
	Names    []string      `json:"names,omitempty"`  // of dom: attributes; of near: the words of a query; of readings: languages
	Within   int           `json:"within,omitempty"` // of waits, changes and scan: ms
	Lines    []string      `json:"lines,omitempty"`  // lead to the element that aim and other questions before and after an act are about
	Key      bool          `json:"key,omitempty"`    // of about and aim: a key is to be pressed, not a pointer
	Point    bool          `json:"point,omitempty"`  // of aim: where; a click there follows
	Values   string        `json:"values,omitempty"` // see secretsQuery
	X        float64       `json:"x,omitempty"`      // of at: CSS pixels in the document's viewport
	Y        float64       `json:"y,omitempty"`
	Around   bool          `json:"around,omitempty"`   // of scrollEnds: scrollers around the element, not those in it
	Identify bool          `json:"identify,omitempty"` // of at and focus: answer what the element is
	Lang     string        `json:"lang,omitempty"`     // of itemTexts: the language that numbers are written in, whatever is declared
	Look     string        `json:"look,omitempty"`     // of dom, identity and what a person sees
	Top      bool          `json:"top,omitempty"`      // of pose
	Walk     bool          `json:"walk,omitempty"`     // of pose
	Taken    int           `json:"taken,omitempty"`    // of pose
	All      bool          `json:"all,omitempty"`      // of texts: those that are not rendered too; of elements: ask for rows that are not
	Apart    bool          `json:"apart,omitempty"`    // of texts: tell which gaps are seen
	Spans    []spanJSON    `json:"spans,omitempty"`    // of judge and blink
	Boxes    [][4]float64  `json:"boxes,omitempty"`    // of reads: left, top, width and height of each
	Items    []int         `json:"items,omitempty"`    // of blink
	Piece    int           `json:"piece"`              // of reveal; -1 is the first element, -2 the second
	Named    bool          `json:"named,omitempty"`    // of rest: say what moves
	Calm     bool          `json:"calm,omitempty"`     // of rest: say since when nothing is changed, where nothing can come
	GoesOn   bool          `json:"goesOn,omitempty"`   // of mark: no check came since the act before
	Last     bool          `json:"last,omitempty"`     // of scriptClicks: end the watch
	CSS      string        `json:"css,omitempty"`      // of shown: say which of it stood in what this selects; of blind: whether any was taken away
	Secret   bool          `json:"secret,omitempty"`   // of filled and put: name is one, so what the field holds is not answered
	Scan     *scan.Options `json:"scan,omitempty"`
	Asks     []engineAsk   `json:"asks,omitempty"` // of beside and together
	UID      string        `json:"uid,omitempty"`  // an attribute to report beside each line; tests only
}

func (a engineAsk) query() string { return outlineEngine + "=" + jsonString(a) }

// askEngine puts the question where at leads to and decodes the answer. The
// answer comes as the text of an element that is in no page. A timeout of 0 is
// none.
func askEngine(at playwright.Locator, timeout time.Duration, answer any) error {
	text, err := at.TextContent(playwright.LocatorTextContentOptions{Timeout: playwright.Float(float64(timeout.Milliseconds()))})
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), answer); err != nil {
		return fmt.Errorf("the outline engine's answer is not what it should be: %w", err)
	}
	return nil
}

func jsonString(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // strings and structs of strings always marshal
		return `""`
	}
	return string(b)
}

// takeOutline reads the page, its open shadow roots and its frames.
func takeOutline(p playwright.Page, opt OutlineOptions, timeoutMs float64) (Outline, error) {
	timeout := time.Duration(timeoutMs) * time.Millisecond
	r := outlineReader{page: p, ask: engineAsk{Op: "outline", Find: opt.Find}, patience: min(timeout/2, rest.FramesLimit)}
	if err := r.readAll(opt.Root, timeout); err != nil {
		return Outline{}, err
	}
	return composeOutline(r.lines, r.unread, r.capped, opt), nil
}

// outlineRoot finds the one element that an outline is rooted at.
func outlineRoot(p playwright.Page, selector string) (target, error) {
	t, err := parseSelector(selector)
	if err != nil {
		return t, err
	}
	n, err := t.count(p)
	if err != nil || n == 1 {
		return t, err
	}
	if n > 1 {
		return t, t.ambiguous(p, n)
	}
	return t, t.notFound(p)
}

const (
	maxFrames     = 40
	maxFrameDepth = 6
)

// outlineLine holds one line as the engine returns it.
type outlineLine struct {
	Depth  int    `json:"d"`
	Head   string `json:"h"` // the selector within its frame
	State  string `json:"s"` // decorations
	Frame  int    `json:"f"` // 1 for a frame
	Match  int    `json:"m"` // 1 when it contains what was asked for
	UID    string `json:"u"`
	Prefix string `json:"-"` // the frames before Head
}

type outlineAnswer struct {
	Lines  []outlineLine `json:"lines"`
	More   int           `json:"more"`
	Capped bool          `json:"capped"`
}

// outlineReader gathers the lines of a page and of the frames in it.
type outlineReader struct {
	page     playwright.Page
	ask      engineAsk
	patience time.Duration // what may still be spent on frames that don't answer
	lines    []outlineLine
	frames   int
	unread   int  // lines the engine counted but did not send
	capped   bool // whether a document was larger than the engine reads
}

func (r *outlineReader) readAll(root string, timeout time.Duration) error {
	at, hops := r.page.Locator(r.ask.query()), []selectors.Line(nil)
	if root != "" {
		t, err := outlineRoot(r.page, root)
		if err != nil {
			return err
		}
		at, hops = t.locator(r.page).Locator(r.ask.query()), t.Frames
	}
	return r.read(at, hops, 0, timeout)
}

// read adds the lines of one document, each frame's own lines below it.
func (r *outlineReader) read(at playwright.Locator, hops []selectors.Line, depth int, timeout time.Duration) error {
	var answer outlineAnswer
	if err := askEngine(at, max(timeout, rest.Least), &answer); err != nil {
		return err
	}
	r.unread += answer.More
	r.capped = r.capped || answer.Capped
	prefix := selectors.Selector{Frames: hops}.Prefix()
	for _, line := range answer.Lines {
		line.Prefix = prefix
		line.Depth += depth
		r.lines = append(r.lines, line)
		if line.Frame == 1 {
			r.enter(hops, len(r.lines)-1)
		}
	}
	return nil
}

// enter reads the frame whose line is at i. A frame that can't be read says
// why on its own line; the rest of the page is none the worse for it.
func (r *outlineReader) enter(hops []selectors.Line, i int) {
	line := &r.lines[i]
	if r.frames++; r.frames > maxFrames || len(hops) >= maxFrameDepth {
		line.State += " (not entered: too many frames; root leads into it)"
		return
	}
	hop, _, ok, err := selectors.ScanLine(line.Head)
	if !ok || err != nil {
		line.State += " (not readable: its name is no selector)"
		return
	}
	inner := append(append([]selectors.Line(nil), hops...), hop)
	timeout, read := min(rest.FrameLimit, r.patience), len(r.lines)
	if err := r.read(inFrames(r.page, inner, r.ask.query()), inner, line.Depth+1, timeout); err != nil {
		if errors.Is(err, playwright.ErrTimeout) {
			r.patience -= timeout
		}
		r.lines[i].State += " (not readable: " + frameTrouble(r.page, inner, err, timeout) + ")"
	} else if len(r.lines) == read && showsErrorPage(r.page, inner) {
		r.lines[i].State += " (not readable: " + frameBlocked + ")"
	}
}

// frameBlocked says that the browser shows a page of its own in a frame.
const frameBlocked = "it was blocked, or could not be loaded"

// frameTrouble says why a frame could not be read: it shows the browser's own page in
// place of what was blocked or could not be loaded, or it gave no answer in time.
func frameTrouble(p playwright.Page, hops []selectors.Line, err error, waited time.Duration) string {
	if errors.Is(err, playwright.ErrTimeout) {
		if showsErrorPage(p, hops) {
			return frameBlocked
		}
		return fmt.Sprintf("no answer within %g s", waited.Seconds())
	}
	return reason(err)
}

// showsErrorPage reports whether the browser shows a page of its own in a frame.
func showsErrorPage(p playwright.Page, hops []selectors.Line) bool {
	at := inFrames(p, hops[:len(hops)-1], outlineEngine+"="+hops[len(hops)-1].String())
	frame, err := at.EvaluateHandle("e => e", nil, playwright.LocatorEvaluateHandleOptions{Timeout: playwright.Float(float64(rest.FrameLook.Milliseconds()))})
	if err != nil {
		return false
	}
	defer func() { _ = frame.Dispose() }() // it goes with the document at the latest
	content, err := frame.AsElement().ContentFrame()
	return err == nil && content != nil && strings.HasPrefix(content.URL(), "chrome-error:")
}

// String returns the line as printed, without indentation.
func (l outlineLine) String() string {
	mark := ""
	if l.Match == 1 {
		mark = " [match]"
	}
	return l.Prefix + l.Head + mark + l.State
}

// composeOutline writes the requested lines, and what was left out.
func composeOutline(lines []outlineLine, unread int, capped bool, opt OutlineOptions) Outline {
	out := Outline{Lines: len(lines) + unread}
	var cuts []string
	if opt.Find != "" {
		kept := withAncestors(lines)
		cuts = appendCut(cuts, out.Lines-len(kept), "%s not shown for find %q", opt.Find)
		lines = kept
	}
	if opt.Depth > 0 {
		kept := aboveDepth(lines, opt.Depth)
		cuts = appendCut(cuts, len(lines)-len(kept), "%s lie deeper than depth %d", opt.Depth)
		lines = kept
	}
	limit := opt.MaxChars
	if limit <= 0 {
		limit = DefaultOutlineChars
	}
	var text string
	text, out.Shown = fitLines(lines, limit)
	if opt.Find != "" {
		unread = 0 // a search has them all
	}
	if left := len(lines) - out.Shown + unread; left > 0 {
		cuts = append([]string{plural(left, "more line")}, cuts...)
	}
	if capped {
		cuts = append(cuts, "the page is larger than an outline reads")
	}
	if len(cuts) > 0 {
		out.Cut = "… " + strings.Join(cuts, ", ") + "; narrow with root, find or depth, or raise depth or max_chars"
	}
	out.Text = text + out.Cut
	return out
}

func appendCut(cuts []string, n int, format string, arg any) []string {
	if n <= 0 {
		return cuts
	}
	return append(cuts, fmt.Sprintf(format, plural(n, "line"), arg))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// withAncestors keeps the lines that match and those they stand under.
func withAncestors(lines []outlineLine) []outlineLine {
	keep := make([]bool, len(lines))
	var path []int // the open line at each depth
	for i, line := range lines {
		for len(path) > 0 && lines[path[len(path)-1]].Depth >= line.Depth {
			path = path[:len(path)-1]
		}
		path = append(path, i)
		if line.Match == 1 {
			for _, up := range path {
				keep[up] = true
			}
		}
	}
	var kept []outlineLine
	for i, line := range lines {
		if keep[i] {
			kept = append(kept, line)
		}
	}
	return kept
}

func aboveDepth(lines []outlineLine, depth int) []outlineLine {
	var kept []outlineLine
	for _, line := range lines {
		if line.Depth < depth {
			kept = append(kept, line)
		}
	}
	return kept
}

// fitLines writes as many whole lines as fit in limit characters.
func fitLines(lines []outlineLine, limit int) (text string, shown int) {
	var b strings.Builder
	for _, line := range lines {
		s := strings.Repeat("  ", line.Depth) + line.String() + "\n"
		if limit -= utf8.RuneCountInString(s); limit < 0 {
			break
		}
		b.WriteString(s)
		shown++
	}
	return b.String(), shown
}
