package browser

import (
	"bytes"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/redact"
)

// secretPool returns a pool whose secrets are values.
func secretPool(t *testing.T, values ...string) *Pool {
	t.Helper()
	hide := strings.NewReplacer("correct-horse", "${secret:T}")
	return poolWith(t, func(o *Options) {
		o.Secrets = func() []string { return values }
		o.Mask = hide.Replace
	})
}

// TestFillSecret: whatever kind of control got a secret, no way of reading it
// shows what it holds (A12, E6).
func TestFillSecret(t *testing.T) {
	t.Parallel()
	const value = "correct-horse"
	p := secretPool(t) // neither mask nor picture knows the value: the field's mark alone hides it
	s := launch(t, p, LaunchOptions{})
	site := newSite(t, map[string]string{"/": `<label>PIN <input id=text></label><label>Note <textarea id=area></textarea></label><div role=textbox aria-label=Edit id=edit contenteditable></div>
		<label>Password <input id=pass type=password></label><label id=of><b>Code</b> <input id=code></label><p id=out>no field</p><iframe title=Pay srcdoc="<label>Card <input></label>"></iframe><script>document.addEventListener('input', e => e.target.setAttribute('data-x', '1'))</script>`})
	visit(t, s, site.URL)
	for _, selector := range []string{"css=#text", "css=#area", "css=#edit", "css=#pass", "css=#of", "css=#of b", `frame "Pay" > textbox "Card"`} {
		a, err := s.FillSecret(within30s(t), selector, value, 0)
		if err != nil || a.Value != redact.MaskedValue {
			t.Errorf("%s: %q, %v", selector, a.Value, err)
		}
	}
	if got := js(t, s, "[text.value, area.value, edit.textContent, pass.value].join()"); got != `"`+strings.Join([]string{value, value, value, value}, ",")+`"` {
		t.Errorf("the page got %s", got)
	}
	js(t, s, "pass.type = 'text'") // as "show password" does
	out, _, err := s.Snapshot(within30s(t), OutlineOptions{})
	if err != nil || strings.Contains(out.Text, "correct") || !strings.Contains(out.Text, `textbox "PIN": ••••`) || !strings.Contains(out.Text, `textbox "Card" [focused]: ••••`) && !strings.Contains(out.Text, `textbox "Card": ••••`) {
		t.Errorf("%v\n%s", err, out.Text)
	}
	for _, selector := range []string{"css=#text", "css=#area", "css=#pass", "css=#code", `frame "Pay" > textbox "Card"`} {
		_, err := s.Look(within30s(t), selector, FactValue, "")
		wantCode(t, err, explain.NotActionable, "never read")
	}
	if _, err := s.FillSecret(within30s(t), "css=#out", value, time.Second); err == nil || strings.Contains(err.Error(), value) {
		t.Errorf("an element that takes no text: %v", err)
	}
	if _, err := s.FillSecret(within30s(t), "css=input", value, time.Second); err == nil {
		t.Error("two controls: no error")
	} else {
		wantCode(t, err, explain.SelectorAmbiguous, "css=input")
	}
}

