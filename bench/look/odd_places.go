package look

import "strings"

// oddPlaces lists places where people see the figure all the same.
func oddPlaces() []way {
	v := `<strong class="value" id="v">` + figure + `</strong>`
	tall := `<div style="height:3000px;background:linear-gradient(#fff,#eef)"></div>`
	return []way{
		{name: "glass over the page", after: `<div style="position:fixed;inset:0;z-index:9"></div>`},
		{name: "tinted glass over the page", after: `<div style="position:fixed;inset:0;z-index:9;background:rgba(0,0,80,.2);pointer-events:none"></div>`},
		{name: "half opacity", css: `#v{opacity:.5}`},
		{name: "opacity .3 of the card", css: `#w{opacity:.35}`},
		{name: "grey on white", css: `#v{color:#999}`},
		{name: "pale on dark", css: `body,.card{background:#10141c}body{color:#cfd6e4}#v{color:#7d8899}`},
		{name: "below the fold", css: `.cards{margin-top:1500px}`},
		{name: "far below the fold", css: `main{padding-top:9000px}`},
		{name: "in a container that is scrolled", value: `<div style="height:60px;overflow:auto">` + tall + v + `</div>`},
		{name: "in a container within a container", value: `<div style="height:90px;overflow:auto"><div style="height:400px"></div><div style="height:60px;overflow:auto">` + tall + v + `</div></div>`},
		{name: "to the right in a container", value: `<div style="width:180px;overflow-x:auto;white-space:nowrap"><span style="display:inline-block;width:900px">first</span>` + v + `</div>`},
		{name: "to the right on the page", css: `main{width:4000px}#w{margin-left:2500px}`},
		{name: "under a sticky header, but the page scrolls", css: `header{position:sticky;top:0;height:120px;z-index:3}main{padding-top:1400px;padding-bottom:1400px}`},
		{name: "under a fixed footer, but the page scrolls", css: `.bar{position:fixed;left:0;right:0;bottom:0;height:160px;background:#222}main{padding-top:420px;padding-bottom:900px}`, after: `<div class="bar"></div>`},
		{name: "current slide", css: `#p{width:200px;overflow:hidden}#t{display:flex;width:600px;transform:translateX(-200px)}#t>div{width:200px}`, value: `<div id="p"><div id="t"><div>first</div><div>` + v + `</div><div>third</div></div></div>`},
		{name: "white on a sibling's dark picture", value: `<div style="position:relative;width:150px;height:44px"><img src="/x/flat.png?c=124" alt="" style="position:absolute;inset:0;width:150px;height:44px"><strong class="value" id="v" style="position:relative;color:#fff">` + figure + `</strong></div>`},
		{name: "white on a sibling's gradient", value: `<div style="position:relative"><div style="position:absolute;inset:0;background:linear-gradient(#135,#358)"></div><strong class="value" id="v" style="position:relative;color:#fff">` + figure + `</strong></div>`},
		{name: "white on a hero picture", css: `.cards{background:url(/x/flat.png?c=153)}#w{background:none}#v,#w h3{color:#fff}`},
		{name: "white on a canvas", value: `<div style="position:relative;width:150px;height:44px"><canvas id="c" width="150" height="44" style="position:absolute;left:0;top:0"></canvas><strong class="value" id="v" style="position:relative;color:#fff">` + figure + `</strong></div>`, script: `const x=document.getElementById('c').getContext('2d');x.fillStyle='#135';x.fillRect(0,0,150,44)`},
		{name: "dialog beside it, glass backdrop", css: `dialog{position:fixed;top:400px;margin:0 auto}`, after: `<dialog id="d"><p>We use cookies</p><button>Fine</button></dialog>`, script: `document.getElementById('d').showModal()`, tools: []string{"text_contains page", "visible", "text_contains", "text_equals", "verify_element_exists"}},
		{name: "inert, but shown", value: `<div inert>` + v + `</div>`, tools: append(onText(), "visible", "text_contains", "text_equals", "count_equals")},
		{name: "aria-hidden, but shown", value: `<div aria-hidden="true">` + v + `</div>`, tools: append(onText(), "visible", "text_contains", "text_equals", "count_equals")},
		{name: "clicks pass through it", css: `#v{pointer-events:none}`},
		{name: "turned by 8 degrees", css: `#v{transform:rotate(8deg)}`},
		{name: "scaled down by a third", css: `#w{transform:scale(.7)}`},
		{name: "fixed in a corner", css: `#v{position:fixed;right:20px;bottom:20px}`},
		{name: "faded in over half a second", css: `@keyframes in{from{opacity:0}}#v{animation:in .5s both}`},
		{name: "slides in after 300 ms", css: `@keyframes in{from{transform:translateX(-500px);opacity:0}}#w{animation:in .4s .3s both}`},
		{name: "shown by a transition on scroll", css: `main{padding-top:1500px}#v{opacity:0;transition:opacity .2s}#v.in{opacity:1}`, script: `new IntersectionObserver(e=>e.forEach(x=>x.isIntersecting&&x.target.classList.add('in'))).observe(document.getElementById('v'))`},
		{name: "content-visibility auto, below the fold", css: `main{padding-top:2500px}#w{content-visibility:auto;contain-intrinsic-size:200px 90px}`},
		{name: "opaque box over the card's lower edge", value: `<div style="position:relative;height:90px">` + v + `<div style="position:absolute;left:0;right:0;bottom:0;height:30px;background:#ddd"></div></div>`},
	}
}

