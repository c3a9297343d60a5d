// Package agent runs a task with the tools when no client does: a loop of
// model turns, tool calls and observations, within budgets and guardrails.
//
// It imports no provider's wire, and uses tools by their public names: models
// are behind [Model], tools behind [Toolbox]. It computes no verdict: the
// report does, from executed checks. Whatever a model says or leaves undone
// can only keep a run from passing.
package agent

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/assay-qa/assay/qa"
)

// ErrNoDriver says that there is no browser to work with. The model can't fix
// that.
var ErrNoDriver = errors.New("no browser to work with")

// Image holds a picture of a conversation.
type Image struct {
	MIMEType string
	Data     string // base64
	Width    int    // in pixels; 0: unknown
	Height   int
}

// Part holds one piece of a message: a text or an image.
type Part struct {
	Text  string
	Image *Image
}

// Call holds a tool call that a model asks for. ID is the model's own name for
// it.
type Call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // as the model wrote them, even if they are no JSON
	// Confirm holds what the provider wants a person to confirm before the
	// call is made. Nothing else may confirm it.
	Confirm string `json:"confirm,omitempty"`
}

// Result answers one call.
type Result struct {
	ID         string // of the call
	Name       string // of the tool
	Parts      []Part
	Structured json.RawMessage // the envelope; nil when the tool was not called
	IsError    bool
}

// Text joins the texts of the result by line ends, without its images.
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

// Usage counts the tokens of a model's turn.
type Usage struct {
	Input  int `json:"input"`            // all of it, cached or not
	Cached int `json:"cached,omitempty"` // of Input, read from the provider's cache
	Output int `json:"output"`           // with what was only thought
}

// Reply holds a model's turn. Without calls it ends the work, and Text is the
// summary.
type Reply struct {
	Text   string
	Calls  []Call
	Usage  Usage
	Unable []qa.Interruption // what the model could not do: keeps the run from passing
	Cut    bool              // the turn ended at the limit of its output
	Raw    any               // the provider's own items, for adapters that must echo them
}

// Turn holds one exchange of a conversation: the model's reply, and the
// results of its calls.
type Turn struct {
	Reply   Reply
	Results []Result
	Notes   []string // of the loop to the model, such as a budget running out
}

// Conversation holds everything that a model is sent.
type Conversation struct {
	Instructions string // standing orders
	Task         string // the task as JSON, and its steps as a person wrote them
	Tools        []Tool
	Turns        []Turn
	Screen       Screen          // what computer_action's coordinates count on
	Final        json.RawMessage // JSON Schema of the text that ends the work; see [Final]
}

// Screen holds the size of the page's visible area, in CSS pixels.
type Screen struct{ Width, Height int }

// Tool describes one tool that a model may call.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of its arguments
}

// Model takes turns. One model serves one task. A model that is an io.Closer
// is closed when its task has ended.
type Model interface {
	// Next returns the model's next turn. An error says that there is none; a
	// [*ModelError] also says whether a retry can help. Adapters never retry
	// by themselves: each request counts against the task's budgets.
	Next(ctx context.Context, c Conversation) (Reply, error)
}

// Toolbox lists the tools and calls them.
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
	// Spend adds the tokens that a turn took, of which cached came from the
	// provider's cache; usd is 0 where no price is known.
	Spend(input, cached, output int, usd float64) error
	Save(name, mime string, data []byte) error
	Record() (qa.Record, qa.Costs, error)
}
