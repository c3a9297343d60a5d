package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/browser/seen"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
)

// pageReader reads what the page consists of and says: outline, elements and their
// identities, figures, health.
type pageReader struct{ *livePage }

// Snapshot returns the page as an outline whose every line is a selector.
func (s *pageReader) Snapshot(ctx context.Context, o OutlineOptions) (Outline, PageState, error) {
	type both struct {
		outline Outline
		state   PageState
	}
	b, err := on(ctx, s.livePage, "page_snapshot", explain.Quoting(o.Root), func(ctx context.Context, t *tab) (both, error) {
		out, err := takeOutline(t.page, o, *left(ctx, s.pool.Timeout))
		if err != nil {
			return both{}, err
		}
		title, err := titleOf(ctx, t)
		return both{out, s.log.PageState(t.page, title)}, err
	})
	return b.outline, b.state, err
}

// ElementStates returns the states WaitFor can wait for.
func ElementStates() []string { return []string{"visible", "hidden", "attached", "detached"} }

// WaitFor waits until any element of selector is visible or attached, or none
// is, and returns the measured wait. A timeout of 0 means the pool's.
func (s *waiter) WaitFor(ctx context.Context, selector, state string, timeout time.Duration) (time.Duration, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return 0, err
	}
	if !slices.Contains(ElementStates(), state) {
		return 0, explain.Invalid("use one of "+strings.Join(ElementStates(), ", "), "state %q is unknown", state)
	}
	hasLimit := timeout > 0
	if !hasLimit {
		timeout = s.pool.Timeout
	}
	return on(ctx, s.livePage, "page_wait_for_selector", explain.Quoting(selector), func(ctx context.Context, t *tab) (time.Duration, error) {
		start := s.pool.Now()
		l, goal := target.locator(t.page), playwright.WaitForSelectorState(state)
		switch state {
		case "visible":
			l, goal = l.Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}), *playwright.WaitForSelectorStateAttached
		case "hidden":
			l, goal = l.Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}), *playwright.WaitForSelectorStateDetached
		}
		var look func(time.Duration) rest.Presence
		if !hasLimit && (state == "visible" || state == "attached") {
			look = absentIn(ctx, s.livePage, t, target)
		}
		err := inPieces(ctx, timeout, func(limit *float64) error {
			if goal == *playwright.WaitForSelectorStateDetached {
				return l.First().WaitFor(playwright.LocatorWaitForOptions{State: &goal, Timeout: limit})
			}
			return awaitAttached(l.First(), limit)
		}, look)
		waited := s.pool.Now().Sub(start)
		if errors.Is(err, playwright.ErrTimeout) {
			return waited, s.notInState(t, target, state, waited)
		}
		return waited, selectorError(target, err)
	})
}

func (s *waiter) notInState(t *tab, target target, state string, waited time.Duration) error {
	n, err := target.count(t.page)
	if err != nil {
		return err
	}
	seen := explain.NotYet{Selector: target.String(), State: state, Waited: waited, Count: n}
	if n == 0 && (state == "visible" || state == "attached") {
		absent := target.absent(t.page)
		seen.Absent = &absent
	}
	return seen.Explain()
}

// Changes describes how the outline of a page differs from what it was when it was
// marked: see [Session.MarkOutline].
type Changes struct {
	Lines []pagetext.Text // + came, - went, ~ changed; of a new document its headings and landmarks
	More  int             // lines that are not in Lines
	Fresh bool            // the document came after the mark
	Known bool            // it could be looked
	Moved bool            // something in a document was changed, whatever the outline says
	Still pagetext.Text   // why there may be more changes soon; empty on a page at rest
}

// None reports whether nothing was changed, and nothing is about to be.
func (c Changes) None() bool {
	return c.Known && !c.Fresh && !c.Moved && c.Still == "" && len(c.Lines)+c.More == 0
}

// These bound what is answered of changes.
const (
	maxChanges     = 8
	maxChangeChars = 600
)

