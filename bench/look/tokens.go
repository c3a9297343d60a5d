package look

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// token describes a figure with a sign or word at it: %s is the plain figure in the page's language.
type token struct {
	lang, shown, expected, unit string
	is                          truth
}

// tokenCells makes figures whose signs each must be accounted for, and places where label and value are not what
// stands beside each other in the document.
func tokenCells(p *parts) {
	all := append(append(inexact(), scaled()...), foreign()...)
	byLang := map[string][]token{}
	var langs []string
	for _, t := range all {
		if byLang[t.lang] == nil {
			langs = append(langs, t.lang)
		}
		byLang[t.lang] = append(byLang[t.lang], t)
	}
	for _, lang := range langs {
		for at := 0; at < len(byLang[lang]); at += 12 {
			some := byLang[lang][at:min(at+12, len(byLang[lang]))]
			var b strings.Builder
			b.WriteString("<h1>Board</h1>")
			path := fmt.Sprintf("/tokens/%s/%d", lang, at)
			values, units := map[string]string{}, map[string]string{}
			for k, t := range some {
				values[figureLabel(k)] = t.expected
				if t.unit != "" {
					units[figureLabel(k)] = t.unit
				}
			}
			for k, t := range some {
				label := figureLabel(k)
				fmt.Fprintf(&b, `<div style="border:1px solid #ccc;padding:8px;width:320px;margin:6px"><h3 style="margin:0">%s</h3><div>%s</div></div>`, label, t.shown)
				p.cell(cell{Class: "tokens", Way: fmt.Sprintf("%s (%s) for %s %s", t.shown, lang, t.expected, t.unit), Tool: "check_kpis", Page: path, About: t.shown, Truth: t.is, ask: figureAmong(label, values, units)})
			}
			p.page(path, listing(lang, "Board", b.String()))
		}
	}
	placedFigures(p)
}

// figureAmong compares all figures of a page at once, and says what came of one.
func figureAmong(label string, values, units map[string]string) question {
	return func(w *worker, page string) (outcome, string, error) {
		if w.figuresAt != page {
			w.figuresAt, w.figures = "", map[string]string{}
			if err := w.open(page); err != nil {
				return "", "", err
			}
			a, err := w.call("check_kpis", map[string]any{"spec": map[string]any{"type": "staticValues", "values": values, "units": units}, "timeout_ms": 300})
			if err != nil {
				return "", "", err
			}
			var d struct {
				KPITable []struct{ Label, Status, Observed string }
			}
			if !a.ok {
				return refused, short(a.Text), nil
			}
			if err := json.Unmarshal(a.data, &d); err != nil {
				return "", "", err
			}
			for _, row := range d.KPITable {
				w.figures[row.Label] = row.Status
			}
			w.figuresAt = page
		}
		switch status := w.figures[label]; status {
		case "":
			return refused, "no line of the table has the label", nil
		case "ok":
			return passed, status, nil
		case "mismatch", "missing":
			return failed, status, nil
		default:
			return inconclusive, status, nil
		}
	}
}

// figureLabel returns a label that no other has in it.
func figureLabel(k int) string {
	return among(wordsOf("Domaro | Fenilo | Gastu | Kelvona | Lumera | Mirosa | Nalito | Perundo | Rovika | Sutera | Tolbin | Zamoro"), k)
}

