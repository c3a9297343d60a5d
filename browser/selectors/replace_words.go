package selectors

import (
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// What holds words in a query: texts in quotes, and expressions between slashes
// or in a :text-matches(). In an expression what follows a backslash is no word.
var (
	quotedText = pattern.New(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`")
	expression = pattern.New(`^/((?:[^/\\]|\\.)+)/[a-z]*|=/((?:[^/\\]|\\.)+)/|:text-matches\(("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')(?:\s*,\s*["'][a-z]*["'])?`)
	lettersIn  = pattern.New(`\\.|[\pL\pN]+`)
)

// WithOtherWords returns the selector with other in place of its words: the names of
// its lines, its quoted texts, the words of its expressions, the text after text=
// and label=, and each of bound, in any case, wherever it stands. Frames stay:
// they are where it looks. A selector without words, or one that can't be read,
// stays as it is.
func WithOtherWords(selector string, bound []string, other string) string {
	t, err := Parse(selector)
	if err != nil {
		return selector
	}
	changed := false
	for i, p := range t.Parts {
		var altered Part
		switch {
		case p.Line != nil && p.Line.Named:
			line := *p.Line
			line.Name = other
			if line.Column != "" {
				line.Column = other
			}
			altered = Part{Line: &line}
		case p.Line != nil:
			altered = p
		default:
			altered = Part{Engine: p.Engine, Body: otherBody(p.Engine, p.Body, bound, other)}
		}
		if altered.String() != p.String() {
			t.Parts[i], changed = altered, true
		}
	}
	if !changed {
		return selector
	}
	return t.String()
}

// otherBody returns the body of a query with other in place of its words.
func otherBody(engine, body string, bound []string, other string) string {
	if engine == "nth" || engine == "visible" {
		return body
	}
	var out strings.Builder
	rest := body
	for engine != "xpath" {
		at := expression.FindStringSubmatchIndex(rest)
		if at == nil || at[0] == 0 && at[2] == 1 && len(rest) != len(body) {
			break
		}
		from, to := max(at[2], at[4], at[6]), max(at[3], at[5], at[7])
		out.WriteString(otherTexts(rest[:at[0]], bound, other) + rest[at[0]:from])
		out.WriteString(lettersIn.ReplaceAllStringFunc(rest[from:to], func(word string) string {
			if word[0] == '\\' {
				return word
			}
			return other
		}))
		out.WriteString(rest[to:at[1]])
		rest = rest[at[1]:]
	}
	if out.Len() == 0 && slices.Contains([]string{"text", "label", "testid"}, engine) && !quotedText.MatchString(body) {
		return other
	}
	out.WriteString(otherTexts(rest, bound, other))
	return out.String()
}

// otherTexts returns a piece of a query with other in place of its quoted texts and of
// what is bound.
func otherTexts(piece string, bound []string, other string) string {
	piece = quotedText.ReplaceAllStringFunc(piece, func(quoted string) string {
		if len(quoted) == 2 {
			return quoted
		}
		return quoted[:1] + other + quoted[len(quoted)-1:]
	})
	for _, word := range bound {
		if word = strings.TrimSpace(word); word != "" && !strings.Contains(other, strings.ToLower(word)) {
			piece = regexp.MustCompile(`(?i)`+regexp.QuoteMeta(word)).ReplaceAllLiteralString(piece, other)
		}
	}
	return piece
}

// RoleSelector finds what has the role that the last part of a selector names, in
// the same frame; empty where it is no line of a snapshot, or only a text or a
// frame.
func RoleSelector(selector string) string {
	t, err := Parse(selector)
	if err != nil {
		return ""
	}
	line := t.Parts[len(t.Parts)-1].Line
	if line == nil || line.Column != "" || slices.Contains([]string{"text", "clickable", "frame", "paragraph"}, line.Role) {
		return ""
	}
	t.Parts = []Part{{Engine: "role", Body: line.Role}}
	return t.String()
}
