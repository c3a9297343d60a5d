package prove

import (
	"fmt"
	"slices"

	"github.com/assay-qa/assay/author/testrun"
)

// plan says which test runs under which mutant, and when.
type plan struct {
	all   []*planned // in the order in which they ran
	tests []*planned // those with mutants
}

// planned is one test with its mutants.
type planned struct {
	control testrun.Test
	record  record
	mutants []Mutant
	tried   []Tried
	reason  string // why it can't be proved
}

// newPlan chooses mutants for the tests that passed the control run.
func newPlan(green testrun.Result, records map[string]record, seed int64, most int, again []Test) *plan {
	p := &plan{}
	for _, t := range green.Tests {
		if t.Project != control { // what the tests depend on
			continue
		}
		one := &planned{control: t, record: records[recordKey(t)]}
		p.all = append(p.all, one)
		switch {
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
		t.mutants = choose(t.record, mutantsOf(t.record, t.limits()[""]), seed, most, noticed(again, t.control))
	}
	p.tests = slices.DeleteFunc(p.tests, func(t *planned) bool {
		if len(t.mutants) == 0 {
			t.reason = "nothing that the test does or looks at can be changed"
		}
		return len(t.mutants) == 0
	})
	return p
}

// limits says how many milliseconds each call of a test may take under a mutant: as
// long as in the control run, some times over. "" is that of all others.
func (t *planned) limits() map[string]int64 {
	out := map[string]int64{"": leastStepMS}
	for _, o := range t.record.Ops {
		out[o.Key] = max(out[o.Key], leastStepMS, controlTimes*o.MS)
		out[""] = max(out[""], out[o.Key])
	}
	return out
}

func (p *plan) limits() map[string]map[string]int64 {
	out := map[string]map[string]int64{}
	for _, t := range p.tests {
		out[recordKey(t.control)] = t.limits()
	}
	return out
}

func (p *plan) mutants() (n int) {
	for _, t := range p.tests {
		n += len(t.mutants)
	}
	return n
}

func mutantSlot(i int) string { return fmt.Sprintf("mutant-%02d", i+1) }

// controlSlot is the control run after the block of slots that has i.
func controlSlot(i int) string { return fmt.Sprintf("control-%02d", i/blockOfSlots+1) }

// slots lists the passes: a control run of its tests follows each block.
func (p *plan) slots() []testrun.Slot {
	var out []testrun.Slot
	most := 0
	for _, t := range p.tests {
		most = max(most, len(t.mutants))
	}
	for i := range most {
		out = append(out, testrun.Slot{Name: mutantSlot(i), Tests: p.with(i)})
		if (i+1)%blockOfSlots == 0 || i == most-1 {
			out = append(out, testrun.Slot{Name: controlSlot(i), Tests: p.with(i - i%blockOfSlots)})
		}
	}
	return out
}

// with lists the tests that have more than i mutants.
func (p *plan) with(i int) (out []testrun.SlotTest) {
	for _, t := range p.tests {
		if len(t.mutants) > i {
			out = append(out, testrun.SlotTest{File: t.control.Location.File, Titles: t.control.Titles})
		}
	}
	return out
}

// specs lists the mutants by slot and test, for the watch.
func (p *plan) specs() map[string]map[string]spec {
	out := map[string]map[string]spec{}
	for _, t := range p.tests {
		for i, m := range t.mutants {
			slot := mutantSlot(i)
			if out[slot] == nil {
				out[slot] = map[string]spec{}
			}
			out[slot][recordKey(t.control)] = m.spec
		}
	}
	return out
}
