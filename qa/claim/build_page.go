package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/address"
)

// buildTitle: the page's title is a text, or contains one.
func buildTitle(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	out := Claim{Type: "title_equals", Expected: c.text("quote"), Not: not}
	if c.has("part") {
		out.Type, out.WholeWords = "title_contains", true
	}
	return []Claim{out}, ok && strings.TrimSpace(c.text("quote")) != ""
}

// buildAddress: the page's address is, begins with, ends in, contains something.
func buildAddress(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	text := c.text("path")
	if text == "" {
		text = c.text("quote")
	}
	if relativePath.MatchString(text) && c.text("path") != "" {
		text = "**/" + text
	}
	pattern := addressPattern(c.text("how"), text, not)
	if _, err := address.Parse(pattern); err != nil || pattern == "" {
		return nil, false
	}
	return []Claim{{Type: "url_matches", Expected: pattern, Not: not}}, ok
}

// addressPattern returns the pattern of what is said of an address. Where a pattern
// would fit more than what is said, and the sentence denies, it would hold too
// easily if it fitted less: a denial takes the words as they are.
func addressPattern(how, text string, not bool) string {
	literal := strings.ContainsAny(text, "?#=&")
	path := strings.HasPrefix(text, "/")
	if steps, relative := strings.CutPrefix(text, "**/"); relative {
		if how == "is" || how == "" {
			return text
		}
		text = steps
	}
	full := strings.Contains(text, "://")
	switch {
	case how == "matches":
		return text
	case text == "" || strings.ContainsAny(text, "* \t"):
		return ""
	case how == "is" || how == "":
		if path || full {
			return text
		}
		return ""
	case how == "starts" && full:
		return "re:^" + regexp.QuoteMeta(text) + hostEnd(text)
	case how == "starts" && path && !literal:
		return text + "**"
	case how == "ends" && strings.HasPrefix(text, "#"):
		return "**" + text
	case how == "ends" && (literal || full):
		return "re:" + regexp.QuoteMeta(text) + "$"
	case how == "ends" && path:
		return "**" + text
	case how == "ends":
		return "**/*" + text
	case how == "contains" && (not || literal || full):
		return "re:" + regexp.QuoteMeta(text)
	case how == "contains" && path:
		return "**" + text + "**"
	case how == "contains":
		return "**/*" + text + "**"
	}
	return ""
}

// hostEnd keeps https://shop.test from standing for https://shop.test.example.
func hostEnd(text string) string {
	_, rest, _ := strings.Cut(text, "://")
	if strings.Contains(rest, "/") {
		return ""
	}
	return `(?:[/?#]|$)`
}

func buildResponse(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	status := c.text("number")
	out := Claim{Type: "response_status", Expected: status, URL: requestOf(c), Not: not}
	if c.text("outcome") == "ok" {
		out.Type, out.Expected = "response_ok", ""
	} else if len(status) != 3 || status < "100" || status > "599" {
		return nil, false
	}
	if reason := c.text("reason"); reason != "" && reason != status {
		return nil, false
	}
	if relativePath.MatchString(c.text("path")) {
		return nil, false // of which site is not said
	}
	if out.URL != "" {
		if _, err := address.ParseRequest(out.URL); err != nil {
			return nil, false
		}
	}
	return []Claim{out}, ok
}

// requestOf returns a request as patterns have it: method and address.
func requestOf(c *captures) string {
	url := c.text("path")
	if method := strings.ToUpper(c.text("method")); method != "" && url != "" {
		url = method + " " + url
	}
	return url
}

func buildRequest(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	request := requestOf(c)
	if request == "" || relativePath.MatchString(c.text("path")) {
		return nil, false
	}
	switch outcome := c.text("outcome"); {
	case c.has("number"):
		if request += " " + c.text("number"); len(c.text("number")) != 3 {
			return nil, false
		}
	case outcome == "ok" && !not:
	case outcome == "ok":
		return nil, false
	default:
		request += " any" // made is made, whatever came of it
	}
	if _, err := address.ParseRequest(request); err != nil {
		return nil, false
	}
	return []Claim{{Type: "request_made", Expected: request, Not: not}}, ok
}

