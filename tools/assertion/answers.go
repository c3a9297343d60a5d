package assertion

import (
	"context"
	"strings"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// afterAnswers makes a look when the answers that the page waits for have come and were
// worked in. What holds before that proves nothing: the answer may change it. Where one
// does not come in time, what holds is an error. mayGo says that what held is held
// against a later state: an announcement may have gone by itself.
func (k Checker) afterAnswers(ctx context.Context, a qa.Assertion, selector string, mayGo bool, look func() (Result, error)) (Result, error) {
	if a.SinceAct() { // what happened, no answer undoes
		return look()
	}
	answers := k.Session.AwaitAnswers()
	for {
		waited, err := answers.Until(ctx)
		if err != nil {
			return Result{}, err
		}
		if waited {
			k.Session.LetChange(ctx)
			mayGo = true
		}
		r, err := look()
		if err == nil && !r.Passed {
			r, err = k.orWasSo(ctx, a, selector, mayGo, r)
		}
		if err != nil || !r.Passed {
			return r, err
		}
		open := answers.Open()
		if len(open) == 0 {
			return r, nil
		}
		if answers.Over() {
			return r, unanswered(a, selector, open)
		}
	}
}

// Last looks once, at the end of a watch, when the answers that the page waits for have come.
func (k Checker) Last(ctx context.Context, a qa.Assertion, selector string) (Result, error) {
	return k.afterAnswers(ctx, a, selector, true, func() (Result, error) { return k.Once(ctx, a, selector) })
}

// Still looks once, before an act that may make it impossible to look again.
func (k Checker) Still(ctx context.Context, a qa.Assertion, selector string) (Result, error) {
	r, err := k.Once(ctx, a, selector)
	if err != nil || r.Passed {
		return r, err
	}
	return k.orWasSo(ctx, a, selector, true, r)
}

// maxUnanswered sets how many requests are named.
const maxUnanswered = 3

// unanswered returns the error of an assertion that holds while the page waits for answers.
func unanswered(a qa.Assertion, selector string, open []string) error {
	return &explain.Error{Code: explain.TimedOut, Retriable: true, Cause: ErrDoubt, Open: true,
		Message: pagetext.Sentencef("%s: it holds as long as the page waits for an answer, which may change it: %s",
			asserted(a, selector), pagetext.Text(strings.Join(open[:min(len(open), maxUnanswered)], ", "))),
		Hint: "check again when the answer has come; what must not take that long is found by request_made or response_ok"}
}
