// Package agent works the tools when no client does: a loop of a model's turn,
// tool calls and observations, within budgets and guardrails.
//
// It knows no wire of any provider and no tool but by its public name: models
// come in behind [Model], tools behind [Toolbox]. It refuses to judge: the
// verdict is the report's, computed from executed checks; whatever a model says
// or leaves undone can only keep a run from passing.
package agent

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/assay-qa/assay/qa"
)

// ErrNoDriver says that there is no browser to work with: nothing that a model
// could do mends that.
var ErrNoDriver = errors.New("no browser to work with")

// Image is a picture in a conversation.
type Image struct {
	MIMEType string
	Data     string // base64
}

// Part is a piece of a message: a text, or an image.
type Part struct {
	Text  string
	Image *Image
}

// Call is a tool call that a model asks for. ID is the model's own name for it.
type Call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Result answers one call.
type Result struct {
	ID         string // of the call
	Name       string // of the tool
	Parts      []Part
	Structured json.RawMessage // the envelope; nil when the tool was not called
	IsError    bool
}

// Text is the result's text without its images.
func (r Result) Text() string {
	out := ""
	for _, p := range r.Parts {
		if p.Text != "" && out != "" {
			out += "\n"
		}
		out += p.Text
	}
	return out
}

// Usage is what a model's turn took, in tokens.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
}

// Reply is a model's turn. Without calls it ends the work, and Text is the
// summary.
type Reply struct {
	Text   string
	Calls  []Call
	Usage  Usage
	Unable []qa.Interruption // what the model could not do: keeps the run from passing
	Raw    any               // the provider's own items, for adapters that must echo them
}

// Turn is one exchange of a conversation: what the model said, and what its
// calls were answered.
type Turn struct {
	Reply   Reply
	Results []Result
	Notes   []string // of the loop to the model, such as a budget running out
}

// Conversation is all that a model knows.
type Conversation struct {
	Instructions string // standing orders
	Task         string // the task, as JSON
	Tools        []Tool
	Turns        []Turn
}

// Tool is one tool that a model may call.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of its arguments
}

// Model takes turns. One model serves one task. A model that is an io.Closer
// is closed when its task has ended.
type Model interface {
	// Next is the model's next turn. An error ends the task: retries are the
	// adapter's business.
	Next(ctx context.Context, c Conversation) (Reply, error)
}

// Toolbox is where the tools are.
type Toolbox interface {
	Tools(ctx context.Context) ([]Tool, error)
	// Call calls a tool and always answers within ctx. The error says that the
	// toolbox itself is gone, or that ctx has ended; a tool's own is a result.
	Call(ctx context.Context, name string, arguments json.RawMessage) (Result, error)
}

// Recorder keeps with the open run what its tools can't know. None of it can
// better a verdict.
type Recorder interface {
	Interrupt(in qa.Interruption) error
	Find(f qa.Finding) error
	Spend(input, output int) error
	Save(name, mime string, data []byte) error
	Record() (qa.Record, qa.Costs, error)
}
