package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// progress holds the state of the work on a procedure. The steps of the
// cleanup follow those of the work in steps.
type progress struct {
	steps   []Step
	tidy    int          // index of the first step that tidies up
	at      int          // index of the step under way
	to      int          // one past the last step of this phase
	missing map[int]bool // steps whose missing checks were reported to the model
	began   int          // calls that were made before the step under way
	unmoved []int        // steps that were said to be done without a call
}

func newProgress(p *Procedure) progress {
	if p == nil {
		return progress{}
	}
	out := progress{steps: slices.Clone(p.Steps), tidy: len(p.Steps), to: len(p.Steps), missing: map[int]bool{}}
	for _, text := range p.Cleanup {
		out.steps = append(out.steps, Step{Text: text})
	}
	return out
}

// step returns the index of the step that a call belongs to, or -1.
func (p progress) step() int {
	if p.at >= p.to {
		return -1
	}
	return p.at
}

// stepDone returns the loop's own tool by which a model ends a step.
func stepDone() Tool {
	return Tool{Name: stepTool, Description: "Say that you are through with a step, before you begin the next one.",
		Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["step"],"properties":{"step":{"type":"integer","description":"its number, from 1"}}}`)}
}

// stepOver answers step_done.
func (l *loop) stepOver(c Call) (text string, refused bool) {
	var in struct {
		Step int `json:"step"`
	}
	p := &l.progress
	switch err := json.Unmarshal(c.Arguments, &in); {
	case err != nil:
		return fmt.Sprintf(`the arguments can't be read (%v): say {"step": %d}`, err, p.at+1), true
	case in.Step < 1 || in.Step > len(p.steps):
		return fmt.Sprintf("there is no step %d: they count from 1 to %d", in.Step, len(p.steps)), true
	case in.Step <= p.at:
		return fmt.Sprintf("step %d is done already; %s", in.Step, p.next()), true
	case p.at >= p.to:
		return "all steps of this part are done: call run_finish", true
	case in.Step != p.at+1:
		return fmt.Sprintf("step %d comes later: step %d (%s) is under way. Do it, then say that it is done", in.Step, p.at+1, p.steps[p.at].Text), true
	}
	own := append([]string{}, p.steps[p.at].Expects...) // a step that expects nothing asks for nothing
	if open := l.unproven(own); len(open) > 0 && !p.missing[p.at] {
		p.missing[p.at] = true
		return strings.Join(open, "; ") + ". If that can't be done, say step_done again", true
	}
	if l.calls == p.began {
		p.unmoved = append(p.unmoved, p.at)
	}
	p.began = l.calls
	p.at++
	return p.next(), false
}

// claimed files the steps that the model only said it did. It may have done them
// together with the one before, so that this is a remark.
func (l *loop) claimed() error {
	var errs []error
	for _, i := range l.progress.unmoved {
		errs = append(errs, l.Record.Find(qa.Finding{Severity: qa.Info, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Title:     pagetext.Sprintf("Step %d was not worked: %s", i+1, l.progress.steps[i].Text),
			Assertion: pagetext.Sprintf("step %d was worked: %s", i+1, l.progress.steps[i].Text), Expected: "a call while it was under way",
			Observed: "none: the model only said that it is done", Evidence: []qa.EvidenceRef{}}))
	}
	return errors.Join(errs...)
}

// next returns what comes now.
func (p progress) next() string {
	if p.at >= p.to {
		return "all steps are done: call run_finish"
	}
	return fmt.Sprintf("now step %d: %s", p.at+1, p.steps[p.at].Text)
}

// unproven lists which of these expectations no executed check proves yet, though
// one could; nil asks for all.
func (l *loop) unproven(ids []string) []string {
	record, _, err := l.Record.Record()
	if err != nil {
		return nil // the next call meets the same error, and ends the work
	}
	var out []string
	for _, u := range qa.Unproven(record.Expectations, record.Checks) {
		if !u.Unprovable && (ids == nil || slices.Contains(ids, u.ID)) {
			out = append(out, fmt.Sprintf("%s (%s) is not proved yet: %s", u.ID, u.Text, u.Reason))
		}
	}
	return out
}

// missing lists what the model has left undone, or "".
func (l *loop) missing() string {
	var out []string
	if p := l.progress; p.at < p.to {
		out = append(out, fmt.Sprintf("step %d is not done yet (%s): go on, and say step_done for each step", p.at+1, p.steps[p.at].Text))
	}
	if l.Remind && !l.tidying {
		out = append(out, l.unproven(nil)...)
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, "; ") + ". If that can't be done, call run_finish again and say why"
}

// undone says which step the model left undone although nothing stopped it: the
// run can't pass then.
func (l *loop) undone() *qa.Interruption {
	p := l.progress
	if p.at >= p.tidy {
		return nil
	}
	detail := "the model ended its work before this step was done"
	if l.final.Summary != "" {
		detail += ": " + l.final.Summary
	}
	return &qa.Interruption{Kind: qa.NotExecuted, Subject: fmt.Sprintf("step %d: %s", p.at+1, p.steps[p.at].Text), Detail: pagetext.Text(detail)}
}

// untidy files what was not tidied up: no fault of the thing under test, but
// the next run may meet what this one left.
func (l *loop) untidy(why pagetext.Text) error {
	for i := max(l.progress.at, l.progress.tidy); i < len(l.progress.steps); i++ {
		if err := l.Record.Find(qa.Finding{Severity: qa.Minor, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Title:     pagetext.Text("Cleanup not done: " + l.progress.steps[i].Text),
			Assertion: pagetext.Text("cleanup is done: " + l.progress.steps[i].Text), Expected: "done", Observed: why, Evidence: []qa.EvidenceRef{}}); err != nil {
			return err
		}
	}
	return nil
}

// describe writes the procedure for the model.
func (p progress) describe(preconditions []string) string {
	var b strings.Builder
	if len(preconditions) > 0 {
		b.WriteString("\n\nPreconditions. See first whether they hold. If one does not, call run_finish with status inconclusive, and say which:\n")
		for _, text := range preconditions {
			fmt.Fprintf(&b, "- %s\n", text)
		}
	}
	if p.tidy > 0 {
		b.WriteString("\n\nSteps. Do them in this order, and say step_done after each:\n")
		for i, s := range p.steps[:p.tidy] {
			fmt.Fprintf(&b, "%d. %s", i+1, s.Text)
			if len(s.Expects) > 0 {
				fmt.Fprintf(&b, " [then verify %s]", strings.Join(s.Expects, ", "))
			}
			b.WriteByte('\n')
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// cleanup lists what is to be tidied up.
func (p progress) cleanup() string {
	var b strings.Builder
	b.WriteString("The steps are over. Now clean up, whatever came of them. Say step_done after each, and then call run_finish:\n")
	for i := p.tidy; i < len(p.steps); i++ {
		fmt.Fprintf(&b, "%d. %s\n", i+1, p.steps[i].Text)
	}
	return strings.TrimRight(b.String(), "\n")
}
