package loop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/loop"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/script/scripttest"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/author/workcopy"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/qa"
)

const (
	spec = "tests/shop.spec.ts"
	good = "import { expect, test } from '@playwright/test';\n\ntest('saves', async ({ page }) => {\n  await page.goto('/');\n  await expect(page.getByText('Saved')).toBeVisible();\n});\n"
	flow = `Open the shop. The page shows "Saved".`
)

// server stands for the tools of the server: those that write go to the draft.
type server struct{ draft *draft.Draft }

func (s server) Tools(context.Context) ([]agent.Tool, error) {
	return []agent.Tool{{Name: "fs_write_patch"}, {Name: "run_tests", Description: "another"}}, nil
}

func (s server) Call(ctx context.Context, name string, arguments json.RawMessage) (agent.Result, error) {
	if name == "run_start" {
		return agent.Result{Structured: json.RawMessage(`{"ok":true,"data":{"run_id":"run-1"}}`)}, nil
	}
	if name != "fs_write_patch" {
		return agent.Result{Structured: json.RawMessage(`{"ok":true,"data":{}}`)}, nil
	}
	var in struct{ Path, Content string }
	if err := json.Unmarshal(arguments, &in); err != nil {
		return agent.Result{}, err
	}
	out, err := s.draft.Write(ctx, draft.Change{Path: in.Path, Content: &in.Content})
	if err != nil {
		return agent.Result{IsError: true, Parts: []agent.Part{{Text: err.Error()}}}, nil //nolint:nilerr // the model's to mend
	}
	data, err := json.Marshal(map[string]any{"ok": true, "data": out})
	return agent.Result{Structured: data}, err
}

// tests stand for the runner: what comes of each round is set.
type tests struct {
	results []testrun.Result
	reports []prove.Report
	said    string // by the project's own command
	before  func() // each run
}

func (f *tests) Run(ctx context.Context, files []string) (testrun.Result, error) {
	if f.before != nil {
		f.before()
	}
	if err := ctx.Err(); err != nil {
		return testrun.Result{}, err
	}
	r := f.results[0]
	f.results = append(f.results[1:], r)
	for i := range r.Tests {
		r.Tests[i].Location.File = files[0]
		for j := range r.Tests[i].Steps {
			r.Tests[i].Steps[j].Location = &testrun.Location{File: files[0], Line: 5}
		}
	}
	return r, nil
}

func (f *tests) Prove(_ context.Context, files []string) (prove.Report, error) {
	r := f.reports[0]
	f.reports = append(f.reports[1:], r)
	for i := range r.Tests {
		for j := range r.Tests[i].Assertions {
			r.Tests[i].Assertions[j].File = files[0]
		}
	}
	return r, nil
}

func (f *tests) Format(context.Context, []string) (string, error) { return "", nil }
func (f *tests) Check(context.Context, []string) (string, error)  { return f.said, nil }

func green() testrun.Result {
	return testrun.Result{Tests: []testrun.Test{{Titles: []string{"saves"}, Status: "passed", Expected: "passed"}}}
}

func red(message string) testrun.Result {
	return testrun.Result{Tests: []testrun.Test{{Titles: []string{"saves"}, Status: "failed", Expected: "passed", Errors: []testrun.Failure{{Message: message}},
		Steps: []testrun.Step{{Category: "expect", Error: &testrun.Failure{Message: message}}}}}}
}

// proof is a report in which the assertion at line 5 noticed so many mutants.
func proof(verdict prove.Verdict, kills ...string) prove.Report {
	return prove.Report{Tests: []prove.Test{{Title: "saves", Verdict: verdict, Reason: "its expectations noticed some", Assertions: []prove.Assertion{{Line: 5, Tried: true, Kills: kills}}}}}
}

// kept is a run.
type kept struct {
	checks       []qa.Check
	interrupted  []qa.Interruption
	saved        map[string]string
	attachedFrom []int
}

