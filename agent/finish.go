package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// finish makes the report, whatever has happened. Then nothing is in a hurry
// but an interruption.
func (l *loop) finish(ctx context.Context, stopped *qa.Interruption, cause error) (qa.QAReport, error) {
	limit := cmp.Or(l.FinishLimit, finishLimit)
	if ctx.Err() != nil {
		limit = min(limit, finishSoon)
	}
	ctx, cancel := context.WithTimeout(l.background, limit)
	defer cancel()
	var errs []error
	if cause != nil {
		stopped = &qa.Interruption{Kind: qa.NotExecuted, Subject: "the task", Detail: pagetext.Text(cause.Error())}
	}
	if stopped == nil && !l.fault {
		stopped = l.undone()
		if l.tidying {
			stopped = l.unfinished
		}
	}
	if stopped != nil {
		l.notes.add(transcriptLine{Role: "loop", Text: pagetext.Sprintf("stopped: %s: %s: %s", stopped.Kind, stopped.Subject, stopped.Detail)})
		errs = append(errs, l.Record.Interrupt(*stopped))
	}
	if cause == nil {
		errs = append(errs, l.conclude())
	}
	if err := errors.Join(l.notes.err, l.Record.Save("transcript.jsonl", "application/jsonl", l.notes.lines.Bytes())); err != nil {
		// The report must not be greener than the task that it is of.
		errs = append(errs, err, l.Record.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: "keep the transcript", Detail: pagetext.Text(err.Error())}))
	}
	arguments, err := json.Marshal(map[string]string{"summary": l.final.Summary})
	if err != nil {
		return qa.QAReport{}, err
	}
	answer, err := l.Tools.Call(ctx, finishTool, arguments)
	if err != nil {
		return qa.QAReport{}, errors.Join(append(errs, err)...)
	}
	var data struct {
		Data qa.QAReport `json:"data"`
	}
	if err := json.Unmarshal(answer.Structured, &data); err != nil || answer.IsError {
		return qa.QAReport{}, errors.Join(append(errs, err, fmt.Errorf("run_finish: %s", answer.Text()))...)
	}
	l.tell(Event{Name: SpecFinished, Step: l.calls, Status: data.Data.Status, Reason: data.Data.StatusReason})
	return data.Data, errors.Join(errs...)
}
