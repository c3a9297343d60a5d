package eventlog

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// The kinds of side effects of an action, beside a change of the page.
const (
	KindDialog   = "dialog"
	KindPopup    = "popup"
	KindDownload = "download"
	KindChooser  = "file chooser"
	KindStayed   = "stayed" // of a note: the page asked whether to leave it, and that was dismissed
	KindGuard    = "guard"  // of a note
)

// SideEffect describes a dialog, a popup or a download.
type SideEffect struct {
	Kind    string
	Text    string        // a dialog's message, a popup's address now, a download's file name
	Dialog  string        // of a dialog: alert, confirm or prompt
	Running bool          // of a download: it has not come to its end
	Failed  pagetext.Text // of a download: why it was not saved
}

// sideEffect holds a SideEffect as the event log keeps it.
type sideEffect struct {
	SideEffect
	popup     Page
	tab       int  // of a popup: the number of its tab
	dismissed bool // of a dialog: because no answer was set
}

// addSideEffect records a side effect; what it returns changes under j.mu alone.
func (j *Log) addSideEffect(h sideEffect) *sideEffect {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sideEffects.add(&h)
	return &h
}

// SinceAct returns the side effects of a kind since the last act, a navigation
// included; lost are those of any kind that are no longer kept.
func (j *Log) SinceAct(kind string) (out []SideEffect, lost int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	kept := j.sideEffects.since(j.lastAct.sideEffects)
	for _, h := range kept {
		if h.Kind != kind {
			continue
		}
		effect := h.SideEffect
		if h.popup != nil {
			effect.Text = h.popup.URL()
		}
		out = append(out, effect)
	}
	return out, j.sideEffects.total - j.lastAct.sideEffects - len(kept)
}

// SetDialogPolicy sets how the session answers dialogs from now on. It fails
// with INVALID_INPUT for an unknown action, and for a text that nothing would
// use.
func (j *Log) SetDialogPolicy(p DialogPolicy) error {
	if err := p.check(); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.policy, j.queued = p, nil
	return nil
}

// QueueDialogAnswer sets how the next dialog of any page is answered, after those for
// which an answer is set already. It fails with INVALID_INPUT as
// [Log.SetDialogPolicy] does, which takes back what is not used.
func (j *Log) QueueDialogAnswer(p DialogPolicy) error {
	if err := p.checkSet(); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queued = append(j.queued, p)
	return nil
}

// UnusedDialogAnswers returns the queued answers that no dialog has used.
func (j *Log) UnusedDialogAnswers() []DialogPolicy {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.queued)
}

// DialogsSince returns the dialogs of all the session's pages since then; dropped
// are those that are counted only.
func (j *Log) DialogsSince(p Position) (shown []Dialog, dropped int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	shown = j.dialogs.since(p.dialogs)
	return shown, j.dialogs.total - p.dialogs - len(shown)
}

// Touch notes that an action on the page follows (acted), or that an address
// is opened. Dialogs count as shown at load until the first action.
func (j *Log) Touch(acted bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.touched = acted
	if acted {
		j.actsThroughPage++
		j.written.acted(j.actCount - 1) // the act itself is counted already
	}
}

// TouchByScript notes that a script of the caller follows: see [Log.Touch].
func (j *Log) TouchByScript() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.touched = true
}

// Acted reports whether an act of ours came since an address was opened: [Log.Touch].
func (j *Log) Acted() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.touched
}

