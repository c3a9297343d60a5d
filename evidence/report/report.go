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

// Views returns the documents for people by their names in the run's folder.
func Views(r qa.QAReport) (map[string][]byte, error) {
	var html, markdown bytes.Buffer
	if err := HTML(&html, r, Options{}); err != nil {
		return nil, err
	}
	if err := Markdown(&markdown, r); err != nil {
		return nil, err
	}
	return map[string][]byte{"report.html": html.Bytes(), "report.md": markdown.Bytes()}, nil
}
