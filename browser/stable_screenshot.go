package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/wait"
)

// StillOptions say of what to take a picture that can be compared with a later
// one.
type StillOptions struct {
	Selector string        // one element only, whatever FullPage says; else the page
	FullPage bool          // the whole scrollable page, not the viewport only
	Mask     []string      // painted over: selectors, or box=x,y,width,height in CSS pixels of the picture
	Find     []string      // selectors, or boxes, whose places in the picture are wanted
	Ignore   []string      // places that the caller does not compare: what is missing there keeps nobody from a picture
	Known    []byte        // a still of it, as PNG: a first picture that equals it is at rest like it, and no second one is taken
	Freeze   *time.Time    // load the page again first, with the clock standing at this time; see [Session.Freeze]
	Timeout  time.Duration // until two pictures in a row must be equal; 0: 10 s
}

// Still holds a picture of a page at rest, with the elements it consists of.
type Still struct {
	Shot
	Elements  []LayoutElement   // none where the picture equals StillOptions.Known: reading them takes longer than the picture
	Masked    []Area            // what was painted over, in pixels of the picture
	Found     map[string][]Area // where each of Find is, in pixels of the picture; none where it has no place in it
	Unmatched []string          // those of Mask that match nothing: a mask that hides nothing is probably misspelt
	Tries     int               // pictures that were taken
}

// LayoutElement holds one element that has a box in a picture; see
// visual/layout.Element, which it converts to.
type LayoutElement struct {
	Selector string
	Path     string
	Parent   int
	X        int
	Y        int
	Width    int
	Height   int
	Offset   [2]int
	Text     string
	Image    string
	Styles   map[string]string
}

// RestlessError describes a page that did not come to rest, as the cause of a
// TIMEOUT error: no two pictures in a row were equal, or something of it was
// still loading, or the picture lacks what is seen where the page is scrolled to.
// It carries the last two pictures, painted over like any
// other, so that the caller can find where they differ; they are empty where
// none could be taken.
type RestlessError struct {
	Last     [2][]byte         // PNG
	Readings [][]LayoutElement // what the page consisted of at the end, a moment later, and, where something moved, again and again; none where Missing tells what is wrong
	Missing  []MissingPart     // what was seen in its place, and goes out when the page is scrolled back
}

// MissingPart holds a text or a picture that a still lacks.
type MissingPart struct {
	Words string // the text; of a picture its alternative text
	Mask  string // a place that hides it: a selector, or a box
	Area  Area   // its place in the picture, in pixels of it
}

func (*RestlessError) Error() string { return "the page does not come to rest" }

const stillOp = "take a picture"

// Still takes a picture of a page at rest, as PNG: animations are at their end,
// or at their beginning if they have no end, the caret is hidden, fonts and
// images are awaited, what loads when it is scrolled to is loaded (whole page
// only), and pictures are taken until two in a row are equal in every byte. The
// pointer stays where it is: what it hovers over may be what is looked at. A
// whole page, or an element, is taken with the page at its beginning; fixed and
// sticky parts appear once, where they are then. Of what lies beyond the
// viewport Chromium takes a picture by changing the window's size for a moment,
// of which the page hears, as with any such picture. The page is as before
// afterwards, but for the frozen clock. Controls that hold a password or a
// secret are painted over. A picture of more than the window that lacks what
// comes in when it is scrolled to, and goes out again, is none, unless a mask or
// Ignore hides its place.
//
// Requests are awaited, too, for 5 s each: one that takes longer is taken for
// one that stays open by design. Errors: those of [Session.Screenshot], and
// TIMEOUT with a [RestlessError] as its cause.
func (s *screenshotter) Still(ctx context.Context, o StillOptions) (Still, error) {
	if o.Timeout <= 0 {
		o.Timeout = rest.StillLimit
	}
	shoot := stillShoot{s: s, o: o}
	if err := shoot.parse(); err != nil {
		return Still{}, err
	}
	if o.Freeze != nil {
		thaw, err := s.reloadFrozen(ctx, *o.Freeze)
		if err != nil {
			return Still{}, err
		}
		defer thaw()
	}
	return on(ctx, s.livePage, stillOp, explain.Quoting(o.Selector), func(ctx context.Context, t *tab) (Still, error) {
		shoot.t = t
		defer shoot.unpose()
		return shoot.settle(ctx)
	})
}

