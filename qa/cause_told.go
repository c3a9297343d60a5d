package qa

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa/code"
)

// What is told of how something ended follows from its cause, and is made here alone: the
// status, the word that an answer begins with, the exit code, the look, the title, and what
// to do next. Views arrange it, and decide nothing. No text is read for it.

// Status returns what the check alone makes of a run.
func (c Check) Status() Status { return c.Ended().Ending.Status() }

// Status returns what the comparison alone makes of a run.
func (o Outcome) Status() Status { return CauseOf(o.Passed, o.Facts).Ending.Status() }

// StatusOf returns the status of a whole of which something failed, or could not be judged.
func StatusOf(failed, open bool) Status {
	switch {
	case failed:
		return Failed
	case open:
		return Inconclusive
	default:
		return Passed
	}
}

// Worse returns the graver of two statuses. One that is not known is inconclusive.
func (s Status) Worse(other Status) Status {
	return StatusOf(s == Failed || other == Failed, s != Passed || other != Passed)
}

// Told picks what is told of a status. One that is not known is told as inconclusive.
func Told[T any](s Status, passed, failed, open T) T {
	switch s {
	case Passed:
		return passed
	case Failed:
		return failed
	default:
		return open
	}
}

// Shouted returns the word that an answer begins with.
func (s Status) Shouted() string { return Told(s, "PASSED", "FAILED", "INCONCLUSIVE") }

// ExitCode returns the code with which a command ends whose verdict it is.
func (s Status) ExitCode() int { return Told(s, 0, 1, 1) }

// Look names how a status is shown, beside its word: a colour is never all that tells it.
type Look struct {
	Class string // of the report's style sheets
	Sign  string // one character
	Word  string
	Emoji string // where a host renders Markdown
}

// Look returns how a status is shown.
func (s Status) Look() Look {
	return Told(s, Look{"good", "✓", "Passed", "✅"}, Look{"bad", "✕", "Failed", "❌"}, Look{"open", "?", "Inconclusive", "⚠️"})
}

// Tally counts checks by how they ended.
type Tally struct{ Passed, Failed, Open int }

// TallyOf counts checks.
func TallyOf(checks []Check) (t Tally) {
	for _, c := range checks {
		*Told(c.Status(), &t.Passed, &t.Failed, &t.Open)++
	}
	return t
}

// All returns how many were counted.
func (t Tally) All() int { return t.Passed + t.Failed + t.Open }

// Line says the count in words. Its numbers add up to those of all that were counted.
func (t Tally) Line() string {
	said := []string{fmt.Sprintf("%d of %s passed", t.Passed, text.Count(t.All(), "check"))}
	if t.Failed > 0 {
		said = append(said, fmt.Sprintf("%d failed", t.Failed))
	}
	if t.Open > 0 {
		said = append(said, fmt.Sprintf("%d could not be judged", t.Open))
	}
	return strings.Join(said, ", ")
}

// Interruption returns how an ending that is neither way keeps a run from passing.
func (e Ending) Interruption() InterruptionKind {
	switch e {
	case NeedsPerson:
		return NeedsHuman
	case Gone:
		return Crashed
	default:
		return NotExecuted
	}
}

// Said returns what an ending that is neither way is called, before what it is about.
func (e Ending) Said() string {
	switch e {
	case Misset:
		return "Not judged, as something is set wrong"
	case Guarded:
		return "Not judged, as a rule stopped it"
	case NeedsPerson:
		return "A person has to decide"
	case Gone:
		return "Not judged, as the page was lost"
	default:
		return "Not judged"
	}
}

// Next says what to do about it; "" where the facts say nothing of that.
func (c Cause) Next() string {
	switch {
	case c.Ending == Holds:
		return ""
	case c.Approvable != "":
		return c.approve()
	case c.Hint != "":
		return c.Hint
	case code.Net(c.Net).Hint != "":
		return code.Net(c.Net).Hint
	default:
		return ""
	}
}

// approve says which picture a person decides about, and what makes it count.
func (c Cause) approve() string {
	command := Approving(c.Approvable)
	switch {
	case c.NoBaseline && c.Proposed:
		return "if this picture is wanted, a person approves it: " + command
	case c.NoBaseline:
		return "the next run compares with it; a person looks at it and approves it: " + command
	case c.Ending == NeedsPerson:
		return "a person looks at it and approves it: " + command
	default:
		return "if the change is wanted, a person approves it: " + command
	}
}

// Approving returns the command by which a person puts a version of a baseline in force.
func Approving(id string) string {
	return strings.TrimSpace("assay baseline approve " + id + ` --name "…" --reason "…"`)
}

// AsksToSignIn reports whether the site says that only who has signed in may see it.
func (f Facts) AsksToSignIn() bool { return f.Status == http.StatusUnauthorized }

// Why says why the check did not hold, or why it was not judged; "" where it held.
func (c Check) Why() pagetext.Text {
	ended := c.Ended()
	switch ended.Ending.Status() {
	case Passed:
		return ""
	case Failed:
		return c.compared()
	default:
		return pagetext.Sprintf("%s: %s", ended.Ending.Said(), cmp.Or(ended.Why, c.Observed))
	}
}

func (c Check) compared() pagetext.Text {
	return pagetext.Text("expected "+cmp.Or(c.Expected, "nothing")+", observed ") + cmp.Or(c.Observed, "nothing")
}

// FailedFirst returns the checks with the failed ones first, then those that were not judged.
func FailedFirst(checks []Check) []Check {
	out := slices.Clone(checks)
	sort.SliceStable(out, func(i, j int) bool { return Told(out[i].Status(), 2, 0, 1) < Told(out[j].Status(), 2, 0, 1) })
	return out
}
