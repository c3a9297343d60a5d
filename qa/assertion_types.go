package qa

import (
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// AssertionType names a property that can be asserted on a page or element.
type AssertionType string

// The assertion types.
const (
	Exists             AssertionType = "exists"               // at least one element is attached
	Visible            AssertionType = "visible"              // a person sees at least one element
	Hidden             AssertionType = "hidden"               // no element is seen
	InViewport         AssertionType = "in_viewport"          // the element is seen in the window as it is scrolled now
	TextContains       AssertionType = "text_contains"        // what is seen of the element (or of the page) contains Expected
	TextEquals         AssertionType = "text_equals"          // what is seen of the element is Expected
	TextMatches        AssertionType = "text_matches"         // what is seen of the element (or of the page) matches the RE2 expression Expected
	Shown              AssertionType = "shown"                // Expected was seen on the page since the last act, though it may be gone
	ValueEquals        AssertionType = "value_equals"         // the control's value is Expected
	ValueContains      AssertionType = "value_contains"       // the control's value contains Expected
	ValuesEqual        AssertionType = "values_equal"         // the values of the chosen options are the lines of Expected
	SelectedLabel      AssertionType = "selected_label"       // the labels of the chosen options are the lines of Expected
	CountEquals        AssertionType = "count_equals"         // as many elements are seen as Expected says
	CountAtLeast       AssertionType = "count_at_least"       // no fewer elements are seen than Expected says
	CountAtMost        AssertionType = "count_at_most"        // no more elements are seen than Expected says
	AttributeEquals    AssertionType = "attribute_equals"     // the attribute named Attribute is Expected
	ClassContains      AssertionType = "class_contains"       // the element has each class of Expected
	CSSEquals          AssertionType = "css_equals"           // the computed style named Attribute is Expected
	RoleEquals         AssertionType = "role_equals"          // the role is Expected
	NameEquals         AssertionType = "name_equals"          // the accessible name is Expected
	DescriptionEquals  AssertionType = "description_equals"   // the accessible description is Expected
	ErrorMessageEquals AssertionType = "error_message_equals" // the accessible error message is Expected
	Checked            AssertionType = "checked"              // the box, radio or switch is on, the toggle button pressed
	Indeterminate      AssertionType = "indeterminate"        // the box is neither on nor off
	Enabled            AssertionType = "enabled"              // the control can be used
	Editable           AssertionType = "editable"             // the control can be used and takes text
	Focused            AssertionType = "focused"              // the element has the focus
	Empty              AssertionType = "empty"                // no text, picture or control is seen in the element; a field has no value
	Expanded           AssertionType = "expanded"             // what the control opens is open
	Pressed            AssertionType = "pressed"              // the toggle button is pressed
	NumberCompared     AssertionType = "number_compared"      // the number seen in the element stands to Value as Op says
	SortedBy           AssertionType = "sorted_by"            // the seen elements are in the order Order, read as As
	ComesBefore        AssertionType = "comes_before"         // the element is seen before that of Other, in reading order
	AriaSnapshot       AssertionType = "aria_snapshot"        // the snapshot of the element (or of the page) has the lines of Expected, in order
	URLMatches         AssertionType = "url_matches"          // the address fits Expected, see address.Pattern
	TitleEquals        AssertionType = "title_equals"         // the title is Expected
	TitleContains      AssertionType = "title_contains"       // the title contains Expected
	ConsoleClean       AssertionType = "console_clean"        // no console error since the flow or run began
	RequestMade        AssertionType = "request_made"         // since the last act a request that fits Expected was answered, see address.Request
	ResponseStatus     AssertionType = "response_status"      // the newest answer to URL since the last act has status Expected
	ResponseOK         AssertionType = "response_ok"          // the newest answer to URL since the last act has a status from 200 to 299
	Downloaded         AssertionType = "downloaded"           // since the last act a file was saved, named Expected
	DialogShown        AssertionType = "dialog_shown"         // since the last act a dialog was shown whose text contains Expected, of the kind Attribute if that is given
	PopupOpened        AssertionType = "popup_opened"         // since the last act a page was opened whose address fits Expected
)

// subjectKind names the kind of thing that an assertion is about.
type subjectKind int

const (
	anElement subjectKind = iota // it needs a selector
	thePage                      // it takes none
	either                       // the element, or the page where no selector is given
)

// expectedForm says how an assertion type reads Expected.
type expectedForm int

const (
	noExpected   expectedForm = iota // it compares nothing
	aState                           // true, false, or nothing for true; not is false
	maybe                            // it may be empty: an empty text is a fair expectation
	anyIfEmpty                       // it may be left out: any will do then
	needed                           // without it the check would prove nothing
	aWholeNumber                     // needed, and a number from 0
)

// typeRow holds all that this room defines of an assertion type. To add a
// type, add a row here, and one in each room that looks at it or writes it
// down.
type typeRow struct {
	name     AssertionType
	about    subjectKind
	expected expectedForm
	fields   []string              // fields beside expected that it takes; "!" marks those that it needs
	absent   func(Assertion) bool  // it holds because something is not there, where not is not said; nil: it does not
	wrong    func(Assertion) error // what else can be wrong; may be nil
	compare  func(Assertion, Observation) comparison
}

// typeRows lists the types in the order in which they are listed.
func typeRows() []typeRow {
	return slices.Concat(elementKinds(), propertyKinds(), stateKinds(), orderKinds(), pageKinds())
}

func elementKinds() []typeRow {
	words := []string{"whole_words"}
	return []typeRow{
		{name: Exists, compare: func(_ Assertion, o Observation) comparison {
			return comparison{holds: o.Count > 0, sure: o.Count > 0, expected: "exists", observed: pagetext.Text(elements(o.Count))}
		}},
		{name: Visible, compare: func(_ Assertion, o Observation) comparison {
			return comparison{holds: o.Seen > 0, sure: o.Seen > 0, expected: "visible", observed: pagetext.Text(o.countSeen())}
		}},
		{name: Hidden, absent: always, compare: func(_ Assertion, o Observation) comparison {
			return comparison{holds: o.Seen == 0, expected: "hidden", observed: pagetext.Text(o.countSeen())}
		}},
		{name: InViewport, expected: aState, compare: Assertion.compareState},
		{name: TextContains, about: either, expected: needed, fields: words, compare: Assertion.compareText},
		{name: TextEquals, expected: maybe, compare: Assertion.compareText},
		{name: TextMatches, about: either, expected: needed, wrong: Assertion.checkRegexp, compare: Assertion.compareText},
		{name: Shown, about: thePage, expected: needed, compare: Assertion.compareText},
		{name: CountEquals, expected: aWholeNumber, absent: func(a Assertion) bool { return a.number() == 0 }, compare: Assertion.compareCount},
		{name: CountAtLeast, expected: aWholeNumber, wrong: Assertion.checkZeroCount, compare: Assertion.compareCount},
		{name: CountAtMost, expected: aWholeNumber, absent: always, compare: Assertion.compareCount},
	}
}

func propertyKinds() []typeRow {
	named := []string{"attribute!"}
	return []typeRow{
		{name: ValueEquals, expected: maybe, compare: Assertion.compareProperty},
		{name: ValueContains, expected: needed, fields: []string{"whole_words"}, compare: Assertion.compareProperty},
		{name: ValuesEqual, expected: maybe, compare: Assertion.selectedOptions},
		{name: SelectedLabel, expected: maybe, compare: Assertion.selectedOptions},
		{name: AttributeEquals, expected: maybe, fields: named, compare: Assertion.compareProperty},
		{name: ClassContains, expected: needed, compare: Assertion.compareClasses},
		{name: CSSEquals, expected: needed, fields: named, compare: Assertion.compareProperty},
		{name: RoleEquals, expected: needed, compare: Assertion.compareProperty},
		{name: NameEquals, expected: maybe, compare: Assertion.accessibleText},
		{name: DescriptionEquals, expected: maybe, compare: Assertion.accessibleText},
		{name: ErrorMessageEquals, expected: maybe, compare: Assertion.accessibleText},
	}
}

func stateKinds() []typeRow {
	return []typeRow{
		{name: Checked, expected: aState, compare: Assertion.compareState},
		{name: Indeterminate, expected: aState, compare: Assertion.compareState},
		{name: Enabled, expected: aState, compare: Assertion.compareState},
		{name: Editable, expected: aState, compare: Assertion.compareState},
		{name: Focused, expected: aState, compare: Assertion.compareState},
		{name: Empty, expected: aState, absent: always, compare: Assertion.compareState},
		{name: Expanded, expected: aState, compare: Assertion.compareState},
		{name: Pressed, expected: aState, compare: Assertion.compareState},
	}
}

func orderKinds() []typeRow {
	return []typeRow{
		{name: NumberCompared, fields: []string{"op!", "value!"}, wrong: Assertion.checkComparison, compare: Assertion.compareNumber},
		{name: SortedBy, fields: []string{"order!", "as!"}, wrong: Assertion.checkOrder, compare: Assertion.compareSorted},
		{name: ComesBefore, fields: []string{"other!"}, compare: Assertion.readingOrder},
		{name: AriaSnapshot, about: either, expected: needed, wrong: Assertion.checkSnapshot, compare: Assertion.snapshotLines},
	}
}

func pageKinds() []typeRow {
	to := []string{"url"}
	return []typeRow{
		{name: URLMatches, about: thePage, expected: needed, wrong: Assertion.checkAddress, compare: func(a Assertion, o Observation) comparison {
			expected := a.Expected
			if o.Elsewhere {
				expected += " on the site that was opened"
			}
			return comparison{holds: o.URLFits, expected: expected, observed: pagetext.Text(o.URL)}
		}},
		{name: TitleEquals, about: thePage, expected: needed, compare: func(a Assertion, o Observation) comparison {
			return comparison{holds: o.Title.Map(normalizeSpace).Equal(normalizeSpace(a.Expected)), expected: a.Expected, observed: o.Title}
		}},
		{name: TitleContains, about: thePage, expected: needed, fields: []string{"whole_words"}, compare: func(a Assertion, o Observation) comparison {
			return comparison{holds: part{a.Expected, a.WholeWords}.isIn(string(o.Title)), expected: a.Expected, observed: o.Title}
		}},
		{name: ConsoleClean, about: thePage, absent: always, compare: func(_ Assertion, o Observation) comparison {
			return comparison{holds: len(o.Errors) == 0, expected: "no console error",
				observed: pagetext.Text(text.Count(len(o.Errors), "console error")) + firstOf(o.Errors), facts: FactsOfList(o.Errors)}
		}},
		{name: RequestMade, about: thePage, expected: needed, wrong: Assertion.checkRequest, compare: func(a Assertion, o Observation) comparison {
			return comparison{holds: o.Came > 0, expected: "a request " + a.Expected, observed: pagetext.Text(text.Count(o.Came, "matching request") + alsoText(o.Others))}
		}},
		{name: ResponseStatus, about: thePage, expected: aWholeNumber, fields: to, wrong: Assertion.checkResponse, compare: Assertion.responseStatus},
		{name: ResponseOK, about: thePage, fields: to, wrong: Assertion.checkResponse, compare: Assertion.responseStatus},
		{name: Downloaded, about: thePage, expected: anyIfEmpty, compare: event("download")},
		{name: DialogShown, about: thePage, expected: anyIfEmpty, fields: []string{"attribute"}, wrong: Assertion.checkDialog, compare: event("dialog")},
		{name: PopupOpened, about: thePage, expected: anyIfEmpty, wrong: Assertion.checkAddress, compare: event("popup")},
	}
}

func always(Assertion) bool { return true }

// typeRowOf returns the row of a type.
func typeRowOf(t AssertionType) (typeRow, bool) {
	all := typeRows()
	i := slices.IndexFunc(all, func(k typeRow) bool { return k.name == t })
	if i < 0 {
		return typeRow{}, false
	}
	return all[i], true
}

// takesWholeWords reports whether the type looks for words within a text.
func (t AssertionType) takesWholeWords() bool {
	k, ok := typeRowOf(t)
	return ok && slices.Contains(k.fields, "whole_words")
}

// AssertionTypes lists every assertion type.
func AssertionTypes() []AssertionType {
	var out []AssertionType
	for _, k := range typeRows() {
		out = append(out, k.name)
	}
	return out
}

// NeedsSelector reports whether the assertion can only be about an element.
func (t AssertionType) NeedsSelector() bool {
	k, ok := typeRowOf(t)
	return !ok || k.about == anElement
}

// NeedsExpected reports whether the assertion compares with a text that its author gives.
func (t AssertionType) NeedsExpected() bool {
	k, ok := typeRowOf(t)
	return ok && k.expected == needed
}

// TakesSelector reports whether the assertion can be about an element.
func (t AssertionType) TakesSelector() bool {
	k, ok := typeRowOf(t)
	return !ok || k.about != thePage
}
