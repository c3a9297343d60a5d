package explain

import (
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// TookLonger is what is said of a time-out that was over.
const TookLonger = "it took longer than its time-out"

// Stopped returns the error of a call that its caller's context ended: by its deadline, or
// else because it was cancelled.
func Stopped(what pagetext.Sentence, deadline bool, cause error) *Error {
	if deadline {
		return Late(what, TookLonger, cause)
	}
	return &Error{Code: Cancelled, Message: what + " was cancelled", Hint: "nothing to fix; call again when wanted", Retriable: true, Cause: cause}
}

// Late returns the error of a call whose time-out was over. Said tells more of it.
func Late(what, said pagetext.Sentence, cause error) *Error {
	return (&Error{Code: TimedOut, Message: said, Hint: "raise timeout_ms, or look at the page with page_snapshot", Retriable: true, Cause: cause, late: true}).led(what)
}

const noAnswer = "the page does not answer"

// Silent returns the error of a call that the page did not answer.
func Silent(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: TimedOut, Message: noAnswer, Retriable: true, Cause: cause,
		Hint: "a script of it may run without end, or this machine is overloaded: call again, or page_navigate, which starts over on a fresh page"}).led(what)
}

// LongSilent returns the error of a page that has not answered for the whole of a wait.
func LongSilent(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: TimedOut, Message: noAnswer, Retriable: true, Cause: cause,
		Hint: "a script of the page may run without end, or this machine is overloaded: call page_navigate, which starts over on a fresh page, or try again"}).led(what)
}

// Moved returns the error of a call that met a page which was just being replaced.
func Moved(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: NavigationFailed, Message: "the page went to another address meanwhile", Hint: "call again", Retriable: true, Cause: cause}).led(what)
}

// Unknown returns the error of what nobody foresaw, in the driver's words.
func Unknown(what pagetext.Sentence, said pagetext.Text, cause error) *Error {
	return (&Error{Code: Internal, Message: pagetext.Quoted(said), Hint: "look at the page with page_snapshot; if it persists, report it with the server's log", Cause: cause}).led(what)
}

// TooManyFiles returns the error of what could open no more files.
func TooManyFiles(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: SessionLimit, Message: "too many files are open", Retriable: true, Cause: cause,
		Hint: "close sessions with browser_close, or raise the limit of open files where the server is started (ulimit -n)"}).led(what)
}

// SessionClosed returns the error of a call on a session that was closed.
func SessionClosed(what pagetext.Sentence, id string) *Error {
	return (&Error{Code: SessionNotFound, Message: pagetext.Sentencef("session %s is closed", id), Hint: "call browser_launch for a new one"}).led(what)
}

// PageClosed returns the error of a call on a page that the site itself closed.
func PageClosed(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: PageCrashed, Message: "the page closed itself", Retriable: true, Cause: cause, ClosedSelf: true,
		Hint: "a fresh page stands ready in the same session; call page_navigate to load an address"}).led(what)
}

// Busy returns the error of a call that found its page held by an earlier one.
func Busy(what pagetext.Sentence, earlier string, cause error) *Error {
	return (&Error{Code: TimedOut, Message: pagetext.Sentencef("the page is still busy with an earlier %s", earlier), Retriable: true, Cause: cause,
		Hint: "call page_navigate, which starts over on a fresh page, or browser_close"}).led(what)
}

// StillLoading returns the error of a call that waited for the page's next document.
func StillLoading(what pagetext.Sentence, next string, cause error) *Error {
	return (&Error{Code: TimedOut, Message: "the page is still loading its next document", Retriable: true, Cause: cause,
		Hint: "call again, or page_navigate to load another address; it waits for:", Page: []pagetext.Text{pagetext.Text(next)}}).led(what)
}

const rendererCrashed = "the page's renderer crashed"

// Crashed returns the error of a call on a page whose renderer died.
func Crashed(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: PageCrashed, Message: rendererCrashed, Retriable: true, Cause: cause,
		Hint: "a fresh page stands ready in the same session; call page_navigate to load the address again"}).led(what)
}

// BrowserGone returns the error of a call whose browser or driver died.
func BrowserGone(what pagetext.Sentence, cause error) *Error {
	return (&Error{Code: BrowserCrashed, Message: "the browser or its driver is gone", Retriable: true, Cause: cause,
		Hint: "call again; if it persists, the command doctor of assay says what is missing"}).led(what)
}

