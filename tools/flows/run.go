package flows

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/qa/health"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/tool"
)

// Run holds one flow that is run within a call.
type Run struct {
	Call    *tool.Call
	Flow    flow.Flow
	Expects []string
	Files   *flowFiles

	Session *browser.Session      // the caller's; nil: each attempt has a context of its own
	own     *browser.Session      // of the attempt that runs
	ended   func(context.Context) // runs when an attempt is over; may be nil
	began   time.Time             // the attempt
	stepped time.Time             // its newest step
	losses  int                   // of its session when it began
	stuck   bool                  // a step of it could not be done
	Console []browser.LogEntry
	unasked []pagetext.Text // dialogs that nothing asked for
	Plain   map[string]bool // fields that were filled, by selector: true when they hold no password
	Result  flow.Result
	Notes   []pagetext.Text     // of pictures that were compared
	Shown   *tool.ScreenshotRef // what tells most of the newest picture that is not as its baseline
	Record  qa.Artifact         // the stored result
	last    string              // the page that the newest attempt ended on
	health  []health.Finding    // of that page
}

// Subject returns what the flow is called in checks.
func (r *Run) Subject() string { return cmp.Or(r.Flow.Name, r.Flow.StartURL, "user flow") }

// flowHolds names what a flow's own check expects. It holds no number and no
// text of the flow: only the checks within may prove those.
const flowHolds = "every step and every assertion holds"

// Execute runs the flow and files its checks. The error says that it could not
// even begin.
func (r *Run) Execute(ctx context.Context) error {
	c := r.Call
	if c.RunErr != nil {
		return c.RunErr
	}
	c.About = qa.Check{Kind: "verify_user_flow", Subject: r.Subject(), Expected: flowHolds, Expects: r.Expects}
	if r.Flow.Recorded == nil { // a recorded check keeps the window of verify_assertion
		c.Window = browser.SinceAct
	}
	r.Plain = map[string]bool{}
	r.Files = newFlowFiles(c.Run, c.Step)
	timeout := cmp.Or(time.Duration(r.Flow.TimeoutMS)*time.Millisecond, flow.DefaultTimeout)
	var err error
	r.Result, err = flow.Run(ctx, r.Flow, timeout, flow.Site{
		Open: r.open, Close: r.close, Repeatable: r.Session == nil, Retried: r.retried,
	}, flow.Options{Clock: tool.Clock{Workspace: c.Workspace}, Progress: c.Progress, Record: r.recorded})
	stored := r.Files.wait()
	if err != nil {
		return err
	}
	for _, s := range r.Result.Steps {
		s.Screenshots = names(r.Files.Stored(s.Shots))
	}
	if r.Result.Status == qa.Passed && len(r.unasked) > 0 { // after the last step
		r.Result.Status, r.Result.Reason = qa.Failed, flowpage.DialogShown+": "+flowpage.UnaskedReason(r.unasked).Text()
	}
	if stored != nil {
		c.Run.NotExecuted(c.About.Kind, r.Subject(), "evidence is stored", engine.AsError(c.Spec.Name, stored).Code, pagetext.Text(stored.Error()))
		r.Result.Status, r.Result.Reason = qa.Inconclusive, cmp.Or(r.Result.Reason, pagetext.Text("the evidence could not be stored: "+stored.Error()))
	}
	return r.conclude()
}

// open gives an attempt its page.
func (r *Run) open(ctx context.Context, _ int) (flow.Page, error) {
	r.began, r.Notes, r.Shown = r.Call.Workspace.Now(), nil, nil
	s := r.Session
	if s == nil {
		var err error
		if s, err = r.Call.Launch(ctx, browser.LaunchOptions{}); err != nil {
			return nil, err
		}
		r.own = s
	}
	r.Call.SetSession(s)
	s.ActAs(r.Flow.Written)
	if err := s.SetDialogPolicy(browser.DialogPolicy{}); err != nil { // an earlier flow named its own dialogs, not this one's
		return nil, err
	}
	start := s.Position()
	r.Call.Began, r.stepped = &start, r.began
	r.losses, _ = s.Losses()
	r.stuck = false
	return r.Page(s), nil
}

