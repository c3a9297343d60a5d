package browser

import (
	"bufio"
	"crypto/sha1" //nolint:gosec // the handshake of WebSockets wants it
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

// sockets serves WebSockets, and notes the texts that arrive.
type sockets struct {
	mu   sync.Mutex
	seen []string
	open []net.Conn
}

// ping sends a ping by all that were opened.
func (s *sockets) ping() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.open {
		_, _ = c.Write([]byte("\x89\x00")) // some are closed
	}
}

func (s *sockets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, both, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer c.Close()
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) //nolint:gosec // as above
	fmt.Fprintf(both, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
	if both.Flush() != nil {
		return
	}
	s.mu.Lock()
	s.open = append(s.open, c)
	s.mu.Unlock()
	for {
		text, err := readFrame(both.Reader)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.seen = append(s.seen, r.URL.Path[1:]+text)
		s.mu.Unlock()
	}
}

// readFrame reads one short frame of a browser: its text, or what it is instead.
func readFrame(from *bufio.Reader) (string, error) {
	head := make([]byte, 6)
	if _, err := io.ReadFull(from, head); err != nil {
		return "", err
	}
	text := make([]byte, head[1]&0x7f)
	if _, err := io.ReadFull(from, text); err != nil {
		return "", err
	}
	for i := range text {
		text[i] ^= head[2+i%4]
	}
	if kind := head[0] & 0x0f; kind >= 8 {
		return map[byte]string{8: "(close)", 10: "(pong)"}[kind], nil
	}
	return ": " + string(text), nil
}

func (s *sockets) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.seen, text)
}

// socketsPage opens a socket to each place as it loads, sends by it, and again and by a
// new one when a button is pressed. Its title says what became of them.
const socketsPage = `<!doctype html><title>loading</title><script>
const to = {own: 'OWN', plain: 'PLAIN', sealed: 'SEALED'}, first = {}
const told = text => document.title = text
const open = (place, path) => new Promise(done => { const s = new WebSocket(to[place] + path); s.onopen = () => done(s); s.onerror = () => done(null) })
const closed = s => new Promise(done => { s.onclose = done })
Promise.all(Object.keys(to).map(async place => { first[place] = await open(place, '/first'); first[place].send('load') })).then(() => told('loaded'), e => told(String(e)))
async function act(place, way) {
	told('acting')
	let s = way === 'old' ? first[place] : await open(place, '/' + way)
	const end = closed(s)
	s.send('act')
	if (place === 'own') return told('sent')
	await end
	told('closed')
}
function work(place) {
	told('acting')
	const w = new Worker(URL.createObjectURL(new Blob(["const s = new WebSocket('" + to[place] + "/worker'); s.onopen = () => s.send('act'); s.onclose = () => postMessage('closed')"])))
	w.onmessage = e => told(e.data)
}
</script>
BUTTONS`

// A12: a message that an act causes to another origin is stopped, in the clear and in TLS,
// by a socket that was there and by a new one, of a page and of a worker. What the page
// sends by itself arrives, and so does what goes to its own origin, and what a file of a
// person says.
func TestGuardStopsMessagesElsewhere(t *testing.T) {
	own, plain, sealed := &sockets{}, &sockets{}, &sockets{}
	site := newSite(t, nil)
	elsewhere := httptest.NewServer(plain)
	secure := httptest.NewTLSServer(sealed)
	for _, s := range []*httptest.Server{elsewhere, secure} {
		t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	}
	at := func(scheme, name, address string) string { return scheme + "://" + name + ":" + port(t, address) }
	var buttons strings.Builder
	for _, place := range []string{"own", "plain", "sealed"} {
		for _, way := range []string{"old", "new"} {
			fmt.Fprintf(&buttons, "<button id=%s-%s onclick=\"act('%s', '%s')\">Go on</button>", place, way, place, way)
		}
		fmt.Fprintf(&buttons, "<button id=%s-worker onclick=\"work('%s')\">Go on</button>", place, place)
	}
	page := strings.NewReplacer("OWN", at("ws", "127.0.0.1", site.URL), "PLAIN", at("ws", "plain.test", elsewhere.URL), "SEALED", at("wss", "sealed.test", secure.URL), "BUTTONS", buttons.String()).Replace(socketsPage)
	site.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			own.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	})
	resolve := named(map[string]string{"plain.test": "127.0.0.1", "sealed.test": "127.0.0.1"})
	s := launch(t, poolWith(t, func(o *Options) { o.Guard, o.resolve = byActs(t), resolve }), LaunchOptions{})
	cdp, err := pageOf(s).Context().NewCDPSession(pageOf(s))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cdp.Send("Security.setIgnoreCertificateErrors", map[string]any{"ignore": true}); err != nil {
		t.Fatal(err)
	}
	titled := func(want string) {
		t.Helper()
		becomes(t, "the title is "+want, func() error {
			if title, err := pageOf(s).Title(); title != want {
				return fmt.Errorf("%q, %w", title, err)
			}
			return nil
		})
	}
	arrives := func(at *sockets, text string) {
		t.Helper()
		becomes(t, text+" arrives", func() error {
			if !at.has(text) {
				return fmt.Errorf("%q", at.seen)
			}
			return nil
		})
	}
	click := func(css string) {
		t.Helper()
		if _, err := s.Click(within30s(t), "css="+css, 0); err != nil && codeOf(err) != explain.ActionBlocked {
			t.Errorf("click %s: %v", css, err)
		}
	}
	reload := func() {
		t.Helper()
		if _, err := s.Navigate(within30s(t), site.URL, "load", 0); err != nil {
			t.Fatal(err)
		}
		titled("loaded")
	}
	for _, way := range []string{"old", "new"} {
		for place, at := range map[string]*sockets{"plain": plain, "sealed": sealed} {
			reload()
			arrives(at, "first: load")
			click("#" + place + "-" + way)
			titled("closed")
			if stopped := pagetext.Join(s.TakeStopped(), "; "); !stopped.Contains("MESSAGE") || !stopped.Contains(pagetext.Text(place+".test")) {
				t.Errorf("%s, %s: stopped: %q", place, way, stopped)
			}
		}
	}
	for place := range map[string]*sockets{"plain": plain, "sealed": sealed} {
		click("#" + place + "-worker")
		titled("closed")
	}
	for _, at := range []*sockets{plain, sealed} {
		for _, text := range []string{"first: act", "new: act", "worker: act"} {
			if at.has(text) {
				t.Errorf("%s arrived: %q", text, at.seen)
			}
		}
	}
	reload()
	s.TakeStopped()
	click("#own-old")
	arrives(own, "first: act")
	click("#own-new")
	arrives(own, "new: act")
	for _, at := range []*sockets{plain, sealed} { // which are open still
		at.ping()
		arrives(at, "first(pong)")
	}
	s.ActAs(true)
	click("#sealed-old")
	arrives(sealed, "first: act")
	if stopped := s.TakeStopped(); len(stopped) != 0 {
		t.Errorf("stopped: %q", stopped)
	}
}
