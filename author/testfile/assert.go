package testfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// assert writes an assertion that waits as ours do, for 5 s unless it says
// otherwise.
func (w *writer) assert(depth, i int, s qa.FlowStep) error {
	a, on := *s.Assertion, `page.locator("body")`
	switch {
	case s.Changed:
		return w.refuse(i, s, "changed compares with what held before the act: write the opposite as a step of its own before it")
	case s.Unchanged:
		return w.refuse(i, s, "unchanged compares with what held before the act: write the same as a step of its own before it")
	}
	say, ok := assertionWriters()[a.Type]
	if !ok {
		return w.refuse(i, s, "%s: it has no form in a Playwright test", a.Type)
	}
	if s.Selector != "" {
		var err error
		if on, err = Locator(s.Selector); err != nil {
			return w.refuse(i, s, "%v", err)
		}
	}
	lines, plain := []string(nil), false
	if w.plain {
		lines, plain = plainAssertion(a, on, timeout(s))
	}
	var err error
	if !plain {
		lines, err = say(w, a, on, timeout(s))
	}
	if err != nil {
		return w.refuse(i, s, "%s: %v", a.Type, err)
	}
	for _, line := range lines {
		w.line(depth, "%s", line)
	}
	return nil
}

// assertionWriter says how an assertion about on, a locator, is written. limit is its
// time-out as an option, or nothing.
type assertionWriter func(w *writer, a qa.Assertion, on, limit string) ([]string, error)

// assertionWriters says how each type of assertion is written.
func assertionWriters() map[qa.AssertionType]assertionWriter {
	all := elementWriters()
	maps.Copy(all, pageWriters())
	return all
}

// not returns the prefix of a matcher that must not hold.
func not(a qa.Assertion) string {
	if a.Not {
		return ".not"
	}
	return ""
}

// matched writes one of Playwright's own assertions.
func matched(subject string, a qa.Assertion, matcher, limit string, arguments ...string) []string {
	arguments = append(arguments, limit)
	arguments = slices.DeleteFunc(arguments, func(x string) bool { return x == "" })
	return []string{"await expect(" + subject + ")" + not(a) + "." + matcher + "(" + strings.Join(arguments, ", ") + ");"}
}

// poll looks again and again until what it finds is as the matcher says.
func poll(look, message, limit, matcher string) []string {
	return []string{"await expect.poll(" + look + ", " + options("message: "+quote(message), limit) + ")" + matcher + ";"}
}

// pollHelper repeats a check until a helper of the file's header says yes, or no where not is said.
// What it can't tell is neither.
func pollHelper(look, message, limit string, a qa.Assertion) []string {
	word := "yes"
	if a.Not {
		word = "no"
	}
	return poll(look, message, limit, ".toBe('"+word+"')")
}

// goOnlySyntax matches syntax of Go's regular expressions that JavaScript does not
// have, or takes for something else.
var goOnlySyntax = pattern.New(`\(\?[^:]|\\[AzQECapPx0-7]|\[\^?\]|\[\[:`)

// window returns the requests that an assertion covers: since the last act,
// or, in recorded checks that look further back, since the page was requested.
func (w *writer) window() string {
	if w.flow.Recorded == nil {
		return "requests.slice(acted)"
	}
	return "requests.slice(Math.min(acted, opened))"
}

// request says whether r is a request that a pattern asks for.
func request(text string) (of string, r address.Request, err error) {
	if r, err = address.ParseRequest(text); err != nil {
		return "", r, err
	}
	re, err := addressExpression(r.Address)
	method := "r.method !== 'OPTIONS'"
	if r.Method != "" {
		method = "r.method === " + quote(r.Method)
	}
	return method + " && " + re + ".test(r.url)", r, err
}

// outcome returns the condition that a request's outcome is the wanted one;
// see [address.Request].
func outcome(wanted string) (string, error) {
	switch {
	case wanted == "":
		return " && r.status > 0 && r.status < 400", nil
	case wanted == "any":
		return "", nil
	case wanted == "failed":
		return " && r.failed", nil
	case wanted == "blocked":
		return "", fmt.Errorf("a Playwright test has no rule that blocks")
	case strings.HasSuffix(wanted, "xx"):
		return " && Math.floor(r.status / 100) === " + wanted[:1], nil
	default:
		return " && r.status === " + wanted, nil
	}
}

// addressExpression returns an [address.Pattern] as a regular expression of JavaScript.
func addressExpression(text string) (string, error) {
	p, err := address.Parse(text)
	if err != nil {
		return "", err
	}
	if literal, ok := p.JavaScript(); ok {
		return literal, nil
	}
	expr := strings.TrimPrefix(text, "re:")
	if odd := goOnlySyntax.FindString(expr); odd != "" {
		return "", fmt.Errorf("the pattern has %s, which JavaScript reads otherwise: write a path or a glob", odd)
	}
	return "new RegExp(" + quote(expr) + ")", nil
}

// asksForTraffic reports whether any step asks about requests since an act.
func asksForTraffic(steps []qa.FlowStep) bool {
	return slices.ContainsFunc(steps, func(s qa.FlowStep) bool {
		a := s.Assertion
		return a != nil && (a.Type == qa.RequestMade || a.URL != "")
	})
}

// asksForEvents reports whether any step asks what an act brought beside a
// change of the page.
func asksForEvents(steps []qa.FlowStep) bool {
	return slices.ContainsFunc(steps, func(s qa.FlowStep) bool {
		a := s.Assertion
		return a != nil && (a.Type == qa.Downloaded || a.Type == qa.DialogShown || a.Type == qa.PopupOpened)
	})
}
