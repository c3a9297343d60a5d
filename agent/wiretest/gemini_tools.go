package wiretest

import (
	"fmt"
	"maps"
	"slices"

	"google.golang.org/genai"
)

// maxFunctions is how many functions a request may declare.
const maxFunctions = 512

// geminiActions are the functions that the computer tool brings with it, in the
// vocabulary of before 3.5 and in that of today.
func geminiActions() []string {
	return []string{"open_web_browser", "wait_5_seconds", "go_back", "go_forward", "search", "navigate", "click_at", "hover_at", "type_text_at", "key_combination",
		"scroll_document", "scroll_at", "drag_and_drop",
		"click", "double_click", "triple_click", "middle_click", "right_click", "mouse_down", "mouse_up", "move", "type", "wait", "press_key", "key_down", "key_up",
		"hotkey", "take_screenshot", "scroll"}
}

// tools judges the tools on offer and the form of the answer.
func (gemini) tools(b generateContent, model string, q *request) {
	var functions []string
	for i, t := range b.Tools {
		known := 0
		if t.ComputerUse != nil {
			known++
			q.seen.Computer = true
			q.seen.Tools = append(q.seen.Tools, "computer")
			if t.ComputerUse.Environment != genai.EnvironmentBrowser {
				q.say("the computer's environment is %q", t.ComputerUse.Environment)
			}
		}
		if len(t.FunctionDeclarations) > 0 {
			known++
		}
		if known == 0 {
			q.say("tools/%d is neither functions nor the computer: %s", i, short(t))
		}
		for _, f := range t.FunctionDeclarations {
			q.problems = append(q.problems, judgeFunction(f)...)
			if slices.Contains(functions, f.Name) {
				q.say("two functions are called %s", f.Name)
			}
			functions = append(functions, f.Name)
		}
	}
	if len(functions) > maxFunctions {
		q.say("%d functions: %d are allowed", len(functions), maxFunctions)
	}
	for _, f := range functions {
		if q.seen.Computer && slices.Contains(geminiActions(), f) {
			q.say("the function %s is one of the computer's", f)
		}
	}
	q.seen.Tools = append(q.seen.Tools, functions...)
	q.problems = append(q.problems, judgeForm(b.GenerationConfig, model, len(b.Tools) > 0)...)
}

// judgeFunction holds a declaration against Google's rules.
func judgeFunction(f *genai.FunctionDeclaration) []string {
	var out []string
	if !geminiName.MatchString(f.Name) {
		out = append(out, fmt.Sprintf("a function can't be called %q", f.Name))
	}
	if f.Parameters != nil && f.ParametersJsonSchema != nil {
		out = append(out, "function "+f.Name+" has both parameters and parametersJsonSchema")
	}
	if f.ParametersJsonSchema != nil {
		root, _ := f.ParametersJsonSchema.(map[string]any)
		if root["type"] != "object" {
			out = append(out, "function "+f.Name+": its parameters are no object")
		}
		for _, s := range geminiSubset(f.ParametersJsonSchema, "") {
			out = append(out, "function "+f.Name+": "+s)
		}
	}
	return out
}

// judgeForm holds the demanded form of the answer against Google's rules: a
// schema needs the MIME type, and tools beside it a model of 3 or later.
func judgeForm(c *genai.GenerationConfig, model string, tools bool) []string {
	if c == nil {
		return nil
	}
	var out []string
	if c.CandidateCount > 1 {
		out = append(out, "more than one candidate is asked for")
	}
	if c.ResponseJsonSchema != nil && c.ResponseSchema != nil {
		out = append(out, "both responseSchema and responseJsonSchema")
	}
	if c.ResponseJsonSchema == nil && c.ResponseSchema == nil && c.ResponseMIMEType != "application/json" {
		return out
	}
	if c.ResponseMIMEType != "application/json" {
		out = append(out, "a schema of the answer without responseMimeType application/json")
	}
	if v := geminiVersion(model); tools && v > 0 && v < 30 {
		out = append(out, model+" takes no tools together with responseMimeType application/json")
	}
	if c.ResponseJsonSchema != nil {
		for _, s := range geminiSubset(c.ResponseJsonSchema, "") {
			out = append(out, "responseJsonSchema: "+s)
		}
	}
	return out
}

// geminiWords are the keywords of JSON Schema that Gemini takes ("Structured
// outputs" of its documentation).
func geminiWords() []string {
	return []string{"$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum", "maximum",
		"anyOf", "oneOf", "properties", "additionalProperties", "required", "propertyOrdering"}
}

// geminiSubset finds where a schema goes beyond the subset.
func geminiSubset(v any, at string) []string {
	s, ok := v.(map[string]any)
	if !ok {
		if v == true || v == false {
			return nil
		}
		return []string{fmt.Sprintf("at %s/: a schema is %v", at, v)}
	}
	var out []string
	for _, word := range slices.Sorted(maps.Keys(s)) {
		if !slices.Contains(geminiWords(), word) {
			out = append(out, fmt.Sprintf("at %s/: %s is not supported", at, word))
		}
		if s["$ref"] != nil && word[0] != '$' {
			out = append(out, fmt.Sprintf("at %s/: %s beside $ref", at, word))
		}
	}
	for _, e := range list(s["enum"]) {
		switch e.(type) {
		case string, float64:
		default:
			out = append(out, fmt.Sprintf("at %s/: enum holds %v: texts and numbers are supported", at, e))
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for _, name := range list(s["required"]) {
		if n, isText := name.(string); !isText || properties[n] == nil {
			out = append(out, fmt.Sprintf("at %s/: it requires %v, which is no property", at, name))
		}
	}
	for _, key := range []string{"properties", "$defs"} {
		named, _ := s[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(named)) {
			out = append(out, geminiSubset(named[name], at+"/"+key+"/"+name)...)
		}
	}
	for _, key := range []string{"anyOf", "oneOf", "prefixItems"} {
		for _, e := range list(s[key]) {
			out = append(out, geminiSubset(e, at+"/"+key)...)
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if inner, given := s[key]; given {
			out = append(out, geminiSubset(inner, at+"/"+key)...)
		}
	}
	return out
}
