package wiretest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// gemini is the Gemini API.
type gemini struct{ actions actions }

// geminiVersion is the version in a model's name, times ten; 0 if there is none.
func geminiVersion(model string) int {
	m := geminiNumber.FindStringSubmatch(model)
	if m == nil {
		return 0
	}
	var version int
	_, _ = fmt.Sscan(m[1]+(m[2] + "0")[:1], &version) // digits
	return version
}

var geminiNumber = pattern.New(`^gemini-(\d+)(?:\.(\d))?`)

// isGeminiAction reports a function that the computer tool brings with it, in the
// vocabulary of before 3.5 or in that of today.
func isGeminiAction(name string) bool {
	return slices.Contains(strings.Fields(`open_web_browser wait_5_seconds go_back go_forward search navigate click_at hover_at type_text_at key_combination
		scroll_document scroll_at drag_and_drop click double_click triple_click middle_click right_click mouse_down mouse_up move type wait press_key key_down key_up
		hotkey take_screenshot scroll`), name)
}

func (p gemini) read(_ *http.Request, body obj, q *request) {
	for _, e := range List(body["tools"]) {
		if t, _ := e.(obj); t["computerUse"] != nil {
			q.seen.Computer = true
			q.seen.Tools = append([]string{"computer"}, q.seen.Tools...)
		}
	}
	q.offer(body["tools"])
	system, _ := body["systemInstruction"].(obj)
	q.seen.System = texts(system["parts"])
	q.entries = p.entries(body["contents"])
	for _, content := range List(body["contents"]) { // in their order: the last is what coordinates count on
		for part := range Objects(content) {
			data, _ := part["inlineData"].(obj)
			if c, err := PictureOf(data); err == nil {
				q.screen.width, q.screen.height = c.Width, c.Height
			}
		}
	}
}

func (p gemini) entries(v any) []entry {
	var out []entry
	for _, v := range List(v) {
		content, _ := v.(obj)
		for _, v := range List(content["parts"]) {
			part, _ := v.(obj)
			role, _ := content["role"].(string)
			e := entry{role: role, kind: otherEntry, whole: v}
			text, isText := part["text"].(string)
			call, isCall := part["functionCall"].(obj)
			response, isResponse := part["functionResponse"].(obj)
			switch {
			case part["thought"] == true: // a summary, which is the model's own
				e.kind, e.optional = thoughtEntry, true
			case isText:
				e.kind, e.text = textEntry, text
			case part["inlineData"] != nil:
				e.kind = pictureEntry
			case isCall:
				e.kind = callEntry
				e.id, _ = call["id"].(string)
				e.name, _ = call["name"].(string)
				e.group, e.computer = e.name, isGeminiAction(e.name)
				e.looks = e.computer
				bare := without(call)
				if bare["args"] == nil {
					bare["args"] = obj{}
				}
				e.whole = obj{"functionCall": bare, "thoughtSignature": part["thoughtSignature"]}
			case isResponse:
				e.kind, e.images = answerEntry, len(List(response["parts"]))
				e.id, _ = response["id"].(string)
				e.group, _ = response["name"].(string)
				said, _ := response["response"].(obj)
				e.text, _ = said["output"].(string)
				if failure, ok := said["error"].(string); ok {
					e.text, e.failed = e.text+failure, true
				}
				if e.text == "" {
					e.text = short(said)
				}
			}
			out = append(out, e)
		}
	}
	return out
}

// say renders a turn as a GenerateContentResponse. Arguments that are no object
// are what the provider itself calls a malformed function call.
func (p gemini) say(t *conversation, q *request, s Say) (obj, any, string) {
	var parts []any
	reason := "STOP"
	switch s.Fault {
	case Empty:
	case Refusal:
		reason = "SAFETY"
	case BadCall:
		reason = "MALFORMED_FUNCTION_CALL"
	default:
		parts = p.parts(t, q, s)
		if parts == nil {
			reason = "MALFORMED_FUNCTION_CALL"
		} else if s.Fault == MaxTokens || s.Fault == Truncated {
			reason = "MAX_TOKENS"
		}
	}
	fields := obj{"responseId": t.id("response-")}
	candidate := obj{"index": 0, "finishReason": reason}
	content := obj{"role": "model"}
	if len(parts) > 0 {
		content["parts"] = parts
	}
	if reason == "MALFORMED_FUNCTION_CALL" {
		candidate["finishMessage"] = "Malformed function call"
	} else {
		candidate["content"] = content
	}
	if s.Fault == Refusal && s.Text == "" { // the prompt is refused; a text was begun otherwise
		fields["promptFeedback"] = obj{"blockReason": "PROHIBITED_CONTENT"}
	} else {
		fields["candidates"] = []any{candidate}
	}
	return fields, []any{content}, ""
}

// parts are the parts of a turn; nil says that a call could not be made. Models
// of 3 and later give their calls ids, and sign the first of them.
func (p gemini) parts(t *conversation, q *request, s Say) []any {
	out := []any{}
	if s.Think != "" {
		out = append(out, obj{"text": s.Think, "thought": true})
	}
	text := s.words()
	if s.Fault == MaxTokens && len(s.Calls) == 0 {
		text = text[:len(text)/2] + " …"
	}
	if text != "" {
		out = append(out, obj{"text": text})
	}
	modern, first := geminiVersion(q.model) >= 30, true
	call := func(id, name string, args obj, safety string) {
		function := obj{"name": name, "args": args}
		if modern {
			function["id"] = id
		}
		part := obj{"functionCall": function}
		if first && s.Fault == SafetyPending && safety == "" {
			safety = "This may do harm. Should I go on?"
		}
		if safety != "" {
			args["safety_decision"] = obj{"decision": "require_confirmation", "explanation": safety}
		}
		if first && (modern || s.Think != "") {
			part["thoughtSignature"] = strings.TrimPrefix(seal(s.Think+name), "gAAAA")
		}
		first = false
		out = append(out, part)
	}
	actions := s.Computer
	if s.Fault == SafetyPending && q.seen.Computer && len(actions) == 0 {
		actions = []Action{{Kind: "click"}}
	}
	for _, a := range actions {
		action := p.action(q, a)
		name, _ := action["name"].(string)
		args, _ := action["args"].(obj)
		call(t.id("call-"), name, args, a.Safety)
	}
	for _, c := range s.calls(func() string { return t.id("call-") }) {
		args, ok := s.object(c).(obj)
		if !ok {
			return nil
		}
		call(c.ID, c.Name, args, "")
	}
	return out
}

// action is an action in the vocabulary of the model. Coordinates are thousandths
// of the last picture that it was shown; of none, they are taken as they are.
func (p gemini) action(q *request, a Action) obj {
	vocabulary := "old "
	if geminiVersion(q.model) >= 35 {
		vocabulary = ""
		if a.Kind == "key" && !strings.Contains(a.Text, "+") {
			vocabulary = "single "
		}
	}
	return p.actions.of(a, vocabulary, func(v int, across bool) int {
		length := q.screen.height
		if across {
			length = q.screen.width
		}
		if length > 0 {
			v = v * 1000 / length
		}
		return min(max(v, 0), 999)
	})
}
