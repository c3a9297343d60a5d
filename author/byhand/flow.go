package byhand

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// MadeBy is what a flow says that was made of a person's acts.
const MadeBy = "the acts of a person"

// Settings are what a flow is made by, beside the acts.
type Settings struct {
	Name, Role string
	Start      string   // address that the record began at
	Base       string   // of the environment; addresses below it become relative
	Uploads    []string // folders that files may be taken from
	Rules      flow.Rules
	// Hide is told the secrets that were typed and that none is configured for, before Masked is asked.
	Hide func(values []string)
	// Masked returns JSON without secrets. A step that it changes becomes a gap, and an assertion is left out.
	Masked func(data []byte) []byte
}

// Made is a flow of a person's acts.
type Made struct {
	Flow      flow.Flow
	Undefined []string // secrets that its steps refer to and that are to be defined
}

// Flow returns the flow of what was recorded so far.
func (b *Builder) Flow(o Settings) Made {
	w := &flowWriter{b: b, o: o, current: 1, names: map[string]string{}}
	o.Hide(b.unknownSecrets())
	w.tabs = slices.ContainsFunc(b.entries, func(e *entry) bool { return e.tab != 1 && !e.left() })
	for i := range b.entries {
		w.entry(i)
	}
	if end := b.unseenEnd(); end != "" {
		w.gap(flow.GapOfCheck, end)
	}
	if !slices.ContainsFunc(w.steps, func(s qa.FlowStep) bool { return s.Action == "assert" || s.Action == "gap" }) {
		w.gap(flow.GapOfCheck, "nothing was seen to change that an assertion could be made of: assert what must hold")
	}
	f := flow.Flow{Name: o.Name, Role: o.Role, StartURL: o.Start, Steps: w.steps, MadeBy: MadeBy}
	f.TimeoutMS = min(flow.MaxTimeoutMS, 30_000+5_000*len(f.Steps))
	return Made{Flow: f.Relative(o.Base), Undefined: w.undefined}
}

// unknownSecrets returns the secrets that were typed and that none is configured for.
func (b *Builder) unknownSecrets() (out []string) {
	for _, e := range b.entries {
		if e.secret && b.reference(e) == "" {
			out = append(out, e.step.Value)
		}
	}
	return out
}

// reference returns the reference of the configured secret that an act has typed; empty: it is none.
func (b *Builder) reference(e *entry) string {
	if e.ofCode != "" || e.step.Value == "" {
		return e.ofCode
	}
	return b.secret(e.step.Value, false)
}

// left reports whether an act is no step.
func (e *entry) left() bool {
	return e.weak && e.changedNothing()
}

// changedNothing reports whether it was looked at what an act brought, and that was nothing.
func (e *entry) changedNothing() bool {
	return e.seenIn != 0 && !e.changed && len(e.opened) == 0 && len(e.before) == 0
}

// unseenEnd says what is missing at the end of the record; empty where nothing is.
func (b *Builder) unseenEnd() string {
	e := b.last()
	for i := len(b.entries) - 1; i >= 0 && e.left(); i-- {
		e = b.entries[i]
	}
	switch {
	case b.over != "" || e == nil || e.left() || b.tab(e.tab).settled || len(e.after) > 0:
		return b.over
	case b.Current() == 0:
		return "the window closed, by its page or by hand, before it was seen what the last act brought"
	}
	return "the record was ended before it was seen what the last act brought"
}

// flowWriter writes the steps of a flow.
type flowWriter struct {
	b         *Builder
	o         Settings
	steps     []qa.FlowStep
	current   int               // tab of the steps so far
	tabs      bool              // it works in several: what the browser tells can't be asserted then
	previous  int               // index of the entry that was written last, from 1
	names     map[string]string // of secrets that are to be defined, by their values
	undefined []string
}

func (w *flowWriter) entry(i int) {
	e := w.b.entries[i]
	if e.left() || w.entersFieldOf(i) {
		return
	}
	w.toTab(e.tab)
	for _, answer := range e.before {
		w.add(answer)
	}
	does := *e.step
	if does.Action == "fill" {
		w.secret(e, &does)
	}
	if does.Action == "upload" || does.Action == "drop" {
		w.files(&does)
	}
	w.add(&does)
	w.previous = i + 1
	for _, p := range e.after {
		if p.event && w.tabs {
			continue
		}
		if !p.event {
			w.toTab(e.seenIn)
		}
		a, asserts := p.assertion, step("assert", p.selector)
		asserts.Assertion = &a
		w.add(asserts)
	}
}