// stillShoot holds the work on one still.
type stillShoot struct {
	s       *screenshotter
	t       *tab
	o       StillOptions
	of      *target // the element; nil: the page
	masks   []place
	finds   []place
	ignore  []place
	lost    []lostPart // what the page would not show in the next picture
	waits   []string   // what the page was waited for last
	brought bool       // the element was scrolled into view

	document string  // that holds the pose
	seen     [2]view // the last two
	tries    int
}

// view holds one picture, and the state when it was taken.
type view struct {
	shot   Shot
	at     part
	hidden []Area // in CSS pixels of the picture

	document string
}

func (k *stillShoot) parse() error {
	if k.o.Selector != "" {
		t, err := parseSelector(k.o.Selector)
		if err != nil {
			return err
		}
		k.of = &t
	}
	var err error
	if k.masks, err = parsePlaces(k.o.Mask); err != nil {
		return err
	}
	if k.ignore, err = parsePlaces(k.o.Ignore); err != nil {
		return err
	}
	k.finds, err = parsePlaces(k.o.Find)
	return err
}

// settle takes pictures until two in a row are equal.
func (k *stillShoot) settle(ctx context.Context) (Still, error) {
	bound, cancel := context.WithTimeout(ctx, k.o.Timeout)
	defer cancel()
	pauses := rest.StillPauses()
	for try := 0; ; try++ {
		err := wait.For(bound, pauses[min(try, len(pauses)-1)])
		var now view
		if err == nil {
			now, err = k.look(bound)
		}
		switch {
		case err == nil:
			k.seen[0], k.seen[1] = k.seen[1], now
			k.tries++
			resting, err := k.resting()
			if err != nil {
				return Still{}, err
			}
			if !resting {
				continue
			}
			out, err := k.complete(ctx)
			if err == nil || !isPassing(err) {
				return out, err
			}
			k.begin(err)
		case ctx.Err() == nil && bound.Err() != nil:
			if err := k.missing(ctx); err != nil {
				return Still{}, err
			}
			return Still{}, k.restless(ctx)
		case isPassing(err):
			k.begin(err)
		default:
			return Still{}, err
		}
	}
}

// begin begins anew after a failure that passes: the next document, or the next
// frame, will do.
func (k *stillShoot) begin(passing error) {
	k.waits, k.brought = []string{"the page: " + reason(passing)}, false
}

// missing says that the element is not there, when time is up: that is no page
// that does not come to rest.
func (k *stillShoot) missing(ctx context.Context) error {
	if k.of == nil {
		return nil
	}
	n, err := within(ctx, k.t, rest.SettleLimit, func() (int, error) { return k.of.count(k.t.page) })
	if err != nil || n == 1 {
		return err
	}
	what := explain.Doing(stillOp, k.of.quoted())
	if n > 1 {
		return explain.Prefixed(what, k.of.ambiguous(k.t.page, n))
	}
	return explain.Prefixed(what, k.of.notFound(k.t.page))
}

// look takes one picture, when nothing is awaited any more.
func (k *stillShoot) look(ctx context.Context) (view, error) {
	var v view
	if err := k.pose(ctx); err != nil {
		return v, err
	}
	v.document = k.document
	var err error
	if v.at, err = k.part(ctx); err != nil {
		return v, err
	}
	if v.hidden, err = k.hidden(ctx, v.at); err != nil {
		return v, err
	}
	v.shot, err = k.shoot(ctx, v.at)
	return v, err
}

