package look

import "strings"

// leftovers lists texts that no author meant to show.
func leftovers() []health {
	var out []health
	for _, l := range [][2]string{
		{"template braces", `<p>Hello {{ user.name }}, you have 3 items.</p>`},
		{"template braces in a heading", `<h2>{{product.title}}</h2><p>12.00</p>`},
		{"template braces in a button", `<button>{{ 'cart.add' | translate }}</button>`},
		{"template braces in a table", `<table><tr><td>{{row.name}}</td><td>{{row.price}}</td></tr></table>`},
		{"literal of a template string", `<p>Total: ${cart.total} euros</p>`},
		{"server tags", `<p>Hello &lt;%= user.name %&gt;!</p>`},
		{"template block", `<p>{% if user %}Welcome back{% endif %}</p>`},
		{"[object Object]", `<p>Delivered to [object Object]</p>`},
		{"[object Object] as a cell", `<table><tr><td>Address</td><td>[object Object]</td></tr></table>`},
		{"Invalid Date", `<p>Ordered on Invalid Date</p>`},
		{"Invalid Date as a cell", `<table><tr><td>Ordered</td><td>Invalid Date</td></tr></table>`},
		{"undefined as a value", `<dl><dt>Name</dt><dd>undefined</dd></dl>`},
		{"undefined as a heading", `<h2>undefined</h2><p>12.00</p>`},
		{"undefined beside a count", `<p><b>undefined</b> items in your basket</p>`},
		{"NaN as a value", `<div class="card"><h3>Revenue</h3><strong>NaN</strong></div>`},
		{"NaN with a currency", `<p>Total: $NaN</p>`},
		{"NaN with another currency", `<p>Total: NaN €</p>`},
		{"NaN with a percent sign", `<p>Growth <b>NaN%</b></p>`},
		{"NaN of a time", `<p>Updated NaN minutes ago</p>`},
		{"undefined with a currency", `<p>From <span>$undefined</span></p>`},
		{"mojibake", `<p>GrÃ¼ÃŸe aus MÃ¼nchen, wir Ã¶ffnen um 9.</p>`},
		{"mojibake of signs", `<p>Donâ€™t miss it â€“ only today, 5 â‚¬.</p>`},
		{"replacement characters", `<p>Caf` + "\uFFFD" + ` M` + "\uFFFD" + `nchen</p>`},
		{"placeholder of a format", `<p>You have %d new messages from %s.</p>`},
	} {
		out = append(out, wrong(l[0], shop(l[1])))
	}
	for i := range out {
		if out[i].name == "replacement characters" || out[i].name == "placeholder of a format" {
			out[i].is = mustFind
		}
	}
	return out
}

// likely lists pages that are most likely broken: that much must be found.
func likely() []health {
	spin := `<style>@keyframes t{to{transform:rotate(1turn)}}.spinner{width:40px;height:40px;border:4px solid #ccc;border-top-color:#06c;border-radius:50%;animation:t 1s linear infinite}.skeleton{height:20px;margin:8px;background:#ddd;animation:p 1s infinite alternate}@keyframes p{to{opacity:.4}}</style>`
	var out []health
	for _, l := range []struct {
		name string
		page page
	}{
		{"spinner without end", page{body: whole("Orders", spin+`<h1>Orders</h1><div class="spinner" role="progressbar"></div>`)}},
		{"spinner without role", page{body: whole("Orders", spin+`<h1>Orders</h1><div class="spinner"></div>`)}},
		{"Loading…", page{body: whole("Orders", `<h1>Orders</h1><p>Loading…</p>`)}},
		{"skeleton without end", page{body: whole("Orders", spin+`<h1>Orders</h1><div class="skeleton"></div><div class="skeleton"></div><div class="skeleton"></div>`)}},
		{"aria-busy", page{body: whole("Orders", `<h1>Orders</h1><div aria-busy="true" class="placeholder">Please wait</div>`)}},
		{"placeholder title", page{body: strings.Replace(shop("").body, "<title>Shop", "<title>Document", 1)}},
		{"placeholder title of a kit", page{body: strings.Replace(shop("").body, "<title>Shop", "<title>Vite + React", 1)}},
		{"keys instead of words", shop(`<h2>cart.summary.title</h2><p>cart.summary.total: 12.00</p><button>checkout.pay_now</button>`)},
		{"broken image", shop(`<img src="/no/such.png" alt="" width="200" height="90">`)},
		{"image without a source", shop(`<img src="" alt="Product" width="200" height="90">`)},
		{"image that is HTML", shop(`<img src="/fine/start" alt="" width="200" height="90">`)},
		{"broken frame", shop(`<iframe src="/no/such.html" width="300" height="120"></iframe>`)},
		{"206", page{status: 206, body: shop("").body}},
		{"JSON where HTML was asked", page{kind: "application/json", body: `{"error":null,"data":{"items":[{"id":1,"name":"Lamp"}]}}`}},
		{"JSON as HTML", page{body: `{"status":"error","code":17,"message":"token missing"}`}},
		{"HTML as plain text", page{kind: "text/plain", body: shop("").body}},
		{"dialog over the page", shop(`<dialog id="d"><p>Please accept the terms of use first.</p><button>Accept</button></dialog><script>document.getElementById('d').showModal()</script>`)},
		{"sent to sign-in", page{status: 302, header: map[string]string{"Location": "/health/signin?next=/orders"}}},
		{"sent to sign-in by script", page{body: whole("Orders", `<script>location.replace('/health/signin')</script>`)}},
		{"style sheet of the wrong type", page{body: strings.Replace(shop("").body, "<style>", `<link rel="stylesheet" href="/fine/start"><style>`, 1)}},
	} {
		out = append(out, health{name: l.name, page: l.page, is: mustFind})
	}
	return out
}

