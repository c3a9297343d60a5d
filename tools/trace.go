package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/trace"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Bounds on what a trace may cost.
const (
	traceStart = 3 * time.Second         // of a session, before its first call in a run
	traceStop  = 6 * time.Second         // of a session, when its run is finished
	tracePack  = 30 * time.Second        // of all traces of a run
	traceLast  = 600 * time.Millisecond  // of everything, when the client is gone
	traceFile  = "trace.zip"             // trace-2.zip for the second session
	traceMIME  = "application/zip"       // opens with: npx playwright show-trace
	traceHolds = "the trace is complete" // what a finding about one says
)

// trace begins the trace of the call's session, unless there is one: in a run
// always (A2), outside of one where the session's launch asked for it. Without
// a trace the call goes on; its run says so.
func (c *call) trace(s *browser.Session) {
	if c.runErr == nil {
		c.desk.startTrace(s, c.run, c.inOwn)
	}
}

// requestTrace remembers what a session's launch said of a trace.
func (d *Desk) requestTrace(session string, wanted *bool) { d.tracing.request(session, wanted) }

// startTrace begins the trace of a session that a run uses, unless there is one.
func (d *Desk) startTrace(s *browser.Session, run *evidence.Run, own bool) {
	wanted, said := d.tracing.requested(s.ID())
	if !said {
		wanted = d.Trace && !own
	}
	if !wanted || s.Traced() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), traceStart)
	defer cancel()
	if err := s.StartTrace(ctx); err != nil && d.tracing.firstUse(run.ID(), s.ID()) { // the next call tries again
		d.traceNote(run, "session "+s.ID()+" is not traced: "+engine.AsError("trace", err).Message)
	}
}

// group names the call in its session's trace, once.
func (c *call) group(ctx context.Context, code string) {
	if c.session == nil || c.grouped || !c.session.Traced() {
		return
	}
	c.grouped = true
	c.session.MarkTrace(ctx)
	c.session.TraceGroup(trace.Group{Title: c.title(), From: c.started, To: c.desk.Now(), Error: code})
}

// group names a step of a flow in its session's trace.
func (r *flowRun) group(s *flow.Step) {
	from, to := r.stepped, r.c.desk.Now()
	r.stepped = to
	if r.c.session == nil {
		return
	}
	g := trace.Group{Title: engine.OneLine(s.Name()), From: from, To: to}
	if s.Status != qa.TestPassed {
		g.Error = cmp.Or(s.Reason, string(s.Status))
	}
	r.c.session.TraceGroup(g)
}

// title returns the call in a few words: the tool, and what it is about.
func (c *call) title() string {
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
	_ = json.Unmarshal(c.redacted(), &in) // what has other types says nothing here
	words := []string{c.spec.name}
	if len(c.input) == 0 {
		words = append(words, c.about.Subject)
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

// stopTrace ends the trace of a session and begins to store it in a run, with
// what was left out of it. The session may be closed after that.
func (d *Desk) stopTrace(ctx context.Context, s *browser.Session, run *evidence.Run, step int) {
	if !s.Traced() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceStop)
	defer cancel()
	trace, err := s.StopTrace(ctx)
	if err != nil {
		d.traceNote(run, "the trace of session "+s.ID()+" could not be had: "+engine.AsError("trace", err).Message)
		return
	}
	for _, note := range trace.Notes {
		d.traceNote(run, "session "+s.ID()+": "+note)
	}
	for _, part := range trace.Parts {
		d.tracing.pack(run.ID(), func() { d.storeTrace(part, run, step) })
	}
}

// storeTrace packs one part and files it.
func (d *Desk) storeTrace(part *trace.Part, run *evidence.Run, step int) {
	_, err := run.SaveStream(traceFile, traceMIME, step, func(w io.Writer) error {
		return part.Pack(w, d.maskFile)
	})
	if err != nil {
		d.traceNote(run, "a trace could not be stored: "+d.mask(err.Error()))
	}
	if err := part.Discard(); err != nil {
		d.Log.Warn("remove a stored trace's files", "err", err)
	}
}

// traceNote tells what is missing of a run's traces. It is no fault of the
// thing under test, and the checks hold without: the verdict stays.
func (d *Desk) traceNote(run *evidence.Run, text string) {
	d.Log.Warn("trace", "run", run.ID(), "note", text)
	_, err := run.AddFinding(qa.Finding{Severity: qa.Info, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Assertion: traceHolds, Expected: "all that the sessions did", Observed: text, Evidence: []qa.EvidenceRef{}})
	if err != nil && !errors.Is(err, evidence.ErrFinished) {
		d.Log.Warn("file a note on a trace", "run", run.ID(), "err", err)
	}
}

// fileTraces ends the traces of the open sessions, and waits until all of the
// run's are stored, for a bounded time.
func (d *Desk) fileTraces(ctx context.Context, run *evidence.Run) {
	d.stopTraces(ctx, run)
	d.endTraces(ctx, run)
}

// stopTraces ends the traces of the open sessions and begins to store them.
func (d *Desk) stopTraces(ctx context.Context, run *evidence.Run) {
	var stopping sync.WaitGroup
	for _, id := range d.sessionIDs() {
		if s, err := d.session(id); err == nil { // it may be closed meanwhile
			stopping.Go(func() { d.stopTrace(ctx, s, run, 0) })
		}
	}
	stopping.Wait()
}

// endTraces waits until the traces of a run that ends are stored.
func (d *Desk) endTraces(ctx context.Context, run *evidence.Run) {
	d.awaitTraces(ctx, run)
	d.tracing.forget(run.ID(), d.sessionIDs)
}

// awaitTraces waits until the traces of a run are stored.
func (d *Desk) awaitTraces(ctx context.Context, run *evidence.Run) {
	timer := time.NewTimer(tracePack)
	defer timer.Stop()
	select {
	case <-d.tracing.packed(run.ID()):
	case <-timer.C:
		d.traceNote(run, "a trace was not packed in "+tracePack.String()+" and is left out")
	case <-ctx.Done():
		d.traceNote(run, "a trace was not packed before the run was finished, and is left out")
	}
}

// fileLeftTraces stores the traces of the run that a client left open, in the short
// time before browser and driver go.
func (d *Desk) fileLeftTraces() {
	d.mu.Lock()
	run := d.started
	d.mu.Unlock()
	if run == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), traceLast)
	defer cancel()
	d.fileTraces(ctx, run)
}

// fileTrace ends the trace of a session that is about to be closed and returns
// the files that it became.
func (c *call) fileTrace(ctx context.Context, s *browser.Session) ([]string, error) {
	if c.runErr != nil {
		return nil, c.runErr
	}
	c.group(ctx, "")
	before := c.run.Artifacts()
	c.desk.stopTrace(ctx, s, c.run, c.step)
	c.desk.awaitTraces(ctx, c.run)
	var names []string
	for _, a := range c.run.Artifacts()[len(before):] {
		if a.MIMEType == traceMIME && a.Step == c.step {
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
