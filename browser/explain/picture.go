package explain

import (
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// TooLarge returns the error of a picture that would have too many pixels.
func TooLarge(width, height float64, maxSide, maxPixels int) *Error {
	return &Error{Code: ImageInvalid,
		Message: pagetext.Sentencef("the picture would have %.0f×%.0f pixels; the limits are %d a side and %d in all", width, height, maxSide, maxPixels),
		Hint:    "take the viewport (full_page false) or one element (selector)"}
}

// NoPicture returns the error of a browser's answer that is no picture.
func NoPicture(cause error) *Error {
	return &Error{Code: ImageInvalid, Message: pagetext.Sentencef("page_screenshot: the browser returned no picture: %v", cause), Hint: again, Retriable: true, Cause: cause}
}

// Unreadable returns the error of a browser's picture that can't be read.
func Unreadable(op string, cause error) *Error {
	return &Error{Code: ImageInvalid, Message: pagetext.Sentencef("%s: the browser's picture can't be read: %v", op, cause), Hint: again, Retriable: true, Cause: cause}
}

// Incomplete returns the error of a picture that would lack parts of the page.
func Incomplete(what pagetext.Sentence, parts int, listed []pagetext.Text, cause error) *Error {
	return (&Error{Code: TimedOut, Cause: cause, Hint: "mask these, or scroll to them and take the viewport (full_page false):", Page: listed,
		Message: pagetext.Sentencef("the picture would lack %s that the page shows only where it is scrolled to, and takes out again", text.Count(parts, "part"))}).led(what)
}

// NoRest returns the error of a page that did not come to rest for a picture within limit, in
// which so many pictures were taken of it. Waits lists what it still waits for.
func NoRest(what pagetext.Sentence, limit time.Duration, pictures int, waits []pagetext.Text, cause error) *Error {
	e := &Error{Code: TimedOut, Retriable: true, Cause: cause}
	switch {
	case len(waits) > 0:
		e.Message = pagetext.Sentencef("after %s the page still waits for something to be shown", limit)
		e.Hint, e.Page = "fix what does not come, or give it more time; the page waits for:", waits
	case pictures < 2:
		e.Message = pagetext.Sentencef("there was time for %s in %s: whether the page is at rest takes two", text.Count(pictures, "picture"), limit)
		e.Hint = "take the viewport (full_page false) or one element (selector), or call again when the machine has less to do"
	default:
		e.Message = pagetext.Sentencef("the page does not come to rest: no two pictures in a row were equal in %s", limit)
		e.Hint = "mask what keeps moving, or stop it before"
	}
	return e.led(what)
}
