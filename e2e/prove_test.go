package e2e_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/helpdesk"
)

// testProject copies test files into a project with the runner that npm installed
// for these tests.
func testProject(t *testing.T, files ...string) string {
	t.Helper()
	needsBrowser(t)
	runner, err := filepath.Abs(needsPackages(t, "@playwright/test"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Dir(filepath.Dir(runner)), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join("testdata", "prove", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	trusted(t, dir)
	return dir
}

// author runs a command in a project, and returns its exit code, its JSON and what it
// said beside it.
func author(t *testing.T, dir string, answer any, args ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary(t), append(args, "--data-dir", filepath.Join(dir, "data"))...)
	cmd.Dir = dir
	cmd.Env = environment(t.TempDir())
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if answer != nil {
		if err := json.Unmarshal(out, answer); err != nil {
			t.Fatalf("%v: %s\n%s", err, out, said.String())
		}
	}
	return cmd.ProcessState.ExitCode(), string(out) + said.String()
}

// A15, E7: tests run once, and each is a run with evidence; what is wrong with a file
// is told with its place, and that there are no tests is no pass.
func TestPlaywrightTestsAsRuns(t *testing.T) {
	t.Parallel()
	dir, site := testProject(t, "login.spec.ts"), startDemo(t, demo.Options{})
	type outcome struct {
		Status string
		Passed int
		Failed int
		Report string
		Errors []string
		Tests  []struct{ Title, Status, Error, Locator string }
		Result struct {
			TestCases []struct {
				RunID string `json:"run_id"`
			} `json:"test_cases"`
		}
	}
	var healthy, wrong, broken outcome
	if code, said := author(t, dir, &healthy, "test", "--json", "--base-url", site.URL()); code != 0 || healthy.Passed != 1 {
		t.Fatalf("healthy: exit %d: %s", code, said)
	}
	if code, said := author(t, dir, nil, "verify", healthy.Result.TestCases[0].RunID); code != 0 {
		t.Errorf("the evidence does not hold: %s", said)
	}
	for _, name := range []string{"index.html", "junit.xml"} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(healthy.Report), name)); err != nil {
			t.Error(err)
		}
	}
	faulty := startDemo(t, demo.Options{Variant: "slip-1000"})
	if code, said := author(t, dir, &wrong, "test", "--json", "--base-url", faulty.URL()); code != 1 || wrong.Failed != 1 || !strings.Contains(wrong.Tests[0].Error, "$22,236.07") || wrong.Tests[0].Locator == "" {
		t.Errorf("faulty: exit %d: %s", code, said)
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.spec.ts"), []byte("import { x from"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := author(t, dir, &broken, "test", "broken", "--json"); code != 1 || broken.Status != "failed" || len(broken.Errors) != 1 || !strings.Contains(broken.Errors[0], "broken.spec.ts:1") {
		t.Errorf("a file with a mistake: exit %d: %s", code, said)
	}
	if code, said := author(t, dir, nil, "test", "nothing-of-the-kind"); code != 1 || !strings.Contains(said, "no tests found") {
		t.Errorf("no tests: exit %d: %s", code, said)
	}
}

// E7: a test whose expectations notice faults can fail; one that looks at nothing, or
// at what is always there, can't. Changes that are no faults turn nothing red.
func TestProveTests(t *testing.T) {
	t.Parallel()
	files, mutants := []string{"blind.spec.ts"}, 4 // TestHealTests has one that can fail
	if soak() {
		files, mutants = append(files, "login.spec.ts"), 6
	}
	dir, site := testProject(t, files...), startDemo(t, demo.Options{})
	var proof struct {
		Tests []struct {
			Title, Verdict, Reason string
			EquivalentPassed       int
			EquivalentFailed       int
			Mutants                []struct{ ID, Class, Kind, Outcome, Why string }
			Assertions             []struct {
				Line  int
				Kills []string
				Tried bool
			}
		}
		Run struct {
			Dir string
		}
	}
	code, said := author(t, dir, &proof, "prove", ".", "--json", "--workers", "2", "--mutants", fmt.Sprint(mutants), "--base-url", site.URL())
	if code != 1 || len(proof.Tests) != len(files)+1 {
		t.Fatalf("exit %d: %s", code, said)
	}
	for _, p := range proof.Tests {
		wanted := map[string]string{"signs in": "can fail"}[p.Title]
		if wanted == "" {
			wanted = "can't fail"
		}
		if p.Verdict != wanted || p.EquivalentFailed > 0 || p.EquivalentPassed == 0 {
			t.Errorf("%s: %s (%s), not %s; %+v", p.Title, p.Verdict, p.Reason, wanted, p.Mutants)
		}
		for _, a := range p.Assertions {
			if useless := a.Tried && len(a.Kills) == 0; useless != (p.Title == "looks at nothing") {
				t.Errorf("%s, line %d: %+v; %+v", p.Title, a.Line, a, p.Mutants)
			}
		}
		for _, m := range p.Mutants {
			if p.Title == "signs in" && m.Outcome == "survived" {
				t.Errorf("%s: %+v", p.Title, m)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(proof.Run.Dir, "proof.json")); err != nil {
		t.Error(err)
	}
}

// Without a runner, test, prove, heal, author and generate --check say which command installs it
// (E7), and run nothing.
func TestRunnerIsMissing(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.spec.ts"), []byte("import { test } from '@playwright/test';\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "plan.md"), []byte(dashboardPlan), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(t.TempDir(), "mcp.toml")
	if err := os.WriteFile(settings, []byte("schema_version = 1\n[agent]\nprovider = \"openai\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"test", "a.spec.ts"}, {"prove", "a.spec.ts"}, {"heal", "a.spec.ts"}, {"generate", "plan.md"},
		{"author", `The page shows "Saved".`, "--base-url", "http://127.0.0.1:1", "--config", settings}} {
		cmd := exec.CommandContext(t.Context(), binary(t), append(command, "--data-dir", filepath.Join(dir, "data"))...)
		cmd.Dir = dir
		cmd.Env = append(environment(t.TempDir()), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "CI=true", "OPENAI_API_KEY=x")
		out, _ := cmd.CombinedOutput() // it has to fail
		if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), "assay install --test-runner") {
			t.Errorf("%s: exit %d: %s", command, code, out)
		}
	}
}

