package evidence

import (
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// NoRunError says that a name stands for no run, and what was probably meant.
// It is an [ErrNotFound].
type NoRunError struct{ text string }

func (e *NoRunError) Error() string { return e.text }

// Is reports whether target is ErrNotFound.
func (e *NoRunError) Is(target error) bool { return target == ErrNotFound }

// Find returns the summary of a run by its id, or of the newest finished one. It
// calls skipped for each newer one that is not finished.
func (s *Store) Find(name string, skipped func(RunSummary)) (RunSummary, error) {
	runs, err := s.Runs()
	if err != nil {
		return RunSummary{}, err
	}
	var ids []string
	for _, r := range runs {
		switch {
		case name == r.ID:
			return r, nil
		case name == ledger.LatestRun && r.State == Finished:
			return r, nil
		case name == ledger.LatestRun:
			skipped(r)
		}
		ids = append(ids, r.ID)
	}
	switch {
	case len(ids) == 0:
		return RunSummary{}, &NoRunError{fmt.Sprintf("no run is stored in %s: name the folder with --data-dir", s.dir)}
	case name == ledger.LatestRun:
		return RunSummary{}, &NoRunError{fmt.Sprintf("no finished run is stored in %s; see: assay runs list", s.dir)}
	default:
		return RunSummary{}, &NoRunError{fmt.Sprintf("there is no run %q%s; see: assay runs list", name, text.HintID(name, ids, ledger.LatestRun))}
	}
}

// CheckArtifacts names what is no longer as it was stored, of the artefacts that
// the report of a run lists.
func (s *Store) CheckArtifacts(id string, r qa.QAReport) error {
	var damaged []error
	for _, f := range r.Artifacts {
		if _, _, err := s.Artifact(id, f.Name); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				err = fmt.Errorf("%s: %w", f.Name, err)
			}
			damaged = append(damaged, err)
		}
	}
	return errors.Join(damaged...)
}

// StoredMetrics holds the metrics of the stored runs, with the runs that have
// none: a metric that leaves them out would look better than the truth.
type StoredMetrics struct {
	Since      *time.Time   `json:"since,omitempty"`
	Metrics    qa.Metrics   `json:"metrics"`
	Unfinished []RunSummary `json:"unfinished"`
	Damaged    []RunSummary `json:"damaged"`
}

// Measure reads the reports of all runs that began since then.
func (s *Store) Measure(from time.Time) (StoredMetrics, error) {
	m := StoredMetrics{Unfinished: []RunSummary{}, Damaged: []RunSummary{}}
	if !from.IsZero() {
		m.Since = &from
	}
	runs, err := s.Runs()
	if err != nil {
		return m, err
	}
	var reports []qa.QAReport
	for _, r := range runs {
		if r.StartedAt.Before(from) {
			continue
		}
		switch r.State {
		case Unfinished:
			m.Unfinished = append(m.Unfinished, r)
		case Damaged:
			m.Damaged = append(m.Damaged, r)
		default:
			report, err := s.Report(r.ID)
			if err != nil { // it was whole a moment ago
				r.State, r.Problem = Damaged, err.Error()
				m.Damaged = append(m.Damaged, r)
				continue
			}
			reports = append(reports, report)
		}
	}
	m.Metrics = qa.Measure(reports)
	return m, nil
}
