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
		for _, s := range test.Steps {
			if s.Category == "expect" && s.Error != nil {
				t.caught = s.Location
			}
		}
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
	if at := ownWord(test, p); at != nil {
		t.Outcome, t.KilledAt = Strong, at
	}
}

// ownWord returns where a test itself said that something is wrong, without an expectation of the
// runner: by a wait for a state, or by an error that it throws, as assertion libraries do. A hook's
// word is not the test's, and an error that JavaScript throws of itself says nothing.
func ownWord(test testrun.Test, p *proof) *testrun.Location {
	ofHook := func(s testrun.Step) bool { return s.Category == "hook" && s.Depth == 0 && s.Error != nil }
	switch {
	case test.Status != "failed" || len(test.Errors) == 0 || slices.ContainsFunc(test.Steps, ofHook):
		return nil
	case p.Waited != nil:
		return p.Waited
	case !p.Thrown || slices.ContainsFunc(test.Steps, func(s testrun.Step) bool { return s.Category == "pw:api" && s.Error != nil }):
		return nil
	}
	return test.Errors[0].Location
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

// verdict says whether the test can fail: one of its own expectations has to notice a fault
// of what it looks at, and, in a test that acts, that an act has no effect or a wrong one.
func (t *planned) verdict() (Verdict, string) {
	switch {
	case t.blind:
		return CannotFail, t.reason
	case t.reason != "":
		return Unproved, t.reason
	}
	e := t.weigh()
	open := t.open()
	switch {
	case e.strong > 0 && (e.acts == 0 || e.effects > 0) && !e.anywhere:
		return CanFail, fmt.Sprintf("its expectations noticed %d of %d mutants", e.strong, e.valid)
	case open > 0:
		return Unproved, fmt.Sprintf("%d of %d mutants were not tried yet", open, len(t.tried))
	case e.valid == 0 && len(t.reds) > 0:
		return Unproved, fmt.Sprintf("red without a mutant in %d of %d runs, the first time with: %s", len(t.reds), len(t.reds)+t.greens, t.reds[0].why)
	case e.valid == 0:
		return Unproved, "no mutant reached the page"
	case e.strong == 0 && e.hooks > 0:
		return CannotFail, fmt.Sprintf("no expectation of the test itself failed under any of %d mutants, but those of its hooks did", e.valid)
	case e.strong == 0 && e.present > 0:
		return CannotFail, fmt.Sprintf("its expectations notice that an element is gone, but nothing of what they compare, under any of %d mutants", e.valid)
	case e.strong == 0:
		return CannotFail, fmt.Sprintf("no expectation failed under any of %d mutants", e.valid)
	case e.anywhere:
		return CannotFail, "its expectations hold on another page as well"
	case e.typed > 0:
		return CannotFail, fmt.Sprintf("its expectations notice of its acts only that a field holds what the test has typed: %d of %d mutants of what they do", e.typed, e.acts)
	}
	return CannotFail, fmt.Sprintf("its expectations hold whether its acts have an effect or not: none of %d mutants of what they do was noticed", e.acts)
}

// tally counts what a verdict goes by.
type tally struct {
	valid    int  // mutants that reached the page
	strong   int  // those that an expectation of the test itself noticed
	hooks    int  // those that only an expectation of a hook noticed
	present  int  // those that an expectation noticed which notices none of what it compares
	acts     int  // mutants of what its acts do
	effects  int  // those of them that were noticed
	typed    int  // those that only a look at what the test itself has typed noticed
	anywhere bool // it does not act, and holds on another page
}

func (t *planned) weigh() (e tally) {
	others, elsewhere := 0, 0 // mutants that show another page, and those that were noticed
	typesOnly := true         // the test does nothing but fill fields
	for _, m := range t.tried {
		if m.Class == Equivalent || m.Outcome == Invalid {
			continue
		}
		if m.Outcome != Open { // which may still tell against the test
			e.valid++
		}
		effect := m.OfAct && m.Class != Missing && m.Class != Navigation && !t.record.ofHooks(m.Mutant)
		if effect {
			e.acts++
			typesOnly = typesOnly && m.Kind == inputIgnored
		}
		if m.Kind == otherPage {
			others++
		}
		switch {
		case m.Outcome != Strong:
			continue
		case t.ofHook(m.KilledAt):
			e.hooks++
			continue
		case t.comparesNothing(m.KilledAt):
			e.present++
			continue
		}
		e.strong++
		switch {
		case effect && t.isEcho(m.KilledAt):
			e.typed++
		case effect:
			e.effects++
		}
		if m.Kind == otherPage {
			elsewhere++
		}
	}
	e.anywhere = others > 0 && elsewhere == 0
	if typesOnly { // whether fields take what is typed is what it tests
		e.effects += e.typed
	}
	return e
}

// isEcho reports whether an expectation finds what the test itself has typed.
func (t *planned) isEcho(at *testrun.Location) bool {
	return slices.ContainsFunc(t.record.Ops, func(o op) bool { return o.Echo && same(o.At, at) })
}

// ofHooks reports whether a mutant is about what a hook does before the test itself.
func (r record) ofHooks(m Mutant) bool {
	return slices.ContainsFunc(r.Ops, func(o op) bool { return o.hook && o.Key == m.spec.Key && o.N == m.spec.N })
}

// comparesNothing reports whether an expectation noticed none of the wrong values of what it
// looks at, though there were some.
func (t *planned) comparesNothing(at *testrun.Location) bool {
	tried := false
	for _, m := range t.tried {
		if m.Class != WrongEffect || m.OfAct || !same(m.At, at) || m.Outcome == Invalid {
			continue
		}
		if m.Outcome == Strong && same(m.KilledAt, at) {
			return false
		}
		tried = true
	}
	return tried
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
			a.Pending = a.Pending || o.Kind == expect && o.Pending && same(o.At, s.Location)
		}
		for _, m := range t.tried {
			a.Caught = a.Caught || same(m.caught, s.Location)
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
