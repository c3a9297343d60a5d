package browser

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
)

// driverError is what the driver answers with, in its own words.
func driverError(words string) error {
	return fmt.Errorf("%w: %w", playwright.ErrPlaywright, &playwright.Error{Name: "Error", Message: words})
}

// What the driver says is read where its own words stand: never in an address, a selector or
// the call log, which hold what a caller or a page chose.
func TestDriverWords(t *testing.T) {
	t.Parallel()
	const refused = "net::ERR_CONNECTION_REFUSED"
	for words, net := range map[string]string{
		"page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1/plain":                                                 refused,
		"page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1/ERR_PROXY":                                             refused,
		"page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1/net::ERR_PROXY_CONNECTION_FAILED\nCall log:\n  - x":    refused,
		"page.goto: NS_ERROR_UNKNOWN_HOST":                                                                                   "NS_ERROR_UNKNOWN_HOST",
		"page.goto: Timeout 10ms exceeded.\nCall log:\n  - navigating to \"http://a.test/net::ERR_PROXY_CONNECTION_FAILED\"": "",
		"locator.click: Error: strict mode violation: getByText('net::ERR_ABORTED') resolved to 2 elements":                  "",
	} {
		if got := netErrorOf(driverError(words)); got != net {
			t.Errorf("%q: %q, want %q", words, got, net)
		}
	}
	kinds := map[string]func(error) bool{
		"aborted": isAborted, "crash": isCrash, "ambiguous": isAmbiguous, "no frame": isFrameMissing, "uncapturable": isUncapturable, "key": isUnknownKey, "file": isFileToSave,
		"interrupted": isInterrupted, "wrong kind": isWrongKind, "no file input": isNoFileInput, "zone": isBadZone, "state": isBadState, "address": isBadAddress, "no selector": isNoSelector,
	}
	for words, want := range map[string]string{
		"page.goto: net::ERR_ABORTED at http://a.test/": "aborted",
		"page.click: Page crashed":                      "crash",
		"locator.click: Target crashed ":                "crash",
		"locator.click: Error: strict mode violation: getByText('Page crashed') resolved to 2 elements":             "ambiguous",
		"locator.click: Error: strict mode violation: locator('text=\"must be one of\"') resolved to 2":             "ambiguous",
		"locator.count: Failed to find frame for selector \"iframe\"":                                               "no frame",
		"cdpSession.send: Protocol error (Page.captureScreenshot): Unable to capture screenshot":                    "uncapturable",
		"keyboard.press: Unknown key: \"Entre\"":                                                                    "key",
		"page.goto: Download is starting\nCall log:\n  - navigating":                                                "file",
		"page.goto: Navigation to \"http://a.test/\" is interrupted by another navigation to \"http://b.test\"":     "interrupted",
		"locator.fill: Error: Input of type \"checkbox\" cannot be filled":                                          "wrong kind",
		"locator.selectOption: Error: Element is not a <select> element":                                            "wrong kind",
		"elementHandle.setInputFiles: Error: Node is not an HTMLInputElement":                                       "no file input",
		"browser.newContext: Invalid timezone ID: Berlin":                                                           "zone",
		"browser.newContext: Error setting storage state:\nProtocol error (Storage.setCookies): Invalid":            "state",
		"page.goto: Protocol error (Page.navigate): Cannot navigate to invalid URL":                                 "address",
		"locator.count: Unexpected token \"!\" while parsing css selector \"!\". Did you mean to CSS.escape it?":    "no selector",
		"locator.click: Timeout 10ms exceeded.\nCall log:\n  - waiting for getByText('Page crashed while parsing')": "",
		"locator.click: Timeout 10ms exceeded.\nCall log:\n  - waiting for getByText('Element is not')":             "",
	} {
		for kind, is := range kinds {
			if both := kind == "wrong kind" && want == "no file input"; !both && is(driverError(words)) != (kind == want) {
				t.Errorf("%q: %s is %v", words, kind, is(driverError(words)))
			}
		}
	}
	if !isNavigating(driverError("page.evaluate: Execution context was destroyed, most likely because of a navigation")) || isNavigating(driverError("locator.click: Error: strict mode violation: 'frame was detached'")) {
		t.Error("a page that is being replaced is not told from a text that says so")
	}
	if isCrash(nil) || isClosed(driverError("Connection closed")) || !isClosed(errors.New("write: transport closed")) {
		t.Error("what went away is not told from what the driver answered")
	}
}

// The message of an error says what was done on what, and then why: the reason is kept
// beside the message, and not looked for in it. The page's words stay apart in both.
func TestWhy(t *testing.T) {
	t.Parallel()
	e := asError(driverError("page.goto: net::ERR_CONNECTION_REFUSED at http://a.test/: x"), "page_navigate http://a.test/: x")
	if e.Net != "ERR_CONNECTION_REFUSED" || e.Why() != "nothing answers there: connection refused (net::ERR_CONNECTION_REFUSED)" {
		t.Errorf("%q, of %s", e.Why(), e.Net)
	}
	var missing *explain.Error
	if err := explain.Prefixed("page_click #a: b", &explain.Error{Code: explain.ElementNotFound, Message: "no element matches #a: b"}); !errors.As(err, &missing) || missing.Why() != "no element matches #a: b" {
		t.Errorf("%v", err)
	}
	unknown := asError(driverError("page.click: <b> says no"), explain.Doing("page_click", explain.Quoting("#a: b")))
	if want := explain.Quoting("<b> says no"); unknown.Why() != want || unknown.Message != "page_click "+explain.Quoting("#a: b")+": "+want {
		t.Errorf("%q, because of %q", unknown.Message, unknown.Why())
	}
	late := asError(context.DeadlineExceeded, navigating("http://a.test/its time-out"))
	late.SlowAddress(time.Second, false, nil)
	all := explain.WithLimit(late, 2*time.Second)
	if want := navigating("http://a.test/its time-out") + ": it took longer than its time-out of 1 s"; late.Limit != time.Second || late.Message != want {
		t.Errorf("%s: %q", late.Limit, late.Message)
	}
	if !errors.As(all, &late) || late.Limit != 2*time.Second || late.Why() != "it took longer than its time-out of 2 s" {
		t.Errorf("%s: %v", late.Limit, all)
	}
	if !explain.PageClosed("page_click", nil).ClosedSelf || explain.Crashed("page_click: closed itself", nil).ClosedSelf {
		t.Error("that a page closed itself is no matter of its words")
	}
}
