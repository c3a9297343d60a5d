package testfile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// pageWriters says how assertions about the page, its traffic and what an act
// brought are written.
func pageWriters() map[qa.AssertionType]assertionWriter {
	return map[qa.AssertionType]assertionWriter{
		qa.URLMatches: func(_ *writer, a qa.Assertion, _, limit string) ([]string, error) {
			re, err := addressExpression(a.Expected)
			return matched("page", a, "toHaveURL", options(limit), re), err
		},
		qa.TitleEquals: func(_ *writer, a qa.Assertion, _, limit string) ([]string, error) {
			return matched("page", a, "toHaveTitle", options(limit), quote(a.Expected)), nil
		},
		qa.TitleContains: func(_ *writer, a qa.Assertion, _, limit string) ([]string, error) {
			return matched("page", a, "toHaveTitle", options(limit), partly(a)), nil
		},
		qa.ConsoleClean: func(w *writer, a qa.Assertion, _, limit string) ([]string, error) {
			w.needs["errors"] = true
			return poll("() => errors", "errors of this page in the console", limit, not(a)+".toEqual([])"), nil
		},
		qa.Shown: textContains, qa.RequestMade: requestMade, qa.ResponseStatus: response, qa.ResponseOK: response,
		qa.Downloaded: event("download"), qa.DialogShown: event("dialog"), qa.PopupOpened: event("popup"),
	}
}

// watched waits for the time in which something absent may still appear.
const watched = "await page.waitForTimeout(1000);"

func requestMade(w *writer, a qa.Assertion, _, limit string) ([]string, error) {
	w.needs["requests"] = true
	of, r, err := request(a.Expected)
	if err != nil {
		return nil, err
	}
	came, err := outcome(r.Outcome)
	lines := poll("() => "+w.window()+".some((r) => "+of+came+")", "a request "+a.Expected, limit, fmt.Sprintf(".toBe(%t)", !a.Not))
	if a.Not {
		lines = append([]string{watched}, lines...)
	}
	return lines, err
}

// response compares the status of the newest answer. No answer is neither right
// nor wrong.
func response(w *writer, a qa.Assertion, _, limit string) ([]string, error) {
	status, message := "answers.at(-1)", "status of the page"
	if a.URL == "" {
		w.needs["answers"] = true
	} else {
		w.needs["requests"] = true
		of, _, err := request(a.URL)
		if err != nil {
			return nil, err
		}
		status, message = w.window()+".filter((r) => "+of+" && (r.failed || r.status > 0)).at(-1)?.status", "status of "+a.URL
	}
	right := "status >= 200 && status <= 299"
	if a.Type == qa.ResponseStatus {
		n, err := strconv.Atoi(a.Expected)
		if err != nil || !a.Not {
			return poll("() => "+status, message, limit, fmt.Sprintf(".toBe(%d)", n)), err
		}
		right = fmt.Sprintf("status === %d", n)
	}
	return pollHelper("() => { const status = "+status+"; return !status ? 'no answer' : "+right+" ? 'yes' : 'no'; }", message, limit, a), nil
}

// fileName returns a regular expression for the name of a file, in which * and ? may
// stand for letters.
func fileName(name string) string {
	glob := strings.NewReplacer(`\*`, "[^/]*", `\?`, "[^/]").Replace(regexp.QuoteMeta(name))
	return "new RegExp(" + quote("^(?:"+regexp.QuoteMeta(name)+"|"+glob+")$") + ")"
}

// event compares what the last act brought.
func event(kind string) assertionWriter {
	return func(w *writer, a qa.Assertion, _, limit string) ([]string, error) {
		w.needs["happened"] = true
		fits := ""
		switch {
		case a.Expected == "":
		case kind == "popup":
			re, err := addressExpression(a.Expected)
			if err != nil {
				return nil, err
			}
			fits = " && " + re + ".test(h.text())"
		case kind == "download":
			fits = " && " + fileName(a.Expected) + ".test(h.text())"
		default:
			fits = ` && h.text().replace(/\s+/g, ' ').includes(` + quote(strings.Join(strings.Fields(a.Expected), " ")) + ")"
		}
		if a.Attribute != "" {
			fits += " && h.dialog === " + quote(a.Attribute)
		}
		lines := poll("() => happened.slice(brought).some((h) => h.kind === "+quote(kind)+fits+")", "a "+kind+" "+a.Expected, limit, fmt.Sprintf(".toBe(%t)", !a.Not))
		if a.Not {
			lines = append([]string{watched}, lines...)
		}
		return lines, nil
	}
}
