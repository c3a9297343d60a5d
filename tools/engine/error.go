package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/visual"
)

// Error says why a call could not look.
type Error struct {
	Code      string            `json:"code"`
	Message   pagetext.Sentence `json:"message"`
	Retriable bool              `json:"retriable"`
	Hint      string            `json:"hint,omitempty" jsonschema:"what to do next"`
	Cause     string            `json:"cause,omitempty"`
	Page      []pagetext.Text   `json:"-"` // page text that belongs to the hint, such as candidates
	Places    []pagetext.Text   `json:"-"` // where each of Page stands; none: that is not told
}

// Lines returns the page text of the hint, each line with where it stands, between.
func (e *Error) Lines(between string) []pagetext.Text {
	out := slices.Clone(e.Page)
	for i, place := range e.Places[:min(len(e.Places), len(out))] {
		if place != "" {
			out[i] += pagetext.Text(between) + place
		}
	}
	return out
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Sentence().Line() }

// Sentence returns code and message, with the page's words apart.
func (e *Error) Sentence() pagetext.Sentence { return pagetext.Sentencef("%s: %s", e.Code, e.Message) }

// InvalidInput makes the error of a call that its caller can fix; hint says how.
func InvalidInput(hint, format string, args ...any) *Error {
	return &Error{Code: code.InvalidInput, Message: pagetext.Sentencef(format, args...), Hint: hint}
}

// AsError maps what a handler returned to a stable code. It is the only
// such mapping.
func AsError(tool string, err error) *Error {
	e := asError(tool, err)
	if errors.As(err, new(*explain.Error)) { // whose words may be a page's
		return e
	}
	worded := *e
	worded.Message = e.Message.Map(text.Undecoded)
	return &worded
}

// FactsOf returns what is known of an error, from which its cause follows.
func FactsOf(tool string, err error) qa.Facts {
	e := AsError(tool, err)
	f := qa.Facts{Code: e.Code, Why: e.Message.Text(), Open: browser.IsUnsettled(err), OutOfTime: browser.IsCutShort(err)}
	if be, ok := errors.AsType[*explain.Error](err); ok {
		f.Net, f.LimitMS, f.Download, f.Type, f.ClosedSelf, f.Why = be.Net, be.Limit.Milliseconds(), be.Download, be.FileType, be.ClosedSelf, be.Why().Text()
		f.Open, f.OutOfTime = f.Open || be.Open, f.OutOfTime || be.Answered
	}
	return f
}

func asError(tool string, err error) *Error {
	var te *Error
	var be *explain.Error
	switch {
	case err == nil:
		return &Error{} // of no code
	case errors.As(err, &te):
		return te
	case errors.As(err, &be):
		return &Error{Code: string(be.Code), Message: be.Message, Retriable: be.Retriable, Hint: be.Hint, Page: be.Page, Places: be.Places}
	case errors.Is(err, context.Canceled):
		return &Error{Code: code.Cancelled, Message: pagetext.Sentencef("%s was cancelled", tool), Retriable: true}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: code.Timeout, Message: pagetext.Sentencef("%s took longer than this server allows", tool), Retriable: true, Hint: "raise limits.timeout_ms"}
	case errors.Is(err, evidence.ErrFinished):
		return InvalidInput("call run_start", "%v", err)
	case errors.Is(err, baseline.ErrNotFound):
		return &Error{Code: code.BaselineNotFound, Message: pagetext.Sentencef("%v", err), Hint: "capture_visual_baseline captures one"}
	case errors.Is(err, baseline.ErrLocked):
		return &Error{Code: code.StoreLocked, Message: pagetext.Sentencef("%v", err), Retriable: true, Hint: "call again; if it stays so, end the process that holds it"}
	case errors.Is(err, baseline.ErrCorrupt):
		return &Error{Code: code.StoreCorrupt, Message: pagetext.Sentencef("%v", err), Hint: "restore the data folder from a copy, or import the baselines: assay baseline import"}
	case errors.Is(err, visual.ErrNoPicture), errors.Is(err, visual.ErrTooLarge):
		return &Error{Code: code.ImageInvalid, Message: pagetext.Sentencef("%v", err), Hint: "compare one element (selectors), or raise limits.max_pixels"}
	case errors.Is(err, evidence.ErrDiskFull):
		return &Error{Code: code.DiskFull, Message: pagetext.Sentencef("%v", err), Hint: "free space, or run: assay runs prune"}
	case errors.Is(err, evidence.ErrCorrupt):
		return &Error{Code: code.StoreCorrupt, Message: pagetext.Sentencef("%v", err), Hint: "the stored file was changed after it was written; don't trust this run"}
	case errors.Is(err, evidence.ErrRolledBack):
		return &Error{Code: code.StoreCorrupt, Message: pagetext.Sentencef("%v", err), Hint: "fix the data folder as the message says, and call again"}
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return &Error{Code: code.SessionLimit, Message: pagetext.Sentencef("%s: %v", tool, err), Retriable: true,
			Hint: "close sessions with browser_close, or raise the limit of open files where the server is started (ulimit -n)"}
	case errors.Is(err, evidence.ErrKeyLost), errors.Is(err, evidence.ErrKey):
		return &Error{Code: code.StoreCorrupt, Message: pagetext.Sentencef("%v", err), Hint: "fix the signing key as the message says, and call again"}
	case errors.Is(err, evidence.ErrReadOnly), errors.Is(err, fs.ErrPermission):
		return &Error{Code: code.StoreReadOnly, Message: pagetext.Sentencef("%v", err), Hint: "make the data directory writable, or set ASSAY_DATA_DIR to one that is"}
	default:
		return &Error{Code: code.Internal, Message: pagetext.Sentencef("%s: %v", tool, err), Hint: "report it with the server's log"}
	}
}
