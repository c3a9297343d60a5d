package install

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
)

// meter counts bytes that are fetched, by where they come from.
type meter struct {
	mu    sync.Mutex
	bytes map[string]int64
}

// ours is what the meter calls what make snapshot has built.
const ours = "ours"

func (m *meter) add(from string, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bytes == nil {
		m.bytes = map[string]int64{}
	}
	m.bytes[from] += n
}

// read returns our bytes and those of others, by host.
func (m *meter) read() (our int64, others map[string]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	others = maps.Clone(m.bytes)
	our = others[ours]
	delete(others, ours)
	return our, others
}

// counted is an answer whose body is counted.
type counted struct {
	http.ResponseWriter
	meter *meter
	from  string
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.meter.add(c.from, int64(n))
	return n, err
}

// Unwrap lets a copy flush what has come so far.
func (c counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// counts has a handler's answers counted.
func (m *meter) counts(from string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(counted{w, m, from}, r) })
}

// forwardProxy is a forward proxy that counts what it brings: of plain http the bodies, of tunnels
// all bytes of the answers.
func (m *meter) forwardProxy() http.Handler {
	forward := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.Out.Host = r.In.Host }, // the address is whole already
		Transport: &http.Transport{DisableCompression: true, Proxy: http.ProxyFromEnvironment},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			m.tunnel(w, r)
			return
		}
		if !r.URL.IsAbs() {
			http.Error(w, "this is a forward proxy: ask it for whole addresses", http.StatusBadRequest)
			return
		}
		forward.ServeHTTP(counted{w, m, r.URL.Hostname()}, r)
	})
}

// tunnel connects a client with the host that it asks for.
func (m *meter) tunnel(w http.ResponseWriter, r *http.Request) {
	there, err := (&net.Dialer{}).DialContext(r.Context(), "tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer here.Close()
	// A tunnel ends with the measurement, whoever still holds it.
	stop := context.AfterFunc(r.Context(), func() { _ = errors.Join(here.Close(), there.Close()) })
	defer stop()
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.Copy(there, buffered) // whichever side ends first ends both
		if tcp, ok := there.(*net.TCPConn); ok {
			_ = tcp.CloseWrite()
		}
	}()
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	_, _ = io.Copy(io.MultiWriter(here, writes(func(n int) { m.add(host, int64(n)) })), there)
	_ = here.Close()
	<-sent
}

// writes is told how much is written.
type writes func(n int)

func (w writes) Write(p []byte) (int, error) {
	w(len(p))
	return len(p), nil
}
