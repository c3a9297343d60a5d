package browser

import (
	"fmt"
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// DialogPolicy says how a session answers the dialogs of its pages: alert,
// confirm, prompt, and the question whether to leave a page (beforeunload).
// The zero value accepts alerts and leaving, and dismisses the others. None
// ever blocks a page.
type DialogPolicy struct {
	Action string // accept or dismiss, for all kinds; empty for the default
	Text   string // what an accepted prompt is answered with
}

// SetDialogPolicy sets how the session answers dialogs from now on. It fails
// with INVALID_INPUT for an unknown action, and for a text that nothing would
// use.
func (j *EventLog) SetDialogPolicy(p DialogPolicy) error {
	switch {
	case p.Action != "" && p.Action != "accept" && p.Action != "dismiss":
		return invalid("use accept or dismiss", "dialog action %q is unknown", cut(p.Action, maxNote))
	case p.Text != "" && p.Action != "accept":
		return invalid("use accept, or leave the text out", "a dialog that is not accepted takes no text")
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.policy = p
	return nil
}

// accepts reports whether dialogs of that kind are accepted.
func (p DialogPolicy) accepts(kind string) bool {
	if p.Action == "" {
		return kind == "alert" || kind == "beforeunload"
	}
	return p.Action == "accept"
}

// Dialog is one that a page has shown: an alert, a confirm or a prompt. The
// question whether to leave a page is none: whoever leaves it asked for that.
type Dialog struct {
	Kind    string
	Message string
	Page    string // address of the page that showed it
	Popup   bool   // that page was opened by another one
	AtLoad  bool   // nothing had been done on the page since its address was opened
	Named   bool   // a policy had been set for it
}

// String is the dialog in words.
func (d Dialog) String() string { return fmt.Sprintf("%s %q", d.Kind, cut(d.Message, maxNote)) }

// DialogsSince are the dialogs of all the session's pages since then; dropped
// are those that are counted only.
func (j *EventLog) DialogsSince(p Position) (shown []Dialog, dropped int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	shown = j.dialogs.since(p.dialogs)
	return shown, j.dialogs.total - p.dialogs - len(shown)
}

// acts notes that something is done on the page now, or that an address is
// opened: what it shows from then on was not asked for.
func (j *EventLog) acts(acted bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.touched = acted
}

// keepDialog keeps a dialog apart from the notes, and returns how it is to be
// answered.
func (j *EventLog) keepDialog(d playwright.Dialog) DialogPolicy {
	shown := Dialog{Kind: d.Type(), Message: strings.ToValidUTF8(cut(j.mask(d.Message()), maxLogText), "�")}
	page := d.Page()
	if page != nil {
		shown.Page = j.address(page.URL(), maxURL)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if shown.Kind != "beforeunload" {
		shown.Popup, shown.AtLoad, shown.Named = j.opened[page], !j.touched, j.policy.Action != ""
		j.dialogs.add(shown)
		j.sideEffects.add(&sideEffect{SideEffect: SideEffect{Kind: DialogShown, Dialog: shown.Kind, Text: shown.Message}})
	}
	return j.policy
}

// onDialog answers every dialog at once, so that none blocks the page.
// Playwright calls it on a goroutine of its own.
func (j *EventLog) onDialog(d playwright.Dialog) {
	policy := j.keepDialog(d)
	answer, act := "dismissed", d.Dismiss
	if policy.accepts(d.Type()) {
		answer, act = "accepted", func() error { return d.Accept() }
		if d.Type() == "prompt" && policy.Text != "" {
			answer, act = fmt.Sprintf("accepted with %q", cut(j.mask(policy.Text), maxNote)), func() error { return d.Accept(policy.Text) }
		}
	}
	j.note(fmt.Sprintf("dialog: %s %q %s", d.Type(), cut(j.mask(d.Message()), maxNote), answer))
	if err := act(); err != nil && !isClosed(err) {
		j.note("dialog: could not be answered: " + plain(err))
	}
}
