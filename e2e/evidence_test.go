package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/verify"
)

// verification is what assay verify --json prints.
type verification struct {
	Verdict, Subject, Status string
	Runs, Files              int
	Bytes, Entries           int64
	Checkpoint               string
	Keys                     []struct {
		Verifier string
		Pinned   bool
	}
	Timestamps []string
	Findings   []proofFinding

	code int    // the command's exit code
	said string // on stderr
}

type proofFinding struct {
	Code, Severity, Run, File string
	Line                      int
	Entry                     *int64
	Expected, Found           string
	Problem, Next             string
}

// command runs the binary on a data folder.
func command(t testing.TB, data string, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	return commandIn(t, t.TempDir(), append(arguments, "--data-dir", data)...)
}

// commandIn runs the binary in a folder.
func commandIn(t testing.TB, dir string, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	return commandWith(t, dir, nil, arguments...)
}

// commandAs runs a command line that becomes the binary.
func commandAs(t testing.TB, line []string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = t.TempDir(), environment(t.TempDir()), &out, &said
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatalf("%v: %v", line, err)
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

// commandWith runs the binary in a folder, with more variables in its environment.
func commandWith(t testing.TB, dir string, variables []string, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary(t), arguments...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(environment(t.TempDir()), variables...), &out, &said
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatalf("%v: %v", arguments, err)
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

// examine runs assay verify, and holds it to its own promises: the exit code
// says what the verdict says, and every finding says what to do.
func examine(t testing.TB, data string, arguments ...string) verification {
	t.Helper()
	out, said, code := command(t, data, append([]string{"verify", "--json"}, arguments...)...)
	v := verification{code: code, said: said}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("verify %v: %v: %s %s", arguments, err, brief([]byte(out)), said)
	}
	v.keepsPromises(t, arguments...)
	return v
}

// examineHere verifies without a process, for what is done to a folder hundreds of times: it
// asks the room that assay verify asks, about a run or with "--all" about the folder.
func examineHere(t testing.TB, data, subject string) verification {
	t.Helper()
	asked := subject
	if asked == "--all" {
		asked = ""
	}
	report, err := verify.Subject(t.Context(), data, asked, verify.Options{})
	if err != nil {
		t.Fatalf("verify %s: %v", subject, err)
	}
	out, err := json.Marshal(report)
	must(t, err)
	v := verification{}
	must(t, json.Unmarshal(out, &v))
	if v.Verdict != "verified" {
		v.code = 1
	}
	v.keepsPromises(t, subject)
	return v
}

// keepsPromises fails where the exit code does not say what the verdict says, or a
// finding does not say what to do.
func (v verification) keepsPromises(t testing.TB, arguments ...string) {
	t.Helper()
	if (v.Verdict == "verified") != (v.code == 0) || v.code > 1 || !slices.Contains([]string{"verified", "failed", "incomplete"}, v.Verdict) {
		t.Errorf("verify %v: %q with exit code %d", arguments, v.Verdict, v.code)
	}
	for _, f := range v.Findings {
		if f.Code == "" || f.Problem == "" || f.Severity != "note" && f.Next == "" {
			t.Errorf("verify %v: a finding without code, problem or next step: %+v", arguments, f)
		}
	}
}

// verified examines what must be in order.
func verified(t testing.TB, data string, arguments ...string) verification {
	t.Helper()
	v := examine(t, data, arguments...)
	if v.Verdict != "verified" {
		t.Errorf("verify %v: %s, want verified: %s", arguments, v.Verdict, v)
	}
	return v
}

// tampered examines what is not in order, and wants a fault that names what.
func tampered(t testing.TB, what, data string, arguments ...string) verification {
	t.Helper()
	v := examine(t, data, arguments...)
	v.blames(t, what, arguments...)
	return v
}

// blames fails unless what was verified failed by a fault that names what.
func (v verification) blames(t testing.TB, what string, arguments ...string) {
	t.Helper()
	if v.Verdict != "failed" || v.code != 1 {
		t.Errorf("verify %v: %s, exit code %d, want failed: %s", arguments, v.Verdict, v.code, v)
	} else if !v.names(what) {
		t.Errorf("verify %v: no fault names %q: %s", arguments, what, v)
	}
}

// names reports whether a fault is about a file or a run.
func (v verification) names(what string) bool {
	return slices.ContainsFunc(v.Findings, func(f proofFinding) bool {
		return f.Severity == "fault" && (f.File == what || f.Run == what || strings.HasSuffix(f.File, "/"+what))
	})
}

// has reports whether there is a finding with that code.
func (v verification) has(code string) bool {
	return slices.ContainsFunc(v.Findings, func(f proofFinding) bool { return f.Code == code })
}

// String is a line for each finding.
func (v verification) String() string {
	text := v.said
	for _, f := range v.Findings {
		text += fmt.Sprintf("\n\t%s %s: %s %s:%d: %s (%s, not %s)", f.Severity, f.Code, f.Run, f.File, f.Line, f.Problem, f.Found, f.Expected)
	}
	return text
}

// serveOn starts a server on a data folder that others use, too.
func serveOn(t *testing.T, data string, variables ...string) *wire {
	t.Helper()
	w := launchAs(t, november25, t.TempDir(), data, []string{binary(t), "serve", "--data-dir", data}, variables...)
	w.greet()
	return w
}

// browserless are the variables of a server that finds no browser, and so
// spends no time on one.
func browserless(t testing.TB) []string {
	empty := t.TempDir()
	return []string{"HOME=" + empty, "XDG_CACHE_HOME=" + empty, "PLAYWRIGHT_DRIVER_PATH=" + empty}
}

// finished is how a run came out, as its client learns it.
type finished struct {
	run, status, text string
	open              bool // the report could not be kept: the run waits for another try
}

// finishes ends the open run. Where that is refused, status is the error's code.
func (w *wire) finishes() finished {
	w.t.Helper()
	a := w.call("run_finish", nil)
	f := finished{text: a.text(), status: a.envelope.Error.Code, open: !a.envelope.OK}
	if a.envelope.OK {
		f.run, f.status = field[string](w, a, "runId"), field[string](w, a, "status")
	}
	return f
}

// emptyRun is a run that looks at nothing: it needs no browser, and is
// inconclusive.
func (w *wire) emptyRun() finished {
	w.t.Helper()
	w.do("run_start", map[string]any{"goal": "look at nothing"})
	return w.finishes()
}

// goodRun is a run that passes, if evidence of it can be kept.
func (w *wire) goodRun(url string) finished {
	w.t.Helper()
	w.do("run_start", map[string]any{"goal": "the page loads"})
	w.call("verify_page_loads", map[string]any{"url": url}) // its check is in the report
	return w.finishes()
}

// passes wants a run that passed.
func (w *wire) passes(url string) finished {
	w.t.Helper()
	f := w.goodRun(url)
	if f.status != "passed" {
		w.t.Errorf("the run is %s, want passed: %s", f.status, f.text)
	}
	return f
}

// refuses wants a run that could not pass, and an answer that says why and what
// to do, in these words.
func (w *wire) refuses(url string, words ...string) finished {
	w.t.Helper()
	f := w.goodRun(url)
	if f.status == "passed" {
		w.t.Errorf("the run passed without evidence: %s", f.text)
	}
	for _, word := range words {
		if !strings.Contains(f.text, word) {
			w.t.Errorf("%s, but nobody learns of %q: %s", f.status, word, f.text)
		}
	}
	return f
}

// settles ends a run that could not be ended before, now that nothing is in its
// way. If it passes, its evidence is whole.
func (w *wire) settles(f finished) {
	w.t.Helper()
	if !f.open {
		return
	}
	again := w.finishes()
	if again.open {
		w.t.Errorf("it was %s, and now: %s", f.text, again.text)
	}
	if again.status == "passed" {
		verified(w.t, w.data, again.run)
	}
}

// copied copies a folder with modes and times.
func copied(t testing.TB, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "data")
	if out, err := exec.CommandContext(t.Context(), "cp", "-Rp", from, to).CombinedOutput(); err != nil {
		t.Fatalf("copy %s: %v: %s", from, err, out)
	}
	return to
}

// filesIn lists the files of a folder, at any depth, by their path in it.
func filesIn(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// logSize is how many entries the newest checkpoint covers.
func logSize(t testing.TB, data string) int {
	t.Helper()
	lines := strings.Split(string(readFile(t, filepath.Join(data, "log/checkpoint"))), "\n")
	n, err := strconv.Atoi(lines[1])
	must(t, err)
	return n
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
