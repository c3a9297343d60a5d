package qa

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
)

// Observation holds what one look at a page found, as far as an assertion needs
// it. The pointers are nil when there was no such element or property.
type Observation struct {
	Count     int
	Seen      int      // elements that a person sees
	Paintless int      // elements that paint nothing by their nature, such as a script
	Unseen    []string // why the others are not seen
	Partly    string   // the scroller around the elements that holds rows which are not rendered
	Reaches   bool     // more elements may come in a scroller around them when it is scrolled to its ends
	Text      *string  // what is seen of the element or the page
	TextFits  bool     // the text that the assertion expects is seen
	Place     string   // all of the texts that hold it
	Why       string   // why that text is not seen although it is there, or why a state is as it is
	Doubt     string   // why it is undecided what is seen; the comparison proves nothing then
	Typed     bool     // the text stands nowhere but in a field, as the caller typed it there
	Frame     string   // the frame of another site in which the page's text is seen
	Ending    bool     // an animation that comes to an end is at work on what was looked at
	Stood     int      // of the elements, or of the one text, what was seen before the newest act, as far as is known
	Same      int      // of the elements seen then, what the same selector found then
	There     int      // what it found then, seen or not
	Left      bool     // elements may have gone since that act
	Value     *string  // of the control, or the requested property
	Values    []string // of the chosen options, or the classes
	On        *bool
	Disabled  bool         // of a control that can't be used: it is disabled, inert or read-only
	Items     []string     // what is seen of each element, in order
	Keys      []string     // the items as texts are ordered
	Moved     bool         // the document has the items in another order than the screen
	Numbers   [][]*big.Rat // each way to read the text, or the items, as numbers; nil: not to be read so
	Lines     []string     // of the snapshot
	URL       string
	Title     pagetext.Text
	Errors    []pagetext.Text // console errors
	Came      int             // requests, downloads, dialogs or popups that fit the assertion
	Others    string          // what else is known of them, in words
	Status    int             // status of the response the assertion is about, 0 when there was none
	URLFits   bool            // the address matches the assertion's pattern
	Elsewhere bool            // the pattern is a path, and the page is of another site than the one that was opened
}

// Outcome holds the comparison of an assertion with an observation, in words.
type Outcome struct {
	Passed   bool
	Expected string
	Observed pagetext.Text
	Doubt    string   // why it is undecided whether it holds; it did not pass then
	Void     []string // why it proves no expectation though it passed
	Facts    Facts    // what is known of it beside the words

	NeverSeen bool // it is an absence, and nothing of the kind was seen in the run
}

// cause returns how the comparison ended; nil where nothing is known beside its words.
func (o Outcome) cause() *Cause {
	if o.Facts.none() {
		return nil
	}
	c := CauseOf(o.Passed, o.Facts)
	return &c
}

// comparison holds the outcome of an assertion on an observation, before its
// not is applied.
type comparison struct {
	holds    bool
	sure     bool   // it holds, whatever else is in doubt
	blind    bool   // there was nothing that it could hold of: neither it nor its opposite holds
	doubt    string // why it is undecided, beside the observation's own doubt
	expected string
	observed pagetext.Text
	facts    Facts
}

// withoutSubject returns the sighting where there is nothing that the assertion could hold
// of.
func (s comparison) withoutSubject(observed pagetext.Text) comparison {
	s.holds, s.blind, s.observed = false, true, observed
	return s
}

// missing returns the sighting where no element matches.
func (s comparison) missing() comparison {
	s.facts.Missing = true
	return s.withoutSubject(noElement)
}

// missingFor returns the sighting where the assertion could hold of nothing, for a reason
// that is known, or else because no element matches.
func (s comparison) missingFor(why string) comparison {
	if why == "" {
		return s.missing()
	}
	return s.withoutSubject(pagetext.Text(why))
}

// Compare decides whether the assertion holds for what was observed. What is in
// doubt passes neither way.
func (a Assertion) Compare(o Observation) Outcome {
	k, ok := typeRowOf(a.Type)
	if !ok {
		return Outcome{Expected: string(a.Type), Observed: "an assertion type that is not known"}
	}
	s := k.compare(a, o)
	out := Outcome{Expected: s.expected, Observed: s.observed, Facts: s.facts, Passed: s.holds && (s.sure || o.Doubt == "" && s.doubt == "")}
	if a.Not && k.expected != aState { // a state has its opposite itself
		out.Expected = opposite(k, s.expected)
		out.Passed = !s.holds && !s.blind && o.Doubt == "" && s.doubt == ""
	}
	if !out.Passed && (!a.Not || !s.holds || !s.sure) {
		out.Doubt = cmp.Or(s.doubt, o.Doubt)
	}
	if !out.Passed && out.Observed.LooksLike(out.Expected) {
		out.Observed, out.Facts.Alike = differing(out.Expected, out.Observed, cmp.Or(o.Why, out.Doubt)), true
	}
	return out
}

