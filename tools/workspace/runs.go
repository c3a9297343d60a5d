package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
)

// Recorder returns the recorder of this workspace's runs.
func (ws *Workspace) Recorder() Recorder { return Recorder{ws} }

// RecordCall keeps a call of a run, if it is the one that is open.
func (ws *Workspace) RecordCall(run *evidence.Run, made RecordedCall) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.started == run && len(ws.recordedCalls) <= MaxRepeated {
		ws.recordedCalls = append(ws.recordedCalls, made)
	}
}

// ForgetRecordedCalls begins anew: a run has been opened.
func (ws *Workspace) ForgetRecordedCalls() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.recordedCalls = nil
}

// FileReproduction stores the flow that makes the calls of a run again, and returns it. why says why no
// flow does; both are empty where a command runs the task again.
func (ws *Workspace) FileReproduction(r *evidence.Run) (made *flow.Flow, why string, err error) {
	ws.mu.Lock()
	calls := ws.recordedCalls
	ws.recordedCalls = nil
	ws.mu.Unlock()
	if ws.FromFile {
		return nil, "", nil
	}
	f, err := FlowFromCalls(r.Task(), ws.Target.BaseURL, calls)
	if err != nil {
		return nil, err.Error(), nil //nolint:nilerr // it is reported, and no fault of the run
	}
	text, err := f.JSON()
	if err != nil {
		return nil, "", fmt.Errorf("encode the flow: %w", err)
	}
	_, err = r.SaveFile(qa.RepeatFlow, "application/json", text, 0)
	return &f, "", err
}

// awaitCallsLimit bounds how long run_finish waits for calls of its run that have
// not ended.
const awaitCallsLimit = 2 * time.Second

// BeginCall notes that a call has begun. The caller runs end when it has ended. A
// call of run_start or run_finish is not noted: it waits for the others.
func (ws *Workspace) BeginCall(tool string, r *evidence.Run) (end func()) {
	c := &runningCall{tool, r}
	ws.running.begin(c)
	return func() { ws.running.end(c) }
}

// AwaitCalls waits for the calls of a run that is about to be finished. What does not
// end in time can't be in the report, which must not look as if it were; AwaitCalls
// reports whether all have ended.
func (ws *Workspace) AwaitCalls(ctx context.Context, r *evidence.Run) bool {
	bound, cancel := context.WithTimeout(ctx, awaitCallsLimit)
	defer cancel()
	for {
		tools, changed := ws.running.of(r)
		if len(tools) == 0 {
			return true
		}
		if rest.Until(bound, nil, rest.Policy{Events: []rest.Event{{Of: changed}}}) != nil {
			r.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: strings.Join(tools, ", "),
				Detail: pagetext.Text("still running " + awaitCallsLimit.String() + " after run_finish was called: its outcome is not in this report")})
			return false
		}
	}
}

// Run returns the run that a call belongs to now.
func (ws *Workspace) Run() (*evidence.Run, error) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.started != nil {
		return ws.started, nil
	}
	if ws.own == nil {
		r, err := ws.Store.Start(qa.TaskSpec{Goal: "calls outside of a run"})
		if err != nil {
			return nil, err
		}
		ws.own = r
	}
	ws.ownCalls++
	ws.ownBusy++
	return ws.own, nil
}

// maxOwnCalls bounds how many calls outside of a run one report covers: a
// server runs for days, and a report of ten thousand pictures is useless.
const maxOwnCalls = 100

// Leave ends a call that began in the connection's own run. When that run has
// enough calls and none is under way, it is finished in the background, and
// the next call begins another one.
func (ws *Workspace) Leave() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.ownBusy--
	r := ws.own
	if r == nil || ws.ownBusy > 0 || ws.ownCalls < maxOwnCalls || r.Empty() {
		return
	}
	ws.own, ws.ownCalls = nil, 0
	ws.finishing.Go(func() {
		err := ws.fileTraffic(r)
		ws.AwaitTraces(context.Background(), r)
		if _, finishErr := r.Finish("", ws.ReportEnvironment(), ws.Views); err != nil || finishErr != nil {
			ws.Log.Error("finish the connection's own run", "run", r.ID(), "err", errors.Join(err, finishErr))
		}
		ws.tracing.forget(r.ID(), ws.SessionIDs)
	})
}

