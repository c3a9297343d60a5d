package look

// hiddenByOthers lists ways that something else hides it.
func hiddenByOthers() []way {
	sheet := func(style string) string { return `<div style="«` + style + `|display:none»"></div>` }
	inCard := func(more string) string {
		return `<div style="position:relative"><strong class="value" id="v">` + figure + `</strong>` + more + `</div>`
	}
	return []way{
		{name: "opaque box over it", value: inCard(`<div style="position:absolute;inset:0;background:#eee;«|display:none»"></div>`)},
		{name: "opaque box over it, clicks pass", value: inCard(`<div style="position:absolute;inset:0;background:#eee;pointer-events:none;«|display:none»"></div>`)},
		{name: "pseudo-element over the card", css: `#w{position:relative}#w::after{content:"";position:absolute;inset:0;background:«#f4f4f4|none»}`},
		{name: "pseudo-element over it, clicks pass", css: `#v{position:relative}#v::before{content:"";position:absolute;inset:-2px;background:«#ddd|none»;pointer-events:none}`, tools: []string{"text_contains page", "text_contains", "text_equals", "flow: assert text", "check_kpis", "page_snapshot"}},
		{name: "spinner sheet", css: `@keyframes t{to{transform:rotate(1turn)}}.spin{width:48px;height:48px;margin:300px auto;border:5px solid #ccc;border-top-color:#06c;border-radius:50%;animation:t 1s linear infinite}`,
			after: `<div style="position:fixed;inset:0;background:#fff;z-index:99;«|display:none»"><div class="spin"></div></div>`},
		{name: "white sheet over the page", after: sheet(`position:fixed;inset:0;background:#fff;z-index:9`)},
		{name: "white sheet, clicks pass", after: sheet(`position:fixed;inset:0;background:#fff;z-index:9;pointer-events:none`)},
		{name: "sheet of a gradient", after: sheet(`position:absolute;inset:0;background:linear-gradient(#ddd,#eee);z-index:9`)},
		{name: "sheet by box-shadow", after: `<div style="position:fixed;left:0;top:0;width:10px;height:10px;z-index:9;background:#fff;pointer-events:none;«box-shadow:0 0 0 3000px #fff|»"></div>`},
		{name: "opaque modal over all, page inert", css: `dialog{width:100vw;height:100vh;max-width:none;max-height:none;border:0;margin:0;background:#fafafa}`,
			after: `<dialog id="d"><p>We have news for you</p><button>Close</button></dialog>`, script: `«document.getElementById('d').showModal()|»`},
		{name: "picture over it", value: inCard(`<img src="/x/flat.png?c=888" alt="" style="position:absolute;left:0;top:0;width:150px;height:44px;«|display:none»">`)},
		{name: "frame over it", value: inCard(`<iframe srcdoc="<body style='background:#eee'>" style="position:absolute;left:0;top:0;width:150px;height:44px;border:0;«|display:none»"></iframe>`)},
		{name: "canvas over it", value: inCard(`<canvas id="c" width="150" height="44" style="position:absolute;left:0;top:0;«|display:none»"></canvas>`), script: `const x=document.getElementById('c').getContext('2d');x.fillStyle='#ddd';x.fillRect(0,0,150,44)`},
		{name: "popover over the cards", css: `#o{width:900px;height:400px;inset:auto;left:0;top:60px;margin:0;background:#eef;border:0}`, after: `<div id="o" popover="manual">What is new in this release</div>`, script: `«document.getElementById('o').showPopover()|»`},
		{name: "behind the card, z-index -1", css: `#v{position:relative;z-index:«-1|1»}`},
		{name: "behind a sibling", value: `<div style="position:relative;height:44px;width:150px"><strong class="value" id="v" style="position:absolute;left:0;top:0">` + figure + `</strong><div style="position:absolute;inset:0;background:«#fff|transparent»"></div></div>`},
		{name: "ink of the sibling's ground", value: `<div style="position:relative"><div style="position:absolute;inset:0;background:#234"></div><strong class="value" id="v" style="position:relative;color:«#234|#fff»">` + figure + `</strong></div>`},
		{name: "white ink on a sibling's white picture", value: `<div style="position:relative;width:150px;height:44px;background:#222"><img src="/x/flat.png?c=«fff|246»" alt="" style="position:absolute;inset:0;width:150px;height:44px"><strong class="value" id="v" style="position:relative;color:#fff">` + figure + `</strong></div>`},
		{name: "under a fixed bar, itself fixed", css: `#v{position:fixed;top:«8px|420px»;left:600px}header{position:fixed;top:0;left:0;right:0;height:60px;z-index:5}main{margin-top:70px}`},
		{name: "backdrop blur of an opaque sheet", after: sheet(`position:fixed;inset:0;background:#fffffe;backdrop-filter:blur(9px);z-index:9`)},
		{name: "sheet inside a shadow root", after: `<x-sheet></x-sheet>`, script: `customElements.define('x-sheet',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'closed'}).innerHTML='<div style="position:fixed;inset:0;background:#fff;z-index:9;«|display:none»"></div>'}})`},
	}
}

