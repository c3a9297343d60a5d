package egress

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// tunnel answers CONNECT: it connects to the host and from then on moves bytes
// both ways. What they mean (TLS, a WebSocket) is between browser and site.
func (g *Gate) tunnel(w http.ResponseWriter, r *http.Request) {
	if g.opts.JudgeTunnel != nil {
		host, port, err := net.SplitHostPort(r.Host)
		if err == nil {
			if rule := g.opts.JudgeTunnel(host, port); rule != "" {
				g.refuse(w, r, &refusal{host, rule})
				return
			}
		}
	}
	// Go takes the URL of a CONNECT line apart; Host holds what was requested.
	site, err := g.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		var refused *refusal
		if errors.As(err, &refused) {
			g.refuse(w, r, refused)
			return
		}
		g.unreached(r, err)
		w.Header().Set("Connection", "close")
		http.Error(w, "assay: "+reason(err), http.StatusBadGateway)
		return
	}
	defer func() { _ = site.Close() }()
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		http.Error(w, "assay: HTTP/1.1 only", http.StatusHTTPVersionNotSupported)
		return
	}
	browser, buffered, err := hijacker.Hijack()
	if err != nil {
		return // the connection is gone
	}
	if !g.keep(browser) {
		return
	}
	defer g.drop(browser)
	defer func() { _ = browser.Close() }()
	if _, err := fmt.Fprint(browser, "HTTP/1.1 200 Connection Established\r\n\r\n"); err != nil {
		return
	}
	idle := time.AfterFunc(tunnelIdleLimit, func() { _, _ = browser.Close(), site.Close() })
	defer idle.Stop()
	done := make(chan struct{})
	go func() { // buffered holds what came right behind the CONNECT
		defer close(done)
		up := &uplink{}
		g.move(site, buffered, idle, func(chunk []byte) bool {
			refused := g.refusedMessage(up, r.Host, chunk)
			if refused == nil {
				return true
			}
			g.unreached(r, refused)
			_ = browser.Close() // the page learns of it as of a connection that broke
			return false
		})
		_ = site.Close() // a browser that ends its side doesn't read on
	}()
	g.move(browser, site, idle, func([]byte) bool { return true })
	idle.Reset(tunnelLinger)
	<-done
}

// tunnelLinger bounds how long a browser has to end its side of a tunnel when the
// site has ended its own.
const tunnelLinger = 10 * time.Second

// move copies until the source ends, either side fails, or a chunk may not pass, then
// passes the end on. Each read puts the end of the tunnel off.
func (g *Gate) move(to net.Conn, from io.Reader, idle *time.Timer, passes func(chunk []byte) bool) {
	buffer := g.buffers.Get()
	defer g.buffers.Put(buffer)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			idle.Reset(tunnelIdleLimit)
			if !passes(buffer[:n]) {
				break
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	closeWrite(to)
}

// closeWrite ends the direction of writing, so that the other side sees its end.
func closeWrite(c net.Conn) {
	switch outer := c.(type) {
	case *placed:
		c = outer.Conn
	case *onward:
		c = outer.Conn
	}
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // the other side may be gone, which ends it too
	}
}