// Recovery describes how a session stands whose page or browser died.
type Recovery struct {
	Session   string
	Died      Code  // PageCrashed or BrowserCrashed
	UsedMB    int64 // of memory, because of which the page was ended; 0: that was not it
	LimitMB   int64
	OtherTabs int
	Age       time.Duration // of the kept cookies and storage, where the browser died
	State     RecoveryState
	Blank     string        // of Blank: why
	Said      pagetext.Text // of Lost: why
	Address   string
	Cause     error
}

// RecoveryState says how far a recovery is.
type RecoveryState int

// The states.
const (
	Restored RecoveryState = iota
	Rebuilding
	Blank
	Lost
)

// Explain returns what died, and what has become of the session.
func (r Recovery) Explain(what pagetext.Sentence) *Error {
	e := &Error{Code: r.Died, Retriable: true, Cause: r.Cause}
	died, state, raise := r.words()
	if r.State != Lost {
		e.Page = []pagetext.Text{pagetext.Text(r.Address)}
	}
	switch r.State {
	case Rebuilding:
		e.Message = pagetext.Sentencef("%s; session %s is being rebuilt and its page loaded again; %s", died, r.Session, state)
		e.Hint = "form input is lost; call again: the call waits until it is ready, at:"
	case Lost:
		e.Retriable = false
		e.Message = pagetext.Sentencef("%s, and session %s could not be rebuilt: %s", died, r.Session, r.Said)
		e.Hint = "the session is lost; call browser_launch for a new one"
	case Blank:
		e.Message = pagetext.Sentencef("%s; session %s was rebuilt, but its page is blank: %s; %s", died, r.Session, r.Blank, state)
		e.Hint = "call page_navigate to load an address; it was at:"
	default:
		e.Message = pagetext.Sentencef("%s; session %s was rebuilt and its page loaded again; %s", died, r.Session, state)
		e.Hint = "form input is lost; look at the page and call again, or page_navigate; it is at:"
	}
	e.Hint = raise + e.Hint
	return e.led(what)
}

// words says what died, what has become of the page's data, and what helps next time.
func (r Recovery) words() (died, state pagetext.Sentence, raise string) {
	died, state = rendererCrashed, "its cookies and storage are as they were"
	if r.Died == BrowserCrashed {
		died = "the browser or its driver died"
	}
	if r.UsedMB > 0 {
		died = pagetext.Sentencef("the page used %d MB of memory, more than limits.memory_mb allows (%d), and was ended", r.UsedMB, r.LimitMB)
		raise = "raise limits.memory_mb if the page needs that much; "
	}
	if r.Died != BrowserCrashed {
		return died, state, raise
	}
	if r.UsedMB > 0 {
		died += ", which its browser did not survive"
	}
	if r.OtherTabs > 0 {
		died += pagetext.Sentencef(", and with it %s", text.Count(r.OtherTabs, "other tab"))
	}
	return died, pagetext.Sentencef("its cookies and storage are as of %s before", r.Age.Round(100*time.Millisecond)), raise
}

// TabClosed returns the error of a call whose tab has closed while others are open.
func TabClosed(what pagetext.Sentence, id int, open []string) *Error {
	return (&Error{Code: ClosedTab, Message: pagetext.Sentencef("tab %d has closed", id), Retriable: true, ClosedSelf: true,
		Hint: "go on in an open tab:", Page: pagetext.Of(open...)}).led(what)
}

// NoPopup returns the error of a wait for a tab that the current one opens.
func NoPopup(what pagetext.Sentence, id int) *Error {
	return (&Error{Code: TimedOut, Message: pagetext.Sentencef("the act before it has opened no other tab from tab %d", id), Retriable: true,
		Hint: "do what opens it before"}).led(what)
}

// NoTab returns the error of a tab that is not open. Past: it was.
func NoTab(what pagetext.Sentence, id int, past bool, open []string) *Error {
	why := pagetext.Sentencef("there is no tab %d", id)
	if past {
		why = pagetext.Sentencef("tab %d is closed", id)
	}
	return (&Error{Code: InvalidInput, Message: why, Hint: "use the id of an open tab:", Page: pagetext.Of(open...)}).led(what)
}
