package look

import (
	"fmt"
	"strings"
)

// ink describes what paints a text, or paints over it: «hidden|shown». #t stands for the element with the text.
type ink struct{ name, css, beside, inside, script string }

func inks() []ink {
	return []ink{
		{name: "first line", css: `#t::first-line{color:«#fff|#222»}#t{display:block}`},
		{name: "first line, transparent", css: `#t::first-line{color:«transparent|#345»}#t{display:block}`},
		{name: "highlight", css: `::highlight(#h){color:«#fff|#123»;background-color:#fff}`, script: `{const t=document.querySelector('#t');const r=new Range();r.selectNodeContents(t);CSS.highlights.set('#h',new Highlight(r))}`},
		{name: "outline of a neighbour", css: `#n{position:absolute;left:40px;top:14px;width:1px;height:1px;outline:«200px solid #fff|1px solid #fff»}`, beside: `<i id="n"></i>`},
		{name: "shadow of a neighbour", css: `#n{position:absolute;left:40px;top:14px;width:1px;height:1px;box-shadow:0 0 0 «300px #fff|1px #eee»}`, beside: `<i id="n"></i>`},
		{name: "border of a neighbour", css: `#n{position:absolute;left:0;top:0;width:0;height:0;border:«90px|1px» solid #fff}`, beside: `<i id="n"></i>`},
		{name: "own child over it", css: `#t{position:relative}#n{position:absolute;inset:-2px;background:«#fff|transparent»}`, inside: `<i id="n"></i>`},
		{name: "own ::after over it", css: `#t{position:relative}#t::after{content:"";position:absolute;inset:-2px;background:«#eee|none»}`},
		{name: "::before of the box over it", css: `#b::before{content:"";position:absolute;inset:0;background:«#fff|none»;z-index:2;pointer-events:none}`},
		{name: "shade of a box over it", css: `#n{position:absolute;inset:0;background:linear-gradient(«#fff,#fff|rgba(255,255,255,.1),rgba(255,255,255,.1)»);pointer-events:none}`, beside: `<i id="n"></i>`},
		{name: "picture over it", css: `#n{position:absolute;inset:0;background:«url(/x/flat.png?c=124)|none»}`, beside: `<i id="n"></i>`},
		{name: "text clip of a white ground", css: `#t{background:linear-gradient(«#fff,#fff|#900,#009»)!important;background-clip:text!important;color:transparent}`},
		{name: "shadow in place of ink", css: `#t{color:transparent;text-shadow:«none|0 0 1px #111»}`},
		{name: "stroke in place of ink", css: `#t{color:#fff;-webkit-text-stroke:«0|1px #111»}`},
		{name: "in oklch", css: `#t{color:oklch(«100%|30%» 0 0)}`},
		{name: "mixed colour", css: `#t{color:color-mix(in srgb,#fff «100%|10%»,#000)}`},
		{name: "the system's colour", css: `#t{color:«Canvas|CanvasText»}`},
		{name: "light-dark", css: `#b{color-scheme:light}#t{color:light-dark(«#fff|#222»,#222)}`},
		{name: "clip to a polygon", css: `#t{display:block;clip-path:polygon(«0 0,0 0,0 0|0 0,100% 0,100% 100%,0 100%»)}`},
		{name: "mask of a step", css: `#t{display:block;mask-image:linear-gradient(90deg,transparent «100%|0%»,#000 «100%|0%»)}`},
		{name: "a step of opacity", css: `@keyframes #k{from{opacity:«0|1»}to{opacity:«0|1»}}#t{animation:#k 1s infinite}`},
		{name: "only a script scrolls", css: `#s{height:26px;overflow:«hidden|auto»}`, script: ``},
		{name: "a grid row of nothing", css: `#s{display:grid;grid-template-rows:«0px|auto»}#s>*{overflow:hidden;min-height:0}`},
		{name: "a box of no height, contained", css: `#s{contain:strict;height:«0|60px»;width:260px}`},
		{name: "found only by a search", css: `#s{content-visibility:«hidden|visible»}`},
		{name: "its layer has all colours taken", css: `#s{filter:«opacity(0)|opacity(.9)»}`},
		{name: "turned over", css: `#s{transform:rotateX(«90deg|0deg»)}`},
		{name: "inset shadow", css: `#t{box-shadow:inset 0 0 0 «0|40px» #eee;color:«#fff|#222»}`},
		{name: "shadow inwards of its own colour", css: `#t{box-shadow:inset 0 0 0 40px #234;color:«#234|#fff»}`},
		{name: "::before of the box behind it", css: `#s{position:relative;z-index:0}#s::before{content:"";position:absolute;inset:0;background:#246;z-index:-1}#t{color:«#246|#fff»}`},
		{name: "own ::after in the flow, drawn back", css: `#t::after{content:"";display:inline-block;width:280px;height:40px;margin-left:«-280px|2px»;background:#fff;vertical-align:middle}`},
		{name: "inert sheet", css: `#n{position:absolute;inset:0;background:«#fff|none»}`, beside: `<i id="n" inert></i>`},
		{name: "thick line through it", css: `#t{text-decoration:line-through «40px|1px» #fff}`},
		{name: "border's picture behind it", css: `#t{border:1px solid transparent!important;border-image:linear-gradient(#083,#083) 1 fill!important;color:«#083|#fff»}`},
		{name: "a perspective far off", css: `#s{transform:translateX(«4000vw|2px»)}`},
		{name: "a rule with a layer", css: `@layer a{#t{color:«#fff|#222»!important}}@layer b{#t{color:«#222|#fff»!important}}`},
	}
}

