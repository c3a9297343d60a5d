package browser

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
)

func TestScreenshot(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { margin: 0; background: #fff }</style><div id=box style="width:200px;height:100px;background:#f00"></div><p id=secret style="width:300px;height:50px;background:#0f0">4711</p><div style="height:2000px"></div><p id=below>below</p>`)
	shoot := func(o ShotOptions) (Shot, image.Image) {
		t.Helper()
		shot, err := s.Screenshot(within30s(t), o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		img, format, err := image.Decode(bytes.NewReader(shot.Data))
		if err != nil || shot.MIMEType != "image/"+format || img.Bounds().Dx() != shot.Width || img.Bounds().Dy() != shot.Height {
			t.Fatalf("%+v: %s, %v", o, shot.MIMEType, err)
		}
		return shot, img
	}
	if shot, _ := shoot(ShotOptions{}); shot.Width != 1280 || shot.Height != 720 {
		t.Errorf("viewport: %d×%d", shot.Width, shot.Height)
	}
	if shot, _ := shoot(ShotOptions{FullPage: true}); shot.Width != 1280 || shot.Height < 2100 {
		t.Errorf("full page: %d×%d", shot.Width, shot.Height)
	}
	// The place of an element is measured with the picture, as far as it is in it.
	if shot, _ := shoot(ShotOptions{Locate: "css=#secret"}); len(shot.Boxes) != 1 || shot.Boxes[0] != (ElementBox{Selector: "css=#secret", Name: "paragraph", Y: 116, Width: 300, Height: 50}) {
		t.Errorf("located: %+v", shot.Boxes)
	}
	for _, absent := range []string{"css=#absent", "css=#below", "css=[", ""} {
		if shot, _ := shoot(ShotOptions{Locate: absent}); len(shot.Boxes) != 0 {
			t.Errorf("%q is not in the picture, and stands at %+v", absent, shot.Boxes)
		}
	}
	shot, img := shoot(ShotOptions{Selector: "css=#box"})
	if r, g, b, _ := img.At(100, 50).RGBA(); shot.Width != 200 || shot.Height != 100 || r != 0xffff || g != 0 || b != 0 {
		t.Errorf("element: %d×%d, %x %x %x", shot.Width, shot.Height, r, g, b)
	}
	_, plain := shoot(ShotOptions{Selector: "css=#secret"})
	_, masked := shoot(ShotOptions{Selector: "css=#secret", Mask: []string{"css=#secret", "css=#absent"}})
	if a, b := plain.At(200, 40), masked.At(200, 40); a == b {
		t.Errorf("the mask paints nothing over: %v", a)
	}
	low, _ := shoot(ShotOptions{Format: "jpeg", Quality: 5})
	high, _ := shoot(ShotOptions{Format: "jpeg", Quality: 100})
	if len(low.Data) >= len(high.Data) {
		t.Errorf("quality 5 has %d bytes, 100 has %d", len(low.Data), len(high.Data))
	}
}

// The short way and Playwright's bring the same picture, of a scrolled page, too.
func TestCaptureShowsWhatPlaywrightShows(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { background: linear-gradient(#f00, #00f) }</style>
		<h1>Top</h1><iframe srcdoc="<p style='background:#0f0'>frame</p>"></iframe><div style="height:3000px"></div><p>end</p>`)
	js(t, s, `() => { scrollTo(0, 700); return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done('')))) }`)
	held := s.current()
	short, err := held.capture(within30s(t), rest.ShotLimit, ShotOptions{Format: "png"})
	if err != nil {
		t.Fatal(err)
	}
	long, err := held.page.Screenshot()
	if err != nil {
		t.Fatal(err)
	}
	a, b := decodePNG(t, short), decodePNG(t, long)
	if a.Bounds() != b.Bounds() {
		t.Fatalf("sizes %v and %v", a.Bounds(), b.Bounds())
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if color.NRGBAModel.Convert(a.At(x, y)) != color.NRGBAModel.Convert(b.At(x, y)) {
				t.Fatalf("pixel %d,%d: %v and %v", x, y, a.At(x, y), b.At(x, y))
			}
		}
	}
}

// Finer pixels are kept.
func TestScreenshotOfAPhone(t *testing.T) {
	t.Parallel()
	s := launch(t, poolOf(t), LaunchOptions{Device: "Pixel 7"})
	shot, err := s.Screenshot(within30s(t), ShotOptions{})
	if err != nil || shot.Width < 2*s.Info().Width {
		t.Errorf("%d pixels wide for %d CSS pixels, %v", shot.Width, s.Info().Width, err)
	}
}

func decodePNG(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// A font that never comes: Playwright waits for it, and so do we, for a while.
func TestCaptureLeavesLoadingFontsToPlaywright(t *testing.T) {
	t.Parallel()
	s := launch(t, poolOf(t), LaunchOptions{})
	never := make(chan struct{})
	web := newSite(t, map[string]string{"/": `<style>@font-face { font-family: slow; src: url(/slow.woff2) }</style><p style="font-family: slow">text`})
	web.handle("/slow.woff2", slow(never, text("")))
	t.Cleanup(func() { close(never) }) // before the site waits for it
	if _, err := s.Navigate(within30s(t), web.URL, "domcontentloaded", 0); err != nil {
		t.Fatal(err)
	}
	held := s.current()
	becomes(t, "the page asks for its font", func() error {
		if s.Network("slow.woff2", 0, time.Time{}, 0).Matched == 0 {
			return errors.New("no request")
		}
		return nil
	})
	if _, err := held.capture(within30s(t), rest.ShotLimit, ShotOptions{Format: "png"}); !errors.Is(err, errNoCapture) {
		t.Errorf("taken while its text is blank: %v", err)
	}
}

func TestScreenshotsThatAreRefused(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<div id=tall style="height:100000px;width:10px"></div><p id=none style="display:none">x`)
	for name, c := range map[string]struct {
		ShotOptions
		code explain.Code
		word string
	}{
		"format":      {ShotOptions{Format: "webp"}, explain.InvalidInput, "webp"},
		"both":        {ShotOptions{Selector: "css=p", FullPage: true}, explain.InvalidInput, "exclude"},
		"quality":     {ShotOptions{Format: "jpeg", Quality: 101}, explain.InvalidInput, "101"},
		"full page":   {ShotOptions{FullPage: true}, explain.ImageInvalid, "1280×100"},
		"element":     {ShotOptions{Selector: "css=#tall"}, explain.ImageInvalid, "10×100000"},
		"not there":   {ShotOptions{Selector: "css=#absent"}, explain.ElementNotFound, "page_screenshot"},
		"not visible": {ShotOptions{Selector: "css=#none"}, explain.NotActionable, "not visible"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Screenshot(within30s(t), c.ShotOptions)
			wantCode(t, err, c.code, c.word)
		})
	}
	js(t, s, "Math.max = () => 5") // a page that lies about its size
	_, err := s.Screenshot(within30s(t), ShotOptions{FullPage: true})
	wantCode(t, err, explain.ImageInvalid, "1280×100")
	if _, err := s.Screenshot(within30s(t), ShotOptions{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A picture right after the load of a page that replaces itself succeeds.
func TestScreenshotOfPageThatReplacesItself(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": `<meta http-equiv=refresh content="0;url=/next">one`, "/next": `<meta http-equiv=refresh content="0;url=/last">two`, "/last": "three"})
	for range 10 {
		s := launch(t, poolOf(t), LaunchOptions{})
		visit(t, s, web.URL+"/")
		if _, err := s.Screenshot(within30s(t), ShotOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(within30s(t)); err != nil {
			t.Fatal(err)
		}
	}
}