// inexact lists figures that a sign or word makes less than certain.
func inexact() []token {
	var out []token
	written := map[string][2]string{"en": {"1,348", "≈ %s | ~%s | about %s | approx. %s | over %s | under %s | up to %s | nearly %s | at least %s | < %s | > %s | ≥ %s | %s+ | max. %s"},
		"de": {"1.348", "≈ %s | ca. %s | rund %s | etwa %s | über %s | unter %s | bis zu %s | fast %s | mindestens %s | < %s"},
		"fr": {"1 348", "≈ %s | environ %s | plus de %s | moins de %s | jusqu’à %s | près de %s"},
		"es": {"13.480", "≈ %s | unos %s | más de %s | menos de %s | casi %s | hasta %s"},
		"pt": {"1.348", "cerca de %s | mais de %s | quase %s"}, "nl": {"1.348", "circa %s | meer dan %s | bijna %s"}, "it": {"1.348", "circa %s | oltre %s | quasi %s"},
		"fi": {"1 348", "yli %s | noin %s | %s enintään"}, "hu": {"1348", "több mint %s | kb. %s | %s alatt"}, "tr": {"1.348", "en az %s | yaklaşık %s | %s üzerinde"}, "el": {"1.348", "πάνω από %s | περίπου %s"},
		"he": {"1,348", "מעל %s | לפחות %s"}, "hi": {"1,348", "लगभग %s | %s से अधिक"}, "sw": {"1,348", "zaidi ya %s | karibu %s"}, "vi": {"1.348", "hơn %s | dưới %s"}, "uk": {"1348", "понад %s | близько %s"}, "eu": {"1.348", "ia %s | %s baino gehiago"}}
	for _, lang := range slices.Sorted(maps.Keys(written)) {
		signs := written[lang]
		for _, s := range wordsOf(signs[1]) {
			expected := "1348"
			if lang == "es" {
				expected = "13480"
			}
			out = append(out, token{lang, strings.Replace(s, "%s", signs[0], 1), expected, "", mustOpen})
		}
	}
	return out
}

