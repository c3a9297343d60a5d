package site

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Issue 34: each document is found in the navigation, and each page that it names is there.
func TestNavigationNamesEveryDocument(t *testing.T) {
	t.Parallel()
	b := Build{Source: "../.."}
	names, err := documents(b.Source)
	if err != nil || len(names) < 25 {
		t.Fatalf("%d documents: %v", len(names), err)
	}
	pages := []page{{Path: "settings.md"}, {Path: "commands.md"}, {Path: "commands/run.md"}, {Path: "LICENSE.md"}}
	for _, name := range names {
		pages = append(pages, page{Path: name})
	}
	ofTools, err := toolPages(Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, ofTools...)
	sections, err := b.navigation(pages)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, s := range sections {
		named += len(s.Pages)
	}
	if named != len(pages) {
		t.Errorf("the navigation names %d of %d pages", named, len(pages))
	}
	if _, err := b.navigation(append(pages, page{Path: "docs/new.md"})); err == nil || !strings.Contains(err.Error(), "no place for docs/new.md") {
		t.Errorf("a document without a place: %v", err)
	}
	if _, err := b.navigation(pages[1:]); err == nil || !strings.Contains(err.Error(), "names settings.md, which is no page") {
		t.Errorf("a name without a page: %v", err)
	}
}

// Issue 34: each tool has an example that a test has answered, or the reason why none has.
func TestEveryToolHasAnExample(t *testing.T) {
	t.Parallel()
	catalogue := Catalogue()
	all, err := Examples(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range all {
		answered := len(e.Text) > 0 && e.Answer != nil
		if answered == (e.NotRun != "") {
			t.Errorf("example %d (%s) has an answer: %v, and a reason why it has none: %q", i+1, e.Tool, answered, e.NotRun)
		}
	}
	notRun := 0
	for _, tool := range catalogue {
		for _, e := range all {
			if e.Tool == tool.Definition.Name && e.NotRun != "" {
				if notRun++; tool.Set != "author" {
					t.Errorf("%s is of the set %s, and its example is not run: %s", e.Tool, tool.Set, e.NotRun)
				}
			}
		}
	}
	if notRun > 4 {
		t.Errorf("%d examples are not run, more than 4", notRun)
	}
	if _, err := Examples(catalogue[1:]); err == nil {
		t.Error("an example of a tool that is gone is no error")
	}
}

// The page of a tool says of each argument what it is, also of the fields of objects, and shows
// the call with its answer.
func TestToolPage(t *testing.T) {
	t.Parallel()
	pages, err := toolPages(Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if p.Path != "tools/verify_user_flow.md" {
			continue
		}
		for _, want := range []string{
			"# verify_user_flow\n", "| `steps` (required) | list of object", "Fields of `steps[]`:", "| `action` (required) | navigate ·", "Fields of `steps[].assertion`:",
			"\"name\": \"verify_user_flow\"", "A model reads:", "PASSED: 4 of 4 steps", "\"success\": true", "| `steps_completed` | integer |", "the toolset `core`",
		} {
			if !strings.Contains(p.Text, want) {
				t.Errorf("the page has no %q:\n%s", want, p.Text)
			}
		}
		return
	}
	t.Error("there is no page of verify_user_flow")
}

// The page of a command has what its help says: each part in its place, and each flag.
func TestCommandPages(t *testing.T) {
	t.Parallel()
	printed := map[string]string{
		"help exit-codes": "  0    all passed\n  2    a file is <wrong>\n",
		"help":            "About.\n\nUsage:\n  assay [command]\n\nStart here:\n  runs        Look at runs\n\nFlags:\n  -v, --verbose   log\n\nUse \"assay [command] --help\" for more.\n",
		"help runs":       "Look at runs\n\nUsage:\n  assay runs [command]\n\nExamples:\n  assay runs list\n\nAvailable Commands:\n  list        List them\n\nFlags:\n  -h, --help   help for runs\n",
		"help runs list": "List them_all.\n\n  as = \"shown\"\n\nUsage:\n  assay runs list [flags]\n\nExamples:\n  assay runs list --json   # all\n\nFlags:\n" +
			"      --json                  print a|b\n      --replay auto|only      when\n                              it is used\n\nGlobal Flags:\n      --env string   environment\n\nEvery setting of mcp.toml is a flag too.\n",
	}
	pages, err := commandPages(t.Context(), func(_ context.Context, args ...string) (string, error) {
		text, is := printed[strings.Join(args, " ")]
		if !is {
			return "", fmt.Errorf("asked for %q", args)
		}
		return text, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, p := range pages {
		texts[p.Path] = p.Text
	}
	for name, wants := range map[string][]string{
		"commands.md":      {"| [`assay runs`](commands/runs.md) | Look at runs |", "| [`assay runs list`](commands/runs-list.md) |"},
		"commands/runs.md": {"- [`assay runs list`](runs-list.md)"},
		"commands/runs-list.md": {
			"# assay runs list\n\nList them\\_all.\n\n```text\n  as = \"shown\"\n```\n", "```text\nassay runs list [flags]\n```", "```sh\nassay runs list --json   # all\n```", "| `--json` | print a\\|b |",
			"| `--replay auto\\|only` | when it is used |", "| `--env string` | environment |", "| 0 | all passed |", "| 2 | a file is &lt;wrong> |",
		},
	} {
		for _, want := range wants {
			if !strings.Contains(texts[name], want) {
				t.Errorf("%s has no %q:\n%s", name, want, texts[name])
			}
		}
	}
	if len(pages) != 3 {
		t.Errorf("%d pages, want 3", len(pages))
	}
}

// Without its generator nothing is made, and the error says how to have it.
func TestGeneratorIsMissing(t *testing.T) {
	t.Parallel()
	source := t.TempDir()
	if err := os.MkdirAll(filepath.Join(source, "packaging", "site"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := Build{Source: source}.generate(t.Context(), "content.json", t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "npm ci --prefix packaging/site") {
		t.Errorf("without the generator: %v", err)
	}
}

// The pages are made in a folder that is new, empty or an older site. Nothing else is deleted.
func TestOnlyAnOlderSiteIsDeleted(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	put := func(name string) {
		t.Helper()
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("tree/source/README.md")
	put("tree/source/assets/search-index.js") // the mark alone must not be enough for these two
	put("tree/assets/search-index.js")
	put("letters/one.txt")
	put("file")
	put("old/index.html")
	put("old/" + mark)
	if err := os.MkdirAll(filepath.Join(top, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(top, "tree"), filepath.Join(top, "link")); err != nil {
		t.Logf("a link to the source is not tried: %v", err)
	}
	source := filepath.Join(top, "tree", "source")
	for to, says := range map[string]string{"tree/source": "has the source", "tree": "has the source", "link": "has the source", "letters": "no older site", "file": "name a new folder"} {
		if _, err := os.Lstat(filepath.Join(top, to)); err != nil {
			continue
		}
		if err := makeRoom(source, filepath.Join(top, to)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("pages in %s: %v, which doesn't say %q", to, err, says)
		}
	}
	for _, kept := range []string{"tree/source/README.md", "tree/assets/search-index.js", "letters/one.txt", "file"} {
		if _, err := os.Stat(filepath.Join(top, kept)); err != nil {
			t.Error(err)
		}
	}
	for _, to := range []string{"old", "empty", "new/site"} {
		for range 2 { // the second time it is a site that was not finished
			if err := makeRoom(source, filepath.Join(top, to)); err != nil {
				t.Errorf("pages in %s: %v", to, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(top, "old", "index.html")); err == nil {
		t.Error("a page of the older site is still there")
	}
}
