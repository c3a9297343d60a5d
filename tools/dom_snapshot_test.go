package tools_test

import (
	"fmt"
	"strings"
	"testing"
)

// A4: what an element is and holds, as the browser has it.
func TestDOMSnapshot(t *testing.T) {
	t.Parallel()
	d := online(t)
	rows := strings.Repeat("<i class=r>r</i>", 250)
	url := site(t, map[string]string{"/": `<!doctype html><title>T</title><body style="margin:0">
<a id=l href="/x?a=1" data-empty="" style="position:absolute;left:10px;top:20px;width:100px;height:30px">Save <b style="display:none">no</b>all</a>
<button hidden id=h>Gone</button><input type=password aria-label=Secret value=hunter22><button>Two</button><button>Two</button>
<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<p class=s>in the shade</p>'</script>
<iframe title=Pay src="/pay" style="position:absolute;left:200px;top:100px;border:0"></iframe>` + rows,
		"/pay": `<!doctype html><body style="margin:0"><button style="position:absolute;left:5px;top:6px;width:70px;height:20px">Pay</button>`})
	d.ok("page_navigate", `{"url":"%s/"}`, url)
	one := func(args string) map[string]any {
		t.Helper()
		a := d.ok("dom_snapshot", "%s", args)
		if len(a.Data["elements"].([]any)) != 1 || a.Data["total"] != 1.0 {
			t.Fatalf("%s: %s", args, a.text)
		}
		return a.Data["elements"].([]any)[0].(map[string]any)
	}
	e := one(`{"selector":"css=#l","attributes":["href","data-empty","title"]}`)
	if want := `map[attributes:map[data-empty: href:/x?a=1 title:<nil>] boundingBox:map[height:30 width:100 x:10 y:20] innerText:Save all name:Save all role:link selector:link "Save all"]`; fmt.Sprint(e) != want {
		t.Errorf("got  %v\nwant %s", e, want)
	}
	if again := one(`{"selector":"link \"Save all\""}`); again["innerText"] != "Save all" || fmt.Sprint(again["attributes"]) != "map[]" {
		t.Errorf("by its own line: %v", again)
	}
	if e := one(`{"selector":"css=#h"}`); e["boundingBox"] != nil || e["selector"] != "#h" {
		t.Errorf("what is not rendered: %v", e)
	}
	if e := one(`{"selector":"textbox \"Secret\"","attributes":["value","type"]}`); strings.Contains(fmt.Sprint(e), "hunter22") || e["attributes"].(map[string]any)["type"] != "password" {
		t.Errorf("a password: %v", e)
	}
	if e := one(`{"selector":"css=.s"}`); e["innerText"] != "in the shade" {
		t.Errorf("in a shadow root: %v", e)
	}
	if e := one(`{"selector":"frame \"Pay\" > button \"Pay\""}`); e["selector"] != `frame "Pay" > button "Pay"` || fmt.Sprint(e["boundingBox"]) != "map[height:20 width:70 x:205 y:106]" {
		t.Errorf("in a frame: %v", e)
	}
	if a := d.call("dom_snapshot", `{"selector":"button \"Two\""}`); a.Error.Code != "SELECTOR_AMBIGUOUS" || !strings.Contains(a.text, `button "Two" [2]`) {
		t.Errorf("two matches: %s", a.text)
	}
	if a := d.ok("dom_snapshot", `{"selector":"button \"Two\"","mode":"all"}`); a.Data["total"] != 2.0 || a.Data["elements"].([]any)[1].(map[string]any)["selector"] != `button "Two" [2]` {
		t.Errorf("all of two: %s", a.text)
	}
	if a := d.call("dom_snapshot", `{"selector":"button \"Twoo\""}`); a.Error.Code != "ELEMENT_NOT_FOUND" || !strings.Contains(a.text, `button "Two"`) {
		t.Errorf("no match: %s", a.text)
	}
	if a := d.ok("dom_snapshot", `{"selector":"button \"Twoo\"","mode":"all"}`); a.Data["total"] != 0.0 || len(a.Data["elements"].([]any)) != 0 || !strings.Contains(a.text, `nothing matches; nearest`) {
		t.Errorf("all of none: %s", a.text)
	}
	if a := d.ok("dom_snapshot", `{"selector":"css=.r","mode":"all"}`); a.Data["total"] != 250.0 || len(a.Data["elements"].([]any)) != 200 || !strings.Contains(a.text, "cut:") {
		t.Errorf("many: %.300s", a.text)
	}
	for args, word := range map[string]string{
		`{"selector":"css=#l","mode":"some"}`:        "use single or all",
		`{"selector":""}`:                            "empty",
		`{"selector":"css=["}`:                       "css=[",
		`{"selector":"css=#l","attributes":["a b"]}`: "no name",
		`{"selector":"${secret:X}"}`:                 "holds a secret",
		`{"selector":"css=#l","attributes":["` + strings.Repeat(`a","`, 20) + `b"]}`: "21 names",
	} {
		if a := d.raw("dom_snapshot", args); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.text, word) {
			t.Errorf("%s: %s, want %q", args, a.text, word)
		}
	}
}
