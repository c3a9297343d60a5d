package qa

import (
	"fmt"
	"slices"
	"strings"
)

// Unproven returns the expectations that no executed check proves, each with
// the reason. What proves an expectation are the checks that it demands (see
// [Expectation.Demands]), each of them made exactly, by a tool or a rule, and
// naming it in Expects. No other check proves it, whatever words that one looks
// for, and neither does one that is void.
func Unproven(expectations []Expectation, checks []Check) []UnprovenExpectation {
	var out []UnprovenExpectation
	for _, e := range expectations {
		if u := e.unproven(checks); u.Reason != "" {
			out = append(out, u)
		}
	}
	return out
}

// Left parts the expectations of a run that was not finished: those that another run has
// to look at, since a check failed or none proves them, and those that hold. Who read the
// sentence is left out of the former: a run accepts no readings for another one.
func Left(expectations []Expectation, checks []Check) (left, held []Expectation) {
	for _, e := range expectations {
		failed := slices.ContainsFunc(checks, func(c Check) bool { return slices.Contains(c.Expects, e.ID) && !c.Passed })
		if !failed && e.unproven(checks).Reason == "" {
			held = append(held, e)
			continue
		}
		e.ID, e.AcceptedBy, e.ByCaller, e.AmendedFrom = "", "", false, ""
		left = append(left, e)
	}
	return left, held
}

// UnprovenExpectation holds an expectation that no executed check proves, and why.
type UnprovenExpectation struct {
	Expectation
	Reason     string
	Unprovable bool // no check can prove it as it is written
}

func (e Expectation) unproven(checks []Check) UnprovenExpectation {
	out := UnprovenExpectation{Expectation: e}
	demands, err := e.Demands()
	if err != nil {
		out.Reason, out.Unprovable = "no check can prove it: "+err.Error(), true
		return out
	}
	bound := slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return !c.executed() || !slices.Contains(c.Expects, e.ID) })
	if len(bound) == 0 {
		out.Reason = "no executed check is bound to it; it wants " + e.means(demands)
		return out
	}
	for _, d := range demands {
		if out.Reason = d.whyUnproven(bound); out.Reason != "" {
			return out
		}
	}
	return out
}

// whyUnproven says why none of the checks proves the demand; empty: one does.
func (d Demand) whyUnproven(bound []Check) string {
	void := ""
	for _, c := range bound {
		switch {
		case !d.provedBy(c):
		case len(c.Void) == 0:
			return ""
		case void == "":
			void = fmt.Sprintf("check %s, which is bound to it, proves nothing: %s", c.ID, strings.Join(c.Void, "; "))
		}
	}
	if void != "" {
		return void
	}
	return "no check bound to it is the one that it demands: " + d.Means
}

// Proves reports whether the check makes one of the demands of the expectation.
func (c Check) Proves(e Expectation) bool {
	demands, err := e.Demands()
	return err == nil && slices.ContainsFunc(demands, func(d Demand) bool { return d.provedBy(c) })
}

// provedBy reports whether the check makes the demand, and exactly that: the same
// comparison on the same element, attribute, response or figure.
func (d Demand) provedBy(c Check) bool {
	if d.Figure != "" {
		return c.Kind == KPIKind && !c.Not && normalizeSpace(c.Subject) == normalizeSpace(d.Figure) && normalizeSpace(c.Expected) == normalizeSpace(d.Assertion.Expected)
	}
	return slices.ContainsFunc(d.Selectors(), func(selector string) bool {
		want, made := d.Assertion.Check(selector).normalized(), c.normalized()
		return made.Kind == want.Kind && made.Not == want.Not && made.Words == want.Words && made.Selector == want.Selector && made.Subject == want.Subject && made.Expected == want.Expected
	})
}

// Selectors returns the selectors of the demand's subject, any of which will do.
func (d Demand) Selectors() []string { return append([]string{d.Selector}, d.Alike...) }

// normalized returns the check with what can be written in two ways written in one: a state
// that is off, and what is not seen.
func (c Check) normalized() Check {
	k, ok := typeRowOf(AssertionType(c.Kind))
	switch {
	case !ok:
	case k.expected == aState:
		c.Not = false // what is expected says it
	case c.Not && k.name == Visible:
		c.Kind, c.Not, c.Expected = string(Hidden), false, string(Hidden)
	case c.Not && k.name == Hidden:
		c.Kind, c.Not, c.Expected = string(Visible), false, string(Visible)
	}
	return c
}
