package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/record"
)

// recordedPage does to a recorder what a page can: it swallows events before anybody, makes some of its own,
// replaces what a script would tell them with, writes itself anew, and changes all the time.
const recordedPage = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self' http://localhost:* 'unsafe-inline'"><title>Hostile</title>
<script>
for (const type of ['click', 'input', 'change', 'keydown', 'pointerdown', 'dragstart', 'drop']) addEventListener(type, (e) => e.stopImmediatePropagation(), true);
JSON.stringify = () => '{"kind":"click"}'; Array.prototype.filter = () => []; Object.defineProperty(Event.prototype, 'isTrusted', { get: () => true });
EventTarget.prototype.addEventListener = () => {};
Node.prototype.contains = () => { throw 1 }; Element.prototype.getAttribute = () => 'forged';
</script>
<h1>Hostile</h1><p id=clock></p><form onsubmit="return false"><label>Name <input name=n></label> <label>Password <input id=pw type=password></label>
<label>Size <select><option>Small<option>Large</select></label> <label id=l><input type=checkbox> Agree</label><label>File <input type=file></label></form>
<button id=real>Real</button> <button id=forged>Forged</button> <button id=ask onpointerup="confirm('Sure?')">Ask</button> <button onpointerup="window.open('/popup')">Popup</button>
<label id=u><input type=checkbox> Untouched</label>
<iframe name=same srcdoc="<button>In frame</button>"></iframe><iframe name=other src="http://localhost:PORT/frame"></iframe><div id=host></div>
<iframe name=editor srcdoc="<body contenteditable>Text"></iframe><div id=veiled tabindex=0></div> <div id=keys tabindex=0>Keys</div> <a href=/nothing>Nothing</a>
<script>
veiled.attachShadow({ mode: 'closed', delegatesFocus: true }).innerHTML = '<input type=password>';
host.attachShadow({ mode: 'open' }).innerHTML = '<button>In shadow</button>';
u.click();
setInterval(() => { clock.textContent = Date.now();
  forged.click();
  for (const type of ['pointerdown', 'click', 'dblclick']) forged.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true, pointerType: 'mouse', isPrimary: true, button: 0, detail: 1 }));
  real.dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'mouse', button: 0 }));
  document.forms[0].n.dispatchEvent(new InputEvent('input', { bubbles: true })); document.forms[0].n.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
}, 50);
</script>`

// A page neither learns of a recorder, nor adds an act, nor takes one away; dialogs, popups, frames, shadow
// roots and files are told as they are.
func TestRecordOfAHostilePage(t *testing.T) { // issue 33 A
	t.Parallel()
	web := newSite(t, map[string]string{"/frame": "<button>In another site</button>", "/popup": `<button onclick="window.close()">Close</button>`})
	web.handle("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	web.handle("/", htmlPage(strings.ReplaceAll(recordedPage, "PORT", web.URL[strings.LastIndexByte(web.URL, ':')+1:])))
	r, err := record.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := launch(t, poolOf(t), LaunchOptions{Record: r, Caution: &Caution{}})
	visit(t, s, web.URL+"/")
	var all, told []record.Act
	await := func(what string, is func(a record.Act) bool) record.Act {
		t.Helper()
		var found record.Act
		becomes(t, what, func() error {
			acts, lost := r.Acts.Take()
			all, told = append(all, acts...), append(told, acts...)
			if i := slices.IndexFunc(all, is); i >= 0 && lost == 0 {
				found, all = all[i], all[i+1:]
				return nil
			}
			said := ""
			for _, a := range all {
				if record.IsAct(a) {
					said += fmt.Sprintf("\n%s %+v %+v", a.Kind, a, a.On)
				}
			}
			return fmt.Errorf("%d acts are lost, and there are %s", lost, said)
		})
		return found
	}
	clickOn := func(selector string) func(record.Act) bool {
		return func(a record.Act) bool { return a.Kind == record.Click && a.On != nil && a.On.Path() == selector }
	}
	page := pageOf(s)
	press := func(l playwright.Locator) {
		t.Helper()
		if err := l.Click(); err != nil {
			t.Fatal(err)
		}
	}
	if reached, err := page.Evaluate(`Object.getOwnPropertyNames(globalThis).join()`); err != nil || strings.Contains(fmt.Sprint(reached), "assay") {
		t.Errorf("the page can reach the recorder (%v): %v", err, reached)
	}
	for selector, at := range map[string]playwright.Locator{
		`button "Real"`: page.Locator("#real"), `checkbox "Agree"`: page.Locator("#l"), `button "In shadow"`: page.Locator("#host button"),
		`frame "same" > button "In frame"`:         page.FrameLocator("[name=same]").Locator("button"),
		`frame "other" > button "In another site"`: page.FrameLocator("[name=other]").Locator("button"),
	} {
		press(at)
		await(selector, clickOn(selector))
	}

	press(page.Locator("[name=n]"))
	if err := page.Keyboard().Type("Ada"); err != nil {
		t.Fatal(err)
	}
	await("a text", func(a record.Act) bool { return a.Kind == record.Input && a.Value == "Ada" && !a.On.Secret })
	if err := page.Keyboard().Press("Tab"); err != nil {
		t.Fatal(err)
	}
	await("a key", func(a record.Act) bool { return a.Kind == record.Key && a.Key == "Tab" })
	if err := page.Keyboard().Type("x"); err != nil {
		t.Fatal(err)
	}
	await("a secret", func(a record.Act) bool { return a.Kind == record.Input && a.On.Secret })
	if _, err := page.Evaluate(`document.getElementById('pw').type = 'text'`); err != nil { // as "show password" does
		t.Fatal(err)
	}
	if err := page.Keyboard().Type("y"); err != nil {
		t.Fatal(err)
	}
	await("a secret that is shown", func(a record.Act) bool { return a.Kind == record.Input && a.Value == "xy" && a.On.Secret })
	if err := page.Locator("select").Press("ArrowDown"); err != nil {
		t.Fatal(err)
	}
	await("a choice", func(a record.Act) bool { return a.Kind == record.Choose && slices.Equal(a.Options, []string{"Large"}) })

	keys := func(on playwright.Locator, text string) {
		t.Helper()
		if err := on.Focus(); err != nil {
			t.Fatal(err)
		}
		if err := page.Keyboard().Type(text); err != nil {
			t.Fatal(err)
		}
	}
	unread := func(a record.Act) bool { return a.Kind == record.Input && a.On == nil && a.Value == "" }
	keys(page.Locator("#veiled"), "QJ")
	await("a text in a closed shadow root", unread)
	keys(page.Locator("#keys"), "k")
	await("a key of an element that takes keys", func(a record.Act) bool { return a.Kind == record.Key && a.Key == "k" })
	keys(page.FrameLocator("[name=editor]").Locator("body"), "Z")
	await("a text of a body", unread)
	if slices.ContainsFunc(told, func(a record.Act) bool { return strings.ContainsAny(a.Key+a.Value, "QJ") }) {
		t.Error("what was typed in a closed shadow root is told")
	}
	box, err := page.Locator("#real").BoundingBox()
	if err != nil {
		t.Fatal(err)
	}
	mouse := page.Mouse()
	x, y := box.X+4, box.Y+box.Height/2
	for _, does := range []func() error{func() error { return mouse.Move(x, y) }, func() error { return mouse.Down() }, func() error { return mouse.Move(x+14, y) }, func() error { return mouse.Up() }} {
		if err := does(); err != nil {
			t.Fatal(err)
		}
	}
	await("a click of a hand that was not quiet", clickOn(`button "Real"`))

	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	devtools, err := page.Context().NewCDPSession(page)
	if err != nil {
		t.Fatal(err)
	}
	send := func(method string, params map[string]any) {
		t.Helper()
		if _, err := devtools.Send(method, params); err != nil {
			t.Fatal(method, err)
		}
	}
	var root struct {
		Root struct{ NodeID int }
	}
	var input struct{ NodeID int }
	answer := func(method string, params map[string]any, into any) {
		t.Helper()
		said, err := devtools.Send(method, params)
		if err != nil {
			t.Fatal(method, err)
		}
		if text, err := json.Marshal(said); err != nil || json.Unmarshal(text, into) != nil {
			t.Fatal(method, said)
		}
	}
	answer("DOM.getDocument", map[string]any{}, &root)
	answer("DOM.querySelector", map[string]any{"nodeId": root.Root.NodeID, "selector": "[type=file]"}, &input)
	send("DOM.setFileInputFiles", map[string]any{"nodeId": input.NodeID, "files": []string{file}}) // as the browser's file chooser does
	await("a file", func(a record.Act) bool { return a.Kind == record.Files && slices.Equal(a.Files, []string{file}) })
	send("Page.enable", map[string]any{})
	var asking sync.WaitGroup
	asking.Go(func() { press(page.Locator("#ask")) }) // it ends when the dialog does
	becomes(t, "a dialog is answered by a person", func() error {
		_, err := devtools.Send("Page.handleJavaScriptDialog", map[string]any{"accept": true})
		return err
	})
	await("a dialog", func(a record.Act) bool {
		return a.Kind == record.Dialog && a.Accepted && a.Text == "Sure?" && a.Dialog == "confirm"
	})
	asking.Wait()
	await("the dialog's button", clickOn(`button "Ask"`))
	var stops atomic.Int32
	devtools.On("Page.frameStoppedLoading", func(map[string]any) { stops.Add(1) })
	press(page.Locator("[href='/nothing']"))
	await("a link that leads to no document", clickOn(`link "Nothing"`))
	becomes(t, "its answer has come", func() error {
		if stops.Load() == 0 {
			return errors.New("it is waited for")
		}
		return nil
	})
	send("Page.navigate", map[string]any{"url": web.URL + "/popup", "transitionType": "typed"})
	await("the address bar", func(a record.Act) bool {
		return a.Kind == record.Went && !a.ByPage && strings.HasSuffix(a.URL, "/popup")
	})
	if _, err := page.GoBack(); err != nil {
		t.Fatal(err)
	}
	await("back", func(a record.Act) bool { return a.Kind == record.Went && a.Back })

	if _, err := page.GoForward(); err != nil {
		t.Fatal(err)
	}
	await("forward", func(a record.Act) bool { return a.Kind == record.Went && a.Jumped && !a.Back })
	if _, err := page.GoBack(); err != nil {
		t.Fatal(err)
	}
	await("back again", func(a record.Act) bool { return a.Kind == record.Went && a.Back })

	press(page.Locator(`text=Popup`))
	await("a popup", func(a record.Act) bool { return a.Kind == record.Opened && a.Tab == 2 && a.Opener == 1 })
	becomes(t, "the popup is there", func() error {
		if n := len(page.Context().Pages()); n != 2 {
			return fmt.Errorf("%d pages", n)
		}
		return nil
	})
	press(page.Context().Pages()[1].Locator("button"))
	await("a click in the popup", func(a record.Act) bool { return clickOn(`button "Close"`)(a) && a.Tab == 2 })
	await("its end", func(a record.Act) bool { return a.Kind == record.Closed && a.Tab == 2 })

	if _, err := page.Evaluate(`document.open(); document.write('<title>Anew</title><button>Written</button>'); document.close()`); err != nil {
		t.Fatal(err)
	}
	press(page.Locator("button"))
	await("a click in a document that was written anew", clickOn(`button "Written"`))
	for _, a := range told {
		if a.On != nil && slices.Contains([]string{`button "Forged"`, `checkbox "Untouched"`}, a.On.Path()) || a.Kind == record.Failed {
			t.Errorf("what a script did is an act: %+v", a)
		}
	}
}
