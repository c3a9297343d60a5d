package browser

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
)

// longStill is the limit of a still that is not about its limit: a busy machine is slow.
const longStill = 50 * time.Second

// still takes one and must succeed.
func still(tb testing.TB, s *Session, o StillOptions) Still {
	tb.Helper()
	o.Timeout = cmp.Or(o.Timeout, longStill)
	got, err := s.Still(timeLimit(tb, o.Timeout+10*time.Second), o)
	if err != nil {
		tb.Fatalf("%+v: %#v", o, err)
	}
	return got
}

// at returns the colour of a pixel of a PNG.
func at(t *testing.T, data []byte, x, y int) color.NRGBA {
	t.Helper()
	return at2(decodePNG(t, data), x, y)
}

func at2(picture image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
}

var (
	red  = color.NRGBA{255, 0, 0, 255}
	blue = color.NRGBA{0, 0, 255, 255}
	lime = color.NRGBA{0, 255, 0, 255}
)

// B2: the viewport, the whole page and one element, each with the right size, the
// same on the next look.
func TestStill(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { margin: 0 } div { width: 200px; height: 1000px }</style><div style="background: #f00"></div><div id=b style="background: #00f; width: 300px"></div>`)
	for name, c := range map[string]struct {
		StillOptions
		size image.Point
	}{
		"viewport": {StillOptions{}, image.Pt(1280, 720)},
		"page":     {StillOptions{FullPage: true}, image.Pt(1280, 2000)},
		"element":  {StillOptions{Selector: "css=#b", FullPage: true}, image.Pt(300, 1000)},
	} {
		a, b := still(t, s, c.StillOptions), still(t, s, c.StillOptions)
		if got := image.Pt(a.Width, a.Height); got != c.size {
			t.Errorf("%s: %v, want %v", name, got, c.size)
		}
		if !bytes.Equal(a.Data, b.Data) {
			t.Errorf("%s: two stills of the same page differ", name)
		}
		if a.Tries < 2 {
			t.Errorf("%s: %d pictures, of which no two can be equal", name, a.Tries)
		}
	}
	whole := still(t, s, StillOptions{Selector: "css=#b", Find: []string{"css=#b"}})
	if got := whole.Found["css=#b"]; len(got) != 1 || got[0] != (Area{0, 0, 300, 1000}) { // counted from the picture's corner
		t.Errorf("the element is at %v in its own picture", got)
	}
	if c := at(t, whole.Data, 150, 990); c != blue {
		t.Errorf("the element's end is %v", c)
	}
	if len(whole.Elements) == 0 {
		t.Error("no elements")
	}
	if got := still(t, s, StillOptions{Selector: "css=#b", Known: whole.Data}); len(got.Elements) > 0 {
		t.Errorf("%d elements of a known picture", len(got.Elements))
	}
	if got := still(t, s, StillOptions{Known: whole.Data}); len(got.Elements) == 0 {
		t.Error("no elements of another picture")
	}
}

// B9: ten fresh sessions take the same picture of a page, byte by byte.
func TestStillsOfFreshSessionsAreEqual(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": `<body style="background: linear-gradient(#fed, #def)"><h1>Sales</h1><p style="font: italic 17px serif">Text in <b>several</b> faces<p><input value=x><button>Send</button>
		<canvas id=c></canvas><script>const g = document.getElementById('c').getContext('2d'); g.arc(50, 50, 40.5, 0, 5); g.stroke()</script>`})
	var first []byte
	for i := range repeats(4, 10) {
		s := launch(t, poolOf(t), LaunchOptions{})
		visit(t, s, web.URL+"/")
		got := still(t, s, StillOptions{FullPage: true})
		if first == nil {
			first = got.Data
		}
		if !bytes.Equal(first, got.Data) {
			t.Errorf("session %d has another picture", i)
		}
		if err := s.Close(within30s(t)); err != nil {
			t.Fatal(err)
		}
	}
}

// A drawing is awaited to its end, and a drawing without an end is no picture: its
// last two are told. Covered by a mask it keeps nobody from a picture.
func TestStillAwaitsDrawings(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { margin: 0; background: #fff }</style><canvas id=c width=200 height=200></canvas><script>
		const g = document.getElementById('c').getContext('2d');
		const draw = end => { let n = 0; const step = () => { n++; g.fillStyle = n >= end ? '#0f0' : 'rgb(' + n % 200 + ',0,' + n % 7 + ')'; g.fillRect(0, 0, 200, 200); if (n < end) requestAnimationFrame(step) }; step() }
		</script>`)
	js(t, s, `() => { draw(60); return '' }`)
	got := still(t, s, StillOptions{})
	if c := at(t, got.Data, 100, 100); c != lime {
		t.Errorf("the drawing is taken at %v, before its end", c)
	}
	js(t, s, `() => { draw(Infinity); return '' }`)
	_, err := s.Still(within30s(t), StillOptions{Timeout: 4 * time.Second})
	wantCode(t, err, explain.TimedOut, "come to rest", "mask")
	var restless *RestlessError
	if !errors.As(err, &restless) {
		t.Fatalf("%T has no pictures", err)
	}
	if len(restless.Readings) == 0 {
		t.Error("no elements are told beside them")
	}
	if a, b := at(t, restless.Last[0], 100, 100), at(t, restless.Last[1], 100, 100); a == b {
		t.Errorf("the last two pictures are alike: %v", a)
	}
	masked := still(t, s, StillOptions{Mask: []string{"css=#c"}})
	if c := at(t, masked.Data, 100, 100); c != (color.NRGBA{0x80, 0x88, 0x90, 255}) {
		t.Errorf("the mask is %v", c)
	}
}

