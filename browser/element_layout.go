package browser

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/selectors"
)

// layoutAnswer describes what the engine answers for one document.
type layoutAnswer struct {
	Elements []struct {
		Parent   int               `json:"p"`
		Step     string            `json:"g"`
		Selector string            `json:"s"`
		Box      [4]float64        `json:"b"`
		Text     string            `json:"t"`
		Image    string            `json:"i"`
		Styles   map[string]string `json:"c"`
	} `json:"elements"`
	Frames []struct {
		Head  string     `json:"h"`
		Index int        `json:"x"`
		Box   [4]float64 `json:"b"`
	} `json:"frames"`
}

const (
	maxLayout = 5000 // elements of a page with its frames
)

// layoutOf reads what a page consists of, in pixels of its picture. The picture
// shows the part of the document at origin (CSS pixels), with scale device
// pixels for each of them. Elements far outside of it are left out. A frame
// that does not answer has nothing in it.
func (s *screenshotter) layoutOf(ctx context.Context, t *tab, origin Area, scale float64) ([]LayoutElement, error) {
	r := layoutReader{page: t.page, origin: origin, scale: scale, patience: rest.FramesLimit / 2, ask: engineAsk{Op: "layout", Values: s.secretValues()}}
	timeout := time.Duration(*left(ctx, rest.LayoutLimit)) * time.Millisecond
	if err := r.read(nil, -1, [2]float64{}, timeout); err != nil {
		return nil, fmt.Errorf("read the elements of the page: %w", err)
	}
	return nearby(r.out, origin, scale), nil
}

// layoutReader gathers the elements of a page and of the frames in it.
type layoutReader struct {
	page     playwright.Page
	ask      engineAsk
	origin   Area
	scale    float64
	patience time.Duration // what may still be spent on frames that don't answer
	frames   int
	out      []LayoutElement
}

// read adds the document that the hops lead to; at is where it begins, in CSS
// pixels of the page.
func (r *layoutReader) read(hops []selectors.Line, parent int, at [2]float64, timeout time.Duration) error {
	var answer layoutAnswer
	if err := askEngine(inFrames(r.page, hops, r.ask.query()), max(timeout, rest.Least), &answer); err != nil {
		return err
	}
	base, prefix := len(r.out), selectors.Selector{Frames: hops}.Prefix()
	for _, e := range answer.Elements[:min(len(answer.Elements), maxLayout-base)] {
		up := parent
		if e.Parent >= 0 {
			up = base + e.Parent
		}
		x, width, left := r.pixels(at[0]+e.Box[0]-r.origin.X, e.Box[2])
		y, height, above := r.pixels(at[1]+e.Box[1]-r.origin.Y, e.Box[3])
		r.out = append(r.out, LayoutElement{Selector: prefix + e.Selector, Path: e.Step, Parent: up, X: x, Y: y, Width: width, Height: height, Offset: [2]int{left, above},
			Text: e.Text, Image: e.Image, Styles: e.Styles})
	}
	for _, f := range answer.Frames {
		if base+f.Index < len(r.out) {
			r.enter(f.Head, hops, base+f.Index, [2]float64{at[0] + f.Box[0], at[1] + f.Box[1]})
		}
	}
	return nil
}

// pixels turns a beginning and a length into whole pixels, so that what touches
// in the page touches in the map. rest is what rounding took from the beginning,
// in 64ths.
func (r *layoutReader) pixels(begin, length float64) (first, count, rest int) {
	first = int(math.Round(begin * r.scale))
	return first, int(math.Round((begin+length)*r.scale)) - first, int(math.Round(64 * (begin*r.scale - float64(first))))
}

// enter reads a frame; one that can't be read stays a box.
func (r *layoutReader) enter(head string, hops []selectors.Line, parent int, at [2]float64) {
	if r.frames++; r.frames > maxFrames || len(hops) >= maxFrameDepth || len(r.out) >= maxLayout {
		return
	}
	hop, _, ok, err := selectors.ScanLine(head)
	if !ok || err != nil {
		return
	}
	timeout := min(rest.FrameLimit, r.patience)
	inner := append(append([]selectors.Line(nil), hops...), hop)
	if err := r.read(inner, parent, at, timeout); errors.Is(err, playwright.ErrTimeout) {
		r.patience -= timeout
	}
}

// nearby leaves out what is further from the picture than its own size: what a
// change can push into it or out of it stays. Elements that others stand in
// stay too.
func nearby(all []LayoutElement, origin Area, scale float64) []LayoutElement {
	w, h := int(origin.Width*scale), int(origin.Height*scale)
	keep := make([]bool, len(all))
	for i := len(all) - 1; i >= 0; i-- { // children come after their parents
		e := all[i]
		keep[i] = keep[i] || e.X <= 2*w && e.X+e.Width >= -w && e.Y <= 2*h && e.Y+e.Height >= -h
		if keep[i] && e.Parent >= 0 {
			keep[e.Parent] = true
		}
	}
	place, out := make([]int, len(all)), make([]LayoutElement, 0, len(all))
	for i, e := range all {
		if !keep[i] {
			continue
		}
		if e.Parent >= 0 {
			e.Parent = place[e.Parent]
		}
		place[i] = len(out)
		out = append(out, e)
	}
	return out
}