// differing says how what was observed differs from what was expected although both look
// the same. A text of the same characters is there, and is not seen as it has to be.
func differing(expected string, found pagetext.Text, because string) pagetext.Text {
	switch {
	case !found.Equal(expected):
		return pagetext.Sprintf("%s, which only looks so: expected %s", found.Map(strconv.QuoteToASCII), strconv.QuoteToASCII(expected))
	case because != "":
		return pagetext.Sprintf("%q is there, and does not count: %s", found, because)
	default:
		return pagetext.Sprintf("%q is there, and not as it is asked for", found)
	}
}

// opposite words what is expected where not is said.
func opposite(k typeRow, expected string) string {
	switch rest, ok := strings.CutPrefix(expected, "a "); {
	case k.name == Exists:
		return "does not exist"
	case k.name == ConsoleClean:
		return "a console error"
	case ok && k.about == thePage && k.name != TitleEquals && k.name != TitleContains:
		return "no " + rest
	case k.expected == noExpected:
		return "not " + expected
	default:
		return "anything but " + expected
	}
}

const noElement = "no element matches"

func (a Assertion) compareText(o Observation) comparison {
	s := comparison{holds: o.TextFits, sure: o.TextFits, expected: a.Expected}
	if o.Text == nil {
		return s.missing()
	}
	seen := pagetext.Text(normalizeSpace(*o.Text))
	if o.TextFits {
		seen = seen.Around(normalizeSpace(a.Expected), maxObserved-2) // with an ellipsis at either end
	}
	s.observed = seen.Shorten(maxObserved)
	if a.Not && o.Frame != "" {
		s.holds, s.sure, s.observed = true, true, pagetext.Text("it stands in the frame "+o.Frame)
		return s
	}
	if !o.TextFits && o.Why != "" {
		s.observed = pagetext.Sprintf("%q is there and not seen (%s); seen: %s", shorten(a.Expected), o.Why, s.observed)
	}
	return s
}

// compareCount compares how many elements are seen. Those that paint nothing by their
// nature count as they are.
func (a Assertion) compareCount(o Observation) comparison {
	n, want := o.Seen+o.Paintless, a.number()
	s := comparison{expected: a.Expected, observed: pagetext.Text(strconv.Itoa(n))}
	switch a.Type {
	case CountAtLeast:
		s.holds, s.expected = n >= want && want > 0, "at least "+a.Expected
		s.sure = s.holds
	case CountAtMost:
		s.holds, s.expected = n <= want, "at most "+a.Expected
	default:
		s.holds = n == want
	}
	if o.Partly != "" && n <= want && !s.sure { // there are as many at least
		s.doubt = "the list in " + o.Partly + " holds rows that are not rendered, which no count knows"
	}
	if o.Count != n {
		s.observed += pagetext.Text(" (" + o.countSeen() + ")")
	}
	return s
}

// countSeen says how many elements there are, how many are seen, and why the others
// are not.
func (o Observation) countSeen() string {
	text := fmt.Sprintf("%s, %d visible", elements(o.Count), o.Seen)
	if len(o.Unseen) > 0 {
		text += ": not seen: " + strings.Join(o.Unseen, ", ")
	}
	return text
}

// part is a text that another may contain, however its words are spaced.
type part struct {
	text       string
	wholeWords bool
}

// isIn reports whether a text contains the part.
func (p part) isIn(text string) bool {
	text, wanted := normalizeSpace(text), normalizeSpace(p.text)
	if p.wholeWords {
		return texts.WordsWithin(text, wanted)
	}
	return strings.Contains(text, wanted)
}

func (a Assertion) compareProperty(o Observation) comparison {
	s := comparison{expected: a.Expected}
	switch {
	case o.Count == 0:
		return s.missing()
	case o.Value == nil && a.Type == AttributeEquals:
		s.observed = "no such attribute"
	case o.Value == nil:
		return s.withoutSubject("no such property")
	default:
		s.holds, s.observed = *o.Value == a.Expected, pagetext.Text(shorten(*o.Value))
		if a.Type == ValueContains {
			s.holds = part{a.Expected, a.WholeWords}.isIn(*o.Value)
		}
	}
	return s
}

// accessibleText compares what the element is called or described with: runs of white
// space are one space.
func (a Assertion) accessibleText(o Observation) comparison {
	s := comparison{expected: a.Expected}
	if o.Count == 0 || o.Value == nil {
		return s.missing()
	}
	s.holds, s.observed = normalizeSpace(*o.Value) == normalizeSpace(a.Expected), pagetext.Text(shorten(normalizeSpace(*o.Value)))
	return s
}

