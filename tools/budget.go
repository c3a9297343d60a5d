package tools

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

const budgetExceeded = code.BudgetExceeded

// spend counts the call against the budgets of its run (A9), or refuses it.
func (c *call) spend() error {
	if c.run == nil || c.spec.unbudgeted { // without a run, finish tells why
		return nil
	}
	return overBudget(c.run.SpendCall(c.spec.name))
}

// spendPicture counts a picture, or refuses it.
func (c *call) spendPicture(name string) error {
	return overBudget(c.run.SpendPicture(name))
}

// picture files one as the evidence of a check, which is worth more than its
// picture: where a budget allows none, the call goes on without.
func (c *call) picture(ctx context.Context, name string) error {
	return c.pictureOf(ctx, name, browser.ShotOptions{})
}

// pictureOf is picture for another picture than that of the viewport.
func (c *call) pictureOf(ctx context.Context, name string, o browser.ShotOptions) error {
	err := c.shoot(ctx, name, o)
	if !isOverBudget(err) {
		return err
	}
	c.say("no screenshot: %s", engine.AsError(c.spec.name, err).Message)
	return nil
}

func isOverBudget(err error) bool {
	var te *engine.Error
	return errors.As(err, &te) && te.Code == budgetExceeded
}

func overBudget(over []qa.Interruption) error {
	if len(over) == 0 {
		return nil
	}
	var words []string
	for _, in := range over {
		words = append(words, in.Subject+": "+in.Detail)
	}
	return &engine.Error{Code: budgetExceeded, Message: strings.Join(words, "; "), Hint: "call run_finish: it reports what was done until now"}
}

// errOutOfTime cancels a call when its run's time is spent.
var errOutOfTime = errors.New("maxTimeMs is spent")

// inTime cancels ctx when the run's maxTimeMs is spent. It is a cancellation
// and no deadline: a shorter deadline would make a check give up early and pass
// for one that looked as long as it was told.
func (c *call) inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.runErr != nil || c.run.Task().Budgets == nil || c.run.Task().Budgets.MaxTimeMS == 0 || c.spec.unbudgeted {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	left := c.run.Started().Add(time.Duration(c.run.Task().Budgets.MaxTimeMS) * time.Millisecond).Sub(c.desk.Now())
	timer := time.AfterFunc(left, func() { cancel(errOutOfTime) })
	return ctx, func() { timer.Stop(); cancel(nil) }
}

// cutOff tells of a call that was cancelled because its run's time is spent.
func (c *call) cutOff(ctx context.Context, err error) error {
	if !errors.Is(context.Cause(ctx), errOutOfTime) {
		return err
	}
	c.run.OutOfTime(c.spec.name)
	if err == nil {
		c.say("the run's maxTimeMs was spent meanwhile: call run_finish")
		return nil
	}
	return &engine.Error{Code: budgetExceeded, Message: c.spec.name + " was cut off: maxTimeMs is spent", Hint: "call run_finish: it reports what was done until now", Cause: err.Error()}
}