func fine(name string, p page) health { return health{name: name, page: p, is: mustPass} }

// finePages look unusual, and are well.
func finePages() []health {
	html := func(title, s string) page { return page{body: whole(title, s)} }
	return []health{
		fine("minimal", html("Status", `OK`)),
		fine("one picture", html("Photo", `<img src="/x/flat.png?c=396" alt="Lake" width="900" height="500">`)),
		fine("dark", html("Night", `<style>body{background:#0b0e14;color:#d7dce5;min-height:90vh}</style><h1>Night shift</h1><p>Nothing to report.</p>`)),
		fine("canvas application", html("Paint", `<canvas id="c" width="1100" height="600"></canvas><script>const g=c.getContext('2d');g.fillStyle='#fa0';g.fillRect(50,50,300,200);g.fillStyle='#05a';g.arc(600,300,120,0,7);g.fill()</script>`)),
		fine("SVG only", html("Map", `<svg width="900" height="500"><rect width="900" height="500" fill="#cde"/><circle cx="300" cy="200" r="80" fill="#396"/><text x="260" y="205">Lake</text></svg>`)),
		fine("frame only", html("Docs", `<iframe src="/fine/start" style="width:100%;height:600px;border:0"></iframe>`)),
		fine("dashboard of errors", html("Errors", `<h1>Requests of today</h1><table><tr><th>Path</th><th>Status</th><th>Count</th></tr><tr><td>/a</td><td>404 Not Found</td><td>12</td></tr><tr><td>/b</td><td>500 Internal Server Error</td><td>3</td></tr><tr><td>/c</td><td>502 Bad Gateway</td><td>1</td></tr></table>`)),
		fine("log viewer", html("Logs", `<h1>Logs</h1><pre>12:01 ERROR TypeError: Cannot read properties of undefined (reading 'id')
    at render (/srv/app/view.js:14:3)
12:02 INFO restarted</pre><button>Refresh</button>`)),
		fine("error tracker", html("Issue 41", `<h1>Issue 41</h1><p>First seen yesterday, 12 events.</p><h2>Stack trace</h2><pre><code>java.lang.NullPointerException
	at shop.Cart.total(Cart.java:42)</code></pre><button>Resolve</button>`)),
		fine("sign-in that was asked", page{body: whole("Sign in", `<h1>Sign in</h1><form><label>Email <input type="email"></label><label>Password <input type="password"></label><button>Sign in</button></form>`)}),
		fine("cookie banner", shop(`<div style="position:fixed;left:0;right:0;bottom:0;background:#eee;padding:16px">We use cookies. <button>Accept</button> <button>Reject</button></div>`)),
		fine("hero over the whole window", html("Hotel", `<div style="position:fixed;inset:0;background:#264;color:#fff;display:flex;align-items:center;justify-content:center"><div><h1>Hotel Lake</h1><a href="/fine/start" style="color:#fff">Book</a></div></div>`)),
		fine("glass over the page", shop(`<div style="position:fixed;inset:0;z-index:9;pointer-events:none"></div>`)),
		fine("video", html("Film", `<h1>Film</h1><video width="600" height="300" controls></video>`)),
		fine("small spinner in a button that waits", shop(`<button>Save <span class="spinner" hidden></span></button>`)),
		fine("redirect to a language", page{status: 302, header: map[string]string{"Location": "/fine/start?lang=en"}}),
		fine("template kept for later", shop(`<template><li>{{ name }} – {{ price }}</li></template><script type="text/x-template"><p>{{ a }}</p></script><p style="display:none">{{ hidden }}</p>`)),
		fine("unopened error in the page", shop(`<div hidden><h1>500 Internal Server Error</h1></div>`)),
		fine("empty list", html("Orders", `<h1>Orders</h1><p>No orders yet.</p><button>Create one</button>`)),
		fine("infinite list", html("Feed", `<h1>Feed</h1>`+strings.Repeat(`<article><h2>Post</h2><p>Something was written here.</p></article>`, 120))),
		fine("form with many fields", html("Sign up", `<h1>Sign up</h1><form>`+strings.Repeat(`<label>Field <input></label><br>`, 30)+`<button>Send</button></form>`)),
		fine("lazy picture below", shop(`<div style="height:4000px"></div><img loading="lazy" src="/x/flat.png?c=777" alt="" width="99" height="99">`)),
		fine("progress that stands", html("Goal", `<h1>Goal</h1><progress value="40" max="100"></progress><p>40 of 100</p>`)),
	}
}