// DialogShown records a dialog separately from the notes, and returns how it is to be
// answered.
func (j *Log) DialogShown(kind, message string, page Page) DialogPolicy {
	said := validUTF8(text.Cut(j.mask(message), MaxLogText))
	shown := Dialog{Kind: kind, Message: pagetext.Text(said)}
	if page != nil {
		shown.Page = j.Address(page.URL(), MaxURL)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	policy := j.policy
	switch {
	case j.armed != nil && j.armed.page == page:
		policy, j.armed = j.armed.policy, nil
	case len(j.queued) > 0:
		policy, j.queued = j.queued[0], j.queued[1:]
	}
	if shown.Kind != "beforeunload" {
		shown.Popup, shown.AtLoad, shown.Named = j.opened[page] && !j.selected[page], !j.touched, policy.Action != ""
		j.dialogs.add(shown)
		j.sideEffects.add(&sideEffect{SideEffect: SideEffect{Kind: KindDialog, Dialog: shown.Kind, Text: said}, dismissed: policy.Action == "" && !policy.Accepts(kind)})
	}
	return policy
}

// ChooserOpened records that a page asks for files; several: it takes more than one.
func (j *Log) ChooserOpened(several bool) {
	about := pagetext.Text("file chooser: the page asks for a file")
	if several {
		about = "file chooser: the page asks for files"
	}
	j.Note(KindChooser, about)
	j.addSideEffect(sideEffect{SideEffect: SideEffect{Kind: KindChooser}})
}

// PopupOpened records a new page, and returns how many are open.
func (j *Log) PopupOpened(popup Page) (open int) {
	n := j.tab(popup) // it asks the session, which asks the log
	j.mu.Lock()
	defer j.mu.Unlock()
	j.popups++
	j.opened[popup] = true
	j.sideEffects.add(&sideEffect{SideEffect: SideEffect{Kind: KindPopup}, popup: popup, tab: n})
	return j.popups
}

// PopupClosed records the end of one.
func (j *Log) PopupClosed() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.popups = max(0, j.popups-1) // it may have been counted in an earlier context
}

// PopupNote notes a popup, whose address may not be known yet. What it returns
// notes the address that it has by now instead, or that it is closed.
func (j *Log) PopupNote(popup Page) (again func(closed bool)) {
	tab := ""
	if n := j.tab(popup); n > 0 {
		tab = fmt.Sprintf(" in tab %d", n)
	}
	about := func() pagetext.Text {
		return "popup: " + pagetext.Text(cmp.Or(j.Address(popup.URL(), MaxNote), "without an address yet")+tab)
	}
	popped := j.note(KindPopup, about())
	return func(closed bool) {
		j.mu.Lock()
		defer j.mu.Unlock()
		if popped.text = about(); closed {
			popped.text += ", which is closed again"
		}
	}
}

// DownloadedSince reports whether a download began after m.
func (j *Log) DownloadedSince(m Mark) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.ContainsFunc(j.sideEffects.since(m.sideEffects), func(e *sideEffect) bool { return e.Kind == KindDownload })
}

// DownloadNote describes a download that is under way.
type DownloadNote struct {
	log   *Log
	about pagetext.Text
	mark  int // notes before it
	note  *note
	came  *sideEffect
}

// DownloadBegan records a download by its file name and its address.
func (j *Log) DownloadBegan(name, url string) *DownloadNote {
	d := &DownloadNote{log: j, about: pagetext.Sprintf("download: %s from %s", text.Cut(name, MaxNote), j.Address(url, MaxNote))}
	j.mu.Lock()
	d.mark = j.notes.total
	j.mu.Unlock()
	d.note = j.note(KindDownload, d.about+"; still running")
	d.came = j.addSideEffect(sideEffect{SideEffect: SideEffect{Kind: KindDownload, Text: name, Running: true}})
	return d
}

// Text returns the download in words.
func (d *DownloadNote) Text() pagetext.Text { return d.about }

// Since reports whether the download began after m.
func (d *DownloadNote) Since(m Mark) bool { return d.mark >= m.notes }

// End records what became of it; failed is empty where it was saved.
func (d *DownloadNote) End(outcome, failed pagetext.Text) {
	d.log.mu.Lock()
	defer d.log.mu.Unlock()
	d.note.text = d.about + outcome
	d.came.Running, d.came.Failed = false, failed
}

// DialogPolicy sets how a session answers the dialogs of its pages: alert,
// confirm, prompt, and the question whether to leave a page (beforeunload).
// The zero value accepts alerts and leaving, and dismisses the others. None
// ever blocks a page.
type DialogPolicy struct {
	Action string // accept or dismiss, for all kinds; empty for the default
	Text   string // what an accepted prompt is answered with
}

func (p DialogPolicy) check() error {
	switch {
	case p.Action != "" && p.Action != "accept" && p.Action != "dismiss":
		return &InvalidError{Message: fmt.Sprintf("dialog action %q is unknown", text.Cut(p.Action, MaxNote)), Hint: "use accept or dismiss"}
	case p.Text != "" && p.Action != "accept":
		return &InvalidError{Message: "a dialog that is not accepted takes no text", Hint: "use accept, or leave the text out"}
	}
	return nil
}

// checkSet reports whether p is an answer that a caller may set for one dialog.
func (p DialogPolicy) checkSet() error {
	if p.Action == "" {
		return &InvalidError{Message: "no answer is named", Hint: "use accept or dismiss"}
	}
	return p.check()
}

