package browser

import (
	"path"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/seen"
)

// The kinds of what an act can bring beside a change of the page.
const (
	DialogShown = "dialog"
	PopupOpened = "popup"
	Downloaded  = "download"
)

// Happening is a dialog, a popup or a download.
type Happening struct {
	Kind    string
	Text    string // a dialog's message, a popup's address now, a download's file name
	Dialog  string // of a dialog: alert, confirm or prompt
	Running bool   // of a download: it has not come to its end
	Failed  string // of a download: why it was not saved
}

// happening is one as the journal keeps it.
type happening struct {
	Happening
	popup playwright.Page
}

// happens keeps what happened; what is returned changes under j.mu alone.
func (j *journal) happens(h happening) *happening {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.happened.add(&h)
	return &h
}

// Fits reports whether a happening is the one that is expected: a dialog whose
// message contains the text, a popup whose address fits the pattern, a download
// of that file name, in which * stands for any letters.
func Fits(h Happening, expected string) bool {
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

// SinceAct are the happenings of a kind since the last act, a navigation
// included; lost are those of any kind that are no longer kept.
func (s *Session) SinceAct(kind string) (out []Happening, lost int) {
	j := s.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	kept := j.happened.since(j.acted.happened)
	for _, h := range kept {
		if h.Kind != kind {
			continue
		}
		told := h.Happening
		if h.popup != nil {
			told.Text = h.popup.URL()
		}
		out = append(out, told)
	}
	return out, j.happened.total - j.acted.happened - len(kept)
}
