package evidence

import (
	"encoding/json"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// EventName names what happened.
type EventName string

// The events of a run. A run writes those marked "run" by itself.
const (
	RunStarted       EventName = "run.started"  // run: its first line, with the task
	TaskAmended      EventName = "task.amended" // run: the task, with an expectation worded anew
	ToolCalled       EventName = "tool.called"
	FlowStepped      EventName = "flow.step"          // a step of a user flow was executed
	FlowRetried      EventName = "flow.retried"       // a user flow starts over after a transient fault
	LookRetried      EventName = "look.retried"       // a call opens its address again after a transient fault
	ArtifactStored   EventName = "artifact.stored"    // run
	CheckExecuted    EventName = "check.executed"     // run
	CheckNotExecuted EventName = "check.not-executed" // run: a tool could not look
	FindingRecorded  EventName = "finding.recorded"   // run
	KPICompared      EventName = "kpi.compared"       // run: a line of the KPI table
	VisualCompared   EventName = "visual.compared"    // run: a picture beside its baseline
	Interrupted      EventName = "run.interrupted"    // run
	RunFinished      EventName = "run.finished"       // run: its last line
)

// Event holds one line of events.jsonl. The lines are a chain: a changed,
// moved or removed one breaks it at the next.
type Event struct {
	Seq    int64  `json:"seq,omitempty"`    // from 1; given by the run, as the next two are
	MonoMS int64  `json:"monoMs,omitempty"` // milliseconds since the run began, on a clock that only goes forward
	Prev   string `json:"prev,omitempty"`   // SHA-256 of the line before, without its end; empty in the first

	Time       time.Time       `json:"time"` // given by the run; a caller that files an event late says here when it happened, for the timeline
	RunID      string          `json:"runId"`
	Name       EventName       `json:"event"` // empty: tool.called
	Step       int             `json:"step,omitempty"`
	Tool       string          `json:"tool,omitempty"`
	DurationMS int64           `json:"durationMs,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"` // redacted by the caller
	ErrorCode  string          `json:"errorCode,omitempty"`
	Screenshot string          `json:"screenshot,omitempty"` // name of the stored picture

	// A tool's call has these too, which are the names that specifications give, and a flow's
	// step the first two.
	SpecPath   string          `json:"specPath,omitempty"`
	StepIndex  *int            `json:"stepIndex,omitempty"` // of the spec's steps, from 0; nil: the call or step belongs to none
	ToolName   string          `json:"toolName,omitempty"`  // these three are filled in by the run
	ToolTookMS int64           `json:"toolDurationMs,omitempty"`
	ToolInput  json.RawMessage `json:"toolInput,omitempty"`  // input, unless it is too long
	ToolOutput pagetext.Text   `json:"toolOutput,omitempty"` // how the answer's text begins, masked by the caller before it was cut
	Error      *EventError     `json:"error,omitempty"`

	// The run's own lines carry what they tell whole, so that a crash loses
	// nothing that was acknowledged.
	Task         *qa.TaskSpec     `json:"task,omitempty"`
	Check        *qa.Check        `json:"check,omitempty"`
	Finding      *qa.Finding      `json:"finding,omitempty"`
	KPI          *qa.KPIRow       `json:"kpi,omitempty"`
	Visual       *qa.VisualRow    `json:"visual,omitempty"`
	Interruption *qa.Interruption `json:"interruption,omitempty"`
	Artifacts    []qa.Artifact    `json:"artifacts,omitempty"` // files that were stored, with their digests
	Status       qa.Status        `json:"status,omitempty"`
}

// EventError holds the error that a tool answered with.
type EventError struct {
	Code      string        `json:"code"`
	Message   pagetext.Text `json:"message"`
	Retriable bool          `json:"retriable"`
}

// maxToolInput bounds the second copy of an input in a line, in bytes.
const maxToolInput = 16 << 10

// named fills in what specifications call the fields of a tool's call.
func (e Event) named() Event {
	if e.Name == ToolCalled {
		e.ToolName, e.ToolTookMS = e.Tool, e.DurationMS
		if len(e.Input) <= maxToolInput {
			e.ToolInput = e.Input
		}
	}
	return e
}

// own reports whether only the run itself may write the event.
func (n EventName) own() bool {
	switch n {
	case RunStarted, TaskAmended, ArtifactStored, CheckExecuted, CheckNotExecuted, FindingRecorded, KPICompared, VisualCompared, Interrupted, RunFinished:
		return true
	default:
		return false
	}
}
