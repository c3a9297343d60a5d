package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var quoted = regexp.MustCompile(`"[^"]*"|'[^']*'`)

// Every command has an example in its help, stands in a group, and is not named in
// vain: an example of a command that is gone would mislead.
func TestEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	a := &app{stdin: &bytes.Buffer{}, stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, getenv: func(string) string { return "" }}
	root, left := a.root(), examples()
	delete(left, "")
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		path := strings.TrimPrefix(c.CommandPath(), "assay ")
		if strings.HasPrefix(path, "completion") {
			return // the library's own
		}
		delete(left, path)
		if c != root && c.Parent() == root && c.GroupID == "" {
			t.Errorf("assay %s is in no group", path)
		}
		if !strings.Contains(c.Example, "assay") {
			t.Errorf("%s --help has no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Example) {
			parses(t, root, line)
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
	for path := range left {
		t.Errorf("there is an example of assay %s, and no such command", path)
	}
}

// parses holds a line that is shown against the commands, their flags and arguments.
func parses(t *testing.T, root *cobra.Command, line string) {
	t.Helper()
	line, _, _ = strings.Cut(line, " #")
	line, _, _ = strings.Cut(line, " > ")
	words := strings.Fields(quoted.ReplaceAllString(line, "TEXT"))
	for i, word := range words { // sudo assay …; claude mcp add assay -- /path/to/assay …
		if filepath.Base(word) == "assay" && !slices.Contains(words[i+1:], "--") {
			words = words[i+1:]
			break
		}
	}
	shown, rest, err := root.Find(words)
	if err == nil {
		err = shown.ParseFlags(rest)
	}
	if err == nil {
		err = shown.ValidateArgs(shown.Flags().Args())
	}
	if err != nil || shown == root || shown.HasSubCommands() && shown.Flags().NArg() > 0 {
		t.Errorf("%s: %v", line, err)
	}
}

// Issue 33: what the topics of help show is what the README shows, whose examples are run.
func TestTopicsShowWhatTheReadmeShows(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	a := &app{stdin: &bytes.Buffer{}, stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, getenv: func(string) string { return "" }}
	root := a.root()
	for _, name := range []string{"flows", "tasks", "specs"} {
		text, _ := topic(name)
		for line := range strings.Lines(text) {
			shown, is := strings.CutPrefix(line, "  ")
			switch {
			case !is:
			case strings.HasPrefix(shown, "assay "):
				parses(t, root, shown)
			case !strings.Contains(strings.ReplaceAll(string(readme), "\r\n", "\n"), "\n"+shown):
				t.Errorf("assay help %s shows a line that the README does not: %s", name, shown)
			}
		}
	}
}

// A command or a flag that docs/compatibility.md promises is still there. Settings are flags
// too: internal/laws has them.
func TestPromisedCommandsStay(t *testing.T) {
	t.Parallel()
	const file = "testdata/promised.txt"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	promised := strings.Fields(strings.ReplaceAll(string(raw), " ", "_"))
	a := &app{stdin: &bytes.Buffer{}, stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, getenv: func(string) string { return "" }}
	var now []string
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		path := strings.ReplaceAll(c.CommandPath(), " ", "_")
		now = append(now, path)
		for _, flags := range []*pflag.FlagSet{c.LocalNonPersistentFlags(), c.PersistentFlags()} {
			flags.VisitAll(func(f *pflag.Flag) {
				if !f.Hidden && f.Name != "help" {
					now = append(now, path+"_--"+f.Name)
				}
			})
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(a.root())
	for _, name := range promised {
		if !slices.Contains(now, name) {
			t.Errorf("%s is gone: docs/compatibility.md promises it. Bring it back; or, where a release may end it, delete its line in cmd/assay/%s and say in CHANGELOG.md what to do", strings.ReplaceAll(name, "_", " "), file)
		}
	}
	for _, name := range now {
		if !slices.Contains(promised, name) {
			t.Errorf("add to cmd/assay/%s: %s", file, strings.ReplaceAll(name, "_", " "))
		}
	}
}
