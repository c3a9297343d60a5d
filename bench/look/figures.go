package look

import (
	"fmt"
	"strings"
)

// shown describes a figure as a page shows it, and what is expected of it.
type shown struct {
	name, html  string
	value, unit string
	is          truth
	label       string // Revenue, if empty
	lang        string // of the page; English, if empty
}

func figureCells(p *parts) {
	for i, s := range append(append(wrongFigures(), strangeFigures()...), fineFigures()...) {
		label := s.label
		if label == "" {
			label = "Revenue"
		}
		body := whole("Figures", fmt.Sprintf(`<style>.card{border:1px solid #ccc;padding:12px;width:260px;margin:8px}h3{margin:0;font-size:14px}.n{font-size:26px}</style><h1>Figures</h1>
<div class="card"><h3>Orders</h3><div class="n">1,204</div></div>%s<div class="card"><h3>Visitors</h3><div class="n">31,877</div></div>`, s.html))
		if s.lang != "" {
			body = strings.Replace(body, `lang="en"`, `lang="`+s.lang+`"`, 1)
			body = strings.NewReplacer("1,204", "1.204", "31,877", "31.877").Replace(body)
		}
		path := p.page(fmt.Sprintf("/figures/%d", i), page{body: body})
		var units map[string]string
		if s.unit != "" {
			units = map[string]string{label: s.unit}
		}
		p.cell(cell{Class: "figures", Way: s.name, Tool: "check_kpis", Page: path, About: short(s.html), Truth: s.is, ask: kpis(map[string]string{label: s.value}, units)})
	}
}

// card returns a figure under its label.
func card(figure string) string {
	return `<div class="card"><h3>Revenue</h3><div class="n">` + figure + `</div></div>`
}

func wrongFigures() []shown {
	var out []shown
	for _, s := range [][4]string{
		{"last digit", "48,211", "48210", ""},
		{"last digit, dollars", "$48,211", "48210", "USD"},
		{"last digit, euros", "€48,211", "48210", "EUR"},
		{"last digit, expected with group", "48,211", "48,210", ""},
		{"last digit, expected with currency", "$48,211", "$48,210", ""},
		{"last digit, expected with decimals", "$48,210.51", "$48,210.50", ""},
		{"last digit of a percent", "31.3%", "31.2", "percent"},
		{"last digit, expected with percent", "31.3%", "31.2%", ""},
		{"whole percent, off by one", "32%", "31", "percent"},
		{"last cent", "$19.98", "19.99", "USD"},
		{"first digit", "$38,210", "48210", "USD"},
		{"digits swapped", "$42,810", "48210", "USD"},
		{"ten times", "$482,100", "48210", "USD"},
		{"a tenth", "$4,821.0", "48210", "USD"},
		{"thousands for units", "$48,210K", "48210", "USD"},
		{"abbreviated, wrong", "$48.3K", "48210", "USD"},
		{"abbreviated to millions, wrong", "$1.3M", "1204000", "USD"},
		{"sign", "−$48,210", "48210", "USD"},
		{"sign as of accountants", "($48,210)", "48210", "USD"},
		{"sign behind", "48,210−", "48210", ""},
		{"sign missing", "1,250", "-1250", ""},
		{"other currency", "€48,210", "48210", "USD"},
		{"currency code", "48,210 GBP", "48210", "USD"},
		{"per mille", "31.2‰", "31.2", "percent"},
		{"ratio for percent", "0.312%", "31.2", "percent"},
		{"billion for million", "$1.2B", "1200000", "USD"},
		{"empty", "", "48210", ""},
		{"dash", "–", "48210", ""},
		{"n/a", "n/a", "48210", ""},
		{"more than", "&gt; 48,210", "48210", ""},
		{"zero", "0", "48210", ""},
		{"old value struck out", "<s>$48,210</s> $39,900", "48210", "USD"},
		{"old value struck out by style", `<span style="text-decoration:line-through">$48,210</span> $39,900`, "48210", "USD"},
		{"letter O for zero", "$48,21O", "48210", "USD"},
		{"letter l for one", "48,2l0", "48210", ""},
		{"sign by ::before", `<span class="m">48,210</span><style>.m::before{content:"−"}</style>`, "48210", ""},
		{"unit by ::after", `<span class="m">48,210</span><style>.m::after{content:"K"}</style>`, "48210", ""},
		{"percent by ::after, wrong", `<span class="m">31.3</span><style>.m::after{content:"%"}</style>`, "31.2", "percent"},
		{"digit by ::after", `<span class="m">$48,21</span><style>.m::after{content:"9"}</style>`, "48210", "USD"},
		{"turned order", `<span style="display:inline-flex;flex-direction:row-reverse"><span>48</span><span>210</span></span>`, "48210", ""},
		{"superscript cents, wrong", "$48<sup>20</sup>", "48.10", "USD"},
		{"cut off", `<div style="width:60px;overflow:hidden;white-space:nowrap">$48,210</div>`, "48210", "USD"},
		{"in the title only", `<span title="$48,210">$48,900</span>`, "48210", "USD"},
		{"right figure transparent beside", `$39,900 <span style="opacity:0">$48,210</span>`, "48210", "USD"},
		{"right figure as the trend", `$39,900 <small>48,210 last week</small>`, "48210", "USD"},
	} {
		out = append(out, shown{name: s[0], html: card(s[1]), value: s[2], unit: s[3], is: notPass})
	}
	for i := range out[:25] { // of these a person would say that they are wrong
		out[i].is = mustFail
	}
	return out
}

