package heal

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/normalform"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/similar"
)

// source is a file whose locators may be healed: a test, or a flow.
type source interface {
	// find returns which of its locators a call of the file with edits has, and how it
	// reads without them.
	find(c prove.Call, edits []edit) (n int, old string, err error)
	// after returns the file as it is with edits, and how tests of it run then. It fails
	// where anything else would change.
	after(edits []edit) (file, test []byte, err error)
	// write says a way to an element as this file has it; empty: it can't.
	write(n int, w similar.Way) string
}

// edit is one change of a file.
type edit struct {
	n    int    // of the locator
	text string // the new locator; empty: it stays, and is waited for
	was  string // selector before
}

// testSource is a Playwright test in JavaScript.
type testSource struct {
	text []byte
	form normalform.Form
}

func readTest(path string) (testSource, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return testSource{}, err
	}
	form, err := normalform.Of(text)
	return testSource{text, form}, err
}

var errElsewhere = errors.New("its locator is not written where the act is, or holds more than locators: only a person can tell what else uses it")

func (t testSource) find(c prove.Call, edits []edit) (int, string, error) {
	if c.At == nil {
		return 0, "", errElsewhere
	}
	line := 1
	for line <= strings.Count(string(t.text), "\n") && t.line(line, edits) < c.At.Line {
		line++
	}
	best, distance := -1, 0
	for i, l := range t.form.Locators {
		rest := string(t.text[l.To:])
		dot := l.To + len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
		if at := 1 + strings.Count(string(t.text[:dot]), "\n"); !acts(c.Method, l.Action) || at != line && l.Line != line {
			continue
		}
		off := dot + len(".") + 1 - (strings.LastIndexByte(string(t.text[:dot]), '\n') + 1) - c.At.Column
		if off = max(off, -off); best < 0 || off < distance {
			best, distance = i, off
		}
	}
	if best < 0 {
		return 0, "", errElsewhere
	}
	return best, t.form.Locators[best].Text, nil
}

// line returns where a line of the file is after edits.
func (t testSource) line(line int, edits []edit) int {
	out := line
	for _, e := range edits {
		l := t.form.Locators[e.n]
		switch last := l.Line + strings.Count(l.Text, "\n"); {
		case e.text == "" && l.Line <= line:
			out++
		case e.text != "" && last <= line:
			out -= last - l.Line - strings.Count(e.text, "\n")
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
	for _, e := range edits {
		l := t.form.Locators[e.n]
		if e.text != "" {
			out = out[:l.From] + e.text + out[l.To:]
			continue
		}
		start := strings.LastIndexByte(out[:l.From], '\n') + 1
		indent := out[start : start+len(out[start:])-len(strings.TrimLeft(out[start:], " \t"))]
		if !strings.HasPrefix(out[start+len(indent):], "await ") {
			return nil, nil, errors.New("the act is no statement of its own")
		}
		locator := out[l.From : l.From+len(l.Text)]
		if i := slices.IndexFunc(edits, func(o edit) bool { return o.n == e.n && o.text != "" }); i >= 0 {
			locator = edits[i].text
		}
		out = out[:start] + indent + "await " + locator + ".waitFor();\n" + out[start:]
	}
	form, err := normalform.Of([]byte(out))
	if err != nil {
		return nil, nil, fmt.Errorf("the healed file does not parse: %w", err)
	}
	if differs := normalform.Compare(t.form, form); len(differs) > 0 {
		return nil, nil, errors.New(strings.Join(differs, "; "))
	}
	return []byte(out), []byte(out), nil
}

// write says a way from the variable, and the frame, that the old locator began with.
func (t testSource) write(n int, w similar.Way) string {
	old := t.form.Locators[n].Text
	return prefix(old) + "." + w.Source
}

// prefix returns a locator up to the document that its element is in.
func prefix(locator string) string {
	end := strings.IndexFunc(locator, func(r rune) bool { return r == '.' || r == '\n' || r == ' ' })
	if end < 0 {
		return locator
	}
	if at := strings.LastIndex(locator, ".contentFrame()"); at >= 0 {
		end = at + len(".contentFrame()")
	}
	if at := strings.LastIndex(locator, ".frameLocator("); at >= end {
		if bracket := closing(locator[at+len(".frameLocator("):]); bracket >= 0 {
			end = at + len(".frameLocator(") + bracket + 1
			if rest := locator[end:]; strings.HasPrefix(rest, ".first()") || strings.HasPrefix(rest, ".last()") || strings.HasPrefix(rest, ".nth(") {
				end += strings.IndexByte(rest, ')') + 1
			}
		}
	}
	return strings.TrimSpace(locator[:end])
}

// closing returns where the bracket closes that is open at the beginning, outside of
// texts.
func closing(s string) int {
	depth, quote := 1, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// quoted lists the texts that expectations of a file name.
func quoted(text string) []string {
	var out []string
	for rest := text; ; {
		at := strings.Index(rest, "expect")
		if at < 0 {
			return out
		}
		rest = rest[at+len("expect"):]
		end := strings.IndexByte(rest, ';')
		if end < 0 {
			end = len(rest)
		}
		out = append(out, literals(rest[:end])...)
	}
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
