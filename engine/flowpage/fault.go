package flowpage

import (
	"context"
	"errors"
	"slices"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/assertion"
	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/flow"
)

// Fault says whose fault an error of a step is, and whether it may be gone
// the next time. It is the only place that decides either. loading tells that
// the step was to load an address.
func Fault(err error, loading bool) *flow.Fault {
	var known *flow.Fault
	if errors.As(err, &known) {
		return known
	}
	e := engine.AsError("flow", err)
	f := &flow.Fault{Code: e.Code, Message: e.Message, Hint: e.Hint, Near: e.Page, Cause: err}
	f.TimedOut = e.Code == code.Timeout || errors.Is(err, context.DeadlineExceeded)
	switch browser.Code(e.Code) {
	case browser.ElementNotFound, browser.SelectorAmbiguous, browser.NotActionable:
		f.OfPage = true
	case browser.TimedOut:
		f.OfPage = !errors.Is(err, assertion.ErrDoubt)
	case browser.NavigationFailed:
		f.OfPage = !TestersFault(e.Message) && !browser.IsDownload(err)
	case browser.PageCrashed:
		f.OfPage = e.Message.Says("closed itself")
	}
	if browser.IsUnsettled(err) { // that is no word about the page
		f.OfPage = false
	}
	f.Transient = transient(f, loading)
	f.Lost = f.Code == code.BrowserCrashed || f.Code == code.PageCrashed && !f.OfPage
	return f
}

// transient reports whether a fault is one of the connection, of the browser
// or of a site that was too slow to load. A fault that was looked at, such as
// an element that is missing, is none.
func transient(f *flow.Fault, loading bool) bool {
	switch browser.Code(f.Code) {
	case browser.BrowserCrashed:
		return true
	case browser.PageCrashed:
		return !f.OfPage
	case browser.TimedOut:
		return loading
	case browser.NavigationFailed:
		return slices.ContainsFunc([]string{
			"ERR_CONNECTION_RESET", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_CLOSED", "ERR_CONNECTION_ABORTED", "ERR_CONNECTION_TIMED_OUT",
			"ERR_EMPTY_RESPONSE", "ERR_TIMED_OUT", "ERR_NAME_NOT_RESOLVED", "ERR_NAME_RESOLUTION_FAILED", "ERR_ADDRESS_UNREACHABLE",
			"ERR_NETWORK_CHANGED", "ERR_INTERNET_DISCONNECTED", "ERR_SOCKET_NOT_CONNECTED", "NS_ERROR_NET_RESET", "NS_ERROR_CONNECTION_REFUSED",
			"NS_ERROR_UNKNOWN_HOST", "NS_ERROR_NET_TIMEOUT",
		}, f.Message.Says)
	default:
		return false
	}
}

// brokenPage returns the fault of a document that the server could not make.
func brokenPage(p browser.PageState) error {
	if p.Status < 500 {
		return nil
	}
	return &flow.Fault{Code: code.NavigationFailed, OfPage: true,
		Message: pagetext.Sentencef("%s answers status %d", pagetext.Text(p.URL), p.Status), Hint: "look at the server's log"}
}

// TestersFault recognises network errors that say nothing about the site: this
// machine or the browser itself refused.
func TestersFault(message pagetext.Sentence) bool {
	return slices.ContainsFunc([]string{
		"ERR_UNSAFE_PORT", "ERR_INVALID_URL", "ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED", "ERR_NETWORK_ACCESS_DENIED",
		"ERR_PROXY", "ERR_TUNNEL", "ERR_BLOCKED_BY", "ERR_INSUFFICIENT_RESOURCES", "ERR_ABORTED",
	}, message.Says)
}