// close keeps what the attempt's pages said, and ends its context.
func (r *Run) close(ctx context.Context) {
	s := r.Call.Session
	defer s.ActAs(false)
	if logs, err := s.Console("", r.began.Add(-time.Nanosecond), 0); err == nil { // no level is always good
		r.Console = logs.Entries
	}
	r.Call.FileExceptions(s)
	r.fileDialogs(s)
	r.noteUnused(s)
	r.unasked = flowpage.Unasked(s, r.Call.StartIn(s))
	r.judgeEnd(ctx, s)
	if r.own == nil {
		return
	}
	r.Call.Began = nil
	if r.ended != nil {
		r.ended(ctx)
	}
	r.own, r.Call.Session = nil, nil
	ctx, cancel := tool.Closing(ctx)
	defer cancel()
	r.Call.EndDownloads(s)
	r.Call.KeepTraffic(s)
	r.Call.Workspace.StopTrace(ctx, s, r.Call.Run, r.Call.Step)
	if err := s.Close(ctx); err != nil {
		r.Call.Workspace.Log.Warn("close the context of a flow", "err", err)
	}
}

// judgeEnd looks at the page that an attempt ends on. It is filed when it is
// known that no other attempt follows. A page on which a step could not be done
// may not answer, and has failed already.
func (r *Run) judgeEnd(ctx context.Context, s *browser.Session) {
	r.last, r.health = "", nil
	if r.Call.Signing || r.stuck {
		return
	}
	if n, _ := s.Losses(); n != r.losses {
		return
	}
	if state, err := s.State(ctx); err == nil {
		r.last, r.health = state.URL, pagehealth.AtEnd(ctx, r.Call, s, state.URL)
	}
}

// retried records that an attempt is followed by another one.
func (r *Run) retried(retry flow.Retry) {
	c := r.Call
	r.Files.later(func() error {
		return c.Run.Event(evidence.Event{Name: evidence.FlowRetried, Step: c.Step, Input: engine.JSON(retry), ErrorCode: retry.Code})
	})
}

// recorded files an executed step: its event, and its check if it was one. A
// fault is filed when it is known whether the next attempt cures it.
func (r *Run) recorded(s *flow.Step) {
	c := r.Call
	r.group(s)
	if s.Status == qa.TestPassed && s.Reason != "" {
		r.Notes = append(r.Notes, pagetext.Text(s.Name()+": ")+s.Reason)
	}
	event := evidence.Event{Name: evidence.FlowStepped, Time: c.Workspace.Now(), Step: c.Step, DurationMS: s.DurationMS, Input: engine.JSON(*s)}
	event.SpecPath, event.StepIndex = r.specStep(s)
	if s.Fault != nil {
		r.stuck = true
		event.ErrorCode = s.Fault.Code
	}
	var check *qa.Check
	if s.Outcome != nil && s.Assertion != nil { // a picture's comparison has filed its own
		check = r.check(s, string(s.Assertion.Type), *s.Outcome)
	}
	shots := slices.Clone(s.Shots)
	r.Files.later(func() error {
		refs := r.Files.Stored(shots)
		if len(refs) > 0 {
			event.Screenshot = refs[len(refs)-1].Name
		}
		if err := c.Run.Event(event); err != nil || check == nil {
			return err
		}
		check.Evidence = names(refs)
		_, err := c.AddCheck(*check)
		return err
	})
}

// specStep returns the spec that a step belongs to, and the index of its step there: the
// recorded one, or else the one that is worked on (E8).
func (r *Run) specStep(s *flow.Step) (path string, step *int) {
	path, step = r.Call.Workspace.SpecStep()
	if i := r.Flow.Recorded.SpecStep(s.Index - 1); i >= 0 {
		step = &i
	}
	return path, step
}

// check returns the record of a step that was looked at.
func (r *Run) check(s *flow.Step, kind string, o qa.Outcome) *qa.Check {
	check := &qa.Check{Subject: s.Selector, Selector: s.Selector}
	if a := s.Assertion; a != nil { // as verify_assertion files it
		*check = a.Check(s.Selector)
		check.Held, check.Unchanged = s.HeldBefore, s.Unchanged
	}
	check.Kind, check.Step, check.Source, check.Expects = kind, r.Call.Step, qa.SourceTool, append(slices.Clone(r.Expects), r.Flow.Recorded.Expects(s.Index-1)...)
	check.Take(o)
	return check
}

