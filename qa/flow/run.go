package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// Time-outs where the flow says none.
const (
	DefaultTimeout  = 30 * time.Second // the whole flow
	stepTimeout     = 10 * time.Second // a step that acts or loads
	assertTimeout   = 5 * time.Second
	shotTimeout     = 5 * time.Second
	lastShotTimeout = 2 * time.Second  // after a failure there may be nothing that answers
	settleGrace     = 8 * time.Second  // what a step may take beyond its time-out, for what it causes
	maskGrace       = 20 * time.Second // and what a picture may, for the masks of a page that does not come to rest
)

// Step holds the record of one step of a run.
type Step struct {
	Index       int             `json:"index"` // from 1; 0 is the opening of start_url, one past the last is the success condition
	Action      string          `json:"action"`
	Description string          `json:"description,omitempty"`
	Selector    string          `json:"selector,omitempty"`
	Baseline    string          `json:"baseline,omitempty"` // that a picture is compared with
	Origin      string          `json:"origin,omitempty"`   // file:line of the step
	Status      qa.TestStatus   `json:"status"`
	DurationMS  int64           `json:"duration_ms"`
	Screenshots []string        `json:"screenshots,omitempty"`
	Reason      pagetext.Text   `json:"reason,omitempty"` // what failed
	Seen        *Scene          `json:"seen,omitempty"`   // what was on the page then
	Candidates  []pagetext.Text `json:"candidates,omitempty"`

	Cause *qa.Cause `json:"cause,omitempty"` // how it ended, where it did not pass

	HeldBefore bool `json:"held_before,omitempty"` // the assertion held before the act that precedes it
	Unchanged  bool `json:"unchanged,omitempty"`   // it had to

	URL       string        `json:"-"` // that it opens
	Assertion *qa.Assertion `json:"-"`
	Outcome   *qa.Outcome   `json:"-"` // of a step that was checked
	blind     *Fault        // why it is undecided whether it held before
	Fault     *Fault        `json:"-"` // of a step that could not be done
	Shots     []int         `json:"-"` // numbers of the pictures: of a failed step, before and after
}

// The actions of the steps that a flow has without writing them.
const (
	OpenStart  = "open"
	FinalCheck = "success_condition"
)

// Options configures a run.
type Options struct {
	Clock    Clock
	Progress func(string) // says what is being done; may be nil
	Record   func(*Step)  // receives each executed step as soon as it is over; may be nil
}

// Attempt holds the outcome of running a flow once.
type Attempt struct {
	Status qa.Status
	Reason pagetext.Text // why it did not pass
	Steps  []*Step
	Failed *Step // the step that ended it, or nil

	Watched string // how the page was watched at the end, in words
}

// runner holds one attempt.
type runner struct {
	Options
	flow     Flow
	page     Page
	deadline time.Time
	attempt  Attempt
	steps    []plannedStep
	last     int       // the picture that shows the page as it is before the next step
	open     *Step     // the first one that could not be checked, though the flow went on
	lost     *Fault    // the page was lost before the first step
	tidied   time.Time // by when tidying up must be done
}

// attempt runs the flow once, and stops at the first step that fails.
// whole is not bounded by the flow's time.
func attempt(ctx, whole context.Context, f Flow, p Page, deadline time.Time, o Options) Attempt {
	r := &runner{Options: o, flow: f, page: p, deadline: deadline}
	if f.StartURL == "" {
		var err error
		if r.last, err = r.takePicture(ctx, "start", "", shotTimeout); err != nil { // the picture is only for comparison
			r.lost = pageLoss(err)
		}
	}
	r.steps = r.plan()
	for i := 0; i < len(r.steps); i++ {
		s := r.steps[i]
		switch {
		case r.attempt.Failed == nil:
			if n := r.runTogether(ctx, r.steps[i:]); n > 0 {
				i += n - 1
				continue
			}
			r.runStep(ctx, s)
		case r.isCleanup(s.record):
			r.runCleanup(ctx, s)
		default:
			s.record.Status = qa.TestSkipped
		}
	}
	r.watchEnd(whole)
	r.conclude()
	return r.attempt
}

// unopened returns the attempt of a flow whose own time was over before its page was
// open: it ends at its first step, as it would have ended there a moment later.
func unopened(ctx context.Context, f Flow, o Options) Attempt {
	r := &runner{Options: o, flow: f}
	for i, s := range r.plan() {
		if i > 0 {
			s.record.Status = qa.TestSkipped
			continue
		}
		s.record.Fault = r.outOfTime(ctx)
		r.setStatus(s.record)
	}
	r.conclude()
	return r.attempt
}

// plannedStep holds a step with its record to be.
type plannedStep struct {
	qa.FlowStep
	record *Step
}

