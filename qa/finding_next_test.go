package qa_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// Every finding says what to do, whatever is known of it (33).
func TestEveryFindingSaysWhatToDo(t *testing.T) {
	t.Parallel()
	var all []qa.Finding
	for _, c := range qa.Categories() {
		all = append(all, qa.Finding{ID: "F1", Category: c})
	}
	for _, k := range []qa.InterruptionKind{qa.BudgetSpent, qa.TimedOut, qa.Crashed, qa.ModelError, qa.NeedsHuman, qa.NotExecuted, qa.Guardrail} {
		all = append(all, qa.Finding{Category: qa.Reliability, Stopped: k})
	}
	for _, f := range all {
		if f.ToDo(nil) == "" {
			t.Errorf("%s, stopped by %q: nothing is said of what to do", f.Category, f.Stopped)
		}
	}
}

// What to do follows from the cause: the finding's own fix, that of the check that failed by
// it, the place in a script, the gravest request; never from a text (33).
func TestWhatToDoFollowsFromTheCause(t *testing.T) {
	t.Parallel()
	refused := qa.Check{Finding: "F1", Kind: "page_loads"}
	refused.Take(qa.Outcome{Facts: qa.Facts{Code: "NAVIGATION_FAILED", Net: "ERR_CONNECTION_REFUSED"}})
	missing := qa.Check{Finding: "F1", Kind: "visible"}
	missing.Take(qa.Outcome{Facts: qa.Facts{Missing: true}})
	gone, failed := qa.RequestRef{Method: "GET", URL: "/logo.png", Status: 404}, qa.RequestRef{Method: "POST", URL: "/pay", Status: 500}
	for name, c := range map[string]struct {
		finding qa.Finding
		checks  []qa.Check
		want    string
	}{
		"its own fix":         {qa.Finding{ID: "F1", SuggestedFix: "add it up", At: &qa.Place{}}, nil, "add it up"},
		"that of its check":   {qa.Finding{ID: "F1"}, []qa.Check{refused}, refused.Ended().Next()},
		"of another's check":  {qa.Finding{ID: "F2", Requests: []qa.RequestRef{gone}}, []qa.Check{refused}, "/logo.png names"},
		"a place in a script": {qa.Finding{ID: "F1", At: &qa.Place{}}, nil, "line of the script"},
		"the gravest request": {qa.Finding{ID: "F1", Requests: []qa.RequestRef{gone, failed}}, nil, "log for POST /pay"},
		"a request alone":     {qa.Finding{ID: "F1", Requests: []qa.RequestRef{{Method: "GET", URL: "/a", Status: 403}}}, nil, "role that may do GET /a"},
		"no answer":           {qa.Finding{ID: "F1", Requests: []qa.RequestRef{gone, {Method: "GET", URL: "/b"}}}, nil, "answers at /b"},
		"an element":          {qa.Finding{ID: "F1", Category: qa.Functional}, []qa.Check{missing}, "whether the element is there"},
		"nothing but a kind":  {qa.Finding{ID: "F1", Category: qa.Functional}, nil, "by hand"},
	} {
		if got := string(c.finding.ToDo(c.checks)); c.want == "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want it to have %q", name, got, c.want)
		}
	}
}

// An act that failed has no expected value to correct: each code that fails a step says what to
// do about it (33).
func TestWhatToDoAfterAnActFollowsFromItsCode(t *testing.T) {
	t.Parallel()
	unknown := qa.Finding{Category: qa.Functional}.ToDo(nil)
	failing := 0
	for _, c := range []string{code.ElementNotFound, code.SelectorAmbiguous, code.NotActionable, code.Timeout, code.NavigationFailed, code.HostBlocked, code.ActionBlocked, code.NeedsHuman,
		code.PageCrashed, code.TabClosed, code.BrowserCrashed, code.Dialog, code.Drift, code.Internal} {
		click := qa.Check{Finding: "F1", Kind: "click"}
		click.Take(qa.Outcome{Facts: qa.Facts{Code: c}})
		if click.Status() != qa.Failed {
			continue
		}
		failing++
		if got := (qa.Finding{ID: "F1", Category: qa.Functional}).ToDo([]qa.Check{click}); got == unknown {
			t.Errorf("a click that ended with %s: what to do is %q, as of a finding of which nothing is known", c, got)
		}
	}
	if failing < 4 {
		t.Errorf("%d codes fail a step", failing)
	}
}
