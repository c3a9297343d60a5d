package browser

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/seen"
	"github.com/assay-qa/assay/browser/selectors"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa/element"
)

// Bounds on what pictures decide in one look.
const (
	maxBlinks = 12
)

// blinkAnswer holds the places of the things in doubt, in the outermost
// document that the engine can read from theirs.
type blinkAnswer struct {
	Gone  bool                              `json:"gone"` // the page has replaced an element since it was found
	Boxes []struct{ N, X, Y, W, H float64 } `json:"boxes"`
	Top   bool                              `json:"top"`
	X     float64                           `json:"x"` // how far the window is scrolled
	Y     float64                           `json:"y"`
}

// blink lets pictures decide what the cheap rules can't: whether a person sees
// stretches of text, or elements. The answers are in the order of the spans
// and the items. What pictures can't decide is in doubt, with the reason.
func (s *looker) blink(ctx context.Context, q *question, spans []seen.Span, items []int) []elementState {
	out := make([]elementState, len(spans)+len(items))
	open := make([]int, len(out))
	for i := range out {
		open[i] = i
		out[i] = elementState{State: "doubt", Why: "it could not be looked at in time"}
	}
	ctx, cancel := context.WithTimeout(ctx, rest.BlinkLimit)
	defer cancel()
	for range maxBlinks {
		if len(open) == 0 || ctx.Err() != nil {
			break
		}
		ask := engineAsk{Op: "blink"}
		for _, n := range open {
			if n < len(spans) {
				ask.Spans = append(ask.Spans, spanJSON(spans[n]))
			} else {
				ask.Items = append(ask.Items, items[n-len(spans)])
			}
		}
		found, err := s.blinkOnce(ctx, q, ask)
		if err != nil {
			for _, n := range open {
				out[n].Why = reason(err)
			}
			break
		}
		var rest []int
		for i, n := range open {
			switch v, looked := found[i]; {
			case !looked:
				rest = append(rest, n)
			case v == seen.Seen:
				out[n] = elementState{State: "seen"}
			case v == seen.Unseen:
				out[n] = elementState{State: "unseen"}
			default:
				out[n].Why = "it changes while it is looked at"
			}
		}
		if len(rest) == len(open) {
			for _, n := range rest {
				out[n].Why = "it moved away while it was looked at"
			}
			break
		}
		open = rest
	}
	return out
}

// blinkOnce takes the three pictures of what is in the window together. The
// page is as before when it returns.
func (s *looker) blinkOnce(ctx context.Context, q *question, ask engineAsk) (found map[int]seen.Verdict, err error) {
	var at blinkAnswer
	if err := q.ask(ask, &at); err != nil {
		return nil, err
	}
	defer func() {
		if undone := q.ask(engineAsk{Op: "unblink"}, &struct{}{}); undone != nil && err == nil {
			err = fmt.Errorf("give back what was taken away for a look: %w", undone)
		}
	}()
	if at.Gone {
		return nil, errors.New(replacedDoubt)
	}
	if len(at.Boxes) == 0 {
		return map[int]seen.Verdict{}, nil
	}
	var dx, dy float64
	if !at.Top {
		if q.target.frame != nil {
			return nil, errors.New("it stands in a frame of another site, of which no pictures are compared")
		}
		if dx, dy, err = frameOrigin(q.tab.page, q.target.Frames); err != nil {
			return nil, err
		}
	}
	boxes, area := make([]seen.Box, len(at.Boxes)), element.Box{X: math.Inf(1), Y: math.Inf(1)}
	right, bottom := 0.0, 0.0
	for _, b := range at.Boxes {
		area.X, area.Y = min(area.X, b.X+dx), min(area.Y, b.Y+dy)
		right, bottom = max(right, b.X+dx+b.W), max(bottom, b.Y+dy+b.H)
	}
	area.X, area.Y = max(0, math.Floor(area.X)-1), max(0, math.Floor(area.Y)-1)
	area.Width, area.Height = math.Ceil(right)+1-area.X, math.Ceil(bottom)+1-area.Y
	for i, b := range at.Boxes {
		boxes[i] = seen.Box{Item: int(b.N), X: b.X + dx - area.X, Y: b.Y + dy - area.Y, W: b.W, H: b.H}
	}
	var pictures [3][]byte
	for i, op := range []string{"", "hide", "show"} {
		if op != "" {
			var answer blinkAnswer
			if err := q.ask(engineAsk{Op: op}, &answer); err != nil {
				return nil, err
			}
			if answer.Gone {
				return nil, errors.New(replacedDoubt)
			}
		}
		if pictures[i], err = q.tab.pictureOf(ctx, area, at.X, at.Y); err != nil {
			return nil, err
		}
	}
	return seen.Blink(pictures[0], pictures[1], pictures[2], area.Width, boxes)
}

