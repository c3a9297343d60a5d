package report

import (
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// gravestFirst sorts findings by severity; equal ones stay in their order.
func gravestFirst(findings []qa.Finding) []qa.Finding {
	out := slices.Clone(findings)
	sort.SliceStable(out, func(i, j int) bool { return rank(out[i].Severity) < rank(out[j].Severity) })
	return out
}

// rank puts an unknown severity first, where it can't be overlooked.
func rank(s qa.Severity) int { return slices.Index(qa.Severities(), s) }

// target says what a check was about.
func target(c qa.Check) string {
	if c.Selector != "" && c.Subject != "" && c.Selector != c.Subject {
		return c.Selector + " (" + c.Subject + ")"
	}
	if c.Selector != "" {
		return c.Selector
	}
	return c.Subject
}

func expectationText(e qa.Expectation) string {
	if e.Text != "" || e.Assertion == nil {
		return e.Text
	}
	return strings.Join(e.Assertion.Parts(e.Selector), " ")
}
