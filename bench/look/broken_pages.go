package look

import "fmt"

// health describes a page as a site answers it.
type health struct {
	name string
	page page
	is   truth
}

func healthCells(p *parts) {
	all := append(append(append(errorPages(), leftovers()...), likely()...), append(finePages(), fineWords()...)...)
	for i, h := range all {
		path := fmt.Sprintf("/health/%d", i)
		p.page(path, h.page)
		c := cell{Class: "health", Way: h.name, Page: path, About: short(h.page.body), Truth: h.is}
		c.Tool, c.batch = "check", true
		p.cell(c)
		if c.Truth == mustFind {
			continue // its answer has no place for findings
		}
		c.Tool, c.batch, c.ask = "verify_page_loads", false, loads()
		p.cell(c)
	}
	p.page("/health/signin", page{body: whole("Sign in", `<h1>Sign in</h1><form><label>Email <input type="email"></label><label>Password <input type="password"></label><button>Sign in</button></form>`)})
}

// whole returns a document around a body.
func whole(title, body string) string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>` + title + `</title><style>body{font:16px/1.5 Arial,sans-serif;margin:0;padding:24px}</style></head><body>` + body + `</body></html>`
}

// shop returns a page around some content, as sites have it.
func shop(content string) page {
	return page{body: whole("Shop", `<header><a href="/fine/start">Home</a> <a href="/fine/start">Basket</a></header><h1>Autumn offers</h1>`+content+`<p>Free delivery from 40 euros within three days.</p><footer>© Northern Shop</footer>`)}
}

func wrong(name string, p page) health { return health{name: name, page: p, is: mustFail} }

// errorPages returns those of servers, gateways and frameworks, sent with 200,
// and pages without anything on them.
func errorPages() []health {
	html := func(s string) page { return page{body: s} }
	return []health{
		wrong("blank with a title", html(whole("Dashboard", ""))),
		wrong("blank without a title", html(`<!doctype html><html><body></body></html>`)),
		wrong("empty answer", page{body: " "}),
		wrong("an application's empty root", html(whole("App", `<div id="root"></div><script>window.app={}</script>`))),
		wrong("noscript only", html(whole("App", `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>`))),
		wrong("all of it transparent", html(whole("App", `<div style="opacity:0"><h1>Welcome</h1><p>Text</p></div>`))),
		wrong("dark and empty", html(whole("App", `<style>body{background:#123;height:100vh}</style>`))),
		wrong("sheet over everything", page{body: shop(`<p>3 items</p><div style="position:fixed;inset:0;background:#fff;z-index:99"></div>`).body}),
		wrong("grey sheet over everything, clicks pass", page{body: shop(`<p>3 items</p><div style="position:fixed;inset:0;background:#ccc;z-index:99;pointer-events:none"></div>`).body}),
		wrong("nginx 502", html(`<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.24.0</center></body></html>`)),
		wrong("nginx 404", html(`<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>`)),
		wrong("Apache 503", html(`<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"><html><head><title>503 Service Unavailable</title></head><body><h1>Service Unavailable</h1><p>The server is temporarily unable to service your request due to maintenance downtime or capacity problems. Please try again later.</p><hr><address>Apache/2.4.57 (Debian) Server at shop.test Port 80</address></body></html>`)),
		wrong("Apache 403", html(`<html><head><title>403 Forbidden</title></head><body><h1>Forbidden</h1><p>You don't have permission to access this resource.</p></body></html>`)),
		wrong("IIS 404", html(`<html><head><title>404 - File or directory not found.</title></head><body><div id="header"><h1>Server Error</h1></div><div id="content"><h2>404 - File or directory not found.</h2><h3>The resource you are looking for might have been removed, had its name changed, or is temporarily unavailable.</h3></div></body></html>`)),
		wrong("HAProxy 503", html(`<html><body><h1>503 Service Unavailable</h1>No server is available to handle this request.</body></html>`)),
		wrong("load balancer 504", html(`<html><head><title>504 Gateway Time-out</title></head><body><center><h1>504 Gateway Time-out</h1></center></body></html>`)),
		wrong("Varnish", html(`<!DOCTYPE html><html><head><title>503 Backend fetch failed</title></head><body><h1>Error 503 Backend fetch failed</h1><p>Backend fetch failed</p><h3>Guru Meditation:</h3><p>XID: 32770</p><hr><p>Varnish cache server</p></body></html>`)),
		wrong("Envoy", page{body: `upstream connect error or disconnect/reset before headers. reset reason: connection failure`, kind: "text/plain"}),
		wrong("a CDN's 522", html(whole("shop.test | 522: Connection timed out", `<h1>Connection timed out <small>Error code 522</small></h1><p>Visit the CDN's help for more information.</p><p>The initial connection between the CDN's network and the origin web server timed out.</p>`))),
		wrong("a CDN's 1020", html(whole("Access denied", `<h1>Error 1020</h1><h2>Access denied</h2><p>This website is using a security service to protect itself from online attacks.</p>`))),
		wrong("Tomcat 500", html(`<!doctype html><html lang="en"><head><title>HTTP Status 500 – Internal Server Error</title></head><body><h1>HTTP Status 500 – Internal Server Error</h1><p><b>Type</b> Exception Report</p><p><b>Message</b> java.lang.NullPointerException</p><pre>java.lang.NullPointerException
	at shop.Cart.total(Cart.java:42)
	at shop.CartServlet.doGet(CartServlet.java:17)</pre><h3>Apache Tomcat/10.1.18</h3></body></html>`)),
		wrong("Whitelabel", html(`<html><body><h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error, so you are seeing this as a fallback.</p><div>There was an unexpected error (type=Not Found, status=404).</div></body></html>`)),
		wrong("Django debug", html(whole("DoesNotExist at /orders/42", `<div id="summary"><h1>DoesNotExist at /orders/42</h1><pre>Order matching query does not exist.</pre><table><tr><th>Request Method:</th><td>GET</td></tr><tr><th>Django Version:</th><td>5.0.2</td></tr><tr><th>Exception Type:</th><td>DoesNotExist</td></tr></table></div><h2>Traceback</h2>`))),
		wrong("Python traceback", page{kind: "text/plain", body: "Traceback (most recent call last):\n  File \"/srv/app.py\", line 31, in total\n    return sum(rows)\nTypeError: unsupported operand type(s) for +: 'int' and 'str'\n"}),
		wrong("Flask 500", html(`<!doctype html><html lang=en><title>500 Internal Server Error</title><h1>Internal Server Error</h1><p>The server encountered an internal error and was unable to complete your request. Either the server is overloaded or there is an error in the application.</p>`)),
		wrong("PHP fatal error", shop(`<br /><b>Fatal error</b>:  Uncaught Error: Call to undefined function price() in /var/www/html/cart.php:12 Stack trace: #0 {main} thrown in <b>/var/www/html/cart.php</b> on line <b>12</b><br />`)),
		wrong("PHP warning", shop(`<br /><b>Warning</b>:  Undefined variable $total in <b>/var/www/html/cart.php</b> on line <b>8</b><br />`)),
		wrong("Laravel", html(whole("Server Error", `<div style="text-align:center;margin-top:200px"><span>500</span> | <span>Server Error</span></div>`))),
		wrong("Rails", html(whole("We're sorry, but something went wrong (500)", `<div class="dialog"><h1>We're sorry, but something went wrong.</h1><p>If you are the application owner check the logs for more information.</p></div>`))),
		wrong("ASP.NET", html(`<html><head><title>Runtime Error</title></head><body><span><h1>Server Error in '/' Application.<hr></h1><h2><i>Runtime Error</i></h2></span><b>Description:</b> An application error occurred on the server.</body></html>`)),
		wrong("Express", html(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head><body><pre>Cannot GET /orders</pre></body></html>`)),
		wrong("Express stack", html(`<!DOCTYPE html><html lang="en"><head><title>Error</title></head><body><pre>TypeError: Cannot read properties of undefined (reading &#39;id&#39;)<br> &nbsp; &nbsp;at /srv/app/routes/orders.js:14:22<br> &nbsp; &nbsp;at Layer.handle [as handle_request] (/srv/app/node_modules/express/lib/router/layer.js:95:5)</pre></body></html>`)),
		wrong("Next.js", html(whole("Shop", `<div style="height:100vh;display:flex;align-items:center;justify-content:center"><h2>Application error: a client-side exception has occurred (see the browser console for more information).</h2></div>`))),
		wrong("Next.js 404", html(whole("404: This page could not be found.", `<h1 style="display:inline-block">404</h1><div style="display:inline-block"><h2>This page could not be found.</h2></div>`))),
		wrong("database", html(`<h1>Error establishing a database connection</h1>`)),
		wrong("Go panic", page{kind: "text/plain", body: "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 18 [running]:\nmain.total(0xc000012345)\n\t/srv/shop/cart.go:41 +0x1d\n"}),
		wrong("XML that does not parse", page{kind: "application/xhtml+xml", body: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Shop</title></head><body><p>Fish & chips</p><br></body></html>`}),
		wrong("500 as such", page{status: 500, body: whole("Shop", "<h1>Autumn offers</h1>")}),
		wrong("404 as such", page{status: 404, body: whole("Shop", "<h1>Autumn offers</h1>")}),
	}
}