// inkRoles lists elements with a text: open, close, and how a snapshot names it.
func inkRoles() [][3]string {
	return [][3]string{{`<h2 %s>`, `</h2>`, "heading"}, {`<button %s style="border:0;background:none;font:inherit">`, `</button>`, "button"}, {`<a href="#" %s>`, `</a>`, "link"}, {`<strong %s>`, `</strong>`, ""}, {`<div role="status" %s>`, `</div>`, ""}}
}

func inkCells(p *parts) {
	said := wordsOf("Ferry leaves | Karte gültig | Compte ouvert | Pago hecho | Dois itens | 発送済み | Betaald nu | Ready now")
	for i, k := range inks() {
		for _, healthy := range []bool{false, true} {
			state := map[bool]string{true: "shown", false: "hidden"}[healthy]
			path := fmt.Sprintf("/ink/%d/%s", i, state)
			var body, scripts strings.Builder
			body.WriteString("<h1>Notices</h1>")
			for j, role := range inkRoles() {
				words := among(said, i+j)
				own := strings.NewReplacer("#t", fmt.Sprintf("#t%d", j), "#n", fmt.Sprintf("#n%d", j), "#b", fmt.Sprintf("#b%d", j), "#s", fmt.Sprintf("#s%d", j), "(#h)", fmt.Sprintf("(h%d)", j), "'#h'", fmt.Sprintf("'h%d'", j), "#k", fmt.Sprintf("k%d", j))
				before := ""
				if k.name == "only a script scrolls" {
					before = `<p style="height:80px;margin:0">First</p>`
				}
				fmt.Fprintf(&body, `<style>%s</style><div id="b%d" style="position:relative;height:70px;width:300px;isolation:isolate;overflow:hidden;margin-bottom:8px"><div id="s%d">%s`+role[0]+`%s%s%s</div>%s</div>`,
					own.Replace(k.css), j, j, before, fmt.Sprintf(`id="t%d" class="t"`, j), words, own.Replace(strings.Replace(k.inside, `id="n"`, `id="#n"`, 1)), role[1], strings.Replace(k.beside, `id="n"`, fmt.Sprintf(`id="n%d"`, j), 1))
				scripts.WriteString(own.Replace(k.script))
			}
			html := strings.ReplaceAll(body.String(), `id="#n`, `id="n`)
			p.page(path, page{body: variant(listing("en", "Notices", html+"<script>"+scripts.String()+"</script>").body, healthy)})
			for j, role := range inkRoles() {
				inkQuestions(p, k, path, j, role[2], among(said, i+j), healthy, i)
			}
		}
	}
	sweepCells(p)
	namedCells(p)
}

