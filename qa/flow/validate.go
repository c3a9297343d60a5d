package flow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// Problem holds one thing that is wrong with a flow.
type Problem struct {
	Where   string // file:line, or the step in words; empty for the flow as a whole
	Field   string // such as steps[2].selector, counted from 0 as in JSON
	Message string // what is wrong and what is accepted

	line int
}

// Error gives place and message on one line.
func (p Problem) Error() string {
	if p.Where == "" {
		return p.Message
	}
	return p.Where + ": " + p.Message
}

// Problems lists all that is wrong with a flow.
type Problems []Problem

// Error gives one line per problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Rules checks addresses and selectors, which this room cannot parse. A nil
// rule accepts everything.
type Rules struct {
	URL      func(string) error
	Selector func(string) error
}

// action describes the fields that a kind of step takes.
type action struct {
	name     string
	needs    []string
	optional []string
}

// actions lists the kinds of steps. name, description, intent and timeout_ms
// are taken by all of them.
func actions() []action {
	return []action{
		{name: "navigate", needs: []string{"url"}},
		{name: "back"},
		{name: "click", needs: []string{"selector"}},
		{name: "double_click", needs: []string{"selector"}},
		{name: "fill", needs: []string{"selector"}, optional: []string{"value", "delay_ms", "exact"}}, // an empty value clears the field
		{name: "select", needs: []string{"selector", "option"}},
		{name: "press", needs: []string{"key"}, optional: []string{"selector"}},
		{name: "hover", needs: []string{"selector"}},
		{name: "drag", needs: []string{"selector", "to"}},
		{name: "wait", optional: []string{"value", "selector"}},
		{name: "assert", needs: []string{"assertion"}, optional: []string{"selector", "changed", "unchanged"}},
		{name: "screenshot", optional: []string{"selector"}},
		{name: "upload", needs: []string{"selector", "value"}},
		{name: "drop", needs: []string{"selector", "value"}},
		{name: "dialog", needs: []string{"value"}, optional: []string{"option"}},
		{name: "tab", needs: []string{"value"}},
		{name: "popup"},
		{name: "color_scheme", needs: []string{"value"}},
		{name: "evaluate", needs: []string{"value"}},
		{name: gapStep, needs: []string{"value", "description"}},
		{name: visualStep, needs: []string{"name"}, optional: []string{"selector", "visual"}},
	}
}

// ColorSchemes lists what a page may be told that a person prefers.
func ColorSchemes() []string { return []string{"light", "dark", "no-preference"} }

// MaxDelayMS bounds the time between two keys.
const MaxDelayMS = 1000

// Actions lists the names of all kinds of steps.
func Actions() []string {
	var names []string
	for _, a := range actions() {
		names = append(names, a.name)
	}
	return names
}

// WrittenActions lists the kinds of steps that somebody writes on purpose: all but gaps.
func WrittenActions() []string {
	return slices.DeleteFunc(Actions(), func(name string) bool { return name == gapStep })
}

// Validate reports everything that is wrong with the flow, all at once, or nil.
// Includes must be resolved before.
func (f Flow) Validate(r Rules) Problems {
	v := validator{rules: r}
	v.flow(f)
	for i := range v.problems {
		p := &v.problems[i]
		if n, ok := stepIndex(p.Field); ok {
			p.Where = f.stepName(n)
		}
	}
	return v.problems
}

// stepName says which step is meant: its number from 1, and where it stands.
func (f Flow) stepName(i int) string {
	name := fmt.Sprintf("step %d", i+1)
	if i < len(f.Steps) && f.Steps[i].Action != "" {
		name += " (" + text.Shorten(f.Steps[i].Action, 20) + ")"
	}
	if i < len(f.Origins) && f.Origins[i] != "" {
		name = f.Origins[i] + ": " + name
	}
	return name
}

// stepIndex returns the index of the step that a field belongs to.
func stepIndex(field string) (int, bool) {
	rest, ok := strings.CutPrefix(field, "steps[")
	number, _, closed := strings.Cut(rest, "]")
	n, err := strconv.Atoi(number)
	return n, ok && closed && err == nil
}

// validator collects what is wrong.
type validator struct {
	rules    Rules
	problems Problems
}

func (v *validator) add(field, format string, args ...any) {
	v.problems = append(v.problems, Problem{Field: field, Message: fmt.Sprintf(format, args...)})
}

