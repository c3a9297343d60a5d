package qa

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unproven returns the expectations that no executed check proves, each with
// the reason. A check proves an expectation when it names it in Expects, was
// made by a tool or a rule, and, together with the other such checks, covers
// every quoted text and every number of the expectation in its selector or
// expected value. So "The total is 42" can't be proved by looking at a logo. An
// expectation that carries an assertion is proved by that assertion only.
func Unproven(expectations []Expectation, checks []Check) []UnprovenExpectation {
	var out []UnprovenExpectation
	for _, e := range expectations {
		if why := unproven(e, checks); why != "" {
			out = append(out, UnprovenExpectation{Expectation: e, Reason: why})
		}
	}
	return out
}

// UnprovenExpectation is an expectation without an executed check, and why.
type UnprovenExpectation struct {
	Expectation
	Reason string
}

func unproven(e Expectation, checks []Check) string {
	var bound []Check
	for _, c := range checks {
		if c.executed() && slices.Contains(c.Expects, e.ID) {
			bound = append(bound, c)
		}
	}
	if len(bound) == 0 {
		return "no executed check is bound to it"
	}
	if a := e.Assertion; a != nil && !slices.ContainsFunc(bound, func(c Check) bool { return a.provedBy(c, e.Selector) }) {
		return fmt.Sprintf("no check bound to it makes its assertion, %s", a.describe(e.Selector))
	}
	looked := lookedFor(bound)
	for _, want := range tokens(e.Text) {
		if !looked.has(want) {
			return fmt.Sprintf("no check bound to it looks for %s", want)
		}
	}
	return ""
}

// provedBy reports whether the check made this very assertion on selector: the
// same kind, the same element, attribute or response, and the expectation as
// [Assertion.Compare] words it.
func (a Assertion) provedBy(c Check, selector string) bool {
	if c.Kind != string(a.Type) || c.Selector != selector || c.Expected != a.Compare(Observation{}).Expected {
		return false
	}
	switch a.Type {
	case AttributeEquals:
		return strings.HasSuffix(" "+c.Subject, " "+a.Attribute)
	case ResponseStatus:
		return c.Subject == a.URL
	default:
		return true
	}
}

func (a Assertion) describe(selector string) string {
	out := string(a.Type)
	for _, text := range []string{selector, a.Attribute, a.URL, a.Expected} {
		if text != "" {
			out += fmt.Sprintf(" %q", text)
		}
	}
	return out
}

// token is a quoted text or a number of an expectation.
type token struct {
	text   string
	number bool
}

func (t token) String() string {
	if t.number {
		return t.text
	}
	return `"` + t.text + `"`
}

// sought is what checks look for: the texts and numbers of their selectors and
// expected values. What a check is about (its Subject, such as the page's
// address) is not what it looks for.
type sought struct {
	texts   []string
	numbers map[string]bool
}

func lookedFor(checks []Check) sought {
	s := sought{numbers: map[string]bool{}}
	for _, c := range checks {
		fields := []string{c.Selector, c.Expected}
		if c.Kind == VisualKind {
			fields = fields[:1] // what a baseline is called is not what it shows
		}
		for _, field := range fields {
			s.texts = append(s.texts, fold(field))
			for _, n := range numbersIn(field) {
				s.numbers[n] = true
			}
		}
	}
	return s
}

// has reports whether the token is looked for. Numbers are compared as whole
// numbers: 5 is not in 15, nor in -5.
func (s sought) has(t token) bool {
	if t.number {
		return s.numbers[t.text]
	}
	want := fold(t.text)
	return slices.ContainsFunc(s.texts, func(text string) bool { return strings.Contains(text, want) })
}

// A straight single quote opens a text only where no word goes before it, and
// closes it only where none follows: the user's cart is no quotation.
var (
	quoted  = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|»([^«]+)«|‘([^’]+)’|` + "`([^`]+)`" + `|\B'([^']+)'\B`)
	numeral = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	grouped = regexp.MustCompile(`^\d{1,3}(?:,\d{3})+(?:\.\d+)?$`)
)

func tokens(text string) []token {
	var out []token
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		for _, group := range m[1:] {
			if group != "" {
				out = append(out, token{text: group})
			}
		}
	}
	for _, n := range numbersIn(quoted.ReplaceAllString(text, " ")) {
		out = append(out, token{text: n, number: true})
	}
	return out
}

// numbersIn returns the numbers of a text with their signs, and without the
// commas that group thousands. A decimal comma stays: 1,5 is not 15.
func numbersIn(text string) []string {
	var out []string
	for _, at := range numeral.FindAllStringIndex(text, -1) {
		n := text[at[0]:at[1]]
		if grouped.MatchString(n) {
			n = strings.ReplaceAll(n, ",", "")
		}
		if negative(text[:at[0]]) {
			n = "-" + n
		}
		out = append(out, n)
	}
	return out
}

// negative reports whether a number that follows before has a minus sign. The
// dash of 2026-11-21, of page-2 and of 7-5 is none.
func negative(before string) bool {
	sign, size := utf8.DecodeLastRuneInString(before)
	if sign != '-' && sign != '−' {
		return false
	}
	r, size := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return size == 0 || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("-−_)]", r)
}

// fold makes texts comparable as a reader would: case and runs of white space
// don't matter, nor do the backslashes with which selectors escape quotes.
func fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(s, `\`, "")), " "))
}