// resting reports whether the last picture equals the one before it, or, if it is
// the first, the one that is known.
func (k *stillShoot) resting() (bool, error) {
	if k.tries > 1 || k.o.Known == nil {
		return k.same()
	}
	first, err := k.painted(k.seen[1], k.seen[1].hidden)
	return err == nil && bytes.Equal(first.Data, k.o.Known), err
}

// same reports whether the last two pictures are equal once they are painted over. What
// is painted over may move where something that stands still is painted over, too.
func (k *stillShoot) same() (bool, error) {
	a, b := &k.seen[0], &k.seen[1]
	if a.shot.Data == nil || a.document != b.document || a.at != b.at {
		return false, nil
	}
	stands := slices.Equal(a.hidden, b.hidden)
	if stands && bytes.Equal(a.shot.Data, b.shot.Data) {
		return true, nil
	}
	if stands && len(b.hidden) == 0 {
		return false, nil
	}
	before, err := k.painted(*a, a.hidden)
	if err != nil {
		return false, err
	}
	after, err := k.painted(*b, b.hidden)
	return err == nil && bytes.Equal(before.Data, after.Data), err
}

// complete makes a still of the last picture, if it has all that is seen in its
// place.
func (k *stillShoot) complete(ctx context.Context) (Still, error) {
	missing, err := k.missingParts(ctx, k.seen[1])
	if err == nil && len(missing) > 0 {
		err = k.incomplete(missing)
	}
	if err != nil {
		return Still{}, err
	}
	return k.finish(ctx)
}

// finish makes a still of the last picture.
func (k *stillShoot) finish(ctx context.Context) (Still, error) {
	v := k.seen[1]
	shot, err := k.painted(v, v.hidden)
	if err != nil {
		return Still{}, err
	}
	out := Still{Shot: shot, Masked: v.at.inPicture(k.s, v.hidden, shot), Found: map[string][]Area{}, Tries: k.tries}
	if k.o.Known == nil || !bytes.Equal(shot.Data, k.o.Known) {
		if out.Elements, err = k.elements(ctx, v.at); err != nil {
			return Still{}, err
		}
	}
	for _, p := range k.finds {
		areas, err := k.areas(ctx, p, v.at)
		if err != nil {
			return Still{}, err
		}
		out.Found[p.text] = v.at.inPicture(k.s, areas, shot)
	}
	for _, p := range k.masks {
		areas, err := k.areas(ctx, p, v.at)
		if err != nil {
			return Still{}, err
		}
		if len(areas) == 0 {
			out.Unmatched = append(out.Unmatched, p.text)
		}
	}
	return out, k.stays(ctx, v)
}

// elements returns what the page consists of, in the pose that was taken.
func (k *stillShoot) elements(ctx context.Context, at part) ([]LayoutElement, error) {
	return k.s.layoutOf(ctx, k.t, at.Area, at.pixels(k.s))
}

// nextFrame names what the engine awaits between two pictures.
const nextFrame = "its next frame"

// pose brings the page and its frames into the pose that is taken, holds it, and
// waits until nothing is awaited that would change what is painted.
func (k *stillShoot) pose(ctx context.Context) error {
	for {
		waits, err := k.strike(ctx)
		if err != nil {
			return err // what was awaited before still is
		}
		k.waits = waits
		if len(k.waits) == 0 {
			k.waits = k.s.log.PaintRequests()
		}
		if len(k.waits) == 0 {
			if k.of == nil || k.brought {
				return nil
			}
			k.brought = true
			if err := k.bring(ctx); err != nil {
				return err
			}
			continue // what it scrolled may bring in more, and has scrolled the page
		}
		if err := wait.For(ctx, rest.PosePoll); err != nil {
			return err
		}
	}
}

