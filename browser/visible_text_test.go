package browser

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
)

// unseenWays are pages on which nobody sees #v, by the reason that is told.
var unseenWays = []struct{ name, body, why string }{
	{"opacity", `<p id=v style="opacity:0">Paid 42</p>`, "transparent"},
	{"opacity of a parent", `<div style="opacity:.01"><p id=v>Paid 42</p></div>`, "transparent"},
	{"visibility", `<p id=v style="visibility:hidden">Paid 42</p>`, "hidden"},
	{"display", `<p id=v style="display:none">Paid 42</p>`, "not rendered"},
	{"content-visibility", `<div style="content-visibility:hidden"><p id=v>Paid 42</p></div>`, "not rendered"},
	{"closed details", `<details><summary>More</summary><p id=v>Paid 42</p></details>`, "not rendered"},
	{"far left", `<p id=v style="position:absolute;left:-9999px">Paid 42</p>`, "off-screen"},
	{"fixed below", `<p id=v style="position:fixed;top:200vh">Paid 42</p>`, "off-screen"},
	{"indent", `<p id=v style="text-indent:-9999px">Paid 42</p>`, "off-screen"},
	{"clip-path", `<p id=v style="clip-path:inset(50%)">Paid 42</p>`, ""},
	{"screen readers only", `<p id=v style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);white-space:nowrap">Paid 42</p>`, ""},
	{"overflow", `<div style="height:0;overflow:hidden"><p id=v>Paid 42</p></div>`, "clipped"},
	{"scaled away", `<p id=v style="transform:scale(0)">Paid 42</p>`, "no size"},
	{"no font size", `<p id=v style="font-size:0">Paid 42</p>`, "no size"},
	{"tiny", `<p id=v style="font-size:1px">Paid 42</p>`, "too small"},
	{"white on white", `<p id=v style="color:#fff">Paid 42</p>`, "the colour of its ground"},
	{"nearly white", `<p id=v style="color:#fdfdfd">Paid 42</p>`, "the colour of its ground"},
	{"transparent ink", `<p id=v style="color:transparent">Paid 42</p>`, "transparent"},
	{"fill", `<p id=v style="-webkit-text-fill-color:transparent">Paid 42</p>`, "transparent"},
	{"overlay", `<p id=v>Paid 42</p><div class=sheet style="position:fixed;inset:0;background:#eee"></div>`, "covered by div.sheet"},
	{"overlay that lets the pointer through", `<p id=v>Paid 42</p><div class=sheet style="position:fixed;inset:0;background:#eee;pointer-events:none"></div>`, "covered by div.sheet"},
	{"overlay of a pseudo-element", `<style>body::after{content:"";position:fixed;inset:0;background:#fff;pointer-events:none}</style><p id=v>Paid 42</p>`, ""},
	{"its own pseudo-element over it", `<style>#v{position:relative}#v::after{content:"";position:absolute;inset:0;background:#fff}</style><p id=v>Paid 42</p>`, ""},
	{"black ground of a brother", `<div style="position:relative;height:40px"><div style="position:absolute;inset:0;background:#000"></div><p id=v style="position:relative;color:#000;margin:0">Paid 42</p></div>`, "the colour of its ground"},
	{"behind the page", `<body style="background:#fff"><div style="background:#fff;position:relative;z-index:0;height:60px"><p id=v style="position:relative;z-index:-1;margin:0">Paid 42</p><div style="position:absolute;inset:0;background:#fff"></div></div>`, ""},
	{"filter", `<p id=v style="filter:opacity(0)">Paid 42</p>`, "filter"},
	{"mask", `<p id=v style="mask-image:linear-gradient(transparent,transparent)">Paid 42</p>`, "mask"},
	{"unchosen option", `<select id=v><option>Open<option>Paid 42</select>`, ""},
	{"shadow root", `<div id=v></div><script>v.attachShadow({mode:'open'}).innerHTML='<p style="opacity:0">Paid 42</p>'</script>`, "transparent"},
	{"frame that is transparent", `<div id=v><iframe style="opacity:0" srcdoc="<p>Paid 42</p>"></iframe></div>`, ""},
	{"frame with transparent text", `<div id=v><iframe srcdoc="<p style='opacity:0'>Paid 42</p>"></iframe></div>`, "transparent"},
	{"sheet by shadow", `<p id=v>Paid 42</p><div id=s style="position:fixed;left:0;top:0;width:9px;height:9px;background:#fff;pointer-events:none;box-shadow:0 0 0 3000px #fff"></div>`, "covered by the shadow of div#s"},
	{"sheet of a closed shadow root", `<p id=v>Paid 42</p><x-sheet></x-sheet><script>customElements.define('x-sheet', class extends HTMLElement { connectedCallback() {
		this.attachShadow({mode: 'closed'}).innerHTML = '<div style="position:fixed;inset:0;background:#fff;pointer-events:none"></div>' } })</script>`, "covered by what x-sheet draws"},
	{"covered digit", `<p id=v style="position:relative;display:inline-block;font:20px monospace">Paid 42<span class=sheet style="position:absolute;right:0;width:1ch;top:0;bottom:0;background:#fff"></span></p>`, ""},
	{"picture of its own colour", `<div style="background:linear-gradient(#246,#246);padding:10px"><p id=v style="color:#246;margin:0">Paid 42</p></div>`, ""},
	{"locked scroll", `<style>html{overflow:hidden}</style><div style="height:3000px"></div><p id=v>Paid 42</p>`, "off-screen"},
	{"first line in the colour of its ground", `<style>#v::first-line{color:#fff}</style><p id=v>Paid 42</p>`, "painted by ::first-line"},
	{"highlight in the colour of its ground", `<style>::highlight(x){color:#fff;background:#fff}</style><p id=v>Paid 42</p><script>const r = new Range(); r.selectNodeContents(v); CSS.highlights.set('x', new Highlight(r))</script>`, "painted by a highlight"},
	{"visited link in the colour of its ground", `<style>a:visited{color:#fff}</style><a id=v href="">Paid 42</a>`, "painted as a visited link"},
	{"the outline of a neighbour over it", `<style>#n{outline:60px solid #fff;width:10px;height:10px;margin-left:30px;position:relative}</style><p id=v>Paid 42</p><div id=n></div>`, "covered by what is around div#n"},
	{"the shadow of a neighbour over it", `<style>#n{box-shadow:0 -20px 0 40px #fff;width:200px;height:10px;position:relative}</style><p id=v>Paid 42</p><div id=n></div>`, "covered by what is around div#n"},
	{"masked", `<p id=v style="-webkit-text-security:disc">Paid 42</p>`, "masked"},
}