// selectedOptions compares the chosen options with the lines of Expected.
func (a Assertion) selectedOptions(o Observation) comparison {
	s := comparison{expected: a.Expected, observed: pagetext.Text(shorten(strings.Join(o.Values, "\n")))}
	if o.Count == 0 {
		return s.missing()
	}
	wanted := []string{}
	if a.Expected != "" {
		wanted = strings.Split(strings.TrimSuffix(a.Expected, "\n"), "\n")
	}
	s.holds = slices.EqualFunc(wanted, o.Values, func(x, y string) bool {
		return x == y || a.Type == SelectedLabel && normalizeSpace(x) == normalizeSpace(y)
	})
	return s
}

func (a Assertion) compareClasses(o Observation) comparison {
	s := comparison{expected: a.Expected, observed: pagetext.Text(shorten(strings.Join(o.Values, " ")))}
	if o.Count == 0 {
		return s.missing()
	}
	s.holds = !slices.ContainsFunc(strings.Fields(a.Expected), func(c string) bool { return !slices.Contains(o.Values, c) })
	return s
}

// compareState compares a state. Its opposite is a state of its own: what something
// lies over can't be used, and is not disabled for that.
func (a Assertion) compareState(o Observation) comparison {
	want, name := a.wantedState(), strings.ReplaceAll(string(a.Type), "_", " ")
	if a.Type == InViewport {
		name = "in the viewport"
	}
	s := comparison{expected: name, observed: pagetext.Text(name)}
	if !want {
		s.expected = "not " + name
	}
	if o.On == nil {
		return s.missing()
	}
	if !*o.On {
		s.observed = pagetext.Text("not " + name)
		if o.Why != "" {
			s.observed += pagetext.Text(": " + o.Why)
		}
	}
	s.holds = *o.On == want && (want || o.Disabled || a.Type != Enabled && a.Type != Editable)
	return s
}

func (a Assertion) readingOrder(o Observation) comparison {
	s := comparison{expected: "before " + a.Other, observed: pagetext.Text(o.Why)}
	if o.On == nil {
		return s.missingFor(o.Why)
	}
	s.holds = *o.On
	return s
}

func (a Assertion) snapshotLines(o Observation) comparison {
	s := comparison{expected: strings.TrimSpace(a.Expected)}
	if o.Count == 0 {
		return s.missing()
	}
	missing := missingLine(a.Expected, o.Lines)
	s.holds = missing == ""
	s.sure, s.observed = s.holds, pagetext.Text(texts.Count(len(o.Lines), "line"))
	if !s.holds {
		s.observed += pagetext.Text(", and not in its place: " + shorten(missing))
	}
	return s
}

// responseStatus compares the status of the newest answer.
func (a Assertion) responseStatus(o Observation) comparison {
	s := comparison{expected: a.Expected, observed: pagetext.Text(strconv.Itoa(o.Status))}
	if a.Type == ResponseOK {
		s.expected = "a status from 200 to 299"
	}
	switch {
	case o.Status == 0:
		return s.withoutSubject(pagetext.Text("no response" + alsoText(o.Others)))
	case a.Type == ResponseOK:
		s.holds = o.Status/100 == 2
	default:
		s.holds = s.observed.Equal(a.Expected)
	}
	return s
}

// event compares what the last act brought.
func event(name string) func(Assertion, Observation) comparison {
	return func(a Assertion, o Observation) comparison {
		name := cmp.Or(a.Attribute, name) // a dialog is an alert, a confirm or a prompt
		s := comparison{holds: o.Came > 0, expected: "a " + name, observed: pagetext.Text(texts.Count(o.Came, "matching "+name) + alsoText(o.Others))}
		if a.Expected != "" {
			s.expected += " " + strconv.Quote(a.Expected)
		} else {
			s.observed = pagetext.Text(texts.Count(o.Came, name) + alsoText(o.Others))
		}
		return s
	}
}

func elements(n int) string { return texts.Count(n, "element") }

func alsoText(text string) string {
	if text == "" {
		return ""
	}
	return "; " + shorten(text)
}

func firstOf(texts []pagetext.Text) pagetext.Text {
	if len(texts) == 0 {
		return ""
	}
	return "; first: " + texts[0].Map(shorten)
}

// normalizeSpace makes texts comparable as they read: runs of white space, the
// no-break kinds included, count as one space.
func normalizeSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// maxObserved bounds an observation in a report, in characters.
const maxObserved = 300

func shorten(s string) string { return texts.Shorten(s, maxObserved) }
