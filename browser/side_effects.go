package browser

import (
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