// hiddenByKind lists ways that hide it by what it stands in.
func hiddenByKind() []way {
	v := `<strong class="value" id="v">` + figure + `</strong>`
	shadow := `document.getElementById('h').attachShadow({mode:'open'}).innerHTML=`
	return []way{
		{name: "closed details", value: `<details «|open»><summary>More</summary>` + v + `</details>`},
		{name: "closed dialog", value: `<dialog «|open style="position:static"»>` + v + `</dialog>`},
		{name: "popover that is not open", value: `<div id="o" popover="manual">` + v + `</div>`, script: `«|document.getElementById('o').showPopover()»`},
		{name: "hidden attribute", value: `<div «hidden|»>` + v + `</div>`},
		{name: "hidden until found", value: `<div «hidden="until-found"|»>` + v + `</div>`},
		{name: "other tab panel", value: `<div role="tablist"><button role="tab" aria-selected="«false|true»">Sum</button><button role="tab" aria-selected="«true|false»">Rows</button></div><div role="tabpanel" «hidden|»>` + v + `</div><div role="tabpanel" «|hidden»>rows</div>`},
		{name: "option that is not chosen", value: `<select><option>All</option><option «|selected»>` + figure + `</option></select>`, tools: onText()},
		{name: "hidden option", value: `<select><option>All</option><option «hidden|selected»>` + figure + `</option></select>`, tools: onText()},
		{name: "aria-label only", value: `<strong class="value" id="v" «aria-label="` + figure + `"></strong>|>` + figure + `</strong>»`},
		{name: "title attribute only", value: `<strong class="value" id="v" «title="` + figure + `">–</strong>|>` + figure + `</strong>»`, tools: append(onText(), "text_contains", "text_equals", "check_kpis")},
		{name: "alt text of a picture that is there", value: `«<img src="/x/flat.png?c=ccc" alt="` + figure + `" width="90" height="30">|<b>` + figure + `</b>»`, tools: onText()},
		{name: "in a comment", value: `«<!-- ` + figure + ` -->|<b>` + figure + `</b>»`, tools: onText()},
		{name: "in a template", value: `«<template><b>` + figure + `</b></template>|<b>` + figure + `</b>»`, tools: onText()},
		{name: "in noscript", value: `«<noscript>` + figure + `</noscript>|<b>` + figure + `</b>»`, tools: onText()},
		{name: "in a script's data", value: `«<script type="application/json">{"revenue":"` + figure + `"}</script>|<b>` + figure + `</b>»`, tools: onText()},
		{name: "value of a hidden field", value: `<input type="«hidden|text»" value="` + figure + `">`, tools: onText()},
		{name: "value of a password field", value: `<input type="«password|text»" value="` + figure + `">`, tools: onText()},
		{name: "data attribute", value: `<b data-value="` + figure + `">«–|` + figure + `»</b>`, tools: onText()},
		{name: "transparent in a shadow root", value: `<div id="h"></div>`, script: shadow + "`<strong id=v class=value style=\"font-size:26px;opacity:«0|1»\">" + figure + "</strong>`", tools: onElement()},
		{name: "not slotted", value: `<div id="h">` + v + `</div>`, script: shadow + "`<b>–</b>«|<slot></slot>»`", tools: onElement()},
		{name: "transparent frame", value: `<iframe style="opacity:«0|1»;height:60px;border:0" srcdoc="<b>` + figure + `</b>"></iframe>`, tools: onText()},
		{name: "transparent in a frame", value: `<iframe style="height:60px;border:0" srcdoc="<b style='opacity:«0|1»'>` + figure + `</b>"></iframe>`, tools: onText()},
		{name: "frame that is not displayed", value: `<iframe style="display:«none|block»;height:60px" srcdoc="<b>` + figure + `</b>"></iframe>`, tools: onText()},
		{name: "SVG text without fill", value: `<svg width="160" height="40"><text id="v" class="value" y="28" style="fill:«none|#222»">` + figure + `</text></svg>`, tools: onElement()},
		{name: "SVG text outside of its box", value: `<svg width="160" height="40" style="overflow:hidden"><text id="v" class="value" y="«90|28»">` + figure + `</text></svg>`, tools: onElement()},
		{name: "fallback of a canvas", value: `«<canvas width="99" height="30">` + figure + `</canvas>|<b>` + figure + `</b>»`, tools: onText()},
		{name: "empty element, text in an attribute of style", css: `#v::before{content:«none|"` + figure + `"»}`, value: `<strong class="value" id="v" data-v="` + figure + `"></strong>`, tools: onText()},
		{name: "one digit of it transparent", value: `<strong class="value" id="v">$48,2<span style="opacity:«0|1»">1</span>0</strong>`, tools: []string{"text_contains page", "text_contains", "text_equals", "flow: assert text", "check_kpis"}},
	}
}
