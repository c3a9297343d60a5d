package claim

import (
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// covers reports whether every quoted text, number and address of a sentence
// occurs in the claims: a reading that lost one is none. The word for a kind may
// be quoted, too.
func (m *matcher) covers(claims []Claim) bool {
	var all strings.Builder
	for _, c := range claims {
		for _, s := range []string{c.Selector, c.Expected, c.Attribute, c.URL} {
			all.WriteString(s + "\n")
		}
	}
	text := all.String()
	for i, t := range m.tokens {
		switch t.kind {
		case quote, location:
			if !mentions(text, t.orig) && !m.quotedKind(i) {
				return false
			}
		case number:
			if !mentionsNumber(text, t, claims) {
				return false
			}
		}
	}
	return true
}

// quotedKind reports whether a token is the quoted word for the kind of what is
// quoted before it.
func (m *matcher) quotedKind(i int) bool {
	return len(m.class("quotedrole", i))+len(m.class("quotednoun", i)) > 0
}

// mentions reports whether claims have a text, as it is or as selectors and
// expressions write it.
func mentions(all, text string) bool {
	squeezed := squeeze(text)
	return strings.Contains(all, text) || strings.Contains(all, squeezed) || strings.Contains(all, escapeName.Replace(squeezed)) ||
		strings.Contains(strings.ReplaceAll(all, `\`, ""), strings.ReplaceAll(text, `\`, ""))
}

// mentionsNumber reports whether claims have a number. More than 3 is at least 4.
func mentionsNumber(all string, t token, claims []Claim) bool {
	if text.WordsWithin(all, t.low) || strings.Contains(all, t.orig) {
		return true
	}
	n, err := strconv.Atoi(t.low)
	if err != nil {
		return false
	}
	for _, c := range claims {
		if c.Type == "count_at_least" && c.Expected == strconv.Itoa(n+1) || c.Type == "count_at_most" && c.Expected == strconv.Itoa(n-1) {
			return true
		}
	}
	return false
}
