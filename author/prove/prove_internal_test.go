package prove

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/testrun"
)

// line is a place in a test.
func line(n int) *testrun.Location { return &testrun.Location{File: "/p/a.spec.ts", Line: n} }

// watched is a control run: a page is opened, a button pressed, and a text compared.
func watched() record {
	page := request{Method: "GET", Path: "/", Origin: "http://x", URL: "http://x/", Type: "document", Status: 200, Navigation: true, MIME: "text/html"}
	data := request{Method: "GET", Path: "/api", Origin: "http://x", Type: "fetch", Status: 200, Digest: "d1", Shape: &shape{List: 3, Varied: true, Numbers: true, Words: true}}
	newer := data
	newer.Digest = "d2"
	return record{Test: "/p/a.spec.ts\na", Ops: []op{
		{Key: "goto", N: 1, Kind: goTo, Method: "goto", At: line(3), OK: true, Requests: []request{page, {Method: "GET", Path: "/app.js", Origin: "http://x", Type: "script", Status: 200}, data}},
		{Key: "click", N: 1, Kind: act, Method: "click", Selector: "button", At: line(4), OK: true, MS: 1200, Elements: []target{{Tag: "button", Text: "Load", Type: "submit", Control: true}}, Requests: []request{newer, {Method: "POST", Path: "/api", Type: "fetch", Status: 200}}},
		{Key: "text", N: 1, Kind: expect, Method: "to.have.text", Selector: "#sum", At: line(5), OK: true, Expected: []string{"$42"}, Elements: []target{{Tag: "p", Text: "$42"}}},
		{Key: "none", N: 1, Kind: expect, Method: "to.be.visible", Selector: ".error", At: line(6), OK: true, Not: true},
	}}
}

