package author_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/byhand"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Of what the page shows, the clock, the day and the order's number are others at each visit.
const recordedShop = `<!doctype html><title>Shop orders</title><h1>Orders</h1><p id=clock></p>
<form onsubmit="event.preventDefault(); list.insertAdjacentHTML('beforeend', '<li>' + n.value + '</li>'); cart.textContent = 'Items: ' + list.children.length;
	msg.innerHTML = '<div role=alert>Order ' + Math.floor(1e4 + Math.random() * 9e4) + ' for ' + n.value + ' WORD</div><p>Ordered on ' + new Date().toISOString().slice(0, 10) + '</p>'">
<label>Name <input id=n></label> <label>Password <input type=password></label> <label><input type=checkbox onchange="terms.hidden = !checked"> Agree</label> <em id=terms hidden>Thanks</em> <button>Save</button></form>
<p id=cart>Items: 0</p><ul id=list></ul><div id=msg></div> <button onclick="window.open('/popup')">Sign in</button> <span role=status id=who></span> <iframe name=pay srcdoc="<button onclick=&quot;this.textContent='Paid'&quot;>Pay</button>"></iframe>
<script>setInterval(() => { clock.textContent = 'It is ' + new Date().toTimeString().slice(0, 8) }, 700); onmessage = (e) => { who.textContent = 'Signed in as ' + e.data }</script>`

const recordedPopup = `<!doctype html><title>Sign in</title><h1>Choose</h1><button onclick="opener.postMessage('Ada', '*'); window.close()">Ada</button>`

// A person works a page: what is written runs green on the site, again and again, and red where that is
// broken. With SOAK it is a real window, on a display of its own.
func TestRecordRunsGreenAndRed(t *testing.T) { // issue 33 A
	ws := desk(t)
	if os.Getenv("SOAK") != "" {
		ws = onDisplay(t)
	}
	var broken atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		page := strings.Replace(recordedShop, "WORD", map[bool]string{false: "saved", true: "refused"}[broken.Load()], 1)
		if r.URL.Path == "/popup" {
			page = recordedPopup
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(site.Close)
	done := make(chan struct{})
	type ended struct {
		recorded author.Recorded
		err      error
	}
	over := make(chan ended, 1)
	ready := make(chan struct{})
	var steps atomic.Int32 // that were recorded when it was seen last what an act brought
	progress := func(n int, seen bool) {
		if seen {
			steps.Store(int32(n))
		}
	}
	go func() {
		recorded, err := author.Record(t.Context(), ws, author.RecordOptions{URL: site.URL + "/", Ready: func() { close(ready) }, Done: done, Progress: progress, Secret: noSecret})
		over <- ended{recorded, err}
	}()
	select {
	case <-ready:
	case e := <-over:
		t.Fatal(e.err)
	}
	workTheShop(t, ws, &steps)
	close(done)
	e := <-over
	if e.err != nil || e.recorded.Ended != byhand.ByPerson {
		t.Fatalf("the record ended as %q: %v", e.recorded.Ended, e.err)
	}
	made := e.recorded.Acts.Flow(byhand.Settings{Name: "Shop", Start: site.URL + "/", Rules: rules.Flows(), Hide: func([]string) {}, Masked: func(data []byte) []byte { return data }})
	data, err := made.Flow.JSON()
	if err != nil || strings.Contains(string(data), "hunter2") {
		t.Fatalf("a secret stands in the flow (%v):\n%s", err, data)
	}
	for _, want := range []string{`"value": "Ada"`, `${secret:PASSWORD}`, `checkbox \"Agree\"`, `Order \\d[\\d.,]* for Ada saved`, `Items: 1`, `"popup"`, `Signed in as Ada`, `frame \"pay\" > button \"Pay\"`, `button \"Paid\"`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the flow lacks %s:\n%s", want, data)
		}
	}
	for _, not := range []string{"It is", "Ordered on", "gap"} {
		if strings.Contains(string(data), not) {
			t.Errorf("the flow has %q:\n%s", not, data)
		}
	}
	if text, err := testfile.Of(made.Flow, testfile.Options{Draft: true}); err != nil || strings.Contains(text, "hunter2") || !strings.Contains(text, "PASSWORD") {
		t.Errorf("as a Playwright test (%v):\n%s", err, text)
	}
	if r := playRecorded(t, ws, made.Flow); r.Status != qa.Passed {
		t.Errorf("on the site as it was: %+v", r)
	}
	broken.Store(true)
	if r := playRecorded(t, ws, made.Flow); r.Status != qa.Failed {
		t.Errorf("on a broken site: %+v", r)
	}
}

func noSecret(string, bool) string { return "" }

// workTheShop works the page as a person does, by mouse and keyboard, and waits for what each act brings.
func workTheShop(t *testing.T, ws *workspace.Workspace, steps *atomic.Int32) {
	t.Helper()
	s, err := ws.Session("")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	seen := func(does func()) {
		t.Helper()
		before := steps.Load()
		does()
		if err := rest.Until(ctx, func() (bool, error) { return steps.Load() > before, nil }, rest.Policy{Every: 10 * time.Millisecond, Limit: 30 * time.Second}); err != nil {
			t.Fatalf("%d steps, and nothing is recorded of the next act: %v", before, err)
		}
	}
	for _, f := range [][2]string{{`textbox "Name"`, "Ada"}, {`textbox "Password"`, "hunter2!"}} {
		seen(func() {
			acted, _, err := s.Type(ctx, f[0], input.Typing{Text: f[1], Delay: time.Millisecond}, 0)
			must(acted, err)
		})
	}
	for _, click := range []string{`checkbox "Agree"`, `button "Save"`, `frame "pay" > button "Pay"`, `button "Sign in"`} {
		seen(func() { must(s.Click(ctx, click, 0)) })
	}
	must(nil, s.FollowTab(ctx, 2))
	seen(func() { must(s.Click(ctx, `button "Ada"`, 0)) })
}

// playRecorded runs a recorded flow as a person who has accepted it does.
func playRecorded(t *testing.T, ws *workspace.Workspace, f flow.Flow) flow.Result {
	t.Helper()
	s, err := ws.Launch(t.Context(), browser.LaunchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(context.WithoutCancel(t.Context())) }()
	for i := range f.Steps {
		f.Steps[i].Value = strings.ReplaceAll(f.Steps[i].Value, "${secret:PASSWORD}", "hunter2!")
	}
	c := tool.NewCall(ws, tool.Spec{Name: "run"}, nil, func(string) {})
	c.SetSession(s)
	r, err := tool.SignInCall{Call: c}.RunFlow(t.Context(), s, f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// onDisplay returns a workspace whose windows are shown on a display of its own.
func onDisplay(t *testing.T) *workspace.Workspace {
	t.Helper()
	display := exec.CommandContext(t.Context(), "Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	out, err := display.StdoutPipe()
	if err == nil {
		err = display.Start()
	}
	if err != nil {
		t.Fatalf("%v: make soak installs xvfb as root on Debian", err)
	}
	t.Cleanup(func() { _ = display.Process.Kill(); _ = display.Wait() })
	number := make([]byte, 16)
	n, err := out.Read(number)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(string(number[:n])))
	temp, err := os.MkdirTemp("", "w") //nolint:usetesting // a full browser's socket takes no long path
	if err != nil {
		t.Fatal(err)
	}
	windows := browser.NewPool(browser.Options{Install: browsertest.Installation(), TempDir: temp, Headed: true})
	t.Cleanup(func() { windows.Close(3 * time.Second); _ = os.RemoveAll(temp) })
	ws := desk(t)
	ws.Pool = windows
	return ws
}
