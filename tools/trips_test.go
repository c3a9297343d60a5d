package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/wait"
)

// trips counts what the calls of a desk send to the browser, in the driver's own log of
// the protocol.
type trips struct {
	desk
	log     string
	markers int
}

// counted is patient with a driver that writes its log of the protocol.
func counted(t *testing.T) *trips {
	t.Helper()
	d := offline(t)
	found, err := driver.Locate(t.Context(), browsertest.Installation())
	if err != nil {
		t.Fatal(err)
	}
	log, wrapper := filepath.Join(t.TempDir(), "protocol"), filepath.Join(t.TempDir(), "node")
	script := fmt.Sprintf("#!/bin/sh\nDEBUG=pw:protocol DEBUG_FILE='%s' exec '%s' \"$@\"\n", log, found.Driver.Node)
	if err := os.WriteFile(wrapper, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	d.Pool = newPool(func(o *browser.Options) {
		o.Waits = wait.Standard()
		o.Install.Getenv = func(name string) string {
			if name == "PLAYWRIGHT_NODEJS_PATH" {
				return wrapper
			}
			return os.Getenv(name)
		}
	})
	t.Cleanup(func() { d.Pool.Close(3 * time.Second) })
	return &trips{desk: d, log: log}
}

// mark puts a text of its own into the log, and returns it once it is there.
func (c *trips) mark() string {
	c.t.Helper()
	c.markers++
	text := fmt.Sprintf("marker %d of %s", c.markers, c.t.Name())
	c.ok("page_evaluate", `{"script": %q}`, "'"+text+"'")
	for {
		if written, err := os.ReadFile(c.log); err == nil && strings.Contains(string(written), text) {
			return text
		}
		if err := wait.For(c.t.Context(), 10*time.Millisecond); err != nil {
			c.t.Fatal(err)
		}
	}
}

// sent returns what a call sends. The session keeps its cookies and storage whenever it has
// been idle for a while, which no call waits for: that is left out.
func (c *trips) sent(call func()) []string {
	c.t.Helper()
	from := c.mark()
	call()
	to := c.mark()
	written, err := os.ReadFile(c.log)
	if err != nil {
		c.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(written), from)
	before, _, _ := strings.Cut(after, to)
	var out []string
	lines := strings.Split(before, "\n")
	for _, line := range lines[:len(lines)-1] { // the last one is the next marker's
		switch _, sent, ok := strings.Cut(line, "SEND ►"); {
		case !ok, strings.Contains(sent, `"Storage.getCookies"`), strings.Contains(sent, "callFunctionOn") && strings.Contains(sent, "localStorage"):
		case strings.Contains(sent, from): // of the marker itself
			out = nil
		default:
			out = append(out, sent)
		}
	}
	return out
}

const tripsPage = `<!doctype html><title>Trips</title><h1>Order</h1><label>Name <input id=name></label><select aria-label=Size><option>S<option>M</select>
	<button onclick="said.textContent = 'stored'">Store</button><p id=said></p><a href=/next>Next</a><label><input type=checkbox checked> Agree</label>
	<ul><li>one<li>two</ul><table><tr><th>Name<th>Status<tr><td>A-1<td>open<tr><td>B-2<td>paid</table><label>Pass <input type=password></label><p style="height: 3000px"></p><button>Below</button>`

// holdsBudgets bounds what calls send to the browser in a document that was looked at
// before, one line a call. Where an act is on an element that one look can't prove to be
// ready, Playwright's own checks come on top, and they wait.
func (c *trips) holdsBudgets() {
	address := site(c.t, map[string]string{"/": tripsPage, "/next": "<!doctype html><title>Next</title><h1>Next</h1>"})
	c.ok("page_navigate", `{"url": %q}`, address)
	marker := len(c.sent(func() {}))
	for _, b := range []struct {
		tool, args string
		most       int
	}{
		{"page_fill", `{"selector": "textbox \"Name\"", "value": "Ada"}`, 7},
		{"page_fill", `{"selector": "css=#name", "value": "Ada"}`, 9},            // what is no line of a snapshot is counted first, before and after
		{"page_fill", `{"selector": "textbox \"Name\"", "value": ""}`, 8},        // a key has two commands
		{"page_fill", `{"selector": "textbox \"Pass\"", "value": "hunter2"}`, 8}, // compared in the page, since its value is not read
		{"page_select", `{"selector": "combobox \"Size\"", "option": "M"}`, 6},
		{"page_click", `{"selector": "button \"Store\""}`, 9},
		{"page_click", `{"selector": "button \"Below\""}`, 9}, // it is scrolled to
		{"page_press", `{"selector": "textbox \"Name\"", "key": "Tab"}`, 7},
		{"page_press", `{"selector": "textbox \"Name\"", "key": "a"}`, 8},
		{"page_press", `{"selector": "button \"Store\"", "key": "Enter"}`, 8}, // what it activates is judged before it has the focus
		{"page_snapshot", `{}`, 2},
		{"page_screenshot", `{}`, 3},
		{"page_navigate", fmt.Sprintf(`{"url": %q}`, address), 8},
		{"verify_assertion", `{"assertion": {"type": "text_contains", "expected": "Order"}}`, 4}, // 2 where the page has stood still since the last act
		{"verify_assertion", `{"selector": "heading \"Order\"", "assertion": {"type": "visible"}}`, 3},
		{"verify_assertion", `{"assertion": {"type": "title_equals", "expected": "Trips"}}`, 3},
		{"verify_assertion", `{"assertion": {"type": "url_matches", "expected": "/"}}`, 3},
		{"verify_assertion", `{"selector": "row \"A-1\" column \"Status\"", "assertion": {"type": "text_equals", "expected": "open"}}`, 4}, // as text_contains: its words are found in one trip, and judged in the next
		{"verify_assertion", `{"selector": "link \"Next\"", "assertion": {"type": "attribute_equals", "attribute": "href", "expected": "/next"}}`, 3},
		{"verify_assertion", `{"selector": "checkbox \"Agree\"", "assertion": {"type": "checked"}}`, 3},
		{"verify_assertion", `{"selector": "button \"Store\"", "assertion": {"type": "enabled"}}`, 3},
		{"verify_assertion", `{"selector": "textbox \"Name\"", "assertion": {"type": "value_equals", "expected": "first"}}`, 3},
		{"page_click", `{"selector": "link \"Next\""}`, 16}, // with four for Playwright's scripts and ours in the new document
	} {
		var sent []string
		for range 3 { // on a busy machine a page may answer so late that it is asked whether it still does
			c.ok("page_navigate", `{"url": %q}`, address)
			c.ok("page_fill", `{"selector": "textbox \"Name\"", "value": "first"}`) // what is sent once in a document, and once in a tab
			sent = c.sent(func() { c.ok(b.tool, "%s", b.args) })
			if len(sent)-marker <= b.most {
				break
			}
		}
		if n := len(sent) - marker; n > b.most {
			c.t.Errorf("%s %s sends %d, more than %d:\n%s", b.tool, b.args, n, b.most, strings.Join(shortened(sent), "\n"))
		}
	}
}

// longPage is as tripsPage, and holds in full what can be scrolled to.
func longPage() string {
	return strings.Replace(tripsPage, `<p style="height: 3000px"></p>`, "<p>"+strings.Repeat("Some words of a long page.<br>", 200)+"</p>", 1)
}

// holdsBudgetsAtRest bounds what checks send on a page that has stood still for as long as it is
// watched: of three that follow one another it counts the third.
func (c *trips) holdsBudgetsAtRest() {
	watch := c.Watch
	c.Watch = wait.Standard().Watch
	defer func() { c.Watch = watch }()
	address := site(c.t, map[string]string{"/": longPage()})
	c.ok("page_navigate", `{"url": %q}`, address)
	for _, b := range []struct {
		args string
		most int
	}{
		{`{"selector": "heading \"Nope\"", "assertion": {"type": "hidden"}}`, 3}, // the third looks for what is nearest to a name that was never seen
		{`{"selector": "css=.nope", "assertion": {"type": "hidden"}}`, 3},
		{`{"selector": "css=.nope", "assertion": {"type": "count_equals", "expected": "0"}}`, 3},
		{`{"assertion": {"type": "text_contains", "expected": "zzyy", "not": true}}`, 2},
		{`{"selector": "css=ul", "assertion": {"type": "text_contains", "expected": "zzyy", "not": true}}`, 2},
		{`{"selector": "css=ul", "assertion": {"type": "class_contains", "expected": "big", "not": true}}`, 1},
		{`{"selector": "css=li", "assertion": {"type": "count_equals", "expected": "2"}}`, 1},
		{`{"assertion": {"type": "text_contains", "expected": "Order"}}`, 2},
		{`{"selector": "listitem", "assertion": {"type": "count_at_least", "expected": "2"}}`, 1},
	} {
		check := func() { c.ok("verify_assertion", "%s", b.args) }
		check() // what can be scrolled was scrolled to its ends then
		var sent []string
		n := b.most + 1
		for try := 0; try < 3 && n > b.most; try++ {
			twice := len(c.sent(func() { check(); check() })) // by the third one the last act is 100 ms past, however quick the machine
			sent = c.sent(func() { check(); check(); check() })
			n = len(sent) - twice
		}
		if n > b.most {
			c.t.Errorf("%s sends %d on a page at rest, more than %d:\n%s", b.args, n, b.most, strings.Join(shortened(sent), "\n"))
		}
	}
}

// flowBudget bounds what a flow of 23 steps sends, 20 of which are assertions that follow one
// another and hold.
const flowBudget = 110

func (c *trips) holdsFlowBudget() {
	address := site(c.t, map[string]string{"/": longPage()})
	steps := []string{`{"action": "fill", "selector": "textbox \"Name\"", "value": "Ada"}`, `{"action": "select", "selector": "combobox \"Size\"", "option": "M"}`, `{"action": "click", "selector": "button \"Store\""}`}
	for _, a := range []string{
		`"assertion": {"type": "text_contains", "expected": "stored"}`, `"selector": "heading \"Order\"", "assertion": {"type": "visible"}`,
		`"selector": "css=#said", "assertion": {"type": "text_equals", "expected": "stored"}`, `"selector": "css=li", "assertion": {"type": "count_equals", "expected": "2"}`,
		`"selector": "css=.error", "assertion": {"type": "hidden"}`, `"selector": "link \"Next\"", "assertion": {"type": "attribute_equals", "attribute": "href", "expected": "/next"}`,
		`"selector": "checkbox \"Agree\"", "assertion": {"type": "checked"}`, `"assertion": {"type": "title_equals", "expected": "Trips"}`,
		`"assertion": {"type": "text_contains", "expected": "failed", "not": true}`, `"selector": "row \"A-1\" column \"Status\"", "assertion": {"type": "text_equals", "expected": "open"}`,
	} {
		steps = append(steps, `{"action": "assert", `+a+`}`, `{"action": "assert", `+a+`}`)
	}
	flow := fmt.Sprintf(`{"session_id": %q, "start_url": %q, "steps": [%s]}`, c.session(), address, strings.Join(steps, ", "))
	var sent []string
	for try := 0; try < 3 && (try == 0 || len(sent) > flowBudget); try++ {
		sent = c.sent(func() {
			if a := c.raw("verify_user_flow", flow); a.Data["status"] != "passed" {
				c.t.Fatalf("the flow: %s", a.text)
			}
		})
	}
	if len(sent) > flowBudget {
		c.t.Errorf("a flow of 23 steps sends %d, more than %d:\n%s", len(sent), flowBudget, strings.Join(shortened(sent), "\n"))
	} else {
		c.t.Logf("a flow of 23 steps sends %d", len(sent))
	}
}

// shortened returns the beginnings of texts.
func shortened(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = fmt.Sprintf("%.600s", text)
	}
	return out
}