// strike asks every frame to take the pose, or to hold it, and gathers what they
// wait for. A frame that does not answer shows nothing that changes.
func (k *stillShoot) strike(ctx context.Context) ([]string, error) {
	whole := k.o.FullPage && k.of == nil
	var waits []string
	err := k.eachFrame(ctx, func(main bool) engineAsk {
		ask := engineAsk{Op: "pose", Top: main && (whole || k.of != nil), Walk: main && whole}
		if main && k.seen[1].at.beyond {
			ask.Taken = k.tries
		}
		return ask
	}, &waits)
	return waits, err
}

// unpose undoes the pose, whatever became of the caller. A page that is gone, or
// does not answer any more, has nothing to undo.
func (k *stillShoot) unpose() {
	ctx, cancel := k.s.cleanUp(rest.LookLimit)
	defer cancel()
	if err := k.eachFrame(ctx, func(bool) engineAsk { return engineAsk{Op: "unpose"} }, new([]string)); err != nil && k.t.usable() && !isClosed(err) {
		k.s.pool.Log.Warn("put the page back after a picture", "session", k.s.id, "err", err)
	}
}

// posed describes what a frame answers.
type posed struct {
	Waits    []string
	Document string // tells it from the one before and the next
	Lost     []lostPart
}

// lostPart describes what was seen in its place, and is not in the picture; see
// outline/seen_in_place.js. Its place is in CSS pixels of the page.
type lostPart struct {
	Words, What, Path string
	X, Y, W, H        float64
}

// errReplaced says that the page is another one by now.
var errReplaced = errors.New("the page was replaced meanwhile")

// stays fails if the page was replaced since a picture of it was begun: what is
// known of it may be of the next one.
func (k *stillShoot) stays(ctx context.Context, v view) error {
	now, err := within(ctx, k.t, rest.LookLimit, func() (a posed, err error) {
		err = askEngine(k.t.page.Locator(engineAsk{Op: "posed"}.query()), rest.LookLimit, &a)
		return a, err
	})
	if err == nil && now.Document != v.document {
		return errReplaced
	}
	return err
}

func (k *stillShoot) eachFrame(ctx context.Context, ask func(main bool) engineAsk, waits *[]string) error {
	for i, frame := range framesOf(k.t.page) {
		got, err := within(ctx, k.t, rest.FrameLimit, func() (posed, error) {
			var a posed
			err := askEngine(frame.Locator(ask(i == 0).query()), rest.FrameLimit, &a)
			return a, err
		})
		switch {
		case err == nil:
			*waits = append(*waits, got.Waits...)
			if i == 0 {
				k.document, k.lost = got.Document, got.Lost
			}
		case ctx.Err() != nil:
			return ctx.Err()
		case i > 0 && (isNavigating(err) || errors.Is(err, errNoAnswer) || errors.Is(err, playwright.ErrTimeout) || frame.IsDetached()):
		default:
			return err
		}
	}
	return nil
}

// bring scrolls the element into view within what it scrolls in. It must be
// visible soon, as the page has come to rest otherwise, and be the only one.
func (k *stillShoot) bring(ctx context.Context) error {
	l := k.of.locator(k.t.page)
	if err := inPieces(ctx, rest.LookLimit, func(limit *float64) error {
		return awaitVisible(l, limit)
	}, nil); err != nil {
		return whyNot(ctx, k.t, *k.of, stillOp, err)
	}
	if err := askEngine(l.Locator(engineAsk{Op: "bring"}.query()), rest.LookLimit, &struct{}{}); err != nil {
		return whyNot(ctx, k.t, *k.of, stillOp, err)
	}
	return nil
}

// part holds the part of the page that a picture shows, in CSS pixels of the
// page.
type part struct {
	Area
	left, top float64 // of the viewport in the page
	zoom      float64 // of the picture, beside the device's
	beyond    bool    // it may reach beyond the viewport
}

// pixels returns those of the picture for one CSS pixel.
func (p part) pixels(s *screenshotter) float64 { return s.scale * p.zoom }

