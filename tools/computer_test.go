package tools_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"strings"
	"testing"
)

// easel is a page that writes down what a pointer and a keyboard do to it.
const easel = `<!doctype html><title>Easel</title><body style="margin:0;height:3000px">
<div id=pad style="position:absolute;left:0;top:0;width:200px;height:200px;background:#def" tabindex=0>pad</div>
<div id=over style="position:absolute;left:300px;top:0;width:100px;height:100px">over</div>
<input aria-label=Name style="position:absolute;left:0;top:250px;width:150px">
<input type=password aria-label=Secret style="position:absolute;left:0;top:300px;width:150px">
<a href="/next" style="position:absolute;left:0;top:350px">Next</a>
<button style="position:absolute;left:100px;top:350px" onclick="alert('hi')">Ask</button>
<button style="position:absolute;left:200px;top:350px" onclick="window.open('/next')">Pop</button>
<script>
const seen = []; window.seen = seen;
const at = e => e.type + (e.button || '') + ' ' + e.clientX + ',' + e.clientY;
for (const k of ['click', 'dblclick', 'auxclick', 'contextmenu', 'mousedown', 'mouseup']) pad.addEventListener(k, e => { if (k === 'contextmenu') e.preventDefault(); seen.push(at(e)) });
over.addEventListener('mousemove', e => seen.push('over ' + e.clientX + ',' + e.clientY));
addEventListener('wheel', e => seen.push('wheel ' + e.deltaX + ',' + e.deltaY));
addEventListener('keydown', e => seen.push(e.ctrlKey ? 'chord ' + e.key : e.key));
pad.addEventListener('click', () => { console.log('padded'); fetch('/ping') });
</script>`

func easelSite(t *testing.T) string {
	t.Helper()
	return site(t, map[string]string{"/": easel, "/next": "<title>Next</title>next", "/ping": "pong"})
}

// A3: each action does by place and key what a person would.
func TestComputerActions(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url":"%s/"}`, easelSite(t))
	for _, c := range []struct{ action, want string }{
		{`"action":"click","coords":{"x":10,"y":20}`, "mousedown 10,20 mouseup 10,20 click 10,20"},
		{`"action":"click","selector":"css=#pad"`, "mousedown 100,100 mouseup 100,100 click 100,100"},
		{`"action":"double_click","coords":{"x":10,"y":20}`, "mousedown 10,20 mouseup 10,20 click 10,20 mousedown 10,20 mouseup 10,20 click 10,20 dblclick 10,20"},
		{`"action":"right_click","coords":{"x":10,"y":20}`, "mousedown2 10,20 contextmenu2 10,20 mouseup2 10,20 auxclick2 10,20"},
		{`"action":"middle_click","coords":{"x":10,"y":20}`, "mousedown1 10,20 mouseup1 10,20 auxclick1 10,20"},
		{`"action":"move","coords":{"x":310,"y":20}`, "over 310,20"},
		{`"action":"hover","selector":"css=#over"`, "over 350,50"},
		{`"action":"drag","coords":{"x":10,"y":20},"to":{"x":110,"y":120}`, "mousedown 10,20 mouseup 110,120 click 110,120"},
		{`"action":"drag","coords":{"x":60,"y":70}`, "mousedown 110,120 mouseup 60,70 click 60,70"},
		{`"action":"drag","selector":"css=#pad","coords":{"x":60,"y":70}`, "mousedown 100,100 mouseup 60,70 click 60,70"},
		{`"action":"hotkey","hotkey":"Control+b"`, "chord Control chord b"},
		{`"action":"scroll","scroll":{"deltaY":120}`, "wheel 0,120"},
		{`"action":"wait","wait":{"type":"ms","value":5}`, ""},
		{`"action":"wait","wait":{"type":"networkidle","value":"5000"}`, ""},
		{`"action":"wait","wait":{"type":"selectorVisible","selector":"css=#pad"}`, ""},
		{`"action":"screenshot"`, ""},
	} {
		d.ok("page_evaluate", `{"script":"scrollTo(0, 0), seen.length = 0"}`)
		a := d.ok("computer_action", `{%s}`, c.action)
		if got := d.ok("page_evaluate", `{"script":"seen.join(' ')"}`).Data["result"]; got != c.want {
			t.Errorf("%s did %q, want %q", c.action, got, c.want)
		}
		if a.Data["done"] != 1.0 || a.Screenshot == nil {
			t.Errorf("%s: %s", c.action, a.text)
		}
	}
	d.ok("page_evaluate", `{"script":"scrollTo(0, 0)"}`)
	a := d.ok("computer_action", `{"actions":[{"action":"click","coords":{"x":20,"y":260}},{"action":"type","text":"two + Wörter"},{"action":"type","selector":"textbox \"Secret\"","text":"pass word\t"}]}`)
	// Before any script hands it on: what a script returns is in the log.
	if files := d.files(); strings.Contains(files, "pass word") || !strings.Contains(files, `"hotkey":"Control+b"`) {
		t.Error("the log shows what was typed into a password field, or lacks what it may show")
	}
	if got := d.ok("page_evaluate", `{"script":"[...document.querySelectorAll('input')].map(i => i.value).join() + document.activeElement.textContent"}`).Data["result"]; got != "two + Wörter,pass wordNext" {
		t.Errorf("typed %q: %s", got, a.text)
	}
	if got := d.ok("page_evaluate", `{"script":"seen.filter(x => x.length === 1 || x === 'Tab').join('')"}`).Data["result"]; got != "two + Wrterpass wordTab" {
		t.Errorf("keys pressed: %q", got)
	}
	if a := d.call("computer_action", `{"action":"type","selector":"css=#over","text":"x"}`); a.Error.Code != "NOT_ACTIONABLE" || !strings.Contains(a.text, "nothing was typed") {
		t.Errorf("typing into what takes no focus: %s", a.text)
	}
}

