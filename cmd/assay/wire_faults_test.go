package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
)

// told is a turn that says what it took.
func told(calls ...wiretest.Call) wiretest.Say {
	return wiretest.Say{Calls: calls, Input: 1000, Output: 10}
}

// struck is a turn that a fault strikes.
func struck(s wiretest.Say, f wiretest.Fault) wiretest.Say {
	s.Fault = f
	return s
}

// The turns of a model that works as it should. Half of the check's arguments
// are a check themselves, and half of the final answer is one without its finding.
func (l *line) opens(name string) wiretest.Say {
	return told(wiretest.Call{Name: "page_navigate", Args: map[string]any{"url": l.till.site.URL + "/" + dashed(name)}})
}

func checks() wiretest.Say {
	return told(wiretest.Call{Name: "verify_assertion", Raw: `{"expects":["E1"],` + strings.Repeat(" ", 200) + `"timeout_ms":1000}`})
}

func presses(button string) wiretest.Say {
	return told(wiretest.Call{Name: "page_click", Args: map[string]any{"selector": `button "` + button + `"`}})
}

func passes() wiretest.Say { return told(ends("all is well")) }

const findsFault = `{"summary":"one fault","status":"passed","findings":[{"severity":"major","category":"functional","assertion":"the logo is there","expected":"a logo","observed":"the logo is missing","suggested_fix":"","confidence":1}]}`

func complains() wiretest.Say { return told(wiretest.Call{Name: "run_finish", Raw: findsFault}) }

// struckCase is a fault, where it strikes, and what must come of it.
type struckCase struct {
	turns   []wiretest.Say // after the page was opened
	status  qa.Status
	why     string
	retries int
	paid    int // turns that took tokens
	checks  int
	presses int
	outage  bool
}

// faultCases are what must come of each fault on a wire. What may be gone the
// next time strikes before the check, and what lasts behind it: a check that
// passed must not hide it.
func faultCases(w wiretest.Wire) map[string]struckCase {
	again := func(f wiretest.Fault) struckCase {
		return struckCase{turns: []wiretest.Say{struck(checks(), f), passes()}, status: qa.Passed, retries: 1, paid: 3, checks: 1}
	}
	lasts := func(f wiretest.Fault, why string, paid int) struckCase {
		return struckCase{turns: []wiretest.Say{checks(), struck(passes(), f)}, status: qa.Inconclusive, why: why, paid: paid, checks: 1}
	}
	cases := map[string]struckCase{
		"429": again(wiretest.RateLimit), "529": again(wiretest.Overload), "500": again(wiretest.ServerError), "cut": again(wiretest.Cut),
		"slow": again(wiretest.Slow), "malformed": again(wiretest.Malformed), "bad-call": again(wiretest.BadCall),
		"401": lasts(wiretest.WrongKey, "unauthorised", 2), "refusal": lasts(wiretest.Refusal, "refused", 3),
		"truncated":    {turns: []wiretest.Say{struck(checks(), wiretest.Truncated), passes()}, status: qa.Passed, paid: 4, checks: 1},
		"duplicate-id": {turns: []wiretest.Say{struck(checks(), wiretest.DuplicateID), passes()}, status: qa.Passed, paid: 3, checks: 2},
		"empty":        {turns: []wiretest.Say{struck(told(), wiretest.Empty), checks(), passes()}, status: qa.Passed, paid: 4, checks: 1},
		"max-tokens": {turns: []wiretest.Say{struck(told(presses("Count").Calls[0], checks().Calls[0]), wiretest.MaxTokens), presses("Count"), checks(), passes()},
			status: qa.Passed, paid: 5, checks: 1, presses: 1},
		"safety-pending": {turns: []wiretest.Say{struck(checks(), wiretest.SafetyPending), passes()}, status: qa.Inconclusive, why: "needs-human", paid: 2},
		// of the same kinds
		"outage":                   {turns: []wiretest.Say{checks(), {Calls: passes().Calls, Fault: wiretest.Overload, Times: 9}}, status: qa.Inconclusive, why: "asked 4 times", retries: 3, paid: 2, checks: 1, outage: true},
		"truncated at last":        {turns: []wiretest.Say{checks(), struck(complains(), wiretest.Truncated)}, status: qa.Failed, why: "the logo is missing", paid: 4, checks: 1},
		"max-tokens at last":       {turns: []wiretest.Say{checks(), {Final: []byte(findsFault), Input: 1000, Output: 10, Fault: wiretest.MaxTokens}, complains()}, status: qa.Failed, why: "the logo is missing", paid: 4, checks: 1},
		"max-tokens at the screen": {turns: []wiretest.Say{{Computer: []wiretest.Action{{Kind: "click", X: 40, Y: 120}}, Input: 1000, Output: 10, Fault: wiretest.MaxTokens}, checks(), passes()}, status: qa.Passed, paid: 4, checks: 1},
		"empty at the screen":      {turns: []wiretest.Say{{Computer: []wiretest.Action{{Kind: "click", X: 900, Y: 600}}, Input: 1000, Output: 10}, struck(told(), wiretest.Empty), checks(), passes()}, status: qa.Passed, paid: 5, checks: 1},
		"max-tokens always":        {turns: []wiretest.Say{struck(checks(), wiretest.MaxTokens), struck(checks(), wiretest.MaxTokens), struck(checks(), wiretest.MaxTokens), passes()}, status: qa.Inconclusive, why: "3 turns in a row", paid: 4},
		"empty always":             {turns: []wiretest.Say{struck(told(), wiretest.Empty), struck(told(), wiretest.Empty), struck(told(), wiretest.Empty), passes()}, status: qa.Inconclusive, why: "3 turns in a row", paid: 4},
	}
	if w == wiretest.OpenAI || w == wiretest.Azure || w == wiretest.Gemini { // the provider's word for it comes as a turn, which takes tokens
		c := cases["bad-call"]
		c.paid++
		cases["bad-call"] = c
	}
	switch c := cases["safety-pending"]; w {
	case wiretest.Anthropic: // the model asks in a text: it is told what is missing, and says that all is well
		c.why, c.paid = "no executed check is bound to it", 3
		cases["safety-pending"] = c
	case wiretest.Chat: // has no word for it: the turn comes as it is
		c.status, c.why, c.paid, c.checks = qa.Passed, "", 3, 1
		cases["safety-pending"] = c
	}
	return cases
}

