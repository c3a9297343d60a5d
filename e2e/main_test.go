// Package e2e_test works the built binary as its users do: raw lines over
// stdio in every protocol revision, the official clients, signals, kill -9.
//
// What it knows of assay it knows from the protocol and the process table, so
// it imports no room but demo, the site under test, visual, whose counts are
// held against those of npm, evidence, for runs of another day: the binary
// has the machine's clock, and evidence/verify, for hundreds of damages that would
// be a process each. It refuses to pass by not looking: what is missing
// on a laptop skips a test with a message, and fails it where CI is set.
package e2e_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// binaryEnv names the binary to test. Without it the tests build one.
const binaryEnv = "ASSAY_BIN"

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if testing.Short() || os.Getenv(binaryEnv) != "" {
		return tests(m)
	}
	dir, err := os.MkdirTemp("", "e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e: make a folder for the binary:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	name := "assay"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	if out, err := exec.Command("go", "build", "-o", path, "../cmd/assay").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "e2e: build assay: %v\n%s", err, out)
		return 1
	}
	if err := os.Setenv(binaryEnv, path); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return tests(m)
}

// handOnNone has what the tests start meet each signal as it is by default. Whoever starts
// the tests may ignore some, as nohup and a shell's background do, which a process
// inherits: a server would keep to that, and not end. One that is caught is not inherited.
func handOnNone() {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}

// tests runs the tests, and ends the servers that they shared.
func tests(m *testing.M) int {
	handOnNone()
	own, err := os.MkdirTemp("", "e2e-own-")
	if err == nil {
		err = errors.Join(os.Setenv("XDG_CONFIG_HOME", own), os.Setenv("APPDATA", own))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e: make a folder for what a person trusts:", err)
		return 1
	}
	defer os.RemoveAll(own)
	code := m.Run()
	if err = endShared(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return max(code, 1)
	}
	return code
}

// binary is the assay under test, as an absolute path.
func binary(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs(os.Getenv(binaryEnv))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// environment is what a server under test sees: ours, with temporary files in
// temp, without the variable that only these tests understand, and without traces:
// they cost a quarter of a run, and a test that is about them asks for them.
func environment(temp string) []string {
	env := []string{"TMPDIR=" + temp, "TEMP=" + temp, "TMP=" + temp, tracing(false)}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case binaryEnv, "TMPDIR", "TEMP", "TMP", traceEnv:
		default:
			env = append(env, entry)
		}
	}
	return env
}

// traceEnv is the variable of browser.trace.
const traceEnv = "ASSAY_BROWSER_TRACE"

// tracing is that variable of a server.
func tracing(on bool) string { return fmt.Sprintf("%s=%t", traceEnv, on) }

// diagnosis is one line of assay doctor.
type diagnosis struct{ Name, Health, Detail, Remedy string }

// trusted has a person trust a folder, with the configuration that the arguments may name. What is trusted is kept for
// all tests, and apart from what the person at this machine trusts.
func trusted(t testing.TB, folder string, args ...string) {
	t.Helper()
	needsBinary(t)
	cmd := exec.Command(binary(t), append([]string{"trust", "--yes"}, args...)...)
	cmd.Dir, cmd.Env = folder, environment(t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("trust %s: %v: %s", folder, err, out)
	}
}

// doctor asks the binary once what its surroundings lack.
var doctor = sync.OnceValues(func() ([]diagnosis, error) {
	cmd := exec.Command(os.Getenv(binaryEnv), "doctor", "--json")
	cmd.Env = environment(os.TempDir())
	out, err := cmd.Output() // exits 1 when something is missing
	var all []diagnosis
	if jsonErr := json.Unmarshal(out, &all); jsonErr != nil {
		return nil, fmt.Errorf("assay doctor: %w (%w)", jsonErr, err)
	}
	return all, nil
})

// needsBinary leaves quick runs out: everything here starts processes.
func needsBinary(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
}

// needsBrowser ends the test where no browser can be driven.
func needsBrowser(t testing.TB) {
	t.Helper()
	needsBinary(t)
	all, err := doctor()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if d.Health == "fail" && (d.Name == "driver" || d.Name == "browser" || d.Name == "node") {
			absent(t, "%s: %s; run: %s", d.Name, d.Detail, d.Remedy)
		}
	}
}

// soak reports whether tests that repeat are to run whole, and not by their
// fixed sample.
func soak() bool { return os.Getenv("SOAK") != "" }

// absent ends a test whose surroundings are missing.
func absent(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
