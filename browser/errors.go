package browser

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/disk"
	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/pattern"
	"github.com/assay-qa/assay/qa/code"
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

	Net        string        // the browser's network error, such as ERR_CONNECTION_REFUSED
	Limit      time.Duration // time of the caller's that was not enough; 0: that was not it
	Download   bool          // the address is a file, which the browser saves
	FileType   string        // of that file
	ClosedSelf bool          // the page closed itself
	Done       bool          // the act was done all the same
	State      bool          // a storage state can't be used
	Open       bool          // whether something holds could not be decided

	what pagetext.Sentence // what was done on what; empty: Message is the reason alone
	why  pagetext.Sentence // the reason, which stands in Message after what
	late bool              // its time-out was over
}

// Why returns what went wrong, without what was done on what.
func (e *Error) Why() pagetext.Sentence {
	if e.what == "" {
		return e.Message
	}
	return e.why
}

// led puts what was done on what before the message.
func (e *Error) led(what pagetext.Sentence) *Error {
	if e.what != "" {
		what += ": " + e.what
	}
	return e.say(what, e.Why())
}

// say makes the message of what was done on what, and of the reason.
func (e *Error) say(what, why pagetext.Sentence) *Error {
	e.what, e.why, e.Message = what, why, what+": "+why
	return e
}

func (e *Error) Error() string { return e.Sentence().Line() }

// Sentence returns code and message, with the page's words apart.
func (e *Error) Sentence() pagetext.Sentence { return pagetext.Sentencef("%s: %s", e.Code, e.Message) }

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error { return e.Cause }

func invalid(hint, format string, args ...any) *Error {
	return &Error{Code: InvalidInput, Message: pagetext.Sentencef(format, args...), Hint: hint}
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
	switch {
	case disk.OutOfFiles(err):
		return tooManyFiles(what, err)
	case errors.Is(err, context.Canceled):
		return &Error{Code: Cancelled, Message: what + " was cancelled", Hint: "nothing to fix; call again when wanted", Retriable: true, Cause: err}
	case errors.Is(err, context.DeadlineExceeded):
		return (&Error{Code: TimedOut, Message: tookLonger, Hint: later, Retriable: true, Cause: err, late: true}).led(what)
	case errors.Is(err, errNoAnswer), errors.Is(err, errStuck):
		return (&Error{Code: TimedOut, Message: "the page does not answer", Retriable: true, Cause: err,
			Hint: "a script of it may run without end, or this machine is overloaded: call again, or page_navigate, which starts over on a fresh page"}).led(what)
	case isCrash(err):
		return pageCrashed(what, err)
	case netErrorOf(err) != "":
		return navigationFailed(what, netErrorOf(err), err)
	case errors.Is(err, playwright.ErrTimeout):
		return (&Error{Code: TimedOut, Message: tooSlow(err), Hint: later, Retriable: true, Cause: err, late: true}).led(what)
	case isClosed(err):
		return browserCrashed(what, err)
	case isNavigating(err):
		return (&Error{Code: NavigationFailed, Message: "the page went to another address meanwhile", Hint: "call again", Retriable: true, Cause: err}).led(what)
	default:
		return (&Error{Code: Internal, Message: pagetext.Quoted(plain(err)), Hint: "look at the page with page_snapshot; if it persists, report it with the server's log", Cause: err}).led(what)
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

// tookLonger is what is said of a time-out that was over.
const tookLonger = "it took longer than its time-out"

func withoutFigure(said string) string { return timeoutFigure.ReplaceAllString(said, tookLonger) }

// tooSlow returns what the driver says of a time-out: mostly words of ours, and else its own.
func tooSlow(err error) pagetext.Sentence {
	if said := plain(err).Map(withoutFigure); said != tookLonger {
		return pagetext.Quoted(said)
	}
	return tookLonger
}

func sessionClosed(what pagetext.Sentence, id string) *Error {
	return &Error{Code: SessionNotFound, Message: pagetext.Sentencef("%s: session %s is closed", what, id), Hint: "call browser_launch for a new one"}
}

// pageClosed returns the error of a call on a page that the site itself closed.
func pageClosed(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: PageCrashed, Message: "the page closed itself", Retriable: true, Cause: cause, ClosedSelf: true,
		Hint: "a fresh page stands ready in the same session; call page_navigate to load an address"}).led(what)
}

// busy returns the error of a call that found its page held by an earlier one.
func busy(what pagetext.Sentence, earlier string, cause error) *Error {
	return (&Error{Code: TimedOut, Message: pagetext.Sentencef("the page is still busy with an earlier %s", earlier), Retriable: true, Cause: errors.Join(errHeld, cause),
		Hint: "call page_navigate, which starts over on a fresh page, or browser_close"}).led(what)
}

func pageCrashed(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: PageCrashed, Message: "the page's renderer crashed", Retriable: true, Cause: cause,
		Hint: "a fresh page stands ready in the same session; call page_navigate to load the address again"}).led(what)
}

func browserCrashed(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: BrowserCrashed, Message: "the browser or its driver is gone", Retriable: true, Cause: cause,
		Hint: "call again; if it persists, run: assay doctor"}).led(what)
}

// navigationFailed returns the error of an address that could not be loaded, with the
// browser's own name of the reason.
func navigationFailed(what pagetext.Sentence, name string, cause error) *Error {
	e := &Error{Code: NavigationFailed, Message: pagetext.Sentencef("%s", name), Retriable: true, Cause: cause, Hint: "check that the address is reachable from this machine", Net: strings.TrimPrefix(name, "net::")}
	if known := code.Net(e.Net); known.Name != "" {
		e.Message, e.Hint = pagetext.Sentencef("%s (%s)", known.Means, name), known.Hint
	}
	return e.led(what)
}

// IsNoAnswer reports whether an error says that a page does not answer, or is still held
// by a call that it has not answered: a script of it may run without end.
func IsNoAnswer(err error) bool { return errors.Is(err, errNoAnswer) || errors.Is(err, errHeld) }