// TestUnseen: what nobody sees is no text and not visible, and the look says
// why (A8, B3).
func TestUnseen(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	for i, c := range unseenWays {
		if !sampled(i, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			path := "/" + strconv.Itoa(i)
			web.handle(path, htmlPage(c.body))
			visit(t, s, web.URL+path)
			before := js(t, s, "document.documentElement.outerHTML + scrollY")
			for k, selector := range []string{"css=#v", ""} {
				if k > 0 && !sampled(i, 4) {
					continue
				}
				got, err := s.Read(within30s(t), selector, "Paid 42", false)
				if err != nil || got.Fits || got.Doubt != "" {
					t.Errorf("contains in %q: %+v, %v", selector, got, err)
				}
				if c.why != "" && selector != "" && got.Why != c.why {
					t.Errorf("why is %q, want %q", got.Why, c.why)
				}
			}
			if got, err := s.Read(within30s(t), "css=#v", "Paid 42", true); err != nil || got.Fits {
				t.Errorf("equals: %+v, %v", got, err)
			}
			if !strings.Contains(c.body, "select") && !strings.Contains(c.body, "iframe") && c.name != "covered digit" && c.name != "its own pseudo-element over it" {
				if got, err := s.Look(within30s(t), "css=#v", FactCount, ""); err != nil || got.Count != 1 || got.Seen != 0 || got.Doubt != "" {
					t.Errorf("visible: %+v, %v", got, err)
				}
			}
			if after := js(t, s, "document.documentElement.outerHTML + scrollY"); after != before {
				t.Errorf("the look changed the page:\n%s\n%s", before, after)
			}
		})
	}
}

