package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
)

// worker is a desk that may upload from the returned folder, with a guard.
func worker(t *testing.T) (desk, string) {
	t.Helper()
	g, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	return onlineWith(t, func(o *browser.Options) { o.UploadRoots, o.Guard = []string{root}, g }), root
}

// want calls a tool, and reports whether its answer has a code and says all of that.
func (d desk) want(code, name, args string, words ...string) answer {
	d.t.Helper()
	a := d.raw(name, args)
	if a.Error.Code != code {
		d.t.Fatalf("%s %s: code %q, want %q: %s", name, args, a.Error.Code, code, a.text)
	}
	for _, word := range words {
		if !strings.Contains(a.text, word) {
			d.t.Fatalf("%s %s: no %q in: %s", name, args, word, a.text)
		}
	}
	return a
}

const workPage = `<!doctype html><title>main</title><p id=s>-</p><p id=n>-</p>
<button onclick="window.open('/pop')">Pop</button><button onclick="window.open('/pop', '', 'noopener')">Free</button><button onclick="window.open('OTHER/pop')">Away</button>
<button onclick="onmessage = e => { s.textContent = e.data }; window.open('/sign')">Sign in</button>
<button onclick="s.textContent = confirm('Delete all orders?')">Tidy</button><button onclick="s.textContent = confirm('Publish?')">Share</button>
<button onclick="onbeforeunload = e => { e.preventDefault(); return 'stay' }">Type</button>
<input type=file id=one onchange="n.textContent = this.files.length + ' of ' + this.files[0]?.size"><label>Hidden <input type=file id=many multiple hidden onchange="n.textContent = [...this.files].map(f => f.name + ' ' + f.size).join()"></label>
<button onclick="many.click()">Attach</button><button>Nothing</button>`

func workSite(t *testing.T) string {
	t.Helper()
	pages := map[string]string{
		"/pop":   `<!doctype html><title>pop</title><button onclick="document.title = confirm('Publish it?')">Ask</button><button onclick="window.close()">Shut</button>`,
		"/sign":  `<!doctype html><title>sign</title><script>opener.postMessage('signed in', '*'); close()</script>`,
		"/fresh": `<!doctype html><title>fresh</title><script>document.title = confirm('At load?')</script>`,
	}
	pages["/"] = strings.ReplaceAll(workPage, "OTHER", "http://other.test")
	return site(t, pages)
}

// lateTab returns the number of a popup of which an answer says that it is being opened, once it
// has come.
func (d desk) lateTab(a answer) string {
	d.t.Helper()
	if !strings.Contains(a.text, "one is being opened") || !strings.Contains(a.text, `page_tabs {"action": "list"}`) {
		d.t.Fatalf("no popup: %s", a.text)
	}
	id := ""
	eventually(d.t, 20*time.Second, "the popup comes", func() string {
		tabs := d.ok("page_tabs", `{"action": "list"}`).Data["tabs"].([]any)
		if len(tabs) < 2 {
			return fmt.Sprint(tabs)
		}
		id = fmt.Sprint(tabs[len(tabs)-1].(map[string]any)["id"])
		return ""
	})
	return id
}

