package server

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
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
	if f := tooLong(idOf(line)); string(f.id) != `"a"` || !strings.Contains(f.message, "8388608") {
		t.Errorf("%s %s, want the id and the limit", f.id, f.message)
	}
	if err := skipLine(in, func([]byte) {}); err != nil {
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
		`{"jsonrpc":"2.0","method":"a","params":{"x":` + nest(10_000) + `},"id":7}`: {true, "7"},
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

// The id of a message that is too long is found wherever it stands, and nowhere else.
func TestLongMessageIsAnswered(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	for line, want := range map[string]string{
		`{"id":7,"method":"a","params":{"x":"` + long + `"}}`:                    `7`,
		`{"method":"a","params":{"x":"` + long + `"},"id":7}`:                    `7`,
		`{"method":"a","params":{"id":8,"x":["` + long + `"]} , "id" : "a\"b" }`: `"a\"b"`,
		`{"method":"a","params":{"x":"\",\"id\":9,` + long + `"},"\u0069d":7}`:   `7`,
		`{"method":"a","params":{"x":"` + long + `"},"id":{"id":1}}`:             ``,
		`{"method":"a","params":{"x":"` + long + `"},"id":1.5}`:                  ``,
		`{"method":"a","params":{"x":"` + long + `"},"id":null}`:                 ``,
		`{"method":"a","params":[{"id":1},"` + long + `"]}`:                      ``,
		`{"id":"` + long + `","method":"a"}`:                                     ``,
		`{"` + long + `":1,"id":7}`:                                              `7`,
		`["id",7,"` + long + `"]`:                                                ``,
	} {
		var out strings.Builder
		w := newStdio(strings.NewReader(line+"\n"), &out)
		if _, err := io.Copy(io.Discard, w); err != nil {
			t.Fatal(err)
		}
		var answer struct {
			ID    json.RawMessage
			Error struct{ Message string }
		}
		if err := json.Unmarshal([]byte(out.String()), &answer); err != nil || !strings.Contains(answer.Error.Message, "8388608") {
			t.Fatalf("%.60s…: %v, %s", line, err, out.String())
		}
		if string(answer.ID) != want {
			t.Errorf("%.60s…%s: id %s, want %s", line, line[len(line)-20:], answer.ID, want)
		}
	}
}

// FuzzID: in pieces of any size the finder sees what a decoder sees.
func FuzzID(f *testing.F) {
	for _, seed := range []string{`{"id":7}`, `{"a":[{"id":1}],"id":"x"}`, `{"a":"\"id\":1","id":2}`, `[{"id":1}]`, `{"id":{"id":1}}`, `{"id" : -3 , "b":null}`} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, line string, size int) {
		var found idFinder
		for rest := []byte(line); len(rest) > 0; {
			n := min(max(size, 1), len(rest))
			found.feed(rest[:n])
			rest = rest[n:]
		}
		var m map[string]json.RawMessage
		if !utf8.ValidString(line) || json.Unmarshal([]byte(line), &m) != nil || strings.Count(line, "d\"")+strings.Count(line, "\\u") > 1 {
			return // no message, or one that may name its id twice
		}
		want, valid := requestID(m["id"])
		if len(want) > maxRawID-2 {
			return
		}
		if valid != (found.id != nil) || valid && string(found.id) != string(want) {
			t.Errorf("%q: found %q, want %q", line, found.id, want)
		}
	})
}