// fineWords lists words that are well where they stand.
func fineWords() []health {
	var out []health
	for _, l := range [][2]string{
		{"documentation with braces in code", `<p>Write <code>{{ user.name }}</code> to greet.</p><pre>&lt;p&gt;{{ total }}&lt;/p&gt; ${x} &lt;%= y %&gt;</pre>`},
		{"code as a highlighter marks it", `<div class="highlight"><pre><span class="p">{{</span> <span class="n">user</span> <span class="p">}}</span> <span class="k">return</span> NaN</pre></div>`},
		{"editor of a template", `<label>Template <textarea rows="3">Dear {{ name }}, your total is ${total}.</textarea></label>`},
		{"rich editor of a template", `<div contenteditable="true">Dear {{ first_name }}, thank you.</div>`},
		{"field with braces", `<label>Greeting <input value="Hello {{name}}"></label>`},
		{"a lesson on undefined", `<p>In C this is undefined behaviour; in JavaScript <code>undefined</code> is a value of its own.</p>`},
		{"a lesson on NaN", `<p>The result of 0/0 is <code>NaN</code>, which stands for “not a number”.</p>`},
		{"a lesson on HTTP", `<h2>What 404 Not Found means</h2><p>A server answers 404 if it has no such page, and 502 Bad Gateway if the one behind it fails.</p>`},
		{"naan bread", `<p>Naan, 3 pieces, 2.50</p><p>Nan Goldin, photographs</p>`},
		{"Ms Null", `<p>Signed in as Jennifer Null</p>`},
		{"undefined term in prose", `<p>The length of the term is left undefined by the treaty.</p>`},
		{"umlauts and accents", `<p>Grüße aus München, São Paulo, Łódź and Århus; naïve café, 5 € – “fine”.</p>`},
		{"Portuguese in capitals", `<h2>PROMOÇÃO DE VERÃO: NÃO PERCA, ATÉ AMANHÃ</h2><p>São João e irmãs, ação e coração.</p>`},
		{"French", `<p>À bientôt ! L’été à la plage, où l’on s’amuse – âge d’or.</p>`},
		{"Japanese", `<p>ご注文ありがとうございます。</p>`},
		{"percent signs", `<p>100 % cotton, 20% off</p>`},
		{"500 of something", `<h2>500 employees</h2><p>Error-free for 404 days.</p>`},
		{"something went wrong, in a story", `<p>In 1912 something went wrong on a ship; the server brought tea.</p>`},
		{"loading as a word", `<h2>Loading dock B</h2><p>Loading and unloading from 6 to 9.</p>`},
		{"n/a and dashes", `<table><tr><td>Growth</td><td>n/a</td></tr><tr><td>Rate</td><td>–</td></tr></table>`},
		{"addresses with dots", `<p>See docs.example.test and version 1.2.3 of config.yaml.</p>`},
		{"a price in dollars and braces", `<p>Sets {1, 2, 3} and $5 {only today}</p>`},
		{"shell code", `<pre>echo ${HOME} "$1" %s</pre><kbd>{{x}}</kbd>`},
		{"chat about a bug", `<ul><li><b>Ada</b>: it says <code>[object Object]</code> again</li><li><b>Bob</b>: which page?</li></ul>`},
		{"Object as a word", `<p>The object, an Invalid car permit, expires on the date below.</p>`},
	} {
		out = append(out, fine(l[0], shop(l[1])))
	}
	return out
}
