package look

import (
	"fmt"
	"strings"
)

// scroller describes a list that renders only what is in view: %d is how many rows there are.
type scroller struct{ name, css, html, script string }

// rowText is what row n of a scroller says, by script: w holds its words.
const rowText = `const row=n=>w[n%w.length]+' '+(1000+n*7);`

func scrollers() []scroller {
	window := func(place string) string {
		return `const b=document.querySelector('.box'),i=document.querySelector('.inner');i.style.height=N*30+'px';
function draw(){const f=Math.max(0,Math.floor(b.scrollTop/30));` + place + `}b.addEventListener('scroll',draw);draw();`
	}
	box := `.box{height:240px;width:320px;overflow:auto;border:1px solid #ccc}.inner{position:relative}.row{height:30px;width:100%}`
	rows := `Array.from({length:8},(_,k)=>f+k).filter(n=>n<N)`
	return []scroller{
		{"rows at their top", box + `.row{position:absolute}`, `<div class="box"><div class="inner"></div></div>`,
			window(`i.innerHTML=` + rows + `.map(n=>'<div class=row style="top:'+n*30+'px">'+row(n)+'</div>').join('')`)},
		{"a block that is moved", box, `<div class="box"><div class="inner"><div class="block"></div></div></div>`,
			window(`const k=document.querySelector('.block');k.style.transform='translateY('+f*30+'px)';k.innerHTML=` + rows + `.map(n=>'<div class=row>'+row(n)+'</div>').join('')`)},
		{"a block with padding", box, `<div class="box"><div class="inner"></div></div>`,
			window(`i.style.boxSizing='border-box';i.style.paddingTop=f*30+'px';i.innerHTML=` + rows + `.map(n=>'<div class=row>'+row(n)+'</div>').join('')`)},
		{"drawn in the next frame", box + `.row{position:absolute}`, `<div class="box"><div class="inner"></div></div>`,
			window(`requestAnimationFrame(()=>{i.innerHTML=` + rows + `.map(n=>'<div class=row style="top:'+n*30+'px">'+row(n)+'</div>').join('')})`)},
		{"a grid that counts its rows", box + `.row{position:absolute}`, `<div class="box" role="grid" aria-label="Parts" tabindex="0"><div class="inner" role="rowgroup"></div></div>`,
			window(`b.setAttribute('aria-rowcount',N);i.innerHTML=` + rows + `.map(n=>'<div class=row role=row aria-rowindex='+(n+1)+' style="top:'+n*30+'px"><span role=gridcell>'+row(n)+'</span></div>').join('')`)},
		{"table rows between two spacers", box, `<div class="box"><table class="inner"><tbody></tbody></table></div>`,
			`const b=document.querySelector('.box'),i=document.querySelector('tbody');function draw(){const f=Math.min(N-8,Math.max(0,Math.floor(b.scrollTop/30)));i.innerHTML='<tr style="height:'+f*30+'px"></tr>'+` + rows + `.map(n=>'<tr class=row><td>'+row(n)+'</td></tr>').join('')+'<tr style="height:'+(N-8-f)*30+'px"></tr>'}b.addEventListener('scroll',draw);draw();`},
		{"the page scrolls", `.inner{position:relative}.row{position:absolute;height:30px}`, `<div class="inner"></div>`,
			`const i=document.querySelector('.inner');i.style.height=N*30+'px';function draw(){const f=Math.max(0,Math.floor((scrollY-i.offsetTop)/30));i.innerHTML=Array.from({length:30},(_,k)=>f+k).filter(n=>n<N).map(n=>'<div class=row style="top:'+n*30+'px">'+row(n)+'</div>').join('')}addEventListener('scroll',draw);draw();`},
		{"placeholders that are filled in view", box, `<div class="box"><div class="inner"></div></div>`,
			`const i=document.querySelector('.inner');const o=new IntersectionObserver(e=>e.forEach(x=>x.target.textContent=x.isIntersecting?row(+x.target.dataset.n):''));for(let n=0;n<N;n++){const d=document.createElement('div');d.className='row';d.dataset.n=n;i.append(d);o.observe(d)}`},
		{"rows that come at the end", box, `<div class="box"><div class="inner"></div></div>`,
			`const b=document.querySelector('.box'),i=document.querySelector('.inner');let n=0;function more(){for(let k=0;k<12&&n<N;k++,n++){const d=document.createElement('div');d.className='row';d.textContent=row(n);i.append(d)}}b.addEventListener('scroll',()=>{if(b.scrollTop+b.clientHeight>b.scrollHeight-40)more()});more();`},
		{"rows that a request brings at the end", box, `<div class="box"><div class="inner"></div></div>`,
			`const b=document.querySelector('.box'),i=document.querySelector('.inner');let n=0,busy=false;async function more(){if(busy||n>=N)return;busy=true;await fetch('/x/data?ms=60');for(let k=0;k<12&&n<N;k++,n++){const d=document.createElement('div');d.className='row';d.textContent=row(n);i.append(d)}busy=false}b.addEventListener('scroll',()=>{if(b.scrollTop+b.clientHeight>b.scrollHeight-40)more()});more();`},
	}
}

