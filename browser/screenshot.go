package browser

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // decodes the header of what the browser took
	_ "image/png"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
)

// ShotOptions say what to take a picture of. The zero value is the viewport as
// PNG.
type ShotOptions struct {
	Selector string   // one element only
	FullPage bool     // the whole scrollable page
	Format   string   // png (default) or jpeg
	Quality  int      // 1 to 100, of jpeg; default 80
	Mask     []string // selectors of what is painted over
	Clip     *Area    // a part of the viewport only
	CSS      bool     // a pixel for each CSS pixel, whatever the device has
	Locate   string   // selector of the element whose place in a picture of the viewport is wanted
}

// screenshotter takes pictures of the page: as it is, or at rest and with its clock
// standing, so that two can be compared.
type screenshotter struct {
	*livePage
	freezing *wait.Places // one: the still that has the clock stand
	frozen   *time.Time   // where the clock stands in what is loaded next, guarded by the page's mutex; see Freeze
}

// Shot holds a picture as the browser took it.
type Shot struct {
	Data     []byte
	MIMEType string
	Width    int // pixels
	Height   int
	Boxes    []ElementBox // of the located element; none where it is not in the picture
}

// ElementBox holds the place of an element in a picture, in the picture's pixels.
type ElementBox struct {
	Selector            string
	Name                string // what the page calls it, such as textbox "Coupon", or text under "Orders"; empty: the page did not say
	X, Y, Width, Height int
}

// maxSide bounds a picture's height in pixels: above it Chromium repeats or
// leaves out parts.
const maxSide = 16384

// shotTries: a picture taken while a meta refresh replaces the page fails now
// and then; the next one succeeds.
const shotTries = 3

// check refuses options that no browser could follow.
func (o *ShotOptions) check() error {
	if o.Format == "" {
		o.Format = "png"
	}
	if !slices.Contains([]string{"png", "jpeg"}, o.Format) {
		return explain.Invalid("use png or jpeg", "format %q is unknown", o.Format)
	}
	if o.Selector != "" && o.FullPage {
		return explain.Invalid("leave one of them out", "selector and full_page exclude each other")
	}
	if o.Clip != nil && (o.Selector != "" || o.FullPage) {
		return explain.Invalid("leave one of them out", "a part of the viewport excludes selector and full_page")
	}
	if o.Quality < 0 || o.Quality > 100 {
		return explain.Invalid("use 1 to 100", "quality %d is out of range", o.Quality)
	}
	return nil
}

// Screenshot takes a picture. Controls that hold a password or a secret, and
// elements that show a secret, are painted over in it.
func (s *screenshotter) Screenshot(ctx context.Context, o ShotOptions) (Shot, error) {
	if err := o.check(); err != nil {
		return Shot{}, err
	}
	if v := s.Viewport(); o.Clip != nil && !o.Clip.isShown(v) {
		return Shot{}, explain.Invalid("give x, y, width and height of a part of it, or full_page for what lies beyond",
			"the part %s is not within the viewport, which has %d×%d", *o.Clip, v.Width, v.Height)
	}
	var of *target
	if o.Selector != "" {
		t, err := parseSelector(o.Selector)
		if err != nil {
			return Shot{}, err
		}
		of = &t
	}
	masks := make([]target, len(o.Mask))
	for i, m := range o.Mask {
		t, err := parseSelector(m)
		if err != nil {
			return Shot{}, err
		}
		masks[i] = t
	}
	return on(ctx, s.livePage, "page_screenshot", explain.Quoting(o.Selector), func(ctx context.Context, t *tab) (Shot, error) {
		for _, m := range masks {
			if _, err := m.count(t.page); err != nil {
				return Shot{}, err // an invalid selector
			}
		}
		if of != nil {
			return s.shootElement(ctx, t, o, *of, masks)
		}
		if err := s.checkPageSize(ctx, t, o.FullPage); err != nil {
			return Shot{}, err
		}
		boxes := s.locate(ctx, t, o)
		shot, err := s.shootPage(ctx, t, o, masks)
		if err == nil {
			shot.Boxes = withinShot(boxes, shot)
		}
		return shot, err
	})
}

// locate returns where the wanted element stands in the viewport. One that is not there
// has no place, and the picture is taken without.
func (s *screenshotter) locate(ctx context.Context, t *tab, o ShotOptions) []ElementBox {
	of, err := parseSelector(o.Locate)
	if err != nil || o.Locate == "" || o.FullPage || o.Clip != nil {
		return nil
	}
	if n, err := of.count(t.page); err != nil || n == 0 {
		return nil
	}
	box, err := of.locator(t.page).First().BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, rest.LocateLimit)})
	if err != nil || box == nil {
		return nil
	}
	scale := s.scale
	if o.CSS {
		scale = 1
	}
	pixels := func(f float64) int { return int(math.Round(f * scale)) }
	return []ElementBox{{o.Locate, s.calledOnPage(ctx, t, of), pixels(box.X), pixels(box.Y), pixels(box.Width), pixels(box.Height)}}
}

