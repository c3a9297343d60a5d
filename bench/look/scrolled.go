package look

import (
	"fmt"
	"strings"
)

// appends is a script of a list that adds n rows at a time, up to N: more() adds them, and all is in i.
const appends = `let n=0;function more(){for(let k=0;k<%[1]d&&n<N;k++,n++){const d=document.createElement('div');d.className='row';d.textContent=row(n);i.append(d)}}more();`

// atEnds lists scrollers that bring rows when they are scrolled to their ends, in the ways in which pages do it.
func atEnds() []scroller {
	box := `.box{height:240px;width:320px;overflow:auto;border:1px solid #ccc}.row{height:30px}`
	lane := `.box{height:60px;width:480px;overflow-x:auto;overflow-y:hidden;white-space:nowrap}.inner{display:flex}.row{flex:none;width:150px;height:40px}`
	html := `<div class="box"><div class="inner"></div></div>`
	find := `const b=document.querySelector('.box'),i=document.querySelector('.inner');` + fmt.Sprintf(appends, 12)
	near := `b.scrollTop+b.clientHeight>b.scrollHeight-40`
	long := `.row{height:60px}`
	return []scroller{
		{"the page adds rows", long, `<div class="inner"></div>`, `const i=document.querySelector('.inner');` + fmt.Sprintf(appends, 20) + `addEventListener('scroll',()=>{if(scrollY+innerHeight>document.documentElement.scrollHeight-80)more()})`},
		{"the page asks for rows", long, `<div class="inner"></div>`, `const i=document.querySelector('.inner');` + fmt.Sprintf(appends, 20) + `let busy=0;addEventListener('scroll',async()=>{if(!busy&&n<N&&scrollY+innerHeight>document.documentElement.scrollHeight-80){busy=1;await fetch('/x/data?ms=90');more();busy=0}})`},
		{"a mark at the page's end", long, `<div class="inner"></div><div id="mark" style="height:20px"></div>`, `const i=document.querySelector('.inner');` + fmt.Sprintf(appends, 20) + `new IntersectionObserver(async e=>{if(e[0].isIntersecting&&n<N){await fetch('/x/data?ms=50');more()}}).observe(document.getElementById('mark'))`},
		{"a mark at a list's end", box, `<div class="box"><div class="inner"></div><div id="mark" style="height:8px"></div></div>`, find + `new IntersectionObserver(e=>{if(e[0].isIntersecting)more()},{root:b}).observe(document.getElementById('mark'))`},
		{"held back for 200 ms", box, html, find + `let t;b.addEventListener('scroll',()=>{clearTimeout(t);t=setTimeout(()=>{if(` + near + `)more()},200)})`},
		{"older ones above", box, html, find + `b.scrollTop=1e6;b.addEventListener('scroll',()=>{if(b.scrollTop<40&&n<N){const h=b.scrollHeight;for(let k=0;k<12&&n<N;k++,n++){const d=document.createElement('div');d.className='row';d.textContent=row(n);i.prepend(d)}}})`},
		{"a talk from the bottom up", box + `.box{display:flex;flex-direction:column-reverse}`, html, find + `b.addEventListener('scroll',()=>{if(-b.scrollTop+b.clientHeight>b.scrollHeight-40)more()})`},
		{"cards to the right", lane, html, find + `b.addEventListener('scroll',()=>{if(b.scrollLeft+b.clientWidth>b.scrollWidth-40)more()})`},
		{"cards to the left", lane + `.box{direction:rtl}`, html, find + `b.addEventListener('scroll',()=>{if(-b.scrollLeft+b.clientWidth>b.scrollWidth-40)more()})`},
		{"cards in view only, to the right", lane + `.inner{position:relative;height:40px}.row{position:absolute}`, html, `const b=document.querySelector('.box'),i=document.querySelector('.inner');i.style.width=N*150+'px';function draw(){const f=Math.floor(b.scrollLeft/150);i.innerHTML=Array.from({length:8},(_,k)=>f+k).filter(n=>n<N).map(n=>'<div class=row style="left:'+n*150+'px">'+row(n)+'</div>').join('')}b.addEventListener('scroll',draw);draw()`},
		{"cells in view only, both ways", `.box{height:240px;width:480px;overflow:auto}.inner{position:relative;width:1200px}.row{position:absolute;width:150px;height:30px}`, html, `const b=document.querySelector('.box'),i=document.querySelector('.inner');i.style.height=N*30+'px';function draw(){i.innerHTML=Array.from({length:N},(_,n)=>[n,n*30,n*5%8*150]).filter(([,t,l])=>t>b.scrollTop-30&&t<b.scrollTop+240&&l>b.scrollLeft-150&&l<b.scrollLeft+480).map(([n,t,l])=>'<div class=row style="top:'+t+'px;left:'+l+'px">'+row(n)+'</div>').join('')}b.addEventListener('scroll',draw);draw()`},
		{"grey bars that are filled in view", box + `.row{background:#ddd;margin:2px}`, html, `const b=document.querySelector('.box'),i=document.querySelector('.inner');const o=new IntersectionObserver(e=>e.forEach(x=>{if(x.isIntersecting)x.target.textContent=row(+x.target.dataset.n)}));for(let n=0;n<N;n++){const d=document.createElement('div');d.className='row';d.dataset.n=n;i.append(d);o.observe(d)}`},
		{"in an open shadow root", "", `<div id="host"></div>`, `const s=document.getElementById('host').attachShadow({mode:'open'});s.innerHTML='<style>` + box + `</style>` + html + `';const b=s.querySelector('.box'),i=s.querySelector('.inner');` + fmt.Sprintf(appends, 12) + `b.addEventListener('scroll',()=>{if(` + near + `)more()})`},
		{"a body that scrolls", `html{height:100%;overflow:hidden}body{height:100%;overflow:auto;box-sizing:border-box}.row{height:60px}`, `<div class="inner"></div>`, `const b=document.body,i=document.querySelector('.inner');` + fmt.Sprintf(appends, 20) + `b.addEventListener('scroll',()=>{if(` + near + `)more()})`},
		{"below the fold", box, `<div style="height:1500px"></div>` + html + `<div style="height:1500px"></div>`, find + `new IntersectionObserver(e=>{if(e[0].isIntersecting)b.addEventListener('scroll',()=>{if(` + near + `)more()})}).observe(b)`},
		{"in view only, and more at the end", box + `.inner{position:relative}.row{position:absolute;width:100%}`, html, `const b=document.querySelector('.box'),i=document.querySelector('.inner');let has=20;function draw(){i.style.height=has*30+'px';const f=Math.floor(b.scrollTop/30);i.innerHTML=Array.from({length:9},(_,k)=>f+k).filter(n=>n<has).map(n=>'<div class=row style="top:'+n*30+'px">'+row(n)+'</div>').join('');if(f+9>=has&&has<N){has=Math.min(N,has+20);setTimeout(draw)}}b.addEventListener('scroll',draw);draw()`},
	}
}

