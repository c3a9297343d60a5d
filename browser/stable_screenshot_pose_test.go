package browser

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
)

// watched tells what the page can know of a capture: changes of its tree, and
// scrolling. That its window changes for a moment it may learn, too.
const watched = `<script>window.seen = [];
	new MutationObserver(all => { for (const m of all) seen.push(m.type + ' of ' + m.target.nodeName) }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
	addEventListener('scroll', () => { window.scrolled = true })</script>`

// B9: animations are at their end, endless ones at their beginning, in shadow
// roots and frames of any origin, too; and go on afterwards.
func TestStillHaltsAnimations(t *testing.T) {
	t.Parallel()
	moving := `<style>body { margin: 0; background: #fff } div { width: 100px; height: 100px }
		@keyframes turn { from { background: #f00 } to { background: #00f } } @keyframes wait { from { background: #0f0 } to { background: #000 } }
		.once { animation: turn 100s linear forwards } .ever { animation: wait 1s linear infinite alternate } .late { background: #f00; transition: background 100s linear }</style>
		<div class=once></div><div class=ever></div><div class=late></div><script>document.body.offsetWidth; document.querySelector('.late').style.background = '#00f'</script>`
	other := newSite(t, map[string]string{"/{$}": moving})
	foreign := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	s, _ := show(t, moving+`<x-box style="position: absolute; left: 100px; top: 0; display: block"></x-box><script>
		document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML = document.querySelector('style').outerHTML + '<div class=once></div><div class=ever></div>'</script>
		<iframe srcdoc="`+strings.ReplaceAll(moving, `"`, "&quot;")+`" style="position: absolute; left: 200px; top: 0; border: 0"></iframe>
		<iframe src="`+foreign+`" style="position: absolute; left: 600px; top: 0; border: 0; height: 400px"></iframe>
		<svg style="position: absolute; left: 0; top: 300px" width=100 height=100><rect width=100 height=100 fill=#0f0><animate attributeName=fill values="#0f0;#000;#0f0" dur=1s repeatCount=indefinite /></rect></svg>`+watched)
	got := still(t, s, StillOptions{})
	for name, c := range map[string]struct {
		x, y int
		want any
	}{
		"finite":                     {50, 50, blue},
		"endless":                    {50, 150, lime},
		"transition":                 {50, 250, blue},
		"in a shadow root":           {150, 50, blue},
		"endless in a shadow root":   {150, 150, lime},
		"in a frame":                 {250, 50, blue},
		"endless in a frame":         {250, 120, lime},
		"in a foreign frame":         {650, 50, blue},
		"endless in a foreign frame": {650, 150, lime},
		"transition, foreign frame":  {650, 250, blue},
		"vector":                     {50, 350, lime},
	} {
		if p := at(t, got.Data, c.x, c.y); p != c.want {
			t.Errorf("%s: %v, want %v", name, p, c.want)
		}
	}
	if got := js(t, s, `() => seen.join()`); got != `""` {
		t.Errorf("the page saw %s", got)
	}
	if got := js(t, s, `() => document.adoptedStyleSheets.length + document.querySelector('x-box').shadowRoot.adoptedStyleSheets.length`); got != "0" {
		t.Errorf("%s style sheets are left", got)
	}
	// The endless ones move on, and still heed their style.
	js(t, s, `() => new Promise(done => {
		const of = (root, css) => root.querySelector(css).getAnimations()[0];
		const all = [of(document, '.ever'), of(document.querySelector('x-box').shadowRoot, '.ever')], begun = all.map(a => a.currentTime);
		const svg = document.querySelector('svg'), drawn = svg.getCurrentTime();
		const step = () => all.every((a, i) => a.playbackRate === 1 && a.currentTime > begun[i]) && svg.getCurrentTime() > drawn ? done('') : requestAnimationFrame(step);
		step();
	})`)
	if got := js(t, s, `() => { const e = document.querySelector('.ever'); e.style.animationPlayState = 'paused'; return e.getAnimations()[0].playState }`); got != `"paused"` {
		t.Errorf("the animation does not heed its style any more: it is %s", got)
	}
}

