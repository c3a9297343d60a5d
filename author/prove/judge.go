package prove

import (
	"fmt"
	"slices"

	"github.com/assay-qa/assay/author/testrun"
)

// judge decides what came of each mutant.
func (p *plan) judge(result testrun.Result, proofs map[string]map[string]record) {
	ran := map[string]testrun.Test{}
	for _, t := range result.Tests {
		ran[t.Project+"\n"+recordKey(t)] = t
	}
	for _, t := range p.tests {
		key := recordKey(t.control)
		for i, m := range t.mutants {
			after, ok := ran[controlSlot(i)+"\n"+key]
			red := ok && after.Status != "passed"
			if i >= blockOfSlots {
				before, ok := ran[controlSlot(i-blockOfSlots)+"\n"+key]
				red = red || ok && before.Status != "passed"
			}
			test, isThere := ran[mutantSlot(i)+"\n"+key]
			tried := Tried{Mutant: m}
			switch {
			case !isThere || !ok:
				tried.Outcome, tried.Why = Invalid, "the test was not run"
			case red:
				tried.Outcome, tried.Why = Invalid, "the test was red without the mutant, too"
			default:
				tried.judge(test, proofs[mutantSlot(i)][key].Proof)
			}
			t.tried = append(t.tried, tried)
		}
	}
}

// judge decides on one run of a test, by what is known of the mutant's delivery.
func (t *Tried) judge(test testrun.Test, p *proof) {
	switch {
	case p == nil:
		t.Outcome, t.Why = Invalid, "it is not known whether the mutant reached the page"
		return
	case p.Why != "":
		t.Outcome, t.Why = Invalid, p.Why
		return
	case !p.Reached:
		t.Outcome, t.Why = Invalid, "the test did not come to the step"
		return
	case p.Changed == 0:
		t.Outcome, t.Why = Invalid, "nothing changed on the page"
		return
	}
	t.Before, t.After = p.Before, p.After
	passed := test.Status == "passed"
	if t.Class == Equivalent {
		t.Outcome = Tolerant
		if !passed {
			t.Outcome, t.Why = Brittle, firstError(test)
		}
		return
	}
	if passed {
		t.Outcome = Survived
		if p.Held != nil && !*p.Held {
			t.Outcome, t.Why = Invalid, "the page undid the change"
		}
		return
	}
	t.Outcome, t.Why = Weak, firstError(test)
	for _, s := range test.Steps {
		if s.Category == "expect" && s.Error != nil {
			t.Outcome, t.KilledAt = Strong, s.Location
			return
		}
	}
}

func firstError(t testrun.Test) string {
	if len(t.Errors) == 0 {
		return t.Status
	}
	text := t.Errors[0].Text()
	if len(text) > maxWhy {
		text = text[:maxWhy] + " …"
	}
	return text
}

const maxWhy = 300

// report says what was proved of each test.
func (p *plan) report() []Test {
	out := []Test{}
	for _, one := range p.all {
		t := Test{Title: one.control.Title(), File: one.control.Location.File, Line: one.control.Location.Line,
			Mutants: append([]Tried{}, one.tried...), Classes: map[Class]Count{}, Assertions: one.assertions(), Calls: one.record.calls()}
		for _, m := range one.tried {
			switch m.Outcome {
			case Tolerant:
				t.Tolerant++
			case Brittle:
				t.Brittle++
			}
			if m.Class != Equivalent {
				t.Classes[m.Class] = t.Classes[m.Class].plus(m.Outcome)
			}
			if m.OfAct && m.Class == NoEffect && (m.Outcome == Survived || m.Outcome == Weak) {
				t.Unnoticed = append(t.Unnoticed, m.Step)
			}
		}
		t.Verdict, t.Reason = one.verdict()
		out = append(out, t)
	}
	return out
}

// verdict says whether the test can fail: an expectation has to notice a fault, in a
// test that acts one of what its acts do.
func (t *planned) verdict() (Verdict, string) {
	if t.reason != "" {
		return Unproved, t.reason
	}
	valid, strong, acts, noticed := 0, 0, 0, 0
	for _, m := range t.tried {
		if m.Class == Equivalent || m.Outcome == Invalid {
			continue
		}
		valid++
		ofEffect := m.OfAct && m.Class != Missing
		if ofEffect {
			acts++
		}
		if m.Outcome == Strong {
			strong++
			if ofEffect {
				noticed++
			}
		}
	}
	switch {
	case valid == 0:
		return Unproved, "no mutant reached the page"
	case strong == 0:
		return CannotFail, fmt.Sprintf("no expectation failed under any of %d mutants", valid)
	case acts > 0 && noticed == 0:
		return CannotFail, fmt.Sprintf("its expectations hold whether its acts have an effect or not: none of %d mutants of what they do was noticed", acts)
	}
	return CanFail, fmt.Sprintf("its expectations noticed %d of %d mutants", strong, valid)
}

// assertions lists the expectations of the control run with what they noticed.
func (t *planned) assertions() []Assertion {
	out := []Assertion{}
	for _, s := range t.control.Steps {
		if s.Category != "expect" || s.Location == nil {
			continue
		}
		if slices.ContainsFunc(out, func(a Assertion) bool { return a.File == s.Location.File && a.Line == s.Location.Line }) {
			continue
		}
		a := Assertion{File: s.Location.File, Line: s.Location.Line, Title: s.Title, Kills: []string{}}
		looked := false
		for _, o := range t.record.Ops {
			looked = looked || o.Kind == expect && same(o.At, s.Location)
		}
		for _, m := range t.tried {
			if same(m.KilledAt, s.Location) {
				a.Kills = append(a.Kills, m.ID)
			}
			valid := m.Outcome != Invalid && m.Class != Equivalent
			a.Tried = a.Tried || valid && (!looked || same(m.At, s.Location))
		}
		out = append(out, a)
	}
	return out
}

func same(a, b *testrun.Location) bool {
	return a != nil && b != nil && a.File == b.File && a.Line == b.Line
}
