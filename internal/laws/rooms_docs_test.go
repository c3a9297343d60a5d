package laws_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tiktoken-go/tokenizer"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa/claim"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

var update = flag.Bool("update", false, "write generated files instead of comparing with them")

const toolDocs = "docs/tools.md"

// TestToolDocsAreCurrent compares docs/tools.md with the catalogue it is
// generated from.
func TestToolDocsAreCurrent(t *testing.T) {
	desk := everything()
	want, err := describe(tools.Catalogue(&desk))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(toolDocs, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(toolDocs)
	if err != nil {
		t.Fatalf("%v; to write it run: make generate", err)
	}
	// A checkout on Windows may have other line ends.
	if diff := cmp.Diff(strings.ReplaceAll(string(got), "\r\n", "\n"), want); diff != "" {
		t.Errorf("%s is not what the catalogue says (- file, + catalogue); to write it run: make generate\n%s", toolDocs, diff)
	}
}

// everything is a desk at which every tool is on offer.
func everything() workspace.Workspace {
	return workspace.Workspace{Settings: workspace.Settings{Sets: []string{string(tool.Core), string(tool.Full), string(tool.Author)}, Evaluate: true,
		Suites: struct{ workspace.Suites }{}, Explorations: struct{ workspace.Explorations }{}, Generations: struct{ workspace.Generations }{}, TestRuns: struct{ workspace.TestRuns }{}, Heals: struct{ workspace.Heals }{}, Draft: &draft.Draft{}}} // without any, their tools are not on offer
}

// TestFormDocsAreCurrent compares the forms in docs/verdict.md with the tables
// that sentences are read by.
func TestFormDocsAreCurrent(t *testing.T) {
	generated(t, "docs/verdict.md", "forms", claim.Forms())
	generated(t, "docs/specs.md", "acts", claim.ActForms())
}

// tops are the folders at the top that the program is made of, with what is in them.
// Beside them stand docs, testdata, e2e (tests of the built binary) and bench.
func tops() [][2]string {
	return [][2]string{
		{"cmd", "the program: flags, configuration, signals, exit codes"},
		{"server", "MCP over stdio"},
		{"tools", "the catalogue of tools, the workspace that calls share, and the engines that look at a page for them"},
		{"browser", "Playwright: pool, sessions, actions, outlines, pictures; driver, egress, guard"},
		{"visual", "pictures: what differs between two, where, and which element is the cause"},
		{"evidence", "runs, artefacts, signatures, the log; views, verification, retention"},
		{"config", "`mcp.toml` to a typed value"},
		{"qa", "the judgement, without a page: tasks, checks, flows, claims, figures, health, the verdict"},
		{"agent", "the loop of a model's turns, the wires to providers, replay"},
		{"suite", "cases side by side: loading, running, publishing"},
		{"author", "sites explored; tests generated, run, proved, healed, drafted by a model"},
		{"packaging", "what a release has beside archives: npm packages, MCPB bundles, `server.json`, and their sources"},
		{"internal", "what is small and shared, the demo, the wiring of the program, the laws of the tree"},
	}
}

// TestRoomDocsAreCurrent compares the table in ARCHITECTURE.md with the folders at the
// top and the rooms in them. What each room may import stands in rooms() alone.
func TestRoomDocsAreCurrent(t *testing.T) {
	below := map[string][]string{}
	for _, r := range rooms() {
		top, rest, nested := strings.Cut(r.folder, "/")
		if nested {
			below[top] = append(below[top], "`"+rest+"`")
		}
	}
	table := strings.Builder{}
	table.WriteString("| folder | what is in it | rooms below it |\n|---|---|---|\n")
	for _, top := range tops() {
		names := "–"
		if len(below[top[0]]) > 0 {
			slices.Sort(below[top[0]])
			names = strings.Join(below[top[0]], " ")
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", top[0], top[1], names)
	}
	generated(t, "ARCHITECTURE.md", "rooms", table.String())
}

// TestTopIsKnown: at the top stand the folders of the table, and those beside them.
func TestTopIsKnown(t *testing.T) {
	known := map[string]bool{"docs": true, "testdata": true, "e2e": true, "bench": true, "bin": true, "dist": true, "node_modules": true}
	for _, top := range tops() {
		known[top[0]] = true
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && !known[name] && !strings.HasPrefix(name, ".") {
			t.Errorf("%s stands at the top: what is small and shared lies in internal/, everything else below a folder of the table", name)
		}
	}
}

// generated compares the part of a document between two marks with what it is
// generated from, or writes it.
func generated(t *testing.T, file, part, text string) {
	t.Helper()
	begin, end := "<!-- "+part+": written by make generate -->\n", "<!-- end of "+part+" -->"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	document := strings.ReplaceAll(string(raw), "\r\n", "\n")
	before, rest, ok := strings.Cut(document, begin)
	got, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the %s, between %q and %q", file, part, begin, end)
	}
	want := "\n" + text + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("%s is not what its %s say (- file, + generated); to write it run: make generate\n%s", file, part, diff)
	}
}

