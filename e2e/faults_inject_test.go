package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fault is one thing that is wrong with a page, put into it on its way.
type fault struct {
	name   string
	style  string // added to the head; FIGURE, CARD, CONTROL, HEADING stand for selectors
	script string // added to the end of the body; f, c, b, h are those elements
	body   string // instead of the page
	status int
	moved  string // where the page sends to
	from   string // regular expression in the page, and
	to     string // what stands there instead; WRONG stands for the wrong figure
	frozen bool   // it need not fail: that it does not pass is enough
	button bool   // it needs a button
	// It spoils what an assertion of an earlier step was about while the flow goes
	// on: docs/verdict.md says that this is not covered.
	passing bool
}

// put changes what the page's answer says.
func (f fault) put(d watched, page string) string {
	figure := d.figures[0][0]
	if f.from == "WRONG" {
		page = strings.ReplaceAll(page, d.wrong[0], d.wrong[1])
	} else if f.from != "" {
		page = regexp.MustCompile(f.from).ReplaceAllString(page, f.to)
	}
	find := func(selector string) string {
		if path, ok := strings.CutPrefix(selector, "xpath="); ok {
			return fmt.Sprintf("document.evaluate(%q,document,null,9,null).singleNodeValue", path)
		}
		return fmt.Sprintf("document.querySelector(%q)", selector)
	}
	script := f.script
	if f.style != "" { // on the element itself, as a style sheet can't name all of them
		script = fmt.Sprintf("f.style.cssText+=%q;", f.style) + script
	}
	if script != "" {
		script = fmt.Sprintf("<script>addEventListener('load',()=>{const f=%s,c=document.querySelector(%q),b=%s,h=document.querySelector(%q);%s})</script>", find(figure), d.cards, find(d.control), d.headingOf(), script)
		at := strings.LastIndex(page, "</body>")
		page = page[:max(at, 0)] + script + page[max(at, 0):]
	}
	return page
}

const lay = `const lay=(e,s)=>{const r=e.getBoundingClientRect(),o=document.createElement('div');o.style.cssText='position:absolute;z-index:99999;background:#f4f4f4;left:'+(r.left+scrollX)+'px;top:'+(r.top+scrollY)+'px;width:'+r.width+'px;height:'+r.height+'px;'+s;document.body.append(o)};`

// faults are at least 25 ways in which a page that was well is not any more.
func faults() []fault {
	return append([]fault{
		{name: "figure transparent", style: "opacity:0!important"},
		{name: "figure off-screen", style: "position:absolute!important;left:-9999px!important"},
		{name: "figure not displayed", style: "display:none!important"},
		{name: "figure invisible", style: "visibility:hidden!important"},
		{name: "figure of no size", style: "font-size:0!important"},
		{name: "figure transparent by colour", style: "color:transparent!important;-webkit-text-fill-color:transparent!important"},
		{name: "figure in the ground's colour", script: `let g=f,k;do{k=getComputedStyle(g).backgroundColor;g=g.parentElement}while(g&&/, 0\)$|transparent/.test(k));f.style.setProperty('color',k,'important')`},
		{name: "figure clipped", style: "clip-path:inset(50%)!important"},
		{name: "figure covered", script: lay + `lay(f,'')`},
		{name: "figure covered, clicks pass", script: lay + `lay(f,'pointer-events:none')`},
		{name: "control covered", script: lay + `lay(b,'')`},
		{name: "control gone", script: `b.remove()`},
		{name: "control disabled", script: `b.disabled=true`, button: true},
		{name: "card gone", script: `c.remove()`},
		{name: "card empty", script: `c.innerHTML=''`},
		{name: "figure wrong", from: "WRONG"},
		{name: "figure wrong, late", script: `setTimeout(()=>{f.textContent='0'},600)`, passing: true},
		{name: "figure gone, late", script: `setTimeout(()=>{f.textContent=''},700)`, passing: true},
		{name: "figure never loaded", script: `f.textContent='Loading…'`},
		{name: "figure undefined", script: `f.textContent='undefined'`},
		{name: "figure NaN", script: `f.textContent='$NaN'`},
		{name: "template leftovers", script: `f.textContent='{{ stats.total }}'`},
		{name: "heading changed", script: `h.textContent='Something went wrong'`},
		{name: "title wrong", from: `(?s)<title>.*?</title>`, to: `<title>Untitled</title>`},
	}, pageFaults()...)
}