// A3: the answer carries the picture, the viewport, and what the page said and
// sent since the call began, and no earlier.
func TestComputerAnswers(t *testing.T) {
	t.Parallel()
	d := online(t)
	shot := func(a answer) (w, h int) {
		t.Helper()
		data, err := os.ReadFile(a.Screenshot.Path)
		if err != nil {
			t.Fatal(err)
		}
		c, kind, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || kind != "png" {
			t.Fatalf("%s %v", kind, err)
		}
		return c.Width, c.Height
	}
	if a := d.ok("computer_action", `{"action":"screenshot"}`); fmt.Sprint(a.Data["viewport"]) != "map[dpr:1 height:768 width:1366]" {
		t.Errorf("a session of its own has %v", a.Data["viewport"])
	} else if w, h := shot(a); w != 1366 || h != 768 {
		t.Errorf("its picture has %d×%d pixels", w, h)
	}
	url := easelSite(t)
	d.ok("page_navigate", `{"url":"%s/"}`, url)
	for range 2 {
		a := d.ok("computer_action", `{"action":"click","coords":{"x":10,"y":20}}`)
		console, network := a.Data["consoleEvents"].([]any), a.Data["networkEvents"].([]any)
		if len(console) != 1 || console[0].(map[string]any)["text"] != "padded" || console[0].(map[string]any)["level"] != "log" || console[0].(map[string]any)["timestamp"] == "" {
			t.Errorf("console: %v", console)
		}
		if len(network) != 1 || network[0].(map[string]any)["url"] != url+"/ping" || network[0].(map[string]any)["status"] != 200.0 || network[0].(map[string]any)["requestId"] == "" {
			t.Errorf("network: %v", network)
		}
	}
	a := d.ok("computer_action", `{"action":"zoom","coords":{"x":110,"y":90},"to":{"x":10,"y":40},"include_image":true}`)
	if w, h := shot(a); w != 100 || h != 50 || len(a.result.Content) != 3 {
		t.Errorf("zoom: %d×%d, %d contents", w, h, len(a.result.Content))
	}
	d.ok("browser_close", `{}`)
	d.ok("browser_launch", `{"options":{"device":"Pixel 7"}}`)
	d.ok("page_navigate", `{"url":"%s/"}`, url)
	phone := d.ok("computer_action", `{"action":"screenshot"}`)
	v := phone.Data["viewport"].(map[string]any)
	if w, h := shot(phone); v["dpr"] != 2.625 || float64(w) != v["width"] || float64(h) != v["height"] || !strings.Contains(phone.text, "2.625") {
		t.Errorf("on a phone %v the picture has %d×%d pixels: %s", v, w, h, phone.text)
	}
	if w, _ := shot(d.ok("computer_action", `{"action":"zoom","coords":{"x":0,"y":0},"to":{"x":100,"y":100}}`)); w < 262 || w > 263 {
		t.Errorf("zoom on a phone is %d pixels wide, want the device's own", w)
	}
}

// A3: a page that changed drops the rest of a batch, in words.
func TestComputerBatchEndsWhenThePageChanges(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := easelSite(t)
	for name, selector := range map[string]string{"navigation": `link \"Next\"`, "dialog": `button \"Ask\"`, "popup": `button \"Pop\"`} {
		d.ok("page_navigate", `{"url":"%s/"}`, url)
		a := d.ok("computer_action", `{"actions":[{"action":"move","coords":{"x":1,"y":1}},{"action":"click","selector":"%s"},{"action":"click","coords":{"x":10,"y":20}},{"action":"type","text":"x"}]}`, selector)
		if a.Data["done"] != 2.0 || a.Data["dropped"] != 2.0 || !strings.Contains(a.text, "the 2 after it were not done") {
			t.Errorf("%s: %s", name, a.text)
		}
		if got := d.ok("page_evaluate", `{"script":"(window.seen || []).filter(x => x.startsWith('click')).length"}`).Data["result"]; got != 0.0 {
			t.Errorf("%s: %v clicks after it", name, got)
		}
	}
	d.ok("page_navigate", `{"url":"%s/"}`, url)
	a := d.call("computer_action", `{"actions":[{"action":"move","coords":{"x":1,"y":1}},{"action":"click","selector":"css=#none"},{"action":"type","text":"x"}]}`)
	if a.Error.Code != "ELEMENT_NOT_FOUND" || !strings.Contains(a.Error.Message, "action 2 of 3") || !strings.Contains(a.Error.Message, "1 were done before it, 1 after it were not") {
		t.Errorf("a failure on the way: %+v", a.Error)
	}
}

