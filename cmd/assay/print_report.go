package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// printReport prints the verdict on a subject, each check, and whatever else was found.
// A fault that several checks met is printed once.
func printReport(a *app, subject string, r qa.QAReport, dir string) {
	fmt.Fprintf(a.stdout, "%s%s  %s\n", a.mark(r.Status), r.Status, subject)
	said := map[string]bool{} // findings that a printed check stands for
	failed := false
	for _, c := range r.Checks {
		if c.Status() != qa.Passed {
			if c.Kind == "console_errors" && (allFound(c.Observed, r.Findings) || toldElsewhere(c, r)) {
				continue // the findings themselves are printed below, or by the check that they are of
			}
			failed = failed || c.Status() == qa.Failed
			said[c.Finding] = c.Finding != ""
			if repeatsAnother(c, r.Checks) {
				continue
			}
		}
		if i := slices.IndexFunc(r.Findings, func(f qa.Finding) bool { return c.Status() == qa.Failed && c.Kind == "page_loads" && f.ID == c.Finding }); i >= 0 {
			c.Observed = r.Findings[i].Headline() // in words, and not those of the browser
		}
		printCheck(a, c)
		if c.Kind == "http_status" && c.Ended().AsksToSignIn() {
			fmt.Fprintln(a.stdout, a.style.Wrap("  ", signInHint))
		}
	}
	for _, f := range r.Findings {
		if said[f.ID] || f.RepeatsCheck(r.Checks) || consoleRepeats(f.Observed, r.Checks) || interrupts(f, r) {
			continue
		}
		failed = failed || f.Severity.Fails()
		fmt.Fprintln(a.stdout, a.style.Wrap("  ", fmt.Sprintf("%s: %s", f.Severity, pagetext.Terminal(f.Headline()))))
		if f.At != nil {
			fmt.Fprintln(a.stdout, a.style.Wrap("    ", "thrown at "+pagetext.Terminal(pagetext.Text(f.At.String()))))
		}
	}
	if r.Status != qa.Passed && !failed {
		fmt.Fprintln(a.stdout, a.style.Wrap("  ", "why: "+pagetext.Terminal(r.StatusReason)))
	}
	fmt.Fprintf(a.stdout, "  report: %s\n", filepath.Join(dir, "report.html"))
}

// signInHint says how to look at a page that only those who have signed in may see.
const signInHint = "next: the page asks for a sign-in: name a role in a task or a flow and run that; assay login ROLE keeps the sign-in"

// interrupts reports whether a finding is the interruption that the verdict's reason names.
func interrupts(f qa.Finding, r qa.QAReport) bool {
	kind, detail, ok := f.Observed.Cut(": ")
	return ok && f.Severity == qa.Info && f.Source == qa.SourceRule && r.StatusReason.HasPrefix(kind+": ") && r.StatusReason.HasSuffix(": "+detail)
}

// printCheck prints a check in a line.
func printCheck(a *app, c qa.Check) {
	status, seen := c.Status(), observed(c)
	if c.Selector != "" {
		seen = pagetext.Text(c.Selector+": ") + seen
	}
	if status == qa.Failed && c.Kind != "page_loads" {
		seen += pagetext.Text(" (expected " + c.Expected + ")")
	}
	sign := qa.Told(status, "ok    ", "FAIL  ", "?     ")
	if a.style.Terminal {
		sign = a.mark(status)
	}
	fmt.Fprintln(a.stdout, a.style.Wrap("  ", fmt.Sprintf("%s%-16s %s", sign, c.Called(), pagetext.Terminal(seen))))
}

// observed returns what a check saw. A number of nothing is written as a word.
func observed(c qa.Check) pagetext.Text {
	if c.Status() == qa.Inconclusive {
		return c.Why()
	}
	rest, ok := c.Observed.CutPrefix("0")
	if c.Source != qa.SourceRule || !ok || rest != "" && rest[0] != ';' {
		return c.Observed
	}
	if c.Kind == "open_requests" {
		return "no open request" + rest
	}
	return "none" + rest
}

// repeatsAnother reports whether another failed check says more exactly what c says: the
// console repeats that a request failed, a failed request for the page is its status, and
// health lists what has checks of its own.
func repeatsAnother(c qa.Check, checks []qa.Check) bool {
	switch c.Kind {
	case "console_errors":
		return consoleRepeats(c.Observed, checks)
	case "error-page": // of a status that is a failed check: every such answer has one
		return slices.ContainsFunc(checks, func(other qa.Check) bool { return other.Kind == "http_status" && !other.Passed })
	case "failed_requests":
		return slices.ContainsFunc(checks, func(other qa.Check) bool {
			return other.Kind == "http_status" && !other.Passed && c.Observed.HasPrefix(pagetext.Text("1: GET "+c.Subject+" status ")+other.Observed)
		})
	case "health":
		for _, kind := range c.Observed.Split(", ") {
			if !slices.ContainsFunc(checks, func(other qa.Check) bool { return kind.Equal(other.Kind) && !other.Passed }) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// toldElsewhere reports whether the finding of a failed check is another one's: an exception,
// or that of another failed check.
func toldElsewhere(c qa.Check, r qa.QAReport) bool {
	return c.Status() == qa.Failed && slices.ContainsFunc(r.Findings, func(f qa.Finding) bool {
		return f.ID == c.Finding && (f.At != nil || slices.ContainsFunc(r.Checks, func(other qa.Check) bool { return other.ID != c.ID && f.RepeatsCheck([]qa.Check{other}) }))
	})
}

// allFound reports whether each message of the console is a finding of its own.
func allFound(messages pagetext.Text, findings []qa.Finding) bool {
	count, list, _ := messages.Cut(": ")
	n := 0
	for _, f := range findings {
		if f.Severity.Fails() && f.Observed != "" && list.Contains(f.Observed) {
			n++
		}
	}
	return count.Equal(fmt.Sprint(n))
}

// consoleRepeats reports whether messages of the console say no more than that requests
// failed, which a failed check names.
func consoleRepeats(messages pagetext.Text, checks []qa.Check) bool {
	count, list, ok := messages.Cut(": ")
	const request = "Failed to load resource: "
	return ok && count.Equal(fmt.Sprint(len(list.Split(request))-1)) && list.HasPrefix(request) &&
		slices.ContainsFunc(checks, func(c qa.Check) bool { return c.Kind == "failed_requests" && !c.Passed })
}
