package e2e_test

import (
	"encoding/json"
	"strings"
)

// answer is the result of a tool call.
type answer struct {
	Content []struct {
		Type, Text, URI, Data, MimeType string
	}
	StructuredContent json.RawMessage
	IsError           bool
	envelope          envelope
}

// envelope is the structured content of every answer.
type envelope struct {
	OK    bool
	Data  json.RawMessage
	Error struct {
		Code, Message, Hint string
		Retriable           bool
	}
	Screenshot *struct{ URI, Path, SHA256 string }
}

// text is the answer as a model reads it.
func (a answer) text() string {
	var parts []string
	for _, c := range a.Content {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, "\n")
}

// begin starts a tool call and returns its id.
func (w *wire) begin(tool string, arguments map[string]any) string {
	w.t.Helper()
	if arguments == nil {
		arguments = map[string]any{}
	}
	return w.send("tools/call", map[string]any{"name": tool, "arguments": arguments})
}

// result decodes the answer of a tool call.
func (w *wire) result(m message) answer {
	w.t.Helper()
	if m.Error != nil {
		w.t.Fatalf("a protocol error instead of a result: %d %s", m.Error.Code, m.Error.Message)
	}
	var a answer
	decode(w.t, m.Result, &a)
	decode(w.t, a.StructuredContent, &a.envelope)
	return a
}

// call calls a tool and returns its answer, good or bad.
func (w *wire) call(tool string, arguments map[string]any) answer {
	w.t.Helper()
	return w.result(w.answer(w.begin(tool, arguments)))
}

// do calls a tool that must succeed.
func (w *wire) do(tool string, arguments map[string]any) answer {
	w.t.Helper()
	a := w.call(tool, arguments)
	if !a.envelope.OK {
		w.t.Fatalf("%s %v: %s", tool, arguments, a.text())
	}
	return a
}

// fails checks that an answer is an error of a kind that says what to do.
func (w *wire) fails(a answer, codes ...string) {
	w.t.Helper()
	e := a.envelope.Error
	for _, code := range codes {
		if e.Code == code {
			if e.Message == "" || !strings.Contains(a.text(), code) {
				w.t.Errorf("%s: the message is %q and the text %q: both must say what happened", code, e.Message, a.text())
			}
			return
		}
	}
	w.t.Errorf("code %q, want %s: %s", e.Code, strings.Join(codes, " or "), brief([]byte(a.text())))
}

// field reads one field of an answer's data.
func field[T any](w *wire, a answer, name string) T {
	w.t.Helper()
	var fields map[string]json.RawMessage
	decode(w.t, a.envelope.Data, &fields)
	var v T
	decode(w.t, fields[name], &v)
	return v
}