// No caret is in the picture, where a bare one shows it.
func TestStillHidesTheCaret(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { margin: 0; background: #fff } input { font-size: 60px; outline: 0; border: 0; caret-color: #f00 }</style><input id=i>`)
	js(t, s, `() => { i.focus(); return '' }`)
	shows := func(data []byte) bool {
		picture := decodePNG(t, data)
		for y := range 100 {
			for x := range 100 {
				if c := at2(picture, x, y); c.R > c.G {
					return true
				}
			}
		}
		return false
	}
	bare := func() error {
		data, err := pageOf(s).Screenshot(playwright.PageScreenshotOptions{Caret: playwright.ScreenshotCaretInitial})
		if err == nil && !shows(data) {
			err = errors.New("it is not painted")
		}
		return err
	}
	for range 3 { // it blinks
		becomes(t, "the caret is painted", bare)
		if shows(still(t, s, StillOptions{}).Data) {
			t.Fatal("the caret is in the still")
		}
	}
	if got := js(t, s, `() => document.activeElement.id + ' ' + getComputedStyle(i).caretColor`); got != `"i rgb(255, 0, 0)"` {
		t.Errorf("afterwards: %s", got)
	}
}

// tall is a page of 5,000 pixels with a fixed header and a sticky table head.
const tall = `<style>body { margin: 0; padding-top: 50px; background: #fff } header { position: fixed; top: 0; width: 100%; height: 50px; background: #f00 }
	footer { position: fixed; bottom: 0; width: 100%; height: 40px; background: #0f0 }
	table { border-spacing: 0 } th { position: sticky; top: 50px; background: #00f; height: 30px; width: 400px; padding: 0 } td { height: 50px; padding: 0 }</style><header></header><footer></footer>
	<div style="height: 100vh"></div><table><thead><tr><th></thead><tbody></tbody></table><script>document.querySelector('tbody').innerHTML = '<tr><td>x'.repeat(84)</script>`

// Fixed and sticky parts appear once, where they are at the page's beginning,
// wherever the page was scrolled to; and there it is again afterwards.
func TestStillOfTallPage(t *testing.T) {
	t.Parallel()
	s, _ := show(t, tall+watched)
	var want []byte
	for _, from := range []int{0, 3000} {
		js(t, s, fmt.Sprintf(`() => { scrollTo(0, %d); return '' }`, from))
		got := still(t, s, StillOptions{FullPage: true})
		if want == nil {
			want = got.Data
		} else if string(want) != string(got.Data) {
			t.Error("the picture depends on where the page was scrolled to")
		}
		if now := js(t, s, `() => scrollY`); now != fmt.Sprint(from) {
			t.Errorf("scrolled to %s afterwards, not %d", now, from)
		}
	}
	picture, rows := decodePNG(t, want), map[string][2]int{}
	for y := range picture.Bounds().Dy() {
		for name, c := range map[string]any{"header": red, "table head": blue, "footer": lime} {
			if at := rows[name]; at2(picture, 200, y) == c {
				if at[1] == 0 {
					at[0] = y
				}
				rows[name] = [2]int{at[0], at[1] + 1}
			}
		}
	}
	for name, want := range map[string][2]int{"header": {0, 50}, "table head": {770, 30}, "footer": {680, 40}} {
		if rows[name] != want {
			t.Errorf("%s: first row and number of rows %v, want %v", name, rows[name], want)
		}
	}
	if got := js(t, s, `() => seen.join()`); got != `""` {
		t.Errorf("the page saw %s", got)
	}
}

// What comes in when it is scrolled to is in a picture of the whole page. The
// viewport is taken without scrolling.
func TestStillOfLazyContent(t *testing.T) {
	t.Parallel()
	page := `<style>body { margin: 0; background: #fff } div, img { display: block; height: 4000px; width: 100px }</style>
		<div></div><img loading=lazy src=/red.svg style="height: 100px"><div></div><div id=end style="height: 100px"></div><script>
		new IntersectionObserver(all => { if (all.some(e => e.isIntersecting)) end.style.background = '#00f' }).observe(end)</script>`
	web := newSite(t, map[string]string{"/{$}": page + watched})
	web.handle("/red.svg", after(400*time.Millisecond, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#f00"/></svg>`)
	}))
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	js(t, s, `() => { document.documentElement.style.scrollBehavior = 'smooth'; return '' }`)
	still(t, s, StillOptions{})
	if got := js(t, s, `() => String(window.scrolled)`); got != `"undefined"` {
		t.Error("the viewport was scrolled for its picture")
	}
	got := still(t, s, StillOptions{FullPage: true})
	if c := at(t, got.Data, 50, 4050); c != red {
		t.Errorf("the lazy image is %v", c)
	}
	if c := at(t, got.Data, 50, 8150); c != blue {
		t.Errorf("what is observed is %v", c)
	}
	if now := js(t, s, `() => scrollY`); now != "0" {
		t.Errorf("scrolled to %s afterwards", now)
	}
}

