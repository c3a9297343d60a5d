package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/trace"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/workspace"
)

// trace begins the trace of the call's session, unless there is one: in a run
// always (A2), outside of one where the session's launch requested it. Without
// a trace the call goes on, and its run notes that.
func (c *Call) trace(s *browser.Session) {
	if c.RunErr == nil {
		c.Workspace.StartTrace(s, c.Run, c.InOwn)
	}
}

// group names the call in its session's trace, once.
func (c *Call) group(ctx context.Context, code string) {
	if c.Session == nil || c.grouped || !c.Session.Traced() {
		return
	}
	c.grouped = true
	c.Session.MarkTrace(ctx)
	c.Session.TraceGroup(trace.Group{Title: c.title(), From: c.Started, To: c.Workspace.Now(), Error: pagetext.Text(code)})
}

// title returns the call in a few words: the tool, and its element, address or
// key.
func (c *Call) title() string {
	var in struct {
		Selector  string `json:"selector"`
		URL       string `json:"url"`
		StartURL  string `json:"start_url"`
		Key       string `json:"key"`
		Name      string `json:"name"`
		Assertion *struct {
			Type     string `json:"type"`
			Not      bool   `json:"not"`
			Expected string `json:"expected"`
		} `json:"assertion"`
	}
	_ = json.Unmarshal(c.redacted(), &in) // fields of other types are left out
	words := []string{c.Spec.Name}
	if len(c.Input) == 0 {
		words = append(words, c.About.Subject)
	}
	for _, word := range []string{in.Selector, in.URL, in.StartURL, in.Key, in.Name} {
		if word != "" {
			words = append(words, word)
		}
	}
	if a := in.Assertion; a != nil {
		if a.Not {
			words = append(words, "not")
		}
		words = append(words, a.Type, a.Expected)
	}
	return strings.TrimSpace(engine.OneLine(strings.Join(words, " ")))
}

// FileTrace ends the trace of a session that is about to be closed and returns
// the files that it became.
func (c *Call) FileTrace(ctx context.Context, s *browser.Session) ([]string, error) {
	if c.RunErr != nil {
		return nil, c.RunErr
	}
	c.group(ctx, "")
	before := c.Run.Artifacts()
	c.Workspace.StopTrace(ctx, s, c.Run, c.Step)
	c.Workspace.AwaitTraces(ctx, c.Run)
	var names []string
	for _, a := range c.Run.Artifacts()[len(before):] {
		if a.MIMEType == workspace.TraceMIME && a.Step == c.Step {
			names = append(names, a.Name)
		}
	}
	return names, nil
}

func errorCode(e *engine.Error) string {
	if e == nil {
		return ""
	}
	return e.Code
}

// SessionFor returns the session to act on. With none open and none named it
// opens a default one, and notes that in the answer.
func (c *Call) SessionFor(ctx context.Context, id string) (*browser.Session, error) {
	s, err := c.findSession(ctx, id)
	c.SetSession(s)
	c.screenshotBeforeTool(ctx)
	return s, err
}

