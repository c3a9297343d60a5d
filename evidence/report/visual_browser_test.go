package report_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// dashboard is the page that the pictures of the report are of.
const dashboard = `<!doctype html><style>body{margin:0;background:#f4f5f7;font:16px Liberation Sans,sans-serif;color:#1c2330}h1{margin:30px 40px}
main{display:grid;grid-template-columns:repeat(3,360px);gap:30px;padding:0 40px}.card{background:#fff;border:1px solid #d8dbe2;border-radius:8px;height:178px;padding:20px;box-sizing:border-box}
.card b{font-size:34px;display:block;margin-top:30px}button{position:absolute;left:430px;top:160px;width:360px;height:180px}</style>
<h1>Sales</h1><main><div class=card>Revenue<b>$48,120.00</b></div><div class=card>Visitors<b>12,904</b></div><div class=card>Orders<b>231</b></div></main>
<table style="margin:60px 40px;width:1140px;background:#fff"><tr><th>Customer<th>Total<tr><td>Ada<td>120.00<tr><td>Grace<td>84.50</table>`

// paintings writes real pictures of a page before and after an edit over those
// of the report, and what differs between them.
func paintings(t *testing.T, b playwright.Browser, dir string) {
	t.Helper()
	p, err := b.NewPage(playwright.BrowserNewPageOptions{Viewport: &playwright.Size{Width: 1280, Height: 720}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	shoot := func(name, edit string) image.Image {
		t.Helper()
		if err := p.SetContent(dashboard); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Evaluate(edit); err != nil {
			t.Fatal(err)
		}
		data, err := p.Screenshot()
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "screenshots", name), data)
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	before := shoot("001-before.png", `document.body.insertAdjacentHTML('beforeend', '<button>Export</button>')`)
	after := shoot("002-after.png", `document.querySelector('h1').textContent = 'Sales today'; document.querySelectorAll('.card')[2].style.background = 'rgb(254,249,195)'; document.querySelector('table').style.marginTop = '84px'`)
	diff := image.NewRGBA(before.Bounds())
	for y := range 720 {
		for x := range 1280 {
			g := color.GrayModel.Convert(after.At(x, y)).(color.Gray)
			diff.Set(x, y, color.Gray{Y: 200 + g.Y/5})
			if before.At(x, y) != after.At(x, y) {
				diff.Set(x, y, color.RGBA{255, 0, 0, 255})
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, diff); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "screenshots", "003-diff.png"), out.Bytes())
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// seen is the colour that the page shows of a place of the first comparison's
// pictures.
func (w *watched) seen(at image.Point) color.RGBA {
	w.t.Helper()
	w.eval("() => Promise.all([...document.images].map(i => { i.loading = 'eager'; return i.decode(); }))")
	w.eval("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
	data, err := w.Locator("#visual-1 .plate").Screenshot()
	if err != nil {
		w.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		w.t.Fatal(err)
	}
	return color.RGBAModel.Convert(img.At(at.X*img.Bounds().Dx()/1280, at.Y*img.Bounds().Dx()/1280)).(color.RGBA)
}

// TestVisualViews: slider, onion skin and difference show what they say, by
// keyboard and without a script (B2).
func TestVisualViews(t *testing.T) {
	b := chromium(t)
	dir := stored(t, visualReport())
	paintings(t, b, dir)
	w := open(t, b, filepath.Join(dir, "report.html"), playwright.BrowserNewPageOptions{Viewport: viewport(1366)})
	white, yellow, red := color.RGBA{255, 255, 255, 255}, color.RGBA{254, 249, 195, 255}, color.RGBA{255, 0, 0, 255}
	card := image.Pt(1000, 250) // white before, yellow now
	press := func(on, key string) {
		t.Helper()
		if err := w.Locator("#visual-1 " + on).Press(key); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what string, c color.RGBA) {
		t.Helper()
		if got := w.seen(card); got != c {
			t.Errorf("%s: the card is %v, want %v", what, got, c)
		}
	}
	if w.eval(`() => document.querySelector('#visual-1 .diff').checkVisibility()`) != false {
		t.Error("the difference stands beside the two pictures")
	}
	press("[value=side]", "ArrowRight")
	want("slider, as it begins", yellow)
	press("[type=range]", "End")
	want("slider to the right", white)
	press("[type=range]", "Home")
	want("slider to the left", yellow)
	press("[value=slider]", "ArrowRight")
	want("onion skin, all baseline", white)
	press("[type=range]", "End")
	want("onion skin, all of now", yellow)
	for range 5 {
		press("[type=range]", "PageDown") // a tenth
	}
	if got := w.seen(card); got.B < 215 || got.B > 235 {
		t.Errorf("onion skin, half of each: the card is %v", got)
	}
	press("[value=onion]", "ArrowRight")
	want("difference", red)
	if w.eval(`() => document.querySelector('#visual-1 .before').checkVisibility() || document.querySelector('#visual-1 .range').checkVisibility()`) != false {
		t.Error("the difference is not alone")
	}
	if w.eval(`() => getComputedStyle(document.querySelector('#visual-2 .range')).display`) != "none" {
		t.Error("one comparison's view changed another's")
	}
	if err := w.EmulateMedia(playwright.PageEmulateMediaOptions{Media: playwright.MediaPrint}); err != nil {
		t.Fatal(err)
	}
	const onPaper = `() => { const [b, a, d] = ['before', 'after', 'diff'].map(c => document.querySelector('#visual-1 .' + c).getBoundingClientRect())
		return b.width > 300 && a.left >= b.right && a.top === b.top && d.top >= b.bottom && d.width > 300 }`
	if w.eval(onPaper) != true || w.eval(`() => document.querySelector('#visual-1 .views').checkVisibility()`) != false {
		t.Error("on paper the pictures do not stand side by side")
	}
	for _, view := range []string{"side", "slider", "onion"} {
		w.eval(`() => document.querySelector('#visual-1 [value=` + view + `]').checked = true`)
		if whole := w.eval(`() => ['before', 'after'].map(c => getComputedStyle(document.querySelector('#visual-1 .' + c))).every(s => s.clipPath === 'none' && s.opacity === '1')`); whole != true || w.eval(onPaper) != true {
			t.Errorf("on paper, view %s: the pictures are not whole, side by side", view)
		}
	}
	w.requireQuiet(dir)
}

// TestVisualPlaces: the number of a place stands where the picture changed.
func TestVisualPlaces(t *testing.T) {
	dir := stored(t, visualReport())
	w := open(t, chromium(t), filepath.Join(dir, "report.html"), playwright.BrowserNewPageOptions{Viewport: viewport(1366)})
	const offset = `() => { const i = document.querySelector('#visual-1 .after img').getBoundingClientRect(), b = document.querySelector('#visual-1 .after .box').getBoundingClientRect(), k = 1280 / i.width
		return [(b.left - i.left) * k - 40, (b.top - i.top) * k - 30, b.width * k - 420, b.height * k - 56].map(Math.abs).every(d => d < 3) }`
	if w.eval(offset) != true {
		t.Error("the first place is not drawn where it is")
	}
	const within = `() => { const b = document.querySelector('#visual-1 .after .box b').getBoundingClientRect(), s = document.querySelector('#visual-1 .stage').getBoundingClientRect(); return b.top >= s.top && b.left >= s.left - 3 }`
	if w.eval(within) != true {
		t.Error("its number is cut off")
	}
}
