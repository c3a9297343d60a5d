package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tiktoken-go/tokenizer"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// Catalogue returns all tools of all sets, as a project has them that lacks nothing.
func Catalogue() []tool.Tool {
	desk := workspace.Workspace{Settings: workspace.Settings{Sets: []string{string(tool.Core), string(tool.Full), string(tool.Author)}, Evaluate: true,
		Suites: struct{ workspace.Suites }{}, Explorations: struct{ workspace.Explorations }{}, Generations: struct{ workspace.Generations }{},
		TestRuns: struct{ workspace.TestRuns }{}, Heals: struct{ workspace.Heals }{}, Draft: &draft.Draft{}}} // without any, their tools are not on offer
	return tools.Catalogue(&desk)
}

// ToolDocs renders the catalogue as docs/tools.md.
func ToolDocs(catalogue []tool.Tool) (string, error) {
	var list, details strings.Builder
	list.WriteString("# Tools\n\nWritten by `make generate` from the catalogue, which is what clients see; don't edit.\n\n")
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return "", err
	}
	list.WriteString("Bytes and tokens (o200k_base) are those of a tool's definition in `tools/list`.\n\n")
	list.WriteString("| tool | set | what it does | bytes | tokens |\n|---|---|---|--:|--:|\n")
	allBytes, allTokens := 0, 0
	for _, tool := range catalogue {
		d := tool.Definition
		raw, err := json.Marshal(d)
		if err != nil {
			return "", fmt.Errorf("%s: %w", d.Name, err)
		}
		tokens, err := codec.Count(string(raw))
		if err != nil {
			return "", fmt.Errorf("%s: %w", d.Name, err)
		}
		allBytes, allTokens = allBytes+len(raw), allTokens+tokens
		fmt.Fprintf(&list, "| [`%s`](#%s) | %s | %s | %d | %d |\n", d.Name, d.Name, tool.Set, inCell(d.Description), len(raw), tokens)

		input, err := ReadSchema(d.RawInputSchema)
		if err != nil {
			return "", fmt.Errorf("%s: input schema: %w", d.Name, err)
		}
		output, err := ReadSchema(d.RawOutputSchema)
		if err != nil {
			return "", fmt.Errorf("%s: output schema: %w", d.Name, err)
		}
		fmt.Fprintf(&details, "\n## %s\n\n%s\n\n*%s*\n", d.Name, plain(d.Description), strings.Join(hints(tool), ", "))
		writeArguments(&details, input, func(p Property) string { return p.Description })
		if data := output.Property("data"); data != nil {
			fmt.Fprintf(&details, "\nAnswers with %s.\n", strings.Join(data.allNames(), ", "))
		}
	}
	fmt.Fprintf(&list, "| all | | | %d | %d |\n", allBytes, allTokens)
	return list.String() + details.String(), nil
}

// hints are the annotations in words. Every one of them is set.
func hints(tool tool.Tool) []string {
	a := tool.Definition.Annotations
	said := func(hint *bool, yes, no string) string {
		if hint != nil && *hint {
			return yes
		}
		return no
	}
	out := []string{said(a.ReadOnlyHint, "read only", "changes something")}
	if out[0] != "read only" {
		out = append(out, said(a.DestructiveHint, "perhaps for good", "nothing that can't be undone"))
	}
	return append(out,
		said(a.IdempotentHint, "twice is once", "twice is not once"),
		said(a.OpenWorldHint, "reaches pages", "stays in the server"))
}

// writeArguments lists the arguments; about says what is told of one.
func writeArguments(w *strings.Builder, input Schema, about func(Property) string) {
	if len(input.Properties) == 0 {
		w.WriteString("\nNo arguments.\n")
		return
	}
	w.WriteString("\n| argument | type | |\n|---|---|---|\n")
	for _, p := range input.Properties {
		name := "`" + p.Name + "`"
		if slices.Contains(input.Required, p.Name) {
			name += " (required)"
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, inCell(p.kind()), inCell(about(p)))
	}
}

// plain keeps what looks like HTML from becoming it.
func plain(s string) string { return strings.ReplaceAll(s, "<", "&lt;") }

func inCell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(plain(s))
}