// plan lists all steps, the unwritten ones included.
func (r *runner) plan() []plannedStep {
	var out []plannedStep
	add := func(index int, action, origin string, s qa.FlowStep) {
		record := &Step{Index: index, Action: action, Origin: origin, Description: cmp.Or(s.Description, s.Intent), Selector: s.Selector, URL: s.URL, Assertion: s.Assertion, Unchanged: s.Unchanged}
		if s.Action == visualStep {
			record.Baseline = s.Name
		}
		r.attempt.Steps = append(r.attempt.Steps, record)
		out = append(out, plannedStep{s, record})
	}
	if r.flow.StartURL != "" {
		add(0, OpenStart, "", qa.FlowStep{Action: "navigate", URL: r.flow.StartURL})
	}
	for i, s := range r.flow.Steps {
		origin := ""
		if i < len(r.flow.Origins) {
			origin = r.flow.Origins[i]
		}
		add(i+1, s.Action, origin, s)
	}
	if r.flow.SuccessCondition != "" {
		a, selector := Condition(r.flow.SuccessCondition)
		add(len(r.flow.Steps)+1, FinalCheck, "", qa.FlowStep{Action: "assert", Assertion: &a, Selector: selector})
	}
	return out
}

// runStep executes one step, and records it.
func (r *runner) runStep(ctx context.Context, s plannedStep) {
	record := s.record
	if r.Progress != nil {
		r.Progress(progressOf(record, len(r.flow.Steps)))
	}
	start := r.Clock.Now()
	wanted := r.timeoutOf(s.FlowStep)
	left := r.deadline.Sub(start)
	allowed := min(wanted, left)
	switch {
	case ctx.Err() != nil || left <= 0:
		record.Fault = r.outOfTime(ctx)
	case r.lost != nil:
		record.Fault = r.lost
	default:
		r.perform(ctx, s, allowed)
		if f := record.Fault; f != nil && f.Code != code.Cancelled && (ctx.Err() != nil || f.TimedOut && allowed < wanted) {
			record.Fault = r.outOfTime(ctx)
		}
		if o := record.Outcome; o != nil && !o.Passed && allowed < wanted && s.Action == "assert" { // it might have come to hold
			record.Outcome, record.Fault = nil, r.outOfTime(ctx)
		}
	}
	record.DurationMS = r.Clock.Now().Sub(start).Milliseconds()
	r.markGuess(record)
	r.setStatus(record)
	r.recordPicture(ctx, s)
	r.recheck(ctx, []plannedStep{s})
	if r.Record != nil {
		r.Record(record)
	}
}

// perform does what the step says. What came of it is in the record.
func (r *runner) perform(ctx context.Context, s plannedStep, timeout time.Duration) {
	grace := settleGrace
	if s.Action == visualStep {
		grace += maskGrace
	}
	ctx, cancel := context.WithTimeout(ctx, timeout+grace)
	defer cancel()
	var err error
	switch wait := waitTime(s.FlowStep); {
	case wait > 0:
		if err = r.Clock.Sleep(ctx, min(wait, timeout)); err == nil && timeout < wait {
			err = &Fault{Code: code.Timeout, TimedOut: true, Message: "the flow's time is over before the wait is"}
		}
	case s.Action == gapStep:
		err = gapFault(s.FlowStep)
	case s.Action == "assert":
		err = r.pollAssertion(ctx, s, timeout)
	case s.Action == visualStep:
		var o qa.Outcome
		var shot int
		if o, shot, err = r.page.Visual(ctx, s.FlowStep, timeout); err == nil {
			s.record.Outcome = &o
		}
		if shot > 0 {
			s.record.Shots = append(s.record.Shots, shot)
		}
	case s.Action == "screenshot":
		var shot int
		if shot, err = r.page.Shoot(ctx, cmp.Or(s.Name, "screenshot"), s.Selector, ""); err == nil {
			s.record.Shots = append(s.record.Shots, shot)
		}
	default:
		r.lookAhead(ctx, s)
		err = r.performAct(ctx, s, timeout)
		if n, ok := r.page.(Noting); ok && err == nil {
			s.record.Reason = n.Note().Text()
		}
	}
	if err != nil {
		s.record.Fault = faultOf(err)
	}
}

// outOfTime returns the fault of a flow that was cancelled or has no time left.
func (r *runner) outOfTime(ctx context.Context) *Fault {
	if errors.Is(ctx.Err(), context.Canceled) {
		return &Fault{Code: code.Cancelled, Message: "the flow was cancelled", Cause: ctx.Err()}
	}
	return &Fault{Code: code.Timeout, TimedOut: true, OutOfTime: true, Message: "the time for the whole flow is over", Hint: "raise timeout_ms of the flow, or make it shorter", Cause: ctx.Err()}
}

// setStatus gives the step its status, and ends the attempt if it did not pass.
func (r *runner) setStatus(s *Step) {
	if s.Fault == nil && (s.Outcome == nil || s.Outcome.Passed) {
		s.Status, s.Cause = qa.TestPassed, nil
		return
	}
	cause := s.ended()
	s.Status, s.Cause = cause.Ending.Status().TestStatus(), &cause
	if s.Fault != nil {
		s.Reason, s.Candidates = pagetext.Text(s.Fault.Error()), s.Fault.Near
	} else {
		s.Reason = pagetext.Sprintf("expected %s, observed %s", s.Outcome.Expected, s.Outcome.Observed)
		if s.Assertion != nil {
			s.Reason = pagetext.Sprintf("%s: %s", strings.TrimSpace(string(s.Assertion.Type)+" "+s.Selector), s.Reason)
		}
	}
	switch {
	case r.attempt.Failed != nil: // it only tidied up after that
	case s.Fault == nil || !s.Fault.GoesOn:
		r.attempt.Failed = s
	case r.open == nil:
		r.open = s
	}
}

