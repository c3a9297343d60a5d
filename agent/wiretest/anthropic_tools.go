package wiretest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// computerToolset is the computer tool of the models of today. It needs no beta.
const computerToolset = "computer_toolset_20260801"

// olderComputers are the computer tools before it, with the betas they need.
func olderComputers() map[string]string {
	return map[string]string{"computer_20251124": "computer-use-2025-11-24", "computer_20250124": "computer-use-2025-01-24"}
}

// bindingBeta lets a request say what becomes of thoughts whose conversation was
// shortened.
const bindingBeta = "thinking-binding-controls-2026-08-01"

// The limits of strict mode, over all tools and the format of a request
// ("Structured outputs" of Anthropic's documentation).
const (
	maxStrictTools    = 20
	maxStrictOptional = 24
)

// tools judges the tools on offer and names them. It returns the type of an
// older computer tool.
func (p *anthropic) tools(h http.Header, b messagesBody, q *request) (legacy string) {
	var needed []string
	if b.Thinking.Binding != nil {
		needed = append(needed, bindingBeta)
	}
	strict, optional := 0, 0
	for i, t := range b.Tools {
		kind, _ := t["type"].(string)
		name, _ := t["name"].(string)
		beta, older := olderComputers()[kind]
		switch {
		case kind == "" || kind == "custom":
			q.problems = append(q.problems, judgeTool(name, t)...)
			if t["strict"] == true {
				strict++
				optional += optionals(t["input_schema"])
			}
		case kind == computerToolset || older:
			q.problems = append(q.problems, judgeComputer(b.Model, kind, older)...)
			name, q.seen.Computer = "computer", true
			if older {
				needed, legacy = append(needed, beta), kind
			}
		default:
			q.say("tools/%d is a %q: this server has function tools and the computer", i, kind)
		}
		if slices.Contains(q.seen.Tools, name) {
			q.say("two tools are called %s", name)
		}
		q.seen.Tools = append(q.seen.Tools, name)
	}
	if strict > maxStrictTools {
		q.say("%d tools are strict: %d are allowed", strict, maxStrictTools)
	}
	if optional > maxStrictOptional {
		q.say("strict tools have %d optional properties: %d are allowed", optional, maxStrictOptional)
	}
	q.problems = append(q.problems, judgeBetas(h, needed)...)
	return legacy
}

// judgeTool finds what is wrong with a function tool beyond the description.
func judgeTool(name string, t map[string]any) []string {
	var out []string
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	const at = "urn:input_schema"
	err := c.AddResource(at, t["input_schema"])
	if err == nil {
		_, err = c.Compile(at)
	}
	if err != nil {
		out = append(out, fmt.Sprintf("tool %s: its input_schema is no JSON Schema 2020-12: %v", name, err))
	}
	if t["strict"] == true {
		for _, s := range anthropicStrict(t["input_schema"]) {
			out = append(out, "tool "+name+" is not strict: "+s)
		}
	}
	return out
}

// judgeComputer holds the computer tool against what the model takes.
func judgeComputer(model, kind string, older bool) []string {
	g, known := generationOf(model)
	if known && (older && !g.legacy || !older && !g.toolset) {
		return []string{model + " takes no " + kind}
	}
	return nil
}

// judgeBetas finds betas that nothing in a request needs, and those that it
// lacks.
func judgeBetas(h http.Header, needed []string) []string {
	var out []string
	var sent []string
	for _, line := range h.Values("Anthropic-Beta") {
		for beta := range strings.SplitSeq(line, ",") {
			sent = append(sent, strings.TrimSpace(beta))
		}
	}
	for _, beta := range needed {
		if !slices.Contains(sent, beta) {
			out = append(out, "the beta "+beta+" is needed and not asked for")
		}
	}
	for _, beta := range sent {
		if !slices.Contains(needed, beta) {
			out = append(out, "the beta "+beta+" is asked for and not needed")
		}
	}
	return out
}

// optionals counts the properties that a schema doesn't require, at all levels.
func optionals(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += optionals(e)
		}
	case map[string]any:
		if properties, ok := v["properties"].(map[string]any); ok {
			n += max(0, len(properties)-len(list(v["required"])))
		}
		for _, e := range v {
			n += optionals(e)
		}
	}
	return n
}

// anthropicStrict finds where a schema breaks the rules of strict tools and of
// the structured answer: no limits of numbers, lengths or counts, and nothing
// beside the properties of an object.
func anthropicStrict(schema any) []string { return anthropicWalk(schema, "") }

func anthropicWalk(v any, at string) []string {
	s, ok := v.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("at %s/: a schema is %v and no object", at, v)}
	}
	refused := []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems", "uniqueItems",
		"minProperties", "maxProperties", "patternProperties", "propertyNames", "oneOf", "not", "if", "then", "else", "prefixItems", "contains", "dependentRequired"}
	var out []string
	for _, word := range slices.Sorted(maps.Keys(s)) {
		if slices.Contains(refused, word) {
			out = append(out, fmt.Sprintf("at %s/: %s is not supported", at, word))
		}
	}
	if n, ok := s["minItems"].(float64); ok && n > 1 {
		out = append(out, fmt.Sprintf("at %s/: minItems may be 0 or 1", at))
	}
	if typed(s, "object") && s["additionalProperties"] != false {
		out = append(out, fmt.Sprintf("at %s/: additionalProperties is not false", at))
	}
	for _, key := range []string{"properties", "$defs", "definitions"} {
		named, _ := s[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(named)) {
			out = append(out, anthropicWalk(named[name], at+"/"+key+"/"+name)...)
		}
	}
	for _, key := range []string{"anyOf", "allOf"} {
		for _, e := range list(s[key]) {
			out = append(out, anthropicWalk(e, at+"/"+key)...)
		}
	}
	if items, ok := s["items"]; ok {
		out = append(out, anthropicWalk(items, at+"/items")...)
	}
	return out
}
