package browser

import (
	"regexp"

	"github.com/assay-qa/assay/browser/seen"
)

// TextMatch says how a text is looked for.
type TextMatch int

// The ways: as a part of what is seen, as all of it, as whole words of it (see
// [seen.Text.FindWords]), or as a regular expression that matches a part of it.
const (
	AnyPart TextMatch = iota
	WholeText
	WholeWords
	Expression
)

// finder is how places of a text are found.
func finder(wanted string, how TextMatch) (func(seen.Text) [][]seen.Span, error) {
	switch how {
	case WholeWords:
		return func(t seen.Text) [][]seen.Span { return t.FindWords(wanted) }, nil
	case Expression:
		re, err := regexp.Compile(wanted)
		if err != nil {
			return nil, invalid("write an RE2 expression", "%q is no regular expression: %v", cut(wanted, maxNote), err)
		}
		return func(t seen.Text) [][]seen.Span { return t.FindExpression(re) }, nil
	default:
		return func(t seen.Text) [][]seen.Span { return t.Find(wanted, how == WholeText) }, nil
	}
}