// findSession returns the session named, or else the default one. Calls that come side
// by side open one between them, and each waits until it is signed in.
func (c *Call) findSession(ctx context.Context, id string) (*browser.Session, error) {
	if id != "" {
		return c.Workspace.Session(id)
	}
	release, err := c.Workspace.HoldDefault(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := c.Workspace.Session("")
	if err != nil && len(c.Workspace.SharedSessionIDs()) == 0 {
		c.Progress("starting the browser")
		s, err = c.Launch(ctx, c.Defaults)
		if err == nil {
			c.Say("opened session %s (%s)", s.ID(), s.Info().Browser)
		}
	}
	return s, err
}

// SetSession makes s the session of this call.
func (c *Call) SetSession(s *browser.Session) {
	c.Session = s
	if s != nil {
		c.tabs = s.TabNumbers()
		c.noteUse(s)
		c.trace(s)
	}
}

// OpenAddress loads an address in a session for this call only, which is closed when
// the call is over. Where a transient fault ends that, it starts over in another such
// session. All attempts together have the time-out; 0: each has the pool's, and all the
// call's. The error is that of the last attempt; without a session it says why none could
// be opened.
func (c *Call) OpenAddress(ctx context.Context, url string, timeout time.Duration) (*browser.Session, browser.Navigation, error) {
	if c.opening == nil {
		attempts := flow.Attempts{Retries: flow.MaxRetries, Clock: Clock{Workspace: c.Workspace}}
		attempts.Deadline, _ = ctx.Deadline()
		c.opening = &opening{call: c, url: url, timeout: timeout, attempts: attempts}
	}
	return c.opening.run(ctx)
}

// LookAgain reports whether a call that has ended with err looks once more: it opened
// its address, and has lost its browser or its page before anything was filed.
func (c *Call) LookAgain(ctx context.Context, err error) bool {
	if err == nil || c.opening == nil {
		return false
	}
	fault := flowpage.Fault(err, false)
	if !fault.Lost || !c.opening.unfiled() {
		return false
	}
	again, ending := c.opening.next(ctx, fault)
	if !again || ending != nil { // what ended the attempt stands
		return false
	}
	c.reply, c.Shot, c.Strip, c.Image = reply{}, nil, nil, nil
	return true
}

// openOneOff opens a session for this call only, to load an address in
// isolation. It is closed when the call is over.
func (c *Call) openOneOff(ctx context.Context, url string) (*browser.Session, error) {
	if err := browser.CheckURL(url); err != nil {
		return nil, err
	}
	s, err := c.Launch(ctx, browser.LaunchOptions{OneCall: true})
	if err != nil {
		return nil, err
	}
	c.oneOff = true
	c.SetSession(s)
	return s, nil
}

// OpenOneOffAs opens a session for this call only, signed in as a role of the
// environment, which has loaded nothing yet.
func (c *Call) OpenOneOffAs(ctx context.Context, role string) (*browser.Session, error) {
	s, err := c.SignedIn(ctx, role, browser.LaunchOptions{OneCall: true})
	if err != nil {
		return nil, err
	}
	c.oneOff = true
	c.SetSession(s)
	return s, nil
}

// SessionAt returns the session to look at: the open one, or, for an address, a fresh
// one that has loaded it. fault says why the site could not be looked at by a
// fault of its own; it is filed already.
func (c *Call) SessionAt(ctx context.Context, id, url string) (s *browser.Session, fault pagetext.Sentence, err error) {
	if url == "" {
		s, err = c.SessionFor(ctx, id)
		return s, "", err
	}
	if id != "" {
		return nil, "", engine.InvalidInput("leave one of them out: url opens a context of its own", "url and session_id exclude each other")
	}
	if url, err = c.Workspace.Address(url); err != nil {
		return nil, "", err
	}
	s, nav, err := c.OpenAddress(ctx, url, 0)
	if s == nil {
		return nil, "", err
	}
	fault, facts := SiteFault(ctx, nav, err)
	if fault == "" {
		return s, "", err
	}
	return s, fault, c.FileSiteDown(ctx, url, fault, facts)
}

// closeLimit bounds the end of a session: its trace is stopped, and it is closed.
const closeLimit = 8 * time.Second

// Closing returns the context of the end of a session that a call opened for a part of it.
func Closing(ctx context.Context) (context.Context, context.CancelFunc) {
	grace, end := wait.Grace(ctx, FinishLimit)
	bound, cancel := context.WithTimeout(grace, closeLimit)
	return bound, func() { cancel(); end() }
}

// CloseOneOff ends the session of this call. Whoever may have been cut off gives a context
// of clean-up. Its evidence is filed by now, so
// a failure is worth a word in the log and no more.
func (c *Call) CloseOneOff(ctx context.Context) {
	if !c.oneOff {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, closeLimit)
	defer cancel()
	c.EndDownloads(c.Session)
	c.KeepTraffic(c.Session)
	c.group(ctx, "")
	c.Workspace.StopTrace(ctx, c.Session, c.Run, c.Step)
	if err := c.Session.Close(ctx); err != nil {
		c.Workspace.Log.Warn("close a one-off session", "err", err)
	}
}

// Opened returns what the answer holds of opening the address. A look that passed, but
// not at the first attempt, is filed as flaky.
func (c *Call) Opened(passed bool) (Opened, error) {
	c.opened.Flaky = passed && len(c.opened.Retries) > 0
	if !c.opened.Flaky {
		return c.opened, nil
	}
	return c.opened, c.FileFlaky(c.opened.Retries[0].Step+" succeeds at once", c.opened.Retries)
}

// Tries returns in words how often the address was opened, if that was more than once.
func (c *Call) Tries() string {
	if c.opened.Attempts < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d attempts)", c.opened.Attempts)
}

