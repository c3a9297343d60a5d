package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/claim"
	"github.com/assay-qa/assay/qa/code"
)

// Unread names a sentence of a task that no closed form reads, with the reason and what
// to write instead.
type Unread struct{ Sentence, Why string }

// UnreadSentences lists the sentences of a task with steps that no closed form reads:
// where there are none, rules can work it.
func UnreadSentences(task qa.TaskSpec, procedure *agent.Procedure) (out []Unread) {
	if procedure == nil {
		return []Unread{{task.Goal, "it has no steps: write what is done under the heading Steps"}}
	}
	w := newWork(task, procedure)
	for _, texts := range [][]workStep{w.before, w.steps, w.cleanup} {
		for _, s := range texts {
			if s.unread != nil {
				out = append(out, Unread{s.text, fmt.Sprintf("%s; write for example: %s", s.unread.Why, s.unread.Nearest)})
			}
		}
	}
	for _, e := range task.Expectations {
		if _, err := e.Demands(); err != nil {
			out = append(out, Unread{e.Text, err.Error()})
		}
	}
	return out
}

// work holds the steps of a task as acts.
type work struct {
	before, steps, cleanup []workStep
	last                   []qa.Expectation // that no step expects
}

// workStep holds what a step does and expects.
type workStep struct {
	text    string
	acts    []claim.Act
	expects []qa.Expectation
	unread  *claim.Unread
}

func newWork(task qa.TaskSpec, procedure *agent.Procedure) work {
	var w work
	left := map[string]qa.Expectation{}
	for _, e := range task.Expectations {
		left[e.ID] = e
	}
	for _, text := range procedure.Preconditions {
		w.before = append(w.before, readStep(text, nil))
	}
	for _, s := range procedure.Steps {
		var expects []qa.Expectation
		for _, id := range s.Expects {
			expects = append(expects, left[id])
			delete(left, id)
		}
		w.steps = append(w.steps, readStep(s.Text, expects))
	}
	for _, text := range procedure.Cleanup {
		w.cleanup = append(w.cleanup, readStep(text, nil))
	}
	for _, e := range task.Expectations {
		if _, ok := left[e.ID]; ok {
			w.last = append(w.last, e)
		}
	}
	return w
}

// readStep reads the lines of a step as acts, without the sentences that it expects.
func readStep(text string, expects []qa.Expectation) workStep {
	s := workStep{text: text, expects: expects}
	for _, e := range expects {
		text = withoutSentence(text, e.Text)
	}
	for line := range strings.Lines(text) {
		if line = strings.Trim(line, "-*•. \t\r\n"); line == "" {
			continue
		}
		acts, expected, unread := claim.ReadStep(line)
		if unread == nil && expected != "" && !slices.ContainsFunc(expects, func(e qa.Expectation) bool { return e.Text == expected }) {
			_, unread = claim.ReadActs(line) // nobody checks it
		}
		if unread != nil {
			s.acts, s.unread = nil, unread
			return s
		}
		s.acts = append(s.acts, acts...)
	}
	return s
}

// withoutSentence returns a text without a sentence of it. What an act quotes in the same
// words is none.
func withoutSentence(text, sentence string) string {
	at := strings.Index(text, sentence)
	if at < 0 {
		return text
	}
	before := strings.TrimRight(text[:at], " \t")
	if before != "" && !strings.ContainsRune(".!?\n", rune(before[len(before)-1])) {
		return text
	}
	return text[:at] + text[at+len(sentence):]
}

// work does the steps of the task in their order, checks what each expects, and tidies
// up whatever came of them.
func (p *planner) work(w work) {
	if p.worked(w) {
		for _, e := range w.last {
			p.prove(e)
		}
	}
	if len(w.cleanup) == 0 {
		return
	}
	p.finish()
	for i, s := range w.cleanup {
		if !p.acts(s) {
			return
		}
		p.call("step_done", map[string]any{"step": len(w.steps) + i + 1})
	}
}

