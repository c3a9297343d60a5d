package tools_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/health"
	"github.com/assay-qa/assay/tools/pagehealth"
)

// healthOf checks a page as `assay check` does, and returns the names of what
// failed by the judge of its health, and of what it found likely.
func healthOf(t *testing.T, d desk, url string) (certain, likely []string) {
	t.Helper()
	r, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, url, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	ran := false
	for _, c := range r.Checks {
		ran = ran || c.Kind == "health"
		if !c.Passed && health.Known(c.Kind) {
			certain = append(certain, c.Kind)
		}
	}
	if !ran {
		t.Errorf("%s: not looked at: %s", url, r.StatusReason)
	}
	for _, f := range r.Findings {
		if name, ok := strings.CutPrefix(string(f.Assertion), "the page is healthy: "); ok && f.Severity == qa.Minor {
			likely = append(likely, name)
		}
	}
	return certain, likely
}

const ordersPage = `<!doctype html><html lang=en><head><title>Shop</title><style>body{font:16px sans-serif}</style></head><body><h1>Orders</h1><p>Three orders are open today.</p><button>New</button>%s</body></html>`

// sick are pages that anybody would call broken, by what they are found to be.
func sick() map[string][]string {
	return map[string][]string{
		"nothing-drawn": {
			`<title>Shop</title><div id=root></div>`,
			`<title>Shop</title><body style="background:#123"><div id=app><div></div></div>`,
			`<title>Shop</title><h1>Orders</h1><p>Three</p><div style="position:fixed;inset:0;background:#fff;pointer-events:none"></div>`,
			`<title>Shop</title><iframe srcdoc="" style="border:0;width:400px;height:300px"></iframe>`,
		},
		"covered": {
			fmt.Sprintf(ordersPage, `<div style="position:fixed;inset:0;background:#fff8"></div>`),
			fmt.Sprintf(ordersPage, `<div style="position:fixed;inset:0;z-index:9"></div>`),
			fmt.Sprintf(ordersPage, `<section><div style="position:absolute;top:0;left:0;width:100vw;height:100vh;background:linear-gradient(red,blue)"><i></i></div></section>`),
		},
		"error-page": {
			"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.27.3</center>\r\n</body>\r\n</html>",
			`<html><body><h1>503 Service Unavailable</h1>No server is available to handle this request.</body></html>`,
			`<html><head><title>Error</title></head><body><pre>Cannot GET /nope</pre></body></html>`,
			`<title>Shop</title><h1>Hi</h1><script>const e=document.createElement('vite-error-overlay');e.attachShadow({mode:'open'}).innerHTML='<div style="position:fixed;inset:9px">[plugin:vite:css] Unknown word</div>';document.body.append(e)</script>`,
		},
		"stack-trace": {
			fmt.Sprintf(ordersPage, `<div>TypeError: Cannot read properties of undefined (reading 'map')<br>    at Orders (http://127.0.0.1/static/app.js:10:22)<br>    at render (http://127.0.0.1/static/app.js:80:3)</div>`),
			`<title>x</title><pre>Traceback (most recent call last):
  File "/srv/app/views.py", line 12, in orders
    return total / count
ZeroDivisionError: division by zero</pre>`,
			fmt.Sprintf(ordersPage, `<b>Warning</b>: Undefined variable $total in <b>/var/www/html/orders.php</b> on line <b>17</b><br>`),
		},
		"template-placeholder": {
			fmt.Sprintf(ordersPage, `<p>Hello {{ user.name }}, you have 3 orders</p>`),
			fmt.Sprintf(ordersPage, "<h2>Total: ${order.total}</h2>"),
			fmt.Sprintf(ordersPage, `<p>&lt;%= order.number %&gt;</p>`),
			fmt.Sprintf(ordersPage, `<td>Welcome back, %s!</td>`),
			fmt.Sprintf(ordersPage, `<x-x></x-x><script>document.querySelector('x-x').attachShadow({mode:'open'}).innerHTML='<p>{{title}}</p>'</script>`),
			fmt.Sprintf(ordersPage, `<iframe srcdoc="<p>{{ title }}</p>"></iframe>`),
		},
		"object-object": {fmt.Sprintf(ordersPage, `<ul><li>[object Object]</ul>`)},
		"invalid-date":  {fmt.Sprintf(ordersPage, `<p>Ordered on Invalid Date</p>`), fmt.Sprintf(ordersPage, `<table><tr><td>NaN/NaN/NaN</table>`)},
		"mojibake":      {fmt.Sprintf(ordersPage, `<p>MÃ¼nchen, KÃ¶ln</p>`), fmt.Sprintf(ordersPage, `<p>Itâ€™s here</p>`), fmt.Sprintf(ordersPage, "<p>M\xfcnchen</p>")},
		"undefined-value": {
			fmt.Sprintf(ordersPage, `<table><tr><td>Total<td>NaN</table>`),
			fmt.Sprintf(ordersPage, `<p>Total: <b>$NaN</b></p>`),
			fmt.Sprintf(ordersPage, `<div><span>undefined</span> items</div>`),
			fmt.Sprintf(ordersPage, `<h2>Welcome, undefined!</h2>`),
			fmt.Sprintf(ordersPage, `<svg width=200 height=50><text x=10 y=20>NaN%</text></svg>`),
			fmt.Sprintf(ordersPage, `<div>Orders <span class=badge>null</span></div>`),
		},
		"unstyled-page": {fmt.Sprintf(ordersPage, `<link rel=stylesheet href="?style">`)}, // answered with the page
		"open-password": {fmt.Sprintf(ordersPage, `<form><label>PIN <input autocomplete="section-a current-password"></label></form>`)},
	}
}

