package browser

import (
	"fmt"
)

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

// String is the dialog in words.
func (d Dialog) String() string { return fmt.Sprintf("%s %q", d.Kind, cut(d.Message, maxNote)) }