// Popups and tabs: each answer names its tab while several are open. A session always has a current
// tab: the opener of one that has closed, of which one call is told, before anything is done there.
func TestTabsByCalls(t *testing.T) {
	t.Parallel()
	d, _ := worker(t)
	url := workSite(t)
	d.ok("browser_launch", `{"options": {"allowed_hosts": ["127.0.0.1"]}}`)
	if a := d.ok("page_navigate", `{"url": %q}`, url); strings.Contains(a.text, "tab: ") {
		t.Errorf("one tab is named: %s", a.text)
	}
	// An OAuth-like popup: it posts a message and closes itself.
	d.want("", "page_click", `{"selector": "button \"Sign in\""}`, "/sign in tab 2")
	d.want("", "verify_assertion", `{"selector": "css=#s", "assertion": {"type": "text_equals", "expected": "signed in"}}`)
	for i := 0; ; i++ { // the window closes on its own time
		a := d.ok("page_tabs", `{"action": "list"}`)
		if !strings.Contains(a.text, "tab 2 ") && strings.Contains(a.text, "(current)") {
			break
		}
		if i == 100 {
			t.Fatalf("the popup has closed itself: %s", a.text)
		}
	}
	// A popup to a host that is not allowed is told as blocked; the page goes on.
	d.want("", "page_click", `{"selector": "button \"Away\""}`, "popup", "other.test")
	for _, tab := range d.ok("page_tabs", `{"action": "list"}`).Data["tabs"].([]any)[1:] {
		d.ok("page_tabs", `{"action": "close", "tab": %v}`, tab.(map[string]any)["id"])
	}
	for _, name := range []string{"Pop", "Free"} {
		a := d.want("", "page_click", fmt.Sprintf(`{"selector": "button %s"}`, strings.ReplaceAll(fmt.Sprintf("%q", name), `"`, `\"`)), "popup")
		_, rest, named := strings.Cut(a.text, `page_tabs {"action": "select", "tab": `)
		id, _, _ := strings.Cut(rest, "}")
		if !named { // it is late on a busy machine, and told so
			id = d.lateTab(a)
		}
		d.want("", "page_tabs", `{"action": "select", "tab": `+id+`}`, "tab "+id+" is current")
		eventually(t, 20*time.Second, "the popup answers", func() string {
			if a := d.ok("page_tabs", `{"action": "list"}`); !strings.Contains(a.text, `"pop"`) {
				return a.text
			}
			return ""
		})
		// A dialog in the second tab. Req 0033: the fields name the tab each time, the text says it once.
		for _, a := range []answer{
			d.ok("page_dialog", `{"action": "accept"}`),
			d.want("", "page_click", `{"selector": "button \"Ask\""}`, `confirm "Publish it?" accepted`),
			d.ok("page_snapshot", `{}`),
		} {
			if strconv.Itoa(a.Tab) != id || strings.Contains(a.text, "tab: ") {
				t.Errorf("not in tab %s, or said again: %d, %s", id, a.Tab, a.text)
			}
		}
		closed := d.want("", "page_click", `{"selector": "button \"Shut\""}`, "it closed; tab 1, which had opened it, is current now")
		if strings.Contains(closed.text, "page: \n") {
			t.Errorf("a page without an address: %s", closed.text)
		}
		d.want("", "page_snapshot", `{}`, `"main"`, `button "Nothing"`)
		d.want("INVALID_INPUT", "page_tabs", `{"action": "select", "tab": `+id+`}`, "is closed")
		d.want("", "page_tabs", `{"action": "select", "tab": 1}`, "tab 1 is current")
	}
}

// A popup that closes itself between two calls (an OAuth window, maplelink#30): one call is told so
// and does nothing, and the session goes on in the tab that had opened it.
func TestPopupThatClosesItself(t *testing.T) {
	t.Parallel()
	d, _ := worker(t)
	pages := map[string]string{
		"/":     `<!doctype html><title>main</title><button onclick="window.open('/pop')">Sign in</button><button onclick="s.textContent = 'bought'">Buy</button><p id=s>-</p>`,
		"/pop":  `<!doctype html><title>pop</title><button onclick="setTimeout(() => window.close(), 1)">Allow</button><script>onmessage = () => close()</script>`,
		"/next": `<!doctype html><title>next</title>`,
	}
	web := site(t, pages)
	d.ok("page_navigate", `{"url": %q}`, web)
	for _, one := range []struct{ tool, args string }{
		{"page_click", `{"selector": "button \"Buy\""}`}, {"page_snapshot", `{}`}, {"page_tabs", `{"action": "list"}`}, {"page_navigate", fmt.Sprintf(`{"url": "%s/next"}`, web)}, {"verify_assertion", `{"selector": "css=#s", "assertion": {"type": "text_equals", "expected": "-"}}`},
	} {
		a := d.want("", "page_click", `{"selector": "button \"Sign in\""}`, "popup")
		_, rest, named := strings.Cut(a.text, `page_tabs {"action": "select", "tab": `)
		id, _, _ := strings.Cut(rest, "}")
		if !named {
			id = d.lateTab(a)
		}
		d.want("", "page_tabs", `{"action": "select", "tab": `+id+`}`, "is current")
		d.ok("page_evaluate", `{"script": "opener.popup = window, opener.setTimeout('popup.close()', 300), 0"}`)
		s, err := d.Workspace.Session("")
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, 20*time.Second, "the popup closes", func() string {
			if current, open := s.CurrentTab(); slices.Contains(open, current) {
				return fmt.Sprint(current, open)
			}
			return ""
		})
		if one.tool == "page_tabs" {
			d.want("", one.tool, one.args, "tab "+id+" has closed; tab 1, which had opened it, is current now", "(current)")
			continue
		}
		d.want("TAB_CLOSED", one.tool, one.args, "tab "+id+" has closed; tab 1, which had opened it, is current now")
		d.want("", "page_snapshot", `{}`, `"main"`, `button "Buy"`, "-")
	}
	// An act after which the popup closes, be it within the act or at once after it.
	a := d.want("", "page_click", `{"selector": "button \"Sign in\""}`, "popup")
	_, rest, named := strings.Cut(a.text, `page_tabs {"action": "select", "tab": `)
	id, _, _ := strings.Cut(rest, "}")
	if !named {
		id = d.lateTab(a)
	}
	d.want("", "page_tabs", `{"action": "select", "tab": `+id+`}`, "is current")
	d.want("", "page_click", `{"selector": "button \"Allow\""}`)
	eventually(t, 20*time.Second, "the session goes on in tab 1", func() string {
		if a := d.raw("page_snapshot", `{}`); !strings.Contains(a.text, `button "Buy"`) {
			return a.text
		}
		return ""
	})
	d.want("", "page_click", `{"selector": "button \"Buy\""}`)
	d.want("", "verify_assertion", `{"selector": "css=#s", "assertion": {"type": "text_equals", "expected": "bought"}}`)
}