// entersFieldOf reports whether an act is the click into a field that the next one fills.
func (w *flowWriter) entersFieldOf(i int) bool {
	e := w.b.entries[i]
	if e.step.Action != "click" || i+1 >= len(w.b.entries) || e.on == nil || e.on.Kind != "text" && e.on.Kind != "editor" {
		return false
	}
	next := w.b.entries[i+1]
	return len(e.after) == 0 && next.step.Action == "fill" && next.on.Same(e.on)
}

// add adds a step, or the gap in its place where no flow takes it.
func (w *flowWriter) add(s *qa.FlowStep) {
	alone := flow.Flow{StartURL: "/", Steps: []qa.FlowStep{*s}}
	if problems := alone.Validate(w.o.Rules); len(problems) > 0 {
		if s.Action == "assert" {
			return // it was a proposal
		}
		w.gap(flow.GapOfAct, fmt.Sprintf("%s %s: %s", s.Action, s.Selector, problems[0].Message))
		return
	}
	switch {
	case !w.tellsSecret(s):
		w.steps = append(w.steps, *s)
	case s.Action == "gap":
		w.steps = append(w.steps, flow.Gap(s.Value, "what is missing here is not named: its words hold a secret"))
	case s.Action != "assert":
		w.steps = append(w.steps, flow.Gap(flow.GapOfAct, s.Action+": it holds a secret, which a flow refers to as the whole value of a fill alone"))
	}
}

// tellsSecret reports whether a secret stands in a step. One that can't be looked at does.
func (w *flowWriter) tellsSecret(s *qa.FlowStep) bool {
	data, err := json.Marshal(s)
	return err != nil || !bytes.Equal(w.o.Masked(data), data)
}

func (w *flowWriter) gap(of, why string) {
	gap := flow.Gap(of, why)
	w.add(&gap)
}

// toTab adds the step that leads to a tab.
func (w *flowWriter) toTab(n int) {
	if n == w.current {
		return
	}
	t := w.b.tab(n)
	switch {
	case n > 1 && t.opener == 0:
		w.gap(flow.GapOfAct, fmt.Sprintf("tab %d was opened by hand", n))
	case t.opener == w.current && t.entry == w.previous-1 && w.previous > 0:
		w.add(step("popup", ""))
	default:
		number := 1
		for other := 2; other <= n; other++ {
			if o := w.b.tabs[other]; o != nil && o.opener > 0 {
				number++
			}
		}
		tab := step("tab", "")
		tab.Value = strconv.Itoa(number)
		w.add(tab)
	}
	w.current = n
}

// secret puts the reference of a secret in place of its value, whatever the field. It is to be defined where none has the value.
func (w *flowWriter) secret(e *entry, step *qa.FlowStep) {
	typedElsewhere := func(other *entry) bool { return other.secret && other.step.Value == step.Value }
	switch ref := w.b.reference(e); {
	case step.Value == "":
	case ref != "":
		step.Value = ref
	case e.secret || slices.ContainsFunc(w.b.entries, typedElsewhere):
		name := w.names[step.Value]
		if name == "" {
			name = w.name(e)
			w.names[step.Value] = name
		}
		step.Value = "${secret:" + name + "}"
		step.Description = "typed by a person, and not kept: define the secret " + name
	}
}

// name returns the name of a secret that is to be defined, after its field.
func (w *flowWriter) name(e *entry) string {
	base := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return unicode.ToUpper(r)
		}
		return '_'
	}, text.FileStem(e.on.Name)), "_")
	if base == "" || unicode.IsDigit(rune(base[0])) {
		base = "SECRET_" + base
	}
	base = strings.TrimRight(base, "_")
	name := base
	for n := 2; slices.Contains(w.undefined, name); n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	w.undefined = append(w.undefined, name)
	return name
}

// files names the files of an upload as a flow does: relative to a folder that files may be taken from.
func (w *flowWriter) files(step *qa.FlowStep) {
	var out, outside []string
	for file := range strings.Lines(step.Value) {
		file = strings.TrimSuffix(file, "\n")
		name := ""
		for _, root := range w.o.Uploads {
			if rel, err := filepath.Rel(root, file); err == nil && filepath.IsAbs(file) && filepath.IsLocal(rel) {
				name = filepath.ToSlash(rel)
			}
		}
		if out = append(out, name); name == "" {
			outside = append(outside, file)
		}
	}
	if len(outside) > 0 {
		*step = flow.Gap(flow.GapOfAct, fmt.Sprintf("%s %s: %s lies in no folder of network.upload_roots", step.Action, step.Selector, strings.Join(outside, ", ")))
		return
	}
	step.Value = strings.Join(out, "\n")
}