// inPicture places areas of the picture, given in CSS pixels, in its pixels:
// whole ones, outwards, as far as they are in it.
func (p part) inPicture(s *screenshotter, areas []Area, shot Shot) []Area {
	out, scale := []Area{}, p.pixels(s)
	for _, a := range areas {
		x0, y0 := max(0, math.Floor(a.X*scale)), max(0, math.Floor(a.Y*scale))
		x1 := min(float64(shot.Width), math.Ceil((a.X+a.Width)*scale))
		y1 := min(float64(shot.Height), math.Ceil((a.Y+a.Height)*scale))
		if x1 > x0 && y1 > y0 {
			out = append(out, Area{x0, y0, x1 - x0, y1 - y0})
		}
	}
	return out
}

// part finds out what to take.
func (k *stillShoot) part(ctx context.Context) (part, error) {
	size, err := within(ctx, k.t, rest.SettleLimit, func() (pageMetrics, error) { return k.metrics() })
	if err != nil {
		return part{}, err
	}
	v := k.s.Viewport()
	p := part{left: size.layout.X, top: size.layout.Y, zoom: 1, beyond: true}
	switch {
	case k.of != nil:
		p.Area, err = k.elementArea(ctx, p, size.content)
	case k.o.FullPage:
		p.Area = outwards(size.content)
		p.beyond = p.Width > float64(v.Width) || p.Height > float64(v.Height)
	default:
		p.zoom, p.beyond = size.zoom, false
		p.Area = Area{size.visual.X, size.visual.Y, math.Ceil(float64(v.Width) / p.zoom), math.Ceil(float64(v.Height) / p.zoom)}
	}
	if err != nil {
		return part{}, err
	}
	return p, k.s.checkSize(p.Width*p.pixels(k.s), p.Height*p.pixels(k.s))
}

// elementArea returns where the element is in the page. One of which nothing can be
// painted is an error.
func (k *stillShoot) elementArea(ctx context.Context, p part, content Area) (Area, error) {
	l := k.of.locator(k.t.page)
	box, err := l.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, rest.LookLimit)})
	if err != nil {
		return Area{}, whyNot(ctx, k.t, *k.of, stillOp, err)
	}
	what := explain.Doing(stillOp, k.of.quoted())
	if box == nil {
		return Area{}, explain.Unpainted{}.Explain(what)
	}
	if box.Width <= 0 || box.Height <= 0 {
		return Area{}, explain.Unpainted{HasBox: true, Width: box.Width, Height: box.Height}.Explain(what)
	}
	a := Area{box.X + p.left, box.Y + p.top, box.Width, box.Height}
	seen := outwards(a).within(outwards(content))
	if seen.Width <= 0 || seen.Height <= 0 {
		return Area{}, explain.Unpainted{HasBox: true, OffPage: true, X: a.X, Y: a.Y}.Explain(what)
	}
	return seen, nil
}

// outwards returns the smallest area of whole pixels around a.
func outwards(a Area) Area {
	x, y := math.Floor(a.X+1e-3), math.Floor(a.Y+1e-3)
	return Area{x, y, math.Ceil(a.X+a.Width-1e-3) - x, math.Ceil(a.Y+a.Height-1e-3) - y}
}

// within returns what of a is in b; its size is not positive when nothing is.
func (a Area) within(b Area) Area {
	x, y := max(a.X, b.X), max(a.Y, b.Y)
	return Area{x, y, min(a.X+a.Width, b.X+b.Width) - x, min(a.Y+a.Height, b.Y+b.Height) - y}
}

// pageMetrics holds places in the page, in CSS pixels.
type pageMetrics struct {
	content Area // all of it
	layout  Area // the viewport
	visual  Area // what of it is seen, on a zoomed page
	zoom    float64
}

