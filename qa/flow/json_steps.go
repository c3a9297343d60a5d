package flow

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/document"
	"github.com/assay-qa/assay/internal/text"
)

// WithSteps returns the flow with the steps that a JSON list holds, and reports
// everything that is wrong with it, all at once: what [Flow.Validate] finds, and
// the keys and kinds of values that no step has.
func (f Flow) WithSteps(data []byte, rules Rules) (Flow, Problems) {
	list, err := document.Parse(document.JSON, data)
	if err != nil {
		return f, Problems{{Field: "steps", Message: "steps: " + err.Error()}}
	}
	if len(list.Items) > MaxSteps {
		return f, Problems{{Field: "steps", Message: fmt.Sprintf("the flow has %d steps; accepted: up to %d", len(list.Items), MaxSteps)}}
	}
	r := nodeReader{lines: map[string]int{}}
	r.fill(list, &f.Steps, "steps")
	said := map[string]bool{}
	for i := range r.problems {
		p := &r.problems[i]
		p.Where, p.line = "", 0
		said[stepOfField(p.Field)] = true
		if n, ok := stepIndex(p.Field); ok {
			p.Where = f.stepName(n)
		}
	}
	for _, p := range f.Validate(rules) {
		if !said[stepOfField(p.Field)] {
			r.problems = append(r.problems, p)
		}
	}
	return f, r.problems
}

// Name says which step is meant.
func (s *Step) Name() string {
	switch s.Action {
	case OpenStart:
		return "opening start_url"
	case FinalCheck:
		return "success_condition"
	case EndWatch:
		return "the watch after the last step"
	}
	return strings.TrimSpace(fmt.Sprintf("step %d: %s %s", s.Index, s.Action, s.subject()))
}

func progressOf(s *Step, total int) string {
	switch s.Action {
	case OpenStart, FinalCheck:
		return s.Name()
	}
	return strings.TrimSpace(fmt.Sprintf("step %d of %d: %s %s", s.Index, total, s.Action, text.Shorten(cmp.Or(s.Description, s.subject()), 80)))
}

// subject returns what the step is about.
func (s *Step) subject() string { return strings.TrimSpace(s.Baseline + " " + s.Selector) }