// calledOnPage returns the role and the accessible name by which a page has an element. One
// without a name is told by where it stands; "" where the page does not answer.
func (s *screenshotter) calledOnPage(ctx context.Context, t *tab, of target) string {
	var known struct{ Role, Name, Place string }
	at := of.locator(t.page).First().Locator(engineAsk{Op: "dom", Look: rand.Text(), All: true}.query())
	if err := askEngine(at, rest.Left(ctx, rest.LocateLimit), &known); err != nil {
		return ""
	}
	role := cmp.Or(known.Role, "text")
	if known.Name != "" {
		return role + " " + strconv.Quote(texts.Shorten(s.log.Mask(known.Name), maxCalled))
	}
	return strings.TrimSpace(role + " " + s.log.Mask(known.Place))
}

// maxCalled bounds the name of an element, in characters.
const maxCalled = 60

// withinShot cuts boxes to the picture, and leaves out those that are not in it.
func withinShot(boxes []ElementBox, shot Shot) (out []ElementBox) {
	for _, b := range boxes {
		r := image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height).Intersect(image.Rect(0, 0, shot.Width, shot.Height))
		if !r.Empty() {
			out = append(out, ElementBox{b.Selector, b.Name, r.Min.X, r.Min.Y, r.Dx(), r.Dy()})
		}
	}
	return out
}

// maskColor fills what a picture must not show.
const maskColor = "#808890"

// shootPage takes the viewport or the whole page.
func (s *screenshotter) shootPage(ctx context.Context, t *tab, o ShotOptions, masks []target) (Shot, error) {
	kind, quality := o.encoding()
	var err error
	for try := range shotTries {
		var data []byte
		var secrets []playwright.Locator
		if secrets, err = s.secretsIn(ctx, t); err != nil {
			break
		}
		hidden := append(locators(t, masks), secrets...)
		if try == 0 && !o.FullPage && o.Clip == nil && len(hidden) == 0 && s.scale == 1 { // finer pixels would be lost
			if data, err = t.capture(ctx, rest.ShotLimit, o); err == nil {
				return s.decodeShot(data, o.Format)
			}
		}
		data, err = t.page.Screenshot(playwright.PageScreenshotOptions{Type: kind, Quality: quality, FullPage: &o.FullPage, Clip: o.Clip.rect(), Scale: o.scale(),
			Mask: hidden, MaskColor: playwright.String(maskColor), Timeout: left(ctx, min(rest.ShotLimit<<try, s.pool.Timeout))})
		if err == nil {
			return s.decodeShot(data, o.Format)
		}
		if ctx.Err() != nil || !errors.Is(err, playwright.ErrTimeout) && !isNavigating(err) && !isUncapturable(err) {
			break
		}
	}
	return Shot{}, err
}

// shootElement takes one element, once it is visible.
func (s *screenshotter) shootElement(ctx context.Context, t *tab, o ShotOptions, of target, masks []target) (Shot, error) {
	const op = "page_screenshot"
	l := of.locator(t.page)
	if err := inPieces(ctx, min(s.pool.Waits.Absent, s.pool.Timeout), func(limit *float64) error {
		return awaitVisible(l, limit)
	}, absentIn(ctx, s.livePage, t, of)); err != nil {
		return Shot{}, whyNot(ctx, t, of, op, err)
	}
	box, err := l.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, rest.LookLimit)})
	if err != nil {
		return Shot{}, whyNot(ctx, t, of, op, err)
	}
	if box != nil {
		if err := s.checkSize(box.Width*s.scale, box.Height*s.scale); err != nil {
			return Shot{}, err
		}
	}
	secrets, err := s.secretsIn(ctx, t)
	if err != nil {
		return Shot{}, err
	}
	format, quality := o.encoding()
	data, err := l.Screenshot(playwright.LocatorScreenshotOptions{Type: format, Quality: quality,
		Mask: append(locators(t, masks), secrets...), MaskColor: playwright.String(maskColor), Timeout: left(ctx, s.pool.Timeout)})
	if err != nil {
		return Shot{}, whyNot(ctx, t, of, op, err)
	}
	return s.decodeShot(data, o.Format)
}