// oddText lists texts that people read as the figure or the words, however
// they are written.
func oddText() []way {
	split := strings.Join(strings.Split(figure, ""), "</span><span>")
	word := func(name, html, text string) way {
		return way{name: name, value: `<p id="v" style="max-width:420px">` + html + `</p>`, text: text, tools: onElement()}
	}
	return []way{
		{name: "split over elements", value: `<strong class="value" id="v"><span>` + split + `</span></strong>`},
		{name: "split by a comment", value: `<strong class="value" id="v">$48,<!-- x -->210</strong>`},
		{name: "digits in inline blocks", css: `#v span{display:inline-block}`, value: `<strong class="value" id="v"><span>` + split + `</span></strong>`},
		{name: "currency by ::before", css: `#v::before{content:"$"}`, value: `<strong class="value" id="v">48,210</strong>`},
		{name: "with a word joiner", value: `<strong class="value" id="v">$48,&#8288;210</strong>`},
		word("soft hyphens", "Your sub&shy;scrip&shy;tion was re&shy;newed", "Your subscription was renewed"),
		word("zero-width spaces", "Order&#8203;4711&#8203; is on its way", "Order4711 is on its way"),
		word("decomposed letters", "Cafe\u0301 Zu\u0308rich is open", "Café Zürich is open"),
		word("typographic apostrophe", "We couldn’t be happier", "We couldn't be happier"),
		word("plain apostrophe, typographic asked", "It's paid", "It’s paid"),
		word("typographic quotes", "“Best in test” of 2026", `"Best in test" of 2026`),
		word("en dash", "Mon–Fri, 9–17", "Mon-Fri, 9-17"),
		word("minus sign", "Change: −12 today", "Change: -12 today"),
		word("no-break space", "Total&nbsp;512&nbsp;items", "Total 512 items"),
		word("narrow no-break space", "12&#8239;345 km", "12 345 km"),
		word("ellipsis", "and so on…", "and so on..."),
		word("uppercase by style, as written", `<span style="text-transform:uppercase">Save changes</span>`, "Save changes"),
		word("uppercase by style, as seen", `<span style="text-transform:uppercase">Save changes</span>`, "SAVE CHANGES"),
		word("capitals by style, as seen", `<span style="text-transform:capitalize">order confirmed</span>`, "Order Confirmed"),
		word("lowercase by style, as seen", `<span style="text-transform:lowercase">ORDER PAID</span>`, "order paid"),
		word("over two lines", "Your order was<br>received yesterday", "Your order was received yesterday"),
		word("bold within a word", "Un<b>believ</b>able offer", "Unbelievable offer"),
		word("across elements", "<span>Signed in</span> <em>as</em> <a href='#'>Ada</a>", "Signed in as Ada"),
		word("white space of the source", "Signed\n   in\tas   Ada", "Signed in as Ada"),
		word("emoji between", "Paid ✅ in full", "Paid ✅ in full"),
		word("right to left", `<span dir="rtl">שלום עולם</span>`, "שלום עולם"),
		word("Japanese", "注文を受け付けました", "注文を受け付けました"),
		{name: "before and after", css: `#v::before{content:"Total: "}#v::after{content:" items"}`, value: `<p id="v">512</p>`, text: "Total: 512 items", tools: onText()},
		{name: "first letter styled", css: `#v::first-letter{font-size:40px;color:#900}`, value: `<p id="v">Welcome back</p>`, text: "Welcome back", tools: onElement()},
	}
}

