package e2e_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxCatalogue bounds what every model reads before it does anything.
const maxCatalogue = 27_000

var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// coreTools are those of the contract that this version has.
func coreTools() []string {
	return []string{
		"browser_launch", "browser_close", "page_navigate", "page_snapshot", "page_click", "page_fill", "page_select",
		"page_press", "page_hover", "page_wait_for_selector", "page_screenshot", "page_evaluate",
		"page_get_console_logs", "page_get_network_logs", "network_intercept",
		"verify_page_loads", "verify_element_exists", "verify_assertion", "verify_user_flow", "analyze_console_errors",
		"capture_visual_baseline", "compare_visual_regression", "kpi_oracle", "check_kpis", "assert", "run_start", "run_finish",
	}
}

// catalogued checks the list of tools as a client gets it (B1, B2).
func (w *wire) catalogued() {
	w.t.Helper()
	list := w.ask("tools/list", nil)
	if n := len(list.Result); n > maxCatalogue {
		w.t.Errorf("tools/list has %d bytes, more than %d", n, maxCatalogue)
	}
	var result struct{ Tools []json.RawMessage }
	decode(w.t, list.Result, &result)
	var names []string
	for _, raw := range result.Tools {
		names = append(names, w.sound(raw))
	}
	for _, want := range coreTools() {
		if !slices.Contains(names, want) {
			w.t.Errorf("tools/list lacks %s", want)
		}
	}
	for name, schema := range w.outputs {
		if schema != nil && !strings.Contains(string(schema), `"required":["ok"]`) {
			w.t.Errorf("%s: no field of the answers is required: %s", name, schema)
		}
		if schema == nil && strings.HasPrefix(name, "verify_") {
			w.t.Errorf("%s: a verdict tool without an output schema", name)
		}
	}
}

// sound checks one tool's definition against what all model providers take,
// and returns its name.
func (w *wire) sound(raw json.RawMessage) string {
	w.t.Helper()
	var tool struct {
		Name, Title, Description  string
		InputSchema, OutputSchema map[string]any
		Annotations               map[string]any
	}
	decode(w.t, raw, &tool)
	if !toolName.MatchString(tool.Name) || tool.Description == "" || tool.Title == "" {
		w.t.Errorf("tool %q with title %q and description %q: all are needed, and letters, digits, - and _ only", tool.Name, tool.Title, tool.Description)
	}
	for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if _, ok := tool.Annotations[hint].(bool); !ok {
			w.t.Errorf("%s: %s is not explicit", tool.Name, hint)
		}
	}
	if tool.Annotations["readOnlyHint"] == true && tool.Annotations["destructiveHint"] == true {
		w.t.Errorf("%s: reads only, and destroys", tool.Name)
	}
	for _, schema := range []map[string]any{tool.InputSchema, tool.OutputSchema} {
		if schema == nil {
			continue
		}
		if schema["type"] != "object" {
			w.t.Errorf("%s: the schema's type is %v", tool.Name, schema["type"])
		}
		for _, combinator := range []string{"oneOf", "anyOf", "allOf", "not", "if"} {
			if _, ok := schema[combinator]; ok {
				w.t.Errorf("%s: %s at the top of the schema", tool.Name, combinator)
			}
		}
		w.portable(tool.Name, schema)
	}
	if tool.InputSchema == nil || fieldless(tool.InputSchema) {
		w.t.Errorf("%s: no input schema, or an object in it without fields: %v", tool.Name, tool.InputSchema)
	}
	return tool.Name
}

// fieldless reports whether a schema has an object without fields, which some
// providers refuse and no model can fill in.
func fieldless(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, fieldless)
	case map[string]any:
		fields, _ := v["properties"].(map[string]any)
		return v["type"] == "object" && len(fields) == 0 || slices.ContainsFunc(slices.Collect(maps.Values(v)), fieldless)
	}
	return false
}

// portable checks a schema's insides: some provider refuses each of these.
func (w *wire) portable(tool string, v any) {
	w.t.Helper()
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			w.portable(tool, item)
		}
	case map[string]any:
		if _, ok := v["$schema"]; ok {
			w.t.Errorf("%s: $schema", tool)
		}
		if _, ok := v["type"].([]any); ok {
			w.t.Errorf("%s: a list of types: %v", tool, v["type"])
		}
		for _, item := range v {
			w.portable(tool, item)
		}
	}
}
