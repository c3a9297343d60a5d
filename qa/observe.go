package qa

import (
	"fmt"
	"strconv"
	"strings"
)

// Observation is what one look at a page found, as far as an assertion needs
// it. The pointers are nil when there was no such element or property.
type Observation struct {
	Count    int
	Visible  int
	Text     *string
	Value    *string
	On       *bool
	URL      string
	Title    string
	Errors   []string // console errors
	Requests int      // requests that match the assertion
	Status   int      // status of the response the assertion is about, 0 when there was none
	URLFits  bool     // the address matches the assertion's pattern
}

// Outcome is the comparison of an assertion with an observation, in words.
type Outcome struct {
	Passed   bool
	Expected string
	Observed string
}

// Compare decides whether the assertion holds for what was observed.
func (a Assertion) Compare(o Observation) Outcome {
	switch a.Type {
	case Exists:
		return Outcome{o.Count > 0, "exists", elements(o.Count)}
	case Visible:
		return Outcome{o.Visible > 0, "visible", fmt.Sprintf("%s, %d visible", elements(o.Count), o.Visible)}
	case Hidden:
		return Outcome{o.Visible == 0, "hidden", fmt.Sprintf("%s, %d visible", elements(o.Count), o.Visible)}
	case CountEquals:
		return Outcome{strconv.Itoa(o.Count) == strings.TrimLeft(a.Expected, "0") || o.Count == 0 && strings.Trim(a.Expected, "0") == "", a.Expected, strconv.Itoa(o.Count)}
	case TextContains:
		return a.text(o.Text, func(got, want string) bool { return strings.Contains(got, want) })
	case TextEquals:
		return a.text(o.Text, func(got, want string) bool { return got == want })
	case ValueEquals, AttributeEquals:
		return a.value(o)
	case Checked, Enabled:
		return a.state(o)
	case URLMatches:
		return Outcome{o.URLFits, a.Expected, o.URL}
	case TitleEquals:
		return Outcome{squeeze(o.Title) == squeeze(a.Expected), a.Expected, o.Title}
	case ConsoleClean:
		return Outcome{len(o.Errors) == 0, "no console error", count(len(o.Errors), "console error") + firstOf(o.Errors)}
	case RequestMade:
		return Outcome{o.Requests > 0, "a request " + a.Expected, count(o.Requests, "matching request")}
	case ResponseStatus:
		observed := "no response"
		if o.Status != 0 {
			observed = strconv.Itoa(o.Status)
		}
		return Outcome{observed == a.Expected, a.Expected, observed}
	default:
		return Outcome{false, string(a.Type), "an assertion type that is not known"}
	}
}

const noElement = "no element matches"

func (a Assertion) text(got *string, fits func(got, want string) bool) Outcome {
	if got == nil {
		return Outcome{false, a.Expected, noElement}
	}
	return Outcome{fits(squeeze(*got), squeeze(a.Expected)), a.Expected, shorten(squeeze(*got))}
}

func (a Assertion) value(o Observation) Outcome {
	switch {
	case o.Count == 0:
		return Outcome{false, a.Expected, noElement}
	case o.Value == nil:
		return Outcome{false, a.Expected, "no such attribute"}
	default:
		return Outcome{*o.Value == a.Expected, a.Expected, shorten(*o.Value)}
	}
}

func (a Assertion) state(o Observation) Outcome {
	want := a.Expected != "false"
	expected := string(a.Type)
	if !want {
		expected = "not " + expected
	}
	if o.On == nil {
		return Outcome{false, expected, noElement}
	}
	observed := string(a.Type)
	if !*o.On {
		observed = "not " + observed
	}
	return Outcome{*o.On == want, expected, observed}
}

func elements(n int) string { return count(n, "element") }

func firstOf(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "; first: " + shorten(texts[0])
}

// squeeze makes texts comparable as they read: runs of white space, the
// no-break kinds included, count as one space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// shorten keeps an observation readable in a report.
func shorten(s string) string {
	const limit = 300
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit]) + "…"
}
