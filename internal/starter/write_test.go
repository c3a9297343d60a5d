package starter_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/starter"
)

// B18: nothing is written through a symbolic link, neither in the place of a file nor on the way to it: a stranger's
// folder leads to files of ours.
func TestNothingIsWrittenThroughALink(t *testing.T) {
	dir, victim := t.TempDir(), t.TempDir()
	kept := filepath.Join(victim, "kept")
	if err := os.WriteFile(kept, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "tasks"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"mcp.toml": filepath.Join(victim, "made"), ".gitignore": kept, ".mcp.json": kept, ".vscode": victim, "flows": victim,
		"tasks/first.task.toml": filepath.Join(victim, "task"), ".cursor": ".", // within the folder, too
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	files := []starter.File{{To: "mcp.toml", Text: "a"}, {To: "flows/first.flow.toml", Text: "b"}, {To: "tasks/first.task.toml", Text: "c"}, {To: "specs/first.md", Text: "d"}}
	written, err := starter.Write(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	clients, err := starter.ClientsNamed(starter.Home{}, starter.ByDefault())
	if err != nil {
		t.Fatal(err)
	}
	added, err := starter.Add(dir, clients, func(starter.Client) (starter.Server, error) {
		return starter.Server{Command: "assay", Args: []string{"serve"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	written = append(written, added...)
	for _, o := range written {
		linked := !strings.HasSuffix(o.Path, filepath.FromSlash("specs/first.md"))
		if linked != (o.Done == "left") || linked != strings.Contains(o.Reason, "is a symbolic link") {
			t.Errorf("%s", o)
		}
	}
	if len(written) != len(files)+4 {
		t.Errorf("%d outcomes: %v", len(written), written)
	}
	there, err := os.ReadDir(victim)
	if err != nil || len(there) != 1 {
		t.Errorf("written through a link: %v, %v", there, err)
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != "mine\n" {
		t.Errorf("changed through a link: %q, %v", text, err)
	}
}
