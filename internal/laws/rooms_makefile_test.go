package laws_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestBrowserPackagesAreTestedAlone: packages whose tests start browsers share
// cores badly, and go test must not reuse their results.
func TestBrowserPackagesAreTestedAlone(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^BROWSER := (.*)$`).FindSubmatch(makefile)
	if line == nil {
		t.Fatal("the Makefile has no BROWSER")
	}
	listed := strings.Fields(string(line[1]))
	source, err := readTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	starts := regexp.MustCompile(`\b(NewPool|browsertest\.(Pool|Main)|playwright\.Run|needsBrowser|needsBinary|testscript\.Run)\(`)
	found := map[string]bool{}
	for _, f := range source.files {
		if !f.test() || f.room() == "." {
			continue
		}
		text, err := os.ReadFile(f.path)
		if err != nil {
			t.Fatal(err)
		}
		if room := "./" + f.room(); starts.Match(text) {
			found[room] = true
			if !slices.Contains(listed, room) {
				t.Errorf("%s starts a browser: put %s into BROWSER in the Makefile", f.path, room)
			}
		}
	}
	for _, room := range listed {
		if !found[room] {
			t.Errorf("no test in %s starts a browser: take it out of BROWSER in the Makefile", room)
		}
	}
}
