package browser

import (
	"errors"
	"image/color"
	"slices"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
)

var masked = color.NRGBA{0x80, 0x88, 0x90, 255}

// Masks cover all matches, in frames and shadow roots, and boxes; Find tells the
// same places. The page sees nothing of it.
func TestStillMasks(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { margin: 0; background: #fff } p { margin: 0; width: 100px; height: 50px; background: #f00 }</style>
		<p class=m></p><p></p><p class=m></p><p data-testid=total></p><div id=host></div><iframe title=Inner style="position: absolute; left: 300px; top: 40px; border: 0" srcdoc="<body style='margin: 0'><p id=in style='margin: 10px; width: 50px; height: 50px; background: #f00'>"></iframe>
		<div style="height: 2000px"></div><p class=m></p><script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<b class=m style="display: block; width: 100px; height: 50px; background: #f00"></b>'</script>`+watched)
	o := StillOptions{FullPage: true, Mask: []string{"css=.m", "testid=total", `frame "Inner" > css=#in`, "box=0.5,60,10,10", "css=.absent"}, Find: []string{"css=.m", "testid=total", "box=0.5,60,10,10", "css=.absent"}}
	js(t, s, `() => { scrollTo(0, 500); return '' }`)
	got := still(t, s, o)
	for name, c := range map[string]struct {
		x, y int
		want color.NRGBA
	}{
		"first match": {99, 49, masked}, "between": {50, 51, red}, "second match": {0, 100, masked}, "test id": {50, 175, masked}, "in a shadow root": {50, 225, masked},
		"in a frame": {310, 50, masked}, "beside it": {309, 50, color.NRGBA{255, 255, 255, 255}}, "box": {0, 60, masked}, "its end": {10, 69, masked}, "beyond": {11, 69, red}, "far below": {50, 2260, masked},
	} {
		if p := at(t, got.Data, c.x, c.y); p != c.want {
			t.Errorf("%s: %v, want %v", name, p, c.want)
		}
	}
	if want := []string{"css=.absent"}; !slices.Equal(got.Unmatched, want) {
		t.Errorf("unmatched: %q, want %q", got.Unmatched, want)
	}
	if want := []Area{{0, 0, 100, 50}, {0, 100, 100, 50}, {0, 2250, 100, 50}, {0, 200, 100, 50}}; !slices.Equal(got.Found["css=.m"], want) {
		t.Errorf("found %v, want %v", got.Found["css=.m"], want)
	}
	if want := []Area{{0, 60, 11, 10}}; !slices.Equal(got.Found["box=0.5,60,10,10"], want) {
		t.Errorf("found %v, want %v", got.Found["box=0.5,60,10,10"], want)
	}
	if len(got.Masked) != 7 || len(got.Found["css=.absent"]) != 0 {
		t.Errorf("masked %v, found %v", got.Masked, got.Found)
	}
	if got := js(t, s, `() => seen.join()`); got != `""` {
		t.Errorf("the page saw %s", got)
	}
}

// On a fine display the places are in its pixels.
func TestStillOfFineDisplay(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/{$}": `<meta name=viewport content="width=device-width"><style>body { margin: 0 }</style><p style="margin: 0; height: 1600px; background: #f00"><p id=p style="margin: 0; width: 100px; height: 100px; background: #00f">`})
	s := launch(t, poolOf(t), LaunchOptions{Device: "Pixel 7"})
	visit(t, s, web.URL+"/")
	scale := s.scale
	got := still(t, s, StillOptions{FullPage: true, Mask: []string{"box=0,0,100,100"}, Find: []string{"css=#p"}})
	if got.Width != int(float64(s.Info().Width)*scale+0.5) {
		t.Errorf("%d pixels wide at scale %g", got.Width, scale)
	}
	if p := at(t, got.Data, int(99*scale), int(99*scale)); p != masked {
		t.Errorf("the mask's end is %v", p)
	}
	if len(got.Found["css=#p"]) != 1 {
		t.Fatalf("found %v", got.Found)
	}
	a := got.Found["css=#p"][0]
	if p := at(t, got.Data, int(a.X+a.Width)-3, int(a.Y)+3); p != blue || a.Y != 1600*scale {
		t.Errorf("found %v, where it is %v", a, p)
	}
	viewport := still(t, s, StillOptions{})
	if viewport.Height != int(float64(s.Info().Height)*scale+0.5) {
		t.Errorf("the viewport is %d×%d", viewport.Width, viewport.Height)
	}
	one := still(t, s, StillOptions{Selector: "css=#p"})
	if want := int(100*scale + 0.5); one.Width < want || one.Width > want+1 {
		t.Errorf("the element is %d×%d", one.Width, one.Height)
	}
}

// An element is found in what it scrolls in and in a frame, taken whole where it
// is taller than the viewport, and everything is scrolled back.
func TestStillOfElements(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { margin: 0 }</style><div style="height: 900px"></div>
		<div id=pane style="width: 400px; height: 300px; overflow: auto"><div style="height: 3000px; background: #fff"></div><p id=deep style="margin: 0; width: 80px; height: 60px; background: #00f"></div>
		<iframe title=Inner style="border: 0" srcdoc="<body style='margin: 0'><div style='height: 2000px'></div><p id=in style='margin: 0; width: 70px; height: 40px; background: #f00'>"></iframe>
		<div style="height: 2000px"></div><div id=last style="width: 10px; height: 30px; background: #0f0"></div><header style="position: fixed; bottom: 0; height: 100px; width: 100%; background: #000"></header>`)
	js(t, s, `() => { scrollTo(0, 333); pane.scrollTop = 7; return '' }`)
	for selector, want := range map[string]struct {
		w, h   int
		colour color.NRGBA
	}{"css=#deep": {80, 60, blue}, `frame "Inner" > css=#in`: {70, 40, red}, "css=#last": {10, 30, lime}} {
		got := still(t, s, StillOptions{Selector: selector})
		if c := at(t, got.Data, 5, 5); got.Width != want.w || got.Height != want.h || c != want.colour {
			t.Errorf("%s: %d×%d of %v", selector, got.Width, got.Height, c)
		}
		if now := js(t, s, `() => [scrollX, scrollY, pane.scrollTop, document.querySelector('iframe').contentWindow.scrollY].join()`); now != `"0,333,7,0"` {
			t.Errorf("%s: scrolled to %s afterwards", selector, now)
		}
	}
}