// IsOwn reports whether a run is the connection's own, begun without
// run_start.
func (ws *Workspace) IsOwn(r *evidence.Run) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return r == ws.own
}

// Open starts a run that the following calls belong to.
func (ws *Workspace) Open(task qa.TaskSpec) (*evidence.Run, error) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.started != nil {
		return nil, engine.InvalidInput("call run_finish first", "run %s is still open", ws.started.ID())
	}
	r, err := ws.Store.Start(task)
	if err != nil {
		return nil, fmt.Errorf("start a run: %w", err)
	}
	ws.started = r
	return r, nil
}

// Resumed returns the task of a run that was not finished, with the expectations that are
// left, and those that hold already. An error says why there is nothing to go on from.
func (ws *Workspace) Resumed(id string) (task qa.TaskSpec, held []qa.Expectation, err error) {
	const instead = "leave resumes out and give the task; assay runs list names the runs"
	task, checks, err := ws.Store.Unfinished(id)
	switch {
	case errors.Is(err, evidence.ErrNotFound):
		return task, nil, engine.InvalidInput(instead, "run %q is unknown", id)
	case errors.Is(err, evidence.ErrFinished), errors.Is(err, evidence.ErrCorrupt):
		return task, nil, engine.InvalidInput(instead, "run %s can't be resumed: %v", id, err)
	case err != nil:
		return task, nil, fmt.Errorf("resume run %s: %w", id, err)
	}
	asked := len(task.Expectations)
	task.Expectations, held = qa.Left(task.Expectations, checks)
	if asked > 0 && len(task.Expectations) == 0 {
		return task, nil, engine.InvalidInput("start it anew, with all of its expectations",
			"nothing is left of run %s: all of its %d expectations hold, and without run_finish it has no verdict", id, asked)
	}
	return task, held, nil
}

// Finish ends the open run and returns its report.
func (ws *Workspace) Finish(ctx context.Context, summary string) (*evidence.Run, qa.QAReport, error) {
	ws.mu.Lock()
	r := ws.started
	ws.mu.Unlock()
	if r == nil {
		return nil, qa.QAReport{}, engine.InvalidInput("call run_start first", "no run is open")
	}
	r.End()
	ws.fileTraces(ctx, r)
	if err := ws.fileTraffic(r); err != nil {
		ws.Log.Warn("file the run's traffic", "run", r.ID(), "err", err)
	}
	report, err := r.Finish(summary, ws.ReportEnvironment(), ws.Views)
	if err == nil || errors.Is(err, evidence.ErrFinished) { // its report was sealed before, without its views
		ws.mu.Lock()
		ws.started = nil
		ws.mu.Unlock()
	}
	if err != nil {
		return r, qa.QAReport{}, err
	}
	return r, report, nil
}

// Close finishes what a client that went away has left open. An open run was
// not finished by its caller, so it can't have passed.
func (ws *Workspace) Close() error {
	ws.mu.Lock()
	own, open := ws.own, ws.started
	ws.own, ws.started = nil, nil
	ws.mu.Unlock()
	ws.finishing.Wait()
	var errs []error
	if open != nil {
		open.Interrupt(evidence.Abandoned())
		errs = append(errs, ws.fileTraffic(open))
		_, err := open.Finish("not finished by the client", ws.ReportEnvironment(), ws.Views)
		errs = append(errs, err)
	}
	if own != nil && !own.Empty() {
		errs = append(errs, ws.fileTraffic(own))
		_, err := own.Finish("", ws.ReportEnvironment(), ws.Views)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