// seenWays are pages on which a person sees "Paid 42" in #v.
var seenWays = []struct{ name, body string }{
	{"plain", `<p id=v>Paid 42</p>`},
	{"a section whose ground is a pseudo-element of it", `<style>section{position:relative;isolation:isolate}section::after{content:"";position:absolute;inset:0;z-index:-1;background:linear-gradient(#112,#224)}#v{color:#fff}</style><section><p id=v>Paid 42</p></section>`},
	{"a button whose ground is a pseudo-element of it", `<style>#v{position:relative;z-index:1;border:0;background:none;color:#fff;padding:10px}#v::before{content:"";position:absolute;inset:0;z-index:-1;background:#112}</style><button id=v>Paid 42</button>`},
	{"half opacity", `<p id=v style="opacity:.5">Paid 42</p>`},
	{"under glass", `<p id=v>Paid 42</p><div style="position:fixed;inset:0"></div>`},
	{"under tinted glass", `<p id=v>Paid 42</p><div style="position:fixed;inset:0;background:rgba(0,0,0,.3)"></div>`},
	{"below the fold", `<div style="height:3000px"></div><p id=v>Paid 42</p>`},
	{"in a scroll container", `<div style="height:60px;overflow:auto"><div style="height:900px"></div><p id=v>Paid 42</p></div>`},
	{"to the right in a scroll container", `<div style="width:200px;overflow-x:auto;white-space:nowrap"><div style="display:inline-block;width:2000px">x</div><span id=v>Paid 42</span></div>`},
	{"shadow root", `<div id=v></div><script>v.attachShadow({mode:'open'}).innerHTML='<p>Paid <b>42</b></p>'</script>`},
	{"slot", `<div id=v><b>42</b></div><script>v.attachShadow({mode:'open'}).innerHTML='<p>Paid <slot></slot></p>'</script>`},
	{"frame", `<div id=v><iframe srcdoc="<p>Paid 42</p>"></iframe></div>`},
	{"frame below the fold", `<div style="height:3000px"></div><div id=v><iframe srcdoc="<p>Paid 42</p>"></iframe></div>`},
	{"nodes", `<p id=v>Pa<b>id</b> <i>4</i><span style="display:inline-block">2</span></p>`},
	{"side by side without a space", `<p id=v><span>Paid</span><span style="margin-left:8px">42</span></p>`},
	{"flex", `<div id=v style="display:flex;gap:8px"><div>Paid</div><div style="display:flex"><div>4</div><div>2</div></div></div>`},
	{"soft hyphen and zero width", "<p id=v>Pa\u00adid\u00a04\u200b2</p>"},
	{"capitals by style", `<p id=v style="text-transform:uppercase">Paid 42</p>`},
	{"pseudo-element", `<style>#v::before{content:"Paid "}</style><p id=v>42</p>`},
	{"white on a dark brother", `<div style="position:relative;height:40px"><div style="position:absolute;inset:0;background:#000"></div><p id=v style="position:relative;color:#fff;margin:0">Paid 42</p></div>`},
	{"white on a gradient", `<div style="background:linear-gradient(#123,#456);padding:10px"><p id=v style="color:#fff;margin:0">Paid 42</p></div>`},
	{"white on a picture", `<div style="background:#fff url('data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22><rect width=%22900%22 height=%22900%22 fill=%22navy%22/></svg>');padding:10px"><p id=v style="color:#fff;margin:0">Paid 42</p></div>`},
	{"gradient ink", `<p id=v style="background:linear-gradient(90deg,red,blue);-webkit-background-clip:text;color:transparent">Paid 42</p>`},
	{"chosen option", `<select id=v><option>Open<option selected>Paid 42</select>`},
	{"field", `<input id=v value="Paid 42">`},
	{"button", `<button id=v>Paid 42</button>`},
	{"button of an input", `<input id=v type=submit value="Paid 42">`},
	{"drawing", `<svg id=v width=200 height=40><rect width=200 height=40 fill="#eef"></rect><text x=5 y=20>Paid 42</text></svg>`},
	{"display: contents", `<div id=v style="display:contents"><span style="display:contents">Paid 42</span></div>`},
	{"filter that keeps it", `<p id=v style="filter:brightness(1.1)">Paid 42</p>`},
	{"sticky head over it, scrollable", `<div style="position:sticky;top:0;height:40px;background:#fff">Head</div><div style="height:2000px"></div><p id=v>Paid 42</p><div style="height:2000px"></div>`},
	{"transition when it changes", `<style>*{transition:all 3s}</style><div style="background:linear-gradient(#123,#456)"><p id=v style="color:#fff">Paid 42</p></div>`},
	{"important ink of the page", `<style>p{-webkit-text-fill-color:#fff !important}</style><div style="background:linear-gradient(#123,#456)"><p id=v>Paid 42</p></div>`},
	{"dark page", `<style>body{background:#111;color:#eee}</style><p id=v>Paid 42</p>`},
	{"marker", `<style>li::marker{content:"Paid "}</style><ul style="list-style-position:inside"><li id=v>42</ul>`},
	{"words that are read out instead", `<style>#v::before{content:"Paid " / "Offen"}</style><p id=v>42</p>`},
	{"kind of list", `<ul style="list-style-position:inside;list-style-type:'Paid '"><li id=v>42</ul>`},
	{"picture that did not come", `<p id=v>Paid <img src="data:image/png,x" alt="42"></p>`},
	{"ligature", "<p id=v>Ｐaid ４２</p>"},
	{"modal", `<dialog id=d><p id=v>Paid 42</p></dialog><script>d.showModal()</script>`},
	{"a first line of its own", `<style>#v::first-line{color:#a00}</style><p id=v>Paid 42</p>`},
	{"a highlight", `<style>::highlight(x){background:#ff0;color:#300}</style><p id=v>Paid 42</p><script>const r = new Range(); r.selectNodeContents(v); CSS.highlights.set('x', new Highlight(r))</script>`},
	{"a visited link", `<style>a:visited{color:#609}</style><a id=v href="">Paid 42</a>`},
	{"beside an outline and a shadow", `<style>#n{outline:8px solid #00f;box-shadow:0 0 0 8px #f00;margin:20px;width:9px}</style><p id=v>Paid 42</p><div id=n>n</div>`},
}

// TestSeen: what a person sees is found, however the page makes it (A8, B3).
func TestSeen(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	for i, c := range seenWays {
		if !sampled(i+1, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			path := "/" + strconv.Itoa(i)
			web.handle(path, htmlPage(c.body))
			visit(t, s, web.URL+path)
			before := js(t, s, "document.documentElement.outerHTML + scrollY")
			for k, wanted := range []string{"Paid 42", " Paid \n 42"} {
				for _, whole := range []bool{false, true} {
					if whole != (k == 0) && !soak() {
						continue
					}
					if got, err := s.Read(within30s(t), "css=#v", wanted, whole); err != nil || !got.Fits || got.Doubt != "" {
						t.Errorf("whole %v: %+v, %v", whole, got, err)
						if got.Text != nil {
							t.Logf("text %q", *got.Text)
						}
					}
				}
			}
			if got, err := s.Read(within30s(t), "", "Paid 42", false); err != nil || !got.Fits {
				t.Errorf("in the page: %+v, %v", got, err)
			}
			if got, err := s.Look(within30s(t), "css=#v", FactCount, ""); err != nil || got.Count != 1 || got.Seen != 1 {
				t.Errorf("visible: %+v, %v", got, err)
			}
			for k, wrong := range []string{"Paid 43", "Paid 4 22", "aid 42 x"} {
				if !sampled(i/2+k, 3) {
					continue
				}
				if got, err := s.Read(within30s(t), "css=#v", wrong, false); err != nil || got.Fits {
					t.Errorf("%q: %+v, %v", wrong, got, err)
				}
			}
			if after := js(t, s, "document.documentElement.outerHTML + scrollY"); after != before {
				t.Errorf("the look changed the page:\n%s\n%s", before, after)
			}
		})
	}
	judgeBesideHits(t, s, web)
}

