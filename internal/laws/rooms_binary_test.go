package laws_test

import (
	"bufio"
	"debug/buildinfo"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxBinary bounds the release build, in bytes. A dependency that goes beyond it
// is named in docs/benchmarks.md ("The binary") with its MB.
const maxBinary = 32 << 20

// maxBeforeMain bounds what a package of ours allocates before main, in bytes: a few
// tables. What is compiled, parsed or computed takes more, and waits for its first use
// in a pattern.Pattern or a sync.OnceValue.
const maxBeforeMain = 32 << 10

// TestBinary builds a release as make release does, and reads the linker's own
// report. A function that finds methods by names that only the running program
// knows makes the linker keep every exported method of every type: 3 MB in our
// own tree, and 19 MB beside a vendor's SDK. Templates, and whatever else calls
// reflect's Method or MethodByName, are such. Then it starts the release, to see what
// our packages cost before main.
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

	licencesOfBinary(t, binary)
	start := exec.CommandContext(t.Context(), binary, "version")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	start.Stderr = &trace
	if err := start.Run(); err != nil {
		t.Fatalf("assay version: %v\n%.2000s", err, trace.String())
	}
	bytes := beforeMain(trace.String())
	if len(bytes) < 5 {
		t.Fatalf("the runtime reports %d packages of ours: the law would pass on nothing\n%.2000s", len(bytes), trace.String())
	}
	for pkg, n := range bytes {
		if n > maxBeforeMain {
			t.Errorf("%s allocates %d bytes before main, %d are allowed: GODEBUG=inittrace=1 bin/assay version; make what it computes there a pattern.Pattern or a sync.OnceValue", pkg, n, maxBeforeMain)
		}
	}
}

// licencesOfBinary compares what assay licenses prints with the modules that the linker
// wrote into the program (issue 34).
func licencesOfBinary(t *testing.T, binary string) {
	t.Helper()
	build, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := exec.CommandContext(t.Context(), binary, "licenses").Output()
	if err != nil {
		t.Fatalf("assay licenses: %v", err)
	}
	if len(build.Deps) == 0 {
		t.Fatal("the program names no module: the law would pass on nothing")
	}
	for _, m := range build.Deps {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(m.Path+" "+m.Version) + `: `).Match(printed) {
			t.Errorf("%s %s is linked, and assay licenses has no text of its licence: make generate", m.Path, m.Version)
		}
	}
}

// beforeMain returns how many bytes each package of ours allocated before main, as
// the runtime traced it.
func beforeMain(trace string) map[string]int {
	bytes := map[string]int{}
	for _, m := range initOf.FindAllStringSubmatch(trace, -1) {
		if m[1] == "main" || strings.HasPrefix(m[1], modulePath+"/") {
			bytes[m[1]], _ = strconv.Atoi(m[2])
		}
	}
	return bytes
}

var initOf = regexp.MustCompile(`(?m)^init (\S+) @.*, (\d+) bytes, \d+ allocs$`)

// TestBeforeMain: the law sees what the runtime said when patterns were compiled at
// the start.
func TestBeforeMain(t *testing.T) {
	trace := "init internal/bytealg @0.005 ms, 0 ms clock, 0 bytes, 0 allocs\n" +
		"init github.com/assay-qa/assay/qa/health @4.1 ms, 30 ms clock, 5087144 bytes, 26121 allocs\n" +
		"init github.com/santhosh-tekuri/jsonschema/v6 @39 ms, 8.4 ms clock, 1701112 bytes, 21285 allocs\n" +
		"init main @55 ms, 0.041 ms clock, 19072 bytes, 137 allocs\n"
	want := map[string]int{modulePath + "/qa/health": 5087144, "main": 19072}
	if got := beforeMain(trace); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
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