// conclude files what the flow as a whole proved.
func (r *Run) conclude() error {
	c, res := r.Call, &r.Result
	if err := r.save(); err != nil {
		return err
	}
	pagehealth.Say(c, r.last, r.health)
	if s := res.Failed; s != nil && s.Fault != nil && s.Status == qa.TestFailed {
		if err := r.fileFault(s); err != nil {
			return err
		}
	}
	if res.Flaky {
		if err := c.FileFlaky(r.Subject()+" passes at once", res.Retries); err != nil {
			return err
		}
	}
	if res.Status == qa.Inconclusive {
		code, why := "INCONCLUSIVE", res.Reason
		if res.Failed != nil && res.Failed.Fault != nil {
			code, why = res.Failed.Fault.Code, res.Failed.Fault.Message.Text()
		}
		c.Run.NotExecuted(c.About.Kind, c.About.Subject, c.About.Expected, code, why)
		return nil
	}
	whole := c.About
	whole.Step, whole.Source = c.Step, qa.SourceTool
	o := qa.Outcome{Passed: res.Status == qa.Passed, Expected: whole.Expected, Observed: pagetext.Sprintf("%d of %d steps passed", res.Completed(), len(r.Flow.Steps))}
	if res.Failed != nil {
		o.Facts.Why = pagetext.Sprintf("%s: %s", res.Failed.Name(), res.Reason)
		o.Observed += "; failed: " + o.Facts.Why
		whole.Evidence = res.Failed.Screenshots
	} else if !o.Passed {
		o.Facts.Why = res.Reason
		o.Observed += "; " + res.Reason
	}
	whole.Take(o)
	if whole.Passed {
		for _, s := range res.Steps {
			if s.Outcome != nil && len(s.Outcome.Void) > 0 {
				c.Quote("%s proves nothing: %s", s.Name(), strings.Join(s.Outcome.Void, "; "))
			}
		}
	}
	if !whole.Passed {
		whole.Finding = c.PartFinding()
	}
	_, err := c.AddCheck(whole)
	return err
}

// nearby returns the elements that come closest to the one that was not there, to
// follow a reason.
func nearby(s *flow.Step) pagetext.Text {
	if len(s.Candidates) == 0 {
		return ""
	}
	return "; nearest: " + pagetext.Join(s.Candidates[:min(3, len(s.Candidates))], ", ")
}

// fileFault files a step that the page made impossible: a failed check, and for
// a site that can't be loaded the blocker finding that it is.
func (r *Run) fileFault(s *flow.Step) error {
	kind := s.Action
	if kind == flow.OpenStart {
		kind = "navigate"
	}
	facts := s.Fault.Ended.Facts
	facts.Why += nearby(s)
	check := r.check(s, kind, qa.Outcome{Expected: "done", Observed: s.Reason + nearby(s), Facts: facts})
	check.Subject = cmp.Or(check.Subject, s.Name())
	check.Evidence = s.Screenshots
	if s.Fault.Code == flowpage.DialogShown || s.Fault.Code != string(explain.NavigationFailed) && kind != "navigate" {
		_, err := r.Call.AddCheck(*check)
		return err
	}
	finding := qa.Finding{Severity: qa.Blocker, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Title: qa.LoadFault(browser.ShownURL(s.URL), s.Fault.Ended.Facts), Assertion: pagetext.Text("the site answers: " + s.Name()),
		Expected: "a page with status 2xx", Observed: s.Fault.Message.Text(), Evidence: []qa.EvidenceRef{}}
	if n := len(s.Screenshots); n > 0 {
		finding.Evidence = append(finding.Evidence, qa.EvidenceRef{ScreenshotRef: s.Screenshots[n-1]})
	}
	found, err := r.Call.AddFinding(finding)
	if err != nil {
		return err
	}
	check.Finding = found.ID
	_, err = r.Call.AddCheck(*check)
	return err
}

// storedFlow holds the result of a flow as it is stored; its hash is the answer's
// evidence.
type storedFlow struct {
	Name       string               `json:"name"`
	StartURL   string               `json:"start_url,omitempty"`
	Status     qa.Status            `json:"status"`
	Reason     pagetext.Text        `json:"reason,omitempty"`
	Started    time.Time            `json:"started"`
	DurationMS int64                `json:"duration_ms"`
	Flaky      bool                 `json:"flaky"`
	Watched    string               `json:"watched,omitempty"` // how the page was watched at the end
	Retries    []flow.Retry         `json:"retries,omitempty"`
	Steps      []*flow.Step         `json:"steps"`
	Pictures   []tool.ScreenshotRef `json:"pictures"`
}

// save stores the result.
func (r *Run) save() error {
	res := r.Result
	doc := storedFlow{Name: r.Subject(), StartURL: r.Flow.StartURL, Status: res.Status, Reason: res.Reason, Started: res.Started.UTC(),
		DurationMS: res.Duration.Milliseconds(), Flaky: res.Flaky, Watched: res.Watched, Retries: res.Retries, Steps: res.Steps, Pictures: r.Files.pictures}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("write the flow's result: %w", err)
	}
	r.Record, err = r.Call.Run.SaveFile("flow.json", "application/json", data, r.Call.Step)
	return err
}