// besideHits are boxes of one page in which something is painted that no hit, or no ground of one colour, tells: what hides the words, then what does
// not. Each # stands for the number of its box.
var besideHits = []struct{ css, html, hides, keeps string }{
	{`#v{box-shadow:inset 0 0 0 «»;color:#222}`, `<p id=v>Paid 42</p>`, `40px #222`, `2px #222`},
	{`#b{position:relative;z-index:0}#b::before{content:"";position:absolute;inset:0;background:#234;z-index:-1}#v{color:«»}`, `<div id=b><p id=v>Paid 42</p></div>`, `#234`, `#fff`},
	{`#v::after{content:"";display:inline-block;width:200px;height:22px;margin-left:«»;background:#fff;vertical-align:middle}`, `<p id=v>Paid 42</p>`, `-200px`, `9px`},
	{`#v::before{content:"";display:block;height:«»}#v{height:24px;overflow:hidden}`, `<p id=v>Paid 42</p>`, `60px`, `0`},
	{`#v{border:1px solid transparent;border-image:linear-gradient(#083,#083) 1 fill;color:«»}`, `<p id=v>Paid 42</p>`, `#083`, `#fff`},
	{`#n{position:absolute;left:20px;top:70px;width:200px;height:30px;background:#fff;filter:drop-shadow(0 «» 0 #fff)}`, `<p id=v>Paid 42</p><div id=n></div>`, `-66px`, `9px`},
	{`#n{position:absolute;inset:0;background:«»}`, `<p id=v>Paid 42</p><div id=n inert></div>`, `#fff`, `none`},
	{`#b{background:«»}#b iframe{border:0;height:60px}`, `<div id=b><iframe srcdoc="<p id=v style='color:#222'>Paid 42</p>"></iframe></div>`, `#222`, `#eee`},
	{`#b tr{background:#123}#v{color:«»}`, `<table id=b><tr><td id=v>Paid 42</table>`, `#123`, `#fff`},
	{`#v::first-letter{background:«»}`, `<p id=v>Paid 42</p>`, `#000`, `#eee`},
	{`#v{-webkit-text-stroke:«» #fff}`, `<p id=v>Paid 42</p>`, `14px`, `0`},
	{`#v{color:#fff;text-decoration:underline #000;text-shadow:«»}`, `<p id=v>Paid 42</p>`, `none`, `0 0 2px #000`},
	{`#v{width:3.4em;overflow:hidden;text-overflow:«»;white-space:nowrap;font:20px monospace}`, `<p id=v>Paid 42 of 50</p>`, `ellipsis`, `clip`},
	{`#v{background:#222;color:«»;height:0}`, `<p id=v>Paid 42</p>`, `#fff`, `#222`},
	{`#v{text-indent:«»}`, `<input id=v value="Paid 42">`, `-999px`, `9px`},
	{`#v::placeholder{opacity:«»}`, `<input id=v placeholder="Paid 42">`, `0`, `1`},
}

func besideHitsIn(healthy bool) string {
	var out strings.Builder
	for i, c := range besideHits {
		value := c.hides
		if healthy {
			value = c.keeps
		}
		n := strconv.Itoa(i)
		own := strings.NewReplacer("#v", "#v"+n, "#b", "#b"+n, "#n", "#n"+n, "«»", value, "id=v", "id=v"+n, "id=b", "id=b"+n, "id=n", "id=n"+n)
		fmt.Fprintf(&out, `<style>%s</style><div style="position:relative;isolation:isolate;overflow:hidden;height:110px">%s</div>`, own.Replace(c.css), own.Replace(c.html))
	}
	return out.String()
}

// judgeBesideHits: what no hit finds is no reason to call a text seen, nor one to call it unseen.
func judgeBesideHits(t *testing.T, s *Session, web *site) {
	for _, healthy := range []bool{false, true} {
		web.turn(t, s, besideHitsIn(healthy))
		for i, c := range besideHits {
			selector, wanted := "css=#v"+strconv.Itoa(i), "Paid 42"
			if strings.Contains(c.html, "iframe") {
				selector = "css=#b" + strconv.Itoa(i)
			} else if strings.Contains(c.css, "text-overflow") {
				wanted = "Paid 4"
			}
			if got, err := s.Read(within30s(t), selector, wanted, false); err != nil || got.Fits != healthy || got.Doubt != "" {
				t.Errorf("%s, healthy %v: %+v, %v", c.css, healthy, got, err)
			}
		}
	}
}

