package qa

import (
	"cmp"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
)

// CommandKey names the entry of a task's metadata with the command by which a
// person runs it again without a client.
const CommandKey = "command"

// RepeatFlow names the artefact of a run with a flow that makes its calls
// again.
const RepeatFlow = "repeat.flow.json"

// Checkpoint sums up a run for a development loop that goes on from it (B10):
// where it stood, how it ended, and what failed or did not run.
type Checkpoint struct {
	Checkpoint   string            `json:"checkpoint,omitempty"` // as given to run_start, like the next two
	Iteration    string            `json:"iteration,omitempty"`
	Commit       string            `json:"commit,omitempty"`
	Resumes      string            `json:"resumes,omitempty"` // the run that this one goes on from, as metadata.resumes says
	RunID        string            `json:"runId"`
	TaskID       string            `json:"taskId,omitempty"`
	Status       Status            `json:"status"`
	StatusReason pagetext.Text     `json:"statusReason"`
	Metrics      CheckpointMetrics `json:"metrics"`
	Screenshots  []string          `json:"screenshots"` // names of the stored pictures
	Trace        string            `json:"trace,omitempty"`
	Failed       []Check           `json:"failed"`      // the checks that failed
	NotExecuted  []Undone          `json:"notExecuted"` // what the tester could not do
	Unproven     []Undone          `json:"unproven"`    // expectations that no executed check proves
}

// CheckpointMetrics holds a run's figures.
type CheckpointMetrics struct {
	TestSummary
	DurationMS  int64 `json:"durationMs"`
	ToolCalls   int   `json:"toolCalls"`
	Screenshots int   `json:"screenshots"`
	Findings    int   `json:"findings"`
}

// Undone holds something that was not found out, and why.
type Undone struct {
	Subject string        `json:"subject"`
	Reason  pagetext.Text `json:"reason"`
}

// NewCheckpoint sums up a report and the record that its verdict was made from.
func NewCheckpoint(report QAReport, record Record) Checkpoint {
	meta := report.Task.Metadata
	out := Checkpoint{Checkpoint: meta["checkpoint"], Iteration: meta["iteration"], Commit: meta["commit"], Resumes: meta["resumes"],
		RunID: report.RunID, TaskID: report.TaskID, Status: report.Status, StatusReason: report.StatusReason, Trace: report.Links.TraceURL,
		Screenshots: []string{}, Failed: []Check{}, NotExecuted: []Undone{}, Unproven: []Undone{},
		Metrics: CheckpointMetrics{TestSummary: NewTestResult(report, record).Summary, DurationMS: report.Costs.DurationMS,
			ToolCalls: report.Costs.ToolCalls, Screenshots: report.Costs.Screenshots, Findings: len(report.Findings)}}
	for _, a := range report.Artifacts {
		if a.Width > 0 {
			out.Screenshots = append(out.Screenshots, a.Name)
		}
	}
	for _, c := range report.Checks {
		switch c.Status() {
		case Failed:
			out.Failed = append(out.Failed, c)
		case Inconclusive:
			out.NotExecuted = append(out.NotExecuted, Undone{Subject: strings.TrimSpace(c.Called() + " " + c.Subject), Reason: c.Why()})
		}
	}
	for _, in := range record.Interruptions {
		out.NotExecuted = append(out.NotExecuted, Undone{Subject: in.Subject, Reason: pagetext.Text(string(in.Kind)+": ") + in.Detail})
	}
	for _, u := range Unproven(record.Expectations, record.Checks) {
		out.Unproven = append(out.Unproven, Undone{Subject: strings.TrimSpace(u.ID + " " + u.Text), Reason: pagetext.Text(u.Reason)})
	}
	return out
}

// NewTestResult returns a run as a test result (B4): each executed check is a case,
// and so is what could not be done (error) or has no check (skipped).
func NewTestResult(report QAReport, record Record) TestResult {
	var cases []TestCase
	add := func(name pagetext.Text, status TestStatus, reason pagetext.Text, shots []string) *TestCase {
		cases = append(cases, TestCase{Name: name, Status: status, FailureReason: reason, Screenshots: append([]string{}, shots...), ConsoleLogs: []ConsoleEntry{}, RunID: report.RunID})
		return &cases[len(cases)-1]
	}
	for _, c := range report.Checks {
		report.timeCase(add(pagetext.Text(strings.TrimSpace(c.Kind+" "+c.Subject)), c.Status().TestStatus(), c.Why(), c.Evidence), c)
	}
	for _, f := range record.Findings {
		if f.Severity.Fails() && !f.RepeatsCheck(report.Checks) {
			add(f.Headline(), TestFailed, pagetext.Text(string(f.Severity)+": expected ")+cmp.Or(f.Expected, "nothing")+", observed "+cmp.Or(f.Observed, "nothing"), nil)
		}
	}
	for _, in := range record.Interruptions {
		add(pagetext.Text(in.Subject), TestError, pagetext.Text(string(in.Kind)+": ")+in.Detail, nil)
	}
	for _, u := range Unproven(record.Expectations, record.Checks) {
		add(pagetext.Text(strings.TrimSpace(u.ID+" "+u.Text)), TestSkipped, pagetext.Text(u.Reason), nil)
	}
	result := SumUp(report.RunID, report.StartedAt, report.FinishedAt, cases)
	result.DurationMS, result.Status = report.Costs.DurationMS, report.Status.TestStatus()
	var shots []string // those of the checks are among them
	for _, a := range report.Artifacts {
		if a.Width > 0 {
			shots = append(shots, a.Name)
		}
	}
	result.Artifacts.Screenshots, result.Artifacts.Traces = TestFiles(shots), TestFiles(Traces(report))
	return result
}

// timeCase gives the case of a check the duration of the step of a flow, or of the
// call, that made it, and what the console said meanwhile.
func (r QAReport) timeCase(c *TestCase, check Check) {
	var own *TimelineEntry
	for i := range r.Timeline {
		e := &r.Timeline[i]
		inside := !check.Time.Before(e.StartedAt) && !check.Time.After(e.end())
		if e.Step == check.Step && (own == nil || inside && e.DurationMS <= own.DurationMS) {
			own = e
		}
	}
	if own == nil {
		return
	}
	c.DurationMS = own.DurationMS
	for _, line := range r.Console {
		if !line.Time.Before(own.StartedAt) && !line.Time.After(own.end()) {
			c.ConsoleLogs = append(c.ConsoleLogs, line)
		}
	}
}

func (e TimelineEntry) end() time.Time {
	return e.StartedAt.Add(time.Duration(e.DurationMS+1) * time.Millisecond) // what was cut off of the last one
}

// Traces returns the names of the traces of a run, one for each session.
func Traces(report QAReport) (names []string) {
	for _, a := range report.Artifacts {
		if a.MIMEType == "application/zip" && strings.HasPrefix(a.Name, "trace") {
			names = append(names, a.Name)
		}
	}
	return names
}
