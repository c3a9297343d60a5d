package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// visible replaces the characters that change how others are shown, or that
// can't be shown, so that a text looks like what it is.
func visible[S ~string](s S) string { return pagetext.Visible(s) }

// clip returns the first n runes of a text, and whether that is all of it.
func clip(s string, n int) (head string, whole bool) { return pagetext.Clip(s, n) }

// grouped writes a number with commas between its thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// sentence begins a word with a capital letter; it names an empty one as such.
func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return "Unknown"
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// took writes a duration as a person says it.
func took(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", ms)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// clock formats the time of the day, in UTC.
func clock(t time.Time) string { return t.UTC().Format("15:04:05.000") }

// tolerance writes an accepted difference, or "".
func tolerance(t *qa.Tolerance) string {
	if t == nil {
		return ""
	}
	var parts []string
	if t.Absolute != 0 {
		parts = append(parts, "±"+strconv.FormatFloat(t.Absolute, 'g', -1, 64))
	}
	if t.Percent != 0 {
		parts = append(parts, "±"+strconv.FormatFloat(t.Percent, 'g', -1, 64)+" %")
	}
	return strings.Join(parts, " or ")
}

func joinLines[S ~string](lines []S) pagetext.Text { return pagetext.Join(lines, "\n") }
