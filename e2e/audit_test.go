package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// conversation is what was said, as far as an audit needs it.
type conversation struct {
	revision  revision
	heard     []message
	asked     map[string]asked // by the request's id
	cancelled map[string]bool
	outputs   map[string]json.RawMessage // output schemas by tool
	damaged   bool                       // the server was killed, or its input cut: not every request gets its answer
}

func newConversation(r revision, outputs map[string]json.RawMessage) conversation {
	return conversation{revision: r, asked: map[string]asked{}, cancelled: map[string]bool{}, outputs: outputs}
}

// faults says what is wrong with a conversation, whatever its test is about:
// anything but valid messages, a request not answered once, progress out of
// order, an answer that breaks its promises. Without schemas, messages are not
// validated; see TestOfficialSchemasAreThere.
func (c *conversation) faults(schemas *official) []string {
	var all []string
	for _, look := range []func() []string{
		func() []string { return c.malformed(schemas) },
		c.unanswered, c.misplacedProgress, c.brokenResults,
	} {
		all = append(all, look()...)
	}
	return all
}

// malformed: every line is a message that the official schema accepts.
func (c *conversation) malformed(schemas *official) (faults []string) {
	for i, m := range c.heard {
		cut := c.damaged && i == len(c.heard)-1 && !strings.HasSuffix(string(m.line), "\n")
		switch {
		case cut:
		case m.problem != nil:
			faults = append(faults, fmt.Sprintf("stdout carries a line that is no message: %v: %s", m.problem, brief(m.line)))
		case schemas == nil:
		default:
			if err := schemas.valid(m, c.asked[key(m.ID)].method); err != nil {
				faults = append(faults, fmt.Sprintf("not valid in %s: %v\n%s", c.revision, err, brief(m.line)))
			}
		}
	}
	return faults
}

// unanswered: each request is answered once, a cancelled one not at all (or,
// when the answer crossed the cancellation, once).
func (c *conversation) unanswered() (faults []string) {
	answers := map[string]int{}
	for _, m := range c.heard {
		if m.Method == "" && m.problem == nil && m.ID != nil {
			answers[key(m.ID)]++
		}
	}
	for id, a := range c.asked {
		n := answers[id]
		delete(answers, id)
		switch {
		case a.method == "": // no request, so no answer is owed
		case n == a.times, c.damaged && n < a.times, c.cancelled[id] && n < a.times:
		default:
			faults = append(faults, fmt.Sprintf("request %s (%s) was sent %d times and answered %d times", id, a.method, a.times, n))
		}
	}
	for id, n := range answers {
		faults = append(faults, fmt.Sprintf("%d answers to %s, which nobody asked", n, id))
	}
	return faults
}

// misplacedProgress: it comes only for requests that asked for it, rising, and
// never after the result.
func (c *conversation) misplacedProgress() (faults []string) {
	owner := map[string]string{}
	for id, a := range c.asked {
		if a.token != "" {
			owner[a.token] = id
		}
	}
	last, answered := map[string]float64{}, map[string]bool{}
	for _, m := range c.heard {
		if m.Method == "" {
			answered[key(m.ID)] = true
		}
		if m.Method != "notifications/progress" {
			continue
		}
		var p struct {
			ProgressToken json.RawMessage
			Progress      float64
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			faults = append(faults, fmt.Sprintf("progress: %v", err))
		}
		token := string(p.ProgressToken)
		before, seen := last[token]
		switch id, known := owner[token]; {
		case !known:
			faults = append(faults, fmt.Sprintf("progress for token %s, which nobody gave", token))
		case answered[id]:
			faults = append(faults, fmt.Sprintf("progress after the answer to request %s", id))
		case seen && p.Progress <= before:
			faults = append(faults, fmt.Sprintf("progress goes from %v to %v", before, p.Progress))
		}
		last[token] = p.Progress
	}
	return faults
}

// mark opens the part of an answer's text that came from a page.
var mark = regexp.MustCompile(`(?m)^<(page-[0-9a-f]+)>$`)

// brokenResults: the error flag says what the envelope says, structured
// content fits the tool's output schema, marks close, and no two answers share
// one.
func (c *conversation) brokenResults() (faults []string) {
	var marks []string
	for _, m := range c.heard {
		request := c.asked[key(m.ID)]
		if m.Method != "" || m.Result == nil || request.method != "tools/call" || asksBack(m) {
			continue
		}
		var a answer
		if err := errors.Join(json.Unmarshal(m.Result, &a), json.Unmarshal(a.StructuredContent, &a.envelope)); err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v in %s", request.tool, err, brief(m.line)))
			continue
		}
		if a.IsError == a.envelope.OK {
			faults = append(faults, fmt.Sprintf("%s: isError is %v and ok is %v", request.tool, a.IsError, a.envelope.OK))
		}
		if a.text() == "" {
			faults = append(faults, fmt.Sprintf("%s: an answer without text: %s", request.tool, brief(m.line)))
		}
		if err := c.unpromised(request.tool, a.StructuredContent); err != nil {
			faults = append(faults, fmt.Sprintf("%s: its own output schema refuses the answer: %v", request.tool, err))
		}
		for _, found := range mark.FindAllStringSubmatch(a.text(), -1) {
			marks = append(marks, found[1])
			if strings.Count(a.text(), "\n</"+found[1]+">") != 1 {
				faults = append(faults, fmt.Sprintf("%s: the mark %s is not closed once: %s", request.tool, found[1], brief([]byte(a.text()))))
			}
		}
	}
	slices.Sort(marks)
	if len(slices.Compact(slices.Clone(marks))) != len(marks) {
		faults = append(faults, fmt.Sprintf("two answers share a mark, so a page can learn it: %v", marks))
	}
	return faults
}

// unpromised validates structured content with the tool's output schema.
func (c *conversation) unpromised(tool string, content json.RawMessage) error {
	schema := c.outputs[tool]
	if schema == nil {
		return nil
	}
	s, err := compile(schema)
	if err != nil {
		return err
	}
	if err := validate(s, content); err != nil {
		return err
	}
	return unnamed(schema, content)
}

// unnamed reports a field of an answer's data that the output schema doesn't name.
func unnamed(schema, content json.RawMessage) error {
	var promised struct {
		Properties struct {
			Data struct {
				Properties map[string]json.RawMessage
				Required   []string
			}
		}
	}
	var given struct{ Data map[string]json.RawMessage }
	if err := errors.Join(json.Unmarshal(schema, &promised), json.Unmarshal(content, &given)); err != nil {
		return err
	}
	data := promised.Properties.Data
	for name := range given.Data {
		if _, known := data.Properties[name]; !known && !slices.Contains(data.Required, name) {
			return fmt.Errorf("data.%s is not named", name)
		}
	}
	return nil
}