// scrolledCells makes lists whose rows come at their ends, in the page and in frames.
func scrolledCells(p *parts) {
	words := []string{"Trieb,Welle,Nabe", "Courroie,Clapet,Rotule", "Tuerca,Perno,Muelle", "皿,針,箱"}
	turn := 0
	for i, s := range atEnds() {
		for j, frame := range []string{"", "of this site", "of another site"} {
			if j > 0 && i%3 != 0 {
				continue
			}
			w, n := strings.Split(words[turn%len(words)], ","), 44+8*(turn%3)
			turn++
			scrolledPage(p, fmt.Sprintf("/scrolled/%d-%d", i, j), s, frame, w, n)
		}
	}
	wholeCells(p)
}

func scrolledPage(p *parts, path string, s scroller, frame string, w []string, n int) {
	row := func(k int) string { return fmt.Sprintf("%s %d", w[k%len(w)], 1000+k*7) }
	list := `"` + strings.Join(w, `","`) + `"`
	at, way := path, s.name+", "+w[0]
	if frame != "" {
		at, way = path+"/in", way+", in a frame "+frame
		host := map[string]string{"of this site": "location.hostname", "of another site": "'localhost'"}[frame]
		p.page(path, listing("en", "Parts", fmt.Sprintf(`<h1>Depot</h1><script>document.write('<iframe width=600 height=400 src="http://'+%s+':'+location.port+'%s"></iframe>')</script>`, host, at)))
	}
	p.page(at, listing("en", "Parts", fmt.Sprintf(`<style>%s</style><h1>Parts</h1>%s<script>const N=%d,w=[%s];%s%s</script>`, s.css, s.html, n, list, rowText, s.script)))
	asks := []struct {
		tool     string
		must     truth
		selector string
		a        assertion
	}{
		{"hidden, of a row far down", notPass, `text="` + row(n-3) + `"`, assertion{"type": "hidden"}},
		{"not text_contains, of a row far down", notPass, "", denied(contains(row(n - 2)))},
		{"hidden, of no row", notFail, `text="` + w[0] + ` 999"`, assertion{"type": "hidden"}},
		{"not text_contains, of no row", notFail, "", denied(contains(w[1] + " 998"))},
		{"hidden, of the heading", mustFail, `heading "Parts"`, assertion{"type": "hidden"}},
		{"count_equals, of the first rows", notPass, ".row", assertion{"type": "count_equals", "expected": "12"}},
		{"count_at_most, of the first rows", notPass, ".row", assertion{"type": "count_at_most", "expected": "20"}},
		{"count_equals, of all rows", notFail, ".row", assertion{"type": "count_equals", "expected": fmt.Sprint(n)}},
		{"text_contains, of the last", notPass, ".row >> nth=-1", contains(row(11))},
		{"visible, of no row", mustFail, `text="` + w[0] + ` 999"`, assertion{"type": "visible"}},
	}
	if frame != "" || strings.HasPrefix(s.name, "older") {
		asks = asks[:5]
	}
	for _, q := range asks {
		p.cell(cell{Class: "absence", Way: way, Tool: q.tool, Page: path, About: short(s.html + " " + s.script), Truth: q.must, ask: proves(q.selector, q.a)})
	}
}

