package tools_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// figure is one KPI on a generated page. In page, {L} is the label and
// {ID} an id of its own.
type figure struct {
	name, page string
	want, unit string // as the oracle gives it
	status     string // that it must get; "" for ok, "wrong" for anything else
	label      string // generated
}

// layouts are the shapes in which dashboards show a label with its value.
func layouts() map[string]string {
	return map[string]string{
		"card":      `<h3>{L}</h3><p class=v>{V}</p><small>▲ 3 % vs last week</small>`,
		"above":     `<p class=v>{V}</p><small>{L}</small>`,
		"list":      `<dl><dt>{L}</dt><dd>{V}</dd></dl>`,
		"one line":  `<p>{L}: {V}</p>`,
		"bold":      `<p><b>{L}</b> {V}</p>`,
		"spans":     `<div><span>{L}</span><span class=gap>{V}</span></div>`,
		"tight":     `<div><span>{L}</span><span>{V}</span></div>`,
		"row":       `<div class=row><span>{L}</span><span>{V}</span></div>`,
		"row up":    `<div class=row><span style="text-transform:uppercase">{L}</span><strong>{V}</strong></div>`,
		"grid":      `<div class=grid><div>{L}</div><div class=v>{V}</div></div>`,
		"table":     `<table><tr><th>{L}</th><td>{V}</td></tr></table>`,
		"columns":   `<table><tr><th>{L}</th></tr><tr><td>{V}</td></tr></table>`,
		"suffix":    `<h3>{L} (USD):</h3><p class=v>{V}</p>`,
		"item":      `<ul><li><span>▪</span> {L} <b>{V}</b></li></ul>`,
		"output":    `<label for={ID}>{L}</label> <output id={ID}>{V}</output>`,
		"inline":    `<div><span class=ib>{L}</span> <span class=ib>{V}</span></div>`,
		"shadow":    `<x-{ID}></x-{ID}><script>document.querySelector('x-{ID}').attachShadow({mode:'open'}).innerHTML='<h3>{L}</h3><p>{V}</p>'</script>`,
		"value one": `<div class=v>{V} <span style="font-size:12px">{L}</span></div>`,
	}
}