// absenceCells makes lists that hold more than is rendered, texts that are no text nodes, and texts that are written
// otherwise than they are asked for.
func absenceCells(p *parts) {
	nouns := []string{"Feder,Lager,Riegel", "Vis,Écrou,Goupille", "ネジ,歯車,ばね"}
	for i, s := range scrollers() {
		for j, noun := range nouns {
			scrollerCells(p, fmt.Sprintf("/absence/%d-%d", i, j), s, strings.Split(noun, ","), 60+20*j)
		}
	}
	paintedCells(p)
	likenessCells(p)
	besideCells(p)
	scrolledCells(p)
}

func scrollerCells(p *parts, path string, s scroller, w []string, n int) {
	row := func(k int) string { return fmt.Sprintf("%s %d", w[k%len(w)], 1000+k*7) }
	list := `"` + strings.Join(w, `","`) + `"`
	p.page(path, listing("en", "Parts", fmt.Sprintf(`<style>%s</style><h1>Parts</h1><p>In stock today.</p>%s<script>const N=%d,w=[%s];%s%s</script>`, s.css, s.html, n, list, rowText, s.script)))
	for _, q := range []struct {
		tool     string
		must     truth
		selector string
		a        assertion
	}{
		{"hidden, of a row far down", notPass, `text="` + row(n-3) + `"`, assertion{"type": "hidden"}},
		{"not text_contains, of a row far down", notPass, "", denied(contains(row(n / 2)))},
		{"count_equals 0, of a row far down", notPass, `text="` + row(n-2) + `"`, assertion{"type": "count_equals", "expected": "0"}},
		{"hidden, of no row", notFail, `text="` + w[0] + ` 999"`, assertion{"type": "hidden"}},
		{"not text_contains, of no row", notFail, "", denied(contains(w[1] + " 998"))},
		{"count_equals, of the rows in view", notPass, ".row", assertion{"type": "count_equals", "expected": "8"}},
		{"count_at_most, of the rows in view", notPass, ".row", assertion{"type": "count_at_most", "expected": "30"}},
		{"count_equals, of all rows", notFail, ".row", assertion{"type": "count_equals", "expected": fmt.Sprint(n)}},
		{"visible, of a row in view", mustPass, `text="` + row(1) + `"`, assertion{"type": "visible"}},
		{"hidden, of a row in view", mustFail, `text="` + row(2) + `"`, assertion{"type": "hidden"}},
		{"hidden, of the heading", mustFail, `heading "Parts"`, assertion{"type": "hidden"}},
	} {
		p.cell(cell{Class: "absence", Way: s.name + ", " + w[0], Tool: q.tool, Page: path, About: short(s.html + " " + s.script), Truth: q.must, ask: proves(q.selector, q.a)})
	}
}

// paintedCells makes texts that a person reads and that are no text nodes.
func paintedCells(p *parts) {
	ways := []scroller{
		{name: "alternative text of a picture that is not there", html: `<img src="/no/such.png" alt="%s" width="300" height="60">`},
		{name: "a marker", css: `#m{list-style:none;margin-left:260px}#m li::marker{content:"%s "}`, html: `<ul id="m" style="list-style:disc"><li>five</li></ul>`},
		{name: "before", css: `#m::before{content:"%s "}`, html: `<p id="m">now</p>`},
		{name: "after", css: `#m::after{content:" %s"}`, html: `<p id="m">now</p>`},
		{name: "an attribute", css: `#m::before{content:attr(data-t)}`, html: `<p id="m" data-t="%s"></p>`},
		{name: "a variable", css: `#m{--t:"%s"}#m::after{content:var(--t)}`, html: `<p id="m"></p>`},
		{name: "a placeholder", html: `<input aria-label="Note" style="width:400px" placeholder="%s">`},
		{name: "a button's value", html: `<input type="button" value="%s">`},
		{name: "an open list's choice", html: `<select><option>%s</option></select>`},
		{name: "a picture made of shapes", html: `<svg width="400" height="40"><text x="4" y="24">%s</text></svg>`},
	}
	for i, w := range ways {
		for j, said := range wordsOf("Sold out since Monday | Nur noch zwei Plätze | Fermé le mardi | Último aviso | 受付終了") {
			path := p.page(fmt.Sprintf("/painted/%d-%d", i, j), listing("en", "Notice", "<style>"+strings.ReplaceAll(w.css, "%s", said)+"</style><h1>Notice</h1>"+strings.ReplaceAll(w.html, "%s", said)+"<p>Ask at the desk.</p>"))
			about := short(w.css + w.html)
			p.cell(cell{Class: "absence", Way: "painted: " + w.name, Tool: "text_contains", Page: path, About: about, Truth: mustPass, ask: proves("", contains(said))})
			p.cell(cell{Class: "absence", Way: "painted: " + w.name, Tool: "not text_contains", Page: path, About: about, Truth: mustFail, ask: proves("", denied(contains(said)))})
			p.cell(cell{Class: "absence", Way: "painted: " + w.name, Tool: "not text_contains, of another", Page: path, About: about, Truth: mustPass, ask: proves("", denied(contains("Open until late")))})
		}
	}
}

