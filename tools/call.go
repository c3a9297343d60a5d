package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/visual"
)

// call holds one call of a tool: the run it belongs to, what it says, and what it
// files as evidence.
type call struct {
	desk     *Desk
	spec     spec
	progress func(string)
	run      *evidence.Run
	runErr   error
	inOwn    bool // it began in the connection's own run
	step     int
	started  time.Time

	input    json.RawMessage // as decoded; goes to the log
	hidden   []string        // input fields whose values are kept out of the log
	about    qa.Check        // what a verify tool is about to check: kind, subject, selector, expected
	session  *browser.Session
	oneOff   bool                  // the session is for this call only
	grouped  bool                  // it is named in the session's trace
	signing  bool                  // a login flow runs
	window   browser.Window        // since when requests are asked about
	began    *browser.Position     // where its flow began in the session; nil: it runs none
	defaults browser.LaunchOptions // of the session that it opens when there is none

	reply
	shot       *ScreenshotRef
	shotBefore *ScreenshotRef // the page before the call, see optional_screenshots.go
	captured   []string       // ids of the baselines that it has captured

	elements []identified // that it acts on, where the desk wants to know
	image    []byte
}

func (d *Desk) begin(s spec, progress func(string)) *call {
	c := &call{desk: d, spec: s, progress: func(message string) { progress(d.mask(message)) }, started: d.Now(), about: qa.Check{Kind: s.name}}
	c.run, c.runErr = d.run()
	if c.runErr == nil {
		c.step = c.run.NextStep()
		c.inOwn = d.isOwn(c.run)
	}
	d.running.begin(c)
	return c
}

// task returns the task of this call's run; the zero task where there is none.
func (c *call) task() qa.TaskSpec {
	if c.run == nil {
		return qa.TaskSpec{}
	}
	return c.run.Task()
}

// say adds a line in the server's own words. Page text goes to quote.
func (c *call) say(format string, args ...any) {
	c.ownLines = append(c.ownLines, fmt.Sprintf(format, args...))
}

// quote adds a line of page text, which is printed between marks.
func (c *call) quote(format string, args ...any) {
	c.pageLines = append(c.pageLines, fmt.Sprintf(format, args...))
}

// sessionFor returns the session to act on. With none open and none named it opens a
// default one and says so.
func (c *call) sessionFor(ctx context.Context, id string) (*browser.Session, error) {
	s, err := c.desk.session(id)
	if err != nil && id == "" && len(c.desk.sessionIDs()) == 0 {
		c.progress("starting the browser")
		s, err = c.launch(ctx, c.defaults)
		if err == nil {
			c.say("opened session %s (%s)", s.ID(), s.Info().Browser)
		}
	}
	c.setSession(s)
	c.screenshotBeforeTool(ctx)
	return s, err
}

// setSession makes s the session of this call.
func (c *call) setSession(s *browser.Session) {
	c.session = s
	if s != nil {
		c.noteUse(s)
		c.trace(s)
	}
}

// openOneOff opens a session for this call only, for an address that is to be
// looked at apart from everything else. It is closed when the call is over.
func (c *call) openOneOff(ctx context.Context, url string) (*browser.Session, error) {
	if err := browser.CheckURL(url); err != nil {
		return nil, err
	}
	s, err := c.launch(ctx, browser.LaunchOptions{})
	if err != nil {
		return nil, err
	}
	c.oneOff = true
	c.setSession(s)
	return s, nil
}

// sessionAt returns the session to look at: the open one, or, for an address, a fresh
// one that has loaded it. fault says why the site could not be looked at by a
// fault of its own; it is filed already.
func (c *call) sessionAt(ctx context.Context, id, url string) (s *browser.Session, fault string, err error) {
	if url == "" {
		s, err = c.sessionFor(ctx, id)
		return s, "", err
	}
	if id != "" {
		return nil, "", engine.InvalidInput("leave one of them out: url opens a context of its own", "url and session_id exclude each other")
	}
	if url, err = c.desk.address(url); err != nil {
		return nil, "", err
	}
	if s, err = c.openOneOff(ctx, url); err != nil {
		return nil, "", err
	}
	nav, err := c.navigate(ctx, s, url, "load", 0)
	fault = siteFault(nav, err)
	if fault == "" {
		return s, "", err
	}
	return s, fault, c.fileSiteDown(ctx, url, fault)
}

// closeOneOff ends the session of this call. Its evidence is filed by now, so
// a failure is worth a word in the log and no more.
func (c *call) closeOneOff(ctx context.Context) {
	if !c.oneOff {
		return
	}
	c.endDownloads(c.session)
	c.keepTraffic(c.session)
	c.group(ctx, "")
	c.desk.stopTrace(ctx, c.session, c.run, c.step)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := c.session.Close(ctx); err != nil {
		c.desk.Log.Warn("close a one-off session", "err", err)
	}
}

// shoot takes a picture and files it in the run.
func (c *call) shoot(ctx context.Context, name string, o browser.ShotOptions) error {
	if c.runErr != nil {
		return c.runErr
	}
	if err := c.spendPicture(name); err != nil {
		return err
	}
	shot, err := c.session.Screenshot(ctx, o)
	if err != nil {
		c.run.ReturnPicture()
		return err
	}
	ref, err := c.keep(name, shot.Data)
	if err != nil {
		c.run.ReturnPicture()
		return err
	}
	c.shot = ref
	return nil
}

// keep stores a picture in the run.
func (c *call) keep(name string, data []byte) (*ScreenshotRef, error) {
	return keepPicture(c.run, name, data, c.step)
}