// oddKinds lists elements and roots where people see it.
func oddKinds() []way {
	v := `<strong class="value" id="v">` + figure + `</strong>`
	root := func(html string) string {
		return `document.getElementById('h').attachShadow({mode:'open'}).innerHTML='` + html + `'`
	}
	text := onText()
	return []way{
		{name: "open shadow root", value: `<div id="h"></div>`, script: root(`<strong id="v" class="value">` + figure + `</strong>`)},
		{name: "shadow root in a shadow root", value: `<div id="h"></div>`, script: root(`<section></section>`) + `;document.getElementById('h').shadowRoot.firstChild.attachShadow({mode:'open'}).innerHTML='<b id="v" class="value">` + figure + `</b>'`, tools: onElement()},
		{name: "slotted", value: `<div id="h">` + v + `</div>`, script: root(`<em>now</em> <slot></slot>`)},
		{name: "frame of the same origin", value: `<iframe style="height:60px;border:0" srcdoc="<b>` + figure + `</b>"></iframe>`, tools: text},
		{name: "frame in a frame", value: `<iframe style="height:90px;border:0" srcdoc="<iframe style='height:60px;border:0' srcdoc='<b>` + figure + `</b>'></iframe>"></iframe>`, tools: text},
		{name: "below the fold of a frame", value: `<iframe style="height:60px;border:0" srcdoc="<div style='height:900px'></div><b>` + figure + `</b>"></iframe>`, tools: text},
		{name: "value of a text field", value: `<input value="` + figure + `">`, tools: text},
		{name: "value of a text area", value: `<textarea>` + figure + `</textarea>`, tools: text},
		{name: "caption of a button", value: `<input type="submit" value="Pay ` + figure + `">`, tools: text},
		{name: "chosen option", value: `<select><option>All</option><option selected>` + figure + `</option></select>`, tools: text},
		{name: "placeholder", value: `<input placeholder="Search ` + figure + `">`, tools: text[:1]},
		{name: "open details", value: `<details open><summary>Sum</summary>` + v + `</details>`},
		{name: "open dialog", value: `<dialog open style="position:static">` + v + `</dialog>`},
		{name: "open popover", after: `<div id="o" popover="manual">Revenue now ` + figure + `</div>`, value: `<i></i>`, script: `document.getElementById('o').showPopover()`, tools: text},
		{name: "display contents", value: `<div style="display:contents">` + v + `</div>`},
		{name: "gradient text", css: `#v{background:linear-gradient(90deg,#c00,#00c);-webkit-background-clip:text;background-clip:text;color:transparent}`},
		{name: "outlined text", css: `#v{color:transparent;-webkit-text-stroke:1px #222}`},
		{name: "text by its shadow", css: `#v{color:transparent;text-shadow:0 0 0 #222}`},
		{name: "white with a dark outline", css: `#v{color:#fff;text-shadow:0 0 2px #000,0 0 2px #000}`},
		{name: "SVG text", value: `<svg width="160" height="40"><text id="v" class="value" y="28">` + figure + `</text></svg>`, tools: onElement()},
		{name: "upright writing", css: `#v{writing-mode:vertical-rl}`},
		{name: "inverted page", css: `html{filter:invert(1);background:#fff}`},
		{name: "blend mode difference", css: `#w{background:#222;isolation:isolate}#w h3{color:#fff}#v{color:#fff;mix-blend-mode:difference}`},
		{name: "table cell", value: `<table><tr><td class="value" id="v">` + figure + `</td></tr></table>`},
		{name: "columns in another order", css: `.cards{flex-direction:row-reverse}`},
		{name: "marked and linked", value: `<a href="#"><mark class="value" id="v">` + figure + `</mark></a>`},
		{name: "editable", value: `<strong class="value" id="v" contenteditable="true">` + figure + `</strong>`},
		{name: "background attachment fixed", css: `body{background:url(/x/flat.png?c=def) fixed}#w{background:none}`},
	}
}
