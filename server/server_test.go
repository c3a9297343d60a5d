package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/assay-qa/assay/server"
)

// What a client gets wrong on the wire is answered with a code, one line each,
// and the next message is served (design §5).
func TestWire(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	s := server.New(server.Options{Version: "test", Now: time.Now, Log: slog.New(slog.DiscardHandler), Tools: []server.Tool{}})
	ended := make(chan error, 1)
	go func() { ended <- s.Listen(t.Context(), in, out) }()
	lines := bufio.NewScanner(fromServer)
	next := func() map[string]any {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the server wrote no more: %v", lines.Err())
		}
		var m map[string]any
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatalf("no JSON on the wire: %s", lines.Bytes())
		}
		return m
	}
	send := func(line string) {
		t.Helper()
		if _, err := fmt.Fprintln(toServer, line); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		line string
		code float64
		id   any
	}{
		{`{not json`, -32700, nil},
		{`[]`, -32600, nil},
		{`7`, -32600, nil},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600, 1.0},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, nil},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, nil},
		{`{"jsonrpc":"2.0","id":"a","method":7}`, -32600, "a"},
		{`{"jsonrpc":"2.0","id":2}`, -32600, 2.0},
		{`{"jsonrpc":"2.0","id":3,"method":"no/such"}`, -32601, 3.0},
	} {
		send(tt.line)
		m := next()
		e, _ := m["error"].(map[string]any)
		if e == nil || e["code"] != tt.code || m["id"] != tt.id {
			t.Errorf("%s answered %v, want code %v and id %v", tt.line, m, tt.code, tt.id)
		}
		if _, has := m["id"]; has && tt.id == nil {
			t.Errorf("%s answered with an id: %v", tt.line, m)
		}
		send(`{"jsonrpc":"2.0","id":"next","method":"ping"}`)
		if m := next(); m["id"] != "next" || m["result"] == nil {
			t.Errorf("after %s a ping got %v", tt.line, m)
		}
	}

	if err := toServer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the end of input is an error: %v", err)
	}
}