func (v *validator) flow(f Flow) {
	if len(f.Steps) == 0 && f.StartURL == "" {
		v.add("steps", "the flow has neither steps nor a start_url: nothing would happen")
	}
	if len(f.Steps) > MaxSteps {
		v.add("steps", "the flow has %d steps; accepted: up to %d. Split it, or move shared steps into flows of their own", len(f.Steps), MaxSteps)
		return // a thousand complaints are of no use
	}
	v.timeout("timeout_ms", f.TimeoutMS)
	if f.WatchMS != nil && (*f.WatchMS < 0 || *f.WatchMS > MaxWatchMS) {
		v.add("watch_ms", "watch_ms is %d; accepted: 0 to %d", *f.WatchMS, MaxWatchMS)
	}
	if f.Retries != nil && (*f.Retries < 0 || *f.Retries > MaxRetries) {
		v.add("retries", "retries is %d; accepted: 0 to %d", *f.Retries, MaxRetries)
	}
	if f.StartURL != "" {
		v.url("start_url", f.StartURL)
	}
	v.noSecret("name", f.Name)
	if f.SuccessCondition != "" {
		v.condition(f.SuccessCondition)
	}
	acted := false
	for i, s := range f.Steps {
		at := fmt.Sprintf("steps[%d]", i)
		v.step(at, s)
		for _, field := range comparedWithBefore(s) {
			if !acted && s.Action == "assert" {
				v.add(at+"."+field, "%s needs a step before it that acts, such as click: there is nothing that could have changed it", field)
			}
		}
		acted = acted || changesPage(s.Action)
	}
	v.recorded(f)
}

func (v *validator) condition(text string) {
	v.noSecret("success_condition", text)
	a, selector := Condition(text)
	switch {
	case selector == "" && a.Expected == "":
		v.add("success_condition", "success_condition is empty: give a selector or a text")
	case selector != "" && v.rules.Selector != nil:
		if err := v.rules.Selector(selector); err != nil {
			v.add("success_condition", "success_condition looks like a selector, and is none: %v; write text=… for a text", err)
		}
	}
}

func (v *validator) timeout(field string, ms int) {
	if ms < 0 || ms > MaxTimeoutMS {
		v.add(field, "timeout_ms is %d; accepted: 1 to %d", ms, MaxTimeoutMS)
	}
}

func (v *validator) url(field, address string) {
	v.noSecret(field, address)
	if v.rules.URL != nil && !HoldsSecret(address) {
		if err := v.rules.URL(address); err != nil {
			v.add(field, "%v", err)
		}
	}
}

func (v *validator) noSecret(field, text string) {
	if HoldsSecret(text) {
		v.add(field, "%s holds a secret: only the value of a fill may, because it is only typed", lastPart(field))
	}
}

// lastPart returns the name of a field without the way to it.
func lastPart(field string) string { return field[strings.LastIndexByte(field, '.')+1:] }

func (v *validator) step(at string, s qa.FlowStep) {
	v.timeout(at+".timeout_ms", s.TimeoutMS)
	for field, text := range map[string]string{"name": s.Name, "description": s.Description, "intent": s.Intent} {
		v.noSecret(at+"."+field, text)
	}
	kinds := actions()
	i := slices.IndexFunc(kinds, func(a action) bool { return a.name == s.Action })
	switch {
	case s.Action == "":
		v.add(at+".action", "action is missing; accepted: %s", strings.Join(Actions(), ", "))
		return
	case i < 0:
		v.add(at+".action", "action %q is unknown%s; accepted: %s", text.Shorten(s.Action, 40), text.Hint(s.Action, Actions()), strings.Join(Actions(), ", "))
		return
	}
	v.fields(at, s, kinds[i])
	v.values(at, s)
}

// fields refuses what an action needs and lacks, and what it would ignore.
func (v *validator) fields(at string, s qa.FlowStep, kind action) {
	given := []struct {
		name  string
		given bool
	}{
		{"url", s.URL != ""}, {"selector", s.Selector != ""}, {"value", s.Value != ""},
		{"option", s.Option != ""}, {"key", s.Key != ""}, {"assertion", s.Assertion != nil}, {"visual", s.Visual != nil}, {"changed", s.Changed}, {"unchanged", s.Unchanged},
		{"delay_ms", s.DelayMS != 0}, {"exact", s.Exact}, {"name", s.Name != ""}, {"description", s.Description != ""}, {"to", s.To != ""},
	}
	takes := slices.Concat(kind.needs, kind.optional, []string{"timeout_ms", "description", "intent"})
	if !slices.Contains(takes, "name") {
		takes = append(takes, "name")
	}
	for _, f := range given {
		switch {
		case !f.given && slices.Contains(kind.needs, f.name):
			v.add(at+"."+f.name, "%s needs %s", kind.name, f.name)
		case f.given && !slices.Contains(takes, f.name):
			v.add(at+"."+f.name, "%s takes no %s; it takes %s", kind.name, f.name, strings.Join(takes, ", "))
		}
	}
}

