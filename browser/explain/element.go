package explain

import (
	"fmt"
	"strconv"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// maxReason bounds what an error repeats of a page, in bytes.
const maxReason = 600

// Absent describes a selector that nothing matches.
type Absent struct {
	Selector string
	Words    string   // of a selector that is plain words, which were read as CSS tags; "": it is none
	Nearest  []string // selectors of other elements
	Alike    bool     // these are like it; else they are the first controls of the page
}

// Explain returns ELEMENT_NOT_FOUND, with what comes nearest.
func (a Absent) Explain() *Error {
	e := &Error{Code: ElementNotFound, Message: "no element matches " + Quoting(a.Selector), Retriable: true}
	if a.Words != "" {
		e.Message = pagetext.Sentencef("%q", pagetext.Text(a.Words)) + " was read as CSS tags, and matches no element: plain words are no selector"
	}
	e.Hint, e.Page = a.instead()
	return e
}

// instead returns a hint and, to complete it, selectors of other elements.
func (a Absent) instead() (hint string, lines []pagetext.Text) {
	if a.Words != "" {
		hint = "name the element by its role and name, such as button " + strconv.Quote(a.Words) + ", or by text=" + a.Words + "; "
	}
	hint += "if it comes later, give timeout_ms; "
	lines = pagetext.Of(a.Nearest...)
	switch {
	case len(lines) == 0:
		return hint + "call page_snapshot and use one of its lines", nil
	case a.Alike:
		return hint + "the nearest on the page, each a selector:", lines
	default:
		return hint + "nothing on the page is like it: call page_snapshot; its first controls are:", lines
	}
}

// NotYet describes a wait for an element that was over before the element was as it should be.
type NotYet struct {
	Selector string
	State    string
	Waited   time.Duration
	Count    int
	Absent   *Absent // where no element matches, and one should; nil: that is not it
}

// Explain returns TIMEOUT.
func (n NotYet) Explain() *Error {
	e := &Error{Code: TimedOut, Retriable: true, Hint: "look at the page with page_snapshot, or raise timeout_ms",
		Message: pagetext.Sentencef("page_wait_for_selector %s: not %s after %d ms; %d elements match", Quoting(n.Selector), n.State, n.Waited.Milliseconds(), n.Count)}
	if n.Absent != nil {
		e.Hint, e.Page = n.Absent.instead()
	}
	return e
}

// Several returns the error of a selector that several elements match. Lines are selectors
// that match one each, places where each stands, "" where the page does not tell.
func Several(selector string, count int, lines, places []string) *Error {
	return &Error{Code: SelectorAmbiguous, Places: pagetext.Of(places...),
		Message: pagetext.Sentencef("%d elements match %s", count, Quoting(selector)), Hint: "use one of:", Page: pagetext.Of(lines...)}
}

// NoSelector returns the error of a selector that the browser can't read. Said is what it
// says of it.
func NoSelector(selector, accepted string, said pagetext.Text) *Error {
	return Invalid(accepted, "selector %q: %s", pagetext.Text(text.Shorten(selector, 120)), said)
}

// NoOption returns the error of an option that a select element does not have.
func NoOption(option string, options []pagetext.Text) *Error {
	return &Error{Code: ElementNotFound, Message: pagetext.Sentencef("page_select: no option %q", option), Hint: "its options:", Page: options}
}

// Obstacle describes what keeps an element from being acted on, as its page tells it.
type Obstacle struct {
	Kind string `json:"kind"` // one of the kinds below; "": nothing that the page knows of
	By   string `json:"by"`   // of Covered: what covers it, "": nothing that can be hit
	As   string `json:"as"`   // of Invisible: the computed visibility
	None bool   `json:"none"` // of Sizeless: it is not rendered
}

// The kinds of obstacles.
const (
	Gone      = "gone"
	Invisible = "invisible"
	Sizeless  = "sizeless"
	Disabled  = "disabled"
	ReadOnly  = "readonly"
	Moving    = "moving"
	Outside   = "outside"
	Covered   = "covered"
)

// reason says what the obstacle is, and hint what to do about it.
func (o Obstacle) reason() (why pagetext.Sentence, hint string) {
	switch o.Kind {
	case Gone:
		return "the page has taken it out", "look at the page again: what replaces it has another line"
	case Invisible:
		return pagetext.Sentencef("it is not visible: visibility is %s", pagetext.Text(text.Cut(o.As, maxReason))), "do first what shows it, such as opening the menu or the tab that it is in"
	case Sizeless:
		if o.None {
			return "it is not visible: it has no size (display: none)", "do first what shows it, such as opening the menu or the tab that it is in"
		}
		return "it is not visible: it has no size", "act on what is visible around it, such as its label"
	case Disabled:
		return "it is not enabled", "do first what enables it, such as filling a field that is required"
	case ReadOnly:
		return "it is not editable: it is read-only", "change what the page computes it from"
	case Moving:
		return "it is not stable: it keeps moving", "wait until it stands still, or stop what moves it"
	case Outside:
		return "it is outside of the viewport, and can't be scrolled into it", "do first what brings it in, such as opening the menu that it is in, or take a larger window"
	case Covered:
		if o.By == "" {
			return "where it is, nothing can be hit (pointer-events: none)", "wait until the page takes pointers again, or act on what is visible there"
		}
		return "another element covers it and would get the act", "close it, or wait until it is gone:"
	}
	return "it could not be acted on in time", "look at the page, or give timeout_ms"
}

// Hindered returns the error of an element that is there and could not be acted on in time.
func Hindered(what pagetext.Sentence, by Obstacle, cause error) *Error {
	why, hint := by.reason()
	e := &Error{Code: NotActionable, Message: "the element is there but can't be acted on: " + why, Retriable: true, Cause: cause, Hint: hint}
	if by.Kind == Covered && by.By != "" {
		e.Page = []pagetext.Text{pagetext.Text(text.Cut(by.By, maxReason))}
	}
	return e.led(what)
}

// Control is the kind of a control that an act is not for.
type Control string

// The kinds that are told apart.
const (
	OtherControl Control = ""
	FileInput    Control = "file"
	Tick         Control = "tick"    // a checkbox or a radio button
	NoTextField  Control = "no text" // it holds no text
)

// WrongKind returns the error of an act on an element of a kind that it is not for. Said is
// what the driver says of it.
func WrongKind(what pagetext.Sentence, op string, on Control, said pagetext.Sentence, cause error) *Error {
	return (&Error{Code: NotActionable, Message: said, Hint: kindHint(op, on), Cause: cause}).led(what)
}

// formats say how the value of an input of a type is written, whatever the browser shows.
var formats = map[string]string{
	"date":           "2026-12-31 (year-month-day)",
	"time":           "14:30 (hours from 00 to 23)",
	"datetime-local": "2026-12-31T14:30 (year-month-day, T, time)",
	"month":          "2026-12 (year-month)",
	"week":           "2026-W53 (year, W, week)",
	"color":          "#ff8800 (red, green and blue, two hexadecimal digits each, in small letters)",
	"range":          "a number between its min and max, in its steps (by default 0 to 100 in steps of 1)",
	"number":         "a number such as 12 or -0.5",
}

// OtherFormat returns the error of a value that an input of a type can't hold.
func OtherFormat(what pagetext.Sentence, inputType string, cause error) *Error {
	e := &Error{Code: NotActionable, Message: "the input can't hold this value", Hint: "look at which values it takes", Cause: cause}
	if form, known := formats[inputType]; known {
		e.Message, e.Hint = pagetext.Sentencef("an input of type %s can't hold this value", inputType), "write it so: "+form
	}
	return e.led(what)
}

// kindHint says which tool works a control that op can't.
func kindHint(op string, on Control) string {
	switch {
	case on == FileInput:
		return `it is a file input: page_upload {"selector": "…", "paths": ["…"]} with this selector`
	case op == "page_select":
		return "it is no <select>: click it with page_click, then click the option that appears"
	case on == Tick:
		return "page_click ticks a checkbox and chooses a radio button"
	case on == NoTextField:
		return "it holds no text: choose an option of a <select> with page_select, click any other control with page_click"
	default:
		return "use a control of the right kind, and a value it can hold; page_snapshot shows them"
	}
}

// Unfocusable returns the error of typing into an element that can't take the focus.
func Unfocusable(what pagetext.Sentence) *Error {
	return (&Error{Code: NotActionable, Message: "it can't take the focus, so nothing was typed", Hint: "type into a text field, or click first and type without selector"}).led(what)
}

// TooDeep returns the error of a place that lies in too many frames. Prefix is the selector
// that leads into the last one that was looked at.
func TooDeep(prefix string) *Error {
	return &Error{Code: NotActionable, Message: "what is there lies in too many frames to be looked at", Hint: "use a selector that leads into them: " + prefix + "…"}
}

// Unpainted describes an element of which no picture can be taken.
type Unpainted struct {
	HasBox        bool
	Width, Height float64
	X, Y          float64 // in the page
	OffPage       bool
}

// Explain returns NOT_ACTIONABLE.
func (u Unpainted) Explain(what pagetext.Sentence) *Error {
	e := &Error{Code: NotActionable, Retriable: true}
	var why pagetext.Sentence
	switch {
	case !u.HasBox:
		why, e.Hint = "the element is not visible", "show it first, or take another element"
	case u.OffPage:
		why, e.Hint = pagetext.Sentencef("the element is off screen: at %g,%g, outside of the page", u.X, u.Y), "bring it into the page first, or take another element"
	default:
		why, e.Hint = pagetext.Sentencef("the element has no size: %g×%g", u.Width, u.Height), "take an element around it"
	}
	e.Message = what + ": " + why
	return e
}

// SecretElsewhere returns the error of a secret that a page of another host would have had.
func SecretElsewhere(host, hosts string) *Error {
	if host == "" {
		host = "no host"
	}
	return &Error{Code: ActionBlocked, Message: pagetext.Sentencef("the secret was not typed: this page is of %s, and the secret is for %s", pagetext.Text(host), hosts),
		Hint: "a person adds the host to hosts of the secret in their own configuration, or trusts this folder: assay trust"}
}

// UnknownKey returns the error of a key that has no name.
func UnknownKey(key string) *Error {
	return Invalid(`use names such as Enter, Tab, Escape, ArrowDown, a, A, Control+A`, "key %q is unknown", key)
}

// File describes a file that an input holds.
type File struct {
	Name string
	Size int64
}

// OtherFiles returns the error of an input that does not hold what it was given.
func OtherFiles(held []File) *Error {
	var names []string
	for _, f := range held {
		names = append(names, fmt.Sprintf("%s, %d bytes", f.Name, f.Size))
	}
	return &Error{Code: NotActionable, Message: "page_upload: the input does not hold the files that it was given",
		Hint: "look at the page with page_snapshot; the input held:", Page: pagetext.Of(names...)}
}

// NoFileInput returns the error of files for an element that takes none.
func NoFileInput() *Error {
	return &Error{Code: NotActionable, Message: "page_upload: the element is no file input, and a click on it opened no file chooser",
		Hint: "name the file input itself, such as css=input[type=file], which may be hidden, or the button that opens the chooser; " +
			"where files are dropped, drop them: drop: true, in a flow the step drop"}
}

// NoDropZone returns the error of files that were held over an element that takes none.
func NoDropZone() *Error {
	return &Error{Code: NotActionable, Message: "page_upload: the element takes no files that are dropped on it",
		Hint: "name the element that takes them, or leave drop out and name the file input or the button that opens its file chooser"}
}

// OutOfReach returns the error of a drag to an element that is not in view together with what is dragged.
func OutOfReach(to pagetext.Sentence) *Error {
	return &Error{Code: NotActionable, Message: pagetext.Sentencef("page_drag: %s is not in view while what is dragged is", to),
		Hint: "use a larger viewport, or drag in steps to what is in view"}
}

// FilesRefused returns the error of an input that takes one file, or a folder. Said is what
// the driver says of it.
func FilesRefused(folder bool, said pagetext.Sentence, cause error) *Error {
	hint := "this input takes one file"
	if folder {
		hint = "this input takes a folder, which can't be uploaded"
	}
	return (&Error{Code: NotActionable, Message: said, Hint: hint, Cause: cause}).led("page_upload")
}
