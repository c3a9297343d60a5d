package browser

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/browser/redact"
	"github.com/mxschmitt/playwright-go"
)

// stackFrame is where an error came from: "at f (http://host/x.js:10:5)" in
// Chromium, "f@http://host/x.js:10:5" elsewhere.
var stackFrame = regexp.MustCompile(`(?m)(?:^\s*at .*?\(?|@)(https?://[^\s()]+):(\d+):(\d+)\)?$`)

// thrownEntry is the log's entry for an uncaught exception or an unhandled
// rejection. Its text is the page's own: nothing is taken off it.
func thrownEntry(err error) LogEntry {
	e := LogEntry{Level: "exception", Text: err.Error()}
	var pe *playwright.Error
	if !errors.As(err, &pe) {
		return e
	}
	e.Text = pe.Message
	if pe.Name != "" && !strings.HasPrefix(pe.Message, pe.Name) {
		e.Text = pe.Name + ": " + pe.Message
	}
	if m := stackFrame.FindStringSubmatch(cut(pe.Stack, maxLogText)); m != nil {
		e.URL = cut(redact.URL(m[1]), maxURL)
		e.Line, _ = strconv.Atoi(m[2]) // digits, as the pattern wants
		e.Column, _ = strconv.Atoi(m[3])
	}
	return e
}
