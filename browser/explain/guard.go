package explain

import (
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

const guardHint = `a step of a flow file permits its own act (guard.destructive = "as-written"), and network.allowed_hosts names an origin under test; ` +
	`guard.destructive = "allow" in mcp.toml (--guard-destructive allow) permits everything: only on a system that may be damaged`

const takesForDestructive = "the guard takes it for destructive (rule: %s)"

// Refusal says why the guard has an act not done.
type Refusal int

// The reasons.
const (
	ByRule    Refusal = iota // it is destructive, and nobody is to be asked
	Unwritten                // nobody wrote it, and nobody can be asked
	Unasked                  // a person must permit it, and can't be asked
	Unheard                  // nobody answered in time
	AskFailed                // asking failed
	Declined                 // a person declined
)

// Refused describes an act that the guard has not done.
type Refused struct {
	Why   Refusal
	Rule  string
	Line  string // the element, as a line of a snapshot
	Cause error
}

// Reason returns why it was not done.
func (r Refused) Reason() pagetext.Sentence {
	switch r.Why {
	case Unwritten:
		return pagetext.Sentencef(takesForDestructive+", and nobody wrote it", r.Rule)
	case Unasked:
		return pagetext.Sentencef("it is destructive (rule: %s) and a person must permit it, but this client can't ask one", r.Rule)
	case Unheard:
		return pagetext.Sentencef("it is destructive (rule: %s) and no person answered in time", r.Rule)
	case AskFailed:
		return pagetext.Sentencef("it is destructive (rule: %s) and a person could not be asked: %v", r.Rule, r.Cause)
	case Declined:
		return pagetext.Sentencef("a person declined it (rule: %s)", r.Rule)
	default:
		return pagetext.Sentencef(takesForDestructive, r.Rule)
	}
}

// Explain returns ACTION_BLOCKED, or NEEDS_HUMAN where a person could permit the act.
func (r Refused) Explain(what pagetext.Sentence) *Error {
	e := &Error{Code: ActionBlocked, Hint: guardHint, Message: what + " was not done: " + r.Reason(), Page: []pagetext.Text{pagetext.Text(r.Line)}, Cause: r.Cause, Rule: r.Rule}
	switch r.Why {
	case Unasked, AskFailed:
		e.Code = NeedsHuman
	case Unheard:
		e.Code, e.Hint = NeedsHuman, "call again when somebody is there, or "+guardHint
	case Declined:
		e.Hint = "leave it; don't look for another way to do the same"
	}
	e.Hint += "; the element:"
	return e
}

// OpeningRefused returns the error of opening an address that is destructive by itself.
func OpeningRefused(what pagetext.Sentence, rule string) *Error {
	return &Error{Code: ActionBlocked, Message: pagetext.Sentencef("%s was not done: "+takesForDestructive, what, rule), Hint: guardHint}
}

// RequestRefused returns the error of a request that is destructive. Blocked says by what.
func RequestRefused(what pagetext.Sentence, blocked string) *Error {
	return (&Error{Code: ActionBlocked, Message: pagetext.Sentencef("the request is destructive, %s", blocked), Hint: guardHint}).led(what)
}

// Intercepted returns the error of an address that a rule of the caller blocks.
func Intercepted(what pagetext.Sentence, rule string) *Error {
	return (&Error{Code: ActionBlocked, Message: pagetext.Sentencef("blocked by %s", rule), Hint: "take the rule away with network_intercept, mode observe and the same pattern"}).led(what)
}

// StoppedRequests describes an act that was done, and of which the guard stopped requests.
type StoppedRequests struct {
	Count     int
	Listed    []pagetext.Text
	CanPermit bool // a person could have permitted them
}

// Explain returns ACTION_BLOCKED, or NEEDS_HUMAN where a person could permit the requests.
func (s StoppedRequests) Explain(what pagetext.Sentence) *Error {
	e := &Error{Code: ActionBlocked, Done: true, Hint: guardHint + "; it stopped:", Page: s.Listed,
		Message: pagetext.Sentencef("%s was done, but the guard stopped %s meanwhile: the page did not get what it requested", what, text.Count(s.Count, "destructive request"))}
	if s.CanPermit {
		e.Code = NeedsHuman
	}
	return e
}
