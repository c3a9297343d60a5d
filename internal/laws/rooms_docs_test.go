package laws_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/packaging/site"
	"github.com/assay-qa/assay/qa/claim"
)

var update = flag.Bool("update", false, "write generated files instead of comparing with them")

const toolDocs = "docs/tools.md"

// TestToolDocsAreCurrent compares docs/tools.md with the catalogue it is
// generated from.
func TestToolDocsAreCurrent(t *testing.T) {
	want, err := site.ToolDocs(site.Catalogue())
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
