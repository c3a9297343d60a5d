package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/schema"
)

// Some providers refuse an object without fields, so that a map is listed as texts
// name=value. Both forms are read alike, at any depth; the older one stays (D6).
func TestMapsAreTakenAsTexts(t *testing.T) {
	t.Parallel()
	form := schema.Of[struct {
		KPISpec   *qa.KPISpec       `json:"kpiSpec,omitempty"`
		Ranges    []qa.Range        `json:"ranges,omitempty"`
		Tolerance *qa.Tolerances    `json:"tolerance,omitempty"`
		Visual    []qa.VisualCheck  `json:"visual,omitempty"`
		Headers   map[string]string `json:"headers,omitempty"`
		Arg       map[string]any    `json:"arg,omitempty"`
	}]()
	for _, tt := range []struct{ name, texts, object, fault string }{
		{"values", `{"kpiSpec": {"type": "staticValues", "values": ["Orders=195", "Ratio = a=b"]}}`, `{"kpiSpec": {"type": "staticValues", "values": {"Orders": "195", "Ratio": "a=b"}}}`, ""},
		{"in a list", `{"ranges": [{"name": "7d", "params": ["range=7d"]}]}`, `{"ranges": [{"name": "7d", "params": {"range": "7d"}}]}`, ""},
		{"tolerances", `{"tolerance": {"perKpi": ["Orders=1%", "Revenue=0.5"]}}`, `{"tolerance": {"perKpi": {"Orders": {"percent": 1}, "Revenue": {"absolute": 0.5}}}}`, ""},
		{"numbers", `{"visual": [{"name": "a", "components": ["css=nav=0.05"]}]}`, `{"visual": [{"name": "a", "components": {"css=nav": 0.05}}]}`, ""},
		{"no number", `{"visual": [{"name": "a", "components": ["css=nav"]}]}`, "", `"nav" is no number`},
		{"headers", `{"headers": ["Content-Type: text/html; charset=utf-8", "X=a:b"]}`, `{"headers": {"Content-Type": "text/html; charset=utf-8", "X": "a:b"}}`, ""},
		{"an object as JSON", `{"arg": "{\"a\": [1]}"}`, `{"arg": {"a": [1]}}`, ""},
		{"objects as they were", `{"arg": {"a": "b"}, "headers": {"X": "1"}}`, `{"arg": {"a": "b"}, "headers": {"X": "1"}}`, ""},
		{"no name", `{"headers": ["x"]}`, "", `"headers[0]" is no text name=value: "x"`},
		{"no text", `{"kpiSpec": {"values": [7]}}`, "", `"kpiSpec.values[0]" is no text name=value: 7`},
		{"twice", `{"headers": ["a=1", "a=2"]}`, "", `"a" is given twice`},
		{"no tolerance", `{"tolerance": {"perKpi": ["Orders=some"]}}`, "", `"some" is no tolerance`},
		{"no JSON", `{"arg": "a"}`, "", `"arg" is no JSON object`},
	} {
		var args, want any
		if err := json.Unmarshal([]byte(tt.texts), &args); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		got, err := schema.FromLists(args, form, "")
		if tt.fault != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.fault)
			}
			continue
		}
		if err := json.Unmarshal([]byte(tt.object), &want); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if fault := schema.ReadNumbers(got); fault != nil {
			t.Errorf("%s: %v", tt.name, fault)
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
}

// The tools take what their lists of fields say.
func TestListedFormsAreTaken(t *testing.T) {
	t.Parallel()
	d := offline(t)
	a := d.ok("kpi_oracle", `{"spec": {"type": "staticValues", "values": ["Orders=195", "Revenue=€1,240"]}}`)
	if diff := cmp.Diff(map[string]any{"Orders": 195.0, "Revenue": "€1,240"}, a.Data["data"]); diff != "" {
		t.Error(diff)
	}
	d.ok("run_start", `{"goal": "g", "kpiSpec": {"type": "staticValues", "values": ["Orders=195"]}, "metadata": ["team=web"], "tolerance": {"perKpi": ["Orders=1%%"]},
		"expectations": [{"text": "all is well", "assertion": {"type": "console_clean", "not": null, "expected": null}, "selector": null}]}`)
}

// A path of an input that doesn't exist is a mistake in a tool's file.
func TestListingRefusesUnknownPaths(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a path that leads nowhere is accepted")
		}
	}()
	schema.Brief(&jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}, schema.Listing{Enums: map[string][]string{"nowhere": {"a"}}})
}
