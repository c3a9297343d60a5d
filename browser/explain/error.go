package explain

import (
	"errors"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
)

// Code names a kind of failure, stable across versions.
type Code string

// The codes of a browser's calls.
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
	ClosedTab         Code = code.TabClosed
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
	Places    []pagetext.Text   // where each of Page stands, such as in row "Ada"; none: that is not told
	Retriable bool              // the same call may succeed later
	Cause     error
	Rule      string // of the guard, where it refused the act

	Net        string        // the browser's network error, such as ERR_CONNECTION_REFUSED
	Limit      time.Duration // time of the caller's that was not enough; 0: that was not it
	Answered   bool          // the page had answered, and was still loading then
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
	e.say(what, e.Why())
	return e
}

// say makes the message of what was done on what, and of the reason.
func (e *Error) say(what, why pagetext.Sentence) {
	e.what, e.why, e.Message = what, why, what+": "+why
}

func (e *Error) Error() string { return e.Sentence().Line() }

// Sentence returns code and message, with the page's words apart.
func (e *Error) Sentence() pagetext.Sentence { return pagetext.Sentencef("%s: %s", e.Code, e.Message) }

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error { return e.Cause }

// Explained reports whether an error holds an [Error] already.
func Explained(err error) bool {
	var ours *Error
	return errors.As(err, &ours)
}

// Invalid returns the error of what a caller gave.
func Invalid(hint, format string, args ...any) *Error {
	return &Error{Code: InvalidInput, Message: pagetext.Sentencef(format, args...), Hint: hint}
}

// Prefixed adds what was attempted to an error about a selector.
func Prefixed(what pagetext.Sentence, err error) error {
	var ours *Error
	if !errors.As(err, &ours) {
		return err
	}
	e := *ours
	return e.led(what)
}

// Quoting returns what a caller or the page named, such as a selector or an address, as a
// part of a message.
func Quoting(words string) pagetext.Sentence { return pagetext.Quoted(pagetext.Text(words)) }

// Doing says what a call does to what.
func Doing(op string, subject pagetext.Sentence) pagetext.Sentence {
	if subject == "" {
		return pagetext.Sentencef("%s", op)
	}
	return pagetext.Sentencef("%s %s", op, subject)
}