// E4, D6, promise 1: whatever goes wrong on whatever wire, and whatever a model
// says there, the verdict is right, what it took is counted, and the protocol is
// kept. make test has every second fault and each lie on one wire; make soak has all on all.
// Each wire's own faults are those of agent/WIRE, and the loop's of package agent.
func TestEveryWireToTheRightVerdict(t *testing.T) {
	t.Parallel()
	all := lines(t)
	for i, l := range all {
		sampled := func(j, every int) bool {
			return j%every == 0 && j/every%len(all) == i || os.Getenv("SOAK") != ""
		}
		t.Run(string(l.wire), func(t *testing.T) {
			t.Parallel() // they share nothing but the browser
			cases := faultCases(l.wire)
			for _, f := range wiretest.Faults() {
				if _, ok := cases[string(f)]; !ok {
					t.Errorf("%s has no case", f)
				}
			}
			for j, name := range slices.Sorted(maps.Keys(cases)) {
				if sampled(j, 2) {
					t.Run("fault "+name, func(t *testing.T) { l.strike(t, name, cases[name]) })
				}
			}
			lies := l.lies()
			for j, name := range slices.Sorted(maps.Keys(lies)) {
				if sampled(j, 1) {
					t.Run("lie "+name, func(t *testing.T) { l.tell(t, name, lies[name]) })
				}
			}
		})
	}
}

func (l *line) strike(t *testing.T, name string, c struckCase) {
	w := l.work(t, name, wiretest.Fixed(append([]wiretest.Say{l.opens(name)}, c.turns...)...))
	w.wants(t, c.status, c.why)
	if w.Retries != c.retries && (name != "slow" || w.Retries == 0) || len(w.waits) != w.Retries || strings.Count(w.transcript, "asked again after") != w.Retries || (w.Outage != nil) != c.outage {
		t.Errorf("%d retries, waited %v, outage %v; want %d, %t\n%s", w.Retries, w.waits, w.Outage, c.retries, c.outage, w.transcript)
	}
	if name == "429" && (len(w.waits) != 1 || w.waits[0] < time.Second) {
		t.Errorf("waited %v, and was told to wait a second", w.waits)
	}
	if took := w.Report.Costs; took.TokensInput != 1000*c.paid || took.TokensOutput != 10*c.paid {
		t.Errorf("%d and %d tokens, want %d turns\n%s", took.TokensInput, took.TokensOutput, c.paid, w.transcript)
	}
	if n := l.till.counts(dashed(name)); len(w.Report.Checks) != c.checks || n != c.presses {
		t.Errorf("%d checks and %d presses of the button, want %d and %d\n%s", len(w.Report.Checks), n, c.checks, c.presses, w.transcript)
	}
}
