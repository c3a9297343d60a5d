package qa

import (
	"slices"
	"strings"

	texts "github.com/assay-qa/assay/internal/text"
)

// implies reports whether a demand holds wherever the assertion does, as far as that is
// known without a page: it is the same one, or says more of the same subject.
func (a Assertion) implies(selector string, d Demand) bool {
	if d.Figure != "" {
		return false
	}
	made := a.Check(selector).normalized()
	return slices.ContainsFunc(d.Selectors(), func(own string) bool {
		want := d.Assertion.Check(own).normalized()
		same := made.Subject == want.Subject
		return same && made.says(want) || same && a.countsWithin(selector, d.Assertion) ||
			(same || made.isWithin(own)) && made.impliesPresence(want)
	})
}

// says reports whether two checks compare the same with the same.
func (c Check) says(o Check) bool {
	return c.Kind == o.Kind && c.Not == o.Not && c.Words == o.Words && c.Expected == o.Expected
}

// isWithin reports whether the check is about the element that a selector names in a part of
// the page, or, where it names none, about any element.
func (c Check) isWithin(selector string) bool {
	return selector == "" && c.Selector != "" || selector != "" && strings.HasSuffix(c.Selector, " >> "+selector)
}

// countsWithin reports whether all numbers of elements that the assertion allows are allowed
// by another one of the same selector.
func (a Assertion) countsWithin(selector string, other Assertion) bool {
	low, high, ok := a.claim(selector).CountRange()
	lowest, highest, counts := other.claim(selector).CountRange()
	return ok && counts && low >= lowest && high <= highest
}

// impliesPresence reports whether a check that found something has found what another one
// looks for: the thing itself, or its words.
func (c Check) impliesPresence(want Check) bool {
	if c.Not || want.Not {
		return false
	}
	kind := AssertionType(c.Kind)
	text := kind == TextContains || kind == TextEquals
	switch AssertionType(want.Kind) {
	case Exists, Visible:
		return text && c.Expected != "" || kind == Visible || c.says(want)
	case TextContains:
		if !text || want.Words && !c.Words && kind != TextEquals {
			return false
		}
		return texts.WordsWithin(c.Expected, want.Expected) || !want.Words && strings.Contains(c.Expected, want.Expected)
	}
	return c.says(want) && ofOneElement(kind)
}

// ofOneElement reports whether a type is about a property or a state of an element that is
// there: of one in a part of the page it is so on the page.
func ofOneElement(t AssertionType) bool {
	return slices.ContainsFunc(slices.Concat(propertyKinds(), stateKinds()), func(k typeRow) bool { return k.name == t && k.absent == nil })
}
