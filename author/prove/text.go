package prove

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Text says what was proved, for a person.
func (r Report) Text(root string) string {
	var b strings.Builder
	for _, t := range r.Tests {
		t.write(&b, root)
	}
	for _, e := range r.Errors {
		fmt.Fprintf(&b, "failed  %s\n", e)
	}
	b.WriteString(r.Table())
	for _, o := range r.Others {
		fmt.Fprintf(&b, "another control  %s\n", o.Text(root))
	}
	if r.Interrupted {
		fmt.Fprintf(&b, "not through: %d mutants were not tried\n", r.Open)
	}
	return b.String()
}

func (t Test) write(b *strings.Builder, root string) {
	where := place(Mutant{At: t.at()})
	if t.Source != "" {
		where = t.Source
	}
	fmt.Fprintf(b, "%s  %s  %s\n    %s; %s\n", t.Verdict, t.Title, short(root, where), t.Reason, t.rate())
	for _, m := range t.Mutants {
		switch m.Outcome {
		case Survived:
			fmt.Fprintf(b, "    not noticed: %s %s (%s)%s\n", m.Class, m.Kind, m.ID, m.about(t, root))
		case Brittle:
			fmt.Fprintf(b, "    fails without a fault: %s (%s): %s\n", m.Kind, m.ID, m.Why)
		}
	}
	for _, a := range t.Assertions {
		if a.Useless() && t.Source == "" {
			fmt.Fprintf(b, "    noticed nothing: %s:%d  %s%s\n", short(root, a.File), a.Line, a.Title, a.why())
		}
	}
}

// why says why an assertion notices nothing, where that is known.
func (a Assertion) why() string {
	switch {
	case a.Pending:
		return " (the test does not await it)"
	case a.Caught:
		return " (it fails, and the test catches that)"
	}
	return ""
}

// rate tells how many of the mutants that reached the page were killed, and how.
func (t Test) rate() string {
	sum := Sum(t.Classes)
	killed, of := sum.Rate()
	return fmt.Sprintf("%d of %d mutants killed, %d by an expectation and %d by a time-out", killed, of, sum.Strong, sum.Weak)
}

// about says which step of the test a mutant is about.
func (t Tried) about(of Test, root string) string {
	switch {
	case t.Step == "":
		return ""
	case of.Source != "": // the test that was made of it is gone
		return ": " + t.Step
	}
	return fmt.Sprintf(": %s  %s", t.Step, short(root, place(t.Mutant)))
}

// Table says how many mutants of which class were killed.
func (r Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-14s %8s %8s %10s %8s %6s\n", "class", "killed", "weakly", "survived", "invalid", "rate")
	row := func(name string, c Count) {
		killed, of := c.Rate()
		rate := "–"
		if of > 0 {
			rate = fmt.Sprintf("%d %%", 100*killed/of)
		}
		fmt.Fprintf(&b, "%-14s %8d %8d %10d %8d %6s\n", name, c.Strong, c.Weak, c.Survived, c.Invalid, rate)
	}
	for _, class := range Classes() {
		row(string(class), r.Classes[class])
	}
	row("all", Sum(r.Classes))
	fmt.Fprintf(&b, "equivalent changes: %d passed, %d failed wrongly\n", r.Tolerant, r.Brittle)
	return b.String()
}

func short(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return path
}
