package wiretest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// say renders a turn as a GenerateContentResponse. Arguments that are no object
// are what the provider itself calls a malformed function call.
func (gemini) say(t *talk, q *request, s Say) reply {
	own, _ := q.own.(contents)
	var parts []any
	reason := "STOP"
	blocked := s.Fault == Refusal && s.Text == "" // the prompt is; a text was begun otherwise
	switch s.Fault {
	case Empty:
	case Refusal:
		reason = "SAFETY"
	case BadCall:
		reason = "MALFORMED_FUNCTION_CALL"
	default:
		parts = own.parts(t, q.seen.Computer, s)
		if parts == nil {
			reason = "MALFORMED_FUNCTION_CALL"
		} else if s.Fault == MaxTokens || s.Fault == Truncated {
			reason = "MAX_TOKENS"
		}
	}
	in, out := s.tokens(len(q.seen.Body), size(parts))
	thoughts := 0
	if s.Think != "" {
		thoughts = out / 2
	}
	usage := map[string]any{"promptTokenCount": in, "cachedContentTokenCount": s.Cached, "candidatesTokenCount": out - thoughts, "thoughtsTokenCount": thoughts, "totalTokenCount": in + out}
	whole := map[string]any{"usageMetadata": usage, "modelVersion": own.model, "responseId": t.id("response-")}
	candidate := map[string]any{"index": 0, "finishReason": reason}
	switch {
	case blocked:
		whole["promptFeedback"] = map[string]any{"blockReason": "PROHIBITED_CONTENT"}
	case reason == "MALFORMED_FUNCTION_CALL":
		candidate["finishMessage"] = "Malformed function call"
	case len(parts) == 0:
		candidate["content"] = map[string]any{"role": "model"}
	default:
		candidate["content"] = map[string]any{"role": "model", "parts": parts}
	}
	if !blocked {
		whole["candidates"] = []any{candidate}
	}
	a := answerJSON(http.StatusOK, whole)
	a.again = s.Fault == BadCall
	if len(parts) > 0 {
		raw, err := json.Marshal(parts)
		var said []block
		if err == nil && json.Unmarshal(raw, &said) == nil {
			a.said = said
		}
	}
	return a
}

// parts are the parts of a turn; nil says that a call could not be made. Models
// of 3 and later give their calls ids, and sign the first of them.
func (own contents) parts(t *talk, computer bool, s Say) []any {
	out := []any{}
	if s.Think != "" {
		out = append(out, map[string]any{"text": s.Think, "thought": true})
	}
	text := s.Text
	if len(s.Final) > 0 {
		text = string(s.Final)
	}
	if s.Fault == MaxTokens && len(s.Calls) == 0 {
		text = text[:len(text)/2] + " …"
	}
	if text != "" {
		out = append(out, map[string]any{"text": text})
	}
	modern := geminiVersion(own.model) >= 30
	first := true
	call := func(id, name string, args map[string]any) {
		f := map[string]any{"name": name, "args": args}
		p := map[string]any{"functionCall": f}
		if modern {
			f["id"] = id
		}
		if first && s.Fault == SafetyPending && args["safety_decision"] == nil {
			args["safety_decision"] = decision("This may do harm. Should I go on?")
		}
		if first && (modern || s.Think != "") {
			p["thoughtSignature"] = signature(s.Think + name)
		}
		first = false
		out = append(out, p)
	}
	actions := s.Computer
	if s.Fault == SafetyPending && computer && len(actions) == 0 {
		actions = []Action{{Kind: "click"}}
	}
	for _, a := range actions {
		name, args := a.gemini(own)
		if a.Safety != "" {
			args["safety_decision"] = decision(a.Safety)
		}
		call(t.id("call-"), name, args)
	}
	for _, c := range s.calls(func() string { return t.id("call-") }) {
		args, ok := c.object(s.Fault == MaxTokens || s.Fault == Truncated).(map[string]any)
		if !ok {
			return nil
		}
		call(c.ID, c.Name, args)
	}
	return out
}

// decision is what the provider wants a person to decide.
func decision(explanation string) map[string]any {
	return map[string]any{"decision": "require_confirmation", "explanation": explanation}
}

// signature is bytes in base64, as the client decodes them.
func signature(text string) string { return strings.TrimPrefix(seal(text), "gAAAA") }

// gemini is an action in the vocabulary of the model. Coordinates are thousandths
// of the last picture that it was shown; of none, they are taken as they are.
func (a Action) gemini(own contents) (string, map[string]any) {
	grid := func(v, length int) int {
		if length > 0 {
			v = v * 1000 / length
		}
		return min(max(v, 0), 999)
	}
	x, y := grid(a.X, own.screen.width), grid(a.Y, own.screen.height)
	toX, toY := grid(a.ToX, own.screen.width), grid(a.ToY, own.screen.height)
	direction, pixels := a.scroll()
	if geminiVersion(own.model) >= 35 {
		return a.geminiNow(map[string]any{"x": x, "y": y, "intent": "to " + a.Kind}, toX, toY, direction, pixels)
	}
	at := map[string]any{"x": x, "y": y}
	switch a.Kind {
	case "click":
		return "click_at", at
	case "move":
		return "hover_at", at
	case "type":
		at["text"], at["press_enter"], at["clear_before_typing"] = a.Text, false, true
		return "type_text_at", at
	case "key":
		return "key_combination", map[string]any{"keys": strings.ToLower(a.Text)}
	case "scroll":
		at["direction"], at["magnitude"] = direction, min(pixels, 999)
		return "scroll_at", at
	case "drag":
		at["destination_x"], at["destination_y"] = toX, toY
		return "drag_and_drop", at
	case "wait":
		return "wait_5_seconds", map[string]any{}
	case "screenshot":
		return "open_web_browser", map[string]any{} // what this vocabulary has to look at the page
	default:
		return a.Kind, at
	}
}

// geminiNow is an action in the vocabulary of 3.5 and later.
func (a Action) geminiNow(at map[string]any, toX, toY int, direction string, pixels int) (string, map[string]any) {
	intent := map[string]any{"intent": at["intent"]}
	switch a.Kind {
	case "type":
		intent["text"], intent["press_enter"] = a.Text, false
		return "type", intent
	case "key":
		keys := strings.Split(strings.ToUpper(strings.ReplaceAll(a.Text, "Control", "Ctrl")), "+")
		if len(keys) == 1 {
			intent["key"] = keys[0]
			return "press_key", intent
		}
		intent["keys"] = keys
		return "hotkey", intent
	case "scroll":
		at["direction"], at["magnitude_in_pixels"] = direction, min(pixels, 999)
		return "scroll", at
	case "drag":
		intent["start_x"], intent["start_y"], intent["end_x"], intent["end_y"] = at["x"], at["y"], toX, toY
		return "drag_and_drop", intent
	case "wait":
		intent["seconds"] = 1
		return "wait", intent
	case "screenshot":
		return "take_screenshot", intent
	default: // click, double_click, right_click, move
		return a.Kind, at
	}
}
