package terminal

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/assay-qa/assay/internal/pagetext"
)

// Live keeps lines at the end of a terminal that are redrawn in place: one for each
// thing that runs, and a last one for the whole. What is written through [Live.Over]
// stands above them. A nil Live shows nothing.
type Live struct {
	out   io.Writer
	size  func() (columns, rows int)
	mu    sync.Mutex
	lines map[string]pagetext.Text
	total string
	drawn int // lines on the screen
}

// NewLive returns the live lines of a terminal, whose size may change.
func NewLive(out io.Writer, size func() (columns, rows int)) *Live {
	if screen, ok := unfiltered(out).(io.Writer); ok {
		out = screen // it moves the cursor
	}
	return &Live{out: out, size: size, lines: map[string]pagetext.Text{}}
}

// Set shows a line for a thing. It may have words of a page.
func (l *Live) Set(thing string, line pagetext.Text) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	l.lines[thing] = line
	l.draw()
}

// Done takes the line of a thing away, and shows how far the whole is.
func (l *Live) Done(thing, total string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	delete(l.lines, thing)
	l.total = total
	l.draw()
}

// Close takes all lines away.
func (l *Live) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	clear(l.lines)
	l.total = ""
}

// Over returns a writer whose whole lines stand above the live ones.
func (l *Live) Over(out io.Writer) io.Writer {
	if l == nil {
		return out
	}
	return over{l, out}
}

type over struct {
	live *Live
	out  io.Writer
}

func (o over) Write(p []byte) (int, error) {
	o.live.mu.Lock()
	defer o.live.mu.Unlock()
	o.live.erase()
	n, err := o.out.Write(p)
	o.live.draw()
	return n, err
}

func (l *Live) erase() {
	if l.drawn > 0 {
		fmt.Fprintf(l.out, "\x1b[%dA\r\x1b[J", l.drawn)
	}
	l.drawn = 0
}

// draw writes the lines that fit on the screen, none wider than it.
func (l *Live) draw() {
	columns, rows := l.size()
	var shown []string
	for _, thing := range slices.Sorted(maps.Keys(l.lines)) {
		shown = append(shown, pagetext.Terminal(l.lines[thing]))
	}
	shown = shown[:min(len(shown), max(1, rows-2))]
	if l.total != "" {
		shown = append(shown, pagetext.Terminal(pagetext.Text(l.total)))
	}
	if len(l.lines) == 0 {
		return
	}
	for i, line := range shown {
		shown[i] = Fit(line, columns-1) + "\n"
	}
	l.drawn = len(shown)
	fmt.Fprint(l.out, strings.Join(shown, ""))
}

// Fit returns a line that takes at most so many columns: its end is cut, and "…" says
// so.
func Fit(line string, columns int) string {
	used, end := 0, 0
	for at, r := range line {
		w := cells(r)
		if used+w > columns {
			return strings.TrimRight(line[:end], " ") + "…"
		}
		if used+w <= columns-1 {
			end = at + len(string(r))
		}
		used += w
	}
	return line
}

// cells returns how many columns a character takes: two in East Asian scripts and for
// pictures, none where it only adds to the one before.
func cells(r rune) int {
	switch {
	case r >= 0x300 && r <= 0x36f, r == 0x200d, r >= 0xfe00 && r <= 0xfe0f:
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	default:
		return 1
	}
}
