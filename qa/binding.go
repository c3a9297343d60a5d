package qa

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/qa/claim"
)

// Unproven returns the expectations that no executed check proves, each with
// the reason. A check proves an expectation when it names it in Expects, was
// made by a tool or a rule, and, together with the other such checks, covers
// every quoted text and every number of the expectation in its selector or
// expected value. So "The total is 42" can't be proved by looking at a logo. A
// check that holds on any page proves nothing, and one that something is absent
// only an expectation that says so. An expectation that carries an assertion is
// proved by that assertion only.
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
		return "no executed check is bound to it" + toWrite(e)
	}
	if i := slices.IndexFunc(bound, func(c Check) bool { return len(c.Void) == 0 }); i < 0 {
		return fmt.Sprintf("check %s, which is bound to it, proves nothing: %s", bound[0].ID, strings.Join(bound[0].Void, "; "))
	}
	bound = slices.DeleteFunc(bound, func(c Check) bool { return len(c.Void) > 0 })
	if a := e.Assertion; a != nil && !slices.ContainsFunc(bound, func(c Check) bool { return a.provedBy(c, e.Selector) }) {
		return fmt.Sprintf("no check bound to it makes its assertion, %s", a.describe(e.Selector))
	}
	looked := lookedFor(bound)
	for _, want := range tokens(e.Text) {
		if !looked.has(want) {
			return fmt.Sprintf("no check bound to it looks for %s", want)
		}
	}
	if e.Assertion != nil {
		return "" // whoever wrote it knows what proves it
	}
	denies := denial.MatchString(e.Text)
	bound = slices.DeleteFunc(bound, func(c Check) bool { return c.idle() || c.absence() && !denies })
	if len(bound) == 0 {
		return "each check bound to it holds on any page, or looks for something absent where the expectation speaks of something present"
	}
	looked = lookedFor(bound)
	for _, want := range tokens(e.Text) {
		if !looked.has(want) {
			return fmt.Sprintf("only a check of something absent looks for %s, and the expectation speaks of something present", want)
		}
	}
	return ""
}

// toWrite says what to write instead of a sentence that is not understood.
func toWrite(e Expectation) string {
	if e.Assertion != nil {
		return ""
	}
	_, err := Demands(e.Text)
	unread := &claim.Unread{}
	if !errors.As(err, &unread) {
		return ""
	}
	return fmt.Sprintf(", and its words are not understood: %s; write for example: %s; or give it an assertion: %s", unread.Why, unread.Nearest, unread.Assertion)
}

// denial is a text that says of something that it is not there, in the languages
// that expectations are most often written in. Where it is in another one, a check
// of something present is needed beside that of what is absent.
var denial = regexp.MustCompile(`(?i)\b(?:no|not|cannot|never|none|nothing|nobody|nowhere|neither|nor|without|gone|go(?:es)? away|hidden|hides?|invisible|empty|empties|emptied|` +
	`(?:un|de)selected|removed?s?|deleted?s?|cleare?d?s?|dismiss\w*|disappear\w*|vanish\w*|closed?s?|absent|missing|lost|zero|only|leaves?|left|ends?|ended|out|collaps\w*|instead|rather|replac\w+|refused?|denied|blocked?|prevent\w*|reject\w*|forbidden|` +
	`kein\w*|nicht\w*|ohne|weg|leer\w*|verschw\w+|geschlossen|entfernt|gelöscht|` +
	`pas|plus|aucune?|sans|rien|vide|sin|ningun\w*|ningún|nada|non|nessun\w*|senza|não|nenhum\w*|sem|geen|niet|zonder)\b|n['’]t\b|\b0\b|[不没未无]`)

// absence reports whether the check holds where nothing is, or only because
// something is otherwise.
func (c Check) absence() bool {
	return c.Not != (c.Kind == string(Hidden) || c.Kind == string(CountAtMost) || c.Kind == string(CountEquals) && c.zero())
}

func (c Check) zero() bool {
	n := numbersIn(c.Expected)
	return len(n) > 0 && strings.Trim(n[0], "0") == ""
}

// idle reports whether the check may hold on any page: its element is the whole of
// it, or its pattern fits every address or perhaps every text.
func (c Check) idle() bool {
	switch AssertionType(c.Kind) {
	case Exists, Visible, Enabled, CountEquals, CountAtLeast, CountAtMost, InViewport:
		return slices.Contains([]string{"body", "html", ":root", "*", "head", "//body", "//html", "/html", "/html/body"}, strings.ToLower(strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(c.Selector, "css="), "xpath="))))
	case TextMatches: // its words may stand in an alternative, or in a group that may be left out
		return true
	case URLMatches:
		return anyAddress.MatchString(c.Expected) && strings.Trim(c.Expected, "/?#") != "" // / is the first page
	default:
		return false
	}
}

// anyAddress is a pattern that says nothing of an address: no host, no path.
var anyAddress = regexp.MustCompile(`^(?i:re:|https?|[^\pL\pN])*$`)

// provedBy reports whether the check made this very assertion on selector: the
// same kind, the same element, attribute or response, and the expectation as
// [Assertion.Compare] words it.
func (a Assertion) provedBy(c Check, selector string) bool {
	if c.Kind != string(a.Type) || c.Not != a.Not || c.Words != a.WholeWords || c.Selector != selector || c.Expected != a.Compare(Observation{}).Expected {
		return false
	}
	switch a.Type {
	case AttributeEquals, CSSEquals:
		return strings.HasSuffix(" "+c.Subject, " "+a.Attribute)
	case ResponseStatus, ResponseOK:
		return c.Subject == a.URL
	default:
		return true
	}
}

func (a Assertion) describe(selector string) string {
	parts := a.Parts(selector)
	for i, text := range parts[1:] {
		parts[i+1] = strconv.Quote(text)
	}
	return strings.Join(parts, " ")
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
		switch c.Kind {
		case VisualKind:
			fields = fields[:1] // what a baseline is called is not what it shows
		case KPIKind:
			fields = append(fields, c.Subject) // its label
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
