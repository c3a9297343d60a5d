package byhand

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/record"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Limit bounds the steps that are recorded, so that tabs, assertions and gaps have room below [flow.MaxSteps].
const Limit = flow.MaxSteps * 9 / 10

// entry is one act, as one step or as none.
type entry struct {
	tab  int
	on   *record.Element
	step *qa.FlowStep

	weak    bool   // it is a step only where something was seen to change after it
	chooser bool   // a click that may open a file chooser
	changed bool   // something was seen to change after it
	secret  bool   // the step's value is one
	ofCode  string // the reference that gave the value as a one-time code when it was typed

	before []*qa.FlowStep // answers of dialogs
	after  []*proposal
	opened []int // tabs that the act opened
	seenIn int   // the tab in which it was seen what the act brought; 0: it was not
}

// tabState is what is known of a tab.
type tabState struct {
	opener  int // 0: a person opened it, or it is the first
	entry   int // index of the act that opened it; -1: none
	closed  bool
	look    *record.Look // nil: it was not seen
	settled bool         // it was seen what the newest act in it brought
}

// Builder makes a flow of acts and of what was seen between them. It is for one goroutine.
type Builder struct {
	entries []*entry
	tabs    map[int]*tabState
	current int // the tab of the newest act
	size    int // steps so far, about
	full    bool
	title   string // of the page that it began at
	over    string // why the record is not whole at its end; empty: it is
	own     map[string]bool
	typed   []string // what was typed, chosen and pressed, but for secrets
	secret  func(value string, code bool) string
}

// New returns a builder for a session whose first tab is open. Secret returns the reference of the configured
// secret that has a value, or, with code, that gives it as a one-time code now; empty: none has.
func New(secret func(value string, code bool) string) *Builder {
	return &Builder{tabs: map[int]*tabState{1: {entry: -1}}, current: 1, own: map[string]bool{}, secret: secret}
}

// Full reports whether the record has ended because a flow takes no more steps.
func (b *Builder) Full() bool { return b.full }

// Steps returns how many steps are recorded, assertions among them.
func (b *Builder) Steps() int { return b.size }

// Settled reports whether it was seen what the newest act brought.
func (b *Builder) Settled() bool {
	e := b.last()
	return e == nil || b.tab(e.tab).settled
}

// Title returns the title of the page that the record began at.
func (b *Builder) Title() string { return b.title }

// Current returns the tab in which the newest act was done, or the one that has taken its place; 0 where none is open.
func (b *Builder) Current() int {
	if t := b.tabs[b.current]; t != nil && !t.closed {
		return b.current
	}
	if t := b.tabs[b.current]; t != nil && b.isOpen(t.opener) {
		return t.opener
	}
	for n := 1; n <= len(b.tabs); n++ {
		if b.isOpen(n) {
			return n
		}
	}
	return 0
}

func (b *Builder) isOpen(n int) bool { return b.tabs[n] != nil && !b.tabs[n].closed }

// Lost notes that acts could not be kept.
func (b *Builder) Lost(n int) {
	if n > 0 {
		b.gap(b.current, nil, fmt.Sprintf("%d acts came faster than they could be recorded, and are missing", n))
	}
}

// Add adds what a person or the browser did.
func (b *Builder) Add(a *record.Act) {
	if b.full {
		return
	}
	switch a.Kind {
	case record.Opened, record.Closed, record.Went, record.Crashed, record.Unread, record.Downloaded, record.Dialog:
		b.ofBrowser(a)
	case record.Stir:
	case record.Failed:
		b.gap(a.Tab, nil, "an act could not be read: "+a.Why)
	default:
		b.act(a)
	}
	if b.size >= Limit {
		b.full = true
		b.over = fmt.Sprintf("the record ended here: a flow has at most %d steps, assertions among them; record the rest as a flow of its own", flow.MaxSteps)
	}
}

// act adds an act on a page.
func (b *Builder) act(a *record.Act) {
	switch a.Kind {
	case record.Input:
		b.input(a)
	case record.Click:
		b.click(a)
	case record.Double:
		for range 2 {
			if last := b.last(); last != nil && last.step.Action == "click" && last.on.Same(a.On) {
				b.drop()
			}
		}
		b.add(a, step("double_click", a.On.Path()))
	case record.Choose:
		b.choose(a)
	case record.Files, record.Drop:
		b.files(a)
	case record.Key:
		b.key(a)
	case record.Drag:
		if a.On == nil || a.To == nil {
			b.gap(a.Tab, a.On, "something was dragged onto no element of the page")
			return
		}
		b.add(a, step("drag", a.On.Path())).step.To = a.To.Path()
	case record.Slide:
		b.weakGap(a, "it was dragged without being dropped on another element: "+a.On.Path())
	case record.Blank:
		b.weakGap(a, "a click on no element of the page")
	case record.Aside:
		b.gap(a.Tab, a.On, "a link was opened in another tab or window by hand: "+pathOf(a.On))
	case record.Menu:
		b.gap(a.Tab, a.On, "the right button was used: "+pathOf(a.On))
	}
}

