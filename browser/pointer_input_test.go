package browser

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
)

// A3, A12: what is at a place, or has the focus, is judged as an element is:
// in frames and shadow roots, behind a hover, under a drag, and by each key
// that would press it.
func TestGuardSeesPlacesAndKeys(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	const remove = `fetch('/users/1', {method: 'DELETE'}).catch(() => 1)`
	c.handle("/board", text(`<!doctype html><title>Board</title><body style="margin:0">
<style>button, iframe, #host, #swap { position: absolute; left: 10px; width: 120px; height: 30px; margin: 0 } iframe { width: 300px; height: 80px; border: 7px solid; padding: 3px }</style>
<button id=d style="top:10px" onclick="`+remove+`">Delete user</button>
<div id=host style="top:50px"></div>
<div id=swap style="top:90px" onmousemove="this.innerHTML = '<button id=late style=&quot;top:0;left:0&quot; onclick=&quot;`+strings.ReplaceAll(remove, "'", `\'`)+`&quot;>Delete late</button>'"></div>
<iframe id=f style="top:130px" src="/frame"></iframe>
<button style="top:300px" id=fine onclick="document.title = 'fine'">Fine</button>
<script>host.attachShadow({mode: 'open'}).innerHTML = '<button style="width:120px;height:30px" onclick="`+strings.ReplaceAll(remove, "'", "&quot;")+`">Delete inside</button>';</script>`))
	c.handle("/frame", text(`<!doctype html><body style="margin:0"><iframe src="/inner" style="position:absolute;left:20px;top:10px;width:200px;height:50px;border:0"></iframe>`))
	c.handle("/inner", text(`<!doctype html><body style="margin:0"><button style="position:absolute;left:5px;top:5px;width:100px;height:20px" onclick="`+remove+`">Delete deep</button>`))
	s := opened(t, guardedPool(t, nil), c.URL+"/board")
	p := func(x, y float64) *input.Point { return &input.Point{X: x, Y: y} }
	deep := p(10+7+3+20+20, 130+7+3+10+12)
	focusOn := func(script string) {
		t.Helper()
		if _, _, err := s.Evaluate(within30s(t), script, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, in := range map[string]input.Step{
		"a click": {Action: "click", At: p(20, 20)}, "a double click": {Action: "double_click", At: p(20, 20)}, "a middle click": {Action: "middle_click", At: p(20, 20)},
		"a right click": {Action: "right_click", At: p(20, 20)}, "a click by selector": {Action: "click", Selector: "css=#d"},
		"a click in a shadow root": {Action: "click", At: p(20, 60)}, "a click on what the pointer brings up": {Action: "click", At: p(20, 100)},
		"a click in a frame of a frame": {Action: "click", At: deep}, "a drag from it": {Action: "drag", At: p(20, 20), To: p(25, 22)}, "a drag to it": {Action: "drag", At: p(20, 310), To: p(20, 20)},
	} {
		o, err := s.Operate(within30s(t), in)
		if codeOf(err) != explain.ActionBlocked || !strings.Contains(err.Error(), "was not done") {
			t.Errorf("%s: %v, want ACTION_BLOCKED; it met %s", name, err, o.Target)
		}
	}
	for name, in := range map[string]input.Step{
		"Enter": {Action: "hotkey", Key: "Enter"}, "Space": {Action: "hotkey", Key: "Space"}, "a typed space": {Action: "type", Text: "a b"}, "a typed line end": {Action: "type", Text: "a\n"},
		"a space by selector": {Action: "type", Selector: "css=#d", Text: " "},
	} {
		for _, focus := range []string{"document.getElementById('d').focus()", "(f.contentWindow.focus(), f.contentDocument.querySelector('iframe').contentDocument.querySelector('button').focus())"} {
			if in.Selector == "" {
				focusOn(focus)
			}
			if _, err := s.Operate(within30s(t), in); codeOf(err) != explain.ActionBlocked || !strings.Contains(err.Error(), "was not done") {
				t.Errorf("%s after %s: %v, want ACTION_BLOCKED", name, focus, err)
			}
		}
	}
	visit(t, s, c.URL+"/board")
	if _, err := s.Operate(within30s(t), input.Step{Action: "type", Text: "\t\n"}); codeOf(err) != explain.ActionBlocked || !strings.Contains(err.Error(), "was not done") {
		t.Errorf("Tab to it, then Enter: %v, want ACTION_BLOCKED", err)
	}
	if n := c.arrivals("DELETE"); n != 0 {
		t.Errorf("%d deletions arrived", n)
	}
	s.TakeStopped()
	o, err := s.Operate(within30s(t), input.Step{Action: "click", At: p(20, 310)})
	if err != nil || o.Target != `button "Fine"` || o.Page.Title != "fine" {
		t.Errorf("what is harmless: %v %+v", err, o)
	}
	if o, err = s.Operate(within30s(t), input.Step{Action: "move", At: deep}); err != nil || !strings.HasSuffix(string(o.Target), `button "Delete deep"`) {
		t.Errorf("the pointer over it: %v %+v", err, o)
	}
	if stopped := s.TakeStopped(); len(stopped) != 0 {
		t.Errorf("stopped: %q", stopped)
	}
}

// A3: an action by place outlives the page that it closes, and a page that does
// not answer holds nobody.
func TestPlacesOnPagesThatGo(t *testing.T) {
	t.Parallel()
	s, _ := showIn(t, poolToBreak(t, nil), `<title>T</title><body style="margin:0"><button style="width:100px;height:50px" onclick="location = '/gone'">Leave</button>`)
	o, err := s.Operate(within30s(t), input.Step{Action: "click", At: &input.Point{X: 10, Y: 10}})
	if err != nil || !o.Moved || !strings.HasSuffix(o.Page.URL, "/gone") {
		t.Errorf("a click that leaves: %v %+v", err, o)
	}
	if _, err := s.Operate(within30s(t), input.Step{Action: "click", At: &input.Point{X: -1, Y: 10}}); codeOf(err) != explain.InvalidInput {
		t.Errorf("outside: %v", err)
	}
	crash(t, s)
	if _, err := s.Operate(within30s(t), input.Step{Action: "wait", Wait: "ms", For: 1}); codeOf(err) != explain.PageCrashed {
		t.Errorf("after a crash: %v", err)
	}
}
