package testfile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

// assert writes an assertion that waits as ours do, for 5 s unless it says
// otherwise.
func (w *writer) assert(depth, i int, s qa.FlowStep) error {
	a := *s.Assertion
	if !a.Type.NeedsSelector() && a.Type != qa.TextContains {
		text, err := w.ofPage(a, timeout(s))
		if err != nil {
			return w.refuse(i, s, "%s: %v", a.Type, err)
		}
		w.line(depth, "%s", text)
		return nil
	}
	on := `page.locator("body")`
	if s.Selector != "" {
		var err error
		if on, err = locator(s.Selector); err != nil {
			return w.refuse(i, s, "%v", err)
		}
	}
	subject, call, err := ofElement(a, on, timeout(s))
	if err != nil {
		return w.refuse(i, s, "%s: %v", a.Type, err)
	}
	w.line(depth, "await expect(%s).%s;", subject, call)
	return nil
}

// ofElement is an assertion about elements. Where one of several is enough for
// us, it is for Playwright, which takes several for an error otherwise.
func ofElement(a qa.Assertion, on, limit string) (subject, call string, err error) {
	seen := on + ".filter({ visible: true })"
	want := quote(a.Expected)
	switch a.Type {
	case qa.Exists:
		return on + ".first()", "toBeAttached(" + options(limit) + ")", nil
	case qa.Visible:
		return seen + ".first()", "toBeVisible(" + options(limit) + ")", nil
	case qa.Hidden:
		return seen, "toHaveCount(0" + more(options(limit)) + ")", nil
	case qa.TextContains:
		return on, "toContainText(" + want + more(options("useInnerText: true", limit)) + ")", nil
	case qa.TextEquals:
		return on, "toHaveText(" + want + more(options("useInnerText: true", limit)) + ")", nil
	case qa.ValueEquals:
		return on, "toHaveValue(" + want + more(options(limit)) + ")", nil
	case qa.AttributeEquals:
		return on, "toHaveAttribute(" + quote(a.Attribute) + ", " + want + more(options(limit)) + ")", nil
	case qa.CountEquals:
		n, err := strconv.Atoi(a.Expected)
		return on, fmt.Sprintf("toHaveCount(%d%s)", n, more(options(limit))), err
	case qa.Checked:
		return on, "toBeChecked(" + options(off("checked", a), limit) + ")", nil
	case qa.Enabled:
		return on, "toBeEnabled(" + options(off("enabled", a), limit) + ")", nil
	default:
		return "", "", fmt.Errorf("nobody has said how")
	}
}

func off(state string, a qa.Assertion) string {
	if a.Expected == "false" {
		return state + ": false"
	}
	return ""
}

// ofPage is an assertion about the page or its traffic.
func (w *writer) ofPage(a qa.Assertion, limit string) (string, error) {
	poll := func(look, message string) string {
		return "await expect.poll(() => " + look + ", " + options("message: "+quote(message), limit) + ")"
	}
	switch a.Type {
	case qa.URLMatches:
		re, err := pattern(a.Expected)
		return "await expect(page).toHaveURL(" + re + more(options(limit)) + ");", err
	case qa.TitleEquals:
		return "await expect(page).toHaveTitle(" + quote(a.Expected) + more(options(limit)) + ");", nil
	case qa.ConsoleClean:
		w.needs["errors"] = true
		return poll("errors", "errors of this page in the console") + ".toEqual([]);", nil
	case qa.RequestMade:
		w.needs["requests"] = true
		method, address := browser.RequestPattern(a.Expected)
		re, err := pattern(address)
		of := re + ".test(r.url)"
		if method != "" {
			of = "r.method === " + quote(method) + " && " + of
		}
		return poll("requests.some((r) => "+of+")", "a request "+a.Expected) + ".toBe(true);", err
	case qa.ResponseStatus:
		w.needs["answers"] = true
		status, err := strconv.Atoi(a.Expected)
		if err != nil {
			return "", err
		}
		of, about := "r.document", "the page"
		if a.URL != "" {
			re, err := pattern(a.URL)
			if err != nil {
				return "", err
			}
			of, about = re+".test(r.url)", a.URL
		}
		return poll("answers.filter((r) => "+of+").at(-1)?.status", "status of "+about) + fmt.Sprintf(".toBe(%d);", status), nil
	default:
		return "", fmt.Errorf("nobody has said how")
	}
}

// onlyGo is what Go's regular expressions say in a way that JavaScript does not
// have, or takes for something else.
var onlyGo = regexp.MustCompile(`\(\?[^:]|\\[AzQECapPx0-7]|\[\^?\]|\[\[:`)

// pattern is a URL pattern (see [browser.CheckURLPattern]) as a regular expression
// of JavaScript.
func pattern(p string) (string, error) {
	if err := browser.CheckURLPattern(p); err != nil {
		return "", err
	}
	if expr, ok := strings.CutPrefix(p, "re:"); ok {
		if odd := onlyGo.FindString(expr); odd != "" {
			return "", fmt.Errorf("the pattern has %s, which JavaScript reads otherwise: write a glob", odd)
		}
		return "new RegExp(" + quote(expr) + ")", nil
	}
	quoted := strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, `.*`)
	if strings.Contains(p, "*") {
		return "new RegExp(" + quote("^"+quoted+"$") + `, "s")`, nil
	}
	return "new RegExp(" + quote(quoted) + ")", nil
}
