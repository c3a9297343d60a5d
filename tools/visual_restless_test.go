package tools_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

var offeredMask = regexp.MustCompile(`; mask (.+)`)

// B9, 33: what keeps a page from coming to rest is named, when a baseline is made
// and when it is compared with: also what moves on, grows, is made anew or
// changes the size of the page; and what the page takes out of the picture again. With the masks that
// are offered the page comes to rest.
func TestVisualNamesWhatMoves(t *testing.T) {
	t.Parallel()
	d := patient(t)
	for i, c := range []struct{ name, body, says string }{
		{"what moves on", `<p>Steady</p><div data-testid="ball" style="position:absolute;width:30px;height:30px;background:#c00"></div><script>let n = 0; setInterval(() => document.querySelector('div').style.left = (n += 9) % 600 + 'px', 40)</script>`, "mask box="},
		{"a text", `<p>Steady</p><p id="ticker">0</p><script>let n = 0; setInterval(() => document.querySelectorAll('p')[1].textContent = ++n * 7919, 40)</script>`, "mask css=#ticker"},
		{"words that push others", `<p>Steady</p><p>Updated <span style="display:inline-block;height:9px;background:#c00"></span> s ago</p><script>setInterval(() => document.querySelector('span').style.width = 200 * Math.random() + 'px', 40)</script>`, "mask css=html > body > p:nth-of-type(2)"},
		{"what is made anew", `<p>Steady</p><section data-testid="feed"></section><script>let n = 0; setInterval(() => document.querySelector('section').innerHTML = '<b>Order ' + ++n * 7919 + '</b>', 40)</script>`, "mask box="},
		{"a page that grows", `<p>Steady</p><ul data-testid="log"></ul><script>setInterval(() => { const l = document.createElement('li'); l.textContent = 'Line'; document.querySelector('ul').append(l) }, 40)</script>`, "the size of the picture changes"},
		{"a canvas", spinning, "mask testid=spin"},
		{"what goes out again", `<h1>Steady</h1><div style="height:1500px"></div><p id="late">Delivered</p><script>new IntersectionObserver(all => all.forEach(e => late.style.opacity = e.isIntersecting ? 1 : 0)).observe(late)</script>`,
			`"Delivered" is shown only where the page is scrolled to; mask css=#late`},
	} {
		if !sampled(i, 7) {
			continue
		}
		b := newBoard(t, c.body)
		a := d.call("capture_visual_baseline", `{"url": %q, "name": "moving", "timeout_ms": 4000}`, b.url)
		if a.Error.Code != "TIMEOUT" || !strings.Contains(a.text, c.says) {
			t.Errorf("%s, captured: %s", c.name, a.text)
		}
		got := d.lookAt(b.url, `{"name": "moving", "timeout_ms": 4000}`)
		if got.report.Status != qa.Inconclusive || !strings.Contains(got.text, c.says) {
			t.Errorf("%s, compared: %s\n%s", c.name, got.report.Status, got.text)
		}
		var masks []string
		for _, m := range offeredMask.FindAllStringSubmatch(a.text, -1) {
			masks = append(masks, m[1])
		}
		if (len(masks) == 0) != strings.Contains(c.says, "size of the picture") {
			t.Errorf("%s: offered %q\n%s", c.name, masks, a.text)
		}
		if len(masks) == 0 {
			continue
		}
		list, _ := json.Marshal(masks)
		if a := d.call("capture_visual_baseline", `{"url": %q, "name": "masked %d", "timeout_ms": 4000, "mask": %s}`, b.url, i, string(list)); a.Error.Code != "" {
			t.Errorf("%s: with the masks %q that were offered: %s", c.name, masks, a.text)
		}
	}
}

// B9: a name can't pass for another one, nor tell a terminal anything: new ones
// are refused, and those that there are from before are printed escaped.
func TestVisualNameIsPrintedEscaped(t *testing.T) {
	t.Parallel()
	d, b := patient(t), newBoard(t, salesBoard)
	for _, name := range []string{"a\x1b[31mred", "a\nPASSED: b", "ab\u202e", "a\u200bb", "a\u2028b", "a\u0085b"} {
		a := d.call("capture_visual_baseline", `{"url": %q, "name": %q}`, b.url, name)
		if a.Error.Code != "INVALID_INPUT" || strings.Contains(a.text, name) {
			t.Errorf("%q: %q", name, a.text)
		}
		if shown := qa.ShownName(name); strings.ContainsAny(shown, "\x1b\n\u202e\u200b\u2028\u0085") || !strings.Contains(shown, `\`) {
			t.Errorf("%q is printed %q", name, shown)
		}
	}
	if shown := qa.ShownName("Übersicht „A“ 日本 \xff"); shown != `Übersicht „A“ 日本 \xff` {
		t.Errorf("a good name is printed %q", shown)
	}
}
