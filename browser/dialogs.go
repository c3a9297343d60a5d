package browser

import (
	"fmt"

	"github.com/playwright-community/playwright-go"
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
func (s *Session) SetDialogPolicy(p DialogPolicy) error {
	switch {
	case p.Action != "" && p.Action != "accept" && p.Action != "dismiss":
		return invalid("use accept or dismiss", "dialog action %q is unknown", cut(p.Action, maxNote))
	case p.Text != "" && p.Action != "accept":
		return invalid("use accept, or leave the text out", "a dialog that is not accepted takes no text")
	}
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	s.journal.policy = p
	return nil
}

// accepts reports whether dialogs of that kind are accepted.
func (p DialogPolicy) accepts(kind string) bool {
	if p.Action == "" {
		return kind == "alert" || kind == "beforeunload"
	}
	return p.Action == "accept"
}

// onDialog answers every dialog at once, so that none blocks the page.
// Playwright calls it on a goroutine of its own.
func (j *journal) onDialog(d playwright.Dialog) {
	j.mu.Lock()
	policy := j.policy
	j.mu.Unlock()
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
