package verify

import (
	"context"
	"encoding/xml"

	"github.com/assay-qa/assay/evidence/ledger"
)

// checkCIFiles compares what CI systems read with the report.
func checkCIFiles(ctx context.Context, found *findings, f runFiles, r document) {
	if !r.genuine || r.Evidence == nil {
		return
	}
	want := map[string]string{"runId": r.RunID, "status": string(r.Status), "assay.evidence.checkpoint": r.Evidence.Checkpoint}
	for _, name := range []string{ledger.JUnit, ledger.RichJUnit} {
		if !f.regular[name] {
			continue
		}
		data, err := f.read(ctx, name)
		if err != nil {
			continue // is reported as a subject
		}
		type property struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
		}
		var suite struct {
			Properties []property `xml:"testsuite>properties>property"`
			AtRoot     []property `xml:"properties>property"` // of earlier builds, whose root was the suite
		}
		if err := xml.Unmarshal(data, &suite); err != nil {
			found.fault("view-wrong", name, restore, "it can't be understood: %v", err)
			continue
		}
		for _, p := range append(suite.Properties, suite.AtRoot...) {
			if expected, ok := want[p.Name]; ok {
				found.same("view-wrong", name, expected, p.Value, "the report has another "+p.Name)
			}
		}
	}
}