// ended returns how a step that did not pass ended. A fault of which nothing is known is
// the tester's.
func (s *Step) ended() qa.Cause {
	if s.Fault == nil {
		return qa.CauseOf(s.Outcome.Passed, s.Outcome.Facts)
	}
	if s.Fault.Ended.Ending == "" {
		return qa.Cause{Ending: qa.Unable, Facts: qa.Facts{Code: s.Fault.Code, Why: s.Fault.Message.Text()}}
	}
	return s.Fault.Ended
}

// recordPicture takes what the page looks like after the step. It must be done
// before the next step acts. The picture before a failed step is the one after
// the step before it.
func (r *runner) recordPicture(ctx context.Context, s plannedStep) {
	record := s.record
	name := fmt.Sprintf("step-%02d-%s", record.Index, record.Action)
	if record.Status == qa.TestPassed || record.Fault != nil && record.Fault.GoesOn {
		if len(record.Shots) > 0 { // a step that takes pictures has taken it
			r.last = record.Shots[0]
			return
		}
		if shot, err := r.takePicture(ctx, name, "", shotTimeout); err == nil {
			r.last, record.Shots = shot, append(record.Shots, shot)
		} else if f := pageLoss(err); f != nil {
			record.Fault = f // what the step did is undone, and the next one would meet another page
			r.setStatus(record)
		} else {
			record.Reason, _ = (record.Reason + "; no screenshot: " + faultOf(err).Message.Text()).CutPrefix("; ")
		}
		return
	}
	if r.last > 0 {
		record.Shots = slices.Insert(record.Shots, 0, r.last)
	}
	if f := record.Fault; f != nil && (f.Lost || f.Code == code.Cancelled) {
		return // there is nothing to be seen, or no caller waits for it
	}
	// The flow may have ended because its time is over: that a failure can be
	// understood is worth a little more.
	ctx, cancel := wait.CleanUp(ctx, lastShotTimeout)
	defer cancel()
	if shot, err := r.takePicture(ctx, name+"-failed", record.Selector, lastShotTimeout); err == nil {
		record.Shots = append(record.Shots, shot)
	}
	scene := r.page.Scene(ctx)
	record.Seen = &scene
}

func (r *runner) takePicture(ctx context.Context, name, locate string, limit time.Duration) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return r.page.Shoot(ctx, name, "", locate)
}

// conclude gives the attempt its status.
func (r *runner) conclude() {
	a := &r.attempt
	if a.Failed == nil {
		a.Failed = r.open
	}
	switch {
	case a.Failed == nil && r.flow.Asserts():
		a.Status = qa.Passed
		if why := r.nothingBroughtAbout(); why != "" {
			a.Status, a.Reason = qa.Inconclusive, pagetext.Text(why)
		} else if void := Void(a.Steps); len(void) > 0 {
			a.Status, a.Reason = qa.Inconclusive, pagetext.Text("nothing that was checked proves anything: "+strings.Join(void, "; "))
		}
	case a.Failed == nil:
		a.Status = qa.Inconclusive
		a.Reason = "nothing was asserted, so nothing is proved: add a step with action assert, or a success_condition"
	case a.Failed.Status == qa.TestFailed:
		a.Status, a.Reason = qa.Failed, a.Failed.Reason
	default:
		a.Status, a.Reason = qa.Inconclusive, a.Failed.Reason
	}
}

// Completed returns how many of the written steps passed.
func (a Attempt) Completed() int {
	n := 0
	for _, s := range a.Steps {
		if s.Status == qa.TestPassed && s.Action != OpenStart && s.Action != FinalCheck {
			n++
		}
	}
	return n
}

// loadTimeout returns how long a step may load a page: the part of the flow's own time that
// it has of the usual one.
func loadTimeout(f Flow) time.Duration {
	return max(stepTimeout, time.Duration(f.TimeoutMS)*time.Millisecond/(DefaultTimeout/stepTimeout))
}

func (r *runner) timeoutOf(s qa.FlowStep) time.Duration {
	if s.Action == "navigate" && s.TimeoutMS == 0 {
		return loadTimeout(r.flow)
	}
	return timeoutOf(s)
}

func timeoutOf(s qa.FlowStep) time.Duration {
	switch {
	case waitTime(s) > 0:
		return max(waitTime(s), time.Duration(s.TimeoutMS)*time.Millisecond)
	case s.TimeoutMS > 0:
		return time.Duration(s.TimeoutMS) * time.Millisecond
	case s.Action == "assert":
		return assertTimeout
	default:
		return stepTimeout
	}
}

func stepField(i int) string { return fmt.Sprintf("steps[%d]", i) }
