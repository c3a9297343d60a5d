package qa

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa/claim"
)

// WithOtherWords returns the assertion with other in place of what it expects in
// words: a text, a value, a name, the words of a pattern. Numbers of elements,
// states, orders and comparisons of figures stay. The result may be the same:
// then there is no word in it.
func (a Assertion) WithOtherWords(other string) Assertion {
	k, _ := typeRowOf(a.Type)
	switch {
	case a.Type == TextMatches:
		a.Expected = substituteLiterals(a.Expected, other)
	case a.Type == URLMatches || a.Type == PopupOpened || a.Type == RequestMade:
		a.Expected = substituteAddress(a.Expected, other)
	case a.Type == AriaSnapshot:
		a.Expected = quotedName.ReplaceAllString(a.Expected, `"`+other+`"`)
	case k.expected == needed || k.expected == maybe || k.expected == anyIfEmpty:
		if strings.TrimSpace(a.Expected) != "" {
			a.Expected = other
		}
	}
	a.URL = substituteAddress(a.URL, other)
	return a
}

// WithoutWords returns the assertion with other in place of words of a sentence, where its
// pattern has them as they are; the rest of the pattern stays. Of a pattern that still
// fits then, the words are an optional or an alternative part. Without a pattern, or a word
// in it, it is the same.
func (a Assertion) WithoutWords(words []string, other string) Assertion {
	expression, isPattern := strings.CutPrefix(a.Expected, "re:")
	if a.Type != TextMatches && (a.Type != URLMatches || !isPattern) {
		return a
	}
	head := a.Expected[:len(a.Expected)-len(expression)]
	for _, word := range words {
		if re, err := regexp.Compile("(?i)" + regexp.QuoteMeta(regexp.QuoteMeta(word))); err == nil && word != "" {
			expression = re.ReplaceAllLiteralString(expression, other)
		}
	}
	a.Expected = head + expression
	return a
}

var quotedName = pattern.New(`"(?:[^"\\]|\\.)*"`)

// Indifferent says why the assertion would hold of any text or any address, or in
// either order; "" where it would not, as far as that is known without a page.
func (a Assertion) Indifferent(o Observation, other string) string {
	switch a.Type {
	case TextMatches:
		if re, err := regexp.Compile(a.Expected); err == nil && re.MatchString(other) {
			return "its pattern fits any word"
		}
	case URLMatches, PopupOpened:
		if p, err := address.Parse(a.Expected); err == nil && a.Expected != "" && fitsAny(p, other) {
			return "its pattern fits any address"
		}
	case RequestMade:
		if r, err := address.ParseRequest(a.Expected); err == nil && fitsAny(r.Pattern, other) {
			return "its pattern fits any request"
		}
	case SortedBy:
		turned := a
		turned.Order = map[string]string{"asc": "desc", "desc": "asc"}[a.Order]
		if turned.Order != "" && turned.Compare(o).Passed {
			return "the items are in the opposite order as well"
		}
	}
	return ""
}

// fitsAny reports whether a pattern fits an address of a made-up site and
// path.
func fitsAny(p address.Pattern, other string) bool {
	rest := "://" + other + ".example/" + other
	return p.Fits("https"+rest) || p.Fits("http"+rest)
}

// HoldsOf makes the assertion of an observation that was made for another one of
// its type. known is false where it has to be looked at again: the observation
// does not tell of other requests, downloads, dialogs or popups.
func (a Assertion) HoldsOf(o Observation) (holds, known bool) {
	switch a.Type {
	case TextContains, TextEquals, TextMatches:
		if o.Text == nil {
			return false, true
		}
		text, want := normalizeSpace(*o.Text), normalizeSpace(a.Expected)
		switch a.Type {
		case TextContains:
			o.TextFits = strings.Contains(text, want)
		case TextEquals:
			o.TextFits = text == want
		default:
			re, err := regexp.Compile(a.Expected)
			o.TextFits = err == nil && re.MatchString(text)
		}
	case URLMatches:
		p, err := address.Parse(a.Expected)
		o.URLFits = err == nil && p.Fits(o.URL)
	case Shown, RequestMade, ResponseStatus, ResponseOK, Downloaded, DialogShown, PopupOpened:
		return false, false
	}
	return a.Compare(o).Passed, true
}

// Words returns the quoted texts and the numbers of the expectation's sentence.
func (e Expectation) Words() []string {
	out := claim.Quotes(e.Text)
	for _, n := range claim.Numbers(e.Text) {
		out = append(out, n.Text)
	}
	return out
}

// substituteLiterals returns a regular expression with other in place of its literal words.
// One that can't be read stays as it is.
func substituteLiterals(pattern, other string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return pattern
	}
	if !replaceLiterals(re, other) {
		return pattern
	}
	return re.String()
}

// replaceLiterals writes other over each literal that has a letter or a digit, and
// reports whether there was one.
func replaceLiterals(re *syntax.Regexp, other string) bool {
	changed := false
	if re.Op == syntax.OpLiteral && wordRun.MatchString(string(re.Rune)) {
		re.Rune, changed = []rune(other), true
	}
	for _, sub := range re.Sub {
		changed = replaceLiterals(sub, other) || changed
	}
	return changed
}

var (
	wordRun     = pattern.New(`[\pL\pN]+`)
	addressHead = pattern.New(`^(?:[A-Z]+ +)?(?:[a-z]+://)?`)
	addressTail = pattern.New(` +(?:[1-5]\d\d|[1-5]xx|failed|blocked|any)$`)
)

// substituteAddress returns a pattern of addresses or requests with other in place of its
// words. Its method, its scheme and what should have come of a request stay.
func substituteAddress(pattern, other string) string {
	if rest, ok := strings.CutPrefix(pattern, "re:"); ok {
		return "re:" + substituteLiterals(rest, other)
	}
	head, tail := addressHead.FindString(pattern), addressTail.FindString(pattern)
	if len(head)+len(tail) > len(pattern) {
		return pattern
	}
	return head + wordRun.ReplaceAllString(pattern[len(head):len(pattern)-len(tail)], other) + tail
}

// holdsAnywhere reports whether the assertion holds on any page: its element is the whole
// of it, or its pattern fits every address or every text.
func (a Assertion) holdsAnywhere(selector string) bool {
	if a.Not {
		return false
	}
	switch a.Type {
	case Exists, Visible, Enabled, CountEquals, CountAtLeast, CountAtMost, InViewport:
		return slices.Contains([]string{"body", "html", ":root", "*", "head", "//body", "//html", "/html", "/html/body"},
			strings.ToLower(strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(selector, "css="), "xpath="))))
	default:
		return a.Indifferent(Observation{}, "bcdfghjklmnp") != ""
	}
}
