package look

import (
	"fmt"
	"strconv"
)

// addressCells asks about the address of a page and about its requests.
func addressCells(p *parts) {
	here := p.page("/shop/orders/42", page{body: whole("Order 42", `<h1>Order 42</h1><p>Paid yesterday.</p>`)})
	archive := p.page("/orders-archive", page{body: whole("Archive", `<h1>Archive</h1><p>All of last year.</p>`)})
	for _, a := range addresses() {
		path := here
		if a.archive {
			path = archive
		}
		p.cell(cell{Class: "addresses", Way: a.name, Tool: "url_matches", Page: path + a.tail, About: path + a.tail + " asked for " + a.pattern, Truth: a.is, ask: asserts("url_matches", "", a.pattern), fresh: true})
		p.cell(cell{Class: "addresses", Way: a.name, Tool: "flow: url_matches", Page: path + a.tail, About: path + a.tail + " asked for " + a.pattern, Truth: a.is, ask: flow("", assertStep("url_matches", "", a.pattern))})
	}
	portCells(p, here)
	for i, r := range requests() {
		path := p.page(fmt.Sprintf("/request/%d", i), page{body: whole("Request", `<h1>Request</h1><button onclick="act()">Send</button> <a href="/fine/start">On</a><script>function act(){}`+r.script+`</script>`)})
		c := cell{Class: "addresses", Way: r.name, Page: path, About: short(r.script + " asked for " + r.pattern + " " + r.status), Truth: r.is}
		steps := r.steps
		if r.status == "" {
			c.Tool = "request_made"
			steps = append(steps, assertStep("request_made", "", r.pattern))
		} else {
			c.Tool = "response_status"
			steps = append(steps, step{"action": "assert", "timeout_ms": patience, "assertion": map[string]any{"type": "response_status", "url": r.pattern, "expected": r.status}})
		}
		c.ask = flow("", steps...)
		p.cell(c)
	}
}

// portCells follows links to another port of the same host, which is another site, and to the page's own.
func portCells(p *parts, to string) {
	links := []struct {
		name, href string
		is         truth
	}{{"a link to another port", "/x/beside?to=" + to, mustFail}, {"fine: a link of the page's own", to, mustPass}}
	for i, link := range links {
		for k, pattern := range []string{to, "/shop/orders/*", "/shop/*/42", to + "/"} {
			path := p.page(fmt.Sprintf("/port/%d/%d", i, k), page{body: whole("Start", `<h1>Start</h1><a href="`+link.href+`">On</a>`)})
			p.cell(cell{Class: "addresses", Way: link.name, Tool: "flow: url_matches", Page: path, About: link.href + " asked for " + pattern, Truth: link.is,
				ask: flow("", act("click", `link "On"`), assertStep("url_matches", "", pattern))})
			e := expectation{text: "The order is open", assertion: assertion{"type": "url_matches", "expected": pattern}}
			must := link.is
			if must == mustFail {
				must = notPass
			}
			p.cell(cell{Class: "addresses", Way: link.name, Tool: "run", Page: path, About: link.href + " asked for " + pattern, Truth: must, ask: runOf(e, soon, click(`link "On"`))})
		}
	}
}

// address describes where a page is, and where it was expected to be.
type address struct {
	name, tail, pattern string
	is                  truth
	archive             bool
}

func addresses() []address {
	return []address{
		{name: "part of the last name", pattern: "/orders", is: mustFail, archive: true},
		{name: "beginning of the path", pattern: "/shop", is: mustFail},
		{name: "end of the path", pattern: "/42", is: mustFail},
		{name: "part of a number", pattern: "/shop/orders/4", is: mustFail},
		{name: "in the query", tail: "?next=/cart", pattern: "/cart", is: mustFail},
		{name: "in the query, escaped", tail: "?next=%2Fcart", pattern: "/cart", is: mustFail},
		{name: "in the hash", tail: "#/cart", pattern: "/cart", is: mustFail},
		{name: "glob, in the query", tail: "?to=/cart/1", pattern: "/cart/*", is: mustFail},
		{name: "other host", pattern: "http://shop.test/shop/orders/42", is: mustFail},
		{name: "other port", pattern: "http://127.0.0.1:9/shop/orders/42", is: mustFail},
		{name: "other scheme", pattern: "https://127.0.0.1/shop/orders/42", is: mustFail},
		{name: "glob over a slash", pattern: "/shop/*", is: mustFail},
		{name: "query that is not there", pattern: "/shop/orders/42?tab=items", is: mustFail},
		{name: "another query", tail: "?tab=rows", pattern: "/shop/orders/42?tab=items", is: mustFail},
		{name: "hash that is not there", pattern: "/shop/orders/42#items", is: mustFail},
		{name: "other case", pattern: "/shop/Orders/42", is: mustFail},
		{name: "fine: the path", pattern: "/shop/orders/42", is: mustPass},
		{name: "fine: slash behind", pattern: "/shop/orders/42/", is: mustPass},
		{name: "fine: query that nobody named", tail: "?tab=items", pattern: "/shop/orders/42", is: mustPass},
		{name: "fine: hash that nobody named", tail: "#top", pattern: "/shop/orders/42", is: mustPass},
		{name: "fine: query named", tail: "?tab=items", pattern: "/shop/orders/42?tab=items", is: mustPass},
		{name: "fine: glob", pattern: "/shop/orders/*", is: mustPass},
		{name: "fine: glob within", pattern: "/shop/*/42", is: mustPass},
		{name: "fine: glob over slashes", pattern: "**/42", is: mustPass},
		{name: "fine: regular expression", pattern: `re:/orders/\d+$`, is: mustPass},
	}
}

