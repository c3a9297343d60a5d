package tools_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
)

// A6, A19: a tolerance is a text, a number or null, as the specification writes it,
// and what is unknown of the evidence is null.
func TestAssertTakesTheSpecificationsTolerance(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../testdata/specifications/A/assert.json")
	if err != nil {
		t.Fatal(err)
	}
	var calls map[string]json.RawMessage
	if err := json.Unmarshal(data, &calls); err != nil {
		t.Fatal(err)
	}
	d := offline(t)
	d.ok("run_start", `{"goal": "g"}`)
	for name, want := range map[string]*qa.Tolerance{"percent": {Percent: 1}, "text": {Absolute: 0.5}, "number": {Absolute: 2}, "none": nil} {
		id := d.ok("assert", "%s", calls[name]).Data["assertionId"]
		run, err := d.Run()
		if err != nil {
			t.Fatal(err)
		}
		all := run.Record().Findings
		filed := all[len(all)-1]
		if diff := cmp.Diff(want, filed.Tolerance); diff != "" || filed.ID != id {
			t.Errorf("%s: %s is filed as %s (-want +got):\n%s", name, id, filed.ID, diff)
		}
		if name == "percent" && (len(filed.Evidence) != 1 || filed.Evidence[0].Selector != "testid=revenue" || filed.Evidence[0].Time == nil) {
			t.Errorf("evidence: %+v", filed.Evidence)
		}
	}
	for _, wrong := range []string{`"about 1"`, `"1,5"`, `"NaN"`, `"-1%"`, `true`} {
		args := strings.Replace(string(calls["percent"]), `"1%"`, wrong, 1)
		if a := d.raw("assert", args); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "tolerance") {
			t.Errorf("%s: %s", wrong, a.text)
		}
	}
}