// encoding returns the picture's format and quality as Playwright takes them.
func (o ShotOptions) encoding() (*playwright.ScreenshotType, *int) {
	kind := playwright.ScreenshotType(o.Format)
	if o.Format != "jpeg" {
		return &kind, nil
	}
	if o.Quality > 0 {
		return &kind, &o.Quality
	}
	return &kind, playwright.Int(80)
}

func locators(t *tab, targets []target) []playwright.Locator {
	var out []playwright.Locator
	for _, m := range targets {
		out = append(out, m.locator(t.page))
	}
	return out
}

const pageSize = `() => { const d = document.documentElement, b = document.body || d;
	return [Math.max(d.scrollWidth, b.scrollWidth), Math.max(d.scrollHeight, b.scrollHeight)] }`

// sizeOf asks for the size of the whole page in CSS pixels: the browser, where
// it can tell (Chromium), or the page itself, which could lie.
func (s *screenshotter) sizeOf(t *tab) (any, error) {
	session, err := t.context.pw.NewCDPSession(t.page)
	if err != nil {
		return t.page.Evaluate(pageSize)
	}
	defer func() { _ = session.Detach() }() // it goes with the page at the latest
	metrics, err := session.Send("Page.getLayoutMetrics", nil)
	if err != nil {
		return nil, err
	}
	if all, ok := metrics.(map[string]any); ok {
		if size, ok := all["cssContentSize"].(map[string]any); ok {
			return []any{size["width"], size["height"]}, nil
		}
	}
	return nil, fmt.Errorf("the browser answered %T for the size of the page", metrics)
}

// checkPageSize refuses a whole page that is too large before the browser
// allocates its picture. The viewport was checked at launch.
func (s *screenshotter) checkPageSize(ctx context.Context, t *tab, full bool) error {
	w, h := float64(s.opts.Width), float64(s.opts.Height)
	if full {
		got, err := within(ctx, t, rest.SettleLimit, func() (any, error) { return s.sizeOf(t) })
		if err != nil && !isNavigating(err) {
			return err
		}
		if pw, ph, ok := pair(got); ok { // else the picture itself will tell
			w, h = max(w, pw), max(h, ph)
		}
	}
	return s.checkSize(w*s.scale, h*s.scale)
}

// checkSize takes device pixels.
func (s *screenshotter) checkSize(w, h float64) error {
	if w > maxSide || h > maxSide || w*h > float64(s.pool.MaxPixels) {
		return explain.TooLarge(w, h, maxSide, s.pool.MaxPixels)
	}
	return nil
}

// pair reads [a, b] of numbers from an evaluation's result.
func pair(v any) (a, b float64, ok bool) {
	list, isList := v.([]any)
	if !isList || len(list) != 2 {
		return 0, 0, false
	}
	number := func(v any) (float64, bool) {
		switch n := v.(type) {
		case int:
			return float64(n), true
		case float64:
			return n, true
		}
		return 0, false
	}
	a, okA := number(list[0])
	b, okB := number(list[1])
	return a, b, okA && okB
}

// decodeShot reads the picture's size, which a page that lied about its own
// can't change.
func (s *screenshotter) decodeShot(data []byte, format string) (Shot, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Shot{}, explain.NoPicture(err)
	}
	if err := s.checkSize(float64(c.Width), float64(c.Height)); err != nil {
		return Shot{}, err
	}
	return Shot{Data: data, MIMEType: "image/" + format, Width: c.Width, Height: c.Height}, nil
}

// errNoCapture says that this page can't be taken the short way.
var errNoCapture = errors.New("no capture: not Chromium, or its fonts are still loading")

// capture takes the viewport straight from Chromium, in two thirds of the time:
// Playwright also waits for frames and hides the caret, which matters where
// pictures are compared, not where they show what there was.
func (t *tab) capture(ctx context.Context, limit time.Duration, o ShotOptions) ([]byte, error) {
	session, err := t.tools()
	if err != nil {
		return nil, errNoCapture
	}
	return within(ctx, t, limit, func() ([]byte, error) {
		if !fontsReady(session) {
			return nil, errNoCapture
		}
		kind, quality := o.encoding()
		// For speed: a third larger, a quarter quicker, the same pixels.
		args := map[string]any{"format": string(*kind), "optimizeForSpeed": true}
		if quality != nil {
			args["quality"] = *quality
		}
		answer, err := session.Send("Page.captureScreenshot", args)
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

// fontsReady asks the page whether a font is on its way; text set in it is
// painted blank until it comes.
func fontsReady(session playwright.CDPSession) bool {
	answer, err := session.Send("Runtime.evaluate", map[string]any{"expression": "document.fonts.status", "returnByValue": true})
	if err != nil {
		return false
	}
	fields, _ := answer.(map[string]any)
	result, _ := fields["result"].(map[string]any)
	return result["value"] == "loaded"
}