// request describes what a page sends, and the checks of it.
type request struct {
	name, script    string
	pattern, status string
	is              truth
	steps           []step // before the question
}

func requests() []request {
	send := []step{{"action": "click", "selector": `button "Send"`}}
	on := []step{{"action": "click", "selector": `link "On"`}, assertStep("text_contains", "h1", "Start")}
	act := func(what string) string { return `act=()=>` + what }
	out := []request{
		{name: "never sent", script: act(`0`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "earlier page's", script: `fetch('/x/save',{method:'POST'})`, pattern: "POST /x/save", is: mustFail, steps: on},
		{name: "another method", script: act(`fetch('/x/save')`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "part of another path", script: act(`fetch('/x/saved-searches',{method:'POST'})`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "below it", script: act(`fetch('/x/save/draft',{method:'POST'})`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "in a query", script: act(`fetch('/x/log?url=/x/save',{method:'POST'})`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "refused", script: act(`fetch('/x/refuse',{method:'POST'}).catch(()=>0)`), pattern: "POST /x/refuse", is: mustFail, steps: send},
		{name: "other host, refused", script: act(`fetch('http://127.0.0.1:9/x/save',{method:'POST'}).catch(()=>0)`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "answered with 500", script: act(`fetch('/x/save?status=500',{method:'POST'})`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "answered with 404", script: act(`fetch('/x/save?status=404',{method:'POST'})`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "given up", script: act(`{const c=new AbortController();fetch('/x/save?ms=900',{method:'POST',signal:c.signal}).catch(()=>0);setTimeout(()=>c.abort(),50)}`), pattern: "POST /x/save", is: mustFail, steps: send},
		{name: "status: another page's", script: `fetch('/x/save')`, pattern: "/x/save", status: "200", is: mustFail, steps: on},
		{name: "status: refused", script: act(`fetch('/x/refuse').catch(()=>0)`), pattern: "/x/refuse", status: "200", is: mustFail, steps: send},
		{name: "status: in a query", script: act(`fetch('/x/log?u=/x/save')`), pattern: "/x/save", status: "200", is: mustFail, steps: send},
		{name: "status: part of another path", script: act(`fetch('/x/saved')`), pattern: "/x/save", status: "200", is: mustFail, steps: send},
		{name: "status: the last one counts", script: act(`fetch('/x/save').then(()=>fetch('/x/save?status=500'))`), pattern: "/x/save", status: "200", is: mustFail, steps: append(send, assertStep("request_made", "", "re:/x/save\\?status"))},
		{name: "fine: status 200", script: act(`fetch('/x/save')`), pattern: "/x/save", status: "200", is: mustPass, steps: send},
		{name: "fine: status of an error that was asked for", script: act(`fetch('/x/save?status=422',{method:'POST'})`), pattern: "/x/save", status: "422", is: mustPass, steps: send},
		{name: "fine: sent at load", script: `fetch('/x/save',{method:'POST'})`, pattern: "POST /x/save", is: mustPass},
		{name: "fine: sent late", script: act(`setTimeout(()=>fetch('/x/save',{method:'POST'}),400)`), pattern: "POST /x/save", is: mustPass, steps: send},
		{name: "fine: any method", script: act(`fetch('/x/save',{method:'PUT'})`), pattern: "/x/save", is: mustPass, steps: send},
		{name: "fine: glob", script: act(`fetch('/x/items/7',{method:'PUT'})`), pattern: "PUT /x/items/*", is: mustPass, steps: send},
		{name: "fine: glob over slashes", script: act(`fetch('/x/items/7')`), pattern: "**/items/*", is: mustPass, steps: send},
		{name: "fine: XMLHttpRequest", script: act(`{const r=new XMLHttpRequest;r.open('POST','/x/save');r.send()}`), pattern: "POST /x/save", is: mustPass, steps: send},
		{name: "fine: query that nobody named", script: act(`fetch('/x/save?id=4',{method:'POST'})`), pattern: "POST /x/save", is: mustPass, steps: send},
	}
	for _, code := range []int{201, 202} {
		out = append(out, request{name: fmt.Sprintf("fine: answered with %d", code), script: act(`fetch('/x/save?status=` + strconv.Itoa(code) + `',{method:'POST'})`), pattern: "POST /x/save", is: mustPass, steps: send})
	}
	return out
}