func pathOf(e *record.Element) string {
	if e == nil {
		return "no element of the page"
	}
	return e.Path()
}

func step(action, selector string) *qa.FlowStep {
	return &qa.FlowStep{Action: action, Selector: selector}
}

// add adds an act that is one step.
func (b *Builder) add(a *record.Act, step *qa.FlowStep) *entry {
	e := &entry{tab: a.Tab, on: a.On, step: step}
	b.entries = append(b.entries, e)
	b.current = a.Tab
	b.size++
	b.tab(a.Tab).settled = false
	return e
}

// drop takes the newest act back.
func (b *Builder) drop() {
	b.entries = b.entries[:len(b.entries)-1]
	b.size--
}

func (b *Builder) gap(tab int, on *record.Element, why string) {
	b.addGap(&record.Act{Tab: tab, On: on}, why)
}

// weakGap adds an act that is a gap only where something was seen to change after it.
func (b *Builder) weakGap(a *record.Act, why string) {
	b.addGap(a, why).weak = true
}

func (b *Builder) addGap(a *record.Act, why string) *entry {
	gap := flow.Gap(flow.GapOfAct, why)
	return b.add(a, &gap)
}

// last returns the newest act; nil before the first one.
func (b *Builder) last() *entry {
	if len(b.entries) == 0 {
		return nil
	}
	return b.entries[len(b.entries)-1]
}

// lastOf returns the newest act that is a step whatever came of it, if it is on the same element.
func (b *Builder) lastOf(action string, on *record.Element) *entry {
	for i := len(b.entries) - 1; i >= 0; i-- {
		e := b.entries[i]
		switch {
		case e.step.Action == action && e.on.Same(on):
			return e
		case !e.left():
			return nil
		}
	}
	return nil
}

func (b *Builder) input(a *record.Act) {
	if a.On == nil {
		const why = "text was typed where it can't be read: in a closed shadow root, or in no element of the page"
		if e := b.last(); e == nil || e.tab != a.Tab || e.on != nil || e.step.Description != why {
			b.gap(a.Tab, nil, why)
		}
		return
	}
	e := b.lastOf("fill", a.On)
	if e == nil {
		e = b.add(a, step("fill", a.On.Path()))
	}
	b.tab(a.Tab).settled = false
	e.secret = e.secret || a.On.Secret
	e.step.Value, e.ofCode = a.Value, ""
	if a.On.Code {
		e.ofCode = b.secret(a.Value, true) // a later moment has another code
	}
}

func (b *Builder) click(a *record.Act) {
	if a.On == nil {
		b.gap(a.Tab, nil, "a click on an element that nothing finds again")
		return
	}
	e := b.add(a, step("click", a.On.Path()))
	e.weak = a.On.Kind == "text" || a.On.Kind == "editor" || a.On.Kind == "files"
	e.chooser = true
}

func (b *Builder) choose(a *record.Act) {
	if a.On == nil {
		b.gap(a.Tab, nil, "an option was chosen of an element that nothing finds again")
		return
	}
	if e := b.last(); e != nil && (e.step.Action == "select" || e.step.Action == "gap") && e.on.Same(a.On) && e.changedNothing() {
		b.drop() // it was chosen anew
	}
	if len(a.Options) != 1 {
		b.gap(a.Tab, a.On, fmt.Sprintf("%d options of %s were chosen together: %s", len(a.Options), a.On.Path(), strings.Join(a.Options, ", ")))
		return
	}
	b.add(a, step("select", a.On.Path())).step.Option = a.Options[0]
	b.typed = append(b.typed, a.Options[0])
}

// files adds files that a control was given, or that were dropped on an element. A control that nobody
// sees is given them by what was clicked for it.
func (b *Builder) files(a *record.Act) {
	on, action := a.On, "upload"
	if a.Kind == record.Drop {
		on, action = a.To, "drop"
	}
	selector := pathOf(on)
	if last := b.last(); last != nil && last.chooser && last.tab == a.Tab && !last.changed && action == "upload" {
		if on == nil || on.Hidden && !last.on.Same(on) {
			selector, on = last.step.Selector, last.on
		}
		b.drop()
	}
	if on == nil {
		b.gap(a.Tab, nil, "files were given to no element of the page: "+strings.Join(a.Files, ", "))
		return
	}
	a.On = on
	b.add(a, step(action, selector)).step.Value = strings.Join(a.Files, "\n")
}

