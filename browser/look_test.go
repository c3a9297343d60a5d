package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestLook(t *testing.T) {
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
		{"css=h1", FactText, "", "Total 12"},
		{"", FactText, "", ""}, // the body: only that it works
		{"css=#svg", FactText, "", "42 %"},
		{`frame "F" > css=#in`, FactText, "", "inside"},
		{"css=#i", FactValue, "", "v"},
		{"css=#s", FactValue, "", "a"},
		{"css=#hid", FactValue, "", "h"}, // hidden ones have values too
		{"css=#hid", FactAttribute, "name", "csrf"},
		{"css=meta[name=m]", FactAttribute, "content", "c"},
		{"css=#i", FactAttribute, "data-empty", ""},
		{"css=#i", FactAttribute, "data-x.y", "1"},
		{"css=#i", FactAttribute, "data-none", "nil"},
		{"css=#i", FactAttribute, `"]`, "nil"},
		{"css=#none", FactText, "", ""},
		{"css=#absent", FactText, "", "nil"},
		{"css=#absent", FactValue, "", "nil"},
	} {
		got, err := s.Look(within30s(t), c.selector, c.fact, c.attribute)
		text := got.Text
		if c.fact != FactText {
			text = got.Value
		}
		if err != nil || c.selector != "" && c.want != "" && str(text) != c.want || text != nil && c.want == "nil" {
			t.Errorf("%s: %q, %v, want %q", c.selector, str(text), err, c.want)
		}
	}
	for selector, want := range map[string][2]int{"css=.p": {2, 1}, "css=#none": {1, 0}, "css=#absent": {0, 0}, `frame "F" > css=p`: {1, 1}, `frame "none" > css=p`: {0, 0}} {
		if got, err := s.Look(within30s(t), selector, FactCount, ""); err != nil || got.Count != want[0] || got.Visible != want[1] {
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
	_, err := s.Look(within30s(t), "css=.p", FactText, "")
	wantCode(t, err, SelectorAmbiguous, "look at", "2 elements match")
	_, err = s.Look(within30s(t), "css=h1", FactChecked, "")
	wantCode(t, err, NotActionable, "css=h1")
	_, err = s.Look(within30s(t), "css=h1", FactValue, "")
	wantCode(t, err, NotActionable, "css=h1")
	_, err = s.Look(within30s(t), "css=#pass", FactValue, "")
	if e := wantCode(t, err, NotActionable, "password"); strings.Contains(e.Message, "hunter2") {
		t.Error(e.Message)
	}
}

// While a page is being replaced by the next one, Playwright counts nothing in
// it; a look must not take that for the truth, or "is hidden" passes wrongly.
func TestLookDuringNavigation(t *testing.T) {
	web := newSite(t, map[string]string{"/{$}": `<title>T</title><p id=always>here</p><script>setTimeout(() => location.reload(), 20)</script>`})
	web.handle("/slow", after(50*time.Millisecond, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	bound := within30s(t) // how many looks come between two reloads is the machine's affair
	seen := 0
	for n := 0; n < 15 || seen == 0 && bound.Err() == nil; n++ {
		got, err := s.Look(within30s(t), "css=#always", FactCount, "")
		var e *Error
		switch {
		case err == nil && got.Visible == 1:
			seen++
		case err == nil:
			t.Fatalf("a look found %+v of an element that is always there", got)
		case !asErr(err, &e) || e.Code != NavigationFailed && e.Code != TimedOut:
			t.Fatal(err)
		}
	}
	if seen == 0 {
		t.Error("no look succeeded")
	}
}
