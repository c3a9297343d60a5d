package prove

import (
	"slices"

	"github.com/assay-qa/assay/author/testrun"
)

// plan says which test runs under which mutant, and when.
type plan struct {
	all   []*planned // in the order in which they ran
	tests []*planned // those with mutants

	recalled int // mutants whose outcomes an earlier proof has found
}

// planned is one test with its mutants.
type planned struct {
	control testrun.Test
	record  record
	tried   []Tried            // its mutants
	reds    []red              // runs without a mutant in which it failed
	greens  int                // and those in which it did not
	alone   bool               // it is proved while no other test runs
	reason  string             // why it can't be proved
	blind   bool               // it can't fail, for that reason
	before  []testrun.Location // of expectations that hooks have before the test itself
}

// red is a run without a mutant in which a test failed.
type red struct {
	block int // of mutants that came before it; -1: none
	why   string
}

// newPlan chooses mutants for the tests that passed the control run.
func newPlan(green testrun.Result, records map[string]record, seed int64, most int, again []Test) *plan {
	p := &plan{}
	for _, t := range green.Tests {
		if t.Project != control { // what the tests depend on
			continue
		}
		one := &planned{control: t, record: records[recordKey(t)]}
		one.findHooks()
		p.all = append(p.all, one)
		switch {
		case t.Expected == "failed" && t.Status == "failed":
			one.reason, one.blind = "it is marked to fail: it is green while it fails, whatever the page does", true
		case t.Expected != "passed" || t.Status == "skipped":
			one.reason = "the test is marked to be skipped or to fail"
		case t.Status != "passed":
			one.reason = "the test fails on the page as it is"
			if why := t.Why(); why != "" {
				one.reason += ": " + why
			}
		case len(one.record.Ops) == 0:
			one.reason = "the test does nothing with a page"
		default:
			p.tests = append(p.tests, one)
		}
	}
	for _, t := range p.tests {
		for _, m := range choose(t.record, ownOnes(t.record, mutantsOf(t.record, t.limits()[""])), seed, most, noticed(again, t.control)) {
			t.tried = append(t.tried, Tried{Mutant: m, Outcome: Open})
		}
	}
	p.tests = slices.DeleteFunc(p.tests, func(t *planned) bool {
		if len(t.tried) == 0 {
			t.reason = "nothing that the test does or looks at can be changed"
		}
		return len(t.tried) == 0
	})
	return p
}

// ownOnes leaves out the mutants of what hooks do before a test, where there are faults of what it
// does itself: they tell nothing of it.
func ownOnes(r record, all []Mutant) []Mutant {
	if !slices.ContainsFunc(all, func(m Mutant) bool { return m.Class != Equivalent && !r.ofHooks(m) }) {
		return all
	}
	return slices.DeleteFunc(all, r.ofHooks)
}

// findHooks finds what was called before the test itself began: in the first step of all,
// which has the hooks before it.
func (t *planned) findHooks() {
	next := 0
	for i, s := range t.control.Steps {
		if i == 0 && s.Category != "hook" || i > 0 && s.Depth == 0 {
			break
		}
		if s.Location == nil {
			continue
		}
		if s.Category == "expect" {
			t.before = append(t.before, *s.Location)
		}
		for n := next; n < len(t.record.Ops); n++ {
			if same(t.record.Ops[n].At, s.Location) {
				next = n + 1
				break
			}
		}
	}
	for i := range t.record.Ops[:next] {
		t.record.Ops[i].hook = true
	}
	for _, s := range t.control.Steps { // what the test calls itself, too, counts as its own
		if s.Category == "expect" && s.Depth == 0 {
			t.before = slices.DeleteFunc(t.before, func(l testrun.Location) bool { return same(&l, s.Location) })
		}
	}
}

// ofHook reports whether a place is that of an expectation of a hook.
func (t *planned) ofHook(at *testrun.Location) bool {
	return slices.ContainsFunc(t.before, func(l testrun.Location) bool { return same(&l, at) })
}

// whole is the limit of a test in all: that of one which waits by a loop of its own.
const whole = "whole"

// limits says how many milliseconds each call of a test may take under a mutant: as
// long as in the control run, some times over. "" is that of all others.
func (t *planned) limits() map[string]int64 {
	out := map[string]int64{"": leastStepMS}
	for _, o := range t.record.Ops {
		out[o.Key] = max(out[o.Key], leastStepMS, controlTimes*o.MS)
		out[""] = max(out[""], out[o.Key])
	}
	for key, ms := range t.record.Waits {
		out[key] = max(leastStepMS, controlTimes*ms)
	}
	out[whole] = leastTestMS + controlTimes*t.control.DurationMS
	return out
}
