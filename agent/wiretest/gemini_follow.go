package wiretest

import (
	"encoding/json"
	"fmt"
	"slices"
)

// keptParts takes the parts of a content of the request before from the head of
// the same content now.
func keptParts(rest, old blocks) (blocks, []string) {
	var out []string
	for _, o := range old {
		if len(rest) == 0 {
			return nil, append(out, "lost: "+short(o))
		}
		b := rest[0]
		rest = rest[1:]
		if part(b) == part(o) {
			continue
		}
		was, answers := o["functionResponse"].(map[string]any)
		is, _ := b["functionResponse"].(map[string]any)
		switch {
		case o["inlineData"] != nil && b["text"] != nil && size(b) < size(o): // of a model that takes no pictures in responses
		case !answers || is["name"] != was["name"] || is["id"] != was["id"]:
			out = append(out, "changed since it was sent: "+short(o)+"; it is "+short(b))
		case size(b) >= size(o):
			out = append(out, "a result that was sent has changed and is no shorter: "+short(o))
		}
	}
	return rest, out
}

// echoedParts holds what the model is said to have said against what it said.
// Only summaries of its thoughts may be left out; signatures may not.
func echoedParts(now blocks, said []block) []string {
	thought := func(b block) bool { return b["thought"] == true }
	rest := slices.DeleteFunc(slices.Clone(now), thought)
	var out []string
	for _, s := range slices.DeleteFunc(slices.Clone(said), thought) {
		switch {
		case len(rest) > 0 && part(rest[0]) == part(s):
			rest = rest[1:]
		case len(rest) > 0 && part(block{"functionCall": rest[0]["functionCall"], "text": rest[0]["text"]}) == part(block{"functionCall": s["functionCall"], "text": s["text"]}):
			out = append(out, "without the thoughtSignature that it came with: "+short(s))
			rest = rest[1:]
		default:
			out = append(out, "not echoed in its place: "+short(s))
			if len(rest) > 0 && (rest[0]["functionCall"] != nil) == (s["functionCall"] != nil) {
				rest = rest[1:]
			}
		}
	}
	if len(rest) > 0 {
		out = append(out, "the model has not said this: "+short(rest[0]))
	}
	return out
}

// responded takes the responses to the calls from the head of the next content.
func (q *request) responded(rest blocks, said []block) (blocks, []string) {
	var out []string
	for _, s := range said {
		call, ok := s["functionCall"].(map[string]any)
		if !ok {
			continue
		}
		name, _ := call["name"].(string)
		id, _ := call["id"].(string)
		var r map[string]any
		if len(rest) > 0 {
			r, _ = rest[0]["functionResponse"].(map[string]any)
		}
		if r == nil || r["name"] != name {
			out = append(out, fmt.Sprintf("call %s %s is not answered in its place, at the head of the next content", name, id))
			continue
		}
		rest = rest[1:]
		if r["id"] != call["id"] {
			out = append(out, fmt.Sprintf("the response to %s has id %v, and the call %v", name, r["id"], call["id"]))
		}
		out = append(out, q.response(name, id, r)...)
	}
	return rest, out
}

// response judges what a call was answered, and tells the script of it.
func (q *request) response(name, id string, r map[string]any) []string {
	var out []string
	said, ok := r["response"].(map[string]any)
	if !ok {
		out = append(out, "the response to "+name+" has no response")
	}
	if _, given := said["safety_acknowledgement"]; given {
		out = append(out, "a safety decision is acknowledged: only a person may")
	}
	a := Answer{ID: id, Name: name, IsError: said["error"] != nil}
	for _, key := range []string{"output", "error"} {
		if text, isText := said[key].(string); isText {
			a.Text += text
		}
	}
	if a.Text == "" {
		text, _ := json.Marshal(said)
		a.Text = string(text)
	}
	for _, e := range list(r["parts"]) {
		if m, isPart := e.(map[string]any); isPart && m["inlineData"] != nil {
			a.Images++
		}
	}
	if q.seen.Computer && slices.Contains(geminiActions(), name) {
		a.Name = "computer"
		if a.Images == 0 {
			out = append(out, "the action "+name+" is answered without a screenshot")
		}
	}
	q.seen.Answers = append(q.seen.Answers, a)
	return out
}