// keepPicture stores a picture in a run, as a step's.
func keepPicture(run *evidence.Run, name string, data []byte, step int) (*ScreenshotRef, error) {
	w, h, err := visual.Size(data)
	if err != nil {
		return nil, &engine.Error{Code: string(browser.ImageInvalid), Message: "the browser returned no picture: " + err.Error(), Retriable: true}
	}
	artifact, err := run.SaveScreenshot(name, data, w, h, step)
	if err != nil {
		return nil, err
	}
	return screenshotRef(run, artifact), nil
}

// screenshotRef points at a picture that a run has stored.
func screenshotRef(run *evidence.Run, a qa.Artifact) *ScreenshotRef {
	return &ScreenshotRef{
		URI: ArtifactURI(run.ID(), a.Name), Name: filepath.Base(a.Name), Path: filepath.Join(run.Dir(), filepath.FromSlash(a.Name)),
		SHA256: a.SHA256, MIMEType: a.MIMEType, Width: a.Width, Height: a.Height,
	}
}

// check files what c.about was about as executed, with its outcome.
func (c *call) check(o qa.Outcome) (qa.Check, error) {
	if c.runErr != nil {
		return qa.Check{}, c.runErr
	}
	check := c.about
	check.Step, check.Source = c.step, qa.SourceTool
	check.Expected, check.Observed, check.Passed, check.Void = o.Expected, o.Observed, o.Passed, o.Void
	if c.shot != nil {
		check.Evidence = []string{c.shot.Name}
	}
	filed, err := c.addCheck(check)
	if err == nil {
		c.sayVoid(filed)
		c.sayUnmetDemand(filed)
	}
	return filed, err
}

// failureShots are the errors of which a picture tells more.
var failureShots = []string{code.ElementNotFound, code.SelectorAmbiguous, code.NotActionable, code.Timeout, code.NavigationFailed}

// finish closes the call: it files what happened and renders the answer.
func (c *call) finish(ctx context.Context, data any, err error) *mcp.CallToolResult {
	defer c.desk.running.end(c)
	if err == nil && c.runErr != nil {
		err = c.runErr
	}
	e := envelope{OK: err == nil}
	if err != nil {
		te := engine.AsError(c.spec.name, err)
		c.failed(ctx, te)
		e.Error = wireError(te)
	} else {
		e.Data, e.Elements = data, c.elements
	}
	if c.runErr == nil {
		if c.session != nil {
			c.fileExceptions(c.session)
			c.fileDownloads(c.session)
		}
		c.log(e.Error)
		c.group(ctx, errorCode(e.Error))
	}
	c.closeOneOff(ctx)
	if c.inOwn {
		defer c.desk.leave()
	}
	e.Screenshot = c.shot
	if c.shot != nil {
		c.ownLines = slices.Insert(c.ownLines, min(1, len(c.ownLines)), "screenshot: "+c.shot.Path)
	}
	return c.result(e, c.text())
}

// failed tells why the call could not look, with a picture where it helps, and
// files for a verify tool that it did not look.
func (c *call) failed(ctx context.Context, e *engine.Error) {
	c.say("%s: %s", e.Code, e.Message)
	if e.Hint != "" {
		c.say("next: %s", e.Hint)
	}
	for _, line := range e.Page {
		c.quote("%s", line)
	}
	if c.runErr != nil {
		return
	}
	if c.spec.verifies && e.Code != string(browser.InvalidInput) && e.Code != budgetExceeded {
		c.run.NotExecuted(c.about.Kind, c.about.Subject, c.about.Expected, e.Code, e.Message)
	}
	if c.session != nil && slices.Contains(failureShots, e.Code) && c.shot == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if err := c.shoot(ctx, c.spec.name+"-failed", browser.ShotOptions{}); err != nil {
			c.say("no screenshot: %s", engine.AsError(c.spec.name, err).Message)
		}
	}
}

// fileAllExceptions files what the pages of all open sessions have thrown since
// they were last looked at.
func (c *call) fileAllExceptions() {
	for _, id := range c.desk.sessionIDs() {
		if s, err := c.desk.session(id); err == nil { // it may be closed meanwhile
			c.fileExceptions(s)
		}
	}
}

// log files the call itself (A14).
func (c *call) log(e *engine.Error) {
	c.recordCall(e)
	event := evidence.Event{Name: evidence.ToolCalled, Tool: c.spec.name, Step: c.step, DurationMS: atLeastOne(c.desk.Now().Sub(c.started)), Input: c.redacted()}
	if e != nil {
		event.ErrorCode = e.Code
	}
	if shown := cmp.Or(c.shot, c.shotBefore); shown != nil {
		event.Screenshot = shown.Name
	}
	if err := c.run.Event(event); err != nil && !errors.Is(err, evidence.ErrFinished) {
		c.say("warning: this call could not be logged: %v", err)
		c.desk.Log.Error("log a call", "tool", c.spec.name, "err", err)
	}
	if why := c.run.Refused(); why != "" { // now, and not only when the work is done
		c.say("warning: this run can't pass, as the log has not taken it in: %s; fix that, and begin again with run_start", why)
	}
}

// redacted returns the input without the values that must not be kept.
func (c *call) redacted() json.RawMessage {
	if len(c.hidden) == 0 || len(c.input) == 0 {
		return c.input
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(c.input, &fields); err != nil {
		return json.RawMessage(`"(not shown)"`)
	}
	for _, name := range c.hidden {
		if _, ok := fields[name]; ok {
			fields[name] = json.RawMessage(`"••••"`)
		}
	}
	return engine.JSON(fields)
}

// ArtifactURI returns the resource address of a stored file of a run.
func ArtifactURI(runID, name string) string {
	return "assay://runs/" + runID + "/artifacts/" + filepath.Base(name)
}

// ReportURI returns the resource address of a run's report in a format such as json.
func ReportURI(runID, format string) string {
	return "assay://runs/" + runID + "/report." + format
}