// MarkOutline keeps the outline of the page, and of the frame that selector leads
// into, for the next call of OutlineChanges, and returns what is seen on the page. Where
// goesOn says that no check came since the act before, what was seen before that act stays
// what stood there. A page that can't be read has no mark, and nothing is known of it.
func (s *pageReader) MarkOutline(ctx context.Context, selector string, goesOn bool) Stood {
	out, err := on(ctx, s.livePage, "look before", explain.Quoting(selector), func(ctx context.Context, t *tab) (Stood, error) {
		out := Stood{URL: t.page.URL()}
		ask := engineAsk{Op: "mark", GoesOn: goesOn}
		for i, at := range documentsOf(selector) {
			var answer stoodAnswer
			_, err := within(ctx, t, rest.ChangesLimit, func() (int, error) { return 0, askEngine(at.asked(t.page, ask), rest.ChangesLimit, &answer) })
			if i == 0 && err == nil && (answer.Texts != nil || answer.Kept) {
				out.take(answer)
			}
		}
		return out, nil
	})
	if err != nil {
		return Stood{}
	}
	return out
}

// Stood holds what a person saw on a page, by the cheap rules, before an act on it.
type Stood struct {
	URL   string
	Title pagetext.Text
	Known bool // the page could be read; else nothing is known to have stood there
	Kept  bool // it was known already: see [Session.MarkOutline]
	lines []string
	text  seen.Text

	changed time.Duration // before this look, when the document was changed last
}

// stoodAnswer holds what a document answers of what is seen of it; see
// outline/stood_before.js.
type stoodAnswer struct {
	Texts []pieceJSON `json:"texts"`
	Lines []string    `json:"lines"`
	Title string      `json:"title"`
	Kept  bool        `json:"kept"`
	Ago   float64     `json:"ago"` // ms since the document was changed
}

func (s *Stood) take(a stoodAnswer) {
	pieces := textsAnswer{Pieces: a.Texts}.pieces()
	s.text = seen.Compose(pieces, func(int) bool { return true })
	s.Known, s.Kept, s.Title, s.lines, s.changed = true, a.Kept, pagetext.Text(a.Title), a.Lines, milliseconds(a.Ago)
}

// Says reports whether a text was seen on the page.
func (s Stood) Says(wanted string, how TextMatch) bool {
	find, err := finder(wanted, how)
	return err == nil && s.Known && seen.Normal(wanted) != "" && len(find(s.text)) > 0
}

// Shows reports whether an element was seen on the page that a snapshot's line names.
func (s Stood) Shows(line string) bool { return s.Known && slices.Contains(s.lines, line) }

// OutlineChanges returns how the outline differs since MarkOutline was called for the
// same selector. Nothing says that the act between them was the cause.
func (s *pageReader) OutlineChanges(ctx context.Context, selector string) Changes {
	out, err := on(ctx, s.livePage, "look after", explain.Quoting(selector), func(ctx context.Context, t *tab) (Changes, error) {
		var out Changes
		if next := s.log.Loading(t.page); next != "" {
			return out, nil // it is not the page to speak of; the page line says so
		}
		for i, at := range documentsOf(selector) {
			a, err := askChanges(ctx, t, at, i == 0)
			if err != nil {
				if i == 0 {
					return out, err
				}
				continue // the frame has gone
			}
			switch {
			case a.Large:
				continue
			case a.Changing:
				out.Still = "it goes on changing"
			case a.Timers:
				out.Still = "a timer of it is due within 1 s"
			}
			out.Known, out.Fresh, out.Moved = true, out.Fresh || i == 0 && a.Fresh, out.Moved || a.Mutated
			out.add(at.prefix, pagetext.Of(a.Lines...), a.More)
		}
		return out, nil
	})
	if err != nil {
		return Changes{}
	}
	return out
}

// answeredChanges holds what a document answers of its changes.
type answeredChanges struct {
	Fresh, Changing, Mutated, Timers, Large bool
	Waits                                   bool // a timer is due soon: nothing is answered yet
	Lines                                   []string
	More                                    int
}