const plainMetrics = `() => { const d = document.documentElement, b = document.body || d;
	return [Math.max(d.scrollWidth, b.scrollWidth), Math.max(d.scrollHeight, b.scrollHeight), scrollX, scrollY] }`

// metrics reads the page's places from Chromium; in another browser, by a
// script in the page.
func (k *stillShoot) metrics() (pageMetrics, error) {
	var m pageMetrics
	if k.s.opts.Type != "chromium" {
		got, err := k.t.page.Evaluate(plainMetrics)
		if err != nil {
			return m, err
		}
		list, _ := got.([]any)
		if len(list) != 4 {
			return m, fmt.Errorf("the page answered %T for its size", got)
		}
		w, h, _ := pair(list[:2])
		x, y, _ := pair(list[2:])
		v := k.s.Viewport()
		return pageMetrics{Area{0, 0, max(w, float64(v.Width)), max(h, float64(v.Height))}, Area{X: x, Y: y}, Area{X: x, Y: y}, 1}, nil
	}
	session, err := k.t.tools()
	if err != nil {
		return m, err
	}
	got, err := session.Send("Page.getLayoutMetrics", nil)
	if err != nil {
		return m, err
	}
	all, _ := got.(map[string]any)
	number := func(object, name string) float64 {
		fields, _ := all[object].(map[string]any)
		n, _, _ := pair([]any{fields[name], 0})
		return n
	}
	m.content = Area{number("cssContentSize", "x"), number("cssContentSize", "y"), number("cssContentSize", "width"), number("cssContentSize", "height")}
	m.layout = Area{X: number("cssLayoutViewport", "pageX"), Y: number("cssLayoutViewport", "pageY")}
	m.visual = Area{X: number("cssVisualViewport", "pageX"), Y: number("cssVisualViewport", "pageY")}
	if m.zoom = number("cssVisualViewport", "scale"); m.zoom <= 0 || m.content.Width <= 0 {
		return m, fmt.Errorf("%w: the browser tells no size of it", errNoAnswer) // as between two documents
	}
	return m, nil
}

// shoot takes one picture. Our own connection to Chromium ignores a device's
// finer pixels; Playwright's does not.
func (k *stillShoot) shoot(ctx context.Context, p part) (Shot, error) {
	data, err := within(ctx, k.t, k.o.Timeout, func() ([]byte, error) {
		if k.s.opts.Type == "chromium" && k.s.scale == 1 {
			return k.captured(p)
		}
		o := playwright.PageScreenshotOptions{FullPage: &p.beyond, Caret: playwright.ScreenshotCaretInitial, Timeout: left(ctx, k.o.Timeout)}
		if p.beyond {
			o.Clip = p.rect()
		}
		return k.t.page.Screenshot(o)
	})
	if err != nil {
		return Shot{}, err
	}
	return k.s.decodeShot(data, "png")
}

// captured comes straight from Chromium, in half the time: the file is up to
// twice as large, with the same pixels.
func (k *stillShoot) captured(p part) ([]byte, error) {
	session, err := k.t.tools()
	if err != nil {
		return nil, err
	}
	answer, err := session.Send("Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": true, "captureBeyondViewport": p.beyond,
		"clip": map[string]any{"x": p.X, "y": p.Y, "width": p.Width, "height": p.Height, "scale": p.zoom}})
	if err != nil {
		return nil, err
	}
	fields, _ := answer.(map[string]any)
	text, ok := fields["data"].(string)
	if !ok {
		return nil, fmt.Errorf("the browser answered %T for a picture", answer)
	}
	return base64.StdEncoding.DecodeString(text)
}

// isPassing reports whether a failure is one of the moment: the page was being
// replaced, had no frame to take, or was too busy to answer.
func isPassing(err error) bool {
	return !explain.Explained(err) && (isNavigating(err) || errors.Is(err, errReplaced) || errors.Is(err, errNoAnswer) || errors.Is(err, playwright.ErrTimeout) ||
		isUncapturable(err))
}
