package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/tools/tool"
)

// toolPages returns a page of Markdown for each tool of the catalogue.
func toolPages(catalogue []tool.Tool) ([]page, error) {
	examples, err := Examples(catalogue)
	if err != nil {
		return nil, err
	}
	var out []page
	for _, t := range catalogue {
		text, err := toolPage(t, examples)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Definition.Name, err)
		}
		out = append(out, page{Path: "tools/" + t.Definition.Name + ".md", Text: text})
	}
	return out, nil
}

func toolPage(t tool.Tool, examples []Example) (string, error) {
	d := t.Definition
	input, err := ReadSchema(d.RawInputSchema)
	if err != nil {
		return "", fmt.Errorf("input schema: %w", err)
	}
	output, err := ReadSchema(d.RawOutputSchema)
	if err != nil {
		return "", fmt.Errorf("output schema: %w", err)
	}
	var w strings.Builder
	fmt.Fprintf(&w, "# %s\n\n%s\n\n*%s*\n\nIt is one of the toolset `%s`: %s.\n\n## Arguments\n", d.Name, plain(d.Description), strings.Join(hints(t), ", "), t.Set, offered(t.Set))
	writeArguments(&w, input, explained)
	for _, p := range input.Properties {
		writeFields(&w, p.Name, p.Schema)
	}
	w.WriteString("\n## Example\n")
	for _, e := range examples {
		if e.Tool == d.Name {
			if err := writeExample(&w, e); err != nil {
				return "", err
			}
		}
	}
	if data := output.Property("data"); data != nil {
		w.WriteString("\n## Fields of the answer\n\n| field of `data` | type | |\n|---|---|---|\n")
		for _, p := range data.Properties {
			about := inCell(p.Description)
			if !slices.Contains(data.Required, p.Name) {
				about = strings.TrimSpace("sometimes. " + about)
			}
			fmt.Fprintf(&w, "| `%s` | %s | %s |\n", p.Name, inCell(p.kind()), about)
		}
	}
	fmt.Fprintf(&w, "\n## In a flow\n\n%s\n\nAll tools, with what their definitions cost a model: [Tools](../docs/tools.md#%s).\n", inFlow(t), d.Name)
	return w.String(), nil
}

// explained says of an argument what its tool says. What many tools have is not described to
// models, which would read it in each definition.
func explained(p Property) string {
	return cmp.Or(p.Description, map[string]string{
		"session_id": "session of browser_launch; default: the one that the first call opens",
		"selector":   "which element: a line of page_snapshot, CSS, XPath, text=, role=, testid= or label=",
		"intent":     "why, in your words",
		"timeout_ms": "how long it may take",
		"expects":    "expectations of the run that the check proves, such as E1",
		"watch_ms":   "how long the page is watched after its last change",
	}[p.Name])
}

// offered says which settings have the tools of a set on offer.
func offered(set tool.Set) string {
	if set == tool.Core {
		return "every project has it"
	}
	return fmt.Sprintf("a project has it with `sets = [%q]` below `[tools]` in `mcp.toml` ([Settings](../settings.md))", string(set))
}

// inFlow says how a flow repeats a call.
func inFlow(t tool.Tool) string {
	switch repeat := t.Spec.Repeat; {
	case repeat.Step != nil:
		return "`assay export --flow` repeats a call by a step of a [flow](../docs/flows.md)."
	case repeat.Nothing:
		return "A call leaves nothing that a [flow](../docs/flows.md) has to repeat: `assay export --flow` leaves it out."
	}
	return "No step of a [flow](../docs/flows.md) does what a call does, unless the call's check is one that a flow asserts: `assay export --flow` names each gap."
}

// writeFields writes the fields of an argument that is an object or a list of objects.
func writeFields(w *strings.Builder, name string, s Schema) {
	for s.Items != nil {
		name, s = name+"[]", *s.Items
	}
	if len(s.Properties) == 0 {
		return
	}
	fmt.Fprintf(w, "\nFields of `%s`:\n\n| field | type | |\n|---|---|---|\n", name)
	for _, p := range s.Properties {
		field := "`" + p.Name + "`"
		if slices.Contains(s.Required, p.Name) {
			field += " (required)"
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", field, inCell(p.kind()), inCell(p.Description))
	}
	for _, p := range s.Properties {
		writeFields(w, name+"."+p.Name, p.Schema)
	}
}

func writeExample(w *strings.Builder, e Example) error {
	call := struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}{e.Tool, e.Arguments}
	raw, err := indented(call)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s\n\n```json\n%s```\n", plain(e.About), raw)
	if e.NotRun != "" {
		fmt.Fprintf(w, "\nNo test has this call answered: %s.\n", plain(e.NotRun))
		return nil
	}
	answer, err := indented(e.Answer)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nA model reads:\n\n```text\n%s\n```\n\n<details>\n<summary>A program reads</summary>\n\n```json\n%s```\n\n</details>\n", strings.Join(e.Text, "\n"), answer)
	w.WriteString("\nA test has this call answered on the [sample dashboard](../README.md). Ids, times, digests and folders stand here in one form, and long lists are cut.\n")
	return nil
}

// indented returns a value as JSON for readers.
func indented(v any) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return out.String(), err
}
