package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-qa/assay/evidence/report"
)

// A7, A19: qareport.json has the specification's keys and no other one but
// extensions, null for what is missing, and the statuses that it knows. What
// report.json has beyond it is under extensions, unchanged.
func TestStrictReport(t *testing.T) {
	schema := specified(t, "A/qareport.schema.json")
	for name, r := range samples(t) {
		doc := []byte(render(t, report.Strict, r))
		tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(tree); err != nil && name != "hostile" && name != "empty" { // these have statuses that no run has
			t.Errorf("%s: %v", name, err)
		}
		var strict, whole map[string]json.RawMessage
		var extensions map[string]json.RawMessage
		decodeAll(t, doc, &strict)
		decodeAll(t, strict["extensions"], &extensions)
		decodeAll(t, []byte(render(t, report.JSON, r)), &whole)
		for key, value := range whole { // extensions first: it has the same key with more in it
			got, ok := extensions[key]
			if !ok {
				got = strict[key]
			}
			if !sameJSON(t, got, value) {
				t.Errorf("%s: %s of report.json is lost or another one", name, key)
			}
		}
	}
}

// A7: several ranges of one KPI can be told apart, and what could not be compared is
// missing, never ok.
func TestStrictKPIs(t *testing.T) {
	var doc struct {
		KPITable []struct{ Label, Status string }
		Links    map[string]*string
	}
	decodeAll(t, []byte(render(t, report.Strict, kpiReport())), &doc)
	var rows []string
	for _, row := range doc.KPITable {
		rows = append(rows, row.Label+" "+row.Status)
	}
	if got := strings.Join(rows, ", "); got != "Revenue (today) ok, Revenue (7d) mismatch, Orders missing, Conversion missing, Visitors missing" {
		t.Error(got)
	}
	if transcript, given := doc.Links["rawTranscriptUrl"]; !given || transcript != nil || doc.Links["traceUrl"] == nil {
		t.Errorf("links %v", doc.Links)
	}
}

// specified compiles a schema of testdata/specifications.
func specified(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("../../testdata/specifications/" + name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func decodeAll(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func sameJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return false
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}