// TestLookLeavesNoTrace: a page that watches itself learns nothing of a look,
// nor of its pictures.
func TestLookLeavesNoTrace(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<div style="background:linear-gradient(#123,#456)"><p id=v style="color:#fff">Paid 42</p></div><div style="height:3000px"></div><p id=w>Below</p>
		<script>window.noticed = []; new MutationObserver(l => noticed.push(...l.map(m => m.type))).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
		addEventListener('resize', () => noticed.push('resize'));
		document.addEventListener('transitionrun', () => noticed.push('transition'));</script>`)
	for _, wanted := range []string{"Paid 42", "Below"} {
		if got, err := s.Read(within30s(t), "", wanted, false); err != nil || !got.Fits {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if got := js(t, s, "[noticed.join(), scrollY, document.adoptedStyleSheets.length].join('|')"); got != `"|0|0"` {
		t.Errorf("the page noticed %s", got)
	}
}

// TestReveal: what a page brings in where it is scrolled to is seen, when its transition
// has ended, and whether or not it goes again; and the page stands where it stood.
func TestReveal(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	for name, class := range map[string]string{
		"once": "e.isIntersecting && e.target.classList.add('in')", "in-and-out": "e.target.classList.toggle('in', e.isIntersecting)",
	} {
		web.handle("/"+name, htmlPage(`<style>#v{opacity:0;transition:opacity .3s}#v.in{opacity:1}</style><div style="height:3000px"></div><p id=v>Paid 42…</p>
			<script>new IntersectionObserver(es => es.forEach(e => `+class+`)).observe(v)</script>`))
		for what, look := range map[string]func() (bool, error){
			"text": func() (bool, error) { got, err := s.Read(within30s(t), "", "Paid 42...", false); return got.Fits, err },
			"visible": func() (bool, error) {
				got, err := s.Look(within30s(t), "css=#v", FactCount, "")
				return got.Seen == 1, err
			},
		} {
			visit(t, s, web.URL+"/"+name)
			if seen, err := look(); err != nil || !seen {
				t.Errorf("%s: %s: seen %v, %v", name, what, seen, err)
			}
			if got := js(t, s, "scrollY"); got != "0" {
				t.Errorf("%s: %s: left the page scrolled to %s", name, what, got)
			}
		}
	}
	judgeBroughtIn(t, s, web)
	web.turn(t, s, `<style>#c{transition:all .1s}#p:not(.in) #c{backface-visibility:hidden;transform:perspective(2500px) rotateY(-100deg)}</style><div style="height:900px"></div><section id=p style="height:700px"><div id=c><h2>Turned</h2></div></section>
		<script>new IntersectionObserver(es => es.forEach(e => e.target.classList.toggle('in', e.isIntersecting)), {threshold: .2}).observe(p)</script>`)
	if got, err := s.Look(within30s(t), `heading "Turned"`, FactCount, ""); err != nil || got.Seen != 1 { // pictures find it unseen from where the page stands
		t.Errorf("turned away: %+v, %v", got, err)
	}
	web.handle("/never", htmlPage(`<div style="height:3000px"></div><p id=v style="opacity:0">Paid 42</p>`))
	visit(t, s, web.URL+"/never")
	if got, err := s.Read(within30s(t), "", "Paid 42", false); err != nil || got.Fits || got.Why != "transparent" {
		t.Errorf("it stays transparent: %+v, %v", got, err)
	}
}

// judgeBroughtIn: by whatever property a section is hidden until the window comes to it, it is seen by its words, found by its name, and counted.
func judgeBroughtIn(t *testing.T, s *Session, web *site) {
	ways := []string{"visibility:hidden", "opacity:0", "transform:translateX(-200vw)", "transform:scale(0)", "clip-path:circle(0)", "opacity:0;translate:0 60px", "display:none", "height:0;overflow:hidden"}
	var body strings.Builder
	body.WriteString("<style>.c{transition:all .1s}")
	for i, way := range ways {
		fmt.Fprintf(&body, ".p:not(.in) #c%d{%s}", i, way)
	}
	body.WriteString("</style><div style='height:900px'></div>")
	for i := range ways {
		fmt.Fprintf(&body, "<section class=p id=p%d style='height:700px'><div class=c id=c%d style='height:99px'><h2>Part %d</h2></div></section>", i, i, i)
	}
	body.WriteString("<script>const io = new IntersectionObserver(es => es.forEach(e => e.target.classList.toggle('in', e.isIntersecting)), {threshold: .2}); document.querySelectorAll('.p').forEach(p => io.observe(p))</script>")
	web.turn(t, s, strings.Replace(body.String(), "</style>", "#c7:not(.in *){height:0!important}#p3{transition:all .1s}#p3:not(.in){opacity:0;transform:translateY(60px)}</style>", 1))
	for i, way := range ways {
		if got, err := s.Look(within30s(t), fmt.Sprintf("heading %q", fmt.Sprint("Part ", i)), FactCount, ""); err != nil || got.Seen != 1 {
			t.Errorf("%s: %+v, %v", way, got, err)
		}
	}
	for what, fact := range map[string]Fact{"counted": FactTotal, "read": FactItems} {
		becomes(t, what, func() error { // what comes and goes here still does after a look elsewhere
			got, err := s.Look(within30s(t), "css=h2", fact, "")
			if err != nil || got.Seen != len(ways) || fact == FactItems && (len(got.Items) != len(ways) || got.Items[1].Text != "Part 1") {
				return fmt.Errorf("%+v, %w", got, err)
			}
			return nil
		})
	}
}

// What an element was asked for by is what must be seen of it: its words, or the picture
// that stands for them.
func TestNamedElementIsSeenByItsWords(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	const same = `color:#fff!important;background:#fff!important`
	for i, c := range []struct {
		body, selector string
		seen           int
	}{
		{`<h1>Dashboard</h1>`, `heading "Dashboard"`, 1},
		{`<style>:is(h1,#_#_){` + same + `}</style><h1>Dashboard</h1><p>Open</p>`, `heading "Dashboard"`, 0},
		{`<style>:is(h1,#_#_){` + same + `}</style><div style="background:#ddd"><h1>Dashboard</h1></div>`, `heading "Dashboard"`, 0},
		{`<h1 style="background:#eee;color:transparent">Dashboard</h1>`, `heading "Dashboard"`, 0},
		{`<h1 style="background:linear-gradient(#123,#456);color:#fff">Dashboard</h1>`, `heading "Dashboard"`, 1},
		{`<h1 style="background:linear-gradient(#456,#456);color:#456">Dashboard</h1>`, `heading "Dashboard"`, 0},
		{`<button style="background:#ddd;color:#ddd;border:1px solid #000">Save</button>`, `button "Save"`, 0},
		{`<button style="background:#ddd;color:#ddd;border:1px solid #000">Save</button>`, `button`, 1},
		{`<button><svg width=20 height=20><path d="M0 0L20 20" stroke=black /></svg><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)">Close</span></button>`, `button "Close"`, 1},
		{`<h1 style="background:#eee;color:#eee"><svg width=20 height=20 style="opacity:0"><path d="M0 0L20 20" stroke=black /></svg>Dashboard</h1>`, `heading "Dashboard"`, 0},
		{`<button aria-label=Close style="color:#000">×</button>`, `button "Close"`, 1},
		{`<a href=/ style="background:#ddd;display:block"><b>Orders</b> <i style="color:#ddd">today</i></a>`, `link "Orders today"`, 0},
		{`<a href=/><b>Orders</b> <i>today</i></a>`, `link "Orders today"`, 1},
		{`<style>::placeholder{opacity:0}</style><input placeholder="Search">`, `textbox "Search"`, 0},
	} {
		path := "/" + strconv.Itoa(i)
		web.handle(path, htmlPage(c.body))
		visit(t, s, web.URL+path)
		if got, err := s.Look(within30s(t), c.selector, FactCount, ""); err != nil || got.Count != 1 || got.Seen != c.seen || got.Doubt != "" {
			t.Errorf("%s of %s: %+v, %v, want %d seen", c.selector, c.body, got, err, c.seen)
		}
	}
}