// rightFigures are shown as people read them, and right.
func rightFigures() []figure {
	var out []figure
	for _, name := range slices.Sorted(maps.Keys(layouts())) {
		page := layouts()[name]
		out = append(out, figure{name: name, page: strings.ReplaceAll(page, "{V}", "$1,234"), want: "$1,234"})
	}
	card := func(name, value, want, unit string) {
		out = append(out, figure{name: name, page: strings.ReplaceAll(layouts()["card"], "{V}", value), want: want, unit: unit})
	}
	card("rounded to millions", "1.23M", "1,234,567", "")
	card("rounded percent", "12.4%", "0.12361", "ratio")
	card("rounded thousands", "$12.3K", "12345.67", "USD")
	card("full for short", "$12,345", "$12.3K", "")
	card("cents", `$12<sup>99</sup>`, "12.99", "USD")
	card("small raised cents", `$1,234<span style="font-size:.5em;vertical-align:super">50</span>`, "$1,234.50", "")
	card("cents with a point", `$12<small>.99</small>`, "12.99", "USD")
	card("currency raised", `<sup>$</sup>12<sup>99</sup>`, "$12.99", "")
	card("currency of its own", `<span class=cur>€</span><span>1,078</span>`, "1078", "EUR")
	card("currency behind", `<span>1,078</span> <span>EUR</span>`, "1078", "EUR")
	card("inline blocks", `<span class=ib>1</span><span class=ib>,</span><span class=ib>0</span><span class=ib>7</span><span class=ib>8</span>`, "1078", "")
	card("one digit an element", `<i>4</i><i>2</i><i>1</i><i>7</i>`, "4217", "")
	card("flex digits", `<span style="display:inline-flex"><span>4</span><span>2</span><span>1</span><span>7</span></span>`, "4217", "")
	card("inline digits", `<span>3</span><span>7</span>`, "37", "")
	card("soft hyphens", "1&shy;2&shy;3&shy;4", "1234", "")
	card("zero-width spaces", "1&#8203;,2&#8203;34", "1234", "")
	card("thin spaces", "1&#8201;234&#8201;567", "1234567", "")
	card("narrow no-break space", "12&#8239;345.60&nbsp;€", "12345.60", "EUR")
	card("minus sign", "−1,234", "-1234", "")
	card("brackets", "(1,234)", "-1234", "")
	card("sign by CSS", `<span class=neg>1,234</span>`, "-1234", "")
	card("sign by CSS of an icon", `<i class=neg></i>1,234`, "-1234", "")
	card("currency by CSS", `<span class=usd>1,234</span>`, "$1,234", "")
	card("percent by CSS", `<span class=pct>12.4</span>`, "12.4%", "")
	card("unit by CSS", `<span class=k>12.3</span>`, "12300", "")
	card("struck out", `<s>$1,500</s> $1,234`, "$1,234", "")
	card("struck out by CSS", `<span class=old>$1,500</span> <b>$1,234</b>`, "$1,234", "")
	card("hidden beside it", `<span style="display:none">$9</span><span class=sr>dollars</span>$1,234`, "$1,234", "")
	card("aria-hidden digits", `<span aria-hidden=true>$1,234</span><span class=sr>1234 dollars</span>`, "$1,234", "")
	card("scrolled to", `<div style="height:40px;overflow:auto"><p>since May</p><p>and June</p><b>$1,234</b></div>`, "$1,234", "")
	card("half opacity", `<span style="opacity:.6">$1,234</span>`, "$1,234", "")
	card("gradient ink", `<span class=gradient>$1,234</span>`, "$1,234", "")
	card("white on dark", `<span style="background:#222;color:#fff">$1,234</span>`, "$1,234", "")
	card("fullwidth", "１，２３４", "1234", "")
	card("Arabic digits", "١٬٢٣٤", "1234", "")
	card("unit of its own", `<b>340</b> <small>ms</small>`, "340 ms", "")
	card("hours", "12 h", "12h", "")
	card("counted", "1,234 orders", "1,234 orders", "")
	card("footnote", "$1,234<sup>1</sup>", "$1,234", "")
	card("a no-wrap span in a link", `<a href="#"><span style="white-space:nowrap">$ 1,234</span></a>`, "$1,234", "")
	out = append(out,
		figure{name: "definition in one line with another", page: `<p>Shops: 12 · {L}: 1,078 · Towns: 7</p>`, want: "1078"},
		figure{name: "inline with others", page: `<div><span>Shops</span> <b>12</b> <span>{L}</span> <b>1,078</b></div>`, want: "1078"},
		figure{name: "beside another that contains it", page: `<div><h3>{L} per user</h3><p>12</p></div><div><h3>{L}</h3><p>1,078</p></div>`, want: "1078"},
		figure{name: "tabs and icon", page: `<h3>{L} <i class=icon aria-hidden=true>trending_up</i></h3><p class=v>1,078</p>`, want: "1078"},
	)
	return out
}

