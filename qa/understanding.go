package qa

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa/claim"
)

// Understanding says how an expectation was understood. All reports and
// answers have it from here.
type Understanding struct {
	ID        string     `json:"id"`
	Text      string     `json:"text"`
	As        string     `json:"as"`                  // one line: what it was understood as, or read as by whom, or why it was not understood
	Open      bool       `json:"open,omitempty"`      // it is not understood, and has no assertion
	Proposals []Proposal `json:"proposals,omitempty"` // what checks took it for; a person accepts one
}

// Understand says of each expectation what it was understood as. checks are those
// of the run, nil before there is one.
func Understand(expectations []Expectation, checks []Check) []Understanding {
	var out []Understanding
	for _, e := range expectations {
		out = append(out, e.understand(checks))
	}
	return out
}

// Understanding returns what the report's expectations were understood as; a report of
// an earlier version did not keep it.
func (r QAReport) Understanding() []Understanding {
	if r.Understood != nil {
		return r.Understood
	}
	return Understand(r.Task.Expectations, r.Checks)
}

func (e Expectation) understand(checks []Check) Understanding {
	u := e.understandText(checks)
	if e.AmendedFrom != "" {
		u.As += fmt.Sprintf("; worded anew by the caller, from %q, which was not understood", e.AmendedFrom)
	}
	return u
}

func (e Expectation) understandText(checks []Check) Understanding {
	u := Understanding{ID: e.ID, Text: e.Text}
	if e.Assertion != nil && e.outspoken() == nil {
		u.As = e.readBy() + e.Assertion.describe(e.Selector)
		if e.AcceptedBy != "" && !e.madeBy(checks) {
			u.Proposals, _ = e.proposals(checks)
		}
		return u
	}
	demands, err := Demands(e.Text)
	if err == nil {
		var means []string
		for _, d := range demands {
			means = append(means, fmt.Sprintf("%s (%s)", d.Means, cmp.Or(string(d.Assertion.Type), KPIKind)))
		}
		u.As = "understood as: " + strings.Join(means, "; ")
		if e.Assertion != nil {
			u.As += "; the caller's own assertion, " + e.Assertion.describe(e.Selector) + ", says something else and proves none of it"
		}
		return u
	}
	u.Open = true
	u.As = "not understood: " + err.Error()
	if unread := (*claim.Unread)(nil); errors.As(err, &unread) {
		u.As = fmt.Sprintf("not understood: %s; write for example: %s; or give it an assertion: %s", unread.Why, unread.Nearest, unread.Assertion)
	}
	var why string
	u.Proposals, why = e.proposals(checks)
	for _, p := range u.Proposals {
		u.As += fmt.Sprintf("; check %s took it for: %s, which proves nothing until a person accepts it", p.Check, p.As)
	}
	if len(u.Proposals) == 0 && why != "" {
		u.As += "; " + why
	}
	return u
}

// readBy says who read the text as the assertion.
func (e Expectation) readBy() string {
	switch {
	case e.Text == "":
		return "understood as: "
	case e.AcceptedBy != "":
		return "accepted by " + e.AcceptedBy + " as: "
	case e.ByCaller:
		return "read by the caller as: "
	default:
		return "written as: "
	}
}

// madeBy reports whether a check bound to the expectation made its assertion.
func (e Expectation) madeBy(checks []Check) bool {
	return slices.ContainsFunc(checks, func(c Check) bool { return slices.Contains(c.Expects, e.ID) && c.Proves(e) })
}

// proposals returns the assertions that were made for the expectation and hold, each
// once; why says of the last of the others what it lacks.
func (e Expectation) proposals(checks []Check) (out []Proposal, why string) {
	for _, c := range checks {
		if c.Assertion == nil || !c.Passed || !c.executed() || len(c.Void) > 0 || !slices.Contains(c.Expects, e.ID) {
			continue
		}
		if _, err := (Expectation{Text: e.Text, Assertion: c.Assertion, Selector: c.Selector}).Demands(); err != nil {
			why = fmt.Sprintf("check %s is no reading of it: %v", c.ID, err)
			continue
		}
		p := Proposal{Check: c.ID, Selector: c.Selector, Assertion: *c.Assertion,
			As: c.Assertion.describe(c.Selector)}
		if !slices.ContainsFunc(out, func(o Proposal) bool { return o.Selector == p.Selector && o.Assertion == p.Assertion }) {
			out = append(out, p)
		}
	}
	return out, why
}

// Needed reports whether the assertion of a check is kept with it: it is a
// proposal for one of the expectations that the check is bound to.
func (c Check) Needed(expectations []Expectation) bool {
	return c.Assertion != nil && slices.ContainsFunc(expectations, func(e Expectation) bool {
		if !slices.Contains(c.Expects, e.ID) {
			return false
		}
		if e.Assertion != nil {
			return e.AcceptedBy != "" && !c.Proves(e) // another reading than the one that was accepted
		}
		_, err := Demands(e.Text)
		return err != nil
	})
}