// askChanges asks a document for its changes. With timers, it waits while a timer of the
// page is due soon, so that one answer tells what an act led to. What is due later is said
// instead.
func askChanges(ctx context.Context, t *tab, at documentAt, timers bool) (answeredChanges, error) {
	limit := time.Duration(0)
	if timers {
		limit = rest.TimersLimit
	}
	for ; ; limit -= rest.TimersPoll {
		var a answeredChanges
		ask := engineAsk{Op: "changes", Limit: maxChanges, Within: int(limit / time.Millisecond)}
		_, err := within(ctx, t, rest.ChangesLimit, func() (int, error) { return 0, askEngine(at.asked(t.page, ask), rest.ChangesLimit, &a) })
		if err != nil || !a.Waits || limit <= 0 {
			return a, err
		}
		if err := wait.For(ctx, rest.TimersPoll); err != nil {
			return a, err
		}
	}
}

// add takes lines of one document, as far as there is room.
func (c *Changes) add(prefix string, lines []pagetext.Text, more int) {
	room := maxChangeChars
	for _, line := range c.Lines {
		room -= line.Length()
	}
	c.More += more
	for _, line := range lines {
		if prefix != "" {
			sign, rest, ok := line.Cut(" ")
			if line = pagetext.Text(prefix) + line; ok && len(sign) == 1 {
				line = sign + " " + pagetext.Text(prefix) + rest
			}
		}
		if room -= line.Length(); room < 0 || len(c.Lines) == maxChanges {
			c.More++
			continue
		}
		c.Lines = append(c.Lines, line)
	}
}

// documentAt holds a document that is asked, the page's or a frame's.
type documentAt struct {
	hops   []selectors.Line
	prefix string // of its lines
}

// asked puts a question to the document.
func (d documentAt) asked(p playwright.Page, ask engineAsk) playwright.Locator {
	return target{Selector: selectors.Selector{Frames: d.hops}}.entered(p, rest.LookLimit).in(p, ask.query())
}

// documentsOf returns the page's document, and that of the frame that a selector leads into.
func documentsOf(selector string) []documentAt {
	out := []documentAt{{}}
	if t, err := parseSelector(selector); err == nil && len(t.Frames) > 0 {
		out = append(out, documentAt{t.Frames, t.Prefix()})
	}
	return out
}

// Scan looks once at the page, its open shadow roots and its frames, for an explorer:
// see [scan.Page]. A frame that can't be read is left out.
func (s *pageReader) Scan(ctx context.Context, o scan.Options) (scan.Page, error) {
	return on(ctx, s.livePage, "scan the page", "", func(ctx context.Context, t *tab) (scan.Page, error) {
		var out scan.Page
		r := scanReader{page: t.page, patience: rest.FramesLimit}
		limit := time.Duration(*left(ctx, s.pool.Timeout)) * time.Millisecond
		if err := r.read(&out, o, nil, 0, limit); err != nil {
			return out, err
		}
		state := s.log.PageState(t.page, out.Title)
		out.URL, out.Status = t.page.URL(), state.Status
		_, streams, _ := s.log.AwaitedNow(t.page, nil)
		out.Changing = r.waits
		if len(streams) > 0 || s.log.Loading(t.page) != "" || s.log.UnderWay(t.page, s.log.DocumentMark(t.page)) {
			out.Changing = rest.SelfLimit
		}
		return out, nil
	})
}

// scanReader gathers what a page and the frames in it consist of.
type scanReader struct {
	page     playwright.Page
	frames   int
	patience time.Duration // what may still be spent on frames that don't answer
	waits    time.Duration // after it each timer that is due soon has run; a document that is loading tells nothing
}

