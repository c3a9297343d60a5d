package gemini

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// read makes a turn of the provider's answer.
func (m *Model) read(body []byte, c agent.Conversation) (agent.Reply, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return agent.Reply{}, m.fault(agent.BadAnswer, "the answer can't be read: "+err.Error(), agent.Usage{})
	}
	usage := agent.Usage{
		Input:  a.Usage.Prompt + a.Usage.ToolUse,
		Cached: a.Usage.Cached,
		Output: a.Usage.Candidates + a.Usage.Thoughts,
	}
	if len(a.Candidates) == 0 {
		if a.PromptFeedback.BlockReason != "" {
			return agent.Reply{}, m.fault(agent.Refused, fmt.Sprintf("the request was blocked: %s %s", a.PromptFeedback.BlockReason, a.PromptFeedback.BlockReasonMessage), usage)
		}
		return agent.Reply{}, m.fault(agent.BadAnswer, "the answer holds no candidate", usage)
	}
	candidate := a.Candidates[0]
	reply := agent.Reply{Usage: usage}
	switch candidate.FinishReason {
	case "", "STOP":
	case "MAX_TOKENS", "CONTINUATION":
		reply.Cut = true
	case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION":
		return agent.Reply{}, m.fault(agent.Refused, endingText(candidate.FinishReason, candidate.FinishMessage), usage)
	default: // above all MALFORMED_FUNCTION_CALL
		return agent.Reply{}, m.fault(agent.BadAnswer, endingText(candidate.FinishReason, candidate.FinishMessage), usage)
	}
	var said content
	if len(candidate.Content) > 0 {
		if err := json.Unmarshal(candidate.Content, &said); err != nil {
			return agent.Reply{}, m.fault(agent.BadAnswer, "the content can't be read: "+err.Error(), usage)
		}
	}
	m.turn(&reply, candidate.Content, said, c)
	return reply, nil
}

// endingText names the reason with which a turn ended.
func endingText(reason, message string) string {
	return strings.TrimSpace(fmt.Sprintf("the turn ended with %s. %s", reason, message))
}

// turn fills in what the model said.
func (m *Model) turn(reply *agent.Reply, raw json.RawMessage, what content, c agent.Conversation) {
	var turn modelTurn
	if len(what.Parts) > 0 {
		turn.content = ofModel(raw, what.Role)
	}
	names := agent.FreshIDs(c)
	for _, p := range what.Parts {
		if !p.Thought {
			reply.Text += p.Text
		}
		f := p.FunctionCall
		if f == nil {
			continue
		}
		call := agent.Call{ID: names(f.ID, len(reply.Calls)), Name: f.Name, Arguments: f.Args, Confirm: confirm(f.Args)}
		s := sent{id: f.ID, name: f.Name}
		s.computer = m.computer() && act(&call, c.Screen)
		reply.Calls = append(reply.Calls, call)
		turn.calls = append(turn.calls, s)
	}
	reply.Raw = turn
}

// ofModel returns a content that says whose it is: without a role it would count
// as the user's.
func ofModel(raw json.RawMessage, role string) json.RawMessage {
	var fields map[string]json.RawMessage
	if role != "" || json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	fields["role"] = json.RawMessage(`"model"`)
	return encoded(fields)
}

// confirm returns what the provider wants a person to confirm, or nothing. A
// form that isn't recognised counts as a request to confirm.
func confirm(arguments json.RawMessage) string {
	var a struct {
		Safety json.RawMessage `json:"safety_decision"`
	}
	if json.Unmarshal(arguments, &a) != nil || len(a.Safety) == 0 || string(a.Safety) == "null" {
		return ""
	}
	var s struct{ Decision, Explanation string }
	if json.Unmarshal(a.Safety, &s) != nil && json.Unmarshal(a.Safety, &s.Decision) != nil {
		return string(a.Safety)
	}
	if slices.Contains([]string{"regular", "allowed"}, strings.ToLower(s.Decision)) {
		return ""
	}
	return cmp.Or(s.Explanation, s.Decision, string(a.Safety))
}