// pageFaults are those of the page as a whole, and of what comes after it.
func pageFaults() []fault {
	const gateway = `<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>`
	return []fault{
		{name: "exception at load", script: `null.rows.length`},
		{name: "exception, late", script: `setTimeout(()=>{null.rows.length},400)`},
		{name: "exception, late, after the flow's last act", script: `addEventListener('click',()=>setTimeout(()=>{null.rows.length},500),true);addEventListener('input',()=>setTimeout(()=>{null.rows.length},500),true)`},
		{name: "console error, late", script: `setTimeout(()=>console.error('stats: 401'),500)`},
		{name: "request fails, late", script: `setTimeout(()=>fetch('/faults/500'),300)`},
		{name: "dialog at load", script: `alert('Your session will end')`},
		{name: "dialog, late", script: `setTimeout(()=>alert('Your session will end'),500)`},
		{name: "error page with status 200", body: gateway},
		{name: "status 500", status: 500},
		{name: "status 503 with a gateway's page", body: gateway, status: 503},
		{name: "style sheet missing", from: `(<link[^>]*href=")([^"]+\.css)`, to: `${1}/faults/missing.css`},
		{name: "script missing", from: `(?i)(</body>)`, to: `<script src="/faults/missing.js"></script>${1}`},
		{name: "blank", body: `<!doctype html><html><head><title>Dashboard</title></head><body></body></html>`},
		{name: "spinner for ever", script: `document.body.innerHTML='<div style="margin:300px auto;width:40px;height:40px;border:4px solid #ccc;border-top-color:#06c;border-radius:50%"></div>'`},
		{name: "sheet over all", script: `const o=document.createElement('div');o.style.cssText='position:fixed;inset:0;background:#fff;z-index:99999';document.body.append(o)`},
		{name: "sheet over all, late", script: `setTimeout(()=>{const o=document.createElement('div');o.style.cssText='position:fixed;inset:0;background:#fff;z-index:99999;pointer-events:none';document.body.append(o)},600)`},
		{name: "sent to sign-in", moved: "/faults/signin"},
		{name: "sent to an error by script", script: `setTimeout(()=>location.replace('/faults/500'),500)`},
		{name: "refreshed to an error", from: `(?i)<head>`, to: `<head><meta http-equiv="refresh" content="0;url=/faults/500">`},
		{name: "image broken", script: `const i=new Image();i.src='/faults/missing.png';document.body.append(i)`},
		{name: "script that never ends", script: `setTimeout(()=>{for(;;);},300)`, frozen: true},
		{name: "page gone, late", script: `setTimeout(()=>document.body.innerHTML='',700)`},
	}
}

// stand serves the dashboard through a proxy that puts one fault into its page.
// What the page wants from other hosts is left out, so that it needs no network.
func (d watched) stand(t *testing.T, f fault) string {
	t.Helper()
	root := filepath.Join(needsPackages(t, d.module), d.root)
	tree := http.FileServer(http.Dir(root))
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(d.page)))
		if r.URL.Path != "/"+d.page || err != nil {
			tree.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8") // a file server would send index.html elsewhere
		_, _ = w.Write(page)
	}))
	t.Cleanup(files.Close)
	behind, err := url.Parse(files.URL)
	if err != nil {
		t.Fatal(err)
	}
	away := regexp.MustCompile(`(?is)<link[^>]*href="https?:[^>]*>|<script[^>]*src="https?:[^>]*>\s*</script>|<img[^>]*src="https?:[^>]*>|<script>(?:[^<]|<[^/])*?OverlayScrollbarsGlobal.*?</script>|@import\s+url\(["']?https?:[^;]*;`)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(behind)
			r.Out.Header.Del("If-Modified-Since")
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: func(a *http.Response) error {
			kind := a.Header.Get("Content-Type")
			if !strings.HasPrefix(kind, "text/html") && !strings.HasPrefix(kind, "text/css") {
				return nil
			}
			text, err := io.ReadAll(a.Body)
			if err != nil {
				return err
			}
			page := away.ReplaceAllString(string(text), "")
			if a.Request.URL.Path == "/"+d.page {
				page = f.put(d, page)
				if f.body != "" {
					page = f.body
				}
				if f.status != 0 {
					a.StatusCode, a.Status = f.status, ""
				}
				if f.moved != "" {
					a.StatusCode, a.Status = http.StatusFound, ""
					a.Header.Set("Location", f.moved)
				}
			}
			a.Body = io.NopCloser(bytes.NewReader([]byte(page)))
			a.ContentLength = int64(len(page))
			a.Header.Set("Content-Length", strconv.Itoa(len(page)))
			a.Header.Del("Last-Modified")
			return nil
		},
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/faults/500":
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		case "/faults/signin":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<title>Sign in</title><h1>Sign in</h1><form><input type="password"><button>Sign in</button></form>`)
		case "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(front.Close)
	return front.URL + "/" + d.page
}
