package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/reproduce"
)

// Recorder returns the recorder of this desk's runs.
func (d *Workspace) Recorder() Recorder { return Recorder{d} }

// RecordCall keeps a call of a run, if it is the one that is open.
func (d *Workspace) RecordCall(run *evidence.Run, made reproduce.Call) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started == run && len(d.recordedCalls) <= reproduce.MaxRepeated {
		d.recordedCalls = append(d.recordedCalls, made)
	}
}

// ForgetRecordedCalls begins anew: a run has been opened.
func (d *Workspace) ForgetRecordedCalls() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recordedCalls = nil
}

// FileReproduction stores the flow that makes the calls of a run again. why says why no
// flow does; it is empty where one was stored, or a command runs the task again.
func (d *Workspace) FileReproduction(r *evidence.Run) (why string, err error) {
	d.mu.Lock()
	made := d.recordedCalls
	d.recordedCalls = nil
	d.mu.Unlock()
	if d.FromFile {
		return "", nil
	}
	f, err := reproduce.FromCalls(r.Task(), d.Target.BaseURL, made)
	if err != nil {
		return err.Error(), nil //nolint:nilerr // it is told, and no fault of the run
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		return "", fmt.Errorf("encode the flow: %w", err)
	}
	_, err = r.SaveFile(qa.RepeatFlow, "application/json", text.Bytes(), 0)
	return "", err
}

// awaitCallsLimit bounds how long run_finish waits for calls of its run that have
// not ended.
const awaitCallsLimit = 2 * time.Second

// BeginCall notes that a call has begun. The caller runs end when it has ended. A
// call of run_start or run_finish is not noted: it waits for the others.
func (d *Workspace) BeginCall(tool string, r *evidence.Run) (end func()) {
	c := &runningCall{tool, r}
	d.running.begin(c)
	return func() { d.running.end(c) }
}

// AwaitCalls waits for the calls of a run that is about to be finished. What does not
// end in time can't be in the report, which must not look as if it were; AwaitCalls
// reports whether all have ended.
func (d *Workspace) AwaitCalls(r *evidence.Run) bool {
	timer := time.NewTimer(awaitCallsLimit)
	defer timer.Stop()
	for {
		tools, changed := d.running.of(r)
		if len(tools) == 0 {
			return true
		}
		select {
		case <-changed:
		case <-timer.C:
			r.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: strings.Join(tools, ", "),
				Detail: "still running " + awaitCallsLimit.String() + " after run_finish was called: its outcome is not in this report"})
			return false
		}
	}
}

// Run returns the run that a call belongs to now.
func (d *Workspace) Run() (*evidence.Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started != nil {
		return d.started, nil
	}
	if d.own == nil {
		r, err := d.Store.Start(qa.TaskSpec{Goal: "calls outside of a run"})
		if err != nil {
			return nil, err
		}
		d.own = r
	}
	d.ownCalls++
	d.ownBusy++
	return d.own, nil
}

// maxOwnCalls sets how many calls outside of a run one report covers: a server
// lives for days, and nobody reads a report of ten thousand pictures.
const maxOwnCalls = 100

// Leave ends a call that began in the connection's own run. When that
// has enough of them and nobody is in it, it is finished in the background, and
// the next call begins another one.
func (d *Workspace) Leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ownBusy--
	r := d.own
	if r == nil || d.ownBusy > 0 || d.ownCalls < maxOwnCalls || r.Empty() {
		return
	}
	d.own, d.ownCalls = nil, 0
	d.finishing.Go(func() {
		err := d.fileTraffic(r)
		d.AwaitTraces(context.Background(), r)
		if _, finishErr := r.Finish("", d.ReportEnvironment(), d.Views); err != nil || finishErr != nil {
			d.Log.Error("finish the connection's own run", "run", r.ID(), "err", errors.Join(err, finishErr))
		}
		d.tracing.forget(r.ID(), d.SessionIDs)
	})
}

func (d *Workspace) IsOwn(r *evidence.Run) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return r == d.own
}

// Open starts a run that the following calls belong to.
func (d *Workspace) Open(task qa.TaskSpec) (*evidence.Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started != nil {
		return nil, engine.InvalidInput("call run_finish first", "run %s is still open", d.started.ID())
	}
	r, err := d.Store.Start(task)
	if err != nil {
		return nil, fmt.Errorf("start a run: %w", err)
	}
	d.started = r
	return r, nil
}

// Finish ends the open run and returns its report.
func (d *Workspace) Finish(ctx context.Context, summary string) (*evidence.Run, qa.QAReport, error) {
	d.mu.Lock()
	r := d.started
	d.mu.Unlock()
	if r == nil {
		return nil, qa.QAReport{}, engine.InvalidInput("call run_start first", "no run is open")
	}
	r.End()
	d.fileTraces(ctx, r)
	if err := d.fileTraffic(r); err != nil {
		d.Log.Warn("file the run's traffic", "run", r.ID(), "err", err)
	}
	report, err := r.Finish(summary, d.ReportEnvironment(), d.Views)
	if err == nil || errors.Is(err, evidence.ErrFinished) { // its report was sealed before, without its views
		d.mu.Lock()
		d.started = nil
		d.mu.Unlock()
	}
	if err != nil {
		return r, qa.QAReport{}, err
	}
	return r, report, nil
}

// Close finishes what a client that went away has left open. An open run was
// not finished by its caller, so it can't have passed.
func (d *Workspace) Close() error {
	d.mu.Lock()
	own, open := d.own, d.started
	d.own, d.started = nil, nil
	d.mu.Unlock()
	d.finishing.Wait()
	var errs []error
	if open != nil {
		open.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: "run_finish", Detail: "the client went away before it finished the run"})
		errs = append(errs, d.fileTraffic(open))
		_, err := open.Finish("not finished by the client", d.ReportEnvironment(), d.Views)
		errs = append(errs, err)
	}
	if own != nil && !own.Empty() {
		errs = append(errs, d.fileTraffic(own))
		_, err := own.Finish("", d.ReportEnvironment(), d.Views)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
