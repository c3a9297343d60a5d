package workspace

import (
	"errors"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// ErrNoRun says that no run is open to record in.
var ErrNoRun = errors.New("no run is open")

// Recorder writes into the run that is open on a workspace what its tools can't
// know: why whoever works them stopped early, and what that cost. None of it
// can better a verdict.
type Recorder struct{ ws *Workspace }

// Open returns the run that is open.
func (r Recorder) Open() (*evidence.Run, error) {
	r.ws.mu.Lock()
	defer r.ws.mu.Unlock()
	if r.ws.started == nil {
		return nil, ErrNoRun
	}
	return r.ws.started, nil
}

// Interrupt records why the work could not be done: the run can't pass then.
func (r Recorder) Interrupt(in qa.Interruption) error {
	run, err := r.Open()
	if err == nil {
		run.Interrupt(in)
	}
	return err
}

// Spend adds the tokens of a model's turn, and their price, to the run's costs.
// cached is the part of input that the provider had in its cache.
func (r Recorder) Spend(input, cached, output int, usd float64) error {
	run, err := r.Open()
	if err == nil {
		run.Spend(input, cached, output, usd)
	}
	return err
}

// Save stores a file with the run, its secrets masked.
func (r Recorder) Save(name, mime string, data []byte) error {
	run, err := r.Open()
	if err == nil {
		_, err = run.SaveFile(name, mime, data, 0)
	}
	return err
}

// Find files a finding of a rule.
func (r Recorder) Find(f qa.Finding) error {
	run, err := r.Open()
	if err == nil {
		_, err = run.AddFinding(f)
	}
	return err
}

// Record returns what the open run holds by now, and its costs.
func (r Recorder) Record() (qa.Record, qa.Costs, error) {
	run, err := r.Open()
	if err != nil {
		return qa.Record{}, qa.Costs{}, err
	}
	return run.Record(), run.Costs(), nil
}