// likenessCells makes texts that look as they are asked for, and are written otherwise.
func likenessCells(p *parts) {
	for i, pair := range [][2]string{
		{"oﬃce ﬂoor", "office floor"}, {"ﬁnal ﬁgures", "final figures"}, {"ＡＢＣ－１２３", "ABC-123"}, {"ｼｽﾃﾑ", "システム"}, {"Rech&shy;nungs&shy;betrag", "Rechnungsbetrag"}, {"over&#8203;due", "overdue"}, {"paid&#8288; twice", "paid twice"},
		{"nai&#776;ve plan", "naïve plan"}, {"Size&#8239;42", "Size 42"}, {"co&#173;oper&#173;ate", "cooperate"}, {"Ｔｏｔａｌ", "Total"}, {"Ｎｏ．７", "No.7"}, {"A&#778;rhus", "Århus"}, {"&#65279;Depot north", "Depot north"},
	} {
		path := p.page(fmt.Sprintf("/likeness/%d", i), listing("en", "Notice", "<h1>Notice</h1><p>"+pair[0]+"</p><p>Ask at the desk.</p>"))
		p.cell(cell{Class: "absence", Way: "written " + pair[0], Tool: "text_contains", Page: path, About: pair[0], Truth: mustPass, ask: proves("", contains(pair[1]))})
		p.cell(cell{Class: "absence", Way: "written " + pair[0], Tool: "not text_contains", Page: path, About: pair[0], Truth: mustFail, ask: proves("", denied(contains(pair[1])))})
	}
}

// besideCells makes pages with what can't be looked into: an absence elsewhere on them is as sure as on any page.
func besideCells(p *parts) {
	things := [][2]string{
		{"a chart on a canvas", `<canvas id="c" width="200" height="80"></canvas><script>document.getElementById('c').getContext('2d').fillRect(4,4,90,40)</script>`},
		{"a picture", `<img src="/x/flat.png?c=124" alt="A ship" width="120" height="60">`},
		{"a chart of shapes", `<svg width="200" height="80"><rect x="4" y="4" width="30" height="60"/><rect x="44" y="24" width="30" height="40"/></svg>`},
		{"a film", `<video width="160" height="90"></video>`},
		{"a box that is scrolled", `<div style="height:60px;overflow:auto"><p>One</p><p>Two</p><p>Three</p><p>Four</p></div>`},
		{"a long table", `<div style="height:120px;overflow:auto"><table>` + strings.Repeat(`<tr><td>Part</td><td>12</td></tr>`, 60) + `</table></div>`},
		{"a frame", `<iframe srcdoc="<p>Map of the harbour</p>" width="200" height="60"></iframe>`},
	}
	for i, t := range things {
		path := p.page(fmt.Sprintf("/beside/%d", i), listing("en", "Notice", "<h1>Notice</h1><main><p>All is well.</p></main>"+t[1]))
		for j, gone := range wordsOf("Overdue | Gesperrt | Épuisé") {
			p.cell(cell{Class: "absence", Way: "beside " + t[0], Tool: "not text_contains " + gone, Page: path, About: t[1], Truth: mustPass, ask: proves("", denied(contains(gone)))})
			if j < 2 {
				p.cell(cell{Class: "absence", Way: "beside " + t[0], Tool: "hidden " + gone, Page: path, About: t[1], Truth: mustPass, ask: proves(`text="`+gone+`"`, assertion{"type": "hidden"})})
			}
		}
	}
	for i, far := range wordsOf("Recalled in May | Abgelaufen | Retiré") {
		path := p.page(fmt.Sprintf("/beside/frame%d", i), listing("en", "Notice", `<h1>Notice</h1><div style="height:6000px"></div><iframe loading="lazy" src="/beside/in`+fmt.Sprint(i)+`" width="300" height="90"></iframe>`))
		p.page(fmt.Sprintf("/beside/in%d", i), listing("en", "In", "<p>"+far+"</p>"))
		p.cell(cell{Class: "absence", Way: "a frame far down", Tool: "not text_contains", Page: path, About: "lazy frame", Truth: notPass, ask: proves("", denied(contains(far)))})
	}
}
