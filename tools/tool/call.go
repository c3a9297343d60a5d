package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/workspace"
)

// Call holds one call of a tool: the run it belongs to, what it says, and what it
// files as evidence.
type Call struct {
	Workspace *workspace.Workspace
	Spec      Spec
	Progress  func(string)
	Run       *evidence.Run
	RunErr    error
	InOwn     bool // it began in the connection's own run
	Step      int
	Started   time.Time
	ended     func() // is called when it has ended

	Input     json.RawMessage // as decoded; goes to the log
	Done      int             // of a call that failed, how many of its parts it has done
	DoneInput json.RawMessage // of a call that does only these
	Hidden    []string        // input fields whose values are kept out of the log
	About     qa.Check        // what a verify tool is about to check: kind, subject, selector, expected
	Session   *browser.Session
	tabs      browser.TabNumbers    // of the session before the call
	void      string                // why a check of it that holds proves nothing
	oneOff    bool                  // the session is for this call only
	opening   *opening              // of an address in such a session; nil: none
	opened    Opened                // how that went
	grouped   bool                  // it is named in the session's trace
	Signing   bool                  // a login flow runs
	Window    browser.Window        // from when requests count
	from      int                   // how many acts the session had seen when its act began; 0: none is under way
	stood     browser.Stood         // what was seen before it
	inert     bool                  // nothing came of it but what the page itself may tell
	Began     *browser.Position     // where its flow began in the session; nil: it runs none
	Defaults  browser.LaunchOptions // of the session that it opens when there is none

	reply
	Shot            *ScreenshotRef
	Strip           []string       // paths of the pictures that are attached beside each other in place of Shot
	ShotBefore      *ScreenshotRef // the page before the call
	shotOfException *ScreenshotRef // the page that threw an exception, for its finding
	fault           string         // id of the first grave finding that an engine had for the call
	Captured        []string       // ids of the baselines that it has captured

	elements []identified // that it acts on, where the workspace wants to know
	Image    []byte
	show     bool // its caller asks for pictures

	tabsListed bool // its answer lists the session's tabs
}

func begin(ws *workspace.Workspace, s Spec, progress func(string)) *Call {
	c := &Call{Workspace: ws, Spec: s, Progress: func(message string) { progress(ws.Mask(message)) }, Started: ws.Now(), About: qa.Check{Kind: s.Name}}
	c.Run, c.RunErr = ws.Run()
	if c.RunErr == nil {
		c.Step = c.Run.NextStep()
		c.InOwn = ws.IsOwn(c.Run)
	}
	c.ended = func() {}
	if !s.Bounds { // run_finish waits for the others
		c.ended = ws.BeginCall(s.Name, c.Run)
	}
	return c
}

// NewCall returns a call that no client has made, within a run of its own; without
// one it files nothing.
func NewCall(ws *workspace.Workspace, s Spec, run *evidence.Run, progress func(string)) *Call {
	c := &Call{Workspace: ws, Spec: s, Run: run, Started: ws.Now(), Progress: progress}
	if run == nil {
		c.RunErr = evidence.ErrFinished
	} else {
		c.Step = run.NextStep()
	}
	return c
}

// Task returns the task of this call's run; the zero task where there is none.
func (c *Call) Task() qa.TaskSpec {
	if c.Run == nil {
		return qa.TaskSpec{}
	}
	return c.Run.Task()
}

// failureShots lists the errors that get a screenshot, because a picture helps
// to explain them.
var failureShots = []string{code.ElementNotFound, code.SelectorAmbiguous, code.NotActionable, code.Timeout, code.NavigationFailed}

// FinishLimit bounds what a call does beyond its deadline: a picture of what was seen
// last, and the end of its session.
const FinishLimit = 2 * time.Second

// finish closes the call: it files what happened and renders the answer.
func (c *Call) finish(ctx context.Context, data any, err error) *mcp.CallToolResult {
	defer c.ended()
	late := ctx.Err() != nil
	ctx, cancel := wait.Grace(ctx, FinishLimit)
	defer cancel()
	if err == nil && c.RunErr != nil {
		err = c.RunErr
	}
	e := envelope{OK: err == nil}
	if err != nil {
		te := c.leaveClosedTab(ctx, engine.AsError(c.Spec.Name, err))
		c.failed(ctx, late, te)
		e.Error = wireError(te)
		if c.Done > 0 {
			e.Elements, e.Done = c.elements, c.Done
		}
	} else {
		e.Data, e.Elements = data, c.elements
	}
	if err == nil {
		c.SayTabClosed(ctx)
	}
	e.Tab = c.sayTab()
	c.opened.say(c)
	if c.RunErr == nil {
		if c.Session != nil {
			c.screenshotOfException(ctx)
			c.FileExceptions(c.Session)
			c.fileDownloads(c.Session)
			c.fileUploads(c.Session)
		}
		c.Log(e.Error)
		c.group(ctx, errorCode(e.Error))
	}
	c.CloseOneOff(ctx)
	c.showPictures(e.Data)
	if c.InOwn {
		defer c.Workspace.Leave()
	}
	e.Screenshot = c.Shot
	if c.Shot != nil {
		c.ownLines = slices.Insert(c.ownLines, min(1, len(c.ownLines)), "screenshot: "+c.Shot.Path)
	}
	return c.result(e, c.text())
}