// afterPaint is a script that does something when the page has loaded and a person sees it.
const afterPaint = `addEventListener('load', () => new PerformanceObserver(() => setTimeout(() => { %s })).observe({type: 'paint', buffered: true}))`

// part returns what a page has beside what all of ordersPage have; ok: it is one.
func part(body string) (text string, ok bool) {
	head, tail, _ := strings.Cut(ordersPage, "%s")
	text, ok = strings.CutPrefix(body, head)
	text, whole := strings.CutSuffix(text, tail)
	return text, ok && whole
}

// Issue 14, item 4: what is certain fails the check, by its name. make test has the
// first page of each kind, and those that can stand beside each other on one page.
func TestHealthFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	d := patient(t)
	together, all := "", []string(nil)
	pages, want := map[string]string{}, map[string][]string{}
	for name, bodies := range sick() {
		for i, body := range bodies {
			text, ok := part(body)
			switch {
			case soak():
			case i > 0:
				continue
			case ok && name != "covered":
				together, all = together+text, append(all, name)
				continue
			}
			path := fmt.Sprintf("/%s/%d", name, i)
			pages[path], want[path] = body, []string{name}
		}
	}
	if len(all) > 0 {
		pages["/together"], want["/together"] = fmt.Sprintf(ordersPage, together), all
	}
	at := site(t, pages)
	for path, names := range want {
		certain, likely := healthOf(t, d, at+path)
		slices.Sort(certain)
		if slices.Sort(names); !slices.Equal(certain, names) {
			t.Errorf("%s: certain %v, likely %v; want %s\n%s", path, certain, likely, names, pages[path])
		}
	}
}