func (b *Builder) key(a *record.Act) {
	e := b.add(a, step("press", ""))
	e.step.Key = a.Key
	if a.On != nil {
		e.step.Selector = a.On.Path()
	}
	e.weak = a.Key == "Tab" || a.Key == "Shift+Tab"
}

// tab returns what is known of a tab.
func (b *Builder) tab(n int) *tabState {
	if b.tabs[n] == nil {
		b.tabs[n] = &tabState{entry: -1}
	}
	return b.tabs[n]
}

// ofBrowser adds what the browser did: by itself, for the page, or for a person who worked its window.
func (b *Builder) ofBrowser(a *record.Act) {
	t := b.tab(a.Tab)
	switch a.Kind {
	case record.Opened:
		if a.Tab == 1 {
			return
		}
		t.opener = a.Opener
		if e := b.last(); e != nil && a.Opener > 0 {
			t.entry = len(b.entries) - 1
			e.opened = append(e.opened, a.Tab)
		}
	case record.Closed:
		t.closed = true
	case record.Crashed:
		b.gap(a.Tab, nil, "the page crashed; what was done right before may be missing")
	case record.Unread:
		b.gap(a.Tab, nil, fmt.Sprintf("what was done at %s could not be recorded: %s", shown(a.URL), a.Why))
	case record.Downloaded:
		b.propose(event(qa.Downloaded, steady(a.Text)))
	case record.Dialog:
		b.dialog(a)
	case record.Went:
		b.went(a, t)
	}
}

// went adds a move that a person made in the browser's window. What an act led to is no step.
func (b *Builder) went(a *record.Act, t *tabState) {
	moved := len(b.entries) == 0 || t.settled || b.last().tab != a.Tab
	switch {
	case t.look == nil && a.Tab == 1 && len(b.entries) == 0: // the start
	case strings.HasPrefix(a.URL, "about:"), strings.HasPrefix(a.URL, "chrome"):
	case a.Back && moved:
		b.add(a, step("back", ""))
	case a.Jumped && moved:
		b.gap(a.Tab, nil, "an address of the tab's history was opened by hand, other than the one before: "+shown(a.URL))
	case a.Back, a.Jumped, a.ByPage:
	case shown(a.URL) != a.URL:
		b.gap(a.Tab, nil, "an address was opened that holds what must not be kept: "+shown(a.URL))
	default:
		b.add(a, step("navigate", "")).step.URL = a.URL
	}
}

// dialog adds how a dialog was answered, before the act that showed it.
func (b *Builder) dialog(a *record.Act) {
	answer := step("dialog", "")
	answer.Value = "dismiss"
	if a.Accepted {
		answer.Value = "accept"
		answer.Option = a.Value
	}
	e := b.last()
	if e == nil {
		b.addGap(a, "").step.Value = flow.GapOfCheck
		b.last().step.Description = fmt.Sprintf("the page showed a dialog (%s) before anything was done: %q", a.Dialog, a.Text)
		return
	}
	e.before = append(e.before, answer)
	e.changed = true
	b.size++
	b.propose(event(qa.DialogShown, steady(a.Text)))
}

// propose adds an assertion to what the newest act brought.
func (b *Builder) propose(p *proposal) {
	if e := b.last(); e != nil && len(e.after) < maxProposals {
		e.after = append(e.after, p)
		e.changed = true
		b.size++
	}
}

// Seen takes what a tab shows once it has come to rest after the newest act, and proposes what the act has changed.
func (b *Builder) Seen(n int, look *record.Look) {
	t := b.tab(n)
	before := t.look
	t.look, t.settled = look, true
	e := b.last()
	if before == nil || e == nil || e.step.Action == "gap" && !e.weak || e.tab != n && b.isOpen(e.tab) {
		return
	}
	b.tab(e.tab).settled = true
	e.seenIn = n
	if len(e.after) > 0 && e.step.Action != "fill" && !slices.ContainsFunc(e.after, func(p *proposal) bool { return p.event }) {
		return // it was seen already
	}
	e.after = slices.DeleteFunc(e.after, func(p *proposal) bool { return !p.event }) // of the text so far
	found := b.changes(before, look, e)
	e.changed = e.changed || len(found) > 0
	for _, p := range found {
		if len(e.after) < maxProposals {
			e.after = append(e.after, p)
			b.size++
		}
	}
}

// Idle takes what a tab shows while nothing is done. What is another one then changes by itself, and is proposed nowhere.
func (b *Builder) Idle(n int, look *record.Look) {
	t := b.tab(n)
	if b.title == "" && len(b.entries) == 0 {
		b.title = look.Title
	}
	if t.look != nil && t.look.URL == look.URL {
		b.noteOwn(t.look, look)
	}
	t.look = look
}

// End notes why nothing more was recorded. lost says that it was not a person who ended it.
func (b *Builder) End(lost string) {
	if b.over == "" {
		b.over = lost
	}
}
