package tools_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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
	site    string // of all its pages: one origin, so that no page is opened to read what another one stored
	log     string
	at      int64 // where in the log what is looked for begins
	markers int
}

// counted is patient with a driver that writes its log of the protocol.
func counted(t *testing.T) *trips {
	t.Helper()
	log := filepath.Join(t.TempDir(), "protocol")
	return &trips{desk: drivenBy(t, fmt.Sprintf(`DEBUG=pw:protocol DEBUG_FILE='%s' exec "$NODE" "$@"`, log)), log: log}
}

// drivenBy is a desk whose driver is started by a shell command, which finds the driver's own
// program in NODE.
func drivenBy(t *testing.T, command string) desk {
	t.Helper()
	d := offline(t)
	found, err := driver.Locate(t.Context(), browsertest.Installation())
	if err != nil {
		t.Fatal(err)
	}
	wrapper := filepath.Join(t.TempDir(), "node")
	script := fmt.Sprintf("#!/bin/sh\nNODE='%s'\n%s\n", found.Driver.Node, command)
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
	return d
}

// mark puts a text of its own into the log, and returns it once it is there as the call of the
// page's own session: the script is compiled first, in another one.
func (c *trips) mark() string {
	c.t.Helper()
	c.markers++
	text := fmt.Sprintf("marker %d of %s", c.markers, c.t.Name())
	c.ok("page_evaluate", `{"script": %q}`, "'"+text+"'")
	for {
		for line := range strings.Lines(c.written()) {
			// The end of a line, which says whose it is, may be written later than its beginning.
			if strings.Contains(line, text) && strings.Contains(line, `"Runtime.callFunctionOn"`) && strings.HasSuffix(line, "\n") {
				return text
			}
		}
		if err := wait.For(c.t.Context(), 10*time.Millisecond); err != nil {
			c.t.Fatal(err)
		}
	}
}