// A variable that begins with ASSAY_ and is no setting stops the program, so
// none may be in the docs, not even as the place of a secret: who pastes it
// could not start.
func TestVariablesInDocsAreSettings(t *testing.T) {
	known := map[string]bool{"ASSAY_CONFIG": true, "ASSAY_ENV": true, "ASSAY_BIN": true} // the last is of make
	for _, key := range config.Keys() {
		known[key.Env] = true
	}
	for _, name := range append(documents(t), "mcp.toml.example") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, variable := range regexp.MustCompile(`ASSAY_[A-Z_]+`).FindAllString(string(text), -1) {
			if !known[variable] {
				t.Errorf("%s: %s is not a setting: assay refuses to start where it is set", name, variable)
			}
		}
	}
}

// documents are the pages that people read.
func documents(t *testing.T) []string {
	t.Helper()
	all := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"}
	for _, pattern := range []string{"docs/*.md", "docs/tutorials/*.md"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatalf("%s: %v: %v", pattern, some, err)
		}
		all = append(all, some...)
	}
	return all
}

// TestLinksOfDocuments: a link to a file of the tree leads to one, and one to a heading to a heading.
func TestLinksOfDocuments(t *testing.T) {
	links, headings := regexp.MustCompile(`\]\(([^)\s:]+)\)`), map[string][]string{}
	of := func(file string) []string {
		if headings[file] == nil {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			headings[file] = anchors(string(text))
		}
		return headings[file]
	}
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range links.FindAllStringSubmatch(regexp.MustCompile("(?s)\n```.*?\n```|`[^`\n]*`").ReplaceAllString(string(text), ""), -1) {
			file, heading, _ := strings.Cut(link[1], "#")
			target := name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, link[1])
			} else if heading != "" && !slices.Contains(of(target), heading) {
				t.Errorf("%s: %s has no heading #%s", name, target, heading)
			}
		}
	}
}

// anchors are the names of a document's headings, as GitHub makes them.
func anchors(text string) (all []string) {
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(heading[1])), "")
		all = append(all, strings.ReplaceAll(name, " ", "-"))
	}
	return all
}

// describe renders the catalogue as Markdown.
func describe(catalogue []tool.Tool) (string, error) {
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

		input, err := readSchema(d.RawInputSchema)
		if err != nil {
			return "", fmt.Errorf("%s: input schema: %w", d.Name, err)
		}
		output, err := readSchema(d.RawOutputSchema)
		if err != nil {
			return "", fmt.Errorf("%s: output schema: %w", d.Name, err)
		}
		fmt.Fprintf(&details, "\n## %s\n\n%s\n\n*%s*\n", d.Name, plain(d.Description), strings.Join(hints(tool), ", "))
		writeArguments(&details, input)
		if data := output.property("data"); data != nil {
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

func writeArguments(w *strings.Builder, input schema) {
	if len(input.Properties) == 0 {
		w.WriteString("\nNo arguments.\n")
		return
	}
	w.WriteString("\n| argument | type | |\n|---|---|---|\n")
	for _, p := range input.Properties {
		name := "`" + p.name + "`"
		if slices.Contains(input.Required, p.name) {
			name += " (required)"
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, inCell(p.kind()), inCell(p.Description))
	}
}

// plain keeps what looks like HTML from becoming it.
func plain(s string) string { return strings.ReplaceAll(s, "<", "&lt;") }

func inCell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(plain(s))
}

// schema is the part of JSON Schema that our tools use.
type schema struct {
	Type        string     `json:"type"`
	Description string     `json:"description"`
	Enum        []string   `json:"enum"`
	Items       *schema    `json:"items"`
	Required    []string   `json:"required"`
	Properties  properties `json:"properties"`
}

type property struct {
	name string
	schema
}

// properties keep the order in which the tool's Go type declares them.
type properties []property

func (p *properties) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		next := property{name: fmt.Sprint(name)}
		if err := d.Decode(&next.schema); err != nil {
			return err
		}
		*p = append(*p, next)
	}
	return nil
}

func readSchema(raw []byte) (s schema, err error) {
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &s)
	}
	return s, err
}

func (s schema) property(name string) *schema {
	i := slices.IndexFunc(s.Properties, func(p property) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return &s.Properties[i].schema
}

func (s schema) names() []string {
	var out []string
	for _, p := range s.Properties {
		out = append(out, "`"+p.name+"`")
	}
	return out
}

// allNames are the names of the fields that an answer always has, and of the others.
func (s schema) allNames() []string {
	var out []string
	for _, name := range s.Required {
		out = append(out, "`"+name+"`")
	}
	for _, name := range s.names() {
		if !slices.Contains(out, name) {
			out = append(out, name+" (sometimes)")
		}
	}
	return out
}

// kind is the type in words: its values, its fields, or what it is a list of.
func (s schema) kind() string {
	switch {
	case len(s.Enum) > 0:
		return strings.Join(s.Enum, " · ")
	case s.Items != nil:
		return "list of " + s.Items.kind()
	case len(s.Properties) > 0:
		return "object {" + strings.Join(s.names(), ", ") + "}"
	default:
		return s.Type
	}
}
