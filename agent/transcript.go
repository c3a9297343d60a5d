package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// transcript collects the conversation as lines of JSON: who said what, when.
// Pictures are evidence of their own and stand there by their size.
type transcript struct {
	now    func() time.Time
	redact func(string) string
	lines  bytes.Buffer
	err    error
}

type transcriptLine struct {
	Time     time.Time         `json:"time"`
	Role     string            `json:"role"`               // task, model, tool or loop
	Provider string            `json:"provider,omitempty"` // with the task
	Model    string            `json:"model,omitempty"`    // with the task
	Orders   string            `json:"orders,omitempty"`   // with the task
	Text     pagetext.Text     `json:"text,omitempty"`
	Calls    []Call            `json:"calls,omitempty"`
	Result   *transcriptResult `json:"result,omitempty"`
	Usage    *Usage            `json:"usage,omitempty"`
	Offered  []string          `json:"tools,omitempty"`
}

type transcriptResult struct {
	ID         string          `json:"id"`
	Tool       string          `json:"tool"`
	IsError    bool            `json:"isError"`
	Text       string          `json:"text"`
	Structured json.RawMessage `json:"structured,omitempty"`
	Images     []int           `json:"imageBytes,omitempty"` // of each picture, as base64
}

func (t *transcript) add(line transcriptLine) {
	line.Time, line.Text = t.now().UTC(), line.Text.Map(t.redact)
	text, err := json.Marshal(line)
	if err != nil {
		t.err = err
		return
	}
	t.lines.Write(append(text, '\n'))
}

func (t *transcript) reply(r Reply) {
	line := transcriptLine{Role: "model", Text: pagetext.Text(r.Text)}
	for _, c := range r.Calls {
		line.Calls = append(line.Calls, Call{ID: text.Bytes(c.ID, 200), Name: text.Bytes(c.Name, 200), Arguments: t.arguments(c), Confirm: t.redact(c.Confirm)})
	}
	if r.Usage != (Usage{}) {
		line.Usage = &r.Usage
	}
	t.add(line)
}

// arguments returns a call's arguments without typed input and secrets.
func (t *transcript) arguments(c Call) json.RawMessage {
	if n := len(c.Arguments); n > maxArguments {
		return json.RawMessage(fmt.Sprintf(`"(%d bytes)"`, n))
	}
	return redacted(t.redact, withoutInput(c.Name, c.Arguments))
}

func (t *transcript) result(r Result) {
	out := transcriptResult{ID: r.ID, Tool: r.Name, IsError: r.IsError, Text: t.redact(r.Text()), Structured: redacted(t.redact, r.Structured)}
	for _, p := range r.Parts {
		if p.Image != nil {
			out.Images = append(out.Images, len(p.Image.Data))
		}
	}
	t.add(transcriptLine{Role: "tool", Result: &out})
}
