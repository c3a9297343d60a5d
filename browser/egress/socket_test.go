package egress

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
)

const upgrade = "GET /feed HTTP/1.1\r\nHost: a.test\r\nUpgrade: websocket\r\n\r\n"

// frame returns a masked frame of a browser.
func frame(opcode byte, payload string) string {
	head := []byte{0x80 | opcode}
	switch n := len(payload); {
	case n < 126:
		head = append(head, 0x80|byte(n))
	case n < 1<<16:
		head = binary.BigEndian.AppendUint16(append(head, 0x80|126), uint16(n))
	default:
		head = binary.BigEndian.AppendUint64(append(head, 0x80|127), uint64(n))
	}
	return string(append(head, 0, 0, 0, 0)) + payload // masked with nothing
}

// hello returns what a client says first that offers these protocols.
func hello(t *testing.T, protocols ...string) string {
	t.Helper()
	near, far := net.Pipe()
	defer near.Close()
	go func() {
		_ = tls.Client(far, &tls.Config{ServerName: "a.test", NextProtos: protocols, MinVersion: tls.VersionTLS12}).HandshakeContext(t.Context()) // it gets no answer
		_ = far.Close()
	}()
	var said strings.Builder
	head := make([]byte, 5)
	if _, err := io.ReadFull(io.TeeReader(near, &said), head); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(&said, near, int64(binary.BigEndian.Uint16(head[3:]))); err != nil {
		t.Fatal(err)
	}
	return said.String()
}

// Messages are found wherever the network cuts what is sent, and nothing else is taken
// for one.
func TestUplinkFindsMessages(t *testing.T) {
	for what, test := range map[string]struct {
		sent string
		at   int // where a message begins; -1: nowhere
	}{
		"a handshake":               {upgrade, -1},
		"a text":                    {upgrade + frame(1, "hello"), len(upgrade)},
		"an empty one":              {upgrade + frame(2, ""), len(upgrade)},
		"the rest of a message":     {upgrade + frame(0, "lo"), len(upgrade)},
		"pong, ping and close":      {upgrade + frame(10, "\x01") + frame(9, strings.Repeat("\x01", 300)) + frame(8, "\x03\xe8"), -1},
		"a text behind a pong":      {upgrade + frame(10, "\x01\x02") + frame(1, "hello"), len(upgrade) + len(frame(10, "12"))},
		"a very long pong":          {upgrade + frame(10, strings.Repeat("\x01", 1<<16)), -1},
		"another protocol":          {"SSH-2.0-x\r\nGET ", -1},
		"what begins like a socket": {"GE", -1},
	} {
		for cut := 0; cut <= len(test.sent); cut += max(1, len(test.sent)/400) {
			u := &uplink{}
			first, second := u.carries([]byte(test.sent[:cut])), u.carries([]byte(test.sent[cut:]))
			if first != (test.at >= 0 && cut > test.at) || second != (test.at >= 0 && cut <= test.at) {
				t.Errorf("%s, cut at %d: messages are seen: %v, %v", what, cut, first, second)
			}
		}
	}
}

// A socket in TLS is told from other requests by what it offers to speak.
func TestUplinkFindsSealedSockets(t *testing.T) {
	for _, protocols := range [][]string{{"http/1.1"}, {"h2", "http/1.1"}, nil} {
		said, socket := hello(t, protocols...), len(protocols) == 1
		for cut := range len(said) {
			u := &uplink{}
			if u.carries([]byte(said[:cut])) || u.carries([]byte(said[cut:])) {
				t.Fatalf("%q, cut at %d: a hello is taken for a message", protocols, cut)
			}
			if got := u.carries([]byte("sealed")); got != socket || u.sealed != socket {
				t.Fatalf("%q, cut at %d: messages are seen: %v", protocols, cut, got)
			}
		}
	}
}

// What a WebSocket sends is refused without a byte of it arriving; what it sent before, and
// its handshake, arrive.
func TestGateRefusesMessages(t *testing.T) {
	arrived := make(chan string)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		all, _ := io.ReadAll(c) // however it ends
		arrived <- string(all)
	}()
	r := start(t, Lists{}, nil)
	var asked []Sending
	r.opts.JudgeMessage = func(s Sending) Rule {
		asked = append(asked, s)
		return "a rule"
	}
	c, err := net.Dial("tcp", r.addr.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: x\r\nProxy-Authorization: %s\r\n\r\n", l.Addr(), r.wanted)
	back := bufio.NewReader(c)
	if line, err := back.ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Fatalf("%q %v", line, err)
	}
	if _, err := back.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(c, upgrade+frame(10, "pong"))
	fmt.Fprint(c, frame(1, "sell everything"))
	if got := <-arrived; strings.Contains(got, "sell") {
		t.Errorf("arrived: %q", got)
	}
	if _, err := back.ReadByte(); err == nil {
		t.Error("the browser's side is still open")
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if !slices.Equal(asked, []Sending{{Host: "127.0.0.1", Port: port}}) {
		t.Errorf("asked: %+v", asked)
	}
	if told := r.told(); len(told) != 1 || told[0].Rule != "a rule" {
		t.Errorf("told: %+v", told)
	}
}

// No bytes that a browser sends bring the reading down.
func FuzzUplink(f *testing.F) {
	f.Add([]byte(upgrade+frame(1, "hello")), 40)
	f.Add([]byte("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03"), 3)
	f.Fuzz(func(_ *testing.T, sent []byte, cut int) {
		u := &uplink{}
		cut = max(0, min(cut, len(sent)))
		u.carries(sent[:cut])
		u.carries(sent[cut:])
	})
}
