package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/assertion"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/wait"
)

// Progress reports what is being done.
func (k *kpiCall) Progress(message string) { k.c.progress(message) }

// SignedIn returns an error where the session's sign-in has ended.
func (k *kpiCall) SignedIn(ctx context.Context) error {
	expired, err := k.c.signInExpired(ctx, k.session)
	if expired != nil {
		return cmp.Or[error](err, expired)
	}
	return err
}

// Keep stores a picture in the run and returns its name.
func (k *kpiCall) Keep(name string, data []byte) (string, error) {
	if err := k.c.spendPicture(name); isOverBudget(err) { // the figures are worth more than their picture
		k.c.say("no screenshot: %s", engine.AsError(k.c.spec.name, err).Message)
		return "", nil
	}
	ref, err := k.c.keep(name, data)
	if err != nil {
		k.c.run.ReturnPicture()
		return "", err
	}
	return ref.Name, nil
}

// Bring does the steps that bring the page to a range. A step that the page makes
// impossible is a failed check.
func (k *kpiCall) Bring(ctx context.Context, r qa.Range) (problem string, err error) {
	state, err := k.session.State(ctx)
	if err != nil {
		return "", err
	}
	base := k.c.desk.Target.BaseURL // its path belongs to every address of a step
	resolved, problems := flow.Flow{Steps: r.Steps}.Below(base).Resolve(cmp.Or(base, state.URL))
	if len(problems) > 0 {
		return "", badFlow(problems)
	}
	page := (&flowRun{c: k.c, plain: k.plain, session: k.session}).page(k.session)
	for i, s := range resolved.Steps {
		outcome, err := k.step(ctx, page, s)
		var fault *flow.Fault
		if errors.As(err, &fault) && fault.OfPage {
			outcome = qa.Outcome{Expected: "done", Observed: fault.Message}
		} else if err != nil {
			return "", err
		}
		if outcome.Passed {
			continue
		}
		name := fmt.Sprintf("range %s, step %d: %s %s", r.Name, i+1, s.Action, cmp.Or(s.Selector, s.URL))
		return k.stepFailed(ctx, r, s, name, outcome)
	}
	return "", nil
}

// step does one step, and says what came of it.
func (k *kpiCall) step(ctx context.Context, page *flowPage, s qa.FlowStep) (qa.Outcome, error) {
	done := qa.Outcome{Passed: true}
	timeout := time.Duration(s.TimeoutMS) * time.Millisecond
	switch {
	case s.Action == "assert":
		return page.Check(ctx, *s.Assertion, s.Selector, cmp.Or(timeout, assertion.DefaultTimeout))
	case s.Action == "visual":
		outcome, _, err := page.Visual(ctx, s, timeout)
		if fault := (*flow.Fault)(nil); errors.As(err, &fault) && fault.GoesOn {
			k.c.say("not compared: %s", fault.Message)
			return done, nil // the run can't pass, and the figures can be read all the same
		}
		return outcome, err
	case s.Action == "screenshot":
		return done, k.c.shoot(ctx, cmp.Or(s.Name, "range"), browser.ShotOptions{Selector: s.Selector})
	case s.Action == "wait" && s.Selector == "":
		ms, err := strconv.Atoi(strings.TrimSpace(s.Value))
		if err != nil {
			return done, engine.InvalidInput("give milliseconds", "wait: value %q is no number", s.Value)
		}
		return done, wait.For(ctx, time.Duration(ms)*time.Millisecond)
	default:
		k.c.screenshotBefore(ctx, k.session, s.Action)
		return done, page.Do(ctx, s, timeout)
	}
}

// stepFailed files a step that the page made impossible, and returns it in a line.
func (k *kpiCall) stepFailed(ctx context.Context, r qa.Range, s qa.FlowStep, name string, o qa.Outcome) (problem string, err error) {
	if err := k.c.shoot(ctx, "range-"+r.Name+"-failed", browser.ShotOptions{}); err != nil {
		k.c.say("no screenshot: %s", engine.AsError(k.c.spec.name, err).Message)
	}
	check := qa.Check{Step: k.c.step, Kind: s.Action, Subject: name, Selector: s.Selector, Expected: o.Expected, Observed: o.Observed, Source: qa.SourceTool}
	if k.c.shot != nil {
		check.Evidence = []string{k.c.shot.Name}
	}
	filed, err := k.c.run.AddCheck(check)
	if err != nil {
		return "", err
	}
	k.steps = append(k.steps, filed.ID)
	return name + ": " + o.Observed, nil
}
