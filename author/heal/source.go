package heal

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/prove"
	testscript "github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/author/testrun"
)

// source is a file whose locators may be healed: a test, or a flow.
type source interface {
	// find returns which of its locators a call of the file with edits has, and how it
	// reads without them.
	find(c prove.Call, edits []edit) (n int, old string, err error)
	// after returns the file as it is with edits, and how tests of it run then. It fails
	// where anything else would change.
	after(edits []edit) (file, test []byte, err error)
	// write says a selector of an element as this file has it; empty: it can't.
	write(n int, selector string) string
}

// edit is one change of a file.
type edit struct {
	file string // as the runner knows it
	n    int    // of the locator
	text string // the new locator; empty: it stays, and is waited for
	was  string // selector before
}

// testSource is a Playwright test, or a helper that tests import, in JavaScript or
// TypeScript.
type testSource struct {
	text []byte
	form testscript.NormalForm
	read func(text []byte) (testscript.File, error) // another text of the same file
}

// readTest reads a test file.
func readTest(path string, read func(name string, text []byte) (testscript.File, error)) (testSource, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return testSource{}, err
	}
	s := testSource{text: text, read: func(text []byte) (testscript.File, error) { return read(path, text) }}
	f, err := s.read(text)
	if err == nil {
		s.form = testscript.NormalFormOf(f)
	}
	return s, err
}

var errElsewhere = errors.New("its locator is not written where the act is, or holds more than locators: only a person can tell what else uses it")

func (t testSource) find(c prove.Call, edits []edit) (int, string, error) {
	if c.At == nil {
		return 0, "", errElsewhere
	}
	best := t.nearest(*c.At, edits, func(l testscript.FormLocator, line int) (at int, ok bool) {
		own := 1 + strings.Count(string(t.text[:l.Dot]), "\n")
		return l.Dot + len("."), l.Name == "" && acts(c.Method, l.Action) && (own == line || l.Line == line)
	})
	if best < 0 {
		return 0, "", errElsewhere
	}
	return best, t.form.Locators[best].Text, nil
}

// define returns which locator with a name is made at a place of the file with edits.
func (t testSource) define(at testrun.Location, edits []edit) (int, bool) {
	best := t.nearest(at, edits, func(l testscript.FormLocator, line int) (int, bool) {
		last := l.Line + strings.Count(l.Text, "\n")
		return l.To, l.Name != "" && l.Line <= line && line <= last
	})
	return best, best >= 0
}

// nearest returns the locator that a place of the file with edits belongs to; -1: none.
// Fits says whether one is at a line of the file as it was, and the byte that its column
// is nearest to.
func (t testSource) nearest(place testrun.Location, edits []edit, fits func(l testscript.FormLocator, line int) (int, bool)) int {
	line := 1
	for line <= strings.Count(string(t.text), "\n") && t.line(line, edits) < place.Line {
		line++
	}
	best, distance := -1, 0
	for i, l := range t.form.Locators {
		at, ok := fits(l, line)
		if !ok {
			continue
		}
		off := at + 1 - (strings.LastIndexByte(string(t.text[:min(at, len(t.text))]), '\n') + 1) - place.Column
		if off = max(off, -off); best < 0 || off < distance {
			best, distance = i, off
		}
	}
	return best
}

// line returns where a line of the file is after edits.
func (t testSource) line(line int, edits []edit) int {
	out := line
	for _, e := range edits {
		l := t.form.Locators[e.n]
		switch last := l.Line + strings.Count(string(t.text[l.From:l.To]), "\n"); {
		case e.text == "" && l.Line <= line:
			out++
		case e.text != "" && last <= line:
			out -= last - l.Line - strings.Count(l.With(e.text), "\n")
		}
	}
	return out
}

// acts reports whether a member of a locator does what the frame is asked for.
func acts(method, action string) bool {
	switch action {
	case method:
		return true
	case "clear":
		return method == "fill"
	case "pressSequentially":
		return method == "type"
	case "setChecked":
		return method == "check" || method == "uncheck"
	case "dragTo":
		return method == "dragAndDrop"
	}
	return false
}

func (t testSource) after(edits []edit) (file, test []byte, err error) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b edit) int { // from the end; a wait comes after what is waited for
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(len(b.text), len(a.text)))
	})
	out := string(t.text)
	var named []int
	for _, e := range edits {
		l := t.form.Locators[e.n]
		if l.Name != "" {
			named = append(named, e.n)
		}
		if e.text != "" {
			out = out[:l.From] + l.With(e.text) + out[l.To:]
			continue
		}
		start := strings.LastIndexByte(out[:l.From], '\n') + 1
		indent := out[start : start+len(out[start:])-len(strings.TrimLeft(out[start:], " \t"))]
		if l.Name != "" || !strings.HasPrefix(out[start+len(indent):], "await ") {
			return nil, nil, errors.New("the act is no statement of its own")
		}
		locator := l.Text
		if i := slices.IndexFunc(edits, func(o edit) bool { return o.n == e.n && o.text != "" }); i >= 0 {
			locator = edits[i].text
		}
		out = out[:start] + indent + "await " + locator + ".waitFor();\n" + out[start:]
	}
	healed, err := t.read([]byte(out))
	if err != nil {
		return nil, nil, fmt.Errorf("the healed file can't be read: %w", err)
	}
	if differs := testscript.CompareForms(t.form, testscript.NormalFormOf(healed), named...); len(differs) > 0 {
		return nil, nil, errors.New(strings.Join(differs, "; "))
	}
	return []byte(out), []byte(out), nil
}

// write says a selector from the variable, and the frame, that the old locator began with,
// in its quotes.
func (t testSource) write(n int, selector string) string {
	l := t.form.Locators[n]
	out, err := testfile.Locator(selector)
	out, found := strings.CutPrefix(out, "page.")
	if err != nil || !found || strings.Contains(out, "page.") {
		return ""
	}
	if strings.Contains(l.Text, "'") && !strings.ContainsAny(out, `'\`) {
		out = strings.ReplaceAll(out, `"`, "'")
	}
	return l.Document + "." + out
}

// literals lists the texts in quotes.
func literals(s string) []string {
	var out []string
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '\'' && c != '"' && c != '`' {
			continue
		}
		var b strings.Builder
		j := i + 1
		for ; j < len(s) && s[j] != s[i]; j++ {
			if s[j] == '\\' && j+1 < len(s) {
				j++
			}
			b.WriteByte(s[j])
		}
		out = append(out, b.String())
		i = j
	}
	return out
}
