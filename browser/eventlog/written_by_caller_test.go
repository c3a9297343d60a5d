package eventlog

import (
	"strings"
	"testing"
	"time"
)

// What a script of the caller writes is known by who wrote it: while its document is shown, and
// until something is done through the page. What the page writes before, after or without it is
// the page's own.
func TestWrittenByTheCaller(t *testing.T) {
	t.Parallel()
	page, other := somePage("http://a.test/list"), somePage("http://b.test/")
	var j *Log
	load := func(address string) {
		r := &sent{"GET", address, "document"}
		j.MarkAct(page)
		j.RequestSent(r, Sender{URL: string(page), Page: page, Navigates: true})
		j.mu.Lock()
		j.answers[page] = j.byID[r]
		j.mu.Unlock()
		j.FrameNavigated(page, address, true)
	}
	sends := func(method, address, kind string) func() {
		return func() { j.RequestSent(&sent{method, address, kind}, Sender{URL: string(page), Page: page}) }
	}
	script := func() { j.MarkAct(page); j.TouchByScript(); j.ScriptRan(page) }
	store := func() { j.CallerWrote(page, "a database", string(page)) }
	act := func() { j.MarkAct(page); j.Touch(true) }
	reload := func() { load(string(page)) }
	for name, c := range map[string]struct {
		does  []func()
		what  string
		acted bool
	}{
		"the page alone":                    {[]func(){store, sends("POST", "http://a.test/log", "fetch")}, "", false},
		"a script that writes":              {[]func(){script, store, reload}, "a database", false},
		"one that writes late":              {[]func(){script, sends("GET", "http://a.test/x", "fetch"), store}, "a database", false},
		"one that sends":                    {[]func(){script, sends("PATCH", "http://a.test/orders/1", "fetch")}, "what it sent to a server", false},
		"one that submits a form":           {[]func(){script, sends("POST", "http://a.test/orders", "document"), reload}, "what it sent to a server", false},
		"one that sends to another site":    {[]func(){script, sends("PUT", "http://api.c.test/orders", "xhr"), reload}, "what it sent to a server", false},
		"one that reads from a server":      {[]func(){script, sends("GET", "http://a.test/orders", "fetch"), reload}, "", false},
		"what visitors are counted with":    {[]func(){script, sends("POST", "http://stats.test/hit", "ping")}, "", false},
		"another site's store":              {[]func(){script, func() { j.CallerWrote(page, "a database", "http://c.test/") }}, "", false},
		"the next document":                 {[]func(){script, reload, store, sends("POST", "http://a.test/log", "fetch")}, "", false},
		"the page, after an act":            {[]func(){script, act, store, sends("POST", "http://a.test/save", "fetch")}, "", false},
		"an act after it":                   {[]func(){script, store, reload, act, store}, "a database", true},
		"a script that reads is no act":     {[]func(){script, store, reload, script}, "a database", false},
		"another script after an act":       {[]func(){script, store, act, script, sends("POST", "http://a.test/x", "fetch")}, "what it sent to a server", false},
		"a cookie, and the page went on":    {[]func(){script, reload, func() { j.CallerKept("a cookie", string(page)) }}, "a cookie", false},
		"twice the same":                    {[]func(){script, store, store}, "a database", false},
		"a page of another site is not his": {[]func(){script, store, func() { page = other }}, "", false},
	} {
		page = "http://a.test/list"
		j = New(Options{Now: func() time.Time { return time.Unix(1e9, 0) }, Mask: func(s string) string { return s }, Page: func() Page { return page }, Tab: func(Page) int { return 0 }})
		load(string(page))
		for _, does := range c.does {
			does()
		}
		w := j.Made().Written
		if what := strings.Join(w.What, ", "); what != c.what || w.Acted != c.acted {
			t.Errorf("%s: %q, acted %v; want %q, %v", name, what, w.Acted, c.what, c.acted)
		}
		if c.acted && w.First >= j.Acts() {
			t.Errorf("%s: the first act is %d of %d", name, w.First, j.Acts())
		}
	}
}