// values checks what the fields say.
func (v *validator) values(at string, s qa.FlowStep) {
	if s.DelayMS < 0 || s.DelayMS > MaxDelayMS {
		v.add(at+".delay_ms", "delay_ms is %d; accepted: 1 to %d", s.DelayMS, MaxDelayMS)
	}
	if s.URL != "" {
		v.url(at+".url", s.URL)
	}
	for field, text := range map[string]string{"selector": s.Selector, "to": s.To, "option": s.Option, "key": s.Key} {
		v.noSecret(at+"."+field, text)
	}
	for field, selector := range map[string]string{"selector": s.Selector, "to": s.To} {
		if selector == "" || v.rules.Selector == nil {
			continue
		}
		if err := v.rules.Selector(selector); err != nil {
			v.add(at+"."+field, "%v", err)
		}
	}
	if s.Action != "fill" {
		v.noSecret(at+".value", s.Value)
	} else if bad := referenceProblem(s.Value); bad != "" {
		v.add(at+".value", "value %s", bad)
	}
	switch s.Action {
	case "wait":
		v.wait(at, s)
	case "dialog":
		if s.Value != "" && s.Value != "accept" && s.Value != "dismiss" {
			v.add(at+".value", "value is %q; accepted: accept, dismiss", text.Shorten(s.Value, 40))
		}
		if s.Value == "dismiss" && s.Option != "" {
			v.add(at+".option", "a dismissed dialog takes no text: leave option out")
		}
	case "assert":
		v.assertion(at, s)
	case visualStep:
		v.visual(at, s)
	case "tab":
		if n, err := strconv.Atoi(s.Value); s.Value != "" && s.Value != CloseTab && (err != nil || n < 1) {
			v.add(at+".value", "value is %q; accepted: the number of a tab in the order in which they were opened, from 1, or %s", text.Shorten(s.Value, 40), CloseTab)
		}
	case "color_scheme":
		if s.Value != "" && !slices.Contains(ColorSchemes(), s.Value) {
			v.add(at+".value", "value is %q; accepted: %s", text.Shorten(s.Value, 40), strings.Join(ColorSchemes(), ", "))
		}
	case gapStep:
		if s.Value != "" && s.Value != GapOfAct && s.Value != GapOfCheck {
			v.add(at+".value", "value is %q; accepted: %s, %s", text.Shorten(s.Value, 40), GapOfAct, GapOfCheck)
		}
	}
}

func (v *validator) wait(at string, s qa.FlowStep) {
	switch {
	case s.Value == "" && s.Selector == "" && s.TimeoutMS == 0:
		v.add(at, "wait needs selector (until it is visible), or value (milliseconds; timeout_ms alone says them too)")
	case s.Value == "" && s.Selector == "" && s.TimeoutMS > MaxWaitMS:
		v.add(at+".timeout_ms", "timeout_ms is %d; a wait by time takes 1 to %d milliseconds", s.TimeoutMS, MaxWaitMS)
	case s.Value != "" && s.Selector != "":
		v.add(at, "wait takes selector or value, not both")
	case s.Value != "":
		if ms, err := strconv.Atoi(s.Value); err != nil || ms < 1 || ms > MaxWaitMS {
			v.add(at+".value", "value is %q; accepted: 1 to %d milliseconds", text.Shorten(s.Value, 40), MaxWaitMS)
		}
	}
}

func (v *validator) assertion(at string, s qa.FlowStep) {
	a := s.Assertion
	if a == nil {
		return // said already
	}
	for field, text := range a.Texts() {
		v.noSecret(at+".assertion."+field, text)
	}
	for _, selector := range a.Selectors() {
		if v.rules.Selector == nil {
			break
		}
		if err := v.rules.Selector(selector); err != nil {
			v.add(at+".assertion.other", "%v", err)
		}
	}
	if err := a.Validate(s.Selector); err != nil {
		v.add(at+".assertion", "assertion: %v", err)
	}
	for _, field := range comparedWithBefore(s) {
		if a.SinceAct() {
			v.add(at+"."+field, "%s is about what the last act brought: leave %s out", a.Type, field)
		}
	}
	if s.Changed && s.Unchanged {
		v.add(at+".unchanged", "changed and unchanged contradict each other: leave one of them out")
	}
}

// comparedWithBefore returns the fields of a step that ask what held before the act.
func comparedWithBefore(s qa.FlowStep) []string {
	var out []string
	if s.Changed {
		out = append(out, "changed")
	}
	if s.Unchanged {
		out = append(out, "unchanged")
	}
	return out
}

// waitTime returns how long a wait by time takes; 0 for any other step. Without
// value and selector, timeout_ms is that time (B15).
func waitTime(s qa.FlowStep) time.Duration {
	if s.Action == "wait" && s.Value == "" && s.Selector == "" {
		return time.Duration(s.TimeoutMS) * time.Millisecond
	}
	ms, err := strconv.Atoi(s.Value)
	if s.Action != "wait" || err != nil {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}
