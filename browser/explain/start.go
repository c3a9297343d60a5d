package explain

import (
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
)

const again = "call again"

// askDoctor returns the next step where a person has to look. Program is the command by
// which it is called; empty: assay.
func askDoctor(program string) string {
	if program == "" {
		program = "assay"
	}
	return "run: " + program + " doctor"
}

// ShuttingDown returns the error of a browser that is started when the server ends.
func ShuttingDown() *Error {
	return &Error{Code: Cancelled, Message: "start the browser: the server is shutting down", Hint: "nothing to fix"}
}

// DriverUnready returns the error of a driver that could not be made ready. Doing says what
// failed, program how this program is called.
func DriverUnready(doing pagetext.Sentence, program string, cause error) *Error {
	return &Error{Code: DriverMissing, Message: pagetext.Sentencef("%s: %v", doing, cause), Hint: askDoctor(program), Cause: cause}
}

// NotInstalled returns the error of a driver or a browser that is not installed. Remedy is
// the command that installs it.
func NotInstalled(said pagetext.Sentence, remedy string, cause error) *Error {
	if remedy == "" {
		remedy = "assay install"
	}
	return &Error{Code: DriverMissing, Message: said, Hint: "run: " + remedy, Cause: cause}
}

// NotLaunched returns the error of a browser that did not start. Program is how this
// program is called.
func NotLaunched(path string, said pagetext.Text, program string, cause error) *Error {
	return &Error{Code: BrowserCrashed, Message: pagetext.Sentencef("launch %s: %s", path, said), Hint: askDoctor(program), Cause: cause}
}

// NoGate returns the error of a session without a way out.
func NoGate(cause error) *Error {
	return &Error{Code: Internal, Message: pagetext.Sentencef("browser_launch: %v", cause), Hint: "free some ports of 127.0.0.1, or call again", Retriable: true, Cause: cause}
}

// NoPlace returns the error of a session that there is no place for. Places are also taken
// by sessions that are still being opened, which have no id yet.
func NoPlace(places int, ids []string) *Error {
	return &Error{Code: SessionLimit, Retriable: true, Message: inUse(places, ids), Hint: "close one with browser_close, or raise limits.max_sessions"}
}

// NoSession returns the error of a session that is not open. An id of "" names none.
func NoSession(id string, open []string) *Error {
	e := &Error{Code: SessionNotFound, Message: pagetext.Sentencef("no session %q is open", id), Hint: "call browser_launch"}
	if len(open) > 0 {
		e.Hint = "open sessions: " + strings.Join(open, ", ")
	}
	if id == "" {
		e.Message = "no session is open"
		if len(open) > 0 {
			e.Message = pagetext.Sentencef("%d sessions are open: session_id must say which", len(open))
		}
	}
	return e
}
func inUse(places int, ids []string) pagetext.Sentence {
	opening := places - len(ids)
	switch {
	case opening <= 0:
		return pagetext.Sentencef("all %d sessions are in use: %s", places, strings.Join(ids, ", "))
	case len(ids) == 0:
		return pagetext.Sentencef("all %d sessions are in use: they are still being opened", places)
	}
	return pagetext.Sentencef("all %d sessions are in use: %s, and %d still being opened", places, strings.Join(ids, ", "), opening)
}
