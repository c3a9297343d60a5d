package workspace

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/trace"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
)

// Bounds on what a trace may cost.
const (
	traceStart = 3 * time.Second         // of a session, before its first call in a run
	traceStop  = 6 * time.Second         // of a session, when its run is finished
	tracePack  = 30 * time.Second        // of all traces of a run
	traceLast  = 600 * time.Millisecond  // of everything, when the client is gone
	traceFile  = "trace.zip"             // trace-2.zip for the second session
	TraceMIME  = "application/zip"       // opens with: npx playwright show-trace
	traceHolds = "the trace is complete" // what a finding about one says
)

// RequestTrace records what a session's launch said of a trace.
func (ws *Workspace) RequestTrace(session string, wanted *bool) { ws.tracing.request(session, wanted) }

// StartTrace begins the trace of a session that a run uses, unless there is one.
func (ws *Workspace) StartTrace(s *browser.Session, run *evidence.Run, own bool) {
	wanted, said := ws.tracing.requested(s.ID())
	if !said {
		wanted = ws.Trace && !own
	}
	if !wanted || s.Traced() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), traceStart)
	defer cancel()
	if err := s.StartTrace(ctx); err != nil && ws.tracing.firstUse(run.ID(), s.ID()) { // the next call tries again
		ws.traceNote(run, pagetext.Sentencef("session %s is not traced: %s", s.ID(), engine.AsError("trace", err).Message).Text())
	}
}

// StopTrace ends the trace of a session and begins to store it in a run, with
// what was left out of it. The session may be closed after that. Whoever may have
// been cut off gives a context of clean-up.
func (ws *Workspace) StopTrace(ctx context.Context, s *browser.Session, run *evidence.Run, step int) {
	if !s.Traced() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, traceStop)
	defer cancel()
	trace, err := s.StopTrace(ctx)
	if err != nil {
		ws.traceNote(run, pagetext.Sentencef("the trace of session %s could not be had: %s", s.ID(), engine.AsError("trace", err).Message).Text())
		return
	}
	for _, note := range trace.Notes {
		ws.traceNote(run, pagetext.Text("session "+s.ID()+": "+note))
	}
	for _, part := range trace.Parts {
		ws.tracing.pack(run.ID(), func() { ws.storeTrace(part, run, step) })
	}
}

// storeTrace packs one part and files it.
func (ws *Workspace) storeTrace(part *trace.Part, run *evidence.Run, step int) {
	_, err := run.SaveStream(traceFile, TraceMIME, step, func(w io.Writer) error {
		return part.Pack(w, ws.MaskFile)
	})
	if err != nil {
		ws.traceNote(run, pagetext.Text("a trace could not be stored: "+ws.Mask(err.Error())))
	}
	if err := part.Discard(); err != nil {
		ws.Log.Warn("remove a stored trace's files", "err", err)
	}
}

// traceNote returns what is missing of a run's traces. It is no fault of the
// thing under test, and the checks hold without: the verdict stays.
func (ws *Workspace) traceNote(run *evidence.Run, text pagetext.Text) {
	ws.Log.Warn("trace", "run", run.ID(), "note", text)
	_, err := run.AddFinding(qa.Finding{Severity: qa.Info, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Title: "The trace is not complete: " + text, Assertion: traceHolds, Expected: "all that the sessions did", Observed: text, Evidence: []qa.EvidenceRef{}})
	if err != nil && !errors.Is(err, evidence.ErrFinished) {
		ws.Log.Warn("file a note on a trace", "run", run.ID(), "err", err)
	}
}

// fileTraces ends the traces of the open sessions, and waits until all of the
// run's are stored, for a bounded time.
func (ws *Workspace) fileTraces(ctx context.Context, run *evidence.Run) {
	ws.StopTraces(ctx, run)
	ws.EndTraces(ctx, run)
}

// StopTraces ends the traces of the open sessions and begins to store them.
func (ws *Workspace) StopTraces(ctx context.Context, run *evidence.Run) {
	ctx, cancel := wait.CleanUp(ctx, traceStop)
	defer cancel()
	var stopping sync.WaitGroup
	for _, id := range ws.SessionIDs() {
		if s, err := ws.Session(id); err == nil { // it may be closed meanwhile
			stopping.Go(func() { ws.StopTrace(ctx, s, run, 0) })
		}
	}
	stopping.Wait()
}

// EndTraces waits until the traces of a run that ends are stored.
func (ws *Workspace) EndTraces(ctx context.Context, run *evidence.Run) {
	ws.AwaitTraces(ctx, run)
	ws.tracing.forget(run.ID(), ws.SessionIDs)
}

// AwaitTraces waits until the traces of a run are stored.
func (ws *Workspace) AwaitTraces(ctx context.Context, run *evidence.Run) {
	err := rest.Until(ctx, nil, rest.Policy{Limit: tracePack, Events: []rest.Event{{Of: ws.tracing.packed(run.ID())}}})
	switch {
	case errors.Is(err, rest.ErrLimit):
		ws.traceNote(run, pagetext.Text("a trace was not packed in "+tracePack.String()+" and is left out"))
	case err != nil:
		ws.traceNote(run, "a trace was not packed before the run was finished, and is left out")
	}
}

// fileLeftTraces stores the traces of the run that a client left open, in the short
// time before browser and driver go.
func (ws *Workspace) fileLeftTraces() {
	ws.mu.Lock()
	run := ws.started
	ws.mu.Unlock()
	if run == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), traceLast)
	defer cancel()
	ws.fileTraces(ctx, run)
}
