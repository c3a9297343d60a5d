package qa

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// SnapshotLine holds a line as page_snapshot prints it: a role, a name, marks
// in brackets, and a value.
type SnapshotLine struct {
	Head  string   // frames, role and quoted name
	Marks []string // such as "2", "checked", "level=1"
	Value string
}

// SnapshotLines returns the lines that the assertion expects.
func (a Assertion) SnapshotLines() []SnapshotLine {
	var out []SnapshotLine
	for _, text := range nonEmptyLines(a.Expected) {
		if l, ok := parseSnapshotLine(text); ok {
			out = append(out, l)
		}
	}
	return out
}

var (
	lineForm = pattern.New(`^((?:frame(?: "(?:[^"\\]|\\.)*")?(?: \[\d+\])? > )*[a-z]+(?: "(?:[^"\\]|\\.)*")?)((?: \[[^\]]*\])*)(?:: ?(.*))?$`)
	lineMark = pattern.New(`\[([^\]]*)\]`)
)

// nonEmptyLines returns the lines of a text that say something.
func nonEmptyLines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
}

// parseSnapshotLine reads a line. How far it is indented does not count.
func parseSnapshotLine(line string) (SnapshotLine, bool) {
	line = strings.TrimPrefix(strings.TrimSpace(line), "- ")
	m := lineForm.FindStringSubmatch(line)
	if m == nil {
		return SnapshotLine{}, false
	}
	out := SnapshotLine{Head: m[1], Value: strings.TrimSpace(m[3])}
	for _, mark := range lineMark.FindAllStringSubmatch(m[2], -1) {
		out.Marks = append(out.Marks, mark[1])
	}
	return out, true
}

// fits reports whether a line of a page has all that is expected of it: the same
// role and name, each mark, and the value if there is one. One that is not
// seen has nothing.
func (l SnapshotLine) fits(of SnapshotLine) bool {
	if l.Head != of.Head || l.Value != "" && l.Value != of.Value {
		return false
	}
	return !slices.ContainsFunc(of.Marks, func(m string) bool { return strings.HasPrefix(m, "not seen") }) &&
		!slices.ContainsFunc(l.Marks, func(m string) bool { return !slices.Contains(of.Marks, m) })
}

// missingLine returns the first of the expected lines that does not follow those
// before it; "" where all of them are there.
func missingLine(expected string, page []string) string {
	at := 0
	for _, line := range nonEmptyLines(expected) {
		want, _ := parseSnapshotLine(line) // it was validated
		i := slices.IndexFunc(page[at:], func(text string) bool {
			of, ok := parseSnapshotLine(text)
			return ok && want.fits(of)
		})
		if i < 0 {
			return strings.TrimSpace(line)
		}
		at += i + 1
	}
	return ""
}
