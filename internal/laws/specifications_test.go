package laws_test

import (
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDifferencesAreHeld: each difference from the specifications on purpose, in
// docs/specifications.md, has its reason there and a test that names it ("differs:
// ID"), and no test names another one.
func TestDifferencesAreHeld(t *testing.T) {
	doc, err := os.ReadFile("docs/specifications.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([A-E]-[a-z-]+)` \\|(.*)\\|$").FindAllStringSubmatch(string(doc), -1) {
		cells := strings.Split(row[2], " | ")
		if len(cells) != 3 || slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) == "" }) {
			t.Errorf("%s has %d cells: say what the specification has, what assay has, and why", row[1], len(cells))
		}
		listed[row[1]] = true
	}
	if len(listed) < 4 {
		t.Fatalf("only %d differences are listed", len(listed))
	}
	held := map[string]bool{}
	name := regexp.MustCompile(`// differs: ([A-E]-[a-z-]+)`)
	err = fs.WalkDir(os.DirFS("."), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git") {
			return skipFolder(err)
		}
		if entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			held[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range slices.Sorted(maps.Keys(listed)) {
		if !held[id] {
			t.Errorf("no test holds %s: write \"// differs: %s\" above the one that does", id, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(held)) {
		if !listed[id] {
			t.Errorf("a test holds %s, which docs/specifications.md does not list", id)
		}
	}
}

// skipFolder leaves a folder out, unless it could not be read.
func skipFolder(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}
