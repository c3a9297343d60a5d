package wiretest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestDialects holds the rules for schemas of strict tools: each break of them is
// found, and nothing else is.
func TestDialects(t *testing.T) {
	raw, err := os.ReadFile("../../testdata/wires/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Dialect, Case, Says string
		Schema              any
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	rules, err := ruleSchemas()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		got := ""
		if c.Dialect == "azureTools" {
			if err := requiredDeep(c.Schema); err != nil {
				got = err.Error()
			}
		} else {
			got = strings.Join(Problems(rules[c.Dialect], c.Schema), "; ")
		}
		if c.Says == "" && got != "" || !strings.Contains(got, c.Says) {
			t.Errorf("%s: %q, want %q", c.Case, got, c.Says)
		}
	}
}