// fine are pages of which nobody would say that they are broken, although they
// show what is a fault elsewhere.
func fine() []string {
	return []string{
		`<title>Vue guide</title><h1>Text interpolation</h1><p>The most basic form is <code>{{ message }}</code>.</p><pre>&lt;p&gt;{{ message }}&lt;/p&gt; ${x}</pre>`,
		`<title>Logs</title><h1>Logs</h1><pre>12:01 ERROR TypeError: order.total is undefined
    at sum (/srv/app/orders.js:41:17)
    at render (/srv/app/orders.js:88:3)
12:02 INFO  retried, ok</pre><p>Last 2 entries</p>`,
		`<title>Numbers</title><h1>What is NaN?</h1><p>In JavaScript, NaN is a value of type number, and undefined is what a function returns without a return statement. 0/0 is NaN.</p>`,
		fmt.Sprintf(ordersPage, `<h2>404 errors last week</h2><p>There were 17 of them, 3 × 502 Bad Gateway.</p><h3>500 Internal Server Error</h3>`),
		`<title>Server Error rates</title><h1>Server errors</h1><p>No server error in the last 24 hours.</p>`,
		fmt.Sprintf(ordersPage, `<h2>Undefined</h2><p>The new album by undefined is out on Friday, and “undefined” tours in May.</p><div>undefined</div>`),
		fmt.Sprintf(ordersPage, `<textarea>Dear {{ name }}, your total is ${total}</textarea><input value="undefined"><div contenteditable>NaN %s</div>`),
		fmt.Sprintf(ordersPage, `<p>SÃO PAULO, NÃO, IRMÃ”, Ångström, Ärzte – “Ä”, crème brûlée, Москва, 東京, ½ °C · © 2026</p>`),
		fmt.Sprintf(ordersPage, `<div class="comments"><p>I get {{ total }} and [object Object] with your plugin, Traceback (most recent call last)</p></div>`),
		fmt.Sprintf(ordersPage, `<p>Save 50%, or 100%sure</p><p>Price: $5 – $10 {limited}</p><p>Rated 4/5</p><button disabled><i class="spinner"></i> Loading…</button>`),
		fmt.Sprintf(ordersPage, `<label>Birthday <input type=date></label><div class="invalid-feedback">Invalid date</div><div role=alert>Invalid Date: please enter one</div>`),
		fmt.Sprintf(ordersPage, `<div style="position:fixed;inset:0;background:#000a"><div style="background:#fff;margin:99px"><h2>Sign up</h2><button>Close</button></div></div>`),
		fmt.Sprintf(ordersPage, `<div style="position:fixed;inset:0;pointer-events:none"></div><div hidden>undefined {{ x }}</div><p style="opacity:0">NaN</p><p style="position:absolute;left:-999em">null</p>`),
		`<title>Paint</title><body style="margin:0"><canvas width=900 height=600></canvas><script>const c=document.querySelector('canvas').getContext('2d');c.fillRect(9,9,99,99)</script>`,
		`<title>Paint</title><body style="margin:0"><svg width=900 height=600><circle cx=99 cy=99 r=50 /></svg>`,
		`<title>Long</title><div style="height:100vh"></div><h1>Below</h1><p>Words come below the fold here, since the first screen is a colour.</p><video width=300 height=200></video>`,
		fmt.Sprintf(ordersPage, `<script>setTimeout(()=>{for(const e of document.querySelectorAll('.late'))e.textContent='12 items'},700)</script><p class=late>{{ count }} items</p><p class=late>NaN%</p>`),
		fmt.Sprintf(ordersPage, `<link rel=stylesheet href="data:text/css,"><table style="width:1900px"><tr><td>A<td>B</table><div style="overflow-x:auto"><p style="width:2000px">wide</p></div><div style="width:100vw">as wide as the window</div>`),
		fmt.Sprintf(ordersPage, `<form><label>Password <input type=password autocomplete=current-password></label><label>Code <input autocomplete=one-time-code></label><label>Password hint <input></label><label>Passport <input name=passport></label></form>`),
		fmt.Sprintf(ordersPage, `<p>→ ✓ ★ ½</p><link rel=stylesheet href="data:text/css,/* it's { */">`),
		fmt.Sprintf(ordersPage, `<div id=data><div style="height:300px;background:#eee"></div></div><ul id=rows></ul><footer>Shop Ltd.</footer><div style="position:fixed;bottom:0" id=note></div><script>`+
			fmt.Sprintf(afterPaint, `data.innerHTML = '<p style="height:300px;margin:0">Twelve orders are on their way.</p>'; note.textContent = 'We use cookies'; rows.innerHTML = '<li>An order of today, which is on its way</li>'.repeat(20)`)+`</script>`),
		fmt.Sprintf(ordersPage, `<ul><li>www.example.com</li><li>report.final.pdf</li><li>org.example.shop</li></ul>`),
	}
}

