package terminal_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/terminal"
)

// screen shows what a terminal of so many columns shows of what was written to it: it
// knows the sequences that live lines use, and fails on any other.
func screen(t *testing.T, columns int, written string) []string {
	t.Helper()
	lines, at := []string{""}, 0
	for written != "" {
		var up int
		switch {
		case strings.HasPrefix(written, "\x1b["):
			if n, _ := fmt.Sscanf(written, "\x1b[%dA", &up); n == 1 {
				at -= up
				written = written[len(fmt.Sprintf("\x1b[%dA", up)):]
			} else if rest, ok := strings.CutPrefix(written, "\x1b[J"); ok {
				lines = append(lines[:at:at], "")
				written = rest
			} else {
				t.Fatalf("unknown sequence %q", written[:6])
			}
		case written[0] == '\r':
			written = written[1:]
		case written[0] == '\n':
			if at++; at == len(lines) {
				lines = append(lines, "")
			}
			written = written[1:]
		default:
			r := []rune(written)[0]
			if lines[at] += string(r); len([]rune(lines[at])) >= columns {
				t.Fatalf("%q is wider than %d columns", lines[at], columns)
			}
			written = written[len(string(r)):]
		}
	}
	return lines
}

// Lines that are redrawn leave nothing behind: what was printed stands whole and in
// order, above the lines of what runs, and in the end alone. No page moves the cursor.
func TestLiveLinesLeaveNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	live := terminal.NewLive(&out, func() (int, int) { return 40, 24 })
	above := live.Over(&out)
	live.Set("a", "a.task.toml  opening \x1b[2J the page that has a very long name")
	live.Set("b", "b.task.toml  step 1\nof 3")
	fmt.Fprintln(above, "passed  first")
	if got := screen(t, 40, out.String()); len(got) != 4 || got[0] != "passed  first" || !strings.HasSuffix(got[1], "…") || got[2] != `b.task.toml  step 1 of 3` {
		t.Errorf("%q", got)
	}
	live.Done("a", "1 of 2 done")
	fmt.Fprintln(above, "failed  second")
	if got := screen(t, 40, out.String()); fmt.Sprint(got) != `[passed  first failed  second b.task.toml  step 1 of 3 1 of 2 done ]` {
		t.Errorf("%q", got)
	}
	live.Close()
	if got := screen(t, 40, out.String()); fmt.Sprint(got) != "[passed  first failed  second ]" {
		t.Errorf("%q", got)
	}
}

// More things than the screen has rows are not drawn: what scrolls away can't be
// erased.
func TestLiveLinesFitTheScreen(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	live := terminal.NewLive(&out, func() (int, int) { return 40, 6 })
	for i := range 20 {
		live.Set(fmt.Sprint(i), "x")
	}
	live.Done("0", "1 of 20 done")
	if got := screen(t, 40, out.String()); len(got) != 6 {
		t.Errorf("%d lines: %q", len(got), got)
	}
}

// A line is cut by the columns that it takes, not by its bytes.
func TestFit(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{"1234567890": "1234567890", "12345678901": "123456789…", "漢字漢字漢": "漢字漢字漢", "漢字漢字漢字": "漢字漢字…", "äöüäöüäöüä": "äöüäöüäöüä"} {
		if got := terminal.Fit(line, 10); got != want {
			t.Errorf("Fit(%q) = %q, want %q", line, got, want)
		}
	}
}

// What is no terminal has neither marks nor colours, and lines as long as they are.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	s := terminal.StyleOf(&bytes.Buffer{}, func(string) string { return "C.UTF-8" })
	long := strings.Repeat("word ", 60)
	if s.Mark(terminal.Failed) != "" || s.Paint(terminal.Failed, "x") != "x" || s.Wrap("  ", long) != "  "+long {
		t.Errorf("%+v", s)
	}
}
