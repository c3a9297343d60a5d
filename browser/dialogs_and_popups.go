package browser

import (
	"fmt"
	"path"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/seen"
)

// The kinds of side effects of an action, beside a change of the page.
const (
	DialogShown = "dialog"
	PopupOpened = "popup"
	Downloaded  = "download"
)

// SideEffect describes a dialog, a popup or a download.
type SideEffect struct {
	Kind    string
	Text    string // a dialog's message, a popup's address now, a download's file name
	Dialog  string // of a dialog: alert, confirm or prompt
	Running bool   // of a download: it has not come to its end
	Failed  string // of a download: why it was not saved
}

// sideEffect holds a SideEffect as the event log keeps it.
type sideEffect struct {
	SideEffect
	popup playwright.Page
}

// addSideEffect records a side effect; what it returns changes under j.mu alone.
func (j *EventLog) addSideEffect(h sideEffect) *sideEffect {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sideEffects.add(&h)
	return &h
}

// Fits reports whether a side effect is the one that is expected: a dialog whose
// message contains the text, a popup whose address fits the pattern, a download
// of that file name, in which * stands for any letters.
func Fits(h SideEffect, expected string) bool {
	switch h.Kind {
	case DialogShown:
		return strings.Contains(seen.Normal(h.Text), seen.Normal(expected))
	case PopupOpened:
		return MatchURL(expected, h.Text)
	default:
		fits, err := path.Match(expected, h.Text)
		return h.Text == expected || err == nil && fits
	}
}

// SinceAct returns the side effects of a kind since the last act, a navigation
// included; lost are those of any kind that are no longer kept.
func (j *EventLog) SinceAct(kind string) (out []SideEffect, lost int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	kept := j.sideEffects.since(j.lastAct.sideEffects)
	for _, h := range kept {
		if h.Kind != kind {
			continue
		}
		told := h.SideEffect
		if h.popup != nil {
			told.Text = h.popup.URL()
		}
		out = append(out, told)
	}
	return out, j.sideEffects.total - j.lastAct.sideEffects - len(kept)
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

// DialogsSince returns the dialogs of all the session's pages since then; dropped
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

// maxPopups bounds how many popups of a session are open at once.
const maxPopups = 10

// onPopup notes a new page, and closes it when there are too many. It has no
// address yet; the note tells it as soon as there is one.
func (j *EventLog) onPopup(popup playwright.Page) {
	j.mu.Lock()
	j.popups++
	j.opened[popup] = true
	j.sideEffects.add(&sideEffect{SideEffect: SideEffect{Kind: PopupOpened}, popup: popup})
	extra := j.popups > maxPopups
	j.mu.Unlock()
	popup.OnClose(func(playwright.Page) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.popups = max(0, j.popups-1) // it may have been counted in an earlier context
	})
	about := func() string { return "popup: " + j.address(popup.URL(), maxNote) }
	if extra {
		j.note(about() + " closed: more than the 10 that may be open at once")
		go func() { _ = popup.Close() }() // it may close itself meanwhile
		return
	}
	note := j.note(about())
	popup.OnFrameNavigated(func(f playwright.Frame) {
		if f.ParentFrame() != nil {
			return
		}
		j.mu.Lock()
		defer j.mu.Unlock()
		*note = about()
	})
}

func (j *EventLog) about(d *download) string {
	return "download: " + cut(d.name, maxNote) + " from " + j.address(d.URL(), maxNote)
}

// DialogPolicy says how a session answers the dialogs of its pages: alert,
// confirm, prompt, and the question whether to leave a page (beforeunload).
// The zero value accepts alerts and leaving, and dismisses the others. None
// ever blocks a page.
type DialogPolicy struct {
	Action string // accept or dismiss, for all kinds; empty for the default
	Text   string // what an accepted prompt is answered with
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

// String returns the dialog in words.
func (d Dialog) String() string { return fmt.Sprintf("%s %q", d.Kind, cut(d.Message, maxNote)) }
