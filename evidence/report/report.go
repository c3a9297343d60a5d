package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/assay-qa/assay/qa"
)

// JSON writes the report as the indented document that report.json is.
func JSON(w io.Writer, r qa.QAReport) error {
	doc, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("report %s as JSON: %w", r.RunID, err)
	}
	if _, err := w.Write(append(doc, '\n')); err != nil {
		return fmt.Errorf("report %s as JSON: %w", r.RunID, err)
	}
	return nil
}

// Views returns the documents for people and for CI systems, by their names in
// the run's folder.
func Views(r qa.QAReport) (map[string][]byte, error) {
	views := map[string]func(io.Writer, qa.QAReport) error{
		"report.html":    func(w io.Writer, r qa.QAReport) error { return HTML(w, r, Options{}) },
		"report.md":      Markdown,
		"junit.xml":      JUnit,
		"junit-rich.xml": RichJUnit,
		"ctrf.json":      CTRF,
		"qareport.json":  Strict,
	}
	out := make(map[string][]byte, len(views))
	for name, view := range views {
		var b bytes.Buffer
		if err := view(&b, r); err != nil {
			return nil, err
		}
		out[name] = b.Bytes()
	}
	return out, nil
}
