package rules

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/assay-qa/assay/qa"
)

var (
	quotedText = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»`)
	// A sentence that denies something can't be proved by finding its words.
	denial = regexp.MustCompile(`(?i)\b(?:no|not|never|none|without|nor|neither|cannot|can't|isn't|aren't|doesn't|don't|won't|absent|hidden|gone|missing|disappears?|removed|instead|unless|kein\w*|nicht|ohne)\b`)

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
func timing(a *qa.Assertion) int {
	if a == nil {
		return early
	}
	switch a.Type {
	case qa.ConsoleClean, qa.RequestMade, qa.ResponseStatus:
		return late
	default:
		return early
	}
}

// expectations checks those that can be bound to a check: by their assertion,
// or by the texts that they quote.
func (p *planner) expectations(when int) {
	for _, e := range p.options.Task.Expectations {
		if p.stopped || timing(e.Assertion) != when {
			continue
		}
		if e.Assertion != nil {
			p.prove(e, *e.Assertion)
			continue
		}
		texts := quotes(e.Text)
		if len(texts) == 0 || denial.MatchString(quotedText.ReplaceAllString(e.Text, "")) {
			continue // the report says that it has no check
		}
		wanted := make([]qa.Assertion, len(texts))
		for i, text := range texts {
			wanted[i] = qa.Assertion{Type: qa.TextContains, Expected: text}
		}
		p.prove(e, wanted...)
	}
}

// miss is an assertion that does not hold.
type miss struct{ expected, observed, shot string }

// prove checks all that an expectation comes to. If it fails it is one finding,
// however many checks say so; what the console holds is one already.
func (p *planner) prove(e qa.Expectation, wanted ...qa.Assertion) {
	var missed []miss
	for _, a := range wanted {
		if m := p.check(e, a); m != nil && (a.Type != qa.ConsoleClean || !p.noisy) {
			missed = append(missed, *m)
		}
	}
	if len(missed) == 0 {
		return
	}
	first, also := missed[0], ""
	for _, m := range missed[1:] {
		also += "; " + m.expected
	}
	p.find(qa.Major, qa.Functional, cmp.Or(e.Text, string(wanted[0].Type)), first.expected+also, cut(first.observed), qa.EvidenceRef{Selector: e.Selector, ScreenshotRef: first.shot})
}

// check makes one check of an expectation, and returns it if it has failed.
func (p *planner) check(e qa.Expectation, a qa.Assertion) *miss {
	arguments := map[string]any{"assertion": a, "expects": []string{e.ID}}
	if e.Selector != "" {
		arguments["selector"] = e.Selector
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

// quotes are the quoted texts of a sentence.
func quotes(text string) []string {
	var out []string
	for _, m := range quotedText.FindAllStringSubmatch(text, -1) {
		for _, group := range m[1:] {
			if group != "" {
				out = append(out, group)
			}
		}
	}
	return out
}

// maxObserved bounds what a finding quotes of a page, in bytes.
const maxObserved = 500

func cut(text string) string {
	if len(text) <= maxObserved {
		return text
	}
	return strings.ToValidUTF8(text[:maxObserved], "") + "…"
}