// worked reports whether all steps could be done.
func (p *planner) worked(w work) bool {
	if !p.begin(w) {
		return false
	}
	p.pictures()
	for _, s := range w.before {
		if !p.acts(s) {
			return false
		}
	}
	for i, s := range w.steps {
		if !p.acts(s) {
			return false
		}
		for _, e := range s.expects {
			p.prove(e)
		}
		done := map[string]any{"step": i + 1}
		if !p.call("step_done", done).ok { // it says once what is not proved
			p.call("step_done", done)
		}
	}
	return !p.stopped
}

// finish ends the work before the tidying. It is refused once where steps are left.
func (p *planner) finish() {
	for range 2 {
		if p.call("run_finish", map[string]any{"summary": p.report()}).ok {
			return
		}
	}
}

// begin opens a session, and the first page where no step opens one.
func (p *planner) begin(w work) bool {
	for _, s := range append(w.before[:len(w.before):len(w.before)], w.steps...) {
		if len(s.acts) > 0 {
			if s.acts[0].Kind == claim.ActOpen && len(p.options.Task.Visual) == 0 {
				return p.started()
			}
			break
		}
	}
	return p.open()
}

// started opens a session.
func (p *planner) started() bool {
	a := p.launch()
	if !a.ok && !p.stopped {
		p.cannot(qa.NotExecuted, "open a session", a)
	}
	return a.ok
}

// acts does what a step says. It reports whether all of it could be done.
func (p *planner) acts(s workStep) bool {
	for _, act := range s.acts {
		if !p.act(act, s.text) {
			return false
		}
	}
	return !p.stopped
}

// act does one act.
func (p *planner) act(act claim.Act, step string) bool {
	selector := ""
	if act.Name != "" || len(act.Selectors) > 0 {
		var found bool
		if selector, found = p.locate(act, step); !found {
			return false
		}
	}
	if act.Kind == claim.ActCheck || act.Kind == claim.ActUncheck {
		checked, a := p.isChecked(selector)
		switch {
		case !a.ok && a.code != code.ElementNotFound: // a click might undo what is so already
			p.cannot(qa.NotExecuted, step, a)
			return false
		case a.ok && checked == (act.Kind == claim.ActCheck):
			return true // it is so already
		}
	}
	tool, arguments := p.callFor(act, selector)
	a := p.call(tool, arguments)
	switch {
	case a.ok:
		return true
	case p.stopped:
	case selector != "" && (a.code == code.ElementNotFound || a.code == code.NotActionable):
		p.unusable(act, selector, a)
	default:
		p.cannot(qa.NotExecuted, step, a)
	}
	return false
}

// callFor returns the call that does an act.
func (p *planner) callFor(act claim.Act, selector string) (tool string, arguments map[string]any) {
	on := map[string]any{"selector": selector}
	switch act.Kind {
	case claim.ActOpen:
		return "page_navigate", map[string]any{"url": act.Value, "wait_until": "load"}
	case claim.ActReload:
		return "page_navigate", map[string]any{"url": p.address(), "wait_until": "load"}
	case claim.ActFill:
		on["value"] = act.Value
		return "page_fill", on
	case claim.ActSelect:
		on["option"] = act.Value
		return "page_select", on
	case claim.ActHover:
		return "page_hover", on
	case claim.ActPress:
		if selector == "" {
			on = map[string]any{}
		}
		on["key"] = act.Value
		return "page_press", on
	}
	return "page_click", on
}

// address returns the address of the current page.
func (p *planner) address() string {
	var page struct {
		URL string `json:"url"`
	}
	p.call("page_snapshot", map[string]any{"depth": 1}).into(&page)
	return page.URL
}

// unusable has the server check what the step takes for granted: that its element is
// seen, and can be used. The check is the run's: it fails where that is not so.
func (p *planner) unusable(act claim.Act, selector string, a answer) {
	must := "visible"
	if a.code == code.NotActionable && act.Kind != claim.ActHover {
		must = "enabled"
	}
	var out struct {
		Passed   *bool  `json:"passed"`
		Observed string `json:"observed"`
	}
	check := p.call("verify_assertion", map[string]any{"assertion": map[string]any{"type": must}, "selector": selector}).into(&out)
	if check.ok && out.Passed != nil && !*out.Passed {
		p.say("could not %s: %s", act, out.Observed)
		return
	}
	p.cannot(qa.NotExecuted, act.String(), a)
}
