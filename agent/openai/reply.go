package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// modelTurn holds what a turn needs to be sent back: its items as they came, and the
// calls among them.
type modelTurn struct {
	items []json.RawMessage
	asked []asked
}

type asked struct {
	id       string // of the call, for the loop
	sent     string // by which the provider does
	computer bool
}

// reply reads the provider's answer.
func (m *Model) reply(body []byte, c agent.Conversation) (agent.Reply, error) {
	if err := m.readable(body, "output"); err != nil {
		return agent.Reply{}, err
	}
	var answer response
	if err := json.Unmarshal(body, &answer); err != nil {
		return agent.Reply{}, m.broken(answer, "the answer is no response: "+err.Error())
	}
	if err := m.ended(answer); err != nil {
		return agent.Reply{}, err
	}
	out := agent.Reply{Usage: usage(answer), Cut: answer.Status == "incomplete"}
	s := modelTurn{items: answer.Output}
	var texts, ending []string
	useful := 0 // items up to the last that is no reasoning
	for i, raw := range answer.Output {
		var it item
		if err := json.Unmarshal(raw, &it); err != nil {
			return agent.Reply{}, m.broken(answer, fmt.Sprintf("output[%d] is no item: %v", i, err))
		}
		if it.Type != "reasoning" {
			useful = i + 1
		}
		switch it.Type {
		case "message":
			var message outputMessage
			if err := json.Unmarshal(raw, &message); err != nil {
				return agent.Reply{}, m.broken(answer, fmt.Sprintf("output[%d], a message: %v", i, err))
			}
			text, refusal := spoken(message)
			if refusal != "" {
				e := m.fault(agent.Refused, refusal)
				e.Status, e.Usage = http.StatusOK, out.Usage
				return agent.Reply{}, e
			}
			texts = append(texts, text)
			if message.Phase == "final_answer" {
				ending = append(ending, text)
			}
		case "function_call", "computer_call":
			call, err := m.call(it.Type, raw, c)
			if err != nil {
				return agent.Reply{}, m.broken(answer, fmt.Sprintf("output[%d], a %s: %v", i, it.Type, err))
			}
			a := asked{id: unused(it.CallID, c, out.Calls), sent: it.CallID, computer: it.Type == "computer_call"}
			call.ID = a.id
			out.Calls, s.asked = append(out.Calls, call), append(s.asked, a)
		default:
			if it.CallID != "" { // it waits for an answer that cannot be given
				return agent.Reply{}, m.broken(answer, fmt.Sprintf("output[%d] is a %s, which was not on offer", i, it.Type))
			}
		}
	}
	if ending != nil {
		texts = ending // the rest was a commentary on the way
	}
	out.Text = strings.TrimSpace(strings.Join(texts, "\n"))
	s.items = s.items[:useful] // reasoning that led to nothing is not taken back
	out.Raw = s
	return out, nil
}

// broken makes the error of an answer that breaks the protocol.
func (m *Model) broken(answer response, message string) *agent.ModelError {
	e := m.fault(agent.BadAnswer, message)
	e.Status, e.Usage = http.StatusOK, usage(answer)
	return e
}

// ended returns the error of an answer that holds no turn, or nil.
func (m *Model) ended(answer response) error {
	var e *agent.ModelError
	switch answer.Status {
	case "", "completed":
		return nil
	case "incomplete":
		if answer.IncompleteDetails.Reason != "content_filter" {
			return nil
		}
		e = m.fault(agent.Refused, "the provider's content filter ended the turn")
	case "failed":
		e = m.fault(failureOf(answer.Error.Code), strings.Trim(answer.Error.Code+": "+answer.Error.Message, ": "))
	default:
		e = m.fault(agent.BadAnswer, fmt.Sprintf("the answer is %q: it is no turn yet", answer.Status))
	}
	e.Status, e.Usage = http.StatusOK, usage(answer)
	return e
}

// failureOf reports what the code of a failed response means.
func failureOf(code string) agent.Fault {
	switch {
	case code == "server_error" || code == "":
		return agent.Unavailable
	case code == "rate_limit_exceeded":
		return agent.RateLimited
	case code == "context_length_exceeded":
		return agent.TooLong
	case isPolicy(code):
		return agent.Refused
	default:
		return agent.BadRequest
	}
}

func usage(answer response) agent.Usage {
	u := answer.Usage
	return agent.Usage{Input: u.Input, Cached: u.Details.Cached, Output: u.Output}
}

// spoken returns a message's text, and the words by which the model refuses.
func spoken(message outputMessage) (text, refusal string) {
	for _, part := range message.Content {
		text += part.Text
		refusal += part.Refusal
	}
	return text, refusal
}

// call makes a call of ours, without its id.
func (m *Model) call(kind string, raw json.RawMessage, c agent.Conversation) (agent.Call, error) {
	if kind == "function_call" {
		var f functionCall
		if err := json.Unmarshal(raw, &f); err != nil {
			return agent.Call{}, err
		}
		call := agent.Call{Name: f.Name, Arguments: written(f.Arguments)}
		if i := slices.IndexFunc(c.Tools, func(t agent.Tool) bool { return t.Name == f.Name }); i >= 0 {
			call.Arguments = withoutNulls(call.Arguments, c.Tools[i].Schema)
		}
		return call, nil
	}
	var wanted computerCall
	if err := json.Unmarshal(raw, &wanted); err != nil {
		return agent.Call{}, err
	}
	arguments, err := computerArguments(wanted, scaleOf(c))
	var checks []string
	for _, check := range wanted.Checks {
		checks = append(checks, strings.Trim(check.Code+": "+check.Message, ": "))
	}
	call := agent.Call{Name: computerTool, Arguments: arguments, Confirm: strings.Join(checks, "; ")}
	if len(checks) > 0 && call.Confirm == "" {
		call.Confirm = "a safety check that the provider does not explain"
	}
	return call, err
}

// written returns a call's arguments as the model wrote them: in a string, or, by
// servers that only resemble OpenAI's, as they are.
func written(arguments json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(arguments, &text) == nil { // also null
		return json.RawMessage(text)
	}
	return arguments
}

// unused returns the provider's id of a call, or one of ours where that is empty
// or was used before.
func unused(id string, c agent.Conversation, calls []agent.Call) string {
	taken := func(id string) bool {
		same := func(call agent.Call) bool { return call.ID == id }
		return id == "" || slices.ContainsFunc(calls, same) ||
			slices.ContainsFunc(c.Turns, func(t agent.Turn) bool { return slices.ContainsFunc(t.Reply.Calls, same) })
	}
	own := id
	for n := 1; taken(own); n++ {
		own = fmt.Sprintf("call-%d-%d-%d", len(c.Turns)+1, len(calls)+1, n)
	}
	return own
}
