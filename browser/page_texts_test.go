package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
)

// Issue item 4: one pass reads every run of text with its element, frames and
// open shadow roots included; what dresses a text does not split it, and the
// page can't bend what is read.
func TestReadings(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<html lang=de><h3>Revenue</h3><p id=v data-kpi=Revenue><span>$</span><b>12</b><sup>.3K</sup></p>
		<table><tr><th>A<th colspan=2>B<th>C<tr><td>1<td>2<td>3<td>4</table>
		<div role=img aria-label="Orders: 321">x</div><svg width=50 height=50><g><title>Fri: 7</title><rect width=9 height=9 /></g></svg><canvas></canvas><i style="display:block;width:50px;height:20px;background:linear-gradient(red,blue)"></i>
		<form id=f><input name=parentNode><input name=getBoundingClientRect><input name=getAttribute value=no><p>99</p></form>
		<p style="display:none">hidden 1</p><p aria-hidden=true>drawn 2</p><p style="opacity:0">faint 4</p><input type=password readonly value=123456><input readonly value="555">
		<p style="-webkit-text-security:disc">7771</p><p>&#x202e;7772&#x202c;</p><k-k></k-k><iframe title=F srcdoc="<p>inside 8</p>"></iframe><script>
		document.querySelector('k-k').attachShadow({mode:'open'}).innerHTML = '<p>shadow 5</p>'
		Range.prototype.getBoundingClientRect = Element.prototype.getBoundingClientRect = () => ({x: 1e6, y: 1e6, width: 1, height: 1})
		Element.prototype.getAttribute = () => 'forged'
		Intl.NumberFormat = function () { return { formatToParts: () => [] } }</script>`)
	r, err := s.Readings(within30s(t), "", 10*time.Second, "tr")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Reading{}
	for _, x := range r.Texts {
		found[x.Kind+" "+x.Text] = x
		if x.X > 1e5 {
			t.Errorf("%q stands where the page says it does", x.Text)
		}
	}
	for _, want := range []string{"text Revenue", "text $12.3K", "text 1", "text 4", "name Orders: 321", "title Fri: 7", "text 99", "text 555", "text shadow 5", "text inside 8", "text drawn 2", "unseen faint 4"} {
		if _, ok := found[want]; !ok {
			t.Errorf("%q is not read", want)
		}
	}
	for text := range found {
		if strings.Contains(text, "hidden") || strings.Contains(text, "123456") || strings.Contains(text, "forged") {
			t.Errorf("read: %q", text)
		}
	}
	if !slices.ContainsFunc(r.Texts, func(x Reading) bool { return x.Doubt == "a picture of its style" }) {
		t.Errorf("what a style paints is no picture: %+v", found)
	}
	for _, text := range []string{"text 7771", "text 7772"} {
		if found[text].Doubt == "" {
			t.Errorf("%q is seen otherwise than it is written: %+v", text, found[text])
		}
	}
	value := found["text $12.3K"]
	if b := r.Boxes[value.Box]; b.KPI != "Revenue" || b.ID != "v" || value.Selector != `css=[data-kpi="Revenue"]` || value.W < 10 || value.Font != 16 {
		t.Errorf("%+v in %+v", value, b)
	}
	column := func(text string) int {
		for b := found[text].Box; b >= 0; b = r.Boxes[b].Parent {
			if r.Boxes[b].Col >= 0 {
				return r.Boxes[b].Col
			}
		}
		return -1
	}
	if column("text C") != 3 || column("text 4") != 3 || column("text 2") != 1 {
		t.Errorf("columns %d %d %d", column("text C"), column("text 4"), column("text 2"))
	}
	if in := found["text inside 8"]; !strings.HasPrefix(in.Selector, `frame "F" > `) || in.Y < found["text 4"].Y {
		t.Errorf("in the frame: %+v", in)
	}
	if r.Lang != "de" || r.Canvases != 1 || r.Capped || len(r.Unread) > 0 {
		t.Errorf("lang %q, canvases %d, capped %v, unread %v", r.Lang, r.Canvases, r.Capped, r.Unread)
	}
	scales := map[string]int{}
	for _, w := range r.Writings {
		for _, s := range w.Scales {
			scales[w.Lang+" "+s.Behind] = s.Power
		}
	}
	if len(r.Writings) != 2 || scales["de Mrd."] != 9 || scales["tr B"] != 3 || !slices.Contains(r.Writings[1].Spans, "monat") && !slices.Contains(r.Writings[0].Spans, "monat") {
		t.Errorf("how its language, and the one that was asked for, write numbers: %+v", r.Writings)
	}
	for _, selector := range []string{"css=#v", `frame "F" > css=p`} {
		asked, err := s.Readings(within30s(t), selector, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, b := range asked.Boxes {
			if b.Asked {
				n++
			}
		}
		if n != 1 || len(asked.Texts) != len(r.Texts) {
			t.Errorf("%s: %d boxes asked for, %d texts", selector, n, len(asked.Texts))
		}
	}
	_, err = s.Readings(within30s(t), "css=#nowhere", 10*time.Second)
	wantCode(t, err, explain.ElementNotFound)
}

// A page of more texts than are read says so.
func TestReadingsAreBounded(t *testing.T) {
	t.Parallel()
	s, _ := show(t, strings.Repeat("<p>7", 6000))
	r, err := s.Readings(within30s(t), "", 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Texts) != 5000 || !r.Capped {
		t.Errorf("%d texts, capped %v", len(r.Texts), r.Capped)
	}
}
