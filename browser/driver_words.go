package browser

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
)

// classify turns what came back from Playwright while doing what into an
// [Error]. Errors that are already ours pass unchanged.
func classify(err error, what pagetext.Sentence) error {
	if err == nil {
		return nil
	}
	return asError(err, what)
}

func asError(err error, what pagetext.Sentence) *explain.Error {
	var ours *explain.Error
	if errors.As(err, &ours) {
		return ours
	}
	switch {
	case disk.OutOfFiles(err):
		return explain.TooManyFiles(what, err)
	case errors.Is(err, context.Canceled):
		return explain.Stopped(what, false, err)
	case errors.Is(err, context.DeadlineExceeded):
		return explain.Stopped(what, true, err)
	case errors.Is(err, errNoAnswer), errors.Is(err, errStuck):
		return explain.Silent(what, err)
	case isCrash(err):
		return explain.Crashed(what, err)
	case netErrorOf(err) != "":
		return explain.Unreachable(what, netErrorOf(err), err)
	case errors.Is(err, playwright.ErrTimeout):
		return explain.Late(what, tooSlow(err), err)
	case isClosed(err):
		return explain.BrowserGone(what, err)
	case isNavigating(err):
		return explain.Moved(what, err)
	default:
		return explain.Unknown(what, plain(err), err)
	}
}

// driverOutOfFiles reports whether what starts a browser could open no more files. Its
// words are Node's, and no page's.
func driverOutOfFiles(err error) bool {
	text := rawText(err)
	return disk.OutOfFiles(err) || strings.Contains(text, "EMFILE") || strings.Contains(text, "ENFILE")
}

// timeoutFigure matches the driver's words about a time-out, with what was left of the
// caller's own when the driver was asked.
var timeoutFigure = pattern.New(`Timeout [0-9.]+ms exceeded\.?`)

func withoutFigure(said string) string {
	return timeoutFigure.ReplaceAllString(said, explain.TookLonger)
}

// tooSlow returns what the driver says of a time-out: mostly words of ours, and else its own.
func tooSlow(err error) pagetext.Sentence {
	said, _ := plain(err).Map(withoutFigure).CutPrefix("timeout: ")
	if said != explain.TookLonger {
		return pagetext.Quoted(said)
	}
	return explain.TookLonger
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
	return driverSays(err, "Element is not", "Node is not", "Not a checkbox", "Not an input", `Input of type "`, "Cannot type text into")
}

// isMalformed reports whether an error says that an input can't hold a value.
func isMalformed(err error) bool {
	return driverSays(err, "Malformed value", "Cannot type text into input[type=number]")
}

// controlOf returns the kind of a control that an act is not for.
func controlOf(err error) explain.Control {
	switch {
	case driverSays(err, `Input of type "file"`):
		return explain.FileInput
	case driverSays(err, `Input of type "checkbox"`, `Input of type "radio"`):
		return explain.Tick
	case driverSays(err, "Element is not an <input>"):
		return explain.NoTextField
	}
	return explain.OtherControl
}

// isSingleFileInput reports whether several files were given to an input that takes one.
func isSingleFileInput(err error) bool { return driverSays(err, "Non-multiple file input") }

// isFolderInput reports whether files were given to an input that takes a folder.
func isFolderInput(err error) bool { return driverSays(err, "[webkitdirectory]") }

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