// frameOrigin returns where the content of the frame that the hops lead to begins,
// in the window of the page.
func frameOrigin(p playwright.Page, hops []selectors.Line) (x, y float64, err error) {
	last := len(hops) - 1
	if last < 0 {
		return 0, 0, nil
	}
	frame := inFrames(p, hops[:last], outlineEngine+"="+hops[last].String())
	box, err := frame.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: playwright.Float(float64(rest.FramePlaceLimit.Milliseconds()))})
	if err != nil || box == nil {
		return 0, 0, fmt.Errorf("find the place of a frame: %w", err)
	}
	var edge struct{ X, Y float64 }
	if err := askEngine(frame.Locator(engineAsk{Op: "edge"}.query()), rest.LookLimit, &edge); err != nil {
		return 0, 0, err
	}
	return box.X + edge.X, box.Y + edge.Y, nil
}

// pictureOf returns the picture of an area of the window, which is scrolled by
// x and y. Only its pixels are compared; it is stored nowhere.
func (t *tab) pictureOf(ctx context.Context, area element.Box, x, y float64) ([]byte, error) {
	session, err := t.tools()
	if err != nil {
		return within(ctx, t, rest.LookLimit, func() ([]byte, error) {
			return t.page.Screenshot(playwright.PageScreenshotOptions{Timeout: left(ctx, rest.LookLimit),
				Clip: &playwright.Rect{X: area.X, Y: area.Y, Width: area.Width, Height: area.Height}})
		})
	}
	return within(ctx, t, rest.LookLimit, func() ([]byte, error) {
		answer, err := session.Send("Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": true,
			"clip": map[string]any{"x": area.X + x, "y": area.Y + y, "width": area.Width, "height": area.Height, "scale": 1}})
		if err != nil {
			return nil, err
		}
		fields, _ := answer.(map[string]any)
		text, ok := fields["data"].(string)
		if !ok {
			return nil, fmt.Errorf("the browser answered %T for a picture", answer)
		}
		return base64.StdEncoding.DecodeString(text)
	})
}

// Beyond describes what lies beyond a document, for something that the
// document does not show.
type Beyond struct {
	Look            // of what the selector finds in the other frames, all together
	Frame string    // the first frame in which one was seen, or else found
	Into  int       // how many frames were looked into
	Moves Documents // those in which something may come when it is scrolled
	Blind []string  // what was not looked into, such as "1 canvas"
	Was   bool      // it was seen in the page's own document before the newest act, and was taken away since
}

// LookBeyond looks for what selector finds in every other frame of the page,
// whatever its site, and tells what can't be looked into. A selector that enters
// a frame, or is of CSS, XPath or a test id, means its own document alone: frames
// are not looked into then. An empty selector means the page's texts, which are
// looked for in all frames anyway: see [Session.ReadAs].
func (s *looker) LookBeyond(ctx context.Context, selector string) (Beyond, error) {
	var of target
	if selector != "" {
		var err error
		if of, err = parseSelector(selector); err != nil {
			return Beyond{}, err
		}
	}
	return on(ctx, s.livePage, "look at", explain.Quoting(selector), func(ctx context.Context, t *tab) (Beyond, error) {
		b := beyond{looker: s, tab: t, of: of, blind: map[string]int{}}
		err := b.lookAll(ctx)
		b.out.Moves.known = err == nil && len(b.of.Frames) == 0
		b.out.Blind = b.blindness()
		return b.out, err
	})
}

// beyond holds one look for [Beyond] while it is made.
type beyond struct {
	looker *looker
	tab    *tab
	of     target
	out    Beyond
	blind  map[string]int
}

