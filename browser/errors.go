package browser

import (
	"context"
	"errors"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/disk"
	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/pattern"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/texts"
)

// Code names a kind of failure, stable across versions.
type Code string

// The codes this package answers with.
const (
	InvalidInput      Code = code.InvalidInput
	SessionNotFound   Code = code.SessionNotFound
	SessionLimit      Code = code.SessionLimit
	ElementNotFound   Code = code.ElementNotFound
	SelectorAmbiguous Code = code.SelectorAmbiguous
	NotActionable     Code = code.NotActionable
	TimedOut          Code = code.Timeout
	NavigationFailed  Code = code.NavigationFailed
	HostBlocked       Code = code.HostBlocked
	ActionBlocked     Code = code.ActionBlocked
	NeedsHuman        Code = code.NeedsHuman
	PageCrashed       Code = code.PageCrashed
	BrowserCrashed    Code = code.BrowserCrashed
	DriverMissing     Code = code.DriverMissing
	ImageInvalid      Code = code.ImageInvalid
	Cancelled         Code = code.Cancelled
	Internal          Code = code.Internal
)

// Error holds a failure that a caller can act on.
type Error struct {
	Code      Code
	Message   pagetext.Sentence // what failed, on what, why
	Hint      string            // what to do next
	Page      []pagetext.Text   // page text that completes the hint, such as candidates; never the server's words
	Retriable bool              // the same call may succeed later
	Cause     error
}

func (e *Error) Error() string { return e.Sentence().Line() }

// Sentence returns code and message, with the page's words apart.
func (e *Error) Sentence() pagetext.Sentence { return pagetext.Sentencef("%s: %s", e.Code, e.Message) }

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error { return e.Cause }

func invalid(hint, format string, args ...any) *Error {
	return &Error{Code: InvalidInput, Message: pagetext.Sentencef(format, args...), Hint: hint}
}

// Playwright's error messages carry terminal colours and a call log; only what
// stands before it says what happened.
var (
	ansi      = pattern.New(`\x1b\[[0-9;]*m`)
	netError  = pattern.New(`net::(ERR_[A-Z0-9_]+)|(NS_ERROR_[A-Z0-9_]+)`)
	callLog   = pattern.New(`(?s)\n?Call log:.*$`)
	methodTag = pattern.New(`^(?:[a-zA-Z]+: )?(?:[a-z][A-Za-z]+\.[a-zA-Z$]+: )`)
)

// maxReason bounds what an error repeats of Playwright's words, in bytes.
const maxReason = 600

// plain returns what a Playwright error says, without colours, method names
// and call log.
func plain(err error) pagetext.Text {
	text := callLog.ReplaceAllString(rawText(err), "")
	return pagetext.Text(texts.Cut(methodTag.ReplaceAllString(strings.TrimSpace(text), ""), maxReason))
}

// reason returns the first line of it, for a fact about the page, whose reader takes it
// for the page's.
func reason(err error) string {
	line, _, _ := strings.Cut(callLog.ReplaceAllString(rawText(err), ""), "\n")
	return texts.Cut(methodTag.ReplaceAllString(strings.TrimSpace(line), ""), maxReason)
}

// why returns the first line of what a Playwright error says, for a message.
func why(err error) pagetext.Sentence {
	said, _ := firstLine(plain(err)).CutPrefix("Error: ")
	return pagetext.Quoted(said)
}

// quoting returns what a caller or the page named, such as a selector or an address, as a
// part of a message.
func quoting(words string) pagetext.Sentence { return pagetext.Quoted(pagetext.Text(words)) }

// doing says what a call does to what.
func doing(op string, subject pagetext.Sentence) pagetext.Sentence {
	if subject == "" {
		return pagetext.Sentencef("%s", op)
	}
	return pagetext.Sentencef("%s %s", op, subject)
}

// rawText returns the whole text of a Playwright error, without colours.
func rawText(err error) string {
	text := err.Error()
	var pe *playwright.Error
	if errors.As(err, &pe) {
		text = pe.Message
	}
	return ansi.ReplaceAllString(text, "")
}