// E7: mutants come from what a test does and looks at, and each class has its own.
func TestMutantsOfAControlRun(t *testing.T) {
	kinds := map[Class][]string{}
	for _, m := range mutantsOf(watched(), 2000) {
		kinds[m.Class] = append(kinds[m.Class], m.Kind)
	}
	for _, m := range mutantsOf(watched(), 2000) {
		if m.Kind == "other-data" && (!slices.Contains(m.spec.Keep, "$42") || !slices.Contains(m.spec.Keep, "button") || m.spec.Request != "GET /api") {
			t.Errorf("other data that the test names, or of another request: %+v", m.spec)
		}
	}
	want := map[Class][]string{
		Navigation:  {"answer 500", "answer 404", "answer 403"},
		Script:      {"script 500", "exception"},
		NoEffect:    {"swallowed", "write-dropped"},
		Missing:     {"removed", "disabled", "hidden", "covered", "removed"},
		WrongEffect: {"answer-empty", "answer-short", "answer-doubled", "answer-tenfold", "answer-unsorted", "stale", "answer-empty", "answer-short", "answer-doubled", "answer-tenfold", "answer-unsorted", "plus-one", "times-ten", "minus-one", "nan", "other-label", "emptied"},
		Equivalent:  {"other-data", "wrapped", "delayed", "attribute-order", "banner"},
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
}

// The same seed chooses the same mutants; each place that asserts has one, and the
// number is bounded.
func TestChoiceOfMutants(t *testing.T) {
	all := mutantsOf(watched(), 2000)
	first := choose(watched(), all, 7, 0, nil)
	if diff := cmp.Diff(first, choose(watched(), all, 7, 0, nil), cmp.AllowUnexported(Mutant{}, spec{})); diff != "" {
		t.Errorf("the same seed: %s", diff)
	}
	if cmp.Equal(first, choose(watched(), all, 8, 0, nil), cmp.AllowUnexported(Mutant{}, spec{})) {
		t.Error("another seed chooses the same")
	}
	if few := choose(watched(), all, 7, 3, nil); len(few) != 3+mostEqual {
		t.Errorf("%d mutants, and not 3 faults and %d others", len(few), mostEqual)
	}
	has := func(fits func(Mutant) bool) bool { return slices.ContainsFunc(first, fits) }
	if !has(func(m Mutant) bool { return !m.OfAct && m.At.Line == 5 }) || !has(func(m Mutant) bool { return m.Kind == "swallowed" }) {
		t.Errorf("no mutant of the expectation or of the act: %+v", first)
	}
	for class, n := range map[Class]int{Equivalent: mostEqual, Navigation: 1, Script: 1, WrongEffect: 1} {
		got := 0
		for _, m := range first {
			if m.Class == class {
				got++
			}
		}
		if got < n || len(first) > fewFaults+mostEqual {
			t.Errorf("%s: %d of %d mutants", class, got, len(first))
		}
	}
}

// E7: a mutant counts only if it reached the page; only an expectation kills strongly.
func TestOutcomes(t *testing.T) {
	no := false
	failed := testrun.Test{Status: "failed", Errors: []testrun.Failure{{Message: "boom"}}, Steps: []testrun.Step{{Category: "expect", Location: line(5), Error: &testrun.Failure{Message: "boom"}}}}
	timedOut := testrun.Test{Status: "failed", Errors: []testrun.Failure{{Message: "boom"}}, Steps: []testrun.Step{{Category: "pw:api", Error: &testrun.Failure{}}}}
	passed := testrun.Test{Status: "passed"}
	for name, c := range map[string]struct {
		class Class
		test  testrun.Test
		proof *proof
		want  Outcome
	}{
		"by an expectation":      {NoEffect, failed, &proof{Reached: true, Changed: 1}, Strong},
		"by a time-out":          {Missing, timedOut, &proof{Reached: true, Changed: 1}, Weak},
		"not at all":             {NoEffect, passed, &proof{Reached: true, Changed: 1}, Survived},
		"not watched":            {NoEffect, failed, nil, Invalid},
		"not reached":            {NoEffect, failed, &proof{Changed: 1}, Invalid},
		"nothing changed":        {NoEffect, failed, &proof{Reached: true}, Invalid},
		"could not be":           {NoEffect, failed, &proof{Reached: true, Changed: 1, Why: "gone"}, Invalid},
		"undone":                 {WrongEffect, passed, &proof{Reached: true, Changed: 1, Held: &no}, Invalid},
		"undone after the kill":  {WrongEffect, failed, &proof{Reached: true, Changed: 1, Held: &no}, Strong},
		"equivalent, as it must": {Equivalent, passed, &proof{Reached: true, Changed: 1}, Tolerant},
		"equivalent, brittle":    {Equivalent, failed, &proof{Reached: true, Changed: 1}, Brittle},
	} {
		tried := Tried{Mutant: Mutant{Class: c.class}}
		tried.judge(c.test, c.proof)
		if tried.Outcome != c.want {
			t.Errorf("%s: %s, not %s (%s)", name, tried.Outcome, c.want, tried.Why)
		}
	}
}

// A test that is red without a mutant, before or after, makes those between invalid.
func TestRedControlRunsCountForNothing(t *testing.T) {
	test := testrun.Test{Titles: []string{"a"}, Location: testrun.Location{File: "/p/a.spec.ts"}, Expected: "passed", Status: "passed", Project: control}
	p := newPlan(testrun.Result{Tests: []testrun.Test{test}}, map[string]record{recordKey(test): watched()}, 1, 0, nil)
	var result testrun.Result
	proofs := map[string]map[string]record{}
	for _, slot := range p.slots() {
		ran := test
		ran.Project = slot.Name
		if slot.Name == controlSlot(blockOfSlots) {
			ran.Status = "failed"
		}
		result.Tests = append(result.Tests, ran)
		proofs[slot.Name] = map[string]record{recordKey(test): {Proof: &proof{Reached: true, Changed: 1}}}
	}
	p.judge(result, proofs)
	for i, m := range p.tests[0].tried {
		red := i/blockOfSlots == 1 || i/blockOfSlots == 2 // before and after the red run
		if (m.Outcome == Invalid) != red {
			t.Errorf("mutant %d: %s (%s)", i, m.Outcome, m.Why)
		}
	}
}

// A test that acts has to notice what its acts do.
func TestVerdicts(t *testing.T) {
	tried := func(ofAct bool, class Class, o Outcome) Tried {
		return Tried{Mutant: Mutant{OfAct: ofAct, Class: class}, Outcome: o}
	}
	for name, c := range map[string]struct {
		tried []Tried
		want  Verdict
	}{
		"notices an act":         {[]Tried{tried(true, NoEffect, Strong)}, CanFail},
		"has no act":             {[]Tried{tried(false, WrongEffect, Strong)}, CanFail},
		"always there":           {[]Tried{tried(true, NoEffect, Survived), tried(false, Missing, Strong)}, CannotFail},
		"times out only":         {[]Tried{tried(true, NoEffect, Weak), tried(true, Missing, Weak)}, CannotFail},
		"notices nothing":        {[]Tried{tried(false, WrongEffect, Survived)}, CannotFail},
		"nothing reached it":     {[]Tried{tried(true, NoEffect, Invalid)}, Unproved},
		"equivalents are no say": {[]Tried{tried(false, Equivalent, Brittle)}, Unproved},
	} {
		if got, why := (&planned{tried: c.tried}).verdict(); got != c.want {
			t.Errorf("%s: %s (%s)", name, got, why)
		}
	}
}
