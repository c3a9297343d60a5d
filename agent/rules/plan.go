package rules

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// The kinds of expectations: those about the page as it was opened come first,
// those about all that has happened come last.
const (
	early = iota
	late
)

// planner asks for calls, one after the other. Once stopped, whatever stopped
// it, it asks for nothing more.
type planner struct {
	*Model
	yield   func(agent.Call) bool
	stopped bool
}

// plan yields the whole task as one sequence of calls.
func (m *Model) plan(yield func(agent.Call) bool) {
	p := &planner{Model: m, yield: yield}
	if m.options.Procedure != nil {
		p.work(newWork(m.options.Task, m.options.Procedure))
		return
	}
	if !p.open() {
		return
	}
	outline := p.look()
	p.health("as it was opened")
	p.expectations(early)
	p.pictures()
	p.kpis()
	if m.options.Explore {
		p.explore(outline)
	}
	p.expectations(late)
}

// call asks for one call and returns its answer. An answer that only a person
// can do something about ends the plan.
func (p *planner) call(tool string, arguments map[string]any) answer {
	if p.stopped {
		return answer{text: "the plan has ended"}
	}
	raw, err := json.Marshal(arguments)
	if err != nil {
		return answer{text: err.Error()}
	}
	if !p.yield(agent.Call{Name: tool, Arguments: raw}) {
		p.stopped = true
		return answer{text: "the plan has ended"}
	}
	switch p.answer.code {
	case code.NeedsHuman:
		p.stopped = true
		p.cannot(qa.NeedsHuman, tool, p.answer)
	case code.BrowserCrashed, code.PageCrashed, code.TabClosed:
		p.stopped = true
		p.cannot(qa.Crashed, tool, p.answer)
	case code.BudgetExceeded, code.StoreCorrupt, code.StoreReadOnly, code.DiskFull:
		p.stopped = true
	}
	return p.answer
}

// cannot notes what could not be done: the run can't pass then.
func (p *planner) cannot(kind qa.InterruptionKind, what string, a answer) {
	p.unable = append(p.unable, qa.Interruption{Kind: kind, Subject: what, Detail: pagetext.Text(strings.TrimPrefix(a.code+": "+a.text, ": "))})
	p.say("could not %s: %s", what, a.text)
}

func (p *planner) say(format string, args ...any) {
	p.summary = append(p.summary, fmt.Sprintf(format, args...))
}

// report returns the summary of what was done.
func (m *Model) report() string {
	if len(m.summary) == 0 {
		return "nothing was done"
	}
	return strings.Join(m.summary, "; ")
}

// open opens a session and the page. It reports whether there is one to look
// at.
func (p *planner) open() bool {
	address := p.options.Address
	if address == "" {
		p.cannot(qa.NotExecuted, "open the page", answer{text: "the task has no route, and there is no base URL"})
		return false
	}
	for attempt := 1; ; attempt++ {
		if a := p.launch(); !a.ok {
			if !p.stopped {
				p.cannot(qa.NotExecuted, "open a session", a)
			}
			return false
		}
		var page struct {
			URL    string `json:"url"`
			Status int    `json:"status"`
		}
		a := p.call("page_navigate", map[string]any{"url": address, "wait_until": "load"}).into(&page)
		p.at = page.URL
		switch {
		case a.ok && page.Status >= http.StatusBadRequest:
			p.answered(page.URL, page.Status)
			return page.Status < http.StatusInternalServerError
		case a.ok:
			p.say("opened %s", address)
			return true
		case p.stopped:
			return false
		}
		if !p.isUp(address) {
			p.say("%s could not be opened: %s", address, a.text)
			return false
		}
		if attempt > 1 {
			p.cannot(qa.NotExecuted, "open the page", a)
			return false
		}
	}
}

func (p *planner) launch() answer {
	o := map[string]any{}
	if p.options.Task.Role != "" {
		o["role"] = p.options.Task.Role
	}
	if len(p.options.AllowedHosts) > 0 {
		o["allowed_hosts"] = p.options.AllowedHosts
	}
	return p.call("browser_launch", map[string]any{"options": o})
}

// isUp asks whether a page that could not be opened is at fault, in a context
// of its own: the answer is a check of the report. The session goes first, to
// make a place for it.
func (p *planner) isUp(address string) bool {
	p.call("browser_close", map[string]any{})
	var loads struct {
		Success bool `json:"success"`
	}
	a := p.call("verify_page_loads", map[string]any{"url": address}).into(&loads)
	return a.ok && loads.Success
}

// answered checks a page that answered with an error for what it was to
// answer.
func (p *planner) answered(address string, status int) {
	p.call("verify_assertion", map[string]any{
		"assertion":  map[string]any{"type": "response_status", "url": address, "expected": strconv.Itoa(http.StatusOK)},
		"timeout_ms": 1000,
	})
	severity := qa.Major
	if status >= http.StatusInternalServerError {
		severity = qa.Blocker
	}
	p.find(severity, qa.Reliability, address+" can be opened", "status 200", "status "+strconv.Itoa(status), qa.EvidenceRef{ScreenshotRef: p.answer.shot})
	p.say("%s answers status %d", address, status)
}

// look takes a picture of the page and returns its outline.
func (p *planner) look() string {
	p.call("page_screenshot", map[string]any{"name": "opened"})
	a := p.call("page_snapshot", map[string]any{"max_chars": 20_000})
	if !a.ok && !p.stopped {
		p.cannot(qa.NotExecuted, "read the page", a) // its filters can't be found then
	}
	return a.page
}

// health checks the console. What is wrong in it the tool files as a finding by
// itself.
func (p *planner) health(when string) {
	var console struct {
		HasErrors bool `json:"has_errors"`
	}
	if a := p.call("analyze_console_errors", map[string]any{}).into(&console); a.ok {
		p.say("checked the console %s", when)
	}
	p.noisy = p.noisy || console.HasErrors
}

// find reports a fault that a check has found, in the words of a person. The
// check has failed the run already.
func (p *planner) find(severity qa.Severity, category qa.Category, assertion, expected, observed string, seen qa.EvidenceRef) {
	evidence := []qa.EvidenceRef{}
	if seen != (qa.EvidenceRef{}) {
		evidence = append(evidence, seen)
	}
	p.call("assert", map[string]any{"severity": severity, "category": category, "assertion": assertion,
		"expected": expected, "observed": observed, "evidence": evidence, "confidence": 1})
}

// kpis checks the task's figures for all its ranges.
func (p *planner) kpis() {
	task := p.options.Task
	if task.KPISpec == nil && len(task.Ranges) == 0 || p.stopped {
		return
	}
	if !p.tools["check_kpis"] {
		p.cannot(qa.NotExecuted, "check the KPIs", answer{text: "this server offers no check_kpis"})
		return
	}
	arguments := map[string]any{}
	if len(task.Ranges) > 0 {
		arguments["ranges"] = task.Ranges
	}
	var out struct {
		Passed bool        `json:"passed"`
		Table  []qa.KPIRow `json:"kpiTable"`
	}
	a := p.call("check_kpis", arguments).into(&out)
	switch {
	case p.stopped:
	case !a.ok:
		p.cannot(qa.NotExecuted, "check the KPIs", a)
	default:
		wrong := len(slices.DeleteFunc(out.Table, func(r qa.KPIRow) bool { return r.Status == qa.KPIOk }))
		p.say("checked the KPIs: %d are not as expected", wrong)
	}
	p.health("after the KPIs")
}
