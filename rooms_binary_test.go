package assay_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxBinary bounds the release build, in bytes. A dependency that goes beyond it
// is named in docs/benchmarks.md ("The binary") with its MB.
const maxBinary = 30 << 20

// TestBinary builds a release as make release does, and reads the linker's own
// report. A function that finds methods by names that only the running program
// knows makes the linker keep every exported method of every type: 3 MB in our
// own tree, and 19 MB beside a vendor's SDK. Templates, and whatever else calls
// reflect's Method or MethodByName, are such.
func TestBinary(t *testing.T) {
	for _, read := range []string{"go.mod", "go.sum"} { // go test caches by the files that a test opens; the sources are opened by the laws
		if _, err := os.ReadFile(read); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(t.TempDir(), "assay")
	report, err := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w -dumpdep", "-o", binary, "./cmd/assay").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%.2000s", err, report)
	}
	if !strings.Contains(string(report), "main.main -> ") {
		t.Fatalf("the linker reports nothing of main.main: %.300s", report)
	}
	for _, f := range methodFinders(string(report)) {
		t.Errorf("%s finds methods by name at run time; see go build -ldflags=-dumpdep ./cmd/assay 2>&1 | grep ReflectMethod for the way to it", f)
	}
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxBinary {
		t.Errorf("the release build has %d bytes, %d are allowed: see docs/benchmarks.md, The binary", info.Size(), maxBinary)
	}
}

// methodFinders returns the functions that the linker's report marks as such.
func methodFinders(report string) []string {
	var found []string
	lines := bufio.NewScanner(strings.NewReader(report))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		for side := range strings.SplitSeq(lines.Text(), " -> ") {
			if name, marked := strings.CutSuffix(side, " <ReflectMethod>"); marked && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	return found
}

// TestMethodFinders: the law sees what the linker said when templates were linked.
func TestMethodFinders(t *testing.T) {
	report := "main.main -> fmt.Println\n" +
		"text/template.(*state).evalFieldChain -> text/template.(*state).evalField <ReflectMethod>\n" +
		"text/template.(*state).evalField <ReflectMethod> -> reflect.Value.MethodByName\n" +
		"type:reflect.Value <UsedInIface> -> reflect.(*Value).Method <ReflectMethod>\n" +
		" -> go:info.*runtime.reflectMethodValue\n"
	want := []string{"reflect.(*Value).Method", "text/template.(*state).evalField"}
	if got := methodFinders(report); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
