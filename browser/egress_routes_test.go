package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// route is one way in which a page may try to reach a host. Its page is served
// by the site; the host to reach is the canary, with a port for each route.
type route struct {
	name string
	page string // HTML, with CANARY for host:port
	to   string // what is loaded instead of a page, on the site; CANARY as above
	// header is a response header of the page, as "Name: value".
	header string
	// silent: the browser itself stops it, so that the gate has nothing to
	// report. The page says in its title when its attempt is over.
	silent bool
	// untried: a browser that has a proxy doesn't do it, and says nothing.
	untried bool
	// never is why the browser doesn't contact the canary even without a gate.
	never string
}

// embeds reports whether its page stays where it is and is known by the gate's refusal alone: it
// may stand in a frame beside others.
func (r route) embeds() bool {
	for _, leaves := range []string{"location", "submit()", "click()", "open(", "refresh", "frameset", "serviceWorker"} {
		if strings.Contains(r.page, leaves) {
			return false
		}
	}
	return r.to == "" && r.header == "" && !r.silent && !r.untried && r.never == ""
}

const over = `document.title = 'over'`

// egressRoutes returns the ways that the issue "a page must not get out" names, and
// what else a browser loads.
func egressRoutes() []route {
	routes := []route{
		{name: "redirect 301", to: "/redirect?code=301&to=http://CANARY/"},
		{name: "redirect 302", to: "/redirect?code=302&to=http://CANARY/"},
		{name: "redirect 303", to: "/redirect?code=303&to=http://CANARY/"},
		{name: "redirect 307", to: "/redirect?code=307&to=http://CANARY/"},
		{name: "redirect 308", to: "/redirect?code=308&to=http://CANARY/"},
		{name: "redirect of an image", page: `<img src="/redirect?code=302&to=http://CANARY/">`},
		{name: "redirect of a fetch", page: `<script>fetch('/redirect?code=302&to=http://CANARY/')</script>`},
		{name: "refresh header", page: `x`, header: "Refresh: 0; url=http://CANARY/"},
		{name: "meta refresh", page: `<meta http-equiv=refresh content="0; url=http://CANARY/">`},
		{name: "location", page: `<script>location = 'http://CANARY/'</script>`},
		{name: "link click", page: `<a id=a href="http://CANARY/">a</a><script>a.click()</script>`},
		{name: "img", page: `<img src="http://CANARY/">`},
		{name: "srcset", page: `<img srcset="http://CANARY/ 1x">`},
		{name: "script", page: `<script src="http://CANARY/"></script>`},
		{name: "module", page: `<script type=module src="http://CANARY/"></script>`},
		{name: "import()", page: `<script>import('http://CANARY/')</script>`},
		{name: "stylesheet", page: `<link rel=stylesheet href="http://CANARY/">`},
		{name: "@import", page: `<style>@import url("http://CANARY/");</style>`},
		{name: "css background", page: `<div style="background: url(http://CANARY/)">x</div>`},
		{name: "font", page: `<style>@font-face { font-family: F; src: url(http://CANARY/) }</style><p style="font-family: F">text</p>`},
		{name: "video", page: `<video src="http://CANARY/"></video>`},
		{name: "poster", page: `<video poster="http://CANARY/"></video>`},
		{name: "audio", page: `<audio src="http://CANARY/" preload=auto></audio>`},
		{name: "track", page: `<video crossorigin><track default kind=captions src="http://CANARY/"></video><script>document.querySelector('track').track.mode = 'showing'</script>`},
		{name: "object", page: `<object data="http://CANARY/"></object>`},
		{name: "embed", page: `<embed src="http://CANARY/">`},
		{name: "iframe", page: `<iframe src="http://CANARY/"></iframe>`},
		{name: "srcdoc", page: `<iframe srcdoc='<img src="http://CANARY/">'></iframe>`},
		{name: "data iframe", page: `<iframe src='data:text/html,<img src="http://CANARY/">'></iframe>`},
		{name: "blob iframe", page: `<iframe id=f></iframe><script>f.src = URL.createObjectURL(new Blob(['<img src="http://CANARY/">'], { type: 'text/html' }))</script>`},
		{name: "frameset", page: `<frameset><frame src="http://CANARY/"></frameset>`},
		{name: "svg image", page: `<svg><image href="http://CANARY/"/></svg>`},
		{name: "input image", page: `<input type=image src="http://CANARY/">`},
		{name: "popup", page: `<script>open('http://CANARY/')</script>`},
		{name: "popup without opener", page: `<script>open('http://CANARY/', '', 'noopener')</script>`},
		{name: "form post", page: `<form id=f method=post action="http://CANARY/"><input name=a value=b></form><script>f.submit()</script>`},
		{name: "form get into a frame", page: `<iframe name=t></iframe><form id=f target=t action="http://CANARY/"><input name=a value=b></form><script>f.submit()</script>`},
		{name: "fetch", page: `<script>fetch('http://CANARY/')</script>`},
		{name: "fetch no-cors", page: `<script>fetch('http://CANARY/', { mode: 'no-cors' })</script>`},
		{name: "fetch keepalive", page: `<script>fetch('http://CANARY/', { keepalive: true, mode: 'no-cors' })</script>`},
		{name: "preflight", page: `<script>fetch('http://CANARY/', { method: 'PUT', headers: { 'X-A': 'b' } })</script>`},
		{name: "XHR", page: `<script>const x = new XMLHttpRequest(); x.open('GET', 'http://CANARY/'); x.send()</script>`},
		{name: "synchronous XHR", page: `<script>const x = new XMLHttpRequest(); x.open('GET', 'http://CANARY/', false); try { x.send() } catch {}</script>`},
		{name: "sendBeacon", page: `<script>navigator.sendBeacon('http://CANARY/', 'b')</script>`},
		{name: "EventSource", page: `<script>new EventSource('http://CANARY/')</script>`},
		{name: "WebSocket", page: `<script>new WebSocket('ws://CANARY/')</script>`},
		{name: "secure WebSocket", page: `<script>new WebSocket('wss://CANARY/')</script>`},
		{name: "https fetch", page: `<script>fetch('https://CANARY/', { mode: 'no-cors' })</script>`},
		{name: "https frame", page: `<iframe src="https://CANARY/"></iframe>`},
		{name: "worker fetch", page: `<script>new Worker('/js?' + encodeURIComponent("fetch('http://CANARY/')"))</script>`},
		{name: "worker importScripts", page: `<script>new Worker('/js?' + encodeURIComponent("importScripts('http://CANARY/')"))</script>`},
		{name: "worker WebSocket", page: `<script>new Worker('/js?' + encodeURIComponent("new WebSocket('ws://CANARY/')"))</script>`},
		{name: "blob worker", page: `<script>new Worker(URL.createObjectURL(new Blob(["fetch('http://CANARY/')"])))</script>`},
		{name: "shared worker", page: `<script>new SharedWorker('/js?' + encodeURIComponent("fetch('http://CANARY/')"))</script>`},
		{name: "service worker", page: `<script>navigator.serviceWorker.register('/js?' + encodeURIComponent("fetch('http://CANARY/')"), { scope: '/scope/1' })</script>`},
		{name: "service worker importScripts", page: `<script>navigator.serviceWorker.register('/js?' + encodeURIComponent("importScripts('http://CANARY/')"), { scope: '/scope/2' })</script>`},
		{name: "worklet", page: `<script>CSS.paintWorklet.addModule('http://CANARY/')</script>`},
		{name: "prefetch", page: `<link rel=prefetch href="http://CANARY/">`},
		{name: "preload", page: `<link rel=preload as=image href="http://CANARY/">`},
		{name: "preload header", page: `x`, header: "Link: <http://CANARY/>; rel=preload; as=image"},
		{name: "modulepreload", page: `<link rel=modulepreload href="http://CANARY/">`},
		{name: "preconnect", page: `<link rel=preconnect href="http://CANARY/">`, never: "the headless shell opens no connection ahead of a request"},
		{name: "preconnect to https", page: `<link rel=preconnect href="https://CANARY/">`, never: "as preconnect"},
		{name: "ping", page: `<a id=a href="#x" ping="http://CANARY/">a</a><script>a.click()</script>`},
		{name: "CSP report", page: `<img src="/none">`, header: "Content-Security-Policy: img-src 'none'; report-uri http://CANARY/"},
		{name: "download link", page: `<a id=a download href="http://CANARY/">a</a><script>a.click()</script>`},
		{name: "attribution", page: `<img src="/none" attributionsrc="http://CANARY/">`, never: "Attribution Reporting is off in this browser"},
		{name: "prerender", page: `<link rel=prerender href="http://CANARY/">`, never: "this kind of link is no longer followed across sites"},
		{name: "speculation rules: prefetch", page: `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["http://CANARY/"]}]}</script>`, untried: true},
		{name: "speculation rules: prerender", page: `<script type=speculationrules>{"prerender":[{"source":"list","urls":["http://CANARY/"]}]}</script>`, untried: true},
		{name: "userinfo", page: `<script>location = 'http://user@CANARY/'</script>`},
		{name: "dns-prefetch", page: `<link rel=dns-prefetch href="http://CANARY/">`, never: "an IP address needs no look-up"},
		{name: "favicon", page: `<link rel=icon href="http://CANARY/">`, never: "a headless browser shows no icon"},
		{name: "manifest", page: `<link rel=manifest href="http://CANARY/">`, never: "a headless browser installs no application"},
		{name: "report-to", page: `<img src="/none">`, header: `Content-Security-Policy: img-src 'none'; report-to canary`, never: "Reporting-Endpoints takes https alone"},
		{name: "STUN", page: rtc(`stun:CANARY`), silent: true},
		{name: "TURN over UDP", page: rtc(`turn:CANARY?transport=udp`), silent: true},
		{name: "TURN over TCP", page: rtc(`turn:CANARY?transport=tcp`)},
		{name: "WebTransport", page: `<script>try { new WebTransport('https://CANARY/').closed.finally(() => ` + over + `) } catch { ` + over + ` }</script>`, silent: true},
	}
	for name, host := range map[string]string{
		"decimal address": "2130706434", "hexadecimal address": "0x7f000002", "octal address": "017700000002", "short address": "127.2",
		"mapped address": "[::ffff:127.0.0.2]", "trailing dot": "127.0.0.2.",
	} {
		routes = append(routes, route{name: name, page: fmt.Sprintf(`<script>document.write('<iframe src="http://%s:PORT/"></iframe>')</script>`, host)})
	}
	return routes
}

