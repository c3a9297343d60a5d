package explain

import (
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
)

const fitting = "use an assertion that fits this kind of element"

// NotLooked returns the error of a look at an element of another kind than was asked for.
// Said is what the driver says of it.
func NotLooked(what, said pagetext.Sentence, cause error) *Error {
	return (&Error{Code: NotActionable, Message: said, Cause: cause, Hint: fitting}).led(what)
}

// Unfit returns the error of a property that an element of its kind does not have. Lacks
// says what it lacks.
func Unfit(lacks pagetext.Sentence) *Error {
	return &Error{Code: NotActionable, Message: lacks, Hint: fitting}
}

// Lacks says what an element lacks that has no property of that name, which is the page's own name of it.
func Lacks(property string) pagetext.Sentence {
	switch property {
	case "checked":
		return "an element that can't be checked or pressed has no such state"
	case "value":
		return "the element has no value"
	case "indeterminate":
		return "it is no box that could be neither on nor off"
	case "expanded":
		return "it opens nothing: it has neither aria-expanded nor is it a details or summary"
	case "pressed":
		return "it is no toggle button: it has no aria-pressed"
	case "readonly":
		return "nothing can be typed into it"
	case "values", "labels":
		return "it has no options"
	default:
		return "it has no such property"
	}
}

// SecretValue returns the error of a value that is never read.
func SecretValue() *Error {
	return &Error{Code: NotActionable, Message: "the value of a control that holds a password or a secret is never read", Hint: "check what it brings about instead"}
}

// Restless returns the error of a look at a page that keeps going to other addresses.
func Restless(selector string) *Error {
	return &Error{Code: NavigationFailed, Retriable: true, Message: "look at " + Quoting(selector) + ": the page keeps going to other addresses",
		Hint: "wait for an element of the page you want with page_wait_for_selector"}
}

// SilentField returns the error of a field that does not say what it holds.
func SilentField(selector string) *Error {
	return &Error{Code: TimedOut, Message: "look at " + Quoting(selector) + ": the field does not answer", Retriable: true, Hint: "look at the page with page_snapshot"}
}

// InMotion returns the error of an element that was still changing when its time was over.
func InMotion(what pagetext.Sentence, waited time.Duration, moving []pagetext.Text, cause error) *Error {
	return (&Error{Code: TimedOut, Retriable: true, Cause: cause, Page: moving,
		Message: pagetext.Sentencef("it does not stand still: it was still changing after %d ms, so nothing about it can be decided", waited.Milliseconds()),
		Hint:    "check something of it that stands still, or check again when it has come to rest; what moves:"}).led(what)
}

// NotIdle returns the error of a network that was not idle in time.
func NotIdle(pending []pagetext.Text) *Error {
	return &Error{Code: TimedOut, Message: "computer_action wait: the network was not idle in time", Retriable: true,
		Hint: "wait for what you need to see, with selectorVisible; still under way:", Page: pending}
}

// ScriptThrew returns the error of a caller's script that threw.
func ScriptThrew(said pagetext.Text, cause error) *Error {
	return &Error{Code: InvalidInput, Message: "page_evaluate: the script threw", Cause: cause,
		Hint: "fix the script (an expression, or a function such as () => document.title); it threw:", Page: []pagetext.Text{said}}
}

// ScriptLost returns the error of a caller's script whose document went away before its end.
func ScriptLost(cause error) *Error {
	return &Error{Code: NavigationFailed, Message: "page_evaluate: the page went to another address before the script ended; its result is lost", Cause: cause, Retriable: true,
		Hint: "let the script end with what navigates, and read the next page in a call of its own"}
}
