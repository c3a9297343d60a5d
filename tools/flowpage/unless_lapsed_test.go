package flowpage_test

import (
	"context"
	"errors"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/assertion"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
)

// loadedAgain is an error of a call whose page was loaded again.
type loadedAgain struct{ told *engine.Error }

func (loadedAgain) Is(target error) bool { return target == assertion.ErrLoadedAgain }

func (e loadedAgain) Error() string { return e.told.Error() }

func (e loadedAgain) Unwrap() error { return e.told }

// An act that fails asks about the sign-in where the page seems to be at fault, and is done once more only
// where nothing of it was done.
func TestUnlessLapsed(t *testing.T) {
	t.Parallel()
	ended := &engine.Error{Code: code.NeedsHuman, Message: "the sign-in had ended"}
	missing, used := &explain.Error{Code: explain.ElementNotFound}, &explain.Error{Code: explain.NotActionable}
	for name, c := range map[string]struct {
		failed, lapsed error
		waits          bool
		asks, acts     int
		wants          error
	}{
		"it is done":                             {nil, nil, false, 0, 1, nil},
		"the element is missing":                 {missing, nil, false, 1, 1, missing},
		"it is missing as the sign-in had ended": {missing, loadedAgain{ended}, false, 1, 2, nil},
		"the same, after something was done":     {missing, ended, false, 1, 1, ended},
		"the element can't be used":              {used, loadedAgain{ended}, false, 1, 1, ended},
		"a wait":                                 {&explain.Error{Code: explain.TimedOut}, loadedAgain{ended}, true, 1, 2, nil},
		"who asked could not find out":           {missing, errors.New("no browser"), false, 1, 1, missing},
		"the caller's fault":                     {&explain.Error{Code: explain.InvalidInput}, loadedAgain{ended}, false, 0, 1, &explain.Error{Code: explain.InvalidInput}},
	} {
		asked, acted := 0, 0
		err := flowpage.UnlessLapsed(t.Context(), func(context.Context) error { asked++; return c.lapsed }, c.waits, func() error {
			if acted++; acted > 1 {
				return nil
			}
			return c.failed
		})
		if asked != c.asks || acted != c.acts || (err == nil) != (c.wants == nil) || c.wants != nil && engine.AsError("act", err).Code != engine.AsError("act", c.wants).Code {
			t.Errorf("%s: asked %d times, acted %d times, %v", name, asked, acted, err)
		}
	}
}
