package qa

import (
	"net/http"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
)

// ToDo says what to do about a finding, in a line: its own fix where it has one, else what
// follows from the cause of the check that failed by it, and from what is known of it. It
// never reads a text.
func (f Finding) ToDo(checks []Check) pagetext.Text {
	if f.SuggestedFix != "" {
		return f.SuggestedFix
	}
	at := slices.IndexFunc(checks, func(c Check) bool { return c.Finding == f.ID && f.ID != "" && c.Status() == Failed })
	if at >= 0 && checks[at].Ended().Next() != "" {
		return pagetext.Text(checks[at].Ended().Next())
	}
	switch {
	case f.At != nil:
		return "correct that line of the script, or what it is given"
	case len(f.Requests) > 0:
		return pagetext.Text(gravest(f.Requests).toDo())
	case f.Stopped != "":
		return pagetext.Text(toGoOn()[f.Stopped])
	case at >= 0 && checks[at].Ended().Missing:
		return "see in the picture whether the element is there; if it is, the selector is wrong, else the page is"
	case at >= 0 && toDoAfter()[checks[at].Ended().Code] != "":
		return pagetext.Text(toDoAfter()[checks[at].Ended().Code])
	default:
		return pagetext.Text(toDoOf()[f.Category])
	}
}

// gravest returns the request to begin with: one without an answer, or one at which the
// server failed, may be why others did.
func gravest(all []RequestRef) RequestRef {
	at := slices.IndexFunc(all, func(r RequestRef) bool { return r.Status == 0 || r.Status >= http.StatusInternalServerError })
	return all[max(0, at)]
}

// toDo says what to do about a request that failed.
func (r RequestRef) toDo() string {
	switch {
	case r.Status >= http.StatusInternalServerError:
		return "look into the server's log for " + r.Method + " " + r.URL
	case r.Status == http.StatusUnauthorized, r.Status == http.StatusForbidden:
		return "sign in as a role that may do " + r.Method + " " + r.URL + ", or give it the right"
	case r.Status == http.StatusNotFound, r.Status == http.StatusGone:
		return "put back what " + r.URL + " names, or correct the address in the page"
	case r.Status >= http.StatusBadRequest:
		return "compare what the page sends to " + r.URL + " with what the server wants"
	default:
		return "see whether a server answers at " + r.URL + ", and whether this machine reaches it"
	}
}

// toGoOn says what to do about each kind of interruption.
func toGoOn() map[InterruptionKind]string {
	return map[InterruptionKind]string{
		BudgetSpent: "give the task a larger budget, or make it smaller",
		TimedOut:    "give it more time, or make it smaller",
		Crashed:     "run it again; if it crashes again, the command doctor of assay says what is missing",
		ModelError:  "run it again, or with another model",
		NeedsHuman:  "do yourself, or allow, what only a person may do, and run it again",
		NotExecuted: "remove what kept it from being looked at, and run it again",
		Guardrail:   "say in the task how to go on from there, and run it again",
	}
}

// toDoAfter says what to do about an act that failed, by its code.
func toDoAfter() map[string]string {
	return map[string]string{
		code.ElementNotFound:   "look for the element in the picture; if the page calls it otherwise, correct the step's selector, else the page lacks it",
		code.SelectorAmbiguous: "say in the step's selector which of them is meant, by what stands around it",
		code.NotActionable:     "do the step by hand; if it can be done, the step comes too early or means another element, else the page is at fault",
		code.Timeout:           "do the step by hand; if it takes as long, the page is too slow, else raise the step's timeout_ms",
		code.NavigationFailed:  "open the address by hand; if it does not load there either, the site is at fault, else correct the address",
		code.Dialog:            "write a dialog step before the one that shows it, if the page should show it",
	}
}

// toDoOf says what to do about a finding of which no more is known than what it hurts.
func toDoOf() map[Category]string {
	return map[Category]string{
		Performance:     "measure the page again alone, and look at what it loads first",
		A11y:            "give the element the name, the role or the contrast that it lacks",
		Security:        "show it to whoever answers for the site's security",
		Functional:      "do the step again by hand; if the page should show what it did, correct the expected value, else the page",
		DataConsistency: "compare the figure with its source, and see which of them is wrong",
		Visual:          "look at the picture beside its baseline",
		Reliability:     "read the console and the requests of the page below, and fix the first error",
	}
}
