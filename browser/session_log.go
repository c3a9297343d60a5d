package browser

import (
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/seen"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
)

type (
	// LogEntry names [eventlog.LogEntry] for callers of a session.
	LogEntry = eventlog.LogEntry
	// Logs names [eventlog.Logs] for callers of a session.
	Logs = eventlog.Logs
	// NetworkEvent names [eventlog.NetworkEvent] for callers of a session.
	NetworkEvent = eventlog.NetworkEvent
	// Requests names [eventlog.Requests] for callers of a session.
	Requests = eventlog.Requests
	// Position names [eventlog.Position] for callers of a session.
	Position = eventlog.Position
	// Window names [eventlog.Window] for callers of a session.
	Window = eventlog.Window
	// Asked names [eventlog.Asked] for callers of a session.
	Asked = eventlog.Asked
	// OtherAnswer names [eventlog.OtherAnswer] for callers of a session.
	OtherAnswer = eventlog.OtherAnswer
	// Answer names [eventlog.Answer] for callers of a session.
	Answer = eventlog.Answer
	// Made names [eventlog.Made] for callers of a session.
	Made = eventlog.Made
	// Redirect names [eventlog.Redirect] for callers of a session.
	Redirect = eventlog.Redirect
	// PageState names [eventlog.PageState] for callers of a session.
	PageState = eventlog.PageState
	// Unauthorized names [eventlog.Unauthorized] for callers of a session.
	Unauthorized = eventlog.Unauthorized
	// Effects names [eventlog.Effects] for callers of a session.
	Effects = eventlog.Effects
	// Blocked names [eventlog.Blocked] for callers of a session.
	Blocked = eventlog.Blocked
	// SideEffect names [eventlog.SideEffect] for callers of a session.
	SideEffect = eventlog.SideEffect
	// Dialog names [eventlog.Dialog] for callers of a session.
	Dialog = eventlog.Dialog
	// DialogPolicy names [eventlog.DialogPolicy] for callers of a session.
	DialogPolicy = eventlog.DialogPolicy
	// Traffic names [eventlog.Traffic] for callers of a session.
	Traffic = eventlog.Traffic
	// Sent names [eventlog.Sent] for callers of a session.
	Sent = eventlog.Sent
)

// These set from when requests count, and name the kinds of side effects of an
// action beside a change of the page; see [eventlog].
const (
	SincePage   = eventlog.SincePage
	SinceAct    = eventlog.SinceAct
	DialogShown = eventlog.KindDialog
	PopupOpened = eventlog.KindPopup
	Downloaded  = eventlog.KindDownload
)

// Bounds on what a note quotes, and on an address, in bytes.
const (
	maxNote = eventlog.MaxNote
	maxURL  = eventlog.MaxURL
)

// HAR writes the traffic of sessions as one HTTP archive; see [eventlog.HAR].
func HAR(sessions []Traffic, creatorVersion string) ([]byte, error) {
	return eventlog.HAR(sessions, creatorVersion)
}

// TrafficLines writes the requests and the console of sessions as JSON, a line each;
// see [eventlog.TrafficLines].
func TrafficLines(sessions []Traffic) (network, console []byte, err error) {
	return eventlog.TrafficLines(sessions)
}

// Position returns the moment that the session is at now.
func (s *Session) Position() Position { return s.log.Position() }

// Console returns the newest limit entries (0 means all) of the console at or above
// level ("" means all) that came after since.
func (s *Session) Console(level string, since time.Time, limit int) (Logs, error) {
	logs, err := s.log.Console(level, since, limit)
	return logs, asInvalid(err)
}

// ErrorsSince returns the console errors and exceptions of all the session's pages
// since then, whatever they showed meanwhile. Dropped are those of them that are
// counted only.
func (s *Session) ErrorsSince(p Position) Logs { return s.log.ErrorsSince(p) }

// SiteErrors returns the console errors and exceptions that the site which the page
// shows has caused since the session began; see [eventlog.Log.SiteErrors].
func (s *Session) SiteErrors() Logs { return s.log.SiteErrors() }

// TakeExceptions returns the uncaught exceptions since the last call of it; more says
// how many of them are counted only.
func (s *Session) TakeExceptions() (thrown []LogEntry, more int) { return s.log.TakeExceptions() }

// HasThrown reports whether TakeExceptions would return any.
func (s *Session) HasThrown() bool { return s.log.HasThrown() }

// TakeErrors returns the console's errors since its last call, without
// uncaught exceptions.
func (s *Session) TakeErrors() []LogEntry { return s.log.TakeErrors() }

// TakeStopped returns what the guard has stopped since the last call of it: the
// tester was not permitted to go on, so what was seen then proves little.
func (s *Session) TakeStopped() []pagetext.Text { return s.log.TakeStopped() }

// Network returns the newest limit events (0 means all) whose URL matches filter
// (see [CheckFilter], which tells whether it is one) and whose status matches status:
// an exact number, 4 for 400–499, 5 for 500–599, 0 for all, -1 for failed ones.
func (s *Session) Network(filter string, status int, since time.Time, limit int) Requests {
	fits, err := searcher(filter)
	if err != nil {
		fits = func(string) bool { return false } // what is no filter finds nothing
	}
	return s.log.Network(fits, status, since, limit)
}