// lateParts is a page of parts that come in and go out again, each by another means, and of such
// as don't; goes lists the words of the former.
func lateParts() (page string, goes []string) {
	ways := [][2]string{{"opacity:0", ""}, {"visibility:hidden", ""}, {"transform:translateX(-2000px)", ""}, {"clip-path:inset(0 100% 0 0)", ""}, {"filter:opacity(0)", ""}, {"display:none", ""},
		{"content-visibility:hidden", ""}, {"max-height:0;overflow:hidden", ""}, {"color:transparent", ""}, {"transform:scale(0)", ""}, {"", "e.isIntersecting ? p.textContent = p.id : p.textContent = ''"},
		{"opacity:0", "p.animate({ opacity: e.isIntersecting ? [0, 1] : [1, 0] }, { duration: 400, fill: 'forwards' })"}, {"opacity:0", "later(() => p.style.opacity = e.isIntersecting ? 1 : 0)"}}
	var b strings.Builder
	b.WriteString(`<!doctype html><style>body { margin: 0 } div { height: 400px } .now { all: revert !important } nav { position: sticky; top: 0 } q { position: absolute; opacity: 0 }</style><nav>Menu</nav><div></div><div></div>`)
	for i, way := range ways {
		id, does := fmt.Sprintf("way-%d", i), way[1]
		if does == "" {
			does = "p.classList.toggle('now', e.isIntersecting)"
		}
		fmt.Fprintf(&b, `<div data-does="%s"><p id=%s style="%s">%s</p></div>`, does, id, way[0], id)
		goes = append(goes, id)
	}
	b.WriteString(`<div data-does="e.isIntersecting && p.classList.add('now')"><p style="opacity:0">stays</p></div><div data-does=""><p style="opacity:0">nobody sees this</p></div>
		<div data-does="" style="content-visibility:auto">far away</div><div data-does=""><p>in turn</p><q>other</q></div><script>
		const later = f => { clearTimeout(later.id); later.id = setTimeout(f, 120) };
		const seen = new IntersectionObserver(all => { for (const e of all) new Function('e', 'p', 'later', e.target.dataset.does)(e, e.target.firstElementChild, later) });
		for (const d of document.querySelectorAll('[data-does]')) seen.observe(d);
		let n = 0; setInterval(() => document.querySelector('q').textContent = ['one', 'two'][n++ % 2], 5000)</script>`)
	return b.String(), goes
}

// What comes in where it is scrolled to and goes out again, by whatever means, is no part of a
// settled picture: it is named with a mask that helps. What stays in, is hidden everywhere, or
// is replaced by a page in turn keeps nobody from one.
func TestStillLacksNothingThatIsSeenInItsPlace(t *testing.T) {
	t.Parallel()
	page, goes := lateParts()
	s, _ := show(t, page)
	_, err := s.Still(timeLimit(t, longStill+10*time.Second), StillOptions{FullPage: true, Timeout: longStill})
	wantCode(t, err, explain.TimedOut, "lack", "mask")
	var restless *RestlessError
	if !errors.As(err, &restless) {
		t.Fatal(err)
	}
	var masks []string
	missing := map[string]bool{}
	for _, m := range restless.Missing {
		missing[m.Words], masks = true, append(masks, m.Mask)
	}
	for _, id := range goes {
		if !missing[id] {
			t.Errorf("%s is not missed", id)
		}
	}
	if len(restless.Missing) != len(goes) || len(restless.Last[1]) == 0 {
		t.Errorf("missing: %+v", restless.Missing)
	}
	for name, o := range map[string]StillOptions{"masked": {FullPage: true, Mask: masks}, "ignored": {FullPage: true, Ignore: masks}} {
		if got := still(t, s, o); len(got.Data) == 0 {
			t.Errorf("%s: no picture", name)
		}
	}
	_, err = s.Still(timeLimit(t, longStill+10*time.Second), StillOptions{Selector: "css=div:has(> #way-0)", Timeout: longStill})
	wantCode(t, err, explain.TimedOut, "lack 1 part", "way-0")
	still(t, s, StillOptions{Selector: "text=stays"})
}

// An element that is only called img or canvas, in another namespace, is no
// picture, and keeps nobody from one.
func TestStillOfForeignElements(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<body style="margin: 0; background: #00f"><svg width=50 height=50></svg><script>
		for (const name of ['img', 'canvas', 'video', 'input', 'select', 'iframe', 'textarea', 'slot', 'style'])
			for (const space of ['http://www.w3.org/2000/svg', 'urn:x']) {
				const e = document.createElementNS(space, name);
				e.setAttribute('src', '/x.png');
				document.querySelector(space === 'urn:x' ? 'body' : 'svg').append(e);
			}</script>`)
	if got := still(t, s, StillOptions{FullPage: true}); at(t, got.Data, 600, 400) != blue || len(got.Elements) == 0 {
		t.Errorf("%d elements", len(got.Elements))
	}
}
