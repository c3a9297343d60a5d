package report

import (
	"encoding/json"
	"fmt"

	"github.com/assay-qa/assay/qa"
)

// View makes one document of a report.
type View func(qa.QAReport) ([]byte, error)

// Views returns the documents for people and for CI systems, by their names in
// the run's folder.
func Views(r qa.QAReport) (map[string][]byte, error) {
	out := map[string][]byte{}
	for name, view := range map[string]View{
		"report.html": func(r qa.QAReport) ([]byte, error) { return HTML(r, Options{}) },
		"report.md":   Markdown, "junit.xml": JUnit, "junit-rich.xml": RichJUnit, "ctrf.json": CTRF, "qareport.json": Strict,
	} {
		var err error
		if out[name], err = view(r); err != nil {
			return nil, fmt.Errorf("report %s: %s: %w", r.RunID, name, err)
		}
	}
	return out, nil
}

// JSON returns the report as the indented document that report.json is.
func JSON(r qa.QAReport) ([]byte, error) { return indented(r) }

// indented returns a value as our JSON documents have it.
func indented(v any) ([]byte, error) {
	doc, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode as JSON: %w", err)
	}
	return append(doc, '\n'), nil
}
