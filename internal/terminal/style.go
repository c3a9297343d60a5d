package terminal

import (
	"os"
	"strings"
)

// Style says how a stream shows text.
type Style struct {
	Terminal bool // a person's; without it neither marks nor colours are written
	Colour   bool
	Unicode  bool
	Moves    bool // the cursor can go back, so that lines are redrawn
	Columns  int  // of a terminal; 0: lines have no bound
}

// StyleOf returns the style of a stream in an environment: NO_COLOR, CLICOLOR=0 and
// TERM=dumb switch colours off, and a locale that is not UTF-8 the marks beyond ASCII.
func StyleOf(stream any, getenv func(string) string) Style {
	if !Is(stream) {
		return Style{}
	}
	dumb := getenv("TERM") == "dumb"
	columns, _ := Size(stream)
	return Style{Terminal: true, Columns: columns, Moves: !dumb, Unicode: unicodeLocale(getenv),
		Colour: !dumb && getenv("NO_COLOR") == "" && getenv("CLICOLOR") != "0"}
}

// Is reports whether a stream is a person's terminal.
func Is(stream any) bool {
	f, ok := unfiltered(stream).(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// unicodeLocale reports whether the locale writes UTF-8. Where no locale is set it is
// that of C, which does not.
func unicodeLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := getenv(name); value != "" { // the first that is set decides
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return getenv("WT_SESSION") != "" // Windows Terminal sets no locale
}

// Outcome names what came of something.
type Outcome int

// The outcomes.
const (
	Passed Outcome = iota
	Failed
	Inconclusive
)

// Mark returns the mark of an outcome with a space behind it; "" for no terminal.
func (s Style) Mark(o Outcome) string {
	marks := [...]string{"ok   ", "FAIL ", "?    "}
	if s.Unicode {
		marks = [...]string{"✓ ", "✗ ", "? "}
	}
	if !s.Terminal {
		return ""
	}
	return s.Paint(o, marks[o])
}

// Paint colours a text as an outcome: green, red or amber.
func (s Style) Paint(o Outcome, text string) string {
	if !s.Colour {
		return text
	}
	return [...]string{"\x1b[32m", "\x1b[31m", "\x1b[33m"}[o] + text + "\x1b[0m"
}

// Dim writes a text of less weight.
func (s Style) Dim(text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[2m" + text + "\x1b[0m"
}

// Wrap breaks a text between words, so that no line with its indent is wider than the
// terminal. A word that is too long, such as a path, stays whole.
func (s Style) Wrap(indent, text string) string {
	var b strings.Builder
	b.WriteString(indent)
	used := width(indent)
	for i, word := range strings.Split(text, " ") {
		w := width(word)
		switch {
		case i == 0:
		case s.Columns > 0 && used+1+w > s.Columns:
			b.WriteString("\n" + indent + "  ")
			used = width(indent) + 2
		default:
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += w
	}
	return b.String()
}

// width returns how many columns a text takes.
func width(text string) (n int) {
	for _, r := range text {
		n += cells(r)
	}
	return n
}