// An interrupted proof ends with 130, leaves no temporary folder, and is filed with what is
// known; --resume takes that over.
func TestInterruptedProof(t *testing.T) {
	t.Parallel()
	dir, site := testProject(t, "login.spec.ts"), startDemo(t, demo.Options{})
	temp, data := t.TempDir(), filepath.Join(dir, "data")
	args := []string{"prove", "login", "--workers", "1", "--mutants", "3", "--base-url", site.URL()}
	cmd := exec.CommandContext(t.Context(), binary(t), append(args, "--data-dir", data)...)
	cmd.Dir, cmd.Env = dir, environment(temp)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "1/6 mutants of 1 test") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // its exit code is looked at
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d", code)
	}
	left, err := filepath.Glob(filepath.Join(temp, "assay-tests-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	filed, err := filepath.Glob(filepath.Join(data, "runs", "*", "proof.json"))
	if err != nil || len(filed) != 1 {
		t.Fatalf("filed: %v, %v", filed, err)
	}
	var proof struct {
		Open  int
		Tests []struct{ Verdict, Reason string }
	}
	if text, err := os.ReadFile(filed[0]); err != nil || json.Unmarshal(text, &proof) != nil || proof.Open == 0 || proof.Open == 6 {
		t.Errorf("%+v, %v", proof, err)
	}
	proof.Open = 0
	code, said := author(t, dir, &proof, append(args, "--resume", "--json")...)
	if code != 0 || proof.Open != 0 || proof.Tests[0].Verdict != "can fail" || !strings.Contains(said, "of an earlier proof taken over") {
		t.Errorf("resumed: exit %d: %s", code, said)
	}
	if code, said = author(t, dir, nil, append(args, "--resume")...); code != 2 || !strings.Contains(said, "leave out --resume") {
		t.Errorf("nothing to resume: exit %d: %s", code, said)
	}
}

// The demo's hand-written tests: of what they look at, faults are noticed; what is no
// fault is not. The figures stand in docs/prove.md.
func TestProveDashboard(t *testing.T) {
	if !soak() {
		t.Skip("repeats TestProveTests on more tests: SOAK=1")
	}
	dir, site := testProject(t, "dashboard.spec.ts"), startDemo(t, demo.Options{})
	var proof struct {
		Classes          map[string]struct{ Killed, KilledWeakly, Survived, Invalid int }
		EquivalentFailed int
		Tests            []struct{ Title, Verdict, Reason string }
	}
	code, said := author(t, dir, &proof, "prove", ".", "--json", "--base-url", site.URL())
	if code != 0 || proof.EquivalentFailed > 0 {
		t.Errorf("exit %d, %d equivalent changes failed: %s", code, proof.EquivalentFailed, said)
	}
	killed, all := 0, 0
	for class, c := range proof.Classes {
		t.Logf("%s: %+v", class, c)
		killed += c.Killed + c.KilledWeakly
		all += c.Killed + c.KilledWeakly + c.Survived
	}
	if all < 40 || killed*100 < all*80 {
		t.Errorf("%d of %d mutants killed", killed, all)
	}
}

// Tests as people write them, each behind a sign-in by the page: those that can't fail, of 18 kinds, are
// named, and no other. The figures stand in docs/benchmarks.md.
func TestProveHandwritten(t *testing.T) {
	if !soak() {
		t.Skip("takes minutes: SOAK=1")
	}
	desk := httptest.NewServer(helpdesk.New(helpdesk.Options{}))
	t.Cleanup(desk.Close)
	dir := testProject(t, "desk_blind.spec.ts", "desk_sharp.spec.ts")
	var proof struct {
		Tests []struct{ Title, File, Verdict, Reason string }
	}
	code, said := author(t, dir, &proof, "prove", ".", "--json", "--base-url", desk.URL)
	if code != 1 || len(proof.Tests) != 34 {
		t.Fatalf("exit %d, %d tests: %s", code, len(proof.Tests), said)
	}
	for _, p := range proof.Tests {
		wanted := "can fail"
		if strings.Contains(p.File, "blind") {
			wanted = "can't fail"
		}
		if p.Verdict != wanted {
			t.Errorf("%s: %s (%s), not %s", p.Title, p.Verdict, p.Reason, wanted)
		}
	}
}