// scaled lists figures with a scale: what Intl writes, what people write beside, and letters that have several
// meanings.
func scaled() []token {
	return []token{
		{"en", "3.4G", "3.4", "", notPass}, {"en", "3.4G", "3400000000", "", notFail}, {"en", "718m", "0.718", "", notFail}, {"en", "718m", "718", "", notPass}, {"en", "6.1µ", "6.1", "", notPass}, {"en", "9n", "9", "", notPass},
		{"en", "2.2P", "2200000000000000", "", notFail}, {"en", "2.2P", "2.2", "", notPass}, {"en", "7.5E", "7.5", "", notPass}, {"en", "3.1×10⁵", "3.1", "", notPass}, {"en", "3.1×10⁵", "310000", "", notFail}, {"en", "3.1e5", "3.1", "", notPass},
		{"en", "85 bps", "85", "percent", notPass}, {"en", "85 bps", "0.85", "percent", notFail}, {"en", "40 bp", "40", "percent", notPass}, {"en", "12 pp", "12", "percent", notPass}, {"en", "6‰", "6", "percent", notPass}, {"en", "6‰", "0.6", "percent", notFail},
		{"en", "€3.6bn", "3600000000", "EUR", mustPass}, {"en", "€3.6bn", "3600000", "EUR", mustFail}, {"en", "$7.25mn", "7250000", "USD", mustPass}, {"en", "$7.25mn", "7.25", "USD", notPass}, {"en", "£410k", "410000", "GBP", mustPass}, {"en", "£410k", "410", "GBP", notPass},
		{"en-IN", "6 lakh", "600000", "", mustPass}, {"en-IN", "6 lakh", "6", "", notPass}, {"en-IN", "4.5 crore", "45000000", "", mustPass}, {"en-IN", "4.5 crore", "4500000", "", mustFail}, {"en-IN", "₹2.75 Cr", "27500000", "INR", notFail}, {"en-IN", "₹9,87,654", "987654", "INR", mustPass},
		{"de", "730 T€", "730000", "EUR", mustPass}, {"de", "730 T€", "730", "EUR", notPass}, {"de", "730 T€", "730000000000000", "EUR", notPass}, {"de", "48 TEUR", "48000", "EUR", mustPass}, {"de", "48 TEUR", "48", "EUR", notPass},
		{"de", "9,4 Mio. €", "9400000", "EUR", mustPass}, {"de", "9,4 Mio. €", "9.4", "EUR", notPass}, {"de", "2,75 Mrd. €", "2750000000", "EUR", mustPass}, {"de", "2,75 Mrd. €", "2750000", "EUR", mustFail}, {"de", "87 Tsd.", "87000", "", notFail}, {"de", "87 Tsd.", "87", "", notPass},
		{"de", "5678-", "-5678", "", notFail}, {"de", "5678-", "5678", "", notPass}, {"fr", "4,2 M€", "4200000", "EUR", notFail}, {"fr", "4,2 M€", "4.2", "EUR", notPass}, {"fr", "650 k€", "650000", "EUR", notFail}, {"fr", "650 k€", "650", "EUR", notPass},
		{"fr", "3,8 Md€", "3800000000", "EUR", notFail}, {"fr", "3,8 Md€", "3800000", "EUR", notPass}, {"es", "5,6 M €", "5600000", "EUR", notFail}, {"es", "5,6 M €", "5.6", "EUR", notPass}, {"es", "12 mil", "12000", "", mustPass}, {"es", "12 mil", "12", "", notPass},
		{"pt", "R$ 8,3 mi", "8300000", "BRL", mustPass}, {"pt", "R$ 8,3 mi", "8300", "BRL", mustFail}, {"ja", "3.2万", "32000", "", mustPass}, {"ja", "3.2万", "3.2", "", notPass}, {"ja", "45億", "4500000000", "", mustPass}, {"ja", "45億", "450000000", "", mustFail},
		{"zh", "6.8万", "68000", "", mustPass}, {"zh", "6.8万", "6800", "", mustFail}, {"ko", "7.1만", "71000", "", mustPass}, {"ko", "7.1만", "71", "", notPass}, {"sv", "2,4 mn", "2400000", "", mustPass}, {"sv", "2,4 mn", "2.4", "", notPass},
		{"nl", "6,3 mln.", "6300000", "", mustPass}, {"nl", "6,3 mln.", "6300", "", mustFail}, {"pl", "5,7 mln", "5700000", "", mustPass}, {"pl", "5,7 mln", "5.7", "", notPass}, {"ru", "8,2 млн", "8200000", "", mustPass}, {"ru", "8,2 млн", "8200", "", mustFail},
		{"en", "14%", "14", "percent", mustPass}, {"en", "14%", "15", "percent", mustFail}, {"en", "−72", "-72", "", mustPass}, {"en", "−72", "72", "", mustFail}, {"en", "27,450", "27450", "", mustPass}, {"en", "27,450", "27540", "", mustFail},
		{"de", "27.450", "27450", "", mustPass}, {"de", "27.450", "27.45", "", mustFail}, {"de", "27,45", "27.45", "", mustPass}, {"de", "27,45", "2745", "", mustFail}, {"fr", "27 450,5", "27450.5", "", mustPass}, {"fr", "27 450,5", "274505", "", mustFail},
	}
}

// foreign lists amounts of currencies that share a sign.
func foreign() []token {
	var out []token
	for _, s := range [][2]string{{"CA$", "CAD"}, {"A$", "AUD"}, {"NZ$", "NZD"}, {"HK$", "HKD"}, {"S$", "SGD"}, {"R$", "BRL"}, {"MX$", "MXN"}, {"NT$", "TWD"}} {
		out = append(out, token{"en", s[0] + "6,420", "6420", "USD", notPass}, token{"en", s[0] + "6,420", "6420", s[1], notFail}, token{"en", s[0] + "6,420", "$6,420", "", notPass})
	}
	return append(out, token{"en", "US$6,420", "6420", "USD", mustPass}, token{"en", "US$6,420", "6402", "USD", mustFail}, token{"en", "$6,420", "6420", "USD", mustPass}, token{"en", "£6,420", "6420", "USD", mustFail}, token{"en", "6,420 €", "6420", "USD", mustFail},
		token{"ja", "￥6,420", "6420", "JPY", mustPass}, token{"zh", "¥6,420", "6420", "CNY", notFail}, token{"sv", "6 420 kr", "6420", "SEK", notFail}, token{"nb", "6 420 kr", "6420", "NOK", notFail}, token{"de-CH", "CHF 6’420", "6420", "CHF", mustPass}, token{"pl", "6420 zł", "6420", "PLN", mustPass}, token{"en", "₺6,420", "6420", "USD", mustFail})
}

