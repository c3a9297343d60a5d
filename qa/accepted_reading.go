package qa

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa/claim"
)

// Proposal holds an assertion that a check made for a sentence that no form
// reads. It proves nothing until a person accepts it as the reading of that
// sentence.
type Proposal struct {
	Check     string    `json:"check"` // id of the check that made it
	Selector  string    `json:"selector,omitempty"`
	Assertion Assertion `json:"assertion"`
	As        string    `json:"as"` // in plain English
}

// CheckReading reports why an assertion on selector is no reading of a sentence:
// it contradicts what is understood of it, or leaves out a quoted text or a number.
func CheckReading(sentence string, a Assertion, selector string) error {
	own := a.claim(selector)
	for _, said := range understoodParts(sentence) {
		if contradicts(said, own) {
			return fmt.Errorf("it contradicts the sentence, which says: %s; the assertion says: %s; fix one of them", said, own)
		}
	}
	fields := []string{selector, a.Expected, a.Attribute, a.URL, a.Value, a.Other}
	for _, quote := range claim.Quotes(sentence) {
		if want := foldText(quote); want != "" && !slices.ContainsFunc(fields, func(f string) bool { return strings.Contains(foldText(f), want) }) {
			return fmt.Errorf("it does not look for %q, which the sentence names", quote)
		}
	}
	for _, n := range claim.Numbers(sentence) {
		if !slices.ContainsFunc(fields, func(f string) bool { return hasNumber(f, n) }) && !a.countsBeside(n) {
			return fmt.Errorf("it does not look for the number %s, which the sentence names", n.Text)
		}
	}
	return nil
}

// foldText normalizes a text as a reader compares it: without regard to case, runs of
// white space, and the backslashes by which selectors escape quotation marks.
func foldText(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(s, `\`, "")), " "))
}

func hasNumber(field string, n claim.Number) bool {
	return text.WordsWithin(field, n.Text) || text.WordsWithin(field, n.Value) ||
		slices.ContainsFunc(claim.Numbers(field), func(own claim.Number) bool { return own.Value == n.Value })
}

var betweenSentences = pattern.New(`[.!?;]\s+|\n+`)

// understoodParts returns the claims of a sentence, or, where it can't be read as a
// whole, those of the sentences within it that can.
func understoodParts(text string) []claim.Claim {
	claims, unread := claim.Parse(text)
	if unread == nil {
		return claims
	}
	pieces := betweenSentences.Split(text, maxParts+1)
	if len(pieces) < 2 || len(pieces) > maxParts {
		return nil
	}
	for _, piece := range pieces {
		if of, unread := claim.Parse(strings.TrimSpace(piece)); unread == nil {
			claims = append(claims, of...)
		}
	}
	return claims
}

const maxParts = 20

// contradicts reports whether two claims, or what they imply of the whole page,
// can't both hold.
func contradicts(a, b claim.Claim) bool {
	if a.DataRows || b.DataRows { // an assertion counts the rows of headers, too
		return false
	}
	for _, x := range append(pageTextClaims(a), a) {
		for _, y := range append(pageTextClaims(b), b) {
			if claim.Contradicts(x, y) {
				return true
			}
		}
	}
	return false
}

// pageTextClaims returns what a claim about an element or a text says of the page's text.
func pageTextClaims(c claim.Claim) []claim.Claim {
	page := claim.Claim{Type: string(TextContains), Expected: c.Expected, WholeWords: c.WholeWords}
	switch AssertionType(c.Type) {
	case TextContains, TextEquals:
		if c.Not || c.Selector == "" {
			return nil
		}
		return []claim.Claim{page}
	case Visible, Hidden:
		text, ok := strings.CutPrefix(c.Selector, "text=")
		if !ok {
			return nil
		}
		page.Expected, page.WholeWords = strings.Trim(text, `"`), true
		page.Not = c.Not != (c.Type == string(Hidden))
		return []claim.Claim{page}
	}
	return nil
}

// validate reports what is wrong with the expectation at a place of a task.
func (e Expectation) validate(at string) []error {
	if strings.TrimSpace(e.Text) == "" && e.Assertion == nil {
		return []error{fmt.Errorf("%s says nothing: give text or an assertion", at)}
	}
	var errs []error
	if err := QuotationFault(e.Text); err != nil {
		errs = append(errs, fmt.Errorf("%s.text: %w", at, err))
	}
	if e.Assertion == nil {
		return errs
	}
	if err := e.Assertion.Validate(e.Selector); err != nil {
		return append(errs, fmt.Errorf("%s.assertion: %w", at, err))
	}
	if err := CheckReading(e.Text, *e.Assertion, e.Selector); err != nil && len(errs) == 0 {
		errs = append(errs, fmt.Errorf("%s.assertion: %w", at, err))
	}
	return errs
}

// QuotationFault returns what is wrong with the quotation marks of a sentence, or nil.
func QuotationFault(sentence string) error {
	if _, unread := claim.Parse(sentence); unread != nil && unread.Quotation {
		return errors.New(unread.Why + `: put what is quoted between a pair of marks, such as "Paid"`)
	}
	return nil
}
