// Package kpitest is test code: how languages write numbers, and figures that they
// write, from the Intl of node and the script that a page's browser runs.
package kpitest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/qa/kpi"
)

//go:embed intl.js
var script string

// Figure is a value as a language's Intl writes it.
type Figure struct {
	Text  string
	Value float64
	Form  string // short, long, or money
}

// UnmarshalJSON reads a figure of the script's answer.
func (f *Figure) UnmarshalJSON(raw []byte) error {
	return json.Unmarshal(raw, &[]any{&f.Text, &f.Value, &f.Form})
}

// Language holds how a language writes numbers, and figures in it.
type Language struct {
	Writing kpi.Writing `json:"writing"`
	Shown   []Figure    `json:"shown"`
	Dates   []string    `json:"dates"` // the fifth day of each month
}

// Languages lists the languages whose figures must be read: each that CLDR has
// words for, with the regions that write otherwise.
func Languages() []string {
	return strings.Fields("en-US de-DE pt-BR ja-JP af am ar ar-EG ar-MA as az be bg bn bs ca cs cy da de de-AT de-CH el en en-GB en-IN es es-MX " +
		"es-US et eu fa fi fil fr fr-CA fr-CH ga gl gu he hi hr hu hy id is it it-CH ja ka kk km kn ko ky lo lt lv mk ml mn mr " +
		"ms mt my nb ne nl nn or pa pl ps pt pt-PT ro ru sd si sk sl so sq sr sr-Latn sv sw ta te th tk tr uk ur uz vi yue zh zh-Hant zu")
}

// Ask has node write the values in each language. The error says that node is
// missing, or that the script is.
func Ask(ctx context.Context, langs []string, values []float64) (map[string]Language, error) {
	source, err := fromTree(filepath.Join("browser", "outline", "number_writing.js"))
	if err != nil {
		return nil, err
	}
	in, err := json.Marshal([]any{langs, values})
	if err != nil {
		return nil, err
	}
	var failure bytes.Buffer
	run := exec.CommandContext(ctx, "node", "-e", source+script)
	run.Env = []string{} // Intl needs none
	run.Stdin, run.Stderr = bytes.NewReader(in), &failure
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("writing figures with node: %w\n%s", err, failure.Bytes())
	}
	var all []Language
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, fmt.Errorf("figures of node: %w", err)
	}
	byLang := map[string]Language{}
	for _, l := range all {
		byLang[l.Writing.Lang] = l
	}
	return byLang, nil
}