// placedFigures makes figures whose place or paint decides what belongs to which label.
func placedFigures(p *parts) {
	n := 0
	add := func(way, body, label, expected string, must truth, selectors map[string]string) {
		path := fmt.Sprintf("/placed/%d", n)
		n++
		p.page(path, listing("en", "Board", "<h1>Board</h1>"+body))
		p.cell(cell{Class: "tokens", Way: way + ", expected " + expected, Tool: "check_kpis", Page: path, About: short(body), Truth: must, ask: kpisWithin(200, map[string]string{label: expected}, nil, selectors)})
	}
	digits := func(s string) string {
		var b strings.Builder
		for _, d := range s {
			fmt.Fprintf(&b, `<span style="display:inline-block;height:20px;overflow:hidden;line-height:20px"><span style="display:block;transform:translateY(-%dpx)">0<br>1<br>2<br>3<br>4<br>5<br>6<br>7<br>8<br>9</span></span>`, int(d-'0')*20)
		}
		return b.String()
	}
	for i, v := range [][3]string{{"Tickets", "7,318", "7381"}, {"Einsätze", "926", "962"}, {"Colis", "41", "14"}, {"Pedidos", "3,055", "3505"}} {
		plain := strings.ReplaceAll(v[1], ",", "")
		cardOf := func(value string) string {
			return `<div style="width:280px;border:1px solid #ccc;padding:8px"><h3>` + v[0] + `</h3><div>` + value + `</div></div>`
		}
		two := func(a, b string) string {
			return `<section><h2>This week</h2>` + cardOf(a) + `</section><section><h2>Last week</h2>` + cardOf(b) + `</section>`
		}
		add("twice by its name", two(v[1], "8,001"), v[0], plain, mustOpen, nil)
		add("twice by its name, none of them", two("5,550", "8,001"), v[0], plain, notPass, nil)
		add("named with its group", two(v[1], "8,001"), "This week / "+v[0], plain, mustPass, nil)
		add("named with its group, wrong", two(v[1], "8,001"), "This week / "+v[0], v[2], mustFail, nil)
		add("named with the other group", two("8,001", v[1]), "This week / "+v[0], plain, mustFail, nil)
		add("by a selector", two(v[1], "8,001"), v[0], plain, mustPass, map[string]string{v[0]: "section:nth-of-type(1) h3 + div"})
		add("by a selector, wrong", two(v[1], "8,001"), v[0], plain, mustFail, map[string]string{v[0]: "section:nth-of-type(2) h3 + div"})
		add("mirrored", cardOf(`<span style="display:inline-block;transform:scaleX(-1)">`+v[1]+`</span>`), v[0], plain, mustOpen, nil)
		add("rolling digits", cardOf(digits(plain)), v[0], plain, notFail, nil)
		add("rolling digits, wrong", cardOf(digits(v[2])), v[0], plain, notPass, nil)
		add("a counter of the style", cardOf(`<style>#c`+fmt.Sprint(i)+`{counter-reset:n `+plain+`}#c`+fmt.Sprint(i)+`::after{content:counter(n)}</style><span id="c`+fmt.Sprint(i)+`"></span>`), v[0], plain, notFail, nil)
		add("a counter of the style, wrong", cardOf(`<style>#c`+fmt.Sprint(i)+`{counter-reset:n `+v[2]+`}#c`+fmt.Sprint(i)+`::after{content:counter(n)}</style><span id="c`+fmt.Sprint(i)+`"></span>`), v[0], plain, notPass, nil)
		for _, sign := range []string{`<canvas width="11" height="20" style="vertical-align:bottom"></canvas>`, `<svg width="11" height="20" style="vertical-align:bottom"><path d="M5 0V20"/></svg>`} {
			add("a picture of a digit before it", cardOf(sign+v[1]), v[0], plain, mustOpen, nil)
			add("a picture of a digit behind it", cardOf(v[1]+sign), v[0], plain, mustOpen, nil)
		}
		add("an icon before it", cardOf(`<svg width="20" height="20" style="vertical-align:bottom"><path d="M5 0V20"/></svg> `+v[1]), v[0], plain, mustPass, nil)
		add("a fraction put together", cardOf(fmt.Sprint(i+1)+`<sup>3</sup>⁄<sub>4</sub>`), v[0], fmt.Sprintf("%d.75", i+1), notFail, nil)
		add("a fraction put together, its digits", cardOf(fmt.Sprint(i+1)+`<sup>3</sup>⁄<sub>4</sub>`), v[0], fmt.Sprintf("%d3", i+1), notPass, nil)
		add("a fraction of MathML", cardOf(fmt.Sprintf(`<math><mn>%d</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math>`, i+1)), v[0], fmt.Sprintf("%d.5", i+1), notFail, nil)
		add("cut by the style that writes it", cardOf(`<style>#p`+fmt.Sprint(i)+`::after{content:"`+plain+`";display:inline-block;width:12px;overflow:clip}</style><span id="p`+fmt.Sprint(i)+`"></span>`), v[0], plain, notPass, nil)
		inLine := `<p>` + v[0] + `: 44 (<b id="in">` + v[1] + `</b> last year) at most</p>`
		add("a bound in a line", inLine, v[0], "44", mustOpen, nil)
		add("an element inside a line", inLine, v[0], plain, mustPass, map[string]string{v[0]: "#in"})
		add("an element inside a line, wrong", inLine, v[0], v[2], mustFail, map[string]string{v[0]: "#in"})
		add("in a picture", cardOf(`<canvas width="120" height="30"></canvas><script>{const c=document.querySelector('canvas').getContext('2d');c.font='20px sans-serif';c.fillText('`+v[1]+`',2,22)}</script>`), v[0], plain, notFail, nil)
		pinned := func(value string) string {
			return `<div style="display:flex"><div style="width:140px"><div style="height:30px">Other</div><div style="height:30px">` + v[0] + `</div><div style="height:30px">Rest</div></div><div style="width:140px"><div style="height:30px">11,111</div><div style="height:30px">` + value + `</div><div style="height:30px">22,222</div></div></div>`
		}
		add("a pinned column", pinned(v[1]), v[0], plain, mustPass, nil)
		add("a pinned column, wrong", pinned("33,333"), v[0], plain, mustFail, nil)
		add("a pinned column, the neighbour's", pinned("33,333"), v[0], "11111", mustFail, nil)
		add("the value above its label", `<div style="width:280px;border:1px solid #ccc;padding:8px"><div style="font-size:28px">`+v[1]+`</div><div>`+v[0]+`</div></div>`, v[0], plain, mustPass, nil)
		add("the value above its label, wrong", `<div style="width:280px;border:1px solid #ccc;padding:8px"><div style="font-size:28px">`+v[1]+`</div><div>`+v[0]+`</div></div>`, v[0], v[2], mustFail, nil)
		odd := cardOf("$318,000") + `<div style="width:280px;border:1px solid #ccc;padding:8px"><h3>Rate</h3><div>` + among(wordsOf("0,75 | 12,5% | 3,4 | 0,08"), i) + `</div></div>`
		add("beside a figure with a decimal comma", odd, v[0], "318", notPass, nil)
		add("beside a figure with a decimal comma, right", odd, v[0], "318000", notFail, nil)
	}
}
