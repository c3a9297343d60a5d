package truth

import (
	"context"
	"fmt"
	"html"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// page describes what the site answers at a path.
type page struct {
	status int    // 200, if 0
	title  string // "Harbour office", if empty
	body   string
	lang   string // en, if empty
}

// elsewhere stands for the address of another site in a page.
const elsewhere = "http://elsewhere"

// showing returns a page with some content among what sites have around it. It
// holds none of the words of any fact.
func showing(content string) page { return page{body: content} }

func (p page) html() string {
	title := p.title
	if title == "" {
		title = "Harbour office"
	}
	lang := p.lang
	if lang == "" {
		lang = "en"
	}
	return `<!doctype html><html lang="` + lang + `"><head><meta charset="utf-8"><title>` + html.EscapeString(title) + `</title>
<style>body{font:16px/1.5 Arial,sans-serif;margin:0;padding:24px}.away{position:absolute;left:-9999px}.clear{opacity:0}</style></head>
<body><header><a href="/home">Start</a></header><h1>Harbour office</h1><form onsubmit="return false"><label>Find <input id="find"></label></form>
<main>` + p.body + `</main><footer>Open all year.</footer></body></html>`
}

// site serves the pages on loopback, at two addresses: the second is another
// site.
type site struct {
	url, other string
	pages      map[string]page
	servers    []*http.Server
	terms      terms // of the program that is asked about the site

	mu      sync.Mutex
	instead map[string]page // of pages, for a while
}

func startSite(address string, pages map[string]page) (*site, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	s := &site{pages: pages}
	for _, a := range []string{address, "127.0.0.1:0"} {
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", a)
		if err != nil {
			return nil, err
		}
		server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
		s.servers = append(s.servers, server)
		go func() { _ = server.Serve(l) }() // it ends when it is closed
		if s.url == "" {
			s.url = "http://" + l.Addr().String()
		} else {
			s.other = "http://" + l.Addr().String()
		}
	}
	return s, nil
}

func (s *site) Close() error {
	var last error
	for _, server := range s.servers {
		if err := server.Close(); err != nil {
			last = err
		}
	}
	return last
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/x/") {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"rows": []}`)
		return
	}
	if r.URL.Path == "/say" {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, showing("<p>"+html.EscapeString(r.URL.Query().Get("text"))+"</p>").html())
		return
	}
	s.mu.Lock()
	p, ok := s.instead[r.URL.Path]
	s.mu.Unlock()
	if !ok {
		p, ok = s.pages[r.URL.Path]
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(max(p.status, http.StatusOK))
	fmt.Fprint(w, strings.ReplaceAll(p.html(), elsewhere, s.other))
}
