package text_test

import (
	"strings"
	"testing"
	standard "text/template"

	texts "github.com/assay-qa/assay/internal/text"
)

// TestExecute holds what is written against text/template.
func TestExecute(t *testing.T) {
	t.Parallel()
	values := map[string]any{"name": "Ada <b>", "none": "", "list": []string{"a", "b"}, "empty": []string(nil), "yes": true, "no": false, "has": map[string]bool{"one": true}}
	for _, text := range []string{
		"", "plain {{.name}}\n", "{{if .yes}}y{{else}}n{{end}}{{if .no}}y{{else}}n{{end}}", "{{with .name}}-{{.}}-{{end}}{{with .none}}x{{else}}{{$.name}}{{end}}",
		"{{range .list}}[{{.}} {{$.name}}]{{end}}{{range .empty}}x{{end}}", "a {{- if .has.one}} b {{- end}} c{{if .has.two}}x{{end}}",
		`{{if and .yes (eq .name "Ada <b>")}}1{{end}}{{if and .yes (ne .name .none)}}2{{end}}{{if not .no}}3{{end}}{{if or .no .list}}4{{end}}`,
		"{{if .no}}1{{else if .yes}}2{{end}}{{/* nothing */}}",
	} {
		var want strings.Builder
		if err := standard.Must(standard.New("").Parse(text)).Execute(&want, values); err != nil {
			t.Fatal(err)
		}
		if got, err := texts.Fill(text, values); err != nil || got != want.String() {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want.String())
		}
	}
	for _, text := range []string{"{{", "{{.unknown}}", "{{.list}}", "{{range .name}}{{end}}", "{{eq .name}}", "{{len .name}}", "{{$x := .name}}", "{{.name | not}}", "{{.name.x}}", "{{template \"x\"}}", "{{and}}"} {
		if got, err := texts.Fill(text, values); err == nil {
			t.Errorf("%s is taken: %q", text, got)
		}
	}
}
