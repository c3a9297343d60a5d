package agent

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Fault says why a provider gave no turn.
type Fault string

// The faults of providers. Those that Retriable reports may be gone the next
// time.
const (
	RateLimited  Fault = "rate-limited" // 429
	Overloaded   Fault = "overloaded"   // 503, 529
	Unavailable  Fault = "unavailable"  // other 5xx; no connection, or one that was cut
	TimedOut     Fault = "timeout"      // no answer in time
	BadAnswer    Fault = "bad-answer"   // what came can't be read, or breaks the protocol
	Unauthorised Fault = "unauthorised" // 401, 403: the key is wrong, or may not use the model
	BadRequest   Fault = "bad-request"  // other 4xx: the provider refuses what we sent
	Refused      Fault = "refused"      // the model, or its filter, will not answer
	TooLong      Fault = "too-long"     // the conversation doesn't fit the model
)

// ModelError says that a provider gave no turn. It never holds a key.
type ModelError struct {
	Provider   string
	Model      string
	Fault      Fault
	Status     int           // of HTTP; 0: there was no answer
	RetryAfter time.Duration // that the provider asks for; 0: it gives none
	Message    string        // the provider's own words, shortened
	Err        error
	Usage      Usage // what the failed turn took all the same
}

func (e *ModelError) Error() string {
	text := fmt.Sprintf("%s %s: %s", e.Provider, e.Model, e.Fault)
	if e.Status != 0 {
		text += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns the cause, which may be nil.
func (e *ModelError) Unwrap() error { return e.Err }

// Retriable reports whether the same request may be answered the next time.
func (e *ModelError) Retriable() bool {
	switch e.Fault {
	case RateLimited, Overloaded, Unavailable, TimedOut, BadAnswer:
		return true
	default:
		return false
	}
}

// Connection holds the address, key and settings to reach a provider's model.
type Connection struct {
	BaseURL     string        // empty: the provider's own
	Model       string        // the provider's name of it
	Key         string        // empty where none is needed
	APIVersion  string        // of Azure; empty: its default
	MaxOutput   int           // tokens of a turn; 0: the adapter's default
	Temperature *float64      // of its answers; nil: the model's own
	Timeout     time.Duration // of one request
	Computer    bool          // offer the provider's own computer tool instead of computer_action, where it has one
	Store       bool          // let the provider keep the conversation
	Transport   http.RoundTripper
}

// Capabilities holds what a provider's wire can carry.
type Capabilities struct {
	// ToolResultImages: native, userMessage (a picture follows in a message of
	// its own) or none.
	ToolResultImages string
	// StructuredOutput of the final answer: schema, json or prompt.
	StructuredOutput string
	Computer         bool // has a computer tool of its own
}

// Rates holds the prices of a model's tokens, in US dollars per million.
type Rates struct{ Input, Cached, Output float64 }

// Of computes the cost of a usage, in US dollars.
func (p Rates) Of(u Usage) float64 {
	return (float64(u.Input-u.Cached)*p.Input + float64(u.Cached)*p.Cached + float64(u.Output)*p.Output) / 1e6
}

// Final holds the model's final answer: the arguments of run_finish, or the
// text of a turn without calls. Status is the model's claim; no verdict
// depends on it.
type Final struct {
	Summary  string         `json:"summary"`
	Status   string         `json:"status"` // passed, failed or inconclusive
	Findings []FinalFinding `json:"findings"`
}

// FinalFinding holds a finding that a model reports at the end. It can only
// fail a run.
type FinalFinding struct {
	Severity  string  `json:"severity"`
	Category  string  `json:"category"`
	Assertion string  `json:"assertion"`
	Expected  string  `json:"expected"`
	Observed  string  `json:"observed"`
	Fix       string  `json:"suggested_fix"`
	Certainty float64 `json:"confidence"`
}

// FinalSchema returns the JSON Schema of [Final], in the subset that every
// provider takes: all properties required, none beside them.
func FinalSchema() json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["summary","status","findings"],"properties":{` +
		`"summary":{"type":"string","description":"what was done and seen, in a few sentences"},` +
		`"status":{"type":"string","enum":["passed","failed","inconclusive"],"description":"your own view; the verdict is computed from the executed checks"},` +
		`"findings":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["severity","category",` +
		`"assertion","expected","observed","suggested_fix","confidence"],"properties":{` +
		`"severity":{"type":"string","enum":["blocker","critical","major","minor","info"]},` +
		`"category":{"type":"string","enum":["functional","data-consistency","performance","a11y","reliability","visual","security"]},` +
		`"assertion":{"type":"string"},"expected":{"type":"string"},"observed":{"type":"string"},"suggested_fix":{"type":"string"},` +
		`"confidence":{"type":"number","description":"0 to 1"}}}}}}`)
}

// Procedure holds a task as a person wrote it: preconditions, the steps in
// their order, and the cleanup that runs whatever came of them.
type Procedure struct {
	Preconditions []string `json:"preconditions,omitempty"`
	Steps         []Step   `json:"steps"`
	Cleanup       []string `json:"cleanup,omitempty"`
}

// Step holds one step of a procedure. The model calls step_done after each, so
// that every call belongs to a step.
type Step struct {
	Text    string   `json:"text"`
	Expects []string `json:"expects,omitempty"` // ids of the task's expectations
}

// Executed holds a call that was made and succeeded.
type Executed struct {
	Step       int // of the procedure, from 0, what tidies up counting on from its steps; -1: it belongs to none
	Name       string
	Arguments  json.RawMessage
	Structured json.RawMessage // the answer's envelope
}
