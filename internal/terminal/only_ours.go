package terminal

import (
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pagetext"
)

// OnlyOurs returns a writer to a person's terminal that lets no characters act but line
// breaks, tabs and the colours of ours: whatever else a text says to a terminal is shown
// as U+FFFD. Any other stream, such as a file that a program reads, is returned as it is.
func OnlyOurs(stream io.Writer) io.Writer {
	if f, ok := stream.(*os.File); ok && Is(f) {
		return &filter{file: f, out: f}
	}
	return stream
}

// filter writes to a terminal what may act there.
type filter struct {
	file *os.File
	out  io.Writer
	mu   sync.Mutex
	rest []byte // of a character or a colour whose end has not been written yet
}

// unfiltered returns the terminal behind a filter, for what draws on it; any other stream
// as it is.
func unfiltered(stream any) any {
	if f, ok := stream.(*filter); ok {
		return f.file
	}
	return stream
}

// maxColour bounds how long a colour is, in bytes.
const maxColour = 8

// colours are the attributes that our own texts and the log's have.
func colours() []string { return []string{"", "0", "1", "2", "22", "31", "32", "33", "91", "92", "93"} }

// Write writes what may act, and keeps back an unfinished end.
func (f *filter) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Concat(f.rest, p)
	var b strings.Builder
	for len(all) > 0 {
		shown, size := next(all)
		if size == 0 {
			break
		}
		b.WriteString(shown)
		all = all[size:]
	}
	f.rest = slices.Clone(all)
	if _, err := io.WriteString(f.out, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// next returns what is shown of the first character or colour, and its size in bytes; 0
// where its end is missing.
func next(p []byte) (shown string, size int) {
	switch {
	case p[0] == '\x1b':
		return colour(p)
	case p[0] == '\n' || p[0] == '\t':
		return string(p[:1]), 1
	case p[0] == '\r' && len(p) == 1, !utf8.FullRune(p):
		return "", 0
	case p[0] == '\r' && p[1] == '\n':
		return "\r\n", 2
	}
	_, size = utf8.DecodeRune(p)
	return pagetext.Visible(string(p[:size])), size
}

// colour returns an escape sequence that is one of our colours, and else U+FFFD for its
// first byte, so that what follows is no more than text.
func colour(p []byte) (shown string, size int) {
	for i := 2; i < min(len(p), maxColour) && p[1] == '['; i++ {
		switch c := p[i]; {
		case c == 'm':
			for _, attribute := range strings.Split(string(p[2:i]), ";") {
				if !slices.Contains(colours(), attribute) {
					return "\ufffd", 1
				}
			}
			return string(p[:i+1]), i + 1
		case c != ';' && (c < '0' || c > '9'):
			return "\ufffd", 1
		}
	}
	if len(p) == 1 || len(p) < maxColour && p[1] == '[' {
		return "", 0
	}
	return "\ufffd", 1
}