// Matching returns the newest limit events (0 means all) that fit any of the
// patterns. Patterns that are none fit nothing.
func (s *Session) Matching(patterns []string, limit int) Requests {
	rules, err := newRules(patterns, Observe, nil)
	if err != nil {
		return Requests{Events: []NetworkEvent{}}
	}
	return s.log.Matching(func(method, url string) bool {
		return slices.ContainsFunc(rules, func(r *InterceptRule) bool { return r.matches(method, url) })
	}, limit)
}

// IsJSON reports whether a request was answered with JSON, as far as its headers
// tell.
func (s *Session) IsJSON(requestID string) bool { return s.log.IsJSON(requestID) }

// Requested counts the requests that fit "[METHOD ]pattern[ outcome]" (see
// [address.ParseRequest]).
func (s *Session) Requested(wanted string, w Window) (Asked, error) {
	asked, err := s.log.Requested(wanted, w)
	return asked, asInvalid(err)
}

// Answered returns the newest answer to "[METHOD ]pattern", or the answer that
// brought the page's document when wanted is empty.
func (s *Session) Answered(wanted string, w Window) (Answer, error) {
	answer, err := s.log.Answered(wanted, w)
	return answer, asInvalid(err)
}

// Made returns what a caller has made of the page, without asking it; see
// [eventlog.Log.Made].
func (s *Session) Made() Made { return s.log.Made() }

// WritesAnew reports whether what a script of the caller writes next is the first since
// something was done through the page.
func (s *Session) WritesAnew() bool { return s.log.WritesAnew() }

// DataRequests returns the fetches and XHRs that the session's pages began after a
// moment; see [eventlog.Log.DataRequests].
func (s *Session) DataRequests(since time.Time) []NetworkEvent { return s.log.DataRequests(since) }

// QuietSince returns when the last request of the session's pages came to its end;
// see [eventlog.Log.QuietSince].
func (s *Session) QuietSince() (last time.Time, ok bool) { return s.log.QuietSince() }

// DocumentSince returns when the current document was requested; the zero time
// where the event log holds no such request.
func (s *Session) DocumentSince() time.Time { return s.log.DocumentSince() }

// Acts returns how many acts and loads of a caller the session has seen: where it is
// as it was, whatever has changed on the page was changed by the page itself.
func (s *Session) Acts() int { return s.log.Acts() }

// SinceAct returns the side effects of a kind since the last act, a navigation
// included; lost are those of any kind that are no longer kept.
func (s *Session) SinceAct(kind string) (out []SideEffect, lost int) { return s.log.SinceAct(kind) }

// SetDialogPolicy sets how the session answers dialogs from now on. It fails with
// INVALID_INPUT for an unknown action, and for a text that nothing would use.
func (s *Session) SetDialogPolicy(p DialogPolicy) error { return asInvalid(s.log.SetDialogPolicy(p)) }

// ArmDialog sets how the next dialog of the current page is answered, once; see
// [eventlog.Log.ArmDialog].
func (s *Session) ArmDialog(p DialogPolicy) error { return asInvalid(s.log.ArmDialog(p)) }

// QueueDialogAnswer sets how the next dialog of any of the session's pages is
// answered; see [eventlog.Log.QueueDialogAnswer].
func (s *Session) QueueDialogAnswer(p DialogPolicy) error {
	return asInvalid(s.log.QueueDialogAnswer(p))
}

// UnusedDialogAnswers returns the queued answers that no dialog has used.
func (s *Session) UnusedDialogAnswers() []DialogPolicy { return s.log.UnusedDialogAnswers() }

// LastDismissed returns the newest dialog, if it was dismissed because no answer was
// set, and nothing has been done since.
func (s *Session) LastDismissed() (SideEffect, bool) { return s.log.LastDismissed() }

// DialogsSince returns the dialogs of all the session's pages since then; dropped are
// those that are counted only.
func (s *Session) DialogsSince(p Position) (shown []Dialog, dropped int) {
	return s.log.DialogsSince(p)
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

// MatchURL reports whether url fits pattern; see [address.Pattern]. A pattern
// that is none fits nothing.
func MatchURL(pattern, url string) bool {
	p, err := address.Parse(pattern)
	return err == nil && p.Fits(url)
}

// CheckFilter reports whether filter is a search of addresses, as [Session.Network]
// takes it: a part of the address, or, with a * or after re:, a pattern. A search
// is for looking around; a check takes patterns only.
func CheckFilter(filter string) error {
	_, err := searcher(filter)
	var asked *eventlog.InvalidError
	if errors.As(err, &asked) {
		return explain.Invalid(asked.Hint, "%s", asked.Message)
	}
	return err
}

func searcher(filter string) (func(url string) bool, error) {
	if !strings.Contains(filter, "*") && !strings.HasPrefix(filter, "re:") {
		return func(url string) bool { return strings.Contains(url, filter) }, nil
	}
	p, err := address.Parse(filter)
	return p.Fits, asInvalid(err)
}

// asInvalid returns what is wrong with a pattern as an error of ours.
func asInvalid(err error) error {
	var e *address.Error
	if errors.As(err, &e) {
		return explain.Invalid(e.Hint, "%s", e.Message)
	}
	var asked *eventlog.InvalidError
	if errors.As(err, &asked) {
		return explain.Invalid(asked.Hint, "%s", asked.Message)
	}
	return err
}
