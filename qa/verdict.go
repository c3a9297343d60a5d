package qa

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// Status names the outcome of a run.
type Status string

// The outcomes of a run.
const (
	Passed       Status = "passed"       // every expectation was proved, and nothing failed
	Failed       Status = "failed"       // the thing under test has a fault
	Inconclusive Status = "inconclusive" // the tester could not find out
)

// Verdict holds a status with its reason, and the findings that follow from
// the record itself (such as one that names a spent budget).
type Verdict struct {
	Status   Status
	Reason   pagetext.Text
	Findings []Finding
}

// Judge computes the verdict of a record. It is the only place where a verdict
// is made.
//
// A failed check or a finding of severity major or worse fails the run, whoever
// reported it. Otherwise whatever the tester could not do (an interruption, an
// expectation that none proves, no executed check at all, none that an act
// brought about) makes it inconclusive. Only then it has passed. A check on a model's word alone is no
// executed check.
func Judge(r Record) Verdict {
	if reason := faultReason(r); reason != "" {
		return Verdict{Status: Failed, Reason: reason, Findings: interruptionFindings(r.Interruptions)}
	}
	r.Interruptions = append(openChecks(r.Checks), r.Interruptions...)
	if len(r.Interruptions) > 0 {
		first := r.Interruptions[0]
		reason := pagetext.Sprintf("%s: %s: %s", first.Kind, first.Subject, first.Detail)
		if more := len(r.Interruptions) - 1; more > 0 {
			reason += pagetext.Sprintf(" (and %d more)", more)
		}
		return Verdict{Status: Inconclusive, Reason: reason, Findings: interruptionFindings(r.Interruptions)}
	}
	if missing := Unproven(r.Expectations, r.Checks); len(missing) > 0 {
		return Verdict{Status: Inconclusive, Reason: pagetext.Text(unprovenReason(missing)), Findings: unprovenFindings(missing)}
	}
	executed, reason := 0, "no check was executed"
	var rests []Basis
	for _, c := range r.Checks {
		switch {
		case c.Ended().Ending == Holds && c.executed() && len(c.Void) == 0:
			executed++
			rests = append(rests, c.basis())
		case c.executed():
			reason = fmt.Sprintf("no executed check proves anything; last: %s: %s", c.ID, c.Void[0])
		}
	}
	if executed == 0 {
		return Verdict{Status: Inconclusive, Reason: pagetext.Text(reason)}
	}
	if reason := NothingBroughtAbout(rests); reason != "" {
		return Verdict{Status: Inconclusive, Reason: pagetext.Text(reason)}
	}
	return Verdict{Status: Passed, Reason: pagetext.Sprintf("%s passed", text.Count(executed, "check"))}
}

// openChecks returns the checks that ended neither way: the tester could not look, or only
// a person can go on. One that passed and is void proves nothing, and hinders nothing.
func openChecks(checks []Check) []Interruption {
	var out []Interruption
	for _, c := range checks {
		ended := c.Ended()
		if c.Status() != Inconclusive || c.Passed && len(c.Void) > 0 {
			continue
		}
		out = append(out, Interruption{Kind: ended.Ending.Interruption(), Subject: strings.TrimSpace(c.Called() + " " + c.Subject), Detail: cmp.Or(ended.Why, c.Observed)})
	}
	return out
}

// faultReason returns why the thing under test is at fault, or "".
func faultReason(r Record) pagetext.Text {
	var failed []Check // of each fault the first
	found, all := map[string]bool{}, 0
	for _, c := range r.Checks {
		if c.Status() != Failed {
			continue
		}
		if all++; found[c.Finding] {
			continue
		}
		found[c.Finding] = c.Finding != ""
		failed = append(failed, c)
	}
	var grave []Finding // that no failed check tells
	told := 0
	for _, f := range r.Findings {
		switch {
		case !f.Severity.Fails():
		case found[f.ID] || f.RepeatsCheck(failed):
			told++
		default:
			grave = append(grave, f)
		}
	}
	var parts []pagetext.Text
	if len(failed) > 0 {
		c := failed[0]
		by := ""
		if len(failed) < all {
			by = " by " + text.Count(len(failed), "fault")
		}
		parts = append(parts, pagetext.Sprintf("%s of %d failed%s; first: %s: %s", text.Count(all, "check"), len(r.Checks), by, strings.TrimSpace(c.Kind+" "+c.Subject), c.compared()))
	}
	if len(grave) > 0 {
		f := grave[0]
		noun := "finding"
		if told > 0 {
			noun = "other finding"
		}
		parts = append(parts, pagetext.Sprintf("%s of severity major or worse; first: %s: %s", text.Count(len(grave), noun), f.Severity, f.Headline()))
	}
	return pagetext.Join(parts, "; ")
}

func unprovenReason(missing []UnprovenExpectation) string {
	first := missing[0]
	return fmt.Sprintf("%s not proved; first: %s %q: %s", text.Count(len(missing), "expectation"), first.ID, first.Text, first.Reason)
}

func unprovenFindings(missing []UnprovenExpectation) []Finding {
	findings := make([]Finding, len(missing))
	for i, m := range missing {
		fix := fmt.Sprintf("let a check claim it: expects: [%q]", m.ID)
		if m.Unprovable {
			fix = "write the expectation anew, or give it an assertion"
		}
		findings[i] = Finding{
			ID: "U" + fmt.Sprint(i+1), Severity: Info, Category: Reliability, Source: SourceRule, Confidence: 1,
			Title: pagetext.Text(m.ID + " is not proved"), Assertion: pagetext.Sprintf("expectation %s has to be proved by an executed check", m.ID),
			Expected: pagetext.Text(m.Text), Observed: pagetext.Text(m.Reason), Evidence: []EvidenceRef{},
			SuggestedFix: pagetext.Text(fix),
		}
	}
	return findings
}

func interruptionFindings(interruptions []Interruption) []Finding {
	findings := make([]Finding, len(interruptions))
	for i, in := range interruptions {
		findings[i] = Finding{
			ID: "I" + fmt.Sprint(i+1), Severity: Info, Category: Reliability, Source: SourceRule, Confidence: 1,
			Title: (pagetext.Text("Not done: "+in.Subject+" – ") + in.Detail).Map(oneLine), Assertion: pagetext.Text("the tester could do its work: " + in.Subject),
			Expected: "done", Observed: pagetext.Text(string(in.Kind)+": ") + in.Detail, Evidence: []EvidenceRef{}, Stopped: in.Kind,
		}
	}
	return findings
}
