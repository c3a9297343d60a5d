package browser

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

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
	said, _ := plain(err).Map(withoutFigure).CutPrefix("timeout: ")
	if said != tookLonger {
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

// The driver tells in words alone what happened. What follows is the only place that reads
// them, and only where they are the driver's own: at the beginning, before the addresses
// and selectors of a caller, which can say anything, and never in the call log.

var (
	ansi      = pattern.New(`\x1b\[[0-9;]*m`)
	callLog   = pattern.New(`(?s)\n?Call log:.*$`)
	methodTag = pattern.New(`^(?:[a-zA-Z]+: )?(?:[a-z][A-Za-z]+\.[a-zA-Z$]+: )`)

	// driverTag matches what the driver writes before its own words: the kind of the error,
	// the method, and the protocol's command.
	driverTag = pattern.New(`^(?:(?:[A-Za-z]*Error: |[a-z][A-Za-z]+\.[a-zA-Z$]+: |Protocol error \([A-Za-z.]+\): ))+`)
	netError  = pattern.New(`^(?:net::ERR_[A-Z0-9_]+|NS_ERROR_[A-Z0-9_]+)`)
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

// why returns the first line of the driver's own words, for a message.
func why(err error) pagetext.Sentence {
	return pagetext.Quoted(firstLine(pagetext.Text(texts.Cut(driverWords(err), maxReason))))
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

// driverWords returns the driver's words from where they are its own.
func driverWords(err error) string {
	text := strings.TrimSpace(callLog.ReplaceAllString(rawText(err), ""))
	return driverTag.ReplaceAllString(text, "")
}

// driverSays reports whether the driver's words begin in one of these ways.
func driverSays(err error, beginnings ...string) bool {
	if err == nil {
		return false
	}
	words := driverWords(err)
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(words, b) })
}

// netErrorOf returns the network error that the driver's words begin with, such as
// net::ERR_CONNECTION_REFUSED, or "".
func netErrorOf(err error) string { return netError.FindString(driverWords(err)) }

// isAborted reports whether a navigation was given up.
func isAborted(err error) bool { return netErrorOf(err) == "net::ERR_ABORTED" }

// isCrash reports whether the renderer of a page died.
func isCrash(err error) bool {
	return driverSays(err, "Page crashed", "Target crashed", "Navigation failed because page crashed")
}

// isAmbiguous reports whether several elements match where one was wanted.
func isAmbiguous(err error) bool { return driverSays(err, "strict mode violation") }

// isFrameMissing reports whether no frame is where a selector enters one.
func isFrameMissing(err error) bool { return driverSays(err, "Failed to find frame") }

// isUncapturable reports whether the browser had no frame to take a picture of.
func isUncapturable(err error) bool { return driverSays(err, "Unable to capture") }

// isUnknownKey reports whether a key has no name that the driver knows.
func isUnknownKey(err error) bool { return driverSays(err, "Unknown key") }

// isFileToSave reports whether an address is a file to save.
func isFileToSave(err error) bool { return driverSays(err, "Download is starting") }

// isInterrupted reports whether the page went to another address before the one that was
// asked for was loaded. The address stands between the two halves of the sentence.
func isInterrupted(err error) bool { return driverSays(err, `Navigation to "`) }

// isNavigating reports whether a call met a page that is just being replaced
// by the next document.
func isNavigating(err error) bool {
	return isInterrupted(err) || driverSays(err, "Execution context was destroyed", "Cannot find context with specified id", "Frame was detached", "Navigating frame was detached",
		"frame was detached", "Unable to adopt element handle")
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
	return slices.ContainsFunc([]string{"transport closed", "could not send message", "Connection closed"}, func(sign string) bool { return strings.Contains(err.Error(), sign) })
}

// isWrongKind reports whether an error says that the element is of another
// kind than the call needs.
func isWrongKind(err error) bool {
	return driverSays(err, "Element is not", "Node is not", "Not a checkbox", "Not an input", `Input of type "`, "Cannot type text into", "Malformed value")
}

// kindHint says which tool works a control that op can't.
func kindHint(op string, err error) string {
	switch {
	case driverSays(err, `Input of type "file"`):
		return `it is a file input: page_upload {"selector": "…", "paths": ["…"]} with this selector`
	case op == "page_select":
		return "it is no <select>: click it with page_click, then click the option that appears"
	case driverSays(err, `Input of type "checkbox"`, `Input of type "radio"`):
		return "page_click ticks a checkbox and chooses a radio button"
	case driverSays(err, "Element is not an <input>"):
		return "it holds no text: choose an option of a <select> with page_select, click any other control with page_click"
	default:
		return "use a control of the right kind, and a value it can hold; page_snapshot shows them"
	}
}

// uploadHint says why an input does not take files; known is false where that is not what
// the driver says.
func uploadHint(err error) (hint string, known bool) {
	switch {
	case driverSays(err, "Non-multiple file input"):
		return "this input takes one file", true
	case driverSays(err, "[webkitdirectory]"):
		return "this input takes a folder, which can't be uploaded", true
	}
	return "", false
}

// isNoFileInput reports whether files were given to what takes none.
func isNoFileInput(err error) bool {
	return driverSays(err, "Node is not an HTMLInputElement", "Not an input[type=file]")
}

// isBadZone reports whether the browser knows no time zone of that name.
func isBadZone(err error) bool { return driverSays(err, "Invalid timezone ID") }

// isBadState reports whether the browser refuses a storage state.
func isBadState(err error) bool {
	return driverSays(err, "Error setting storage state", "storageState", "Cookie should have", "Cookie has", "Invalid cookie", "cookies[")
}

// isBadAddress reports whether the browser takes a text for no address.
func isBadAddress(err error) bool {
	return driverSays(err, "Cannot navigate to invalid URL", "Invalid url", "invalid URL")
}

// selectorTroubles lists what Playwright and the browser say about an invalid
// query, as opposed to one that matches nothing. The query stands before it.
var selectorTroubles = []string{"while parsing", "not a valid selector", "not a valid XPath", "Unsupported token", "Malformed selector",
	"selector cannot be empty", "Role must not be empty", "attribute is only supported for roles", "must be one of", "does not support",
	"Unknown attribute", "Unknown engine", "Invalid regular expression", "must be compared to a number", "SyntaxError", "must have a value"}

// isNoSelector reports whether a query can't be read.
func isNoSelector(err error) bool {
	text := callLog.ReplaceAllString(rawText(err), "")
	return !isAmbiguous(err) && !errors.Is(err, playwright.ErrTimeout) &&
		slices.ContainsFunc(selectorTroubles, func(trouble string) bool { return strings.Contains(text, trouble) })
}
