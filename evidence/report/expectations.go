package report

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// expectation holds an expectation with what became of it.
type expectation struct {
	ID, Text, Reason string
	As               string // what it was understood as
	Status           qa.Status
	Checks           []string
}

// expectationsOf pairs what the task expects with the checks that are bound to it.
func expectationsOf(r qa.QAReport) []expectation {
	unproven := map[string]string{}
	for _, u := range qa.Unproven(r.Task.Expectations, r.Checks) {
		unproven[u.ID] = u.Reason
	}
	understood := map[string]qa.Understanding{}
	for _, u := range r.Understanding() {
		understood[u.ID] = u
	}
	out := make([]expectation, 0, len(r.Task.Expectations))
	for _, e := range r.Task.Expectations {
		x := expectation{ID: e.ID, Text: expectationText(e), Status: qa.Passed, As: understood[e.ID].As}
		if why, ok := unproven[e.ID]; ok {
			x.Status, x.Reason = qa.Inconclusive, why
		}
		for _, c := range r.Checks {
			for _, id := range c.Expects {
				if id == e.ID {
					x.Checks = append(x.Checks, c.ID)
					x.Status = x.Status.Worse(c.Status())
				}
			}
		}
		out = append(out, x)
	}
	return out
}

// reading holds an assertion that a check made for a sentence that is not
// understood.
type reading struct{ ID, Text, Check, As string }

// readingsOf returns the readings that a person may accept.
func readingsOf(r qa.QAReport) (out []reading) {
	for _, u := range r.Understanding() {
		for _, p := range u.Proposals {
			out = append(out, reading{u.ID, u.Text, p.Check, p.As})
		}
	}
	return out
}

var ranFile = pattern.New(`^assay run((?: --env [A-Za-z0-9][A-Za-z0-9._-]*)?)(?: --base-url '[^'[:cntrl:][:space:]]+')? ` +
	`([A-Za-z0-9./_][A-Za-z0-9./_-]*\.(?:md|task\.toml|task\.json))((?: --var '[A-Za-z0-9_-]+=[^'[:cntrl:]]*')*)$`)

// AcceptCommand returns the one command by which a person accepts the readings
// of a run of a spec or a task; "" for any other run.
func AcceptCommand(r qa.QAReport) string {
	m := ranFile.FindStringSubmatch(r.Task.Metadata[qa.CommandKey])
	if m == nil {
		return ""
	}
	return "assay accept" + m[1] + " " + m[2] + m[3] + ` --name "YOUR NAME"`
}

// mdExpectations lists what each expectation was understood as.
func mdExpectations(b *strings.Builder, r qa.QAReport) {
	all := expectationsOf(r)
	if len(all) == 0 {
		return
	}
	b.WriteString("\n## Expectations\n\n")
	mdList(b, all, mdChecks, mdMoreLines, func(e expectation) {
		fmt.Fprintf(b, "- %s %s %s · %s\n", e.Status.Look().Emoji, mdText(e.ID), mdText(e.Text), mdText(e.As))
	})
	mdReadings(b, r)
}

// mdReadings lists what a person may accept, with the command.
func mdReadings(b *strings.Builder, r qa.QAReport) {
	all := readingsOf(r)
	if len(all) == 0 {
		return
	}
	b.WriteString("\n## Readings to accept\n\nThey prove nothing until a person accepts them")
	if line := AcceptCommand(r); line != "" {
		fmt.Fprintf(b, ": %s", mdCode(line))
	} else {
		b.WriteString(": give the expectation an `assertion`")
	}
	b.WriteString(".\n\n")
	mdList(b, all, mdChecks, mdMoreLines, func(p reading) {
		fmt.Fprintf(b, "- %s %s · read as: %s (check %s)\n", mdText(p.ID), mdText(p.Text), mdText(p.As), mdText(p.Check))
	})
}