// What is named by something else is seen by that, or by what it shows: its label, its picture,
// its own words.
func TestElementIsSeenByWhatNamesIt(t *testing.T) {
	t.Parallel()
	const picture = `src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20'/></svg>"`
	const dot, icon = `style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)"`, `<path d="M0 0h16v16H0z" />`
	cells := []struct {
		body, selector string
		seen           int
	}{
		{`<label for=a1 style="color:#fff">Name</label><input id=a1>`, `label=Name`, 0},
		{`<label for=a2 style="opacity:0">Street</label><input id=a2>`, `textbox "Street"`, 0},
		{`<label><span style="font-size:0">Town</span> <input></label>`, `textbox "Town"`, 0},
		{`<span id=l1 style="color:#fff">Land</span><input aria-labelledby=l1>`, `textbox "Land"`, 0},
		{`<label style="color:#fff"><input type=checkbox> Accept</label>`, `checkbox "Accept"`, 0},
		{`<div style="position:relative"><label><input type=radio> Express</label><div style="position:absolute;left:20px;top:0;width:200px;height:30px;background:#fff"></div></div>`, `radio "Express"`, 0},
		{`<label for=s1 style="color:#fff">Country</label><select id=s1><option>Peru<option>Chile</select>`, `combobox "Country"`, 0},
		{`<label for=a3>First</label><input id=a3>`, `label=First`, 1},
		{`<label for=a4 ` + dot + `>Query</label><input id=a4 placeholder=Find>`, `textbox "Query"`, 1},
		{`<label for=a5 style="opacity:0">Mail</label><input id=a5 placeholder=Mail>`, `textbox "Mail"`, 1},
		{`<div style="background:linear-gradient(#fff,#eef)"><label for=a6>Code</label><input id=a6></div>`, `textbox "Code"`, 1},
		{`<img alt=Faint width=40 height=20 style="opacity:0" ` + picture + `>`, `img "Faint"`, 0},
		{`<img alt=Nothing width=0 height=0 ` + picture + `>`, `img "Nothing"`, 0},
		{`<img alt=Broken width=80 height=40 src="data:,">`, `img "Broken"`, 0},
		{`<img alt=Logo width=40 height=20 ` + picture + `>`, `img "Logo"`, 1},
		{`<button aria-label=Close><svg width=16 height=16 style="opacity:0">` + icon + `</svg></button>`, `button "Close"`, 0},
		{`<button aria-label=Shut style="background:#fff;border:1px solid"><svg width=16 height=16 fill="#fff">` + icon + `</svg></button>`, `button "Shut"`, 0},
		{`<button aria-label=End style="color:#eee;background:#eee">×</button>`, `button "End"`, 0},
		{`<button aria-label=Stop><img alt="" width=16 height=16 src="data:,"></button>`, `button "Stop"`, 0},
		{`<style>.g::before{content:"\e001";visibility:hidden}</style><button aria-label=Quit><i class=g></i></button>`, `button "Quit"`, 0},
		{`<button aria-label=Exit style="background:#06c;color:#fff"><svg width=16 height=16 fill=currentColor>` + icon + `</svg></button>`, `button "Exit"`, 1},
		{`<button aria-label=Dark style="width:40px;height:20px;border:0;background:#ccc"></button>`, `button "Dark"`, 1},
		{`<figure><img alt="" width=40 height=20 ` + picture + `><figcaption style="color:#fff">Growth</figcaption></figure>`, `figure "Growth"`, 0},
		{`<h2 style="color:#fff"><svg width=16 height=16>` + icon + `</svg> Orders</h2>`, `heading "Orders"`, 0},
		{`<section aria-labelledby=h1><h2 id=h1 style="position:absolute;left:-9999px">Sales</h2><p>Two rows</p></section>`, `region "Sales"`, 1},
		{`<select aria-label=City><option>Paris<option>Berlin</select>`, `option "Berlin"`, 0},
		{`<select aria-label=Town2><option>Rome<option>Milan</select>`, `option "Rome"`, 1},
		{`<select aria-label=Size size=3><option>Small<option>Large</select>`, `option "Large"`, 1},
		{`<a href=/ title=Help style="display:inline-block;width:20px;height:20px"></a>`, `link "Help"`, 0},
	}
	body := "<!doctype html><body style='background:#fff'>"
	for _, c := range cells {
		body += "<div>" + c.body + "</div>\n"
	}
	s, _ := show(t, body)
	for _, c := range cells {
		if got, err := s.Look(within30s(t), c.selector, FactCount, ""); err != nil || got.Count != 1 || got.Seen != c.seen || got.Doubt != "" {
			t.Errorf("%s of %s: %+v, %v, want %d seen", c.selector, c.body, got, err, c.seen)
		}
	}
}

