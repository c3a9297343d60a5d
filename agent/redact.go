package agent

import (
	"bytes"
	"encoding/json"
	"fmt"

	texts "github.com/assay-qa/assay/internal/text"
)

// withheld stands for a picture that the model is not shown.
const withheld = "(a picture was taken and is in the run's evidence; it is not shown, because what agent.redact hides can't be hidden in it)"

// shown returns an answer as the model reads it: redacted, without withheld
// pictures, and shortened.
func (l *loop) shown(r Result) Result {
	parts := make([]Part, 0, len(r.Parts))
	for _, p := range r.Parts {
		switch {
		case p.Image == nil:
			p.Text = bounded(l.Redact(p.Text))
		case l.Withhold:
			p = Part{Text: withheld}
		}
		parts = append(parts, p)
	}
	r.Parts = parts
	return r
}

// bounded shortens a text that is too long for a conversation, and notes that
// it did.
func bounded(text string) string {
	if len(text) <= maxShown {
		return text
	}
	kept := texts.Bytes(text, maxShown)
	return fmt.Sprintf("%s\n(cut: %d more bytes; ask for less, by root, find or max_chars)", kept, len(text)-len(kept))
}

// redacted hides in the texts of JSON what must not be seen. What is no JSON is
// hidden as a text.
func redacted(hide func(string) string, data json.RawMessage) json.RawMessage {
	if len(data) == 0 {
		return data
	}
	var v any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		v = string(data)
	}
	out, err := json.Marshal(hideTexts(hide, v))
	if err != nil {
		return json.RawMessage(`"(not shown)"`)
	}
	return out
}

func hideTexts(hide func(string) string, v any) any {
	switch v := v.(type) {
	case string:
		return hide(v)
	case json.Number:
		if text := hide(v.String()); text != v.String() {
			return text
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[hide(name)] = hideTexts(hide, item)
		}
		return out
	case []any:
		for i := range v {
			v[i] = hideTexts(hide, v[i])
		}
	}
	return v
}
