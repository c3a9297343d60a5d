package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// part is the part of the page that a picture shows, in CSS pixels of the page.
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
	size, err := within(ctx, k.t, settleLimit, func() (pageMetrics, error) { return k.metrics() })
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
	box, err := l.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, lookLimit)})
	if err != nil {
		return Area{}, explain(ctx, k.t, *k.of, stillOp, err)
	}
	refuse := func(why, hint string) error {
		return &Error{Code: NotActionable, Message: stillOp + " " + k.of.String() + ": " + why, Hint: hint, Retriable: true}
	}
	if box == nil {
		return Area{}, refuse("the element is not visible", "show it first, or take another element")
	}
	if box.Width <= 0 || box.Height <= 0 {
		return Area{}, refuse(fmt.Sprintf("the element has no size: %g×%g", box.Width, box.Height), "take an element around it")
	}
	a := Area{box.X + p.left, box.Y + p.top, box.Width, box.Height}
	seen := outwards(a).within(outwards(content))
	if seen.Width <= 0 || seen.Height <= 0 {
		return Area{}, refuse(fmt.Sprintf("the element is off screen: at %g,%g, outside of the page", a.X, a.Y), "bring it into the page first, or take another element")
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

// pageMetrics are places in the page, in CSS pixels.
type pageMetrics struct {
	content Area // all of it
	layout  Area // the viewport
	visual  Area // what of it is seen, on a zoomed page
	zoom    float64
}

const plainMetrics = `() => { const d = document.documentElement, b = document.body || d;
	return [Math.max(d.scrollWidth, b.scrollWidth), Math.max(d.scrollHeight, b.scrollHeight), scrollX, scrollY] }`

// metrics asks Chromium; another browser's page is asked itself.
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

// shoot takes one picture. Our own connection to Chromium knows nothing of a
// device's finer pixels; Playwright's does.
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
	return !asked(err) && (isNavigating(err) || errors.Is(err, errReplaced) || errors.Is(err, errNoAnswer) || errors.Is(err, playwright.ErrTimeout) ||
		strings.Contains(rawText(err), "Unable to capture"))
}
