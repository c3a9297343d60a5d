package agent

import (
	"encoding/json"
	"log/slog"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// EventName names what happened in a task (E5).
type EventName string

// The events of a task. Those of a whole suite come from the suite's runner.
const (
	SpecStarted  EventName = "spec.started"
	ToolCalled   EventName = "tool.called"
	SpecFinished EventName = "spec.finished"

	HealAttempted EventName = "heal.attempted" // of a recording; Reason says what came of it
)

// Event reports progress to whoever watches a task.
type Event struct {
	Name      EventName
	RunID     string
	Step      int // number of the tool call in the task
	SpecStep  int // of its procedure, from 0; -1: it belongs to none
	Tool      string
	Input     json.RawMessage // without what is typed
	Took      time.Duration
	ErrorCode string
	Error     string    // what went wrong, in words
	Retriable bool      // whether the same call may succeed later
	Status    qa.Status // of the finished task
	Reason    pagetext.Text
}

// attributes returns the event as fields of a log line.
func (e Event) attributes() []any {
	out := []any{"event", string(e.Name), "runId", e.RunID}
	if e.Name == ToolCalled {
		out = append(out, "stepIndex", e.Step, "toolName", e.Tool, "toolDurationMs", e.Took.Milliseconds(), "toolInput", string(e.Input))
		if e.SpecStep >= 0 {
			out = append(out, "specStep", e.SpecStep+1)
		}
	}
	if e.ErrorCode != "" {
		out = append(out, slog.Group("error", "code", e.ErrorCode, "message", e.Error, "retriable", e.Retriable))
	}
	if e.Name == SpecFinished {
		out = append(out, "status", string(e.Status), "reason", e.Reason)
	}
	return out
}

func (l *loop) tell(e Event) {
	e.RunID = l.runID
	level := slog.LevelInfo
	if e.Name == ToolCalled {
		level = slog.LevelDebug
	}
	l.Log.Log(l.background, level, string(e.Name), e.attributes()...)
	if l.Watch != nil {
		l.Watch(e)
	}
}