func buildConsole(c *captures) ([]Claim, bool) {
	// The type is a denial itself: what the form keeps is whether errors are there.
	not, ok := denied(c)
	return []Claim{{Type: "console_clean", Not: not == c.has("clean")}}, ok
}

func buildDialog(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	return []Claim{{Type: "dialog_shown", Attribute: c.text("dialog"), Expected: c.text("quote"), Not: not}}, ok
}

func buildPopup(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	out := Claim{Type: "popup_opened", Expected: c.text("path"), Not: not}
	if _, err := address.Parse(out.Expected); err != nil || relativePath.MatchString(out.Expected) {
		return nil, false
	}
	return []Claim{out}, ok
}

func buildDownload(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	var out []Claim
	names, _ := c.get("quotes").([]string)
	for _, n := range names {
		out = append(out, Claim{Type: "downloaded", Expected: n, Not: not})
	}
	if len(names) == 0 {
		out = []Claim{{Type: "downloaded", Not: not}}
	}
	return out, ok
}

// buildFigure: a labelled number of the page.
func buildFigure(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	label := c.text("label")
	if c.has("price") && !hasUnit(c.text("amount")) {
		return nil, false // beside a name stand its quantity and its number, too
	}
	if amount := c.text("amount"); amount != "" && strings.TrimSpace(label) != "" {
		return []Claim{{Type: "kpi", Attribute: label, Expected: amount, Not: not}}, ok
	}
	return nil, false
}

// hasUnit reports whether an amount says of what it is: $5, 5 EUR.
func hasUnit(amount string) bool {
	tokens, err := lex(amount)
	return err == nil && slices.ContainsFunc(tokens, func(t token) bool { return t.kind == money || slices.Contains(currencies, t.orig) })
}

// buildOrder: one thing comes before another in reading order.
func buildOrder(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	first, second := thingsOf(c, "first"), thingsOf(c, "second")
	if !ok || len(first) != 1 || len(second) != 1 {
		return nil, false
	}
	if first, ok = inPlaceOf(second, first); !ok {
		return nil, false
	}
	if c.has("after") {
		first, second = second, first
	}
	for _, s := range []subject{first[0], second[0]} {
		if s.says != "" || s.role != "" && !s.named {
			return nil, false
		}
	}
	out := first[0].claim("comes_before", not)
	out.Expected = second[0].selectors()[0]
	out.Alike = nil
	return []Claim{out}, true
}

func buildSorted(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	if !known { // the list: it must be one
		all := thingsOf(c, "sub", "things")
		known = len(all) == 1 && slices.Contains([]string{"list", "table"}, all[0].role) && all[0].says == "" && !all[0].any
		if known {
			s = all[0]
		}
	}
	if !ok || !known {
		return nil, false
	}
	var out Claim
	column := c.text("quote")
	switch {
	case s.role == "table" && column != "":
		out = s.claim("sorted_by", not)
		out.Attribute = column
	case s.role == "columnheader" && s.named && column == "" && s.inside != nil && s.inside.role == "table":
		out = s.inside.claim("sorted_by", not)
		out.Attribute = s.name
	case s.role == "columnheader" && s.named && column == "" && s.inside == nil:
		out = subject{role: "table"}.claim("sorted_by", not)
		out.Attribute = s.name
	case s.role == "list" && column == "":
		out = subject{role: "listitem", inside: &s}.claim("sorted_by", not)
	default:
		return nil, false
	}
	out.Expected = c.text("direction")
	return []Claim{out}, out.Expected != ""
}

// buildCompared: the number in an element is more or less than another.
func buildCompared(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	value, op := c.text("decimal"), c.text("op")
	if !ok || !known || value == "" || op == "" {
		return nil, false
	}
	out := s.claim("number_compared", not)
	out.Op, out.Expected = op, value
	return []Claim{out}, true
}