// page_dialog: an answer holds once, and is dropped in words by an address that shows
// no dialog; the guard refuses to accept what is destructive, as it refuses a click.
func TestDialogsByCalls(t *testing.T) {
	t.Parallel()
	d, _ := worker(t)
	url := workSite(t)
	d.ok("page_navigate", `{"url": %q}`, url)
	d.want("", "page_dialog", `{"action": "accept"}`)
	d.want("", "page_click", `{"selector": "button \"Nothing\""}`, "still waits")
	d.want("", "page_navigate", `{"url": "`+url+`/pop"}`, "was not used and is dropped")
	d.want("", "page_dialog", `{"action": "accept"}`)
	d.want("", "page_navigate", `{"url": "`+url+`/fresh"}`, `confirm "At load?" accepted`, "true")
	d.ok("page_navigate", `{"url": %q}`, url)
	d.want("", "page_click", `{"selector": "button \"Share\""}`, `confirm "Publish?" dismissed`)
	d.want("", "page_dialog", `{"action": "accept"}`, "do the same again")
	d.want("", "page_click", `{"selector": "button \"Share\""}`, `confirm "Publish?" accepted`)
	d.want("", "page_click", `{"selector": "button \"Share\""}`, `confirm "Publish?" dismissed`)
	d.want("", "page_dialog", `{"action": "accept"}`)
	if a := d.raw("page_click", `{"selector": "button \"Tidy\""}`); !strings.Contains(a.text, "guard") || a.OK {
		t.Errorf("%+v", a)
	}
	d.want("", "verify_assertion", `{"selector": "css=#s", "assertion": {"type": "text_equals", "expected": "false"}}`)
	// The question whether to leave.
	d.ok("page_click", `{"selector": "button \"Type\""}`)
	d.want("", "page_dialog", `{"action": "dismiss"}`)
	d.want("NAVIGATION_FAILED", "page_navigate", `{"url": "`+url+`/pop", "timeout_ms": 3000}`, "beforeunload", "call again to leave")
	d.want("", "page_navigate", `{"url": "`+url+`/pop"}`, "beforeunload")
	// A flow's dialog step answers one dialog; one that none used is told.
	share := `{"action": "click", "selector": "button \"Share\""}, {"action": "assert", "selector": "css=#s", "assertion": {"type": "text_equals", "expected": "%s"}}`
	flow := fmt.Sprintf(`{"start_url": %q, "steps": [{"action": "dialog", "value": "accept"}, `+share+`, `+share+`, {"action": "dialog", "value": "accept"}]}`, url, "true", "false")
	if a := d.want("", "verify_user_flow", flow, "no dialog was shown"); a.Data["success"] != true {
		t.Error(a.text)
	}
}