// Issue 14, item 4: code, fields, comments and prose about programming are
// none of it, and what is gone in a moment was never there.
func TestHealthLeavesFinePagesAlone(t *testing.T) {
	t.Parallel()
	d := patient(t) // what is drawn at last comes after 700 ms
	pages, together := map[string]string{}, ""
	for i, body := range fine() {
		if text, ok := part(body); ok && !soak() && !strings.Contains(text, "position:fixed") {
			together += text
		} else if sampled(i, 2) {
			pages[fmt.Sprintf("/fine/%d", i)] = body
		}
	}
	if together != "" {
		pages["/fine/together"] = fmt.Sprintf(ordersPage, together)
	}
	at := site(t, pages)
	for path, body := range pages {
		certain, likely := healthOf(t, d, at+path)
		if len(certain)+len(likely) > 0 && (len(likely) != 1 || likely[0] != "no-content") {
			t.Errorf("%s: certain %v, likely %v\n%s", path, certain, likely, body)
		}
	}
}

// Issue 14, item 4: a run fails by the page that it ends on, a flow as well as
// calls; a name that is ignored is left out.
func TestRunsEndOnAHealthyPage(t *testing.T) {
	t.Parallel()
	d := patient(t)
	at := site(t, map[string]string{"/": fmt.Sprintf(ordersPage, `<a href="/done">Go on</a>`), "/done": fmt.Sprintf(ordersPage, `<p>Total: NaN</p><title>Document</title>`)})
	steps := func() {
		d.ok("page_navigate", `{"url": %q}`, at+"/done")
		d.ok("verify_assertion", `{"assertion": {"type": "text_contains", "expected": "Orders"}}`)
	}
	for _, tt := range []struct {
		name, status string
		ignore       []string
		work         func()
	}{
		{"calls", "failed", nil, steps},
		{"ignored", "passed", []string{"undefined-value"}, steps},
		{"flow", "failed", nil, func() {
			d.ok("verify_user_flow", `{"start_url": %q, "success_condition": "Orders", "steps": [{"action": "click", "selector": "link \"Go on\""}]}`, at)
		}},
		{"elsewhere", "passed", nil, func() {
			steps()
			d.ok("page_navigate", `{"url": %q}`, at)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d.HealthIgnore = tt.ignore
			d.ok("run_start", `{"goal": "orders are shown"}`)
			tt.work()
			if status, why := d.finish(); status != tt.status {
				t.Errorf("%s (%s), want %s", status, why, tt.status)
			}
		})
	}
}

// Issue 14, item 4: what verify_page_loads answers is what anybody would say.
func TestVerifyPageLoadsJudgesHealth(t *testing.T) {
	t.Parallel()
	d := patient(t)
	at := site(t, map[string]string{"/": fmt.Sprintf(ordersPage, `<p>Total: NaN</p>`)})
	a := d.ok("verify_page_loads", `{"url": %q}`, at)
	if a.Data["success"] != false || !strings.Contains(a.text, "undefined-value") {
		t.Errorf("%v\n%s", a.Data, a.text)
	}
	a = d.ok("verify_page_loads", `{"url": %q, "ignore": ["undefined-value"]}`, at)
	if a.Data["success"] != true {
		t.Errorf("%v\n%s", a.Data, a.text)
	}
	if a := d.call("verify_page_loads", `{"url": %q, "ignore": ["undefined-valu"]}`, at); a.Error.Code != "INVALID_INPUT" {
		t.Errorf("an unknown name: %s", a.text)
	}
}

