package wiretest

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// words returns the text of a turn: said, refused, or the structured end.
func (s Say) words() string {
	switch {
	case s.Fault == Refusal && s.Text == "":
		return "I'm sorry, but I can't help with that."
	case len(s.Final) > 0:
		return string(s.Final)
	default:
		return s.Text
	}
}

// usage returns what a turn says it took, by its names in the files of answers. In
// "$fresh" is what no cache had; thoughts are among the output, or "$apart" from what
// is "$spoken".
func (s Say) usage(q *request, said any) map[string]any {
	in, out, apart := max(cmp.Or(s.Input, len(q.seen.Body)/10), s.Cached), cmp.Or(s.Output, size(said)/10+1), 0
	if s.Think != "" {
		apart = out / 2
	}
	return map[string]any{"$input": in, "$fresh": in - s.Cached, "$cached": s.Cached, "$output": out, "$total": in + out,
		"$thought": len(s.Think) / 10, "$apart": apart, "$spoken": out - apart}
}

// calls returns the function calls of a turn, with the ids and the arguments (in
// Raw) that go over the wire.
func (s Say) calls(id func() string) []Call {
	var out []Call
	for i, c := range s.Calls {
		if c.ID == "" {
			c.ID = id()
		}
		if s.Fault == DuplicateID && i > 0 {
			c.ID = out[0].ID
		}
		if c.Raw == "" {
			c.Raw = "{}"
			if raw, err := json.Marshal(c.Args); err == nil && c.Args != nil {
				c.Raw = string(raw)
			}
		}
		if i == len(s.Calls)-1 && (s.Fault == Truncated || s.Fault == MaxTokens) {
			c.Raw = c.Raw[:len(c.Raw)/2]
		}
		out = append(out, c)
	}
	if s.Fault == DuplicateID && len(out) == 1 {
		out = append(out, out[0])
	}
	return out
}

// object returns the arguments on wires that send them as an object: of such as
// were cut, none came whole. What is no object goes out as the text that it is.
func (s Say) object(c Call) any {
	if v, err := Decode([]byte(c.Raw)); err == nil {
		return v
	}
	if s.Fault == MaxTokens || s.Fault == Truncated {
		return obj{}
	}
	return c.Raw
}

// safety returns the first check that is pending.
func (s Say) safety(otherwise string) string {
	for _, a := range s.Computer {
		if a.Safety != "" {
			return a.Safety
		}
	}
	return otherwise
}

// seal stands for what only the provider can read.
func seal(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "gAAAA" + base64.StdEncoding.EncodeToString(append(sum[:], text...))
}

// texts joins the texts of a content: a string, or parts.
func texts(content any) string {
	if text, ok := content.(string); ok {
		return text
	}
	var out []string
	for _, e := range List(content) {
		part, _ := e.(obj)
		if text, ok := part["text"].(string); ok {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n")
}

// images counts the pictures among parts.
func images(content any) int {
	n := 0
	for _, e := range List(content) {
		part, _ := e.(obj)
		switch part["type"] {
		case "input_image", "image_url", "image":
			n++
		}
	}
	return n
}

// without is an object without some of its fields, and without nulls.
func without(o obj, names ...string) obj {
	out := obj{}
	for k, v := range o {
		if v != nil {
			out[k] = v
		}
	}
	for _, name := range names {
		delete(out, name)
	}
	return out
}
