package qa

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/qa/claim"
)

// uncovered is the first quoted text or number of the sentence that its assertion
// looks for nowhere; empty: there is none. An assertion that leaves out what the
// sentence quotes is about something else.
func (e Expectation) uncovered() string {
	fields := []string{e.Selector}
	for _, text := range e.Assertion.Texts() {
		fields = append(fields, text)
	}
	for _, quote := range claim.Quotes(e.Text) {
		want := fold(quote)
		if want != "" && !slices.ContainsFunc(fields, func(field string) bool { return strings.Contains(fold(field), want) }) {
			return strconv.Quote(quote)
		}
	}
	looked := map[string]bool{}
	for _, field := range fields {
		for _, n := range numbersIn(field) {
			looked[n] = true
		}
	}
	for _, n := range claim.Numbers(e.Text) {
		if !looked[n.Value] && !slices.ContainsFunc(numbersIn(n.Text), func(text string) bool { return looked[text] }) && !e.Assertion.bounds(n.Value) {
			return n.Text
		}
	}
	return ""
}

// bounds reports whether the assertion has the number as a bound that is written
// in another way: more than 3 is at least 4.
func (a Assertion) bounds(number string) bool {
	n, err := strconv.Atoi(number)
	return err == nil && (a.Type == CountAtLeast && a.number() == n+1 || a.Type == CountAtMost && a.number() == n-1)
}

var (
	numeral = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	grouped = regexp.MustCompile(`^\d{1,3}(?:,\d{3})+(?:\.\d+)?$`)
)

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