// blindKinds lists what can't be looked into, in the engine's words and in
// ours.
var blindKinds = [][2]string{{"closed", "possible closed shadow root"}, {"canvas", "canvas"}, {"picture", "picture"}, {"video", "video"}, {"frame", "frame"}}

func (b *beyond) lookAll(ctx context.Context) error {
	frames := inner(b.tab.page)
	switch {
	case len(b.of.Parts) == 0 || b.of.wide(): // any frame
	default:
		b.blind["frame"], frames = max(0, len(frames)-len(b.of.Frames)), nil
	}
	if err := b.survey(b.tab.page.MainFrame()); err != nil {
		return err
	}
	b.out.Was = b.blind["was"] > 0
	for i, frame := range frames {
		if i == maxForeign {
			b.out.Doubt = fmt.Sprintf("only %d of %d frames are looked into", maxForeign, len(frames))
			return nil
		}
		err := b.survey(frame)
		if err == nil && len(b.of.Parts) > 0 {
			err = b.lookIn(ctx, frame)
		}
		switch {
		case err != nil && frame.IsDetached():
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			b.out.Doubt = unreadFrame(frame, err)
		default:
			b.out.Into++
		}
	}
	return nil
}

// lookIn looks into one frame.
func (b *beyond) lookIn(ctx context.Context, frame playwright.Frame) error {
	found, err := b.looker.lookAtAll(ctx, b.tab, target{frame: frame, Selector: selectors.Selector{Parts: b.of.Parts}})
	if err != nil {
		return err
	}
	if found.Count > 0 && b.out.Count == 0 || found.Seen > 0 && b.out.Seen == 0 {
		b.out.Frame = frameName(frame)
	}
	b.out.Count, b.out.Seen, b.out.Paintless = b.out.Count+found.Count, b.out.Seen+found.Seen, b.out.Paintless+found.Paintless
	for _, why := range found.Unseen {
		b.out.unseen(why)
	}
	if found.Doubt != "" {
		b.out.Doubt = "one stands in the frame " + frameName(frame) + ": " + found.Doubt
	}
	return nil
}

// survey counts what of a document can't be looked into.
func (b *beyond) survey(frame playwright.Frame) error {
	var answer map[string]int
	if err := askEngine(frame.Locator(engineAsk{Op: "blind", CSS: b.css()}.query()), rest.LookLimit, &answer); err != nil {
		return err
	}
	for kind, n := range answer {
		b.blind[kind] += n
	}
	if answer["scrolls"] > 0 {
		b.out.Moves.frames = append(b.out.Moves.frames, frame)
	}
	return nil
}

// css returns the CSS by which a target is looked for; empty where it is by other means.
func (b *beyond) css() string {
	if len(b.of.Frames) == 0 && len(b.of.Parts) == 1 && b.of.Parts[0].Engine == "css" {
		return b.of.Parts[0].Body
	}
	return ""
}

func (b *beyond) blindness() []string {
	var out []string
	for _, kind := range blindKinds {
		if n := b.blind[kind[0]]; n > 0 {
			out = append(out, strings.Replace(plural(n, kind[1]), "canvass", "canvases", 1))
		}
	}
	return out
}

// wide reports whether a target means what a person names, wherever it stands: a
// line of a snapshot, a text, a label, a role.
func (t target) wide() bool {
	return len(t.Frames) == 0 && !slices.ContainsFunc(t.Parts, func(p selectors.Part) bool {
		return p.Line == nil && !slices.Contains([]string{"text", "label", "role", "nth", "visible"}, p.Engine)
	})
}

// inner lists the frames of a page but for the main one.
func inner(page playwright.Page) []playwright.Frame {
	return slices.DeleteFunc(slices.Clone(page.Frames()), func(f playwright.Frame) bool { return f.ParentFrame() == nil || f.IsDetached() })
}

func frameName(f playwright.Frame) string {
	if address := f.URL(); address != "" {
		return texts.Cut(address, maxNote)
	}
	return "without an address"
}

func unreadFrame(f playwright.Frame, err error) string {
	return fmt.Sprintf("the frame %s could not be read: %s", frameName(f), reason(err))
}

