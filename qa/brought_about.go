package qa

// Basis says on what a check that holds rests: whether anything that was done can have
// brought it about.
type Basis struct {
	Absence   bool // it holds because something is not there
	Neutral   bool // it is about the whole run, and proves nothing of an act
	Held      bool // it held already before the act that precedes it
	NeverSeen bool // nothing of the kind was seen in the run
	Unchanged bool // the caller says that it holds before the act and after it
}

// brought reports whether the check proves something beyond that nothing went wrong.
func (b Basis) brought() bool {
	return !b.Neutral && !b.NeverSeen && (!b.Held || b.Unchanged)
}

// BasisOf returns the basis of an assertion that holds.
func BasisOf(a Assertion, held, never, unchanged bool) Basis {
	return Basis{Absence: a.Absent(), Neutral: a.Type == ConsoleClean, Held: held, NeverSeen: never, Unchanged: unchanged}
}

// basis returns that of a check that holds. What is no assertion, such as a figure or a
// picture, was compared with something, and needs no act.
func (c Check) basis() Basis {
	a := Assertion{Type: AssertionType(c.Kind), Not: c.Not, Expected: c.Expected}
	if c.Assertion != nil {
		a = *c.Assertion
	}
	return BasisOf(a, c.Held, c.NeverSeen, c.Unchanged)
}

// NothingBroughtAbout returns why checks that hold prove nothing of what was done; empty
// where one of them does, or where none of them could.
func NothingBroughtAbout(all []Basis) string {
	held, never := false, false
	for _, b := range all {
		if b.brought() {
			return ""
		}
		held = held || b.Held && !b.Absence && !b.Neutral
		never = never || b.NeverSeen
	}
	switch {
	case held:
		return "nothing that was checked was brought about: it held already before the act that precedes it; check what the act changes, or say unchanged of a step after which nothing may change"
	case never:
		return "nothing was proved but the absence of what was never seen in this run, which a wrong name brings about too; check something that is there, or what was seen before it went"
	default:
		return ""
	}
}
