package rules

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/qa"
)

var (
	aboutConsole = regexp.MustCompile(`(?i)^[^"“„«\d]*\bconsole\b[^"“„«\d]*$`)
	aboutLooks   = regexp.MustCompile(`(?i)^[^"“„«\d]*\bbaselines?\b[^"“„«\d]*$`)
	aboutKPIs    = regexp.MustCompile(`(?i)^[^"“„«\d]*\b(?:KPIs?|key figures?)\b[^"“„«\d]*$`)
)

// bound are the ids of the expectations without an assertion whose text is
// about something.
func (p *planner) bound(about *regexp.Regexp) []string {
	ids := []string{}
	for _, e := range p.options.Task.Expectations {
		if e.Assertion == nil && e.Selector == "" && about.MatchString(e.Text) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// timing tells when an assertion is checked: what is about the page as it was
// opened, before anything is chosen on it; what is about its history, at last.
func timing(a qa.Assertion) int {
	if a.Late() {
		return late
	}
	return early
}

// expectations checks those that can be bound to a check: by their assertion, or
// by what their sentence says. A sentence that no form fits is not checked, and
// the report says what to write.
func (p *planner) expectations(when int) {
	for _, e := range p.options.Task.Expectations {
		if p.stopped {
			return
		}
		if e.Assertion != nil {
			if timing(*e.Assertion) == when {
				p.prove(e, qa.Demand{Assertion: *e.Assertion, Selector: e.Selector})
			}
			continue
		}
		demands, err := qa.Demands(e.Text)
		switch {
		case err != nil && when == late && !p.isBound(e):
			p.say("%s is not checked: %v", e.ID, err) // the report says what to write
		case err == nil:
			p.prove(e, slices.DeleteFunc(demands, func(d qa.Demand) bool { return timing(d.Assertion) != when })...)
		}
	}
}

// isBound reports whether an expectation is proved by what is checked anyway: the
// console, the pictures, the key figures.
func (p *planner) isBound(e qa.Expectation) bool {
	return slices.ContainsFunc([]*regexp.Regexp{aboutConsole, aboutLooks, aboutKPIs}, func(about *regexp.Regexp) bool { return slices.Contains(p.bound(about), e.ID) })
}

// miss is an assertion that does not hold.
type miss struct{ expected, observed, shot string }

// prove makes all checks that an expectation asks for. If it fails it is one
// finding, however many checks say so; what the console holds is one already.
func (p *planner) prove(e qa.Expectation, wanted ...qa.Demand) {
	var missed []miss
	first := ""
	for _, d := range wanted {
		if m := p.check(e, d); m != nil && (d.Assertion.Type != qa.ConsoleClean || !p.noisy) {
			missed = append(missed, *m)
			first = cmp.Or(first, d.Selector)
		}
	}
	if len(missed) == 0 {
		return
	}
	also := ""
	for _, m := range missed[1:] {
		also += "; " + m.expected
	}
	p.find(qa.Major, qa.Functional, cmp.Or(e.Text, string(wanted[0].Assertion.Type)), missed[0].expected+also, cut(missed[0].observed), qa.EvidenceRef{Selector: first, ScreenshotRef: missed[0].shot})
}

// check makes one check of an expectation, and returns it if it has failed.
func (p *planner) check(e qa.Expectation, d qa.Demand) *miss {
	if d.Figure != "" {
		return p.figure(e, d)
	}
	arguments := map[string]any{"assertion": d.Assertion, "expects": []string{e.ID}}
	selector, ok := p.present(d)
	if !ok {
		p.cannot(qa.NotExecuted, "check "+e.ID, p.answer)
		return nil
	}
	if selector != "" {
		arguments["selector"] = selector
	}
	var out struct {
		Passed   *bool  `json:"passed"`
		Expected string `json:"expected"`
		Observed string `json:"observed"`
	}
	answer := p.call("verify_assertion", arguments).into(&out)
	switch {
	case !answer.ok && answer.code == "INVALID_INPUT": // the others are filed by the server
		p.cannot(qa.NotExecuted, "check "+e.ID, answer)
	case !answer.ok:
		p.say("could not check %s: %s", e.ID, answer.text)
	case out.Passed == nil: // it says less than hoped; the report knows
	case *out.Passed:
		p.say("%s holds", e.ID)
	default:
		p.say("%s does not hold", e.ID)
		return &miss{out.Expected, out.Observed, answer.shot}
	}
	return nil
}

// figure compares a figure with the value that the sentence says.
func (p *planner) figure(e qa.Expectation, d qa.Demand) *miss {
	var out struct {
		Passed bool        `json:"passed"`
		Table  []qa.KPIRow `json:"kpiTable"`
	}
	answer := p.call("check_kpis", map[string]any{"expects": []string{e.ID},
		"spec": map[string]any{"type": qa.StaticValues, "values": map[string]string{d.Figure: d.Assertion.Expected}}}).into(&out)
	switch {
	case !answer.ok:
		p.cannot(qa.NotExecuted, "check "+e.ID, answer)
	case out.Passed:
		p.say("%s holds", e.ID)
	case len(out.Table) == 1 && (out.Table[0].Status == qa.KPIMismatch || out.Table[0].Status == qa.KPIMissing):
		p.say("%s does not hold", e.ID)
		return &miss{out.Table[0].Expected, cmp.Or(out.Table[0].Observed, "nothing"), answer.shot}
	}
	return nil
}

// present is the selector of a subject that several roles may have: the first one
// whose element, or whose container, the page has; the first one where it has
// none. ok is false where the page could not be read.
func (p *planner) present(d qa.Demand) (selector string, ok bool) {
	if len(d.Alike) == 0 {
		return d.Selector, true
	}
	var page struct {
		Outline string `json:"outline"`
	}
	arguments := map[string]any{"max_chars": 20_000}
	if name := nameIn(d.Selector); name != "" {
		arguments["find"] = name
	}
	if a := p.call("page_snapshot", arguments).into(&page); !a.ok {
		return "", false
	}
	there := lines(page.Outline)
	for _, selector := range append([]string{d.Selector}, d.Alike...) {
		first, _, _ := strings.Cut(selector, " >> ")
		first = strings.TrimPrefix(first, "role=")
		if slices.ContainsFunc(there, func(l line) bool { return l.selector == first || l.role == first }) {
			return selector, true
		}
	}
	return d.Selector, true
}

// nameIn is the name in the first part of a selector; empty where it has none.
func nameIn(selector string) string {
	first, _, _ := strings.Cut(selector, " >> ")
	_, quoted, _ := strings.Cut(first, " ")
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return ""
	}
	return name
}

// maxObserved bounds what a finding quotes of a page, in bytes.
const maxObserved = 500

func cut(text string) string {
	if len(text) <= maxObserved {
		return text
	}
	return strings.ToValidUTF8(text[:maxObserved], "") + "…"
}