// TestUse: a control is usable when a pointer meets it, and seen is another question.
func TestUse(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	for _, c := range []struct {
		name, body string
		usable     bool
		why        string
	}{
		{"plain", `<button id=v>Go</button>`, true, ""},
		{"disabled", `<button id=v disabled>Go</button>`, false, "disabled"},
		{"fieldset", `<fieldset disabled><button id=v>Go</button></fieldset>`, false, "disabled"},
		{"ARIA", `<div aria-disabled=true><button id=v>Go</button></div>`, false, "disabled"},
		{"inert", `<div inert><button id=v>Go</button></div>`, false, "inert"},
		{"under a modal dialog", `<button id=v style="position:fixed;left:50%;top:50%">Go</button><dialog id=d><p style="padding:200px">Sure?</dialog><script>d.showModal()</script>`, false, "under the dialog dialog#d"},
		{"under glass", `<button id=v>Go</button><div class=glass style="position:fixed;inset:0"></div>`, false, "covered by div.glass"},
		{"below the fold", `<div style="height:3000px"></div><button id=v>Go</button>`, true, ""},
		{"box behind its label", `<input type=checkbox id=v style="position:absolute;opacity:0;width:1px;height:1px;left:-99px"><label for=v>On</label>`, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			web.turn(t, s, c.body)
			got, err := s.Look(within30s(t), "css=#v", FactEnabled, "")
			if err != nil || got.On == nil || *got.On != c.usable || got.Why != c.why {
				t.Errorf("%+v, %v, want %v %q", got, err, c.usable, c.why)
			}
		})
	}
}

