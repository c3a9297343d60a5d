package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// markSecret marks the one element that l finds as a field that holds a secret. The
// page cannot observe the mark.
func markSecret(l playwright.Locator, limit *float64) error {
	attached := playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached, Timeout: limit}
	if err := l.WaitFor(attached); err != nil { // it says what is wrong where none or several match
		return err
	}
	return askEngine(l.Locator(engineAsk{Op: "conceal"}.query()), time.Duration(*limit)*time.Millisecond, &struct{}{})
}

// secretsIn finds what a screenshot of the page must not show, one locator for
// each frame that has something of the kind: fields that hold a secret or a
// password, and elements whose text holds a secret.
func (s *screenshotter) secretsIn(ctx context.Context, t *tab) ([]playwright.Locator, error) {
	ask := engineAsk{Op: "secrets", Values: s.secretValues()}
	var out []playwright.Locator
	for i, frame := range framesOf(t.page) {
		l := frame.Locator(ask.query())
		n, err := within(ctx, t, frameTimeout, l.Count)
		switch {
		case err == nil && n > 0:
			out = append(out, l)
		case err == nil, isNavigating(err), i > 0 && errors.Is(err, errNoAnswer), i > 0 && frame.IsDetached():
			// nothing there, or a document that shows nothing yet
		default:
			return nil, err
		}
	}
	return out, nil
}

// secretValues returns what the engine must not print, encoded: no part of a
// selector, and no plain text in a trace.
func (s *livePage) secretValues() string {
	values := s.pool.Secrets()
	if len(values) == 0 {
		return ""
	}
	return base64.StdEncoding.EncodeToString([]byte(jsonString(values)))
}