// lookAtFrame reports whether a person sees a frame: its element, and those of the
// frames around it.
func (s *looker) lookAtFrame(ctx context.Context, t *tab, frame playwright.Frame) (Look, error) {
	for f := frame; f.ParentFrame() != nil; f = f.ParentFrame() {
		element, err := f.FrameElement()
		if err != nil {
			return Look{}, err
		}
		q := newQuestion(t, target{frame: f.ParentFrame()})
		_, err = element.QuerySelectorAll(engineAsk{Op: "collect", Look: q.name}.query()) //nolint:staticcheck // there is no locator of a frame's element
		_ = element.Dispose()                                                             // it goes with the document at the latest
		if err != nil {
			return Look{}, err
		}
		out, top, err := s.lookAtCollected(ctx, q, false)
		if err != nil {
			return Look{}, err
		}
		if out.Seen == 0 {
			return Look{Doubt: out.Doubt, Unseen: []string{"in a frame that is " + strings.Join(out.Unseen, ", ")}}, nil
		}
		if top {
			break
		}
	}
	return Look{Seen: 1}, nil
}

// throughFrames takes back what a look found to be seen when a frame around it
// is not: a frame of another site can't be looked out of.
func (s *looker) throughFrames(ctx context.Context, t *tab, inner target, out Look) (Look, error) {
	if inner.frame != nil {
		around, err := s.lookAtFrame(ctx, t, inner.frame)
		if err == nil && around.Seen == 0 {
			around.Count = out.Count
			return around, nil
		}
		return out, err
	}
	for i := range inner.Frames {
		frame := target{Selector: selectors.Selector{Frames: inner.Frames[:i], Parts: []selectors.Part{{Line: &inner.Frames[i]}}}}
		around, err := s.lookAtAll(ctx, t, frame)
		if err != nil {
			return out, err
		}
		if around.Seen == 0 {
			return Look{Count: out.Count, Doubt: around.Doubt, Unseen: []string{"in a frame that is " + strings.Join(around.Unseen, ", ")}}, nil
		}
	}
	return out, nil
}

// framesOf lists a page's frames, the main one first, not more than maxFrames.
func framesOf(page playwright.Page) []playwright.Frame {
	frames := page.Frames()
	return frames[:min(len(frames), maxFrames)]
}

// maxForeign bounds how many frames are looked into for what the page does not
// show.
const maxForeign = 50

// elsewhere returns where a text that the page does not show may be seen all the
// same: in a frame of another site, or on a drawing that most of the page is.
// Neither is read with the page.
func (r *reading) elsewhere(ctx context.Context, out *TextLook) {
	if r.drawn != "" {
		out.Doubt = "most of the page is drawn on " + r.drawn + ", and what a canvas shows is not read"
		return
	}
	frames := inner(r.q.tab.page)
	for i, frame := range frames {
		if i == maxForeign {
			out.Doubt = fmt.Sprintf("only %d of %d frames are read", maxForeign, len(frames))
			return
		}
		stands, doubt, err := r.standsIn(ctx, frame)
		switch {
		case err != nil && frame.IsDetached():
		case err != nil:
			out.Doubt = unreadFrame(frame, err)
			return
		case stands || doubt != "":
			out.Doubt = fmt.Sprintf("it stands in the frame %s, which is of another site: give a selector that enters the frame", frameName(frame))
			if stands {
				out.Frame = frameName(frame)
			}
			return
		}
	}
}

// standsIn looks for the text in a frame of another site; those of the page's own
// were read with it.
func (r *reading) standsIn(ctx context.Context, frame playwright.Frame) (stands bool, doubt string, err error) {
	in := &reading{looker: r.looker, q: newQuestion(r.q.tab, target{frame: frame}), wanted: r.wanted, apart: r.apart, find: r.find, states: map[seen.Span]elementState{}}
	foreign, err := in.load(false)
	if err != nil || !foreign {
		return false, "", err
	}
	var look TextLook
	if err := in.contains(ctx, &look); err != nil || !look.Fits {
		return false, look.Doubt, err
	}
	around, err := r.looker.lookAtFrame(ctx, r.q.tab, frame)
	return around.Seen > 0, around.Doubt, err
}

// Documents names those of a page's documents in which something may come when it is
// scrolled; the zero value means all of them.
type Documents struct {
	frames []playwright.Frame
	known  bool
}

