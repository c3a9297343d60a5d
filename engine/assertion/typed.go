package assertion

import (
	"context"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// typedReasons returns why an assertion that holds proves nothing because it is about what the
// caller typed or chose, and the field still holds just that. stood reports whether that is what
// it is known to have held before the newest act.
func (k Checker) typedReasons(ctx context.Context, a qa.Assertion, selector string, r Result) (void []string, stood bool, err error) {
	const why = "the caller typed or chose it there, and the page was not loaded since"
	if !r.Passed {
		return nil, false, nil
	}
	if r.Seen.Typed {
		return []string{why}, false, nil
	}
	switch a.Type {
	case qa.ValueEquals, qa.ValueContains, qa.ValuesEqual, qa.SelectedLabel, qa.Empty, qa.NumberCompared:
	case qa.AttributeEquals:
		if !strings.EqualFold(a.Attribute, "value") {
			return nil, false, nil
		}
	default:
		return nil, false, nil
	}
	on, stood, err := k.Session.Typed(ctx, selector)
	if err != nil || !on {
		return nil, stood, err
	}
	return []string{why}, stood, nil
}