// leaveClosedTab makes another tab current where the call's own has closed, and says so in its error.
func (c *Call) leaveClosedTab(ctx context.Context, e *engine.Error) *engine.Error {
	if e.Code != code.TabClosed || c.Session == nil {
		return e
	}
	now, err := c.Session.LeaveClosedTab(ctx)
	if err != nil || now == "" {
		return e
	}
	told := *e
	told.Message = pagetext.Sentencef("%s; %s", e.Message, now)
	told.Hint = "look there, and call again if that tab was meant; open:"
	return &told
}

// SayTabClosed makes another tab current where the call's own closed as it ended.
func (c *Call) SayTabClosed(ctx context.Context) {
	if c.Session == nil || c.oneOff {
		return
	}
	closed := c.Session.TabNumbers().Current
	if now, err := c.Session.LeaveClosedTab(ctx); err == nil && now != "" {
		c.Say("tab %d has closed; %s", closed, now)
	}
}

// failed answers why the call could not look, with a picture where it helps, and
// files for a verify tool that it did not look.
func (c *Call) failed(ctx context.Context, late bool, e *engine.Error) {
	c.Say("%s: %s", e.Code, e.Message)
	c.next = e.Hint
	for _, line := range e.Lines("\n  ") {
		c.Quote("%s", line)
	}
	if c.RunErr != nil {
		return
	}
	if c.Spec.Verifies && e.Code != string(explain.InvalidInput) && e.Code != budgetExceeded {
		c.Run.NotExecuted(c.About.Kind, c.About.Subject, c.About.Expected, e.Code, e.Message.Text())
	}
	if c.Session != nil && slices.Contains(failureShots, e.Code) && c.Shot == nil {
		limit := FinishLimit
		if late { // its trace has a share too
			limit /= 2
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if err := c.Shoot(ctx, c.Spec.Name+"-failed", browser.ShotOptions{}); err != nil {
			c.Say("no screenshot: %s", engine.AsError(c.Spec.Name, err).Message)
		}
	}
}

// Log files the call itself (A14).
func (c *Call) Log(e *engine.Error) {
	c.recordCall(e)
	event := evidence.Event{Name: evidence.ToolCalled, Tool: c.Spec.Name, Step: c.Step, DurationMS: atLeastOne(c.Workspace.Now().Sub(c.Started)), Input: c.redacted()}
	event.SpecPath, event.StepIndex = c.Workspace.SpecStep()
	event.ToolOutput = c.loggedAnswer()
	if e != nil {
		event.ErrorCode = e.Code
		event.Error = &evidence.EventError{Code: e.Code, Message: e.Message.Text(), Retriable: e.Retriable}
	}
	if shown := cmp.Or(c.Shot, c.ShotBefore); shown != nil {
		event.Screenshot = shown.Name
	}
	if err := c.Run.Event(event); err != nil && !errors.Is(err, evidence.ErrFinished) {
		c.Say("warning: this call could not be logged: %v", err)
		c.Workspace.Log.Error("log a call", "tool", c.Spec.Name, "err", err)
	}
	if why := c.Run.Refused(); why != "" { // now, and not only when the work is done
		c.Say("warning: this run can't pass, as the log has not taken it in: %s; fix that, and begin again with run_start", why)
	}
}

// maxLoggedAnswer bounds what is logged of an answer's text, in bytes.
const maxLoggedAnswer = 4 << 10

// loggedAnswer returns how the answer's text begins, without secrets: they are masked
// before the cut, which could leave half of one.
func (c *Call) loggedAnswer() pagetext.Text {
	return pagetext.Join(slices.Concat(pagetext.Of(c.own()...), c.page()), "\n").Map(c.Workspace.Mask).CutBytes(maxLoggedAnswer)
}

// redacted returns the input without the values that must not be kept.
func (c *Call) redacted() json.RawMessage {
	if len(c.Hidden) == 0 || len(c.Input) == 0 {
		return c.Input
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(c.Input, &fields); err != nil {
		return json.RawMessage(`"(not shown)"`)
	}
	for _, name := range c.Hidden {
		if _, ok := fields[name]; ok {
			fields[name] = json.RawMessage(`"••••"`)
		}
	}
	return engine.JSON(fields)
}

const budgetExceeded = code.BudgetExceeded

// spend counts the call against the budgets of its run (A9), or refuses it.
func (c *Call) spend() error {
	if c.Run == nil || c.Spec.Unbudgeted { // without a run, finish tells why
		return nil
	}
	return overBudget(c.Run.SpendCall(c.Spec.Name))
}

// IsOverBudget reports whether an error says that a run's budget is spent.
func IsOverBudget(err error) bool {
	var te *engine.Error
	return errors.As(err, &te) && te.Code == budgetExceeded
}

func overBudget(over []qa.Interruption) error {
	if len(over) == 0 {
		return nil
	}
	var words []string
	for _, in := range over {
		words = append(words, in.Subject+": "+string(in.Detail))
	}
	return &engine.Error{Code: budgetExceeded, Message: pagetext.Sentencef("%s", strings.Join(words, "; ")), Hint: "call run_finish: it reports what was done until now"}
}

// errOutOfTime cancels a call when its run's time is spent.
var errOutOfTime = errors.New("maxTimeMs is spent")

// inTime cancels ctx when the run's maxTimeMs is spent. It is a cancellation
// and no deadline: a shorter deadline would make a check give up early and
// count as one that looked for its whole time.
func (c *Call) inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.RunErr != nil || c.Run.Task().Budgets == nil || c.Run.Task().Budgets.MaxTimeMS == 0 || c.Spec.Unbudgeted {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	left := time.Duration(c.Run.Task().Budgets.MaxTimeMS)*time.Millisecond - c.Run.Elapsed()
	timer := time.AfterFunc(left, func() { cancel(errOutOfTime) })
	return ctx, func() { timer.Stop(); cancel(nil) }
}

// cutOff reports a call that was cancelled because its run's time is spent.
func (c *Call) cutOff(ctx context.Context, err error) error {
	if !errors.Is(context.Cause(ctx), errOutOfTime) {
		return err
	}
	c.Run.OutOfTime(c.Spec.Name)
	if err == nil {
		c.Say("the run's maxTimeMs was spent meanwhile: call run_finish")
		return nil
	}
	return &engine.Error{Code: budgetExceeded, Message: pagetext.Sentencef("%s was cut off: maxTimeMs is spent", c.Spec.Name),
		Hint: "call run_finish: it reports what was done until now", Cause: err.Error()}
}

// atLeastOne returns a duration in milliseconds, rounded up: every call took
// some time, and an event of 0 ms would look unmeasured (E5).
func atLeastOne(d time.Duration) int64 {
	return max(1, int64((d+time.Millisecond-1)/time.Millisecond))
}

// maxArgumentName sets how much of an argument's name is logged, in bytes.
const maxArgumentName = 40

// refusedInput stands in the log for arguments that were refused: their names.
// A password may stand in any of them, so no value is written.
func refusedInput(raw []byte) json.RawMessage {
	var args map[string]json.RawMessage
	if err := json.Unmarshal(raw, &args); err != nil {
		return json.RawMessage(`{"refused":[]}`)
	}
	names := schema.SortedKeys(args)
	for i, name := range names {
		names[i] = strings.ToValidUTF8(name[:min(len(name), maxArgumentName)], "")
	}
	return engine.JSON(map[string][]string{"refused": names})
}

// recordCall keeps a call of the run that is open.
func (c *Call) recordCall(e *engine.Error) {
	if c.InOwn || c.Workspace.FromFile {
		return
	}
	made := workspace.RecordedCall{Tool: c.Spec.Name, Repeat: c.Spec.Repeat, Looks: c.Spec.ReadOnly || c.Spec.Verifies, Void: c.void}
	made.PageLeft = e != nil && (e.Code == code.NavigationFailed || e.Code == code.Timeout)
	if c.Session != nil && !c.oneOff {
		made.Session, made.Before, made.After = c.Session.ID(), c.tabs, c.Session.TabNumbers()
	}
	if e != nil && c.Done > 0 {
		done := made
		done.Input = c.DoneInput
		c.Workspace.RecordCall(c.Run, done)
	}
	made.Input, made.Failed = c.redacted(), e != nil
	c.Workspace.RecordCall(c.Run, made)
}

// maxGaps bounds the gaps of a flow that an answer names.
const maxGaps = 3

// FileReproduction stores what repeats the run, and returns in lines how it is kept, what it lacks,
// or why nothing repeats it.
func (c *Call) FileReproduction() (lines []string) {
	made, why, err := c.Workspace.FileReproduction(c.Run)
	switch {
	case err != nil:
		c.Workspace.Log.Warn("file the flow of a run", "run", c.Run.ID(), "err", err)
	case why != "":
		return []string{"it can't be repeated without a client: " + engine.OneLine(why)}
	case made != nil:
		lines = append(lines, "keep it as a flow or a Playwright test: assay export --flow|--playwright "+c.Run.ID())
		gaps := made.Gaps()
		for _, gap := range gaps[:min(maxGaps, len(gaps))] {
			lines = append(lines, "gap in it: "+engine.OneLine(gap))
		}
		if n := len(gaps) - maxGaps; n > 0 {
			lines = append(lines, "and "+text.Count(n, "more gap"))
		}
	}
	return lines
}