// ScrollScope says which scrollers are meant: those in the element of a selector, or those
// around it. Without a selector it is all of them.
type ScrollScope struct {
	Selector string
	Around   bool
}

// Passage holds one passage through the scrollers of a page: see [Session.ScrollEnds].
type Passage struct {
	Grown []string // the scrollers to which something was added, and frames that were loaded
	Views []string // those that render only what is in view, for [Passage.View]
	Stuck string   // why one of them could not be scrolled to its ends

	s         *looker
	documents []scrolledDocument
	views     []scrolledView // as Views
	since     eventlog.Mark  // when it was scrolled last
}

// scrolledDocument is one document that is scrolled.
type scrolledDocument struct {
	at     func(query string) playwright.Locator
	frame  playwright.Frame // nil: the one of a selector
	moving bool             // something of it was scrolled, and is not judged yet
}

type scrolledView struct{ document, piece int }

// scrollAnswer describes what the engine tells; see outline/scrolled_through.js.
type scrollAnswer struct {
	Moved bool     `json:"moved"`
	Waits bool     `json:"waits"` // a timer of the page is due soon
	Stuck string   `json:"stuck"`
	Grown []string `json:"grown"`
	Names []string `json:"names"`
}

// heldBack sets how long a page may hold back what it does when it is scrolled, in ms of its
// own clock; as in outline/scrolled_through.js.
const heldBack = 400

// ScrollEnds begins to scroll what holds more than is seen of it to its ends, as a person
// would who wants to see all: what lists add there stays, and is found by a look. It goes on
// with [Passage.On] while [Passage.Moves]; at its end all stands as it stood.
func (s *looker) ScrollEnds(ctx context.Context, in Documents, scope ScrollScope) (*Passage, error) {
	p := &Passage{s: s}
	var of target
	if scope.Selector != "" {
		var err error
		if of, err = parseSelector(scope.Selector); err != nil {
			return nil, err
		}
	}
	return on(ctx, s.livePage, "scroll", explain.Quoting(scope.Selector), func(ctx context.Context, t *tab) (*Passage, error) {
		switch {
		case scope.Selector != "":
			p.documents = []scrolledDocument{{at: func(query string) playwright.Locator { return of.locator(t.page).First().Locator(query) }}}
		case !in.known:
			in.frames = framesOf(t.page)
			fallthrough
		default:
			for _, frame := range in.frames {
				p.documents = append(p.documents, scrolledDocument{at: func(query string) playwright.Locator { return frame.Locator(query) }, frame: frame})
			}
		}
		err := p.step(ctx, t, engineAsk{Op: "scrollEnds", Around: scope.Around}, func(*scrolledDocument) bool { return true })
		return p, err
	})
}

// Moves reports whether something was scrolled of which is not known yet what it brought.
func (p *Passage) Moves() bool {
	return slices.ContainsFunc(p.documents, func(d scrolledDocument) bool { return d.moving })
}

// On finds out what came where it was scrolled to, and scrolls on.
func (p *Passage) On(ctx context.Context) error {
	_, err := on(ctx, p.s.livePage, "scroll", "", func(ctx context.Context, t *tab) (int, error) {
		return 0, p.step(ctx, t, engineAsk{Op: "scrollOn"}, func(d *scrolledDocument) bool { return d.moving })
	})
	return err
}

// GiveUp ends a passage in which something goes on growing, puts all back, and names it.
func (p *Passage) GiveUp(ctx context.Context) ([]string, error) {
	return on(ctx, p.s.livePage, "scroll", "", func(context.Context, *tab) (names []string, err error) {
		for i := range p.documents {
			var a scrollAnswer
			d := &p.documents[i]
			if !d.moving {
				continue
			}
			if err := askEngine(d.at(engineAsk{Op: "scrollGiveUp"}.query()), rest.LookLimit, &a); err != nil {
				return names, err
			}
			d.moving = false
			names = append(names, a.Names...)
		}
		return names, nil
	})
}

