package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// ofUploadsAndDialogs adds tests with uploads, to an input and by a button, and dialogs
// (E7): each dialog step answers one dialog, and what no step names is answered as here.
func (b *batch) ofUploadsAndDialogs(t *testing.T) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>T</title><label>File <input id=one type=file onchange="one.title = this.files[0].name + this.files[0].size"></label>
			<input id=f type=file multiple hidden onchange="out.textContent = [...this.files].map(f => f.name + f.size).join()"><button onclick="f.click()">Attach</button>
			<div id=zone style="height:60px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); out.textContent = [...event.dataTransfer.files].map(f => f.name + f.size).join()">Drop here</div>
			<div id=card draggable=true ondragstart="event.dataTransfer.setData('text', 'card')">Card</div>
			<div id=done style="height:60px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); out.textContent = event.dataTransfer.getData('text') + ' is done'">Done</div>
			<button onclick="out.textContent = [prompt('Name?'), confirm('Sure?'), alert('So'), confirm('Really?')].join()">Ask</button><p id=out></p>`)
	}))
	t.Cleanup(site.Close)
	says := func(selector string, typ qa.AssertionType, attribute, expected string) qa.FlowStep {
		return qa.FlowStep{Action: "assert", Selector: selector, TimeoutMS: 5000, Assertion: &qa.Assertion{Type: typ, Attribute: attribute, Expected: expected}}
	}
	steps := func(last string) []qa.FlowStep {
		return []qa.FlowStep{
			{Action: "upload", Selector: "#one", Value: "a.txt"}, says("#one", qa.AttributeEquals, "title", "a.txt5"),
			{Action: "upload", Selector: `button "Attach"`, Value: "a.txt\nsub/b.csv"}, says("#out", qa.TextEquals, "", "a.txt5,b.csv2"),
			{Action: "drag", Selector: "#card", To: "#done"}, says("#out", qa.TextEquals, "", "card is done"),
			{Action: "drop", Selector: "#zone", Value: "sub/b.csv\na.txt"}, says("#out", qa.TextEquals, "", "b.csv2,a.txt5"),
			{Action: "dialog", Value: "accept", Option: "Ada"}, {Action: "dialog", Value: "accept"}, {Action: "click", Selector: `button "Ask"`}, says("#out", qa.TextEquals, "", last),
			says("", qa.DialogShown, "confirm", "Really?"),
		}
	}
	must(t, os.Mkdir(filepath.Join(b.dir, "sub"), 0o700))
	must(t, os.WriteFile(filepath.Join(b.dir, "a.txt"), []byte("alpha"), 0o600))
	must(t, os.WriteFile(filepath.Join(b.dir, "sub", "b.csv"), []byte("1\n"), 0o600))
	for last, status := range map[string]string{"Ada,true,,false": "passed", "Ada,true,,true": "failed"} {
		text, err := testfile.Of(flow.Flow{Name: "steps", StartURL: "/", Steps: steps(last)}, testfile.Options{Source: "steps"})
		if err != nil {
			t.Fatal(err)
		}
		b.add(t, "steps-"+status+".spec.ts", text, site.URL, status)
	}
}

// authenticatorKey is the key of the sample code in RFC 6238.
const authenticatorKey = "otpauth://totp/Shop:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Shop"

// ofTabs adds tests that go on in a popup and behind it, as behind a sign-in by an OAuth window that
// closes itself, and back, that ask for a colour scheme, run scripts and type codes (33.B). What a flow has no step for is never passed.
func (b *batch) ofTabs(t *testing.T) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/sign-in":
			fmt.Fprint(w, `<!doctype html><title>Sign in</title><button onclick="opener.postMessage('Welcome, Ada', '*'); setTimeout(() => window.close(), 100)">Allow</button>`)
		case "/terms":
			fmt.Fprint(w, `<!doctype html><title>Terms</title><h1>Terms</h1>`)
		case "/code":
			says := "wrong code"
			for _, drift := range []time.Duration{0, -30 * time.Second} {
				if want, err := auth.OneTimeCode(authenticatorKey, time.Now().Add(drift)); err == nil && r.FormValue("c") == want {
					says = "right code"
				}
			}
			fmt.Fprintf(w, `<!doctype html><title>Code</title><h1>%s</h1>`, says)
		default:
			fmt.Fprint(w, `<!doctype html><title>T</title><a href="/terms">Terms</a><button onclick="window.open('/sign-in')">Sign in</button><p id=out>-</p><form action=/code><label>Code <input name=c></label><button>Verify</button></form>
				<p id=scheme></p><script>const dark = matchMedia('(prefers-color-scheme: dark)'), show = () => { scheme.textContent = dark.matches ? 'night' : 'day' }; show(); dark.onchange = show; onmessage = e => { out.textContent = e.data }</script>`)
		}
	}))
	t.Cleanup(site.Close)
	says := func(selector, expected string) qa.FlowStep {
		return qa.FlowStep{Action: "assert", Selector: selector, TimeoutMS: 5000, Assertion: &qa.Assertion{Type: qa.TextEquals, Expected: expected}}
	}
	steps := func(last string, more ...qa.FlowStep) []qa.FlowStep {
		return append([]qa.FlowStep{
			{Action: "click", Selector: `link "Terms"`}, says("h1", "Terms"), {Action: "back"}, says("#out", "-"),
			{Action: "color_scheme", Value: "dark"}, says("#scheme", "night"), {Action: "evaluate", Value: "() => document.title"}, {Action: "evaluate", Value: "window.seen = true"},
			{Action: "click", Selector: `button "Sign in"`}, {Action: "popup"}, {Action: "click", Selector: `button "Allow"`}, {Action: "tab", Value: "1"}, says("#out", last),
			{Action: "click", Selector: `button "Sign in"`}, {Action: "tab", Value: "3"}, says("button", "Allow"), {Action: "tab", Value: flow.CloseTab}, says("#out", last),
			{Action: "fill", Selector: `textbox "Code"`, Value: "${totp:KEY}"}, {Action: "click", Selector: `button "Verify"`}, says("h1", "right code"), {Action: "back"},
		}, more...)
	}
	for name, one := range map[string]struct {
		steps  []qa.FlowStep
		status string
	}{
		"tabs":           {steps("Welcome, Ada"), "passed"},
		"tabs-broken":    {steps("Welcome, Bob"), "failed"},
		"gap-of-check":   {steps("Welcome, Ada", flow.Gap(flow.GapOfCheck, "call 7, check_kpis")), "skipped"},
		"gap-of-act":     {steps("Welcome, Ada", flow.Gap(flow.GapOfAct, "call 7, page_evaluate"), says("#out", "what the script says")), "skipped"},
		"gap-and-broken": {steps("Welcome, Bob", flow.Gap(flow.GapOfCheck, "call 7, check_kpis")), "failed"},
	} {
		text, err := testfile.Of(flow.Flow{Name: name, StartURL: "/", Steps: one.steps}, testfile.Options{Source: "steps", Draft: true})
		if err != nil {
			t.Fatal(err)
		}
		b.add(t, name+".spec.ts", fmt.Sprintf("process.env.KEY = %q;\n", authenticatorKey)+text, site.URL, one.status)
	}
}