// A3: what is wrong in any action is refused before the first one is done, and
// said so that it can be fixed.
func TestComputerRefusesBadInput(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url":"%s/"}`, easelSite(t))
	for args, word := range map[string]string{
		`{}`: `"action" is missing`,
		`{"action":"clik","coords":{"x":1,"y":1}}`:                         `did you mean "click"`,
		`{"action":"click"}`:                                               "needs coords or selector",
		`{"action":"click","coords":{"x":1}}`:                              "y",
		`{"action":"click","coords":{"x":"NaN","y":1}}`:                    "x",
		`{"action":"click","coords":{"x":1e999,"y":1}}`:                    "1e999",
		`{"action":"click","coords":{"x":1280,"y":1}}`:                     "outside of the viewport",
		`{"action":"click","coords":{"x":-1,"y":1}}`:                       "outside of the viewport",
		`{"action":"click","coords":{"x":1,"y":1},"selector":"h1"}`:        "exclude each other",
		`{"action":"click","coords":{"x":1,"y":1},"text":"a"}`:             "takes no text",
		`{"action":"click","coords":{"x":1,"y":1},"to":{"x":1,"y":1}}`:     "takes no to",
		`{"action":"click","selector":"button \"x"}`:                       "quote",
		`{"action":"drag","selector":"h1"}`:                                `drag needs "to": {"x": …, "y": …}`,
		`{"action":"drag","coords":{"x":1,"y":1}}`:                         `the pointer was at none before`,
		`{"action":"type"}`:                                                `type needs "text"`,
		`{"action":"type","text":"` + strings.Repeat("x", 4001) + `"}`:     "4001 characters",
		`{"action":"type","text":"${secret:X}"}`:                           "holds a secret",
		`{"action":"type","text":"a\u0008"}`:                               "control character",
		`{"action":"hotkey","hotkey":"Ctrl+a"}`:                            "did you mean Control?",
		`{"action":"hotkey","hotkey":"Entr"}`:                              "did you mean Enter?",
		`{"action":"scroll"}`:                                              `scroll needs "scroll": {"deltaX": …, "deltaY": …}`,
		`{"action":"scroll","scroll":{"deltaY":1e9}}`:                      "too far",
		`{"action":"wait"}`:                                                `wait needs "wait": {"type": "ms"`,
		`{"action":"wait","wait":{"type":"ms"}}`:                           "needs a value",
		`{"action":"wait","wait":{"type":"ms","value":30001}}`:             "out of range",
		`{"action":"wait","wait":{"type":"ms","value":-5}}`:                "out of range",
		`{"action":"wait","wait":{"type":"ms","value":5,"selector":"h1"}}`: "takes no selector",
		`{"action":"wait","wait":{"type":"forever"}}`:                      "forever",
		`{"action":"zoom","coords":{"x":1,"y":1},"to":{"x":1,"y":9}}`:      "no area",
		`{"action":"screenshot","actions":[{"action":"screenshot"}]}`:      "exclude",
		`{"actions":[]}`: "missing",
		`{"actions":[` + strings.Repeat(`{"action":"screenshot"},`, 20) + `{"action":"screenshot"}]}`:                                                                         "21",
		`{"actions":[{"action":"click","coords":{"x":10,"y":20}},{"action":"click","coords":{"x":10,"y":2000}}]}`:                                                             "actions[1] click",
		`{"actions":[{"action":"click","coords":{"x":10,"y":20}},{"action":"click","coords":{"x":10,"y":20},"colour":1}]}`:                                                    "colour",
		`{"actions":[{"action":"click","coords":{"x":10,"y":20}},{"action":"type","text":"${secret:X}"}]}`:                                                                    "holds a secret",
		`{"actions":[{"action":"wait","wait":{"type":"ms","value":20000}},{"action":"click","coords":{"x":10,"y":20}},{"action":"wait","wait":{"type":"ms","value":20000}}]}`: "together",
	} {
		if a := d.raw("computer_action", args); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.text, word) {
			t.Errorf("%.150s: %s, want INVALID_INPUT and %q", args, a.text, word)
		}
	}
	if got := d.ok("page_evaluate", `{"script":"seen.length"}`).Data["result"]; got != 0.0 {
		t.Errorf("%v events reached the page", got)
	}
}
