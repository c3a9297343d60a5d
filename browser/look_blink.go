package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/seen"
	"github.com/assay-qa/assay/browser/selectors"
)

// Bounds on what pictures decide in one look.
const (
	maxBlinks  = 12
	blinkLimit = 3 * time.Second
)

// blinkAnswer is where the things in doubt are, in the outermost document that
// the engine can read from theirs.
type blinkAnswer struct {
	Boxes []struct{ N, X, Y, W, H float64 } `json:"boxes"`
	Top   bool                              `json:"top"`
	X     float64                           `json:"x"` // how far the window is scrolled
	Y     float64                           `json:"y"`
}

// blink lets pictures decide what the cheap rules can't: whether a person sees
// stretches of text, or elements. The answers are in the order of the spans and
// the items. What can't be told is in doubt, with the reason.
func (s *looker) blink(ctx context.Context, q *question, spans []seen.Span, items []int) []elementState {
	out := make([]elementState, len(spans)+len(items))
	open := make([]int, len(out))
	for i := range out {
		open[i] = i
		out[i] = elementState{"doubt", "it could not be looked at in time"}
	}
	ctx, cancel := context.WithTimeout(ctx, blinkLimit)
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
				out[n].Why = firstLine(plain(err))
			}
			break
		}
		var rest []int
		for i, n := range open {
			switch v, looked := found[i]; {
			case !looked:
				rest = append(rest, n)
			case v == seen.Seen:
				out[n] = elementState{"seen", ""}
			case v == seen.Unseen:
				out[n] = elementState{"unseen", ""}
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
	boxes, area := make([]seen.Box, len(at.Boxes)), Box{X: math.Inf(1), Y: math.Inf(1)}
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
			if err := q.ask(engineAsk{Op: op}, &struct{}{}); err != nil {
				return nil, err
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
	box, err := frame.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: playwright.Float(1000)})
	if err != nil || box == nil {
		return 0, 0, fmt.Errorf("find the place of a frame: %w", err)
	}
	var edge struct{ X, Y float64 }
	if err := askEngine(frame.Locator(engineAsk{Op: "edge"}.query()), lookTimeout, &edge); err != nil {
		return 0, 0, err
	}
	return box.X + edge.X, box.Y + edge.Y, nil
}

// pictureOf returns the picture of an area of the window, which is scrolled by x and
// y. Its pixels decide; it is shown to nobody.
func (t *tab) pictureOf(ctx context.Context, area Box, x, y float64) ([]byte, error) {
	session, err := t.tools()
	if err != nil {
		return within(ctx, t, lookLimit, func() ([]byte, error) {
			return t.page.Screenshot(playwright.PageScreenshotOptions{Timeout: left(ctx, lookLimit),
				Clip: &playwright.Rect{X: area.X, Y: area.Y, Width: area.Width, Height: area.Height}})
		})
	}
	return within(ctx, t, lookLimit, func() ([]byte, error) {
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
