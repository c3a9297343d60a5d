package qa

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/qa/claim"
)

// claim returns what the assertion on selector says, as a sentence would.
func (a Assertion) claim(selector string) claim.Claim {
	c := claim.Claim{Selector: selector, Type: string(a.Type), Not: a.Not, Expected: a.Expected, Attribute: a.Attribute, URL: a.URL, Op: a.Op, WholeWords: a.WholeWords}
	if k, ok := typeRowOf(a.Type); ok && k.expected == aState {
		c.Expected, c.Not = "", !a.wantedState()
	}
	switch a.Type {
	case NumberCompared:
		c.Expected = a.Value
		if a.Op == "==" {
			c.Op = "="
		}
	case ComesBefore:
		c.Expected = a.Other
	case SortedBy:
		c.Expected = "ascending"
		if a.Order == "desc" {
			c.Expected = "descending"
		}
	}
	return c
}

// countsBeside reports whether the assertion counts to the number beside n: more than 3
// is at least 4.
func (a Assertion) countsBeside(n claim.Number) bool {
	v, err := strconv.Atoi(n.Value)
	return err == nil && (a.Type == CountAtLeast && a.Expected == strconv.Itoa(v+1) || a.Type == CountAtMost && a.Expected == strconv.Itoa(v-1))
}

// describe returns what the assertion on selector says, in plain English and as it is written.
func (a Assertion) describe(selector string) string {
	parts := a.Parts(selector)
	for i, text := range parts[1:] {
		parts[i+1] = strconv.Quote(text)
	}
	return fmt.Sprintf("%s (%s)", a.claim(selector), strings.Join(parts, " "))
}
