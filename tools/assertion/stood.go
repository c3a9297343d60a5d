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
	case qa.Exists:
		return o.There > 0 && foundAlike(selector) || shownBefore(selector, o, on)
	case qa.Visible:
		return shownBefore(selector, o, on)
	case qa.CountAtLeast:
		return foundByIdentity(selector) && a.Compare(qa.Observation{Count: o.Stood, Seen: o.Stood}).Passed ||
			foundAlike(selector) && a.Compare(qa.Observation{Count: o.Same, Seen: o.Same}).Passed
	case qa.CountEquals:
		return foundByIdentity(selector) && o.Stood > 0 && o.Stood == o.Seen && o.Stood == o.Count && !o.Left
	case qa.TitleEquals:
		return a.Compare(qa.Observation{Title: on.Title}).Passed
	case qa.Checked, qa.Indeterminate, qa.Expanded, qa.Pressed, qa.Enabled, qa.Editable, qa.ClassContains:
		return o.Stood > 0 && foundAlike(selector)
	case qa.ValueEquals, qa.ValueContains, qa.ValuesEqual, qa.SelectedLabel, qa.Empty, qa.NumberCompared:
		return o.Stood > 0
	}
	return false
}

// shownBefore reports whether an element that a selector finds is known to have been seen: it
// stood there, or a line or text of the page's own document named it.
func shownBefore(selector string, o qa.Observation, on browser.Stood) bool {
	if o.Stood > 0 && foundByIdentity(selector) || o.Same > 0 && foundAlike(selector) {
		return true
	}
	frames, _, err := selectors.Steps(selector)
	named := namedIn(selector)
	return err == nil && len(frames) == 0 && named != "" && (on.Shows(named) || isText(selector) && on.Says(named, browser.AnyPart))
}

// foundAlike reports whether the page can tell if an element that a selector finds was found by
// it before: the last part asks by CSS, a test id, or words of the element's own, and what is
// entered first is found by identity. See outline/altered_since.js.
func foundAlike(selector string) bool {
	_, chain, err := selectors.Steps(selector)
	if err != nil || len(chain) == 0 || slices.ContainsFunc(chain[:len(chain)-1], changeable) {
		return false
	}
	switch last := chain[len(chain)-1]; last.Engine {
	case "css", "testid", "text":
		return true
	case "":
		return last.Named && last.Nth == 0 && last.Column == ""
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
	return err == nil && len(chain) > 0 && !slices.ContainsFunc(chain, changeable)
}

// changeable reports whether an act may change what a part of a selector finds.
func changeable(s selectors.Step) bool {
	switch s.Engine {
	case "testid", "nth":
		return false
	case "css":
		return strings.ContainsAny(s.Body, ".:[")
	case "role", "":
		return s.Named || s.Role == "" || s.Column != ""
	}
	return true
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
