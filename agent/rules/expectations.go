package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// timing reports when an expectation is checked: what is about the page as it was
// opened, before anything is chosen on it; what is about its history alone, at
// last.
func timing(demands []qa.Demand) int {
	if slices.ContainsFunc(demands, func(d qa.Demand) bool { return !d.Assertion.Late() }) {
		return early
	}
	return late
}

// expectations has the server make the checks that they demand. What can't be
// proved is not checked, and the report says what to write.
func (p *planner) expectations(when int) {
	for _, e := range p.options.Task.Expectations {
		demands, err := e.Demands()
		switch {
		case p.stopped:
			return
		case err != nil && when == late:
			p.say("%s is not checked: %v", e.ID, err)
		case err == nil && timing(demands) == when:
			p.prove(e)
		}
	}
}

// made describes a check that the server made of an expectation.
type made struct {
	Passed    bool          `json:"passed"`
	Selector  string        `json:"selector"`
	Assertion *qa.Assertion `json:"assertion"`
	Void      []string      `json:"void"`
}

// failed reports whether the check does not hold; one that proves nothing holds.
func (m made) failed() bool { return !m.Passed && len(m.Void) == 0 }

// prove makes all checks that an expectation demands. If it fails it is one
// finding, however many checks say so; what the console holds is one already.
func (p *planner) prove(e qa.Expectation) {
	var out struct {
		Passed   *bool    `json:"passed"`
		Void     []string `json:"void"`
		Expected string   `json:"expected"`
		Observed string   `json:"observed"`
		Checks   []made   `json:"checks"`
	}
	a := p.call("verify_assertion", map[string]any{"expects": []string{e.ID}}).into(&out)
	switch {
	case !a.ok && a.code == code.InvalidInput: // the others are filed by the server
		p.cannot(qa.NotExecuted, "check "+e.ID, a)
	case !a.ok:
		p.say("could not check %s: %s", e.ID, a.text)
	case out.Passed == nil: // it proves less than intended; the report says so
	case !*out.Passed && len(out.Void) > 0 && !slices.ContainsFunc(out.Checks, made.failed):
		p.say("%s is not proved: %s", e.ID, strings.Join(out.Void, "; "))
	case *out.Passed:
		p.say("%s holds", e.ID)
	default:
		p.say("%s does not hold", e.ID)
		missed := slices.DeleteFunc(out.Checks, func(m made) bool { return !m.failed() || p.hasFinding(m) })
		if len(missed) > 0 {
			p.find(qa.Major, qa.Functional, cmp.Or(e.Text, out.Expected), out.Expected, text.Shorten(out.Observed, maxObserved), qa.EvidenceRef{Selector: missed[0].Selector, ScreenshotRef: a.shot})
		}
	}
}

// hasFinding reports whether a failed check has its finding already: the console's, a
// figure's.
func (p *planner) hasFinding(m made) bool {
	return m.Assertion == nil || m.Assertion.Type == qa.ConsoleClean && p.noisy
}

// maxObserved bounds what a finding quotes of a page, in characters.
const maxObserved = 500