// classify turns what came back from Playwright while doing what into an
// [Error]. Errors that are already ours pass unchanged.
func classify(err error, what pagetext.Sentence) error {
	if err == nil {
		return nil
	}
	return asError(err, what)
}

func asError(err error, what pagetext.Sentence) *Error {
	const later = "raise timeout_ms, or look at the page with page_snapshot"
	var ours *Error
	if errors.As(err, &ours) {
		return ours
	}
	text := rawText(err)
	switch {
	case disk.OutOfFiles(err):
		return tooManyFiles(what, err)
	case errors.Is(err, context.Canceled):
		return &Error{Code: Cancelled, Message: what + " was cancelled", Hint: "nothing to fix; call again when wanted", Retriable: true, Cause: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: TimedOut, Message: what + " took longer than " + itsTimeout, Hint: later, Retriable: true, Cause: err}
	case errors.Is(err, errNoAnswer), errors.Is(err, errStuck):
		return &Error{Code: TimedOut, Message: what + ": the page does not answer", Retriable: true, Cause: err,
			Hint: "a script of it may run without end, or this machine is overloaded: call again, or page_navigate, which starts over on a fresh page"}
	case strings.Contains(text, "Page crashed") || strings.Contains(text, "Target crashed"):
		return pageCrashed(what, err)
	case netError.MatchString(text):
		return navigationFailed(what, netError.FindString(text), err)
	case errors.Is(err, playwright.ErrTimeout):
		return &Error{Code: TimedOut, Message: what + ": " + tooSlow(err), Hint: later, Retriable: true, Cause: err}
	case isClosed(err):
		return browserCrashed(what, err)
	case isNavigating(err):
		return &Error{Code: NavigationFailed, Message: what + ": the page went to another address meanwhile", Hint: "call again", Retriable: true, Cause: err}
	default:
		return &Error{Code: Internal, Message: pagetext.Sentencef("%s: %s", what, plain(err)), Hint: "look at the page with page_snapshot; if it persists, report it with the server's log", Cause: err}
	}
}

// driverOutOfFiles reports whether what starts a browser could open no more files. Its
// words are Node's, and no page's.
func driverOutOfFiles(err error) bool {
	text := rawText(err)
	return disk.OutOfFiles(err) || strings.Contains(text, "EMFILE") || strings.Contains(text, "ENFILE")
}

func tooManyFiles(what pagetext.Sentence, err error) *Error {
	return &Error{Code: SessionLimit, Message: what + ": too many files are open", Retriable: true, Cause: err,
		Hint: "close sessions with browser_close, or raise the limit of open files where the server is started (ulimit -n)"}
}

// timeoutFigure matches the driver's words about a time-out, with what was left of the
// caller's own when the driver was asked.
var timeoutFigure = pattern.New(`Timeout [0-9.]+ms exceeded\.?`)

const (
	itsTimeout = "its time-out"
	tookLonger = "it took longer than " + itsTimeout
)

func withoutFigure(said string) string { return timeoutFigure.ReplaceAllString(said, tookLonger) }

// tooSlow returns what the driver says of a time-out: mostly words of ours, and else its own.
func tooSlow(err error) pagetext.Sentence {
	said, _ := plain(err).Map(withoutFigure).CutPrefix("timeout: ")
	if said != tookLonger {
		return pagetext.Quoted(said)
	}
	return tookLonger
}

