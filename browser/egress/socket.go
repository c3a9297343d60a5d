package egress

import (
	"bytes"
	"encoding/binary"
	"net"
	"slices"
)

// Sending describes what a browser is about to send by a WebSocket.
type Sending struct {
	Host, Port string
	Sealed     bool // by TLS: what it is can't be told from outside
}

// maxHello bounds a ClientHello, in bytes.
const maxHello = 64 << 10

// uplink reads along what a browser sends in one tunnel, and finds the messages of
// WebSockets. They are recognised by how their tunnel begins: with a handshake in the
// clear, or with a ClientHello that offers HTTP/1.1 alone, where other requests offer
// HTTP/2 too.
type uplink struct {
	begun  []byte // until it is clear what the tunnel carries
	read   func(chunk []byte) (message bool)
	sealed bool
}

// carries reports whether a chunk holds a message of a WebSocket, or may hold one.
func (u *uplink) carries(chunk []byte) bool {
	if u.read != nil {
		return u.read(chunk)
	}
	u.begun = append(u.begun, chunk...)
	const plain = "GET "
	switch {
	case bytes.HasPrefix(u.begun, []byte(plain)):
		u.read = (&plainSocket{}).carries
		return u.read(u.begun)
	case bytes.HasPrefix([]byte(plain), u.begun):
		return false // too little to tell
	}
	protocols, whole := offered(u.begun)
	switch {
	case whole && slices.Equal(protocols, []string{"http/1.1"}):
		u.sealed, u.read = true, func([]byte) bool { return true }
	case whole, len(u.begun) > maxHello:
		u.read = func([]byte) bool { return false }
	}
	return false // a ClientHello carries no message
}

// offered returns the protocols that a ClientHello offers (RFC 8446, ALPN), and whether
// the bytes hold a whole one, or can't begin one.
func offered(hello []byte) (protocols []string, whole bool) {
	const handshake, clientHello, alpn = 22, 1, 16
	var said vector
	for records := vector(hello); len(records) > 0; { // it may be cut into several
		if records[0] != handshake {
			return nil, true
		}
		_, ok := records.take(3)
		record, inside := records.sized(2)
		if !ok || !inside {
			return nil, false
		}
		said = append(said, record...)
	}
	if kind, ok := said.take(1); !ok || kind[0] != clientHello {
		return nil, ok
	}
	body, ok := said.sized(3)
	if !ok {
		return nil, false
	}
	body.take(2 + 32)                      // version, random
	for _, width := range []int{1, 2, 1} { // session, ciphers, compression
		body.sized(width)
	}
	extensions, _ := body.sized(2)
	for len(extensions) > 0 {
		kind, _ := extensions.take(2)
		extension, ok := extensions.sized(2)
		if !ok {
			break
		}
		if binary.BigEndian.Uint16(kind) != alpn {
			continue
		}
		for list, _ := extension.sized(2); len(list) > 0; {
			name, ok := list.sized(1)
			if !ok {
				break
			}
			protocols = append(protocols, string(name))
		}
	}
	return protocols, true
}

// vector holds bytes that are read from the front. What is too short for a read yields
// nothing, and stays.
type vector []byte

func (v *vector) take(n int) (vector, bool) {
	if len(*v) < n {
		return nil, false
	}
	out := (*v)[:n]
	*v = (*v)[n:]
	return out, true
}

// sized takes what a length of some bytes stands before.
func (v *vector) sized(width int) (vector, bool) {
	if len(*v) < width {
		return nil, false
	}
	n := 0
	for _, b := range (*v)[:width] {
		n = n<<8 | int(b)
	}
	if len(*v) < width+n {
		return nil, false
	}
	_, _ = v.take(width)
	return v.take(n)
}

// plainSocket reads the browser's side of a WebSocket in the clear (RFC 6455): a request,
// then frames.
type plainSocket struct {
	upgraded bool
	pending  []byte // of the request's end, or of a frame's header
	left     uint64 // bytes of the frame that come yet
}

// carries reports whether a message, or a part of one, begins in a chunk. Pings, pongs
// and closes are none.
func (s *plainSocket) carries(chunk []byte) (message bool) {
	if !s.upgraded {
		s.pending = append(s.pending, chunk...)
		end := bytes.Index(s.pending, []byte("\r\n\r\n"))
		if end < 0 {
			s.pending = slices.Clone(s.pending[max(0, len(s.pending)-3):])
			return false
		}
		chunk, s.pending, s.upgraded = s.pending[end+4:], nil, true
	}
	for len(chunk) > 0 {
		if s.left > 0 {
			n := min(s.left, uint64(len(chunk)))
			chunk, s.left = chunk[n:], s.left-n
			continue
		}
		s.pending, chunk = append(s.pending, chunk[0]), chunk[1:]
		if len(s.pending) == 1 && s.pending[0]&0x0f < 8 { // a text, bytes, or more of them
			message = true
		}
		if length, whole := frameLength(s.pending); whole {
			s.pending, s.left = s.pending[:0], length
		}
	}
	return message
}

// frameLength returns the length of what follows a frame's header, and whether the header
// is whole.
func frameLength(header []byte) (length uint64, whole bool) {
	if len(header) < 2 {
		return 0, false
	}
	size, mask := 2, 0
	if header[1]&0x80 != 0 {
		mask = 4
	}
	length = uint64(header[1] & 0x7f)
	switch length {
	case 126:
		size = 4
	case 127:
		size = 10
	}
	switch {
	case len(header) < size+mask:
		return 0, false
	case size == 4:
		length = uint64(binary.BigEndian.Uint16(header[2:]))
	case size == 10:
		length = binary.BigEndian.Uint64(header[2:])
	}
	return length, true
}

// refusedMessage returns the refusal of what a browser is about to send in a tunnel; nil
// for none.
func (g *Gate) refusedMessage(u *uplink, hostport string, chunk []byte) *refusal {
	if g.opts.JudgeMessage == nil || !u.carries(chunk) {
		return nil
	}
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil //nolint:nilerr // nothing was connected to
	}
	if rule := g.opts.JudgeMessage(Sending{Host: host, Port: port, Sealed: u.sealed}); rule != "" {
		return &refusal{host, rule}
	}
	return nil
}