// Accepts reports whether dialogs of that kind are accepted.
func (p DialogPolicy) Accepts(kind string) bool {
	if p.Action == "" {
		return kind == "alert" || kind == "beforeunload"
	}
	return p.Action == "accept"
}

// Dialog describes a dialog that a page has shown: an alert, a confirm or a
// prompt. The question whether to leave a page is not kept: whoever leaves it
// caused it.
type Dialog struct {
	Kind    string
	Message pagetext.Text
	Page    string // address of the page that showed it
	Popup   bool   // that page was opened by another one
	AtLoad  bool   // nothing had been done on the page since its address was opened
	Named   bool   // a policy had been set for it
}

// Text returns the dialog in words.
func (d Dialog) Text() pagetext.Text {
	return pagetext.Sprintf("%s %q", d.Kind, d.Message.CutBytes(MaxNote))
}

// armedAnswer holds the answer to the next dialog of one page. It ends with its use,
// with the page, or with the page's document: when an act replaced that, at the end of
// the act; when the page went by itself, at once.
type armedAnswer struct {
	policy DialogPolicy
	page   Page
	acts   int  // acts of the caller before it
	moved  bool // an act has replaced the page's document
}

// ArmDialog sets how the next dialog of the page that the session shows is answered.
// It fails with INVALID_INPUT as [Log.SetDialogPolicy] does.
func (j *Log) ArmDialog(p DialogPolicy) error {
	if err := p.checkSet(); err != nil {
		return err
	}
	page := j.page()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.armed = &armedAnswer{policy: p, page: page, acts: j.actCount}
	return nil
}

// LastDismissed returns the newest dialog, if it was dismissed because no answer was
// set, and nothing has been done since.
func (j *Log) LastDismissed() (d SideEffect, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, effect := range slices.Backward(j.sideEffects.since(j.lastAct.sideEffects)) {
		if effect.Kind == KindDialog {
			return effect.SideEffect, effect.dismissed
		}
	}
	return d, false
}

// disarm drops the answer that was set for a page's next dialog, and notes that it
// stayed unused; j.mu is held.
func (j *Log) disarm(page Page, why string) {
	a := j.armed
	if a == nil || a.page != page {
		return
	}
	j.armed = nil
	j.notes.add(&note{KindDialog, pagetext.Sprintf("dialog: none was shown, so the answer set by page_dialog (%s) was not used and is dropped: %s", a.policy.Action, why)})
}

// armedMoved notes that a page may show another document than before; j.mu is held.
func (j *Log) armedMoved(page Page, before *pageDocument) {
	a := j.armed
	switch {
	case a == nil || a.page != page || j.documents[page] == before:
	case a.acts == j.actCount:
		j.disarm(page, "the page went to another address by itself")
	default:
		a.moved = true
	}
}

// Selected records that a caller goes on with a page, which may be a popup.
func (j *Log) Selected(page Page) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.opened[page] {
		j.selected[page] = true
	}
}

// nextCalls returns the calls that answer what came up since m: popups that are open,
// dialogs that were dismissed because nothing was set, requests for files; j.mu is held.
func (j *Log) nextCalls(m Mark) []string {
	var out []string
	add := func(call string) {
		if !slices.Contains(out, call) && len(out) < 5 {
			out = append(out, call)
		}
	}
	for _, effect := range j.sideEffects.since(m.sideEffects) {
		switch {
		case effect.tab > 0 && j.opened[effect.popup] && !j.selected[effect.popup]:
			add(fmt.Sprintf(`to work in the popup: page_tabs {"action": "select", "tab": %d}`, effect.tab))
		case effect.Kind == KindDialog && effect.dismissed && effect.Dialog == "prompt":
			add(`the prompt was dismissed; to answer it: page_dialog {"action": "accept", "text": "…"}, then do the same again`)
		case effect.Kind == KindDialog && effect.dismissed:
			add(`the dialog was dismissed; to accept it: page_dialog {"action": "accept"}, then do the same again`)
		case effect.Kind == KindChooser:
			add(`to give it files: page_upload {"selector": "…", "paths": ["…"]} with the selector of this call`)
		}
	}
	if a := j.armed; a != nil && j.actCount > a.acts {
		add(fmt.Sprintf(`the answer set by page_dialog (%s) still waits for the next dialog of this page`, a.policy.Action))
	}
	return out
}