// noteUse records which session the call used, and for which run.
func (c *Call) noteUse(s *browser.Session) {
	c.Workspace.NoteBrowser(s.Info())
	if c.RunErr == nil {
		c.Workspace.NoteUse(s.ID(), c.Run.ID())
	}
}

// StartIn returns where the call's flow, or else its run, began in a session.
func (c *Call) StartIn(s *browser.Session) browser.Position {
	if c.Began != nil {
		return *c.Began
	}
	if c.InOwn || c.oneOff {
		return browser.Position{}
	}
	return c.Workspace.StartOf(s)
}

// identified holds what an acting call was about, for whoever compiles the call
// into a step that finds the same element again.
type identified struct {
	Action int `json:"action"` // of a batch, from 0
	browser.Identity
}

// Identify records, ahead of an action, what element it is about. Its errors
// are those that the action would have had.
func (c *Call) Identify(ctx context.Context, s *browser.Session, selector string, timeout schema.Millis) error {
	if selector == "" && c.Workspace.Identify {
		return c.identifyFocus(ctx, s, 0)
	}
	return c.IdentifyField(ctx, s, 0, selector, timeout)
}

// IdentifyField records the element of the i-th field that a call fills, as Identify does.
func (c *Call) IdentifyField(ctx context.Context, s *browser.Session, i int, selector string, timeout schema.Millis) error {
	if !c.Workspace.Identify {
		return nil
	}
	id, err := s.Identify(ctx, c.Spec.Name, selector, timeout.Duration())
	if err != nil {
		return err
	}
	c.elements = append(c.elements, identified{i, id})
	return nil
}

// identifyFocus records what a key or a typed text goes to. Nothing may have
// the focus.
func (c *Call) identifyFocus(ctx context.Context, s *browser.Session, action int) error {
	id, ok, err := s.IdentifyFocus(ctx)
	if err == nil && ok {
		c.elements = append(c.elements, identified{action, id})
	}
	return err
}

// IdentifyInput records the element of the i-th action of computer_action, as
// Identify does for other calls.
func (c *Call) IdentifyInput(ctx context.Context, s *browser.Session, i int, in input.Step) error {
	switch {
	case !c.Workspace.Identify:
		return nil
	case in.Selector != "" && in.Action != "wait" && in.Action != "scroll":
		id, err := s.Identify(ctx, "computer_action "+in.Action, in.Selector, 0)
		if err == nil {
			c.elements = append(c.elements, identified{i, id})
		}
		return err
	case in.Action == "type" || in.Action == "hotkey":
		return c.identifyFocus(ctx, s, i)
	case in.At == nil || slices.Contains([]string{"move", "scroll", "wait"}, in.Action):
		return nil
	}
	id, ok, err := s.IdentifyAt(ctx, *in.At)
	if err == nil && ok {
		c.elements = append(c.elements, identified{i, id})
	}
	return err
}

// KeepTraffic records what a session that is about to end has sent, for the
// report of the call's run.
func (c *Call) KeepTraffic(s *browser.Session) {
	if c.RunErr == nil {
		c.Workspace.KeepTraffic(c.Run.ID(), s.Traffic(time.Time{}))
	}
}
