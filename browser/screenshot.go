package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // decodes the header of what the browser took
	_ "image/png"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// ShotOptions say what to take a picture of. The zero value is the viewport as
// PNG.
type ShotOptions struct {
	Selector string   // one element only
	FullPage bool     // the whole scrollable page
	Format   string   // png (default) or jpeg
	Quality  int      // 1 to 100, of jpeg; default 80
	Mask     []string // selectors of what is painted over
}

// Shot is a picture as the browser took it.
type Shot struct {
	Data     []byte
	MIMEType string
	Width    int // pixels
	Height   int
}

// maxSide is the tallest picture Chromium paints right; beyond it repeats or
// leaves out parts.
const maxSide = 16384

// shotTries: a picture taken while a meta refresh replaces the page fails now
// and then; the next one succeeds.
const shotTries = 3

// Screenshot takes a picture. Password controls need no mask: browsers paint
// dots for them.
func (s *Session) Screenshot(ctx context.Context, o ShotOptions) (Shot, error) {
	if o.Format == "" {
		o.Format = "png"
	}
	if !slices.Contains([]string{"png", "jpeg"}, o.Format) {
		return Shot{}, invalid("use png or jpeg", "format %q is unknown", o.Format)
	}
	if o.Selector != "" && o.FullPage {
		return Shot{}, invalid("leave one of them out", "selector and full_page exclude each other")
	}
	masks := make([]target, len(o.Mask))
	for i, m := range o.Mask {
		t, err := parseSelector(m)
		if err != nil {
			return Shot{}, err
		}
		masks[i] = t
	}
	return on(ctx, s, "page_screenshot", o.Selector, func(ctx context.Context, t *tab) (Shot, error) {
		if err := s.checkSize(t, o); err != nil {
			return Shot{}, err
		}
		var err error
		for try := 0; try < shotTries && ctx.Err() == nil; try++ {
			var data []byte
			if data, err = s.shoot(ctx, t, o, masks); err == nil {
				return decodeShot(data, o.Format)
			}
			if !strings.Contains(rawText(err), "Unable to capture") && !strings.Contains(rawText(err), "context was destroyed") {
				break
			}
		}
		if err == nil {
			err = ctx.Err()
		}
		return Shot{}, err
	})
}

func (s *Session) shoot(ctx context.Context, t *tab, o ShotOptions, masks []target) ([]byte, error) {
	var mask []playwright.Locator
	for _, m := range masks {
		mask = append(mask, m.locator(t.page))
	}
	kind := playwright.ScreenshotType(o.Format)
	var quality *int
	if o.Format == "jpeg" {
		quality = playwright.Int(80)
		if o.Quality > 0 {
			quality = &o.Quality
		}
	}
	if o.Selector == "" {
		return t.page.Screenshot(playwright.PageScreenshotOptions{Type: &kind, Quality: quality, FullPage: &o.FullPage,
			Mask: mask, Timeout: left(ctx, s.pool.Timeout)})
	}
	target, err := parseSelector(o.Selector)
	if err != nil {
		return nil, err
	}
	data, err := target.locator(t.page).Screenshot(playwright.LocatorScreenshotOptions{Type: &kind, Quality: quality,
		Mask: mask, Timeout: left(ctx, min(absentLimit, s.pool.Timeout))})
	if err != nil {
		return nil, s.explain(t, target, "page_screenshot", err)
	}
	return data, nil
}

const pageSize = `() => { const d = document.documentElement, b = document.body || d;
	return [Math.max(d.scrollWidth, b.scrollWidth), Math.max(d.scrollHeight, b.scrollHeight), devicePixelRatio] }`

const elementSize = `e => { const r = e.getBoundingClientRect(); return [r.width, r.height, devicePixelRatio] }`

// checkSize refuses a picture that is too large before the browser allocates
// it. The viewport's own size was checked at launch.
func (s *Session) checkSize(t *tab, o ShotOptions) error {
	var got any
	var err error
	switch {
	case o.FullPage:
		got, err = t.page.Evaluate(pageSize)
	case o.Selector != "":
		target, parseErr := parseSelector(o.Selector)
		if parseErr != nil {
			return parseErr
		}
		got, err = target.locator(t.page).Evaluate(elementSize, nil, playwright.LocatorEvaluateOptions{Timeout: playwright.Float(float64(absentLimit / time.Millisecond))})
		if err != nil {
			return s.explain(t, target, "page_screenshot", err)
		}
	default:
		return nil
	}
	if err != nil {
		return err
	}
	w, h, ratio := triple(got)
	w, h = w*ratio, h*ratio
	if w > maxSide || h > maxSide || w*h > float64(s.pool.MaxPixels) {
		return &Error{Code: ImageInvalid,
			Message: fmt.Sprintf("page_screenshot: the picture would have %.0f×%.0f pixels; the limits are %d a side and %d in all", w, h, maxSide, s.pool.MaxPixels),
			Hint:    "take the viewport (full_page false) or one element (selector)"}
	}
	return nil
}

// triple reads [a, b, c] of numbers from an evaluation's result.
func triple(v any) (a, b, c float64) {
	list, ok := v.([]any)
	if !ok || len(list) != 3 {
		return 0, 0, 1
	}
	var out [3]float64
	for i, item := range list {
		switch n := item.(type) {
		case int:
			out[i] = float64(n)
		case float64:
			out[i] = n
		}
	}
	return out[0], out[1], out[2]
}

func decodeShot(data []byte, format string) (Shot, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Shot{}, &Error{Code: ImageInvalid, Message: "page_screenshot: the browser returned no picture: " + err.Error(), Hint: "call again", Retriable: true, Cause: errors.Unwrap(err)}
	}
	return Shot{Data: data, MIMEType: "image/" + format, Width: c.Width, Height: c.Height}, nil
}
