package browser

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
)

// place holds a part of a picture that is given beforehand: all elements of a
// selector, or a box.
type place struct {
	text string
	of   target
	box  *Area // in CSS pixels of the picture
}

func parsePlaces(texts []string) ([]place, error) {
	out := make([]place, 0, len(texts))
	for _, text := range texts {
		p, err := parsePlace(text)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// parsePlace reads a selector, or box=x,y,width,height.
func parsePlace(text string) (place, error) {
	rest, isBox := strings.CutPrefix(strings.TrimSpace(text), "box=")
	if !isBox {
		t, err := parseSelector(text)
		return place{text: text, of: t}, err
	}
	const form = "write box=x,y,width,height in CSS pixels of the picture, such as box=0,0,200,40"
	var n []float64
	for field := range strings.SplitSeq(rest, ",") {
		f, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return place{}, explain.Invalid(form, "box %q: %q is no number", texts.Cut(text, maxNote), texts.Cut(field, maxNote))
		}
		n = append(n, f)
	}
	if len(n) != 4 {
		return place{}, explain.Invalid(form, "box %q has %d numbers instead of 4", texts.Cut(text, maxNote), len(n))
	}
	if n[0] < 0 || n[1] < 0 || n[2] <= 0 || n[3] <= 0 {
		return place{}, explain.Invalid(form, "box %q: x and y must not be below 0, width and height must be above", texts.Cut(text, maxNote))
	}
	return place{text: text, box: &Area{n[0], n[1], n[2], n[3]}}, nil
}

// maxPlaces bounds the elements of one selector, each of which costs a question
// to the browser.
const maxPlaces = 500

// areas returns where a place is in the picture, in its CSS pixels.
func (k *stillShoot) areas(ctx context.Context, p place, at part) ([]Area, error) {
	if p.box != nil {
		return []Area{*p.box}, nil
	}
	n, err := within(ctx, k.t, rest.LookLimit, func() (int, error) { return p.of.count(k.t.page) })
	if err != nil || n == 0 {
		return nil, err
	}
	if n > maxPlaces {
		return nil, explain.Invalid("name an element around them", "%d elements match %s, the limit is %d", n, p.of, maxPlaces)
	}
	return k.boxes(ctx, p.of.locator(k.t.page), at)
}

// boxes returns where the elements of a locator are in the picture, in its CSS
// pixels. Those that are not rendered have none.
func (k *stillShoot) boxes(ctx context.Context, l playwright.Locator, at part) ([]Area, error) {
	return within(ctx, k.t, rest.SettleLimit, func() ([]Area, error) {
		handles, err := l.ElementHandles() //nolint:staticcheck // a locator would look for all of them again for each
		if err != nil {
			return nil, err
		}
		var out []Area
		for _, handle := range handles {
			box, boxErr := handle.BoundingBox()
			err = errors.Join(err, boxErr, handle.Dispose())
			if box != nil {
				out = append(out, Area{box.X + at.left - at.X, box.Y + at.top - at.Y, box.Width, box.Height})
			}
		}
		return out, err
	})
}

// hidden returns the areas to paint over: masks, secrets and passwords.
func (k *stillShoot) hidden(ctx context.Context, at part) ([]Area, error) {
	var out []Area
	for _, p := range k.masks {
		areas, err := k.areas(ctx, p, at)
		if err != nil {
			return nil, err
		}
		out = append(out, areas...)
	}
	secrets, err := k.s.secretsIn(ctx, k.t)
	for i := 0; i < len(secrets) && err == nil; i++ {
		var areas []Area
		areas, err = k.boxes(ctx, secrets[i], at)
		out = append(out, areas...)
	}
	return out, err
}

// painted returns the picture of a view with areas painted over.
func (k *stillShoot) painted(v view, hidden []Area) (Shot, error) {
	areas := v.at.inPicture(k.s, hidden, v.shot)
	if len(areas) == 0 {
		return v.shot, nil
	}
	picture, err := png.Decode(bytes.NewReader(v.shot.Data))
	if err != nil {
		return Shot{}, explain.Unreadable(stillOp, err)
	}
	canvas, ok := picture.(draw.Image)
	if !ok { // a palette has no colour for it
		canvas = image.NewRGBA(picture.Bounds())
		draw.Draw(canvas, canvas.Bounds(), picture, picture.Bounds().Min, draw.Src)
	}
	paint := image.NewUniform(color.RGBA{0x80, 0x88, 0x90, 0xff}) // maskColor
	for _, a := range areas {
		draw.Draw(canvas, image.Rect(int(a.X), int(a.Y), int(a.X+a.Width), int(a.Y+a.Height)), paint, image.Point{}, draw.Src)
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, canvas); err != nil {
		return Shot{}, err
	}
	shot := v.shot
	shot.Data = out.Bytes()
	return shot, nil
}

// missingParts lists what a picture lacks of what is seen in its place, and no mask
// and no ignored place hides.
func (k *stillShoot) missingParts(ctx context.Context, v view) ([]MissingPart, error) {
	if len(k.lost) == 0 {
		return nil, nil
	}
	hidden := slices.Clone(v.hidden)
	for _, p := range k.ignore {
		areas, err := k.areas(ctx, p, v.at)
		if err != nil {
			return nil, err
		}
		hidden = append(hidden, areas...)
	}
	var out []MissingPart
	for _, l := range k.lost {
		a := Area{l.X - v.at.X, l.Y - v.at.Y, l.W, l.H}
		place := v.at.inPicture(k.s, []Area{a}, v.shot)
		if len(place) > 0 && !slices.ContainsFunc(hidden, a.isIn) {
			out = append(out, MissingPart{Words: cmp.Or(l.Words, l.What), Mask: l.mask(a), Area: place[0]})
		}
	}
	return out, nil
}

// mask returns what hides a part that stands at a in the picture.
func (l lostPart) mask(a Area) string {
	if l.Path != "" {
		return "css=" + l.Path
	}
	a = outwards(a)
	return fmt.Sprintf("box=%g,%g,%g,%g", max(0, a.X), max(0, a.Y), max(1, a.Width), max(1, a.Height))
}

// isIn reports whether b covers all of a, but for parts of a pixel.
func (a Area) isIn(b Area) bool {
	return a.X >= b.X-1 && a.Y >= b.Y-1 && a.X+a.Width <= b.X+b.Width+1 && a.Y+a.Height <= b.Y+b.Height+1
}

// incomplete says what a picture lacks.
func (k *stillShoot) incomplete(missing []MissingPart) error {
	why := &RestlessError{Missing: missing}
	var words []string
	for _, m := range missing {
		words = append(words, strconv.Quote(texts.Cut(m.Words, maxNote))+" at "+m.Mask)
	}
	e := explain.Incomplete(explain.Doing(stillOp, explain.Quoting(k.o.Selector)), len(missing), eventlog.Listed(pagetext.Of(words...), len(words)), why)
	for i, v := range k.seen {
		if v.shot.Data == nil {
			continue
		}
		shot, err := k.painted(v, slices.Concat(k.seen[0].hidden, k.seen[1].hidden))
		if err != nil {
			return errors.Join(e, err)
		}
		why.Last[i] = shot.Data
	}
	return e
}

// restless says what the page was still doing when time was up. Its pictures are
// painted over wherever something was to be hidden in any of them.
func (k *stillShoot) restless(ctx context.Context) error {
	why := &RestlessError{}
	var waits []pagetext.Text
	if !slices.Equal(k.waits, []string{nextFrame}) {
		waits = eventlog.Listed(pagetext.Of(k.waits...), len(k.waits))
	}
	e := explain.NoRest(explain.Doing(stillOp, explain.Quoting(k.o.Selector)), k.o.Timeout, k.tries, waits, why)
	last, err := k.hidden(ctx, k.seen[1].at)
	if err != nil {
		return e // without its pictures: they may show what they must not
	}
	why.Readings = k.readings(ctx)
	all := slices.Concat(k.seen[0].hidden, k.seen[1].hidden, last)
	for i, v := range k.seen {
		if v.shot.Data == nil {
			continue
		}
		shot, err := k.painted(v, all)
		if err != nil {
			return errors.Join(e, err)
		}
		why.Last[i] = shot.Data
	}
	return e
}

// readings reads what the page consists of, twice, and where something moves, until its
// way is likely known. There are fewer where the page does not answer any more.
func (k *stillShoot) readings(ctx context.Context) [][]LayoutElement {
	var out [][]LayoutElement
	read := func(ctx context.Context) bool {
		elements, err := k.elements(ctx, k.seen[1].at)
		if err == nil {
			out = append(out, elements)
		}
		return err == nil
	}
	if !read(ctx) || wait.For(ctx, rest.RestlessMoment) != nil || !read(ctx) || !moved(out[0], out[1]) {
		return out
	}
	watch, cancel := context.WithTimeout(ctx, rest.RestlessWatch)
	defer cancel()
	for wait.For(watch, rest.RestlessStep) == nil && read(watch) {
	}
	return out
}

// moved reports whether an element has another box by now.
func moved(then, now []LayoutElement) bool {
	at := map[string]LayoutElement{}
	for _, e := range then {
		at[e.Selector] = e
	}
	return slices.ContainsFunc(now, func(e LayoutElement) bool {
		was, known := at[e.Selector]
		return !known || was.X != e.X || was.Y != e.Y || was.Width != e.Width || was.Height != e.Height
	})
}

// markSecret marks the one element that l finds as a field that holds a secret. The
// page cannot observe the mark.
func markSecret(l playwright.Locator, limit *float64) error {
	return askEngine(l.Locator(engineAsk{Op: "conceal"}.query()), time.Duration(*limit)*time.Millisecond, &struct{}{})
}

// secretsIn finds what a screenshot of the page must not show, one locator for
// each frame that has something of the kind: fields that hold a secret or a
// password, and elements whose text holds a secret.
func (s *screenshotter) secretsIn(ctx context.Context, t *tab) ([]playwright.Locator, error) {
	ask := engineAsk{Op: "secrets", Values: s.secretValues()}
	var out []playwright.Locator
	for i, frame := range framesOf(t.page) {
		l := frame.Locator(ask.query())
		n, err := within(ctx, t, rest.FrameLimit, l.Count)
		switch {
		case err == nil && n > 0:
			out = append(out, l)
		case err == nil, isNavigating(err), i > 0 && errors.Is(err, errNoAnswer), i > 0 && frame.IsDetached():
			// nothing there, or a document that shows nothing yet
		default:
			return nil, err
		}
	}
	return out, nil
}

// secretValues returns what the engine must not print, encoded: no part of a
// selector, and no plain text in a trace.
func (s *livePage) secretValues() string {
	values := s.pool.Secrets()
	if len(values) == 0 {
		return ""
	}
	return base64.StdEncoding.EncodeToString([]byte(jsonString(values)))
}

// Area holds a part of the viewport, in CSS pixels.
type Area struct{ X, Y, Width, Height float64 }

func (a Area) String() string { return fmt.Sprintf("%g,%g, %g×%g", a.X, a.Y, a.Width, a.Height) }

// isShown reports whether the area has pixels, all of them in the viewport.
func (a Area) isShown(v Viewport) bool {
	return a.X >= 0 && a.Y >= 0 && a.Width > 0 && a.Height > 0 && a.X+a.Width <= float64(v.Width) && a.Y+a.Height <= float64(v.Height) // nor NaN
}

func (a *Area) rect() *playwright.Rect {
	if a == nil {
		return nil
	}
	return &playwright.Rect{X: a.X, Y: a.Y, Width: a.Width, Height: a.Height}
}

// scale returns whether pixels are CSS pixels or the device's.
func (o ShotOptions) scale() *playwright.ScreenshotScale {
	if o.CSS {
		return playwright.ScreenshotScaleCss
	}
	return nil
}