func strangeFigures() []shown {
	return []shown{
		{name: "part of a label", html: `<div class="card"><h3>Net Revenue</h3><div class="n">$48,210</div></div>`, value: "48210", unit: "USD", is: notPass},
		{name: "label goes on", html: `<div class="card"><h3>Revenue lost to returns</h3><div class="n">$48,210</div></div>`, value: "48210", unit: "USD", is: notPass},
		{name: "label of another card", html: `<div class="card"><h3>Revenue</h3><div class="n">$39,900</div></div><div class="card"><h3>Costs</h3><div class="n">$48,210</div></div>`, value: "48210", unit: "USD", is: mustFail},
		{name: "label twice, two figures", html: card("$48,210") + card("$39,900"), value: "48210", unit: "USD", is: notPass},
		{name: "label hidden", html: `<div class="card"><h3 style="opacity:0">Revenue</h3><div class="n">$48,210</div></div>`, value: "48210", unit: "USD", is: notPass},
		{name: "figure that never stands still", html: card(`<span id="m">$48,210</span><script>let n=0;setInterval(()=>m.textContent=['$48,210','$48,214','$48,207'][n++%3],250)</script>`), value: "48210", unit: "USD", is: notPass},
		{name: "figure that creeps", html: card(`<span id="m">48,210</span><script>let n=48209;setInterval(()=>m.textContent=(++n).toLocaleString('en'),600)</script>`), value: "48210", is: notPass},
		{name: "figure that is right for a moment", html: card(`<span id="m">48,210</span><script>setTimeout(()=>m.textContent='39,900',700)</script>`), value: "48210", is: mustFail},
		{name: "loading, for ever", html: card(`Loading…`), value: "48210", is: notPass},
		{name: "no such card", html: ``, value: "48210", is: notPass},
		{name: "figure in another tab", html: `<div class="card"><h3>Revenue</h3><div class="n" hidden>48,210</div><div class="n">39,900</div></div>`, value: "48210", is: mustFail},
		{name: "inline, wrong", html: `<p>Revenue: <b>$48,211</b></p>`, value: "48210", unit: "USD", is: mustFail},
		{name: "table row, wrong", html: `<table><tr><th>Revenue</th><td>$48,211</td></tr></table>`, value: "48210", unit: "USD", is: mustFail},
		{name: "definition list, wrong", html: `<dl><dt>Revenue</dt><dd>$48,211</dd></dl>`, value: "48210", unit: "USD", is: mustFail},
	}
}

