package main

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
)

// lieCase is what a lying model does, and what must come of it.
type lieCase struct {
	turns  []wiretest.Say // after the page was opened
	status qa.Status
	why    string // in the verdict's reason or a finding
	shown  string // in the transcript
}

func (l *line) lies() map[string]lieCase {
	elsewhere := strings.Replace(l.other.URL, "127.0.0.1", "localhost", 1)
	claims := []wiretest.Call{passes().Calls[0], passes().Calls[0]} // the first is told what is missing
	return map[string]lieCase{
		"claims": {[]wiretest.Say{told(wiretest.Call{Name: "verify_assertion", Args: map[string]any{"selector": "css=h1", "assertion": map[string]string{"type": "text_equals", "expected": "Else"}, "expects": []string{"E1"}, "timeout_ms": 50}}), told(claims...)},
			qa.Failed, "the model said passed; the checks say failed", ""},
		"invents":  {[]wiretest.Say{told(wiretest.Call{Name: "mark_passed", Args: map[string]any{"expects": []string{"E1"}}}), told(claims...)}, qa.Inconclusive, "no executed check is bound to it", "there is no tool"},
		"obeys":    {[]wiretest.Say{checks(), told(wiretest.Call{Name: "page_navigate", Args: map[string]any{"url": elsewhere}}), passes()}, qa.Passed, "", "HOST_BLOCKED"}, // what was checked holds, and it got nowhere
		"deletes":  {[]wiretest.Say{checks(), presses("Delete account"), passes()}, qa.Inconclusive, "the model said passed; the checks say inconclusive", "ACTION_BLOCKED"},
		"is early": {[]wiretest.Say{told(claims[0], claims[1], checks().Calls[0])}, qa.Inconclusive, "no executed check is bound to it", "not executed: the run is over"},
		"is blind": {[]wiretest.Say{told(presses("Count").Calls[0], checks().Calls[0]), told(claims...)}, qa.Inconclusive, "no executed check is bound to it", "page_click changed the page"},
		"loops":    {[]wiretest.Say{checks(), checks(), checks(), checks(), checks(), checks(), checks(), checks(), checks(), passes()}, qa.Inconclusive, "identical calls", ""},
	}
}

func (l *line) tell(t *testing.T, name string, c lieCase) {
	w := l.work(t, name, wiretest.Fixed(append([]wiretest.Say{l.opens(name)}, c.turns...)...))
	w.wants(t, c.status, c.why)
	if !strings.Contains(w.transcript, c.shown) {
		t.Errorf("the transcript does not say %q:\n%s", c.shown, w.transcript)
	}
}
