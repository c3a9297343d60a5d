package server

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

// endless is a line without an end, as far as anybody reads it.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= n
	return n, nil
}

// Of a line that is too long only the limit is kept, and the next one is read.
func TestLongLines(t *testing.T) {
	in := bufio.NewReader(io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":"a","x":"`), &endless{left: 60 << 20}, strings.NewReader("\"}\nnext\n")))
	line, unread, err := readLine(in)
	if !errors.Is(err, errTooLong) || !unread || len(line) != maxMessage || cap(line) > 3*maxMessage {
		t.Fatalf("%d bytes kept (room for %d), %v, %v", len(line), cap(line), unread, err)
	}
	if f := tooLong(line); string(f.id) != `"a"` || !strings.Contains(f.message, "8388608") {
		t.Errorf("%s %s, want the id and the limit", f.id, f.message)
	}
	if err := skipLine(in); err != nil {
		t.Error(err)
	}
	if next, _, err := readLine(in); err != nil || string(next) != "next\n" {
		t.Errorf("the next line: %q %v", next, err)
	}
}

// What is too deep is refused by its form, with its id where that can be read;
// brackets within a text are no depth.
func TestDeepMessages(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for line, want := range map[string]struct {
		deep bool
		id   string
	}{
		`{"jsonrpc":"2.0","id":7,"method":"a","params":{"x":` + nest(10_000) + `}}`: {true, "7"},
		`{"jsonrpc":"2.0","method":"a","params":{"x":` + nest(10_000) + `},"id":7}`: {true, ""},
		nest(10_000): {true, ""},
		`{"jsonrpc":"2.0","id":7,"method":"a","params":{"x":` + nest(900) + `}}`:                 {false, ""},
		`{"jsonrpc":"2.0","id":7,"method":"a","params":{"x":"\"` + nest(10_000) + `"}}`:          {false, ""},
		`{"jsonrpc":"2.0","id":7,"method":"a","params":[` + strings.Repeat(`[],`, 5000) + `[]]}`: {false, ""},
	} {
		f, faulty := checkMessage([]byte(line))
		deep := faulty && f.code == parseError && strings.Contains(f.message, "nested")
		if deep != want.deep || deep && string(f.id) != want.id {
			t.Errorf("%.60s…: deep %v, id %s; want %v", line, deep, f.id, want)
		}
	}
}