// B2: what can't be taken says why.
func TestStillsThatAreRefused(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<p id=none style="display: none">x</p><div id=flat style="width: 20px; height: 0"></div><div id=off style="position: absolute; left: -9999px; width: 50px; height: 50px">x</div><div id=tall style="width: 10px; height: 100000px"></div>`)
	for name, c := range map[string]struct {
		StillOptions
		code explain.Code
		word string
	}{
		"absent":       {StillOptions{Selector: "css=#absent"}, explain.ElementNotFound, "#absent"},
		"hidden":       {StillOptions{Selector: "css=#none"}, explain.NotActionable, "not visible"},
		"no size":      {StillOptions{Selector: "css=#flat"}, explain.NotActionable, "no size"},
		"off screen":   {StillOptions{Selector: "css=#off"}, explain.NotActionable, "off screen"},
		"several":      {StillOptions{Selector: "css=div"}, explain.SelectorAmbiguous, "3 elements"},
		"too large":    {StillOptions{FullPage: true}, explain.ImageInvalid, "1280×100"},
		"no selector":  {StillOptions{Selector: ">>"}, explain.InvalidInput, ">>"},
		"word in box":  {StillOptions{Mask: []string{"box=1,2,x,4"}}, explain.InvalidInput, "box=1,2,x,4"},
		"short box":    {StillOptions{Find: []string{"box=1,2,3"}}, explain.InvalidInput, "3 numbers"},
		"empty box":    {StillOptions{Mask: []string{"box=1,2,0,4"}}, explain.InvalidInput, "box=1,2,0,4"},
		"infinite box": {StillOptions{Mask: []string{"box=1,2,Inf,4"}}, explain.InvalidInput, "box=1,2,Inf,4"},
		"mask":         {StillOptions{Mask: []string{"css=["}}, explain.InvalidInput, "css=["},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Still(within30s(t), c.StillOptions)
			wantCode(t, err, c.code, c.word)
		})
	}
	if got := js(t, s, "() => document.adoptedStyleSheets.length"); got != "0" {
		t.Errorf("%s style sheets are left by failures", got)
	}
}

// Secrets are painted over: in a picture at rest, and in those of a page that
// does not come to rest.
func TestStillHidesSecrets(t *testing.T) {
	t.Parallel()
	p := poolWith(t, func(o *Options) { o.Secrets = func() []string { return []string{"hunter2"} } })
	web := newSite(t, map[string]string{"/{$}": `<style>body { margin: 0; background: #fff } p, input { display: block; box-sizing: border-box; margin: 0; border: 0; width: 200px; height: 50px; background: #f00 }</style><p>hunter2</p><input type=password value=x><canvas id=c></canvas>
		<script>const go = () => { let n = 0; const step = () => { c.getContext('2d').fillRect(n++ % 300, 0, 1, 100); if (n % 300 == 0) c.width = 300; requestAnimationFrame(step) }; step() }</script>`})
	s := launch(t, p, LaunchOptions{})
	visit(t, s, web.URL+"/")
	hides := func(data []byte) {
		t.Helper()
		for _, y := range []int{1, 48, 51, 98} {
			if c := at(t, data, 190, y); c != masked {
				t.Errorf("row %d shows %v", y, c)
			}
		}
	}
	hides(still(t, s, StillOptions{}).Data)
	// Nor does a frame that went away keep them from being found.
	js(t, s, `() => { const f = document.body.appendChild(document.createElement('iframe')); f.remove(); return '' }`)
	hides(still(t, s, StillOptions{}).Data)
	shot, err := s.Screenshot(within30s(t), ShotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	hides(shot.Data)
	js(t, s, `() => { go(); return '' }`)
	_, err = s.Still(within30s(t), StillOptions{Timeout: 4 * time.Second}) // two pictures take a while on a busy machine
	var restless *RestlessError
	if !errors.As(err, &restless) {
		t.Fatal(err)
	}
	hides(restless.Last[0])
	hides(restless.Last[1])
}
