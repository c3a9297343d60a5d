package browser

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
)

func TestLook(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<h1>Total <b>12</b></h1><p class=p>1</p><p class=p hidden>2</p><input id=i value=v data-empty="" data-x.y=1><input id=hid type=hidden value=h name=csrf>
		<input id=on type=checkbox checked><input id=off type=checkbox disabled><svg><text id=svg x=1 y=9>42 %</text></svg>
		<input id=pass type=password value=hunter2><select id=s><option value=a>A</select><meta name=m content=c><div id=none style="display:none">gone</div>
		<iframe title=F srcdoc="<p id=in>inside"></iframe>`)
	str := func(v *string) string {
		if v == nil {
			return "nil"
		}
		return *v
	}
	for _, c := range []struct {
		selector  string
		fact      Fact
		attribute string
		want      string
	}{
		{"css=#i", FactValue, "", "v"},
		{"css=#s", FactValue, "", "a"},
		{"css=#hid", FactValue, "", "h"}, // hidden ones have values too
		{"css=#hid", FactAttribute, "name", "csrf"},
		{"css=meta[name=m]", FactAttribute, "content", "c"},
		{"css=#i", FactAttribute, "data-empty", ""},
		{"css=#i", FactAttribute, "data-x.y", "1"},
		{"css=#i", FactAttribute, "data-none", "nil"},
		{"css=#i", FactAttribute, `"]`, "nil"},
		{"css=#absent", FactValue, "", "nil"},
	} {
		got, err := s.Look(within30s(t), c.selector, c.fact, c.attribute)
		text := got.Value
		if err != nil || c.selector != "" && c.want != "" && str(text) != c.want || text != nil && c.want == "nil" {
			t.Errorf("%s: %q, %v, want %q", c.selector, str(text), err, c.want)
		}
	}
	for selector, want := range map[string][2]int{"css=.p": {2, 1}, "css=#none": {1, 0}, "css=#absent": {0, 0}, `frame "F" > css=p`: {1, 1}, `frame "none" > css=p`: {0, 0}} {
		if got, err := s.Look(within30s(t), selector, FactCount, ""); err != nil || got.Count != want[0] || got.Seen != want[1] {
			t.Errorf("%s: %+v, %v", selector, got, err)
		}
	}
	for _, c := range []struct {
		selector string
		fact     Fact
		want     bool
	}{{"css=#on", FactChecked, true}, {"css=#off", FactChecked, false}, {"css=#on", FactEnabled, true}, {"css=#off", FactEnabled, false}} {
		if got, err := s.Look(within30s(t), c.selector, c.fact, ""); err != nil || got.On == nil || *got.On != c.want {
			t.Errorf("%s: %+v, %v", c.selector, got, err)
		}
	}
	_, err := s.Read(within30s(t), "css=.p", "1", false)
	wantCode(t, err, explain.SelectorAmbiguous, "look at", "2 elements match")
	_, err = s.Look(within30s(t), "css=h1", FactChecked, "")
	wantCode(t, err, explain.NotActionable, "css=h1")
	_, err = s.Look(within30s(t), "css=h1", FactValue, "")
	wantCode(t, err, explain.NotActionable, "css=h1")
	_, err = s.Look(within30s(t), "css=#pass", FactValue, "")
	if e := wantCode(t, err, explain.NotActionable, "password"); strings.Contains(string(e.Message.Text()), "hunter2") {
		t.Error(e.Message)
	}
}

// While a page is being replaced by the next one, Playwright counts nothing in
// it; a look must not take that for the truth, or "is hidden" passes wrongly.
// How many looks succeed between two reloads is the machine's affair: each
// needs Playwright's scripts in a document that lives for 20 ms.
func TestLookDuringNavigation(t *testing.T) {
	t.Parallel()
	var calm atomic.Bool
	web := newSite(t, nil)
	web.handle("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		const page = "<title>T</title><p id=always>here</p>"
		if calm.Load() {
			_, _ = io.WriteString(w, page)
			return
		}
		_, _ = io.WriteString(w, page+"<script>setTimeout(() => location.reload(), 20)</script>")
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	look := func() bool {
		got, err := s.Look(within30s(t), "css=#always", FactCount, "")
		var e *explain.Error
		if err != nil && (!asErr(err, &e) || e.Code != explain.NavigationFailed && e.Code != explain.TimedOut) {
			t.Fatal(err)
		}
		if err == nil && got.Seen != 1 {
			t.Fatalf("a look found %+v of an element that is always there", got)
		}
		return err == nil
	}
	for range repeats(2, 15) {
		look()
		if state, err := s.State(within30s(t)); err == nil && state.Title != "T" && state.Title != "" { // not yet parsed
			t.Fatalf("the title is %q", state.Title)
		}
	}
	calm.Store(true)
	becomes(t, "a look at the page that reloads no more", func() error {
		if !look() {
			return errors.New("fails")
		}
		return nil
	})
}
