package prove

import (
	"fmt"
	"slices"

	"github.com/assay-qa/assay/author/testrun"
)

// settle decides what holds of the outcomes of a pass, as the control runs say, and returns
// those that it changed. A test that has failed beside others is tried again, alone.
func (t *planned) settle(beside, interrupted bool) (changed []int) {
	set := func(i int, o Outcome, why string) {
		t.tried[i] = Tried{Mutant: t.tried[i].Mutant, Outcome: o, Why: why}
		changed = append(changed, i)
	}
	for i, m := range t.tried {
		block := i / blockOfSlots
		near := slices.IndexFunc(t.reds, func(r red) bool { return r.block < 0 || r.block == block || r.block == block-1 })
		switch {
		case beside && len(t.reds) > 0:
			if m.Outcome != Open {
				set(i, Open, "")
			}
		case near >= 0 && !beside:
			set(i, Invalid, "the test was red without the mutant, too: "+t.reds[near].why)
		case m.Outcome == Open && !beside && !interrupted && len(t.reds) > 0:
			set(i, Invalid, "the test was red without a mutant: "+t.reds[0].why)
		case m.Outcome == Open && !beside && !interrupted:
			set(i, Invalid, "the test was not run")
		}
	}
	if !beside && len(t.reds) > 0 && t.greens == 0 {
		t.reason = "it is green once, and red when it runs again: it leaves something behind that it fails on: " + t.reds[0].why
	}
	return changed
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
			if m.Outcome == Open {
				t.Open++
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
		if m.Class == Equivalent || m.Outcome == Invalid || m.Outcome == Open {
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
	open := t.open()
	switch {
	case open > 0 && (strong == 0 || acts > 0 && noticed == 0):
		return Unproved, fmt.Sprintf("%d of %d mutants were not tried yet", open, len(t.tried))
	case valid == 0 && len(t.reds) > 0:
		return Unproved, fmt.Sprintf("red without a mutant in %d of %d runs, the first time with: %s", len(t.reds), len(t.reds)+t.greens, t.reds[0].why)
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
			valid := m.Outcome != Invalid && m.Outcome != Open && m.Class != Equivalent
			a.Tried = a.Tried || valid && (!looked || same(m.At, s.Location))
		}
		out = append(out, a)
	}
	return out
}

func same(a, b *testrun.Location) bool {
	return a != nil && b != nil && a.File == b.File && a.Line == b.Line
}
