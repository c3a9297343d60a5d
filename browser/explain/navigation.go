package explain

import (
	"errors"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
)

// Unreachable returns the error of an address that could not be loaded, with the browser's
// own name of the reason.
func Unreachable(what pagetext.Sentence, name string, cause error) *Error {
	e := &Error{Code: NavigationFailed, Message: pagetext.Sentencef("%s", name), Retriable: true, Cause: cause,
		Hint: "check that the address is reachable from this machine", Net: strings.TrimPrefix(name, "net::")}
	if known := code.Net(e.Net); known.Name != "" {
		e.Message, e.Hint = pagetext.Sentencef("%s (%s)", known.Means, name), known.Hint
	}
	return e.led(what)
}

// SlowAddress enters what is known of an address that was not loaded in time: its time-out,
// whether it had answered, and what it still waited for then.
func (e *Error) SlowAddress(timeout time.Duration, answered bool, waits []pagetext.Text) {
	e.Answered = answered
	e.limit(timeout)
	e.Hint = "the server is slow or never answers; raise timeout_ms, or use wait_until commit or domcontentloaded"
	if answered {
		e.Hint = "raise timeout_ms, or use wait_until commit or domcontentloaded"
		for _, request := range waits {
			e.Page = append(e.Page, "still loading: "+request)
		}
	}
}

// limit enters the time-out that a navigation had, where it is why it failed.
func (e *Error) limit(timeout time.Duration) {
	if !e.late {
		return
	}
	e.Limit = timeout
	if e.Answered {
		e.say(e.what, "it has answered, and was still loading after "+limitWords(timeout))
	} else {
		e.say(e.what, "it took longer than "+limitWords(timeout))
	}
}

func limitWords(timeout time.Duration) pagetext.Sentence {
	return pagetext.Sentencef("its time-out of %g s", timeout.Seconds())
}

// WithLimit returns the error of a navigation that was not over in time, with the time-out
// that all its attempts had. Another error is returned as it is.
func WithLimit(err error, timeout time.Duration) error {
	var slow *Error
	if !errors.As(err, &slow) || slow.Limit == 0 {
		return err
	}
	e := *slow
	e.limit(timeout)
	return &e
}

// CutShort enters that a call was over before the time-out of its navigation.
func (e *Error) CutShort(what pagetext.Sentence, timeout time.Duration, cause error) {
	e.Limit = 0
	e.say(what, "the time of the whole call was over before "+limitWords(timeout))
	e.Cause = errors.Join(cause, e.Cause)
}

// SavesFile enters that an address is a file, which the browser saves. Its type may be "".
func (e *Error) SavesFile(what pagetext.Sentence, fileType string, cause error) {
	kind := pagetext.Sentence("")
	if fileType != "" {
		e.FileType = fileType
		kind = " of type " + Quoting(fileType)
	}
	e.Download = true
	e.Code, e.Hint, e.Cause, e.Retriable = NavigationFailed, "it was saved as below; open another address to see a page", cause, false
	e.say(what, "the address is a file"+kind+", which the browser downloads; it is not a page")
}

// Overtaken enters that the page went to another address before the one that was asked for.
func (e *Error) Overtaken(what pagetext.Sentence) {
	e.say(what, "the page went to another address before this one was loaded")
	e.Hint = "look where it is with page_snapshot; call again if that is not where it should be"
}

// NoAddress enters that the browser takes a text for no address.
func (e *Error) NoAddress() { e.Code, e.Hint, e.Retriable = InvalidInput, "fix the address", false }

// AskedToStay enters that the page asked whether to leave it.
func (e *Error) AskedToStay() {
	e.Hint = "the page asked whether to leave it, and that was dismissed, as was set: call again to leave"
}

// NoAnswerInTime returns the error of an address that did not answer in time.
func NoAnswerInTime(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: TimedOut, Message: "no answer in time", Hint: "raise the time-out, or find out why the address is slow", Retriable: true, Cause: cause}).led(what)
}

// NotFetched returns the error of an address that could not be asked.
func NotFetched(what pagetext.Sentence, reason string, cause error) *Error {
	return (&Error{Code: NavigationFailed, Message: pagetext.Sentencef("%s", reason), Hint: "check that the address answers from this machine", Retriable: true, Cause: cause}).led(what)
}

// HostRefused returns the error of opening an address that a rule refuses. Opens says what
// opens the host; "": nothing does.
func HostRefused(what pagetext.Sentence, host, rule, opens string) *Error {
	if opens == "" {
		opens = "no setting opens it; use the address of a test system"
	}
	return (&Error{Code: HostBlocked, Message: pagetext.Sentencef("the host %s is blocked by %s", pagetext.Text(host), rule), Hint: opens}).led(what)
}
