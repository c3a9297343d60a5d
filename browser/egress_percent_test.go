package browser

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
)

// echoSite answers every request with its line, as it came: net/http on the
// other side would refuse the lines that this is about.
func echoSite(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				line, err := in.ReadString('\n')
				for header := line; err == nil && strings.TrimSpace(header) != ""; {
					header, err = in.ReadString('\n')
				}
				body := strings.TrimSpace(line)
				fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// B5: what a browser may ask for gets through the gate as it was written, also
// on a connection that it keeps: a lone percent sign, which net/http refuses.
func TestLonePercentSignsPassTheGate(t *testing.T) {
	t.Parallel()
	url := echoSite(t)
	s := opened(t, guardedPool(t, nil), url)
	long := "/" + strings.Repeat("a%z", 3000)
	for _, path := range []string{"/a%zz", "/100%", "/%", "/50%25%", "/x%2Fy%?q=%zz", "/%FF%", "/plain", long} {
		want := "200 GET " + path + " HTTP/1.1"
		if got := fetched(t, s, "'"+url+path+"'"); got != want {
			t.Errorf("%.40s: %.200q", path, got)
		}
	}
	if got := fetched(t, s, "'"+url+"/%', {method: 'POST', body: 'GET http://x/%zz HTTP/1.1'}"); got != "200 POST /% HTTP/1.1" {
		t.Errorf("a post: %q", got)
	}
	if _, _, err := s.Evaluate(within30s(t), "fetch('/%64elete/100%', {method: 'POST'}).catch(() => 1)", nil); codeOf(err) != explain.ActionBlocked {
		t.Errorf("it hides what is destructive: %v, want ACTION_BLOCKED", err)
	}
}

// B5: only the line of a request is touched: a body arrives as it was sent,
// whatever it looks like and however many requests came before.
func TestBodiesPassTheGateUntouched(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	s := opened(t, poolOf(t), server.URL)
	body := `'POST /100% HTTP/1.1\\r\\n%%%'.repeat(30000)`
	for i := range 3 {
		script := "fetch('/x', {method: 'POST', body: " + body + "}).then(r => r.text()).then(text => text === " + body + ")"
		if result, _, err := s.Evaluate(within30s(t), script, nil); err != nil || string(result) != "true" {
			t.Errorf("body %d came back changed: %s %v", i, result, err)
		}
	}
}