// TestControlState: what is edited, output or pressed has a state too.
func TestControlState(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<div id=edit contenteditable>Note <b>1</b></div><output id=out>42</output><div id=combo role=combobox aria-expanded=false>Blue</div>
		<button id=on aria-pressed=true>Bold</button><button id=off aria-pressed=false>Italic</button><button id=plain>Go</button><div id=sw role=switch aria-checked=true></div>`)
	for selector, want := range map[string]string{"css=#edit": "Note 1", "css=#out": "42", "css=#combo": "Blue"} {
		if got, err := s.Look(within30s(t), selector, FactValue, ""); err != nil || got.Value == nil || *got.Value != want {
			t.Errorf("%s: %+v, %v", selector, got, err)
		}
	}
	for selector, want := range map[string]bool{"css=#on": true, "css=#off": false, "css=#sw": true} {
		if got, err := s.Look(within30s(t), selector, FactChecked, ""); err != nil || got.On == nil || *got.On != want {
			t.Errorf("%s: %+v, %v", selector, got, err)
		}
	}
	if _, err := s.Look(within30s(t), "css=#plain", FactChecked, ""); codeOf(err) != explain.NotActionable {
		t.Errorf("a plain button has a state: %v", err)
	}
}

// TestCountSeen counts what a person sees, many at once where pictures decide.
func TestCountSeen(t *testing.T) {
	t.Parallel()
	cards := strings.Repeat(`<p class=c style="color:#fff">Card</p>`, 12)
	s, _ := show(t, fmt.Sprintf(`<div style="background:linear-gradient(#123,#456)">%s</div><p class=c style="opacity:0">Card</p><script class=c></script>`, cards))
	got, err := s.Look(context.Background(), "css=.c", FactCount, "")
	if err != nil || got.Count != 14 || got.Seen != 12 || got.Paintless != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRestlessText: what changes while it is looked at is in doubt, not seen.
func TestRestlessText(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>@keyframes k{from{background-position:0 0}to{background-position:400px 0}}
		div{background:repeating-linear-gradient(90deg,#000 0 9px,#fff 9px 18px);animation:k 1s linear infinite}</style><div><p id=v style="color:#fff">Paid 42</p></div>`)
	got, err := s.Read(within30s(t), "css=#v", "Paid 42", false)
	if err != nil || got.Fits || got.Doubt == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSnapshotMarks: an outline says which of its lines nobody sees, and each line is a
// selector all the same.
func TestSnapshotMarks(t *testing.T) {
	t.Parallel()
	s, web := show(t, "")
	open := func(t *testing.T, path, body string) {
		web.handle(path, htmlPage(body))
		visit(t, s, web.URL+path)
	}
	for i, c := range unseenWays {
		if c.why == "" || c.why == "not rendered" || c.why == "hidden" || c.why == "filter" || c.why == "mask" || strings.Contains(c.body, "iframe") ||
			strings.Contains(c.why, "shadow of") || strings.Contains(c.why, "painted ") || strings.Contains(c.why, "what is around") || strings.Contains(c.why, " draws") || !sampled(i, 2) { // what only pictures tell for sure is not marked
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			open(t, fmt.Sprintf("/unseen/%d", i), `<p>Head</p>`+c.body)
			out, _, err := s.Snapshot(within30s(t), OutlineOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if c.name == "locked scroll" {
				return // it is not in the window, and a glance does not scroll
			}
			if !strings.Contains(out.Text, "[not seen: "+c.why+"]") {
				t.Errorf("no mark %q:\n%s", c.why, out.Text)
			}
			for _, line := range strings.Split(strings.TrimSpace(out.Text), "\n") { // promise 2: a marked line too
				if err := input.CheckSelector(strings.TrimSpace(line)); err != nil {
					t.Errorf("the line %s is no selector: %v", line, err)
				}
			}
		})
	}
	for i, c := range seenWays {
		if c.name == "modal" || !sampled(i, 2) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			open(t, fmt.Sprintf("/seen/%d", i), c.body)
			out, _, err := s.Snapshot(within30s(t), OutlineOptions{})
			if err != nil || strings.Contains(out.Text, "not seen") {
				t.Errorf("%v:\n%s", err, out.Text)
			}
		})
	}
}

// Issue 14: a page that puts the same text in the place of the one before, again
// and again, shows it. A look at it never says that nobody sees it.
func TestTextThatIsReplacedByItself(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<p id=v>1,078</p><script>setInterval(() => { v.textContent = '1,078' }, 1)</script>`)
	for range repeats(5, 50) {
		if got, err := s.Read(within30s(t), "css=#v", "1,078", false); err != nil || !got.Fits {
			t.Fatalf("%+v, %v", got, err)
		}
	}
}

// A text that the page draws anew all the time is seen, or where pictures decide in doubt: the element that was
// found first is none of the page's any more, which says nothing of the text, nor of the
// element in its place, however many looks and pictures it takes.
func TestTextThatIsDrawnAnew(t *testing.T) {
	t.Parallel()
	s, web := show(t, "<p>page")
	for path, v := range map[string]string{
		"/plain":    `<p id=v>1,078</p>`,
		"/parts":    `<div id=v><b>1,0</b><span>78</span></div>`,
		"/pictures": `<p id=v style="background:linear-gradient(red,blue);color:white">1,078</p>`,
	} {
		web.handle(path, htmlPage(`<div id=card></div><script>(function draw() { card.innerHTML = '`+v+`'; setTimeout(draw) })()</script>`))
		visit(t, s, web.URL+path)
		for range repeats(2, 30) {
			got, err := s.Read(within30s(t), "css=#v", "1,078", false)
			if err != nil || !got.Fits && (got.Doubt == "" || path != "/pictures") {
				t.Fatalf("%s: %+v, %v", path, got, err)
			}
			look, err := s.Look(within30s(t), "css=#v", FactCount, "")
			if err != nil || look.Count != 1 || look.Seen == 0 && look.Doubt == "" {
				t.Fatalf("%s: %+v, %v", path, look, err)
			}
			items, err := s.Look(within30s(t), "css=#v", FactItems, "")
			if err != nil || items.Count != 1 || items.Seen == 0 && items.Doubt == "" {
				t.Fatalf("%s: %+v, %v", path, items, err)
			}
		}
	}
}