// read adds what one document has, each frame's own nodes below it.
func (r *scanReader) read(out *scan.Page, o scan.Options, hops []selectors.Line, depth int, limit time.Duration) error {
	var got struct {
		scan.Page
		Waits int `json:"waits"` // ms
	}
	ask := engineAsk{Op: "scan", Scan: &o, Within: int(rest.SelfLimit.Milliseconds())}
	if err := askEngine(inFrames(r.page, hops, ask.query()), max(limit, rest.Least), &got); err != nil {
		return err
	}
	prefix, elements, forms := (selectors.Selector{Frames: hops}).Prefix(), len(out.Elements), len(out.Forms)
	if len(hops) == 0 {
		out.Title, out.Other, out.Skeleton = got.Title, got.Other, got.Skeleton
	}
	r.waits = max(r.waits, time.Duration(got.Waits)*time.Millisecond)
	out.Links = append(out.Links, got.Links...)
	for _, e := range got.Elements {
		e.Frame, e.Locators = strings.TrimSuffix(prefix, " > "), locatorsIn(prefix, e.Locators)
		if e.Form > 0 {
			e.Form += forms
		}
		out.Elements = append(out.Elements, e)
	}
	for _, f := range got.Forms {
		f.Frame = strings.TrimSuffix(prefix, " > ")
		out.Forms = append(out.Forms, f)
	}
	for _, overlay := range got.Overlays {
		out.Overlays = append(out.Overlays, prefix+overlay)
	}
	out.More, out.Capped = out.More+got.More, out.Capped || got.Capped
	for _, n := range got.Nodes {
		n.Depth, n.Frame = n.Depth+depth, prefix
		if n.Element != nil {
			at := *n.Element + elements
			n.Element = &at
		}
		out.Nodes = append(out.Nodes, n)
		if n.Role == "frame" && len(hops) < maxFrameDepth && r.frames < maxFrames && r.patience > 0 {
			r.enter(out, o, hops, n, max(o.Max-len(out.Elements), 0))
		}
	}
	return nil
}

// enter reads the frame that a node stands for. One that can't be read adds nothing.
func (r *scanReader) enter(out *scan.Page, o scan.Options, hops []selectors.Line, frame scan.Node, room int) {
	r.frames++
	hop, _, ok, err := selectors.ScanLine(frame.Line)
	if !ok || err != nil {
		return
	}
	o.Max = room
	limit := min(rest.FrameLimit, r.patience)
	inner := append(append([]selectors.Line(nil), hops...), hop)
	if err := r.read(out, o, inner, frame.Depth+1, limit); errors.Is(err, playwright.ErrTimeout) {
		r.patience -= limit
	}
}

// locatorsIn writes locators of a document as selectors that lead into its frame.
func locatorsIn(prefix string, found []string) []string {
	var out []string
	for _, selector := range found {
		if t, err := parseSelector(prefix + selector); err == nil {
			out = append(out, t.String())
		}
	}
	return out
}

// doubleClicksScript finds what answers a double click.
//
//go:embed double_clicks.js
var doubleClicksScript string

// DoubleClicks returns the elements of the page that a person sees and that answer a
// double click, as far as their listeners say. Frames are left out, and so are listeners
// around large parts of the page; only Chromium knows listeners.
func (s *pageReader) DoubleClicks(ctx context.Context) ([]scan.Element, error) {
	if s.opts.Type != "chromium" {
		return nil, nil
	}
	return on(ctx, s.livePage, "look for what answers a double click", "", func(ctx context.Context, t *tab) ([]scan.Element, error) {
		var document struct{ Scriptless bool } // no script of it listens, and the question would be an error on its console
		if err := askEngine(t.page.Locator(engineAsk{Op: "scriptless"}.query()), rest.LookLimit, &document); err != nil || document.Scriptless {
			return nil, err
		}
		session, err := t.tools()
		if err != nil {
			return nil, err
		}
		answer, err := within(ctx, t, 2*rest.ListenersLimit, func() (any, error) {
			return session.Send("Runtime.evaluate",
				map[string]any{"expression": doubleClicksScript, "includeCommandLineAPI": true, "returnByValue": true, "silent": true, "timeout": rest.ListenersLimit.Milliseconds()})
		})
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return nil, err
		}
		var found struct{ Result struct{ Value []string } }
		if err := json.Unmarshal(text, &found); err != nil || len(found.Result.Value) == 0 {
			return nil, nil //nolint:nilerr // a page whose scripts are broken has told of none
		}
		var got struct{ Elements []scan.Element }
		ask := engineAsk{Op: "records", Names: found.Result.Value}
		if err := askEngine(t.page.Locator(ask.query()), rest.LookLimit, &got); err != nil {
			return nil, err
		}
		for i := range got.Elements {
			got.Elements[i].Locators = locatorsIn("", got.Elements[i].Locators)
		}
		return got.Elements, nil
	})
}
