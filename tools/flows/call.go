package flows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/assertion"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
)

// Progress reports what is being done.
func (k *Comparison) Progress(message string) { k.Call.Progress(message) }

// SignedIn returns an error where the session's sign-in has ended.
func (k *Comparison) SignedIn(ctx context.Context) error {
	return k.Call.StillSignedIn(ctx, k.Session)
}

// Keep stores a picture in the run and returns its name.
func (k *Comparison) Keep(name string, data []byte) (string, error) {
	if err := k.Call.SpendPicture(name); tool.IsOverBudget(err) { // the figures are worth more than their picture
		k.Call.Say("no screenshot: %s", engine.AsError(k.Call.Spec.Name, err).Message)
		return "", nil
	}
	ref, err := k.Call.KeepPicture(name, data)
	if err != nil {
		k.Call.Run.ReturnPicture()
		return "", err
	}
	return ref.Name, nil
}

// Bring does the steps that bring the page to a range. A step that the page makes
// impossible is a failed check.
func (k *Comparison) Bring(ctx context.Context, r qa.Range) (problem string, err error) {
	state, err := k.Session.State(ctx)
	if err != nil {
		return "", err
	}
	base := k.Call.Workspace.Target.BaseURL // its path belongs to every address of a step
	resolved, problems := flow.Flow{Steps: r.Steps}.Below(base).Resolve(cmp.Or(base, state.URL))
	if len(problems) > 0 {
		return "", BadFlow(problems)
	}
	k.Session.ActAs(k.written(r))
	defer k.Session.ActAs(false)
	page := (&Run{Call: k.Call, Plain: k.Plain, Session: k.Session}).Page(k.Session)
	for i, s := range resolved.Steps {
		outcome, err := k.step(ctx, page, s)
		var fault *flow.Fault
		if errors.As(err, &fault) && fault.OfPage() {
			outcome = qa.Outcome{Expected: "done", Observed: fault.Message.Text()}
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

// written reports whether the steps of a range stand in the file of the task: they
// permit what they do.
func (k *Comparison) written(r qa.Range) bool {
	return k.Call.Workspace.FromFile && slices.ContainsFunc(k.Call.Run.Task().Ranges, func(own qa.Range) bool {
		return len(own.Steps) > 0 && reflect.DeepEqual(own.Steps, r.Steps)
	})
}

// step does one step, and says what came of it.
func (k *Comparison) step(ctx context.Context, page *Page, s qa.FlowStep) (qa.Outcome, error) {
	done := qa.Outcome{Passed: true}
	timeout := time.Duration(s.TimeoutMS) * time.Millisecond
	switch {
	case s.Action == "assert":
		return page.Check(ctx, *s.Assertion, s.Selector, cmp.Or(timeout, assertion.DefaultTimeout))
	case s.Action == "visual":
		outcome, _, err := page.Visual(ctx, s, timeout)
		if fault := (*flow.Fault)(nil); errors.As(err, &fault) && fault.GoesOn {
			k.Call.Say("not compared: %s", fault.Message)
			return done, nil // the run can't pass, and the figures can be read all the same
		}
		return outcome, err
	case s.Action == "screenshot":
		return done, k.Call.Shoot(ctx, cmp.Or(s.Name, "range"), browser.ShotOptions{Selector: s.Selector})
	case s.Action == "wait" && s.Selector == "":
		ms, err := strconv.Atoi(strings.TrimSpace(s.Value))
		if err != nil {
			return done, engine.InvalidInput("give milliseconds", "wait: value %q is no number", s.Value)
		}
		return done, wait.For(ctx, time.Duration(ms)*time.Millisecond)
	default:
		k.Call.ScreenshotBefore(ctx, k.Session, s.Action)
		return done, page.Do(ctx, s, timeout)
	}
}

// stepFailed files a step that the page made impossible, and returns it in a line.
func (k *Comparison) stepFailed(ctx context.Context, r qa.Range, s qa.FlowStep, name string, o qa.Outcome) (problem string, err error) {
	if err := k.Call.Shoot(ctx, "range-"+r.Name+"-failed", browser.ShotOptions{Locate: s.Selector}); err != nil {
		k.Call.Say("no screenshot: %s", engine.AsError(k.Call.Spec.Name, err).Message)
	}
	check := qa.Check{Step: k.Call.Step, Kind: s.Action, Subject: name, Selector: s.Selector, Expected: o.Expected, Observed: o.Observed, Source: qa.SourceTool}
	if k.Call.Shot != nil {
		check.Evidence = []string{k.Call.Shot.Name}
	}
	filed, err := k.Call.AddCheck(check)
	if err != nil {
		return "", err
	}
	k.steps = append(k.steps, filed.ID)
	return name + ": " + string(o.Observed), nil
}