// wholeCells makes long pages that hold all they have, and do something else when they are scrolled: an absence on them is sure.
func wholeCells(p *parts) {
	rows := strings.Repeat(`<div class="row" style="height:40px">Valve, in stock</div>`, 90)
	pages := [][2]string{
		{"nothing happens", rows},
		{"a button that leads back up", rows + `<button id="up" hidden style="position:fixed;right:9px;bottom:9px">Back to top</button><script>addEventListener('scroll',()=>{up.hidden=scrollY<300})</script>`},
		{"a button that is added", rows + `<script>let b;addEventListener('scroll',()=>{if(scrollY>300&&!b){b=document.createElement('button');b.textContent='Back to top';b.style='position:fixed;right:9px;bottom:9px';document.body.append(b)}else if(scrollY<=300&&b){b.remove();b=null}})</script>`},
		{"a head that shrinks", `<header style="position:sticky;top:0;background:#eee;height:90px">Depot</header>` + rows + `<script>addEventListener('scroll',()=>{document.querySelector('header').style.height=scrollY>50?'40px':'90px'})</script>`},
		{"sections that come in", strings.Repeat(`<section style="opacity:0;transition:opacity .2s;height:400px"><h2>Valves</h2><p>In stock.</p></section>`, 8) + `<script>const o=new IntersectionObserver(e=>e.forEach(x=>{if(x.isIntersecting)x.target.style.opacity=1}));document.querySelectorAll('section').forEach(s=>o.observe(s))</script>`},
		{"a clock", `<p id="c">10:00:00</p>` + rows + `<script>let s=0;setInterval(()=>{c.textContent='10:00:'+String(++s%60).padStart(2,'0')},500)</script>`},
		{"a menu that closes", `<button aria-haspopup="true" aria-expanded="true" aria-controls="m">Actions</button><ul id="m" role="menu" style="position:absolute;background:#fff"><li role="menuitem">Copy</li></ul>` + rows + `<script>addEventListener('scroll',()=>m.remove())</script>`},
		{"code that is wide", strings.Repeat(`<pre style="overflow:auto;width:300px"><code><span>valve.open(pressure, temperature, humidity, altitude, velocity)</span></code></pre>`, 30)},
		{"pictures on a band", `<div style="overflow-x:auto;display:flex;width:400px">` + strings.Repeat(`<figure style="flex:none;width:180px;height:80px;margin:4px;background:#9bc"><figcaption>Valve</figcaption></figure>`, 9) + `</div>` + rows},
		{"a thing far beside it", rows + `<p style="position:absolute;left:4000px;top:9px">Valve</p><div style="height:9000px"></div><p>The end</p>`},
		{"a log that goes on", `<div style="height:120px;overflow:auto" id="l"></div><script>let n=0;setInterval(()=>{l.insertAdjacentHTML('beforeend','<div>Valve '+(++n)+'</div>')},150);for(let k=0;k<20;k++)l.insertAdjacentHTML('beforeend','<div>Valve</div>')</script>`},
		{"a body that scrolls", `<style>html{height:100%;overflow:hidden}body{height:100%;overflow:auto;box-sizing:border-box}</style>` + rows},
		{"pictures that load late", strings.Repeat(`<p>Valve</p><img loading="lazy" src="/x/flat.png?c=120" alt="" style="display:block">`, 40)},
	}
	for i, w := range pages {
		path := p.page(fmt.Sprintf("/whole/%d", i), listing("en", "Stock", "<h1>Stock</h1>"+w[1]))
		cell := func(tool string, selector string, a assertion) {
			p.cell(cell{Class: "absence", Way: "a long page: " + w[0], Tool: tool, Page: path, About: short(w[1]), Truth: mustPass, ask: proves(selector, a)})
		}
		cell("hidden", `text="Recalled"`, assertion{"type": "hidden"})
		cell("not text_contains", "", denied(contains("Recalled")))
		cell("hidden, of what comes elsewhere", `button "Back to top"`, assertion{"type": "hidden"})
		cell("count_equals 0", `.error`, assertion{"type": "count_equals", "expected": "0"})
		cell("not text_contains, of a part", "h1", denied(contains("Recalled")))
		if strings.Contains(w[1], "menu") {
			cell("visible, after the absences", `menuitem "Copy"`, assertion{"type": "visible"})
		}
		if strings.Contains(w[1], rows) {
			cell("count_equals", ".row", assertion{"type": "count_equals", "expected": "90"})
			cell("text_contains, of the last", ".row >> nth=-1", contains("Valve"))
		}
	}
}