func inkQuestions(p *parts, k ink, path string, j int, role, words string, healthy bool, turn int) {
	is, not := mustFail, mustPass
	if healthy {
		is, not = mustPass, mustFail
	}
	named := `text="` + words + `"`
	if role != "" {
		named = role + ` "` + words + `"`
	}
	all := []cell{
		{Tool: "visible, by its words", Truth: is, ask: proves(named, assertion{"type": "visible"})},
		{Tool: "text_contains, of the page", Truth: is, ask: proves("", contains(words))},
		{Tool: "hidden, by its words", Truth: not, ask: proves(named, assertion{"type": "hidden"})},
		{Tool: "text_equals", Truth: is, ask: proves(fmt.Sprintf("#t%d", j), assertion{"type": "text_equals", "expected": words})},
	}
	for n, c := range all {
		if (n+j+turn)%2 == 0 {
			continue // half of them, by turns
		}
		c.Class, c.Page = "ink", path
		c.Way = fmt.Sprintf("%s, %s, healthy %v", k.name, strings.TrimSpace(role+" "+words), healthy)
		c.About = short(variant(k.css+k.beside+k.inside+k.script, healthy))
		p.cell(c)
	}
}

// sweepCells makes sections that come in when the window comes to them, and some that go out again.
func sweepCells(p *parts) {
	out := []string{`e.target.classList.toggle('in',e.isIntersecting)`, `if(e.isIntersecting)e.target.classList.add('in')`, `e.target.style.opacity=e.isIntersecting?1:0`}
	styles := []string{`.p{opacity:0;transition:opacity .5s}.p.in{opacity:1}`, `.p{opacity:0;transform:translateY(60px);transition:all .6s}.p.in{opacity:1;transform:none}`, `.p{visibility:hidden;opacity:0;transition:opacity .4s,visibility .4s}.p.in{visibility:visible;opacity:1}`, `.p{filter:opacity(0);transition:filter .5s}.p.in{filter:none}`, `.p:not(.in)>*{display:none}`, `.p:not(.in)>*{transform:scale(0)}`, `.p:not(.in)>*{clip-path:circle(0)}`}
	for i, style := range styles {
		for j, script := range out[:2] {
			var b strings.Builder
			for k, name := range wordsOf("Arrival | Unterkunft | Repas | Salida") {
				fmt.Fprintf(&b, `<section class="p" style="height:700px"><h2>%s</h2><p>Told of chapter %d.</p></section>`, name, k+1)
			}
			path := p.page(fmt.Sprintf("/sweep/%d-%d", i, j), listing("en", "Tour", "<style>"+style+"</style><h1>Tour</h1>"+b.String()+`<script>const o=new IntersectionObserver(l=>l.forEach(e=>{`+script+`}),{threshold:.2});document.querySelectorAll('.p').forEach(s=>o.observe(s))</script>`))
			p.cell(cell{Class: "ink", Way: "sections that come in, in a picture", Tool: "compare_visual_regression", Page: path, Truth: []truth{mustOpen, mustPass}[j], About: style + " " + script, ask: compares(true)})
			for k, name := range wordsOf("Arrival | Unterkunft | Repas | Salida") {
				for _, c := range []cell{
					{Tool: "visible", Truth: mustPass, ask: holdsWithin(patience, `heading "`+name+`"`, assertion{"type": "visible"})},
					{Tool: "text_contains", Truth: mustPass, ask: holdsWithin(patience, "", contains(fmt.Sprintf("Told of chapter %d.", k+1)))},
					{Tool: "hidden", Truth: mustFail, ask: proves(`heading "`+name+`"`, assertion{"type": "hidden"})},
				} {
					c.Class, c.Page, c.Way, c.About = "ink", path, "sections that come in, "+name, style+" "+script
					p.cell(c)
				}
			}
		}
	}
	for _, ms := range []int{1500, 2500, 3500} {
		for i, title := range wordsOf("Timetable | Fahrplan | Horaires") {
			path := p.page(fmt.Sprintf("/busy/%d-%d", ms, i), listing("en", title, fmt.Sprintf(`<h1>%s</h1><p>Valid from Monday, all lines and stops.</p><script>addEventListener('load',()=>setTimeout(()=>{const t=performance.now();while(performance.now()-t<%d);},60))</script>`, title, ms)))
			p.cell(cell{Class: "ink", Way: fmt.Sprintf("title of a page that is busy for %d ms", ms), Tool: "check", Page: path, About: "busy after its load", Truth: mustHush, batch: true})
		}
	}
}