// wrongFigures are not what the oracle says, or nobody can see that they are.
func wrongFigures() []figure {
	var out []figure
	for _, name := range slices.Sorted(maps.Keys(layouts())) {
		page := layouts()[name]
		out = append(out, figure{name: "one off: " + name, page: strings.ReplaceAll(page, "{V}", "$1,235"), want: "$1,234", status: "mismatch"})
	}
	card := func(status, name, value, want, unit string) {
		out = append(out, figure{name: name, page: strings.ReplaceAll(layouts()["card"], "{V}", value), want: want, unit: unit, status: status})
	}
	card("mismatch", "one off: percent", "12.5%", "12.4%", "")
	card("mismatch", "one off: euros", "€99.91", "€99.90", "")
	card("mismatch", "one off: groups", "1,234,568", "1,234,567", "")
	card("mismatch", "one off: short", "$1.3M", "$1.2M", "")
	card("mismatch", "one off: thousands", "12.4K", "12.3K", "")
	card("mismatch", "one off: brackets", "(1,235)", "(1,234)", "")
	card("mismatch", "one off: word", "341 ms", "340 ms", "")
	card("mismatch", "cut off", "1.23M", "1,236,000", "")
	card("mismatch", "another unit", "340 s", "340 ms", "")
	card("mismatch", "percent for money", "12%", "$12", "")
	card("mismatch", "money for percent", "$12", "12%", "")
	card("mismatch", "sign by CSS", `<span class=neg>1,234</span>`, "1234", "")
	card("mismatch", "sign by CSS of an icon", `<i class=neg></i>1,234`, "1234", "")
	card("mismatch", "sign by CSS behind", `<span class=negafter>1,234</span>`, "1234", "")
	card("mismatch", "sign on the frame around", `<span class=neg style="display:inline-flex"><span>1,234</span></span>`, "1234", "")
	card("mismatch", "brackets by CSS", `<span class=paren>1,234</span>`, "1234", "")
	card("mismatch", "thousands by CSS", `<span class=k>12</span>`, "12", "")
	card("mismatch", "currency by CSS", `<span class=usd>1,234</span>`, "1234", "EUR")
	card("wrong", "digit by CSS", `<span class=nine>1,234</span>`, "1234", "")
	card("mismatch", "percent by CSS", `<span class=pct>12</span>`, "$12", "")
	card("wrong", "counter by CSS", `<span class=count>1</span>`, "1", "")
	card("mismatch", "sign in its own element", `<span>−</span><span>1,234</span>`, "1234", "")
	card("mismatch", "en dash for a minus", "–1,234", "1234", "")
	card("wrong", "letter O for 0", "1O0", "1", "")
	card("wrong", "letter O at the end", "1,23O", "123", "")
	card("wrong", "letter O behind the figure", "1,234O", "1234", "")
	card("wrong", "letter l for 1", "l,234", "234", "")
	card("wrong", "letter l behind", "1,234l", "1234", "")
	card("wrong", "letter I in front", "I234", "234", "")
	card("wrong", "Cyrillic О", "1,234О", "1234", "")
	card("wrong", "Cyrillic З", "З12", "12", "")
	card("wrong", "mixed scripts", "1２34", "1234", "")
	card("wrong", "mixed Arabic", "12٣4", "1234", "")
	card("wrong", "decimals of letters", "12.O5", "12", "")
	card("wrong", "letter within", "12S4", "12", "")
	card("mismatch", "struck right, wrong now", `<s>$1,234</s> $999`, "$1,234", "")
	card("missing", "struck only", `<s>$1,234</s>`, "$1,234", "")
	card("missing", "struck by CSS", `<span class=old>$1,234</span>`, "$1,234", "")
	card("missing", "struck by a parent", `<div class=old><span>$1,234</span></div>`, "$1,234", "")
	card("missing", "struck by a line", `<span class=line>$1,234</span>`, "$1,234", "")
	hidings := map[string]string{
		"opacity 0": "opacity:0", "visibility": "visibility:hidden", "transparent ink": "color:transparent", "no ink": "-webkit-text-fill-color:transparent", "white on white": "color:#fff",
		"off-screen": "position:absolute;left:-9999px", "above the page": "position:absolute;top:-9000px", "clip-path": "display:inline-block;clip-path:inset(50%)", "font size 0": "font-size:0",
		"scaled to nothing": "display:inline-block;transform:scale(0)", "indented away": "display:block;text-indent:-9999px;overflow:hidden", "no height": "display:block;height:0;overflow:hidden",
		"for screen readers": "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)", "display": "display:none",
	}
	for _, name := range slices.Sorted(maps.Keys(hidings)) {
		style := hidings[name]
		card("missing", "unseen: "+name, `<span style="`+style+`">$1,234</span>`, "$1,234", "")
		card("mismatch", "unseen beside a wrong one: "+name, `<span style="`+style+`">$1,234</span><b>$999</b>`, "$1,234", "")
	}
	card("missing", "an option that is not chosen", `<select><option>all<option>$1,234</select>`, "$1,234", "")
	card("wrong", "said to screen readers only", `<span role=img aria-label="{L}: $1,234">▇▇▇</span>`, "$1,234", "")
	card("mismatch", "cents missing", `$12<sup>99</sup>`, "12", "USD")
	card("mismatch", "cents read as hundreds", `$12<sup>99</sup>`, "1299", "USD")
	card("mismatch", "inline block digit wrong", `<span class=ib>1</span><span class=ib>0</span><span class=ib>7</span><span class=ib>9</span>`, "1078", "")
	card("mismatch", "first of inline blocks", `<span class=ib>1</span><span class=ib>0</span>`, "1", "")
	card("mismatch", "last of inline blocks", `<span class=ib>1</span><span class=ib>0</span>`, "0", "")
	card("ambiguous", "odometer", `<span class=drum><span class=reel style="--d:3"><span>0<br>1<br>2<br>3<br>4<br>5<br>6<br>7<br>8<br>9</span></span><span class=reel style="--d:7"><span>0<br>1<br>2<br>3<br>4<br>5<br>6<br>7<br>8<br>9</span></span></span>`, "37", "")
	card("ambiguous", "odometer, another digit", `<span class=drum><span class=reel style="--d:3"><span>0<br>1<br>2<br>3<br>4<br>5<br>6<br>7<br>8<br>9</span></span><span class=reel style="--d:7"><span>0<br>1<br>2<br>3<br>4<br>5<br>6<br>7<br>8<br>9</span></span></span>`, "38", "")
	card("ambiguous", "mirrored", `<span class=ib style="transform:scaleX(-1)">1,078</span>`, "1078", "")
	card("ambiguous", "mirrored around it", `<div style="scale:-1 1"><b>1,078</b></div>`, "8701", "")
	card("ambiguous", "upside down", `<span class=ib style="rotate:180deg">1,069</span>`, "1069", "")
	card("mismatch", "turned a little", `<span class=ib style="rotate:2deg">1,069</span>`, "1070", "")
	card("ambiguous", "from right to left", `<bdo dir=rtl>1,078</bdo>`, "1078", "")
	card("ambiguous", "counter of CSS alone", `<span class=count></span>`, "8", "")
	card("ambiguous", "picture of digits", `<img alt="" width=80 height=28 src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='80' height='28'%3E%3Ctext y='22'%3E1,078%3C/text%3E%3C/svg%3E">`, "1078", "")
	card("ambiguous", "letter of the SI", "2.0G", "2", "")
	card("ambiguous", "power of ten", "1.2×10⁶", "1.2", "")
	card("ambiguous", "about", "≈ 1,234", "1,234", "")
	card("ambiguous", "over", "over 9,000", "9,000", "")
	card("mismatch", "basis points", "125 bps", "125", "percent")
	card("ambiguous", "other dollars", "CA$1,234", "$1,234", "")
	out = append(out,
		figure{name: "part: per user", page: `<h3>{L} per user</h3><p>1,078</p>`, want: "1078", status: "ambiguous"},
		figure{name: "part: net", page: `<h3>Net {L}</h3><p>1,078</p>`, want: "1078", status: "ambiguous"},
		figure{name: "part: net, in a line", page: `<p>Net {L}: 1,078</p>`, want: "1078", status: "ambiguous"},
		figure{name: "part: growth, in a line", page: `<p>{L} growth: 1,078</p>`, want: "1078", status: "ambiguous"},
		figure{name: "part: list", page: `<dl><dt>{L} target</dt><dd>1,078</dd></dl>`, want: "1078", status: "ambiguous"},
		figure{name: "part: table", page: `<table><tr><th>Gross {L}</th><td>1,078</td></tr></table>`, want: "1078", status: "ambiguous"},
		figure{name: "part: per, in brackets", page: `<h3>{L} (per user)</h3><p>1,078</p>`, want: "1078", status: "ambiguous"},
		figure{name: "part: side by side", page: `<div><span>Avg. {L}</span> <b>1,078</b></div>`, want: "1078", status: "ambiguous"},
		figure{name: "minus behind the label", page: `<p>{L} –1,234</p>`, want: "1234", status: "mismatch"},
		figure{name: "minus behind the colon", page: `<p>{L}: – 1,234</p>`, want: "1234", status: "mismatch"},
		figure{name: "in another's line", page: `<div><span>{L}</span> <b>12</b> <span>Shops</span> <b>1,078</b></div>`, want: "1078", status: "mismatch"},
		figure{name: "label alone", page: `<h3>{L}</h3>`, want: "1078", status: "missing"},
		figure{name: "not there", page: `<p>nothing</p>`, want: "1078", status: "missing"},
	)
	return out
}