func fineFigures() []shown {
	var out []shown
	for _, s := range [][4]string{
		{"plain", "48210", "48210", ""},
		{"grouped", "48,210", "48210", ""},
		{"dollars", "$48,210", "48210", "USD"},
		{"dollars and cents", "$48,210.00", "48210", "USD"},
		{"dollars, expected as shown", "$48,210", "$48,210", ""},
		{"German", "48.210 €", "48210", "EUR"},
		{"German with cents", "48.210,50 €", "48210.50", "EUR"},
		{"French", "48&#8239;210 €", "48210", "EUR"},
		{"Swiss", "CHF 48’210", "48210", "CHF"},
		{"Indian", "₹1,23,456", "123456", "INR"},
		{"yen", "¥48,210", "48210", "JPY"},
		{"code behind", "48,210 USD", "48210", "USD"},
		{"code before", "USD 48,210", "48210", "USD"},
		{"abbreviated", "$48.2K", "48210", "USD"},
		{"abbreviated, small letter", "48.2k", "48210", ""},
		{"millions", "$1.2M", "1204000", "USD"},
		{"millions, in words", "1.2 million", "1204000", ""},
		{"billions", "3.41B", "3410000000", ""},
		{"percent", "31.2%", "31.2", "percent"},
		{"percent with a space", "31.2 %", "31.2", "percent"},
		{"German percent", "31,2 %", "31.2", "percent"},
		{"percent of a ratio", "31.2%", "0.312", "ratio"},
		{"rounded percent", "31%", "31.2", "percent"},
		{"negative", "-1,250", "-1250", ""},
		{"negative with a minus sign", "−1,250", "-1250", ""},
		{"negative as of accountants", "(1,250)", "-1250", ""},
		{"negative dollars", "-$1,250", "-1250", "USD"},
		{"plus sign", "+1,250", "1250", ""},
		{"superscript cents", "$48<sup>10</sup>", "48.10", "USD"},
		{"small cents", `$48<small>.10</small>`, "48.10", "USD"},
		{"digits in inline blocks", `<span style="display:inline-block">4</span><span style="display:inline-block">8</span><span style="display:inline-block">2</span>`, "482", ""},
		{"currency by ::before", `<span class="m">48,210</span><style>.m::before{content:"$"}</style>`, "48210", "USD"},
		{"percent by ::after", `<span class="m">31.2</span><style>.m::after{content:"%"}</style>`, "31.2", "percent"},
		{"trend beside", `$48,210 <small style="color:green">+12%</small>`, "48210", "USD"},
		{"trend below", `$48,210<div><small>▲ 4.5% since last week</small></div>`, "48210", "USD"},
		{"old price struck out", `<s>$52,000</s> $48,210`, "48210", "USD"},
		{"unit in small", `48,210 <small>USD</small>`, "48210", "USD"},
		{"counts up, then stands", `<span id="m">0</span><script>let n=0;const t=setInterval(()=>{n=Math.min(48210,n+3000);m.textContent=n.toLocaleString('en');if(n==48210)clearInterval(t)},30)</script>`, "48210", ""},
		{"arrives after 600 ms", `<span id="m">–</span><script>fetch('/x/data?ms=600').then(()=>m.textContent='48,210')</script>`, "48210", ""},
		{"zero", "0", "0", ""},
		{"decimals", "4.75", "4.75", ""},
	} {
		fine := shown{name: "fine: " + s[0], html: card(s[1]), value: s[2], unit: s[3], is: mustPass}
		if strings.HasPrefix(s[0], "German") {
			fine.lang = "de"
		}
		out = append(out, fine)
	}
	for _, s := range [][2]string{
		{"label with a colon", `<p>Revenue: <b>$48,210</b></p>`},
		{"label beside, inline", `<p><span>Revenue</span> <strong>$48,210</strong></p>`},
		{"label behind", `<div class="card"><div class="n">$48,210</div><div>Revenue</div></div>`},
		{"label in capitals by style", `<div class="card"><h3 style="text-transform:uppercase">Revenue</h3><div class="n">$48,210</div></div>`},
		{"label with its unit", `<div class="card"><h3>Revenue (USD)</h3><div class="n">$48,210</div></div>`},
		{"table row", `<table><tr><th>Revenue</th><td>$48,210</td></tr></table>`},
		{"definition list", `<dl><dt>Revenue</dt><dd>$48,210</dd></dl>`},
		{"icon before the label", `<div class="card"><h3><svg width="12" height="12"></svg> Revenue</h3><div class="n">$48,210</div></div>`},
		{"flex row, label left", `<div class="card" style="display:flex;justify-content:space-between"><span>Revenue</span><b>$48,210</b></div>`},
		{"shadow root", `<div id="h"></div><script>h.attachShadow({mode:'open'}).innerHTML='<div><h3>Revenue</h3><div>$48,210</div></div>'</script>`},
		{"below the fold", `<div style="height:2000px"></div>` + card("$48,210")},
		{"another word has the label in it", card("$48,210") + `<div class="card"><h3>Revenue last year</h3><div class="n">$40,007</div></div>`},
	} {
		out = append(out, shown{name: "fine: " + s[0], html: s[1], value: "48210", unit: "USD", is: mustPass})
	}
	return out
}
