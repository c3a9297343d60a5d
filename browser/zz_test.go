package browser

import (
	"net/http"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	web := newSite(t, map[string]string{"/{$}": `<title>T</title><a href="/slow">Slow</a><script>setInterval(() => navigator.sendBeacon('/b', Date.now()), 500)</script>`})
	start := time.Now()
	web.handle("/b", func(w http.ResponseWriter, r *http.Request) { t.Log(time.Since(start), "beacon") })
	web.handle("/slow", after(5*time.Second, func(http.ResponseWriter, *http.Request) {}))
	s := launch(t, poolOf(t), LaunchOptions{})
	visit(t, s, web.URL+"/")
	p := pageOf(s)
	cdp, err := s.context.NewCDPSession(p)
	t.Log(err)
	start = time.Now()
	go func() { _, err := p.Evaluate("setTimeout(() => document.querySelector('a').click(), 10)"); t.Log(time.Since(start), "clicked", err) }()
	time.Sleep(500 * time.Millisecond)
	r, err := cdp.Send("Runtime.evaluate", map[string]any{"expression": "1+1"})
	t.Log(time.Since(start), "cdp", r, err)
	_, err = p.Evaluate("1")
	t.Log(time.Since(start), "1", err)
}