// rtc gathers the addresses that a peer connection with that server has.
func rtc(server string) string {
	return `<script>
		const c = new RTCPeerConnection({ iceServers: [{ urls: '` + server + `', username: 'u', credential: 'c' }], iceTransportPolicy: 'all' })
		c.createDataChannel('d')
		c.onicegatheringstatechange = () => { if (c.iceGatheringState === 'complete') ` + over + ` }
		c.createOffer().then(o => c.setLocalDescription(o))
	</script>`
}

// routeSite serves the routes' pages, and what they load of the site itself.
func routeSite(w http.ResponseWriter, r *http.Request, routes map[string]route, canaries map[string]string) {
	switch r.URL.Path {
	case "/redirect":
		var code int
		fmt.Sscan(r.FormValue("code"), &code)
		w.Header().Set("Location", r.FormValue("to"))
		w.WriteHeader(code)
	case "/js":
		script, err := url.QueryUnescape(r.URL.RawQuery)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Service-Worker-Allowed", "/")
		fmt.Fprint(w, script)
	case "/frames":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>routes</title>")
		for name, route := range routes {
			if route.embeds() {
				fmt.Fprintf(w, "<iframe src=\"/route?name=%s\"></iframe>", url.QueryEscape(name))
			}
		}
	case "/route":
		route := routes[r.FormValue("name")]
		canary := canaries[route.name]
		if name, value, ok := strings.Cut(aim(route.header, canary), ": "); ok {
			w.Header().Set(name, value)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>route</title>"+aim(route.page, canary))
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func aim(text, canary string) string {
	_, port, _ := strings.Cut(canary, ":")
	return strings.NewReplacer("CANARY", canary, "PORT", port).Replace(text)
}