// Issue 14, item 4: what is likely is a minor finding, and fails nothing.
func TestHealthTellsWhatIsLikely(t *testing.T) {
	t.Parallel()
	d := patient(t)
	beside := map[string]string{
		"endless-spinner":  `<style>@keyframes s{to{rotate:1turn}}.spinner{width:40px;height:40px;border:4px solid;animation:s 1s infinite}</style><div style="height:400px"><div class=spinner></div></div>`,
		"endless-skeleton": `<style>@keyframes p{to{opacity:.5}}.skeleton{width:600px;height:60px;margin:9px;background:#ddd;animation:p 1s infinite}</style><div class=skeleton></div><div class=skeleton></div>`,
		"i18n-key":         `<h2>cart.total.label</h2>`,
		"empty-source":     `<img src="" width=50 height=50 alt=Logo>`,
		"open-password":    `<form><label>Kennwort: <input name=k></label></form>`,
		"wide-page":        `<div style="width:2500px;height:9px;background:#ccc"></div>`,
		"endless-requests": `<p id=asked></p><script>let asks = 0; (async () => { for (;;) { await fetch('?again'); asked.textContent = ++asks; await new Promise(done => setTimeout(done, 50)) } })()</script>`,
	}
	pages := map[string]string{
		"/placeholder-title": `<title>Vite + React</title><h1>Orders</h1><p>Three orders are open today.</p>`,
		"/dialog-over-page":  fmt.Sprintf(ordersPage, `<dialog>News for you<button>Close</button></dialog><script>document.querySelector('dialog').showModal()</script>`),
		"/account":           `<title>x</title><meta http-equiv=refresh content="0;url=/login">`,
		"/login":             `<title>Sign in to the shop</title><h1>Sign in</h1><form><input name=user><input type=password name=p><button>Go</button></form>`,
	}
	pages["/join"] = `<title>x</title><meta http-equiv=refresh content="0;url=/register">`
	pages["/register"] = `<title>Join the shop</title><h1>Create an account</h1><form><input name=user><input type=password name=p><input type=password name=again><button>Join</button></form>`
	names := map[string][]string{"/join": {}, "/account": {"sign-in-page"}, "/dialog-over-page": {"dialog-over-page"}}
	if soak() { // each on a page of its own
		for name, body := range beside {
			pages["/"+name], names["/"+name] = fmt.Sprintf(ordersPage, body), []string{name}
		}
		names["/placeholder-title"] = []string{"placeholder-title"}
	} else {
		names["/together"] = append(slices.Collect(maps.Keys(beside)), "placeholder-title")
		// In this order what waits is in the viewport: below it, it may load when it is scrolled to.
		pages["/together"] = pages["/placeholder-title"]
		for _, name := range slices.Sorted(maps.Keys(beside)) {
			pages["/together"] += beside[name]
		}
	}
	// A script is empty on the one, and pushes all others on on the other.
	pages["/files"] = fmt.Sprintf(ordersPage, `<link rel=stylesheet href="/cut.css"><p>Read this first, please, and then go on to the orders of today.</p><p>They are shown by the hour, in three columns.</p><button><i class=home></i> Home</button>`+
		`<script src="/empty.js"></script>`)
	pages["/cut.css"], pages["/empty.js"] = `.home::before{content:"\e2c7"}.card{color:red;marg`, ""
	pages["/push.js"] = fmt.Sprintf(afterPaint, `document.querySelector('h1').insertAdjacentHTML('beforebegin', '<div style="height:300px">New</div>')`)
	pages["/pushed"] = strings.Replace(pages["/files"], "/empty.js", "/push.js", 1)
	names["/files"], names["/pushed"] = []string{"bad-font", "cut-sheet", "empty-script"}, []string{"bad-font", "cut-sheet", "layout-shift"}
	at := site(t, pages)
	for path, want := range names {
		certain, likely := healthOf(t, d, at+path)
		slices.Sort(likely)
		if slices.Sort(want); len(certain) > 0 || !slices.Equal(likely, want) {
			t.Errorf("%s: certain %v, likely %v; want %v", path, certain, likely, want)
		}
	}
}