// written is the log from where it is looked at; nothing before the driver has begun it.
func (c *trips) written() string {
	c.t.Helper()
	log, err := os.Open(c.log)
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err != nil {
		c.t.Fatal(err)
	}
	defer log.Close()
	text, err := io.ReadAll(io.NewSectionReader(log, c.at, 1<<40))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// sent returns what a call sends to its page. What goes to other pages meanwhile is left out: the
// session keeps its storage, and another one is made to stand by, whenever there is time. So is
// what asks again and again whether a page of a busy machine still answers.
func (c *trips) sent(call func()) []string {
	c.t.Helper()
	c.at += int64(len(c.written()))
	from := c.mark()
	call()
	to := c.mark()
	written := c.written()
	const alive = `"Target.getTargets"`
	own := map[string]bool{}
	for line := range strings.Lines(written) {
		if strings.Contains(line, "SEND ►") && (strings.Contains(line, to) || strings.Contains(line, alive)) {
			own[protocolSession(line)] = true
		}
	}
	_, after, _ := strings.Cut(written, from)
	before, _, _ := strings.Cut(after, to)
	var out []string
	lines := strings.Split(before, "\n")
	for _, line := range lines[:len(lines)-1] { // the last one is the next marker's
		switch _, sent, ok := strings.Cut(line, "SEND ►"); {
		case !ok, !own[protocolSession(sent)], strings.Contains(sent, "callFunctionOn") && strings.Contains(sent, "localStorage"):
		case strings.Contains(sent, alive) && len(out) > 0 && strings.Contains(out[len(out)-1], alive):
		case strings.Contains(sent, from): // of the marker itself
			out = nil
		default:
			out = append(out, sent)
		}
	}
	return out
}

// protocolSession returns to which page's session of the protocol something is sent; "": to the browser.
func protocolSession(sent string) string {
	at := strings.LastIndex(sent, `"sessionId":"`)
	if at < 0 {
		return ""
	}
	id, _, _ := strings.Cut(sent[at+len(`"sessionId":"`):], `"`)
	return id
}

const tripsPage = `<!doctype html><title>Trips</title><h1>Order</h1><label>Name <input id=name></label><select aria-label=Size><option>S<option>M</select>
	<button onclick="said.textContent = 'stored'">Store</button><p id=said></p><a href=/next>Next</a><label><input type=checkbox checked> Agree</label>
	<b id=sum>15</b><ul><li>one<li>two</ul><table><tr><th>Name<th>Status<tr><td>A-1<td>open<tr><td>B-2<td>paid</table><label>Pass <input type=password></label><p style="height: 3000px"></p><button>Below</button>`

// lateTries is how often a call may be made until it sends no more than its budget: on a busy
// machine a page may answer so late that it is asked whether it still does.
const lateTries = 8

// holdsBudgets bounds what calls send to the browser in a document that was looked at
// before, one line a call. Where an act is on an element that one look can't prove to be
// ready, Playwright's own checks come on top, and they wait.
func (c *trips) holdsBudgets() {
	address := c.site + "/trips"
	c.ok("page_navigate", `{"url": %q}`, address)
	marker := len(c.sent(func() {}))
	for _, b := range []struct {
		tool, args string
		most       int
	}{
		{"page_click", `{"selector": "frame \"F\" > button \"In\""}`, 17}, // each question in the frame takes one to its page first
		{"page_hover", `{"selector": "frame \"F\" > button \"In\""}`, 14},
		{"page_fill", `{"selector": "frame \"F\" > textbox \"Card\"", "value": "x"}`, 15},
		{"page_fill", `{"selector": "textbox \"Name\"", "value": "Ada"}`, 7},
		{"page_fill", `{"selector": "css=#name", "value": "Ada"}`, 9},            // what is no line of a snapshot is counted first, before and after
		{"page_fill", `{"selector": "textbox \"Name\"", "value": ""}`, 8},        // a key has two commands
		{"page_fill", `{"selector": "textbox \"Pass\"", "value": "hunter2"}`, 8}, // compared in the page, since its value is not read
		{"page_select", `{"selector": "combobox \"Size\"", "option": "M"}`, 6},
		{"page_click", `{"selector": "button \"Store\""}`, 10}, // with one that proves that no file chooser is still to be reported
		{"page_click", `{"selector": "button \"Below\""}`, 10}, // it is scrolled to
		{"page_hover", `{"selector": "link \"Next\""}`, 7},
		{"page_press", `{"selector": "textbox \"Name\"", "key": "Tab"}`, 8},
		{"page_press", `{"selector": "textbox \"Name\"", "key": "a"}`, 9},
		{"page_press", `{"selector": "button \"Store\"", "key": "Enter"}`, 9}, // what it activates is judged before it has the focus
		{"page_snapshot", `{}`, 2},
		{"page_screenshot", `{}`, 3},
		{"page_navigate", fmt.Sprintf(`{"url": %q}`, address), 8},
		{"verify_assertion", `{"assertion": {"type": "text_contains", "expected": "Order"}}`, 4}, // 2 where the page has stood still since the last act
		{"verify_assertion", `{"selector": "heading \"Order\"", "assertion": {"type": "visible"}}`, 3},
		{"verify_assertion", `{"assertion": {"type": "title_equals", "expected": "Trips"}}`, 3},
		{"verify_assertion", `{"assertion": {"type": "url_matches", "expected": "/trips"}}`, 3},
		{"verify_assertion", `{"selector": "row \"A-1\" column \"Status\"", "assertion": {"type": "text_equals", "expected": "open"}}`, 4}, // as text_contains: its words are found in one trip, and judged in the next
		{"verify_assertion", `{"selector": "link \"Next\"", "assertion": {"type": "attribute_equals", "attribute": "href", "expected": "/next"}}`, 3},
		{"verify_assertion", `{"selector": "checkbox \"Agree\"", "assertion": {"type": "checked"}}`, 3},
		{"verify_assertion", `{"selector": "button \"Store\"", "assertion": {"type": "enabled"}}`, 3},
		{"verify_assertion", `{"selector": "textbox \"Name\"", "assertion": {"type": "value_equals", "expected": "first"}}`, 3},
		{"verify_assertion", `{"selector": "heading \"Order\"", "assertion": {"type": "comes_before", "other": "link \"Next\""}}`, 3},
		{"verify_assertion", `{"selector": "css=#sum", "assertion": {"type": "number_compared", "op": "==", "value": "15"}}`, 4}, // as text_contains
		{"verify_assertion", `{"selector": "css=li", "assertion": {"type": "sorted_by", "order": "asc", "as": "text"}}`, 4},
		{"verify_assertion", `{"assertion": {"type": "aria_snapshot", "expected": "heading \"Order\""}}`, 3},
		{"verify_assertion", `{"selector": "css=body", "assertion": {"type": "aria_snapshot", "expected": "link \"Next\""}}`, 3},
		{"verify_assertion", `{"selector": "heading \"Order\"", "assertion": {"type": "in_viewport"}}`, 3},
		{"page_click", `{"selector": "link \"Next\""}`, 16}, // with four for Playwright's scripts and ours in the new document
	} {
		var sent []string
		for range lateTries {
			page := address
			if strings.Contains(b.args, "frame") {
				page = c.site + "/framed"
			}
			c.ok("page_navigate", `{"url": %q}`, page)
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

// sentLast returns what the last of several calls sends: those before it give the page the time
// to be known as still. A marker would begin that time anew, so checks part the calls.
func (c *trips) sentLast(call func()) []string {
	c.t.Helper()
	const calls = 4
	part := func(n int) {
		c.ok("verify_assertion", `{"selector": "css=h1:not(.part%d)", "assertion": {"type": "role_equals", "expected": "heading"}}`, n)
	}
	sent := c.sent(func() {
		for n := range calls {
			part(n)
			call()
		}
		part(calls)
	})
	isPart := func(n int) func(string) bool {
		return func(line string) bool { return strings.Contains(line, fmt.Sprintf(".part%d)", n)) }
	}
	to := slices.IndexFunc(sent, isPart(calls))
	if to < 0 {
		c.t.Fatalf("what parts the calls is not in the log:\n%s", strings.Join(shortened(sent), "\n"))
	}
	for slices.ContainsFunc(sent[:to], isPart(calls-1)) {
		n := slices.IndexFunc(sent[:to], isPart(calls-1)) + 1
		sent, to = sent[n:], to-n
	}
	return sent[:to]
}

// holdsBudgetsAtRest bounds what checks send on a page that has stood still for as long as it is
// watched.
func (c *trips) holdsBudgetsAtRest() {
	watch := c.Watch
	c.Watch = wait.Standard().Watch
	defer func() { c.Watch = watch }()
	address := c.site + "/long"
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
		{`{"selector": "css=#said", "assertion": {"type": "empty"}}`, 2},
		{`{"assertion": {"type": "console_clean"}}`, 1},
		{`{"selector": "css=#sum", "assertion": {"type": "number_compared", "op": "==", "value": "15"}}`, 2},
		{`{"assertion": {"type": "text_contains", "expected": "Order"}}`, 2},
		{`{"selector": "listitem", "assertion": {"type": "count_at_least", "expected": "2"}}`, 1},
	} {
		var sent []string
		for try := 0; try < lateTries && (try == 0 || len(sent) > b.most); try++ {
			sent = c.sentLast(func() { c.ok("verify_assertion", "%s", b.args) })
		}
		if len(sent) > b.most {
			c.t.Errorf("%s sends %d on a page at rest, more than %d:\n%s", b.args, len(sent), b.most, strings.Join(shortened(sent), "\n"))
		}
	}
}

// flowBudget bounds what a flow of 23 steps sends, 20 of which are assertions that follow one
// another and hold.
const flowBudget = 110

func (c *trips) holdsFlowBudget() {
	address := c.site + "/long"
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
	for try := 0; try < lateTries && (try == 0 || len(sent) > flowBudget); try++ {
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
