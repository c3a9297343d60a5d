package egress

import (
	"bytes"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// lone stands for a percent sign in a path that begins no escape. Browsers send
// it as it is written (/100%), sites take it, and net/http answers 400. No
// browser sends this byte: it escapes all that are not ASCII.
const lone = "\xff"

// lenient lets requests through whose path holds a lone percent sign: it puts
// lone in its place, which takes as many bytes, before net/http reads the line.
type lenient struct {
	net.Conn
	fresh atomic.Bool // what comes next is the line of a request
	ready []byte      // read ahead
}

func newLenient(c net.Conn) *lenient {
	l := &lenient{Conn: c}
	l.fresh.Store(true)
	return l
}

// Read returns what was read ahead, or reads on.
func (c *lenient) Read(p []byte) (int, error) {
	if len(c.ready) == 0 && c.fresh.Load() {
		if err := c.readLine(); err != nil && len(c.ready) == 0 {
			return 0, err
		}
	}
	if len(c.ready) > 0 {
		n := copy(p, c.ready)
		c.ready = c.ready[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

// readLine reads at least to the end of the line, and repairs it. A line that has
// no end within bounds is left to net/http.
func (c *lenient) readLine() error {
	chunk := make([]byte, 4<<10)
	for len(c.ready) < maxHeaderBytes {
		n, err := c.Conn.Read(chunk)
		c.ready = append(c.ready, chunk[:n]...)
		if end := bytes.IndexByte(c.ready, '\n'); end >= 0 {
			repairLine(c.ready[:end])
			break
		}
		if err != nil {
			if len(c.ready) > 0 {
				c.fresh.Store(false)
			}
			return err
		}
	}
	c.fresh.Store(false)
	return nil
}

// repairLine puts lone in place of the lone percent signs in the path of a
// request line.
func repairLine(line []byte) {
	_, target, _ := bytes.Cut(line, []byte(" "))
	target, _, _ = bytes.Cut(target, []byte(" "))
	path, _, _ := bytes.Cut(target, []byte("?"))
	for i, b := range path {
		if b == '%' && (len(path) < i+3 || !isHex(path[i+1]) || !isHex(path[i+2])) {
			path[i] = lone[0]
		}
	}
}

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}

// expect notes that a connection's next bytes begin a request.
func expect(c net.Conn, state http.ConnState) {
	if p, ok := c.(*placed); ok && state == http.StateIdle {
		p.line.fresh.Store(true)
	}
}

// written returns a request's address as the browser wrote it. RequestURI has it too.
func written(r *http.Request) string {
	if strings.Contains(r.URL.RawPath, lone) {
		return r.RequestURI
	}
	return r.URL.String()
}