// A click says that the page asks for files, also where the driver stands still now and then,
// as on a busy machine, and reports that late.
func TestChoosersOfABusyDriver(t *testing.T) {
	clicks := 15
	if os.Getenv("SOAK") != "" {
		clicks = 1500 // without the wait about one of 250 said nothing
	}
	stalls := filepath.Join(t.TempDir(), "stalls.js")
	script := `const cell = new Int32Array(new SharedArrayBuffer(4));
		const stall = () => setTimeout(() => { Atomics.wait(cell, 0, 0, Math.random() < 0.5 ? 0 : Math.random() * 25); stall() }, Math.random() * 8).unref();
		stall()`
	if err := os.WriteFile(stalls, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drivenBy(t, fmt.Sprintf(`exec "$NODE" --require '%s' "$@"`, stalls))
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<input type=file hidden id=f><button onclick="f.click()">Attach files</button>`}))
	for i := range clicks {
		if a := d.ok("page_click", `{"selector": "button \"Attach files\""}`); !strings.Contains(a.text, "page_upload") {
			t.Errorf("click %d says nothing of the file chooser:\n%s", i, a.text)
		}
	}
}

// page_upload: files below the roots alone, by an input, its label or a button; what a
// page was given is evidence, and of what is too large the digest.
func TestUploadsByCalls(t *testing.T) {
	t.Parallel()
	d, root := worker(t)
	write := func(name string, size int64) {
		path := filepath.Join(root, name)
		if err := os.WriteFile(path, []byte("alpha"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil { // sparse
			t.Fatal(err)
		}
	}
	write("a.txt", 5)
	write("b.txt", 5)
	write("big.bin", 210<<20)
	if err := os.Mkdir(filepath.Join(root, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" { // links need a privilege there
		if err := os.Symlink("/etc/hosts", filepath.Join(root, "out")); err != nil {
			t.Fatal(err)
		}
		defer d.want("INVALID_INPUT", "page_upload", `{"selector": "css=#one", "paths": ["out"]}`, "out")
	}
	url := workSite(t)
	run := d.ok("run_start", `{"goal": "upload"}`).Data["run_id"].(string)
	d.ok("page_navigate", `{"url": %q}`, url)
	holds := func(text string) {
		t.Helper()
		if a := d.ok("verify_assertion", `{"selector": "css=#n", "assertion": {"type": "text_equals", "expected": %q}}`, text); a.Data["passed"] != true {
			t.Error(a.text)
		}
	}
	const sha = "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8" // of alpha
	given := d.want("", "page_upload", `{"selector": "button \"Attach\"", "paths": ["a.txt", "`+filepath.ToSlash(filepath.Join(root, "b.txt"))+`"]}`,
		"a.txt, 5 bytes: uploads/u001-a.txt", "uploads/u002-b.txt")
	if files, ok := given.Data["files"].([]any); !ok || len(files) != 2 || files[0].(map[string]any)["sha256"] != sha {
		t.Errorf("the digests: %v", given.Data["files"])
	}
	holds("a.txt 5,b.txt 5")
	if data, _, err := d.Store.Artifact(run, "u002-b.txt"); err != nil || string(data) != "alpha" {
		t.Errorf("kept: %q, %v", data, err)
	}
	d.want("", "page_upload", `{"selector": "css=#one", "paths": ["big.bin"]}`, "220200960 bytes", "sha256", "not kept")
	holds("1 of 220200960")
	d.want("NOT_ACTIONABLE", "page_upload", `{"selector": "css=#one", "paths": ["a.txt", "b.txt"]}`, "one file")
	d.want("NOT_ACTIONABLE", "page_upload", `{"selector": "button \"Nothing\"", "paths": ["a.txt"]}`, "file chooser")
	d.want("INVALID_INPUT", "page_upload", `{"selector": "css=#one", "paths": ["folder"]}`, "folder", "no regular file")
	d.want("INVALID_INPUT", "page_upload", `{"selector": "css=#one", "paths": ["/etc/hosts"]}`, "not below network.upload_roots")
	// A flow's uploads are filed, though its session ends with it.
	a := d.want("", "verify_user_flow", fmt.Sprintf(`{"start_url": %q, "steps": [{"action": "upload", "selector": "css=#many", "value": "a.txt"}, {"action": "assert", "selector": "css=#n", "assertion": {"type": "text_equals", "expected": "a.txt 5"}}]}`, url),
		"uploads/u003-a.txt")
	if a.Data["success"] != true {
		t.Error(a.text)
	}
	if events, err := os.ReadFile(filepath.Join(d.dir, "runs", run, "events.jsonl")); err != nil || !strings.Contains(string(events), sha) {
		t.Errorf("the event log has no digest: %v", err)
	}
	none := online(t)
	none.ok("page_navigate", `{"url": %q}`, url)
	none.want("INVALID_INPUT", "page_upload", `{"selector": "css=#one", "paths": ["a.txt"]}`, "network.upload_roots", "mcp.toml")
}