// step asks the documents that are meant, and gives the page its turn where something was
// scrolled.
func (p *Passage) step(ctx context.Context, t *tab, ask engineAsk, meant func(*scrolledDocument) bool) error {
	turn := int(rest.ChangeTime.Milliseconds())
	p.since = p.s.log.Now()
	for i := range p.documents {
		d := &p.documents[i]
		if !meant(d) {
			continue
		}
		var a scrollAnswer
		if err := askEngine(d.at(ask.query()), rest.LookLimit, &a); err != nil {
			if d.moving = false; d.frame != nil && d.frame.IsDetached() {
				continue
			}
			return err
		}
		d.moving = a.Moved
		if a.Waits {
			turn = heldBack
		}
		p.take(i, a)
	}
	if !p.Moves() {
		return nil
	}
	bound, cancel := context.WithTimeout(ctx, rest.LookLimit)
	defer cancel()
	for _, d := range p.documents {
		if d.moving && d.frame != nil && d.frame.ParentFrame() != nil {
			if err := turnIn(bound, t, d.frame); err != nil && !d.frame.IsDetached() {
				return err
			}
		}
	}
	return turnAfter(bound, t, turn, true)
}

func (p *Passage) take(document int, a scrollAnswer) {
	p.Grown = append(p.Grown, a.Grown...)
	p.Stuck = cmp.Or(p.Stuck, a.Stuck)
	for piece, name := range a.Names {
		p.Views, p.views = append(p.Views, name), append(p.views, scrolledView{document, piece})
	}
}

// Pending reports whether the page has asked for something that has not come. It is known
// without a call to the page.
func (p *Passage) Pending() bool {
	pending, _, _ := p.s.log.AwaitedNow(p.s.current().page, nil)
	return len(pending) > 0 || p.asked()
}

// asked reports whether an answer is open that the page has asked for since it was scrolled
// last, though it has asked for the same before: each part of a list may have one address.
func (p *Passage) asked() bool { return p.s.log.UnderWay(p.s.current().page, p.since) }

// Answered waits until what was asked for since the page was scrolled last is answered, and
// the page has had its turn to show it. It reports whether it came within the time that a
// page is given to come to rest.
func (p *Passage) Answered(ctx context.Context) (came bool, err error) {
	if !p.asked() {
		return true, nil
	}
	return on(ctx, p.s.livePage, "scroll", "", func(ctx context.Context, t *tab) (bool, error) {
		err := rest.Until(ctx, func() (bool, error) { return !p.asked(), nil },
			rest.Policy{Every: rest.SettlePoll, Limit: p.s.pool.Waits.PageRest, Events: []rest.Event{{Of: t.context.gone, Err: errGone}}})
		if errors.Is(err, rest.ErrLimit) {
			return false, nil
		}
		if err == nil {
			err = nextTurn(ctx, t)
		}
		return err == nil, err
	})
}

// ScrollPlace says where a scroller stands, in CSS pixels.
type ScrollPlace struct {
	Top  float64 `json:"top"`
	Left float64 `json:"left"`
	Over bool    `json:"over"` // all of it was seen
	Gone bool    `json:"gone"` // the page has taken it away
}

// View shows the next view of one of Views, from its beginning, and waits until the page was
// painted there.
func (p *Passage) View(ctx context.Context, view int) (ScrollPlace, error) {
	of := p.views[view]
	return on(ctx, p.s.livePage, "scroll", "", func(ctx context.Context, t *tab) (at ScrollPlace, err error) {
		d := p.documents[of.document]
		if err := askEngine(d.at(engineAsk{Op: "scrollView", Piece: of.piece}.query()), rest.LookLimit, &at); err != nil || at.Over || at.Gone {
			return at, err
		}
		if d.frame != nil && d.frame.ParentFrame() != nil {
			return at, turnIn(ctx, t, d.frame)
		}
		return at, nextTurn(ctx, t)
	})
}

// Back puts all that was scrolled back to where it stood, for a caller that has gone, too. A
// page that does not answer any more is not scrolled back.
func (p *Passage) Back(ctx context.Context) {
	ctx, cancel := wait.Grace(ctx, rest.LookLimit)
	defer cancel()
	_, _ = on(ctx, p.s.livePage, "scroll", "", func(_ context.Context, _ *tab) (int, error) {
		for _, d := range p.documents {
			_ = askEngine(d.at(engineAsk{Op: "scrollBack"}.query()), rest.LookLimit, &struct{}{}) // the next look returns what is wrong
		}
		return 0, nil
	})
}