// What is loaded late is in the picture: a picture, a background, an answer that
// is painted. What never comes is named.
func TestStillAwaitsWhatLoads(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	page := `<style>body { margin: 0; background: #fff } img, div { display: block; width: 100px; height: 100px }</style>`
	web := newSite(t, map[string]string{
		"/late":  page + `<img src=/red.svg><div style="background: url(/red.svg?2)"></div><div id=d></div><script>fetch('/colour').then(r => r.text()).then(c => d.style.background = c)</script>`,
		"/never": page + `<img src=/never.png>`,
		"/font":  `<style>@font-face { font-family: slow; src: url(/slow.woff2) }</style><p style="font-family: slow">text`,
	})
	svg := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#f00"/></svg>`)
	}
	web.handle("/red.svg", after(500*time.Millisecond, svg))
	web.handle("/colour", after(800*time.Millisecond, text("#f00")))
	web.handle("/never.png", slow(never, text("")))
	web.handle("/slow.woff2", slow(never, text("")))
	t.Cleanup(func() { close(never) })
	s := launch(t, poolOf(t), LaunchOptions{})
	open := func(path string) {
		t.Helper()
		if _, err := s.Navigate(within30s(t), web.URL+path, "domcontentloaded", 0); err != nil {
			t.Fatal(err)
		}
	}
	open("/late")
	got := still(t, s, StillOptions{})
	for y, what := range map[int]string{50: "the image", 150: "the background", 250: "the answer"} {
		if c := at(t, got.Data, 50, y); c != red {
			t.Errorf("%s is %v", what, c)
		}
	}
	for path, word := range map[string]string{"/never": "never.png", "/font": "font"} {
		open(path)
		_, err := s.Still(within30s(t), StillOptions{Timeout: 2 * time.Second})
		wantCode(t, err, explain.TimedOut, "still waits", word)
		var restless *RestlessError
		if !errors.As(err, &restless) {
			t.Errorf("%s: %T", path, err)
		}
	}
}

// A page that goes elsewhere meanwhile is taken where it arrives.
func TestStillOfPageThatReplacesItself(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": `<meta http-equiv=refresh content="0;url=/next">one`, "/next": `<meta http-equiv=refresh content="0;url=/last">two`,
		"/last": `<body style="background: #00f">`})
	for range 3 {
		s := launch(t, poolOf(t), LaunchOptions{})
		visit(t, s, web.URL+"/")
		for pageOf(s).URL() != web.URL+"/last" {
			still(t, s, StillOptions{})
		}
		if c := at(t, still(t, s, StillOptions{}).Data, 5, 5); c != blue {
			t.Errorf("the last page is %v", c)
		}
	}
}

// B9: a page that is replaced again and again, at whatever moment of taking a
// picture, is taken where it stays at last.
func TestStillOfPageThatIsReplacedOftenMeanwhile(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<body style="background: #00f"><p class=m>x</p><iframe srcdoc="<p class=m>y"></iframe><script>
		const n = Number(location.search.slice(1)) + 1; if (n > 1 && n < 40) setTimeout(() => location.replace('?' + n), n * 37 % 120)</script>`)
	visit(t, s, web.URL+"/?1")
	got := still(t, s, StillOptions{Mask: []string{"css=.m"}, Find: []string{"css=body", "css=.m"}, Timeout: 25 * time.Second})
	if c := at(t, got.Data, 1270, 710); c != blue || len(got.Found["css=body"]) != 1 || len(got.Masked) != 1 {
		t.Errorf("taken at %v, with %v and masks at %v", c, got.Found, got.Masked)
	}
}

// A page that is busy for a while is waited for.
func TestStillOfBusyPage(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<body style="background: #fff">`)
	js(t, s, `() => { setTimeout(() => { for (const end = Date.now() + 2500; Date.now() < end;); document.body.style.background = '#00f' }); return '' }`)
	if c := at(t, still(t, s, StillOptions{}).Data, 5, 5); c != blue {
		t.Errorf("taken at %v", c)
	}
}

const neverStill = `<body style="margin: 0"><canvas id=c></canvas><script>
	let n = 0; const step = () => { c.getContext('2d').fillRect(n++ % 300, 0, 1, 100); if (n % 300 == 0) c.width = 300; requestAnimationFrame(step) }; step()</script>`

// heldPose waits until a still has begun.
func heldPose(t *testing.T, s *Session) {
	t.Helper()
	becomes(t, "the pose is held", func() error {
		got, err := pageOf(s).Evaluate("document.adoptedStyleSheets.length")
		if err == nil && got != 1 {
			err = errors.New("not yet")
		}
		return err
	})
}

// A caller that gives up is let go at once, and the page is put back.
func TestStillIsCancelled(t *testing.T) {
	t.Parallel()
	s, _ := show(t, neverStill)
	ctx, cancel := context.WithCancel(within30s(t))
	done := make(chan error, 1)
	go func() {
		_, err := s.Still(ctx, StillOptions{})
		done <- err
	}()
	heldPose(t, s)
	cancel()
	wantCode(t, soon(t, 5*time.Second, func() error { return <-done }), explain.Cancelled)
	if got := js(t, s, "() => document.adoptedStyleSheets.length"); got != "0" { // waits for its turn
		t.Errorf("%s style sheets are left", got)
	}
}
