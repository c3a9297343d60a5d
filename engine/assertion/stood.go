package assertion

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/qa"
)

// StoodBefore reports whether an assertion that holds is known to have held before the newest
// act on a session's page: on is what was seen there, o what is seen now. What is not known is
// held against nobody.
func StoodBefore(s *browser.Session, a qa.Assertion, selector string, o qa.Observation, on browser.Stood) bool {
	if a.Type == qa.URLMatches && !a.Not && on.URL != "" {
		fits, _ := s.AddressFits(a.Expected, on.URL)
		return fits
	}
	return stoodBefore(a, selector, o, on)
}

func stoodBefore(a qa.Assertion, selector string, o qa.Observation, on browser.Stood) bool {
	if !on.Known || a.Not {
		return false
	}
	switch a.Type {
	case qa.TextContains, qa.TextEquals, qa.TextMatches:
		return o.Stood > 0 || selector == "" && on.Says(a.Expected, wayOf(a))
	case qa.Visible, qa.Exists:
		named := namedIn(selector)
		return o.Stood > 0 && foundByIdentity(selector) || named != "" && (on.Shows(named) || isText(selector) && on.Says(named, browser.AnyPart))
	case qa.CountAtLeast:
		return foundByIdentity(selector) && a.Compare(qa.Observation{Count: o.Stood, Seen: o.Stood}).Passed
	case qa.CountEquals:
		return foundByIdentity(selector) && o.Stood > 0 && o.Stood == o.Seen && o.Stood == o.Count && !o.Left
	case qa.TitleEquals:
		return a.Compare(qa.Observation{Title: on.Title}).Passed
	case qa.ValueEquals, qa.ValuesEqual, qa.SelectedLabel, qa.Empty, qa.NumberCompared:
		return o.Stood > 0
	}
	return false
}

// DeniesWhatStood reports whether what an absence denies is known to have been seen: an
// element by its name, or a text.
func DeniesWhatStood(a qa.Assertion, selector string, on browser.Stood) bool {
	if named := namedIn(selector); named != "" {
		return on.Shows(named) || on.Says(named, browser.AnyPart)
	}
	return a.Not && a.Type == qa.TextContains && on.Says(a.Expected, wayOf(a))
}

// wayOf returns how the text of an assertion is compared.
func wayOf(a qa.Assertion) browser.TextMatch {
	switch {
	case a.WholeWords:
		return browser.WholeWords
	case a.Type == qa.TextEquals:
		return browser.WholeText
	case a.Type == qa.TextMatches:
		return browser.Expression
	}
	return browser.AnyPart
}

// foundByIdentity reports whether a selector finds elements by what they are, not by what an
// act may change of them: by tag, id, test id or role, without a name, a class, an attribute
// or a state. An element that stood there may not have been found by another.
func foundByIdentity(selector string) bool {
	_, chain, err := selectors.Steps(selector)
	return err == nil && len(chain) > 0 && !slices.ContainsFunc(chain, func(s selectors.Step) bool {
		switch s.Engine {
		case "testid", "nth":
			return false
		case "css":
			return strings.ContainsAny(s.Body, ".:[")
		case "role", "":
			return s.Named || s.Role == "" || s.Column != ""
		}
		return true
	})
}

// isText reports whether a selector names an element by a text of it alone.
func isText(selector string) bool {
	_, chain, err := selectors.Steps(selector)
	return err == nil && len(chain) == 1 && chain[0].Engine == "text"
}

// ByDocument reports whether an assertion is about what only a change of the document can
// change. Styles, what the window shows and the focus change without one, and so does what is
// seen.
func ByDocument(a qa.Assertion) bool {
	switch a.Type {
	case qa.AttributeEquals, qa.ClassContains, qa.RoleEquals, qa.NameEquals, qa.DescriptionEquals, qa.ErrorMessageEquals, qa.Checked, qa.Indeterminate,
		qa.Enabled, qa.Editable, qa.Expanded, qa.Pressed, qa.SortedBy, qa.ComesBefore:
		return true
	}
	return false
}