const figureStyle = `<style>section{border:1px solid #ccc;margin:8px;padding:8px;width:320px;background:#fff;color:#111;position:relative} h3,small{font-size:12px;margin:2px} .v{font-size:28px;margin:2px}
	.row{display:flex;justify-content:space-between} .grid{display:grid;grid-template-columns:1fr} .ib{display:inline-block} .gap{margin-left:8px} .cur{margin-right:3px}
	.neg::before{content:'−'} .negafter::after{content:'-'} .paren::before{content:'('} .paren::after{content:')'} .k::after{content:'K'} .usd::before{content:'$'} .pct::after{content:'%'} .nine::after{content:'9'}
	.count{counter-reset:n 7} .count::after{content:counter(n)} .old{text-decoration:line-through} .line{position:relative} .line::after{content:'';position:absolute;left:0;right:0;top:50%;border-top:2px solid red}
	.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)} .gradient{background:linear-gradient(#00f,#f00);-webkit-background-clip:text;color:transparent}
	.drum{display:inline-flex;font:28px/32px monospace} .reel{display:inline-block;height:32px;overflow:hidden} .reel>span{display:block;transform:translateY(calc(var(--d) * -32px))} .icon{font-family:"Material Icons"}</style>`

// figuresPerPage is how many KPIs a generated page has.
const figuresPerPage = 40

