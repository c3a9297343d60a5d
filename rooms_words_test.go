package assay_test

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A product supports a rule; who keeps it is an organisation. The word that
// says otherwise occurs nowhere, not even here in one piece.
const claim = "compl" + "iant"

// claims lists the files below root that say so, whatever they are.
func claims(root fs.FS) (found []string, looked int, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".assay", ".git", "bin", "node_modules"}, d.Name()):
			return fs.SkipDir // not ours, or made from ours
		case !d.Type().IsRegular() || name == ".git": // a worktree's leads to the history, which is past
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		looked++
		if bytes.Contains(bytes.ToLower(text), []byte(claim)) || strings.Contains(strings.ToLower(name), claim) {
			found = append(found, name)
		}
		return nil
	})
	return found, looked, err
}

// TestNoClaim: docs, code and pages say "supports" (B8).
func TestNoClaim(t *testing.T) {
	found, looked, err := claims(os.DirFS("."))
	if err != nil || looked < 300 {
		t.Fatalf("%d files, %v: the law would pass on nothing", looked, err)
	}
	for _, name := range found {
		t.Errorf("%s has the word %q: say what the product supports, and what is left to the organisation", name, claim)
	}
	broken := fstest.MapFS{
		"docs/a.md": {Data: []byte("We are Fully " + strings.ToUpper(claim) + ".")}, "b-" + claim + ".txt": {}, "c.md": {Data: []byte("It supports compliance.")},
		"bin/x": {Data: []byte(claim)},
	}
	if found, _, err := claims(broken); err != nil || !slices.Equal(found, []string{"b-" + claim + ".txt", "docs/a.md"}) {
		t.Errorf("on a tree that breaks the law: %q, %v", found, err)
	}
}
