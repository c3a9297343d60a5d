package e2e_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The sizes of what a hostile or broken page throws at the server.
const (
	megabyte = 1 << 20
	bigBody  = 100     // megabytes
	tallPage = 100_000 // pixels
)

// consoleEntries is how many entries of a megabyte a page writes.
func consoleEntries() int {
	if soak() {
		return 50
	}
	return 10
}

// badSite serves pages that misbehave, on loopback. Every handler ends with
// its request, so the server closes.
func badSite(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, body := range map[string]string{
		"/ok": `<title>fine</title><h1>Fine</h1><button>Press</button><label>Name <input></label>`,
		"/dialogs": `<title>dialogs</title><script>alert('one'); confirm('two'); prompt('three')</script><h1>After the dialogs</h1>
			<script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script>`,
		"/console": fmt.Sprintf(`<title>talks</title><script>for (let i = 0; i < %d; i++) console.log(i + 'x'.repeat(%d)); console.error('the last word')</script>`, consoleEntries(), megabyte),
		"/fetches": `<title>fetches</title><h1>waiting</h1><script>fetch('/big').then(r => r.arrayBuffer()).then(b => { document.querySelector('h1').textContent = 'got ' + b.byteLength })</script>`,
		"/tall":    fmt.Sprintf(`<title>tall</title><div style="height:%dpx;background:linear-gradient(red,blue)">tall</div>`, tallPage),
		"/spins":   `<title>spins</title><script>for (;;);</script>`,
		// Pages that never come to rest.
		"/restless": `<title>restless</title><button>Press</button><script>setTimeout(() => location.href = '/restless?' + Math.random(), 30)</script>`,
		"/moves": `<title>moves</title><button style="position:absolute">Press</button><script>
			let x = 0; const b = document.querySelector('button'); (function move() { b.style.left = (x = (x + 37) % 600) + 'px'; requestAnimationFrame(move) })()</script>`,
		"/waits": `<title>waits</title><button>Press</button><script>setTimeout(() => location.href = '/never')</script>`,
		"/asks":  `<title>asks</title><button>Press</button><script>setTimeout(() => { while (true) alert('again') }, 100)</script>`,
		"/pops":  `<title>pops</title><button>Press</button><script>setInterval(() => open('/ok'), 20)</script>`,
		"/twins": `<title>twins</title><button>Delete</button><button>Delete</button>`,
	} {
		mux.HandleFunc(path, func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(rw, "<!doctype html>"+body)
		})
	}
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/half", func(rw http.ResponseWriter, r *http.Request) {
		fmt.Fprint(rw, "<!doctype html><title>half</title><h1>Half a page</h1><img src=/never>")
		_ = http.NewResponseController(rw).Flush() // a client that left is what ends this handler
		<-r.Context().Done()
	})
	mux.HandleFunc("/big", pour("application/octet-stream", "", ""))
	mux.HandleFunc("/bigpage", pour("text/html", "<!doctype html><title>big</title><h1>Big</h1><!--", "-->"))
	mux.HandleFunc("/circle", func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/circle", http.StatusFound) })
	mux.HandleFunc("/hangsup", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/nothing", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/broken", func(rw http.ResponseWriter, _ *http.Request) {
		http.Error(rw, "<title>broken</title>", http.StatusInternalServerError)
	})
	site := httptest.NewServer(mux)
	t.Cleanup(func() {
		site.CloseClientConnections()
		site.Close()
	})
	return site.URL
}

// pour answers with as much as anybody would send.
func pour(kind, first, last string) http.HandlerFunc {
	chunk := strings.Repeat("x", megabyte)
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", kind)
		fmt.Fprint(rw, first)
		for range bigBody {
			if _, err := io.WriteString(rw, chunk); err != nil {
				return // the browser has enough
			}
		}
		fmt.Fprint(rw, last)
	}
}

// closedPort is an address on which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String() + "/"
}