func (k *kept) Check(c qa.Check) error { k.checks = append(k.checks, c); return nil }
func (k *kept) Interrupt(in qa.Interruption) error {
	k.interrupted = append(k.interrupted, in)
	return nil
}
func (k *kept) Save(name, _ string, data []byte) error {
	k.saved[name] = string(data)
	return nil
}
func (k *kept) Attach(round int, _ testrun.Attachment) ([]string, error) {
	k.attachedFrom = append(k.attachedFrom, round)
	return []string{"picture.png"}, nil
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// first is a project with one commit, of which the tests take copies: git is a
// process for each step.
var first struct {
	made sync.Once
	dir  string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := os.RemoveAll(first.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func repository(t *testing.T) string {
	t.Helper()
	first.made.Do(func() {
		dir, err := os.MkdirTemp("", "assay-loop-test-") //nolint:usetesting // other tests copy it
		if err != nil {
			t.Fatal(err)
		}
		first.dir = dir
		if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("# Shop\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "init", "-q", "--template=", "-b", "main")
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-q", "-m", "first")
	})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(first.dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func newDraft(t *testing.T, dir, cache string) *draft.Draft {
	return &draft.Draft{
		Project: workcopy.Options{Folder: dir, Cache: cache, Environ: os.Environ(), Rules: workcopy.Rules{TestDir: "tests"}}, Prefix: "assay/",
		Mask: func(s string) string { return s }, Reader: scripttest.Reader(t),
		TestRunner: func(context.Context) (driver.TestRunner, error) {
			return driver.TestRunner{}, &driver.InstallError{What: "no test runner", Remedy: "assay install --test-runner"}
		},
	}
}

// work is a box in a repository.
type work struct {
	*testing.T
	*loop.Box
	dir   string
	tests *tests
	kept  *kept
}

func newWork(t *testing.T, f *tests) work {
	t.Helper()
	dir := repository(t)
	d := newDraft(t, dir, t.TempDir())
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	task, err := loop.ReadTask(flow, nil)
	if err != nil {
		t.Fatal(err)
	}
	k := &kept{saved: map[string]string{}}
	w := work{t, &loop.Box{Server: server{d}, Task: task, Draft: d, Tests: f, Record: k, Rounds: 3}, dir, f, k}
	w.call("run_start", nil)
	return w
}

// call calls a tool and returns what the model reads.
func (w work) call(name string, arguments any) string {
	w.Helper()
	text, err := json.Marshal(arguments)
	if err != nil {
		w.Fatal(err)
	}
	r, err := w.Call(w.Context(), name, text)
	if err != nil {
		w.Fatal(err)
	}
	return r.Text()
}

func (w work) write(text string) {
	w.Helper()
	if said := w.call("fs_write_patch", map[string]string{"path": spec, "content": text, "reason": "the task asks for it"}); said != "" {
		w.Fatal(said)
	}
}

func holds(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

// TestProvedTestIsProposed shows the way of a test through its rounds to a branch, and
// that nothing is written or proposed out of turn (A16).
func TestProvedTestIsProposed(t *testing.T) {
	w := newWork(t, &tests{results: []testrun.Result{red("no such button 12ms"), green()}, reports: []prove.Report{proof(prove.CanFail, "M01")}})
	holds(t, w.call("run_tests", nil), "no test was written")
	w.write(good)
	holds(t, w.call("git_propose", map[string]string{"title": "Test"}), "nothing is proposed before")
	said := w.call("run_tests", nil)
	holds(t, said, "round 1 of 3: not proved (test)", "<page-", "no such button")
	if at := strings.Index(said, "<page-"); strings.Contains(said[:at], "no such button") {
		t.Errorf("what the page said stands among our words: %s", said)
	}
	w.write(good + "// again\n")
	holds(t, w.call("run_tests", nil), "is proved", "git_propose")
	holds(t, w.call("fs_write_patch", map[string]string{"path": spec, "content": good, "reason": "more"}), "nothing is written any more")
	holds(t, w.call("git_propose", map[string]any{"title": "Test", "paths": []string{"test-plan/a.md"}}), "propose what was proved")
	holds(t, w.call("git_propose", map[string]string{"title": "Test that the shop saves"}), "branch assay/run-1")
	holds(t, w.call("git_propose", map[string]string{"title": "Again"}), "is made already")
	w.call("run_finish", nil)
	if got := git(t, w.dir, "diff", "--name-only", "main", "assay/run-1"); got != spec {
		t.Errorf("the branch changes %s", got)
	}
	if git(t, w.dir, "status", "--porcelain") != "" || w.Stop() != nil || len(w.kept.interrupted) > 0 {
		t.Errorf("stopped %v, %v", w.Stop(), w.kept.interrupted)
	}
	for _, c := range w.kept.checks {
		if !c.Passed {
			t.Errorf("failed: %+v", c)
		}
	}
	if len(w.kept.checks) != 3 || !strings.Contains(w.kept.saved["round-2.diff"], "+// again") || !strings.Contains(w.kept.saved["round-1.json"], "no such button") || w.kept.saved["proposal.patch"] == "" {
		t.Errorf("kept: %+v, %v", w.kept.checks, w.kept.saved)
	}
}

// TestProvedTestIsProposedAnyhow shows that the branch does not depend on the model.
func TestProvedTestIsProposedAnyhow(t *testing.T) {
	w := newWork(t, &tests{results: []testrun.Result{green()}, reports: []prove.Report{proof(prove.CanFail, "M01")}})
	w.write(good)
	w.call("run_tests", nil)
	w.call("run_finish", nil)
	if p := w.Outcome().Proposed; p == nil || git(t, w.dir, "log", "-1", "--format=%s", p.Branch) != `Test: Open the shop. The page shows "Saved".` {
		t.Errorf("proposed: %+v", p)
	}
}

// TestGuardrails shows how rounds end that prove nothing, each with its reason (A16, C8).
func TestGuardrails(t *testing.T) {
	uncovered := strings.Replace(good, "getByText('Saved')", "getByText('Lost')", 1)
	for name, c := range map[string]struct {
		tests tests
		files []string // of the rounds
		stop  string   // why the work ends; empty: it does not by itself
		last  string   // what the model read last
		fails string   // of the task's expectations
	}{
		"the same failure twice":    {tests{results: []testrun.Result{red("Timeout 5000ms (shop.spec.ts:5)"), red("Timeout 4000ms (shop.spec.ts:7)")}}, []string{good, good + "// b\n"}, "the same failure twice", "The work ends here", "E1"},
		"all rounds":                {tests{results: []testrun.Result{red("a"), red("b"), red("c")}}, []string{good, good + "// b\n", good + "// c\n"}, "max_iterations", "The work ends here", "E1"},
		"the expectation left out":  {tests{results: []testrun.Result{green()}}, []string{uncovered}, "", "E1 \"The page shows \\\"Saved\\\".\": no expect says that", ""},
		"written around a fault":    {tests{results: []testrun.Result{red("a"), green()}}, []string{good, uncovered}, "", "E1 \"The page shows \\\"Saved\\\".\": no expect says that", "E1"}, // A16
		"can't fail":                {tests{results: []testrun.Result{green()}, reports: []prove.Report{proof(prove.CannotFail)}}, []string{good}, "", "it is not proved", ""},
		"unproved":                  {tests{results: []testrun.Result{green()}, reports: []prove.Report{proof(prove.Unproved)}}, []string{good}, "", "it is not proved", ""},
		"useless":                   {tests{results: []testrun.Result{green()}, reports: []prove.Report{proof(prove.CanFail)}}, []string{good}, "", "noticed none of the faults", ""},
		"no test proved":            {tests{results: []testrun.Result{green()}, reports: []prove.Report{{}}}, []string{good}, "", "no test was proved", ""},
		"the project's own tests":   {tests{results: []testrun.Result{green()}, reports: []prove.Report{proof(prove.CanFail, "M01")}, said: "npm test: exit 1"}, []string{good}, "", "test_command failed", ""},
		"no test found":             {tests{results: []testrun.Result{{}}}, []string{good}, "", "found no test", ""},
		"a skipped test":            {tests{results: []testrun.Result{{Tests: []testrun.Test{{Titles: []string{"a"}, Status: "skipped", Expected: "skipped"}}}}}, []string{good}, "", "did not pass", ""},
		"a file that can't be read": {tests{results: []testrun.Result{{Errors: []testrun.Failure{{Message: "SyntaxError"}}}}}, []string{good}, "", "SyntaxError", ""},
		"mended in the end":         {tests{results: []testrun.Result{red("a"), green()}, reports: []prove.Report{proof(prove.CannotFail)}}, []string{good, good + "// b\n"}, "", "it is not proved", ""},
	} {
		if again := []string{"unproved", "no test proved", "a skipped test", "mended in the end"}; slices.Contains(again, name) && os.Getenv("SOAK") == "" {
			continue // another case ends for the same reason
		}
		t.Run(name, func(t *testing.T) {
			w := newWork(t, &c.tests)
			said := ""
			for _, text := range c.files {
				w.write(text)
				said = w.call("run_tests", nil)
			}
			holds(t, said, c.last)
			if c.stop == "" != (w.Stop() == nil) || w.Stop() != nil && (w.Stop().Subject != c.stop || w.Stop().Kind != qa.Guardrail) {
				t.Errorf("stopped: %+v", w.Stop())
			}
			if w.Stop() != nil {
				holds(t, w.call("run_tests", nil), "not run")
			}
			w.call("run_finish", nil)
			out := w.Outcome()
			if out.Proved || out.Proposed != nil || git(t, w.dir, "for-each-ref", "--format=%(refname:short)", "refs/heads") != "main" {
				t.Errorf("proposed: %+v", out)
			}
			if (len(w.kept.interrupted) > 0) != (c.stop == "") {
				t.Errorf("interruptions: %+v", w.kept.interrupted)
			}
			failed := ""
			for _, check := range w.kept.checks {
				if check.Passed {
					t.Errorf("a check that passed was filed: %+v", check)
				}
				failed += strings.Split(check.Subject, ":")[0]
			}
			if failed != c.fails {
				t.Errorf("expectations that failed: %q, want %q", failed, c.fails)
			}
		})
	}
}

// TestChangedFileIsNotProposed shows that what a program did to a written file is neither
// run nor proposed (A16).
func TestChangedFileIsNotProposed(t *testing.T) {
	f := &tests{results: []testrun.Result{green()}, reports: []prove.Report{proof(prove.CanFail, "M01")}}
	w := newWork(t, f)
	w.write(good)
	f.before = func() {
		if err := os.WriteFile(filepath.Join(w.Draft.Folder(), spec), []byte("require('fs');\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, w.call("run_tests", nil), "not proved")
	f.before = nil
	holds(t, w.call("run_tests", nil), "not proved (run)", "was changed by something that ran")
}

// TestInterruptedRound shows that a round that is cut off proves nothing.
func TestInterruptedRound(t *testing.T) {
	f := &tests{results: []testrun.Result{green()}}
	w := newWork(t, f)
	w.write(good)
	ctx, cancel := context.WithCancel(t.Context())
	f.before = cancel
	if _, err := w.Call(ctx, "run_tests", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	w.call("run_finish", nil)
	if w.Outcome().Proved || !w.Outcome().Resumable || len(w.kept.interrupted) != 1 {
		t.Errorf("outcome %+v, %+v", w.Outcome(), w.kept.interrupted)
	}
}

// TestDraftIsLeft shows that a task which ends without a proved test leaves what it wrote, and
// that another one goes on with it.
func TestDraftIsLeft(t *testing.T) {
	kept := func(w work, names ...string) string {
		dir := t.TempDir()
		for _, name := range names {
			if w.kept.saved[name] == "" {
				t.Errorf("%s is not kept", name)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(w.kept.saved[name]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	w := newWork(t, &tests{results: []testrun.Result{red("a"), red("b")}})
	w.call("run_finish", nil)
	if len(w.kept.saved) > 0 || w.Outcome().Resumable {
		t.Errorf("nothing was written, and %v is kept", w.kept.saved)
	}
	for _, text := range []string{good, good + "// second\n"} {
		w.write(text)
		w.call("run_tests", nil)
	}
	w.write(good + "// never run\n")
	w.call("run_finish", nil)
	if !w.Outcome().Resumable {
		t.Error("nobody is told of it")
	}
	for end, names := range map[string][]string{"// never run\n": {"draft-1.json", "draft-2.json", "draft.json"}, "// second\n": {"draft-1.json", "draft-2.json"}} { // the latter of a task that was killed
		left, err := loop.ReadDraft(os.DirFS(kept(w, names...)))
		if err != nil || left.Words != flow || len(left.Files) != 1 || left.Files[0] != (loop.KeptFile{Path: spec, Text: good + end}) || left.Last != "test: 1 of 1 tests did not pass saves: failed b" {
			t.Errorf("%v: %+v, %v", names, left, err)
		}
	}
	left, err := loop.ReadDraft(os.DirFS(kept(w, "draft.json")))
	if err != nil {
		t.Fatal(err)
	}
	again := newWork(t, &tests{results: []testrun.Result{green()}, reports: []prove.Report{proof(prove.CanFail, "M01")}})
	if err := left.Take(func(c draft.Change) error { _, err := again.Draft.Write(t.Context(), c); return err }); err != nil {
		t.Fatal(err)
	}
	orders := loop.Orders(again.Task, loop.Setting{Draft: &left})
	own, page, _ := strings.Cut(orders, "<page-")
	holds(t, page, "// never run", "did not pass")
	if strings.Contains(own, "never run") {
		t.Errorf("what was written stands among our words: %s", own)
	}
	holds(t, again.call("run_tests", nil), "is proved")
	again.call("run_finish", nil)
	if got := git(t, again.dir, "show", "assay/run-1:"+spec); again.Outcome().Resumable || !strings.HasSuffix(got, "// never run") {
		t.Errorf("%+v; proposed %s", again.Outcome(), got)
	}
}

// TestDraftWithoutAFile shows that a task ends with its report where something took away what it wrote.
func TestDraftWithoutAFile(t *testing.T) {
	f := &tests{results: []testrun.Result{green()}}
	w := newWork(t, f)
	w.write(good)
	f.before = func() {
		if err := os.Remove(filepath.Join(w.Draft.Folder(), filepath.FromSlash(spec))); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Call(t.Context(), "run_tests", nil); err == nil {
		t.Error("a round without its test ends as any other")
	}
	w.call("run_finish", nil)
	if w.Outcome().Proved || w.Outcome().Resumable {
		t.Errorf("%+v", w.Outcome())
	}
}

// TestNoDraftToGoOnWith shows what is said of what is no draft, and that one which was changed
// since is not run unless it may be.
func TestNoDraftToGoOnWith(t *testing.T) {
	dir := t.TempDir()
	if _, err := loop.ReadDraft(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), "name the folder of a run") {
		t.Errorf("an empty folder: %v", err)
	}
	for _, text := range []string{"", "[]", `{"words": "x"}`, `{"files": [{"path": "a", "text": "b"}]}`} {
		file := filepath.Join(dir, "draft.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loop.ReadDraft(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), "is no draft") {
			t.Errorf("%q: %v", text, err)
		}
	}
	w := newWork(t, &tests{})
	for path, text := range map[string]string{"../outside.spec.ts": good, "README.md": "x", spec: strings.Replace(good, "await page.goto('/')", "process.exit()", 1)} {
		left := loop.KeptDraft{Files: []loop.KeptFile{{Path: path, Text: text}}}
		if err := left.Take(func(c draft.Change) error { _, err := w.Draft.Write(t.Context(), c); return err }); err == nil {
			t.Errorf("%s: %s is taken", path, text)
		}
	}
}

// TestTaskInWords shows what of a flow is expected, and what is refused (A16).
func TestTaskInWords(t *testing.T) {
	task, err := loop.ReadTask("Open /login. Fill the field \"Name\" with \"Dr. No. 1\". Verify that the heading \"Welcome.\" is visible!\nThe address is /home", []string{`The page does not show "Error"`})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range task.Expectations {
		got = append(got, e.ID+" "+e.Text)
	}
	if want := "E1 Verify that the heading \"Welcome.\" is visible!|E2 The address is /home|E3 The page does not show \"Error\""; strings.Join(got, "|") != want {
		t.Errorf("got %v", got)
	}
	orders := loop.Orders(task, loop.Setting{BaseURL: "http://127.0.0.1:1", TestDir: "e2e", Rounds: 5})
	holds(t, orders, "E2: The address is /home", "e2e/", "never an instruction", "http://127.0.0.1:1")
	for words, says := range map[string]string{"": "say in words", "Click it": "no sentence", strings.Repeat("a ", 5000): "write several", "Expect it to be nice.": "no form"} {
		if _, err := loop.ReadTask(words, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v, without %q", words, err, says)
		}
	}
}

// TestKilledRound shows that a process that is killed within a round leaves a person's
// repository as it was (A16).
func TestKilledRound(t *testing.T) {
	dir, cache := repository(t), t.TempDir()
	before := git(t, dir, "rev-parse", "HEAD") + git(t, dir, "status", "--porcelain") + git(t, dir, "for-each-ref")
	cmd := exec.Command(os.Args[0], "-test.run", "^TestHelperHangsInARound$") //nolint:gosec // this test binary
	cmd.Env = append(os.Environ(), "ASSAY_TEST_HANG="+dir, "ASSAY_TEST_CACHE="+cache)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 100)
	n, err := out.Read(said)
	if err != nil || !bytes.Contains(said[:n], []byte("in the round")) {
		t.Fatalf("%v: %s", err, said[:n])
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if after := git(t, dir, "rev-parse", "HEAD") + git(t, dir, "status", "--porcelain") + git(t, dir, "for-each-ref"); after != before {
		t.Errorf("the repository has changed: %s, then %s", before, after)
	}
	d := newDraft(t, dir, cache)
	text := good
	if _, err := d.Write(t.Context(), draft.Change{Path: spec, Content: &text}); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(cache, "copy-*")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestHelperHangsInARound is the process that TestKilledRound kills.
func TestHelperHangsInARound(t *testing.T) {
	dir := os.Getenv("ASSAY_TEST_HANG")
	if dir == "" {
		t.Skip("run by TestKilledRound")
	}
	d := newDraft(t, dir, os.Getenv("ASSAY_TEST_CACHE"))
	text := good
	if _, err := d.Write(t.Context(), draft.Change{Path: spec, Content: &text}); err != nil {
		t.Fatal(err)
	}
	f := &tests{before: func() {
		fmt.Println("in the round")
		<-t.Context().Done() // of this process
	}}
	b := &loop.Box{Server: server{d}, Draft: d, Tests: f, Record: &kept{saved: map[string]string{}}, Rounds: 3}
	_, err := b.Call(t.Context(), "run_tests", nil)
	t.Error(err)
}
