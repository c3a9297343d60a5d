package health

import (
	"strings"
)

// about matches words of programming: where they stand around it, a leftover is
// what the text is about.
var about = leftovers.Pattern("about")

// technical reports whether a page is about programming: it shows code, and
// its texts mention it.
func technical(f Facts) bool {
	speaks := 0
	for _, t := range f.Texts {
		if t.Code {
			continue
		}
		if (t.Level > 0 || t.Prose || len(t.Text) > 40) && about.MatchString(t.Text) {
			speaks++
		}
	}
	blocks := f.Codes
	return about.MatchString(f.Title) && (blocks > 0 || speaks > 2) || blocks > 2 && speaks > 0 || speaks > 5
}

// mentions reports whether a text is prose about a leftover instead of having
// one.
func (j *judge) mentions(t Text, leftover string) bool {
	rest := strings.ReplaceAll(t.Text, leftover, " ")
	return about.MatchString(rest) || quotes(t.Text, leftover)
}

// quotes reports whether a text has something in quotation marks.
func quotes(text, word string) bool {
	for _, q := range []string{`"`, "'", "“", "‘", "„", "«", "‚", "`", "「"} {
		if strings.Contains(text, q+word) {
			return true
		}
	}
	return false
}

// isLiteralContext reports whether a text is where leftovers are what they should be.
func isLiteralContext(t Text) bool { return t.Code || t.Edit || t.User }

// words counts the words of a text.
func words(s string) int { return len(strings.Fields(s)) }