// checkFigures lays the figures out on pages, checks them, and returns what
// each got.
func checkFigures(t *testing.T, record *recording, all []figure) map[string]string {
	t.Helper()
	d, next, got := online(t), turns(t), map[string]string{}
	for from := 0; from < len(all); from += figuresPerPage {
		some := all[from:min(len(all), from+figuresPerPage)]
		page, values, units := "<!doctype html><html lang=en><title>Figures</title>"+figureStyle+"<main>", map[string]string{}, map[string]string{}
		for i := range some {
			f := &some[i]
			n := from + i
			f.label = string("BDFGKLMNPRST"[n%12]) + string("aeiou"[n/12%5]) + string("bdglmnrtvz"[n/60%10]) + "exo"
			page += "\n<section>" + strings.NewReplacer("{L}", f.label, "{ID}", fmt.Sprintf("k%d", n)).Replace(f.page) + "</section>"
			values[f.label] = f.want
			if f.unit != "" {
				units[f.label] = f.unit
			}
		}
		d.ok("page_navigate", `{"url": %q}`, next(page+"</main>"))
		record.add(d, fmt.Sprintf("figures %s to %s", some[0].name, some[len(some)-1].name), recordedFigures(some)...)
		spec, err := json.Marshal(qa.KPISpec{Type: qa.StaticValues, Values: values, Units: units})
		if err != nil {
			t.Fatal(err)
		}
		found := rows(d.ok("check_kpis", `{"timeout_ms": 100, "spec": %s}`, spec))
		for _, f := range some {
			row := found[f.label+"/"]
			got[f.name] = string(row.Status)
			t.Logf("%-40s %-10s %q for %q", f.name, row.Status, row.Observed, f.want)
		}
	}
	return got
}

// recordedFigures are what a recording says of figures.
func recordedFigures(all []figure) (out []recordedFigure) {
	for _, f := range all {
		out = append(out, recordedFigure{Label: f.label, Want: f.want, Unit: f.unit, Status: qa.KPIStatus(cmp.Or(f.status, string(qa.KPIOk)))})
	}
	return out
}

// Issue 14, item 5, promise 1: of generated pages of many layouts each wrong
// figure is caught, and each right one holds.
func TestFiguresCorpus(t *testing.T) {
	t.Parallel()
	right, wrong := rightFigures(), wrongFigures()
	if len(right) < 40 || len(wrong) < 72 {
		t.Fatalf("%d right and %d wrong figures", len(right), len(wrong))
	}
	some := func(all []figure, n int) (out []figure) {
		for i, f := range all {
			if sampled(i+1, n) { // with these the page shows how it writes decimals
				out = append(out, f)
			}
		}
		return out
	}
	right, wrong = some(right, 4), some(wrong, 6)
	var record recording
	defer record.write(t, "figures.jsonl")
	held := 0
	for name, status := range checkFigures(t, &record, right) {
		if status == "ok" {
			held++
		} else {
			t.Errorf("right, but %s: %s", status, name)
		}
	}
	caught, statuses := 0, checkFigures(t, &record, wrong)
	for _, f := range wrong {
		status := statuses[f.name]
		if status != "ok" && status != "" {
			caught++
		}
		if status == "ok" || status == "" || f.status != "wrong" && status != f.status {
			t.Errorf("%s: %q, want %s", f.name, status, f.status)
		}
	}
	t.Logf("%d of %d right figures hold, %d of %d wrong ones are caught", held, len(right), caught, len(wrong))
}