// TestPasswordStaysHidden: a control that was a password's when it was filled
// is hidden when the page shows it.
func TestPasswordStaysHidden(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<label>Password <input id=pass type=password></label>`)
	if _, masked, err := s.Fill(within30s(t), "css=#pass", "hunter2", 0); err != nil || !masked {
		t.Fatal(masked, err)
	}
	js(t, s, "pass.type = 'text'")
	out, _, err := s.Snapshot(within30s(t), OutlineOptions{})
	if err != nil || strings.Contains(out.Text, "hunter2") {
		t.Errorf("%v\n%s", err, out.Text)
	}
}

// TestScreenshotHidesSecrets in fields, in texts, in shadow roots and frames:
// a picture can't be masked later.
func TestScreenshotHidesSecrets(t *testing.T) {
	t.Parallel()
	const value = "correct-horse"
	p := secretPool(t, value, "x y")
	s := launch(t, p, LaunchOptions{})
	const style = `<style>* { margin: 0; border: 0; padding: 0 } body > *, .row { display: block; width: 200px; height: 40px; overflow: hidden }</style>`
	site := newSite(t, map[string]string{"/": style + `<p>nothing</p><p>it is correct-<b>horse</b>!</p><input value=correct-horse><input id=pin><input type=password value=other>
		<host-></host-><iframe src=/frame></iframe><p>x <i> y</i></p><p>correct horse</p><input type=password>
		<script>customElements.define('host-', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<p class=row style="height:40px;margin:0">correct-horse</p>' } })</script>`, "/frame": style + `<p>correct-horse</p>`})
	visit(t, s, site.URL)
	if _, err := s.FillSecret(within30s(t), "css=#pin", "4711", 0); err != nil {
		t.Fatal(err)
	}
	hidden := []bool{false, true, true, true, true, true, true, true, false, false}
	check := func(o ShotOptions, rows []bool) {
		t.Helper()
		shot, err := s.Screenshot(within30s(t), o)
		if err != nil {
			t.Fatal(err)
		}
		img, _, err := image.Decode(bytes.NewReader(shot.Data))
		if err != nil {
			t.Fatal(err)
		}
		for row, want := range rows {
			r, g, b, _ := img.At(2, row*40+2).RGBA()
			if got := r>>8 == 0x80 && g>>8 == 0x88 && b>>8 == 0x90; got != want {
				t.Errorf("row %d of %+v: painted over is %v, want %v", row, o, got, want)
			}
		}
	}
	check(ShotOptions{}, hidden)
	check(ShotOptions{FullPage: true}, hidden)
	check(ShotOptions{Selector: "css=input >> nth=1"}, []bool{true})
	if got := js(t, s, "document.documentElement.outerHTML.includes('pw-glass')"); got != "false" {
		t.Errorf("the overlay stays: %s", got)
	}
}

// TestJournalKeepsNoSecret: what is kept of a page is masked before it is cut.
func TestJournalKeepsNoSecret(t *testing.T) {
	t.Parallel()
	s := launch(t, secretPool(t), LaunchOptions{})
	site := newSite(t, map[string]string{"/": `<a id=get download="correct-horse.txt" href="data:text/plain,x">get</a><script>
		console.log('x'.repeat(4090) + 'correct-horse'); console.error('it is correct-horse');
		fetch('/echo?q=correct-horse', {method: 'POST', body: 'b=correct-horse'});
		alert('y'.repeat(195) + 'correct-horse');
		setTimeout(() => { throw new Error('correct-horse') })</script>`, "/echo": "you said correct-horse"})
	visit(t, s, site.URL)
	if _, err := s.Click(within30s(t), "css=#get", 0); err != nil {
		t.Fatal(err)
	}
	logs, err := s.Console("", time.Time{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(logs.Entries) < 3 {
		t.Errorf("%d console entries", len(logs.Entries))
	}
	requests := s.Network("echo", 0, time.Time{}, 0)
	if len(requests.Events) != 1 {
		t.Fatalf("%+v", requests)
	}
	detail, err := s.Exchange(within30s(t), requests.Events[0].RequestID)
	if err != nil {
		t.Fatal(err)
	}
	notes := s.log.NotesSince(eventlog.Mark{})
	all := jsonString(logs) + jsonString(requests) + jsonString(detail) + jsonString(notes)
	if strings.Contains(all, "correct") || strings.Count(all, "${secret:T}") < 6 || !strings.Contains(all, "saved as ${secret_T}.txt") {
		t.Errorf("%s", strings.ReplaceAll(strings.ReplaceAll(all, "xx", ""), "yy", ""))
	}
}

// BenchmarkScreenshotWithoutSecrets measures what looking for secrets costs where
// there is none: the difference to a picture is the look's.
func BenchmarkScreenshotWithoutSecrets(b *testing.B) {
	s, _ := show(b, strings.Repeat("<p>row <b>x</b>", 1000))
	b.Run("picture", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Screenshot(b.Context(), ShotOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("count", func(b *testing.B) { // any question to a page costs as much
		for b.Loop() {
			if _, err := pageOf(s).Locator("css=input").Count(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			if found, err := s.secretsIn(b.Context(), s.current()); err != nil || len(found) > 0 {
				b.Fatal(found, err)
			}
		}
	})
}
