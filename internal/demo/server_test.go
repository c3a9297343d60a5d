package demo_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/demo"
)

// patience is far more than closing takes, and less than the five seconds after
// which the server cuts a silent connection anyway.
const patience = 3 * time.Second

func start(t *testing.T, ctx context.Context, opts demo.Options) *demo.Server {
	t.Helper()
	server, err := demo.Start(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func TestStartServesOnLoopback(t *testing.T) {
	for _, addr := range []string{"", "127.0.0.1:0", "127.1.2.3:0", "localhost:0"} {
		server := start(t, t.Context(), demo.Options{Addr: addr})
		if !strings.HasPrefix(server.URL(), "http://127.") {
			t.Errorf("Addr %q: URL is %s", addr, server.URL())
		}
		v := &visitor{t, server.URL(), newClient(t)}
		if got := v.get("/login").status; got != http.StatusOK {
			t.Errorf("Addr %q: /login answers %d", addr, got)
		}
	}
}

func TestStartRefusesOtherAddresses(t *testing.T) {
	for _, addr := range []string{
		"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1.example.com:0", "127.0.0.1", "nonsense",
	} {
		server, err := demo.Start(t.Context(), demo.Options{Addr: addr})
		if err == nil {
			t.Errorf("Addr %q was accepted: %s", addr, server.URL())
			server.Close()
			continue
		}
		if !strings.Contains(err.Error(), "127.0.0.1:PORT") {
			t.Errorf("Addr %q: the error names no remedy: %v", addr, err)
		}
	}
}

func TestStartNamesAPortInUse(t *testing.T) {
	addr := strings.TrimPrefix(start(t, t.Context(), demo.Options{}).URL(), "http://")
	_, err := demo.Start(t.Context(), demo.Options{Addr: addr})
	if err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("a second demo on %s: %v, want an error that names the address", addr, err)
	}
}

// B6: nothing is left behind, whatever the clients are doing.
func TestCloseLeavesNothing(t *testing.T) {
	server := start(t, t.Context(), demo.Options{})
	addr := strings.TrimPrefix(server.URL(), "http://")
	silent := dial(t, addr)  // a browser's spare connection: never says a word
	partial := dial(t, addr) // a request that never ends
	if _, err := io.WriteString(partial, "GET / HTTP/1.1\r\nHost: x\r\n"); err != nil {
		t.Fatal(err)
	}
	if got := (&visitor{t, server.URL(), newClient(t)}).get("/login").status; got != http.StatusOK {
		t.Fatalf("/login answers %d", got)
	}

	begin := time.Now()
	for range 2 { // the second Close is no error
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(begin); took > patience {
		t.Errorf("Close took %v", took)
	}
	expectCut(t, silent)
	expectCut(t, partial)
	again, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatalf("%s is still taken after Close: %v", addr, err)
	}
	again.Close()
}

func TestCancelCloses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := start(t, ctx, demo.Options{})
	conn := dial(t, strings.TrimPrefix(server.URL(), "http://"))
	cancel()
	expectCut(t, conn)
}

func TestStartOnACancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	server, err := demo.Start(ctx, demo.Options{})
	if err != nil {
		return // refusing is fine; serving for ever is not
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL(), "http://")); err == nil {
		conn.Close()
		t.Error("the demo still accepts connections")
	}
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// expectCut fails when the server has left a connection open.
func expectCut(t *testing.T, conn net.Conn) {
	t.Helper()
	_, err := conn.Read(make([]byte, 1))
	var slow net.Error
	if err == nil || errors.As(err, &slow) && slow.Timeout() {
		t.Errorf("the connection was left open: %v", err)
	}
}