// isClosed reports whether the page, its browser or the driver went away.
func isClosed(err error) bool {
	var pe *playwright.Error
	if errors.Is(err, playwright.ErrTargetClosed) || errors.Is(err, errUnusable) {
		return true
	}
	if errors.As(err, &pe) {
		return false // the driver answered: its text is about the page, or from it
	}
	for _, sign := range []string{"transport closed", "could not send message", "Connection closed"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// isNavigating reports whether a call met a page that is just being replaced
// by the next document.
func isNavigating(err error) bool {
	text := rawText(err)
	for _, sign := range []string{"context was destroyed", "Cannot find context with specified id", "Frame was detached", "frame was detached", "interrupted by another navigation",
		"Unable to adopt element handle"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

func sessionClosed(what pagetext.Sentence, id string) *Error {
	return &Error{Code: SessionNotFound, Message: pagetext.Sentencef("%s: session %s is closed", what, id), Hint: "call browser_launch for a new one"}
}

// pageClosed returns the error of a call on a page that the site itself closed.
func pageClosed(what pagetext.Sentence, cause error) *Error {
	return &Error{Code: PageCrashed, Message: what + ": the page closed itself", Retriable: true, Cause: cause,
		Hint: "a fresh page stands ready in the same session; call page_navigate to load an address"}
}

// busy returns the error of a call that found its page held by an earlier one.
func busy(what pagetext.Sentence, earlier string, cause error) *Error {
	return &Error{Code: TimedOut, Message: pagetext.Sentencef("%s: the page is still busy with an earlier %s", what, earlier), Retriable: true, Cause: errors.Join(errHeld, cause),
		Hint: "call page_navigate, which starts over on a fresh page, or browser_close"}
}

func pageCrashed(what pagetext.Sentence, cause error) *Error {
	return &Error{Code: PageCrashed, Message: what + ": the page's renderer crashed", Retriable: true, Cause: cause,
		Hint: "a fresh page stands ready in the same session; call page_navigate to load the address again"}
}

func browserCrashed(what pagetext.Sentence, cause error) *Error {
	return &Error{Code: BrowserCrashed, Message: what + ": the browser or its driver is gone", Retriable: true, Cause: cause,
		Hint: "call again; if it persists, run: assay doctor"}
}

// netFaults say what the commonest network errors mean, and what to do. A code begins
// with the one of its row.
var netFaults = []struct{ code, means, hint string }{
	{"ERR_CONNECTION_REFUSED", "nothing answers there: connection refused", "nothing listens at that address: start the server, or fix host and port"},
	{"ERR_NAME_NOT_RESOLVED", "nothing answers there: the name has no address", "the host name does not resolve: fix the spelling, or check the network"},
	{"ERR_CERT", "its certificate is not valid", "the certificate is not trusted: fix it, or use the http address of a test system"},
	{"ERR_SSL", "it does not speak https", "the server does not speak https there: try http://, or fix the server's TLS"},
	{"ERR_TIMED_OUT", "nothing answers there: timed out", "the host does not answer: fix host and port, or check the network"},
	{"ERR_ADDRESS", "nothing answers there: address unreachable", "no host answers at that address: fix it, or check the network"},
	{"ERR_ABORTED", "no page came", "the navigation was cancelled: the address starts a download, answers 204, or the page went elsewhere"},
	{"ERR_BLOCKED_BY_CLIENT", "the request was blocked", "a rule of this session stopped it: network_intercept without patterns lists them, mode observe ends one"},
	{"ERR_EMPTY_RESPONSE", "the server closed the connection without an answer", "look at the server's log"},
	{"ERR_TOO_MANY_REDIRECTS", "it redirects without end", "the site redirects in a circle, often a sign-in that does not stick"},
	{"ERR_UNSAFE_PORT", "browsers refuse that port", "browsers refuse that port for safety: serve on another one, such as 8080"},
}

func navigationFailed(what pagetext.Sentence, code string, cause error) *Error {
	e := &Error{Code: NavigationFailed, Message: pagetext.Sentencef("%s: %s", what, code), Retriable: true, Cause: cause, Hint: "check that the address is reachable from this machine"}
	for _, f := range netFaults {
		if strings.HasPrefix(strings.TrimPrefix(code, "net::"), f.code) {
			e.Message, e.Hint = pagetext.Sentencef("%s: %s (%s)", what, f.means, code), f.hint
		}
	}
	return e
}
