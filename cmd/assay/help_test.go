package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

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
			words := strings.Fields(line)
			if words[0] != "assay" {
				continue
			}
			shown, rest, err := root.Find(words[1:])
			if err != nil || shown == root {
				t.Errorf("%s: %v", line, err)
			} else if err := shown.ParseFlags(rest); err != nil {
				t.Errorf("%s: %v", line, err)
			}
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
