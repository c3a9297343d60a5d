package prove

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// CheckKind is the kind of the check that each proved test is.
const CheckKind = "test_can_fail"

// FileName is the name of a proof in the folder of its run.
const FileName = "proof.json"

const wanted = "an expectation fails when the page is at fault"

// Filed is the run that a report was filed as.
type Filed struct {
	RunID string    `json:"run_id"`
	Dir   string    `json:"dir"`
	State qa.Status `json:"status"`
}

// File files a report as a run: a check for each test, and the whole of it as
// proof.json.
func (r Report) File(f testrun.Filer, root string) (Filed, error) {
	run, err := f.Store.Start(qa.TaskSpec{Goal: fmt.Sprintf("Prove that %d tests can fail", len(r.Tests))})
	if err != nil {
		return Filed{}, err
	}
	if f.Command != "" {
		run.Annotate(qa.CommandKey, f.Command)
	}
	if err := r.fill(run, root); err != nil {
		return Filed{}, err
	}
	report, err := run.Finish("", f.Environment, f.Views)
	return Filed{RunID: report.RunID, Dir: run.Dir(), State: report.Status}, err
}

func (r Report) fill(run *evidence.Run, root string) error {
	whole, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = run.SaveFile(FileName, "application/json", append(whole, '\n'), 0)
	_, errText := run.SaveFile("proof.txt", "text/plain", []byte(r.Text(root)), 0)
	if err := errors.Join(err, errText); err != nil {
		return err
	}
	for _, t := range r.Tests {
		subject := fmt.Sprintf("%s (%s:%d)", t.Title, short(root, t.File), t.Line)
		if t.Verdict == Unproved {
			run.NotExecuted(CheckKind, subject, wanted, "UNPROVED", pagetext.Text(t.Reason))
			continue
		}
		if _, err := run.AddCheck(qa.Check{Kind: CheckKind, Subject: subject, Expected: wanted,
			Observed: pagetext.Text(t.Reason + "; " + t.rate()), Passed: t.Verdict == CanFail, Source: qa.SourceRule}); err != nil {
			return err
		}
	}
	if err := FileOthers(run, r.Others, root); err != nil {
		return err
	}
	for _, e := range r.Errors {
		if _, err := run.AddCheck(qa.Check{Kind: CheckKind, Subject: "the tests", Expected: "the files can be read and run", Observed: pagetext.Text(e), Source: qa.SourceRule}); err != nil {
			return err
		}
	}
	return nil
}
