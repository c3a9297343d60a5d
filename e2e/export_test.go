package e2e_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// exported is the last run of a server as a bundle: a picture that a person
// approved was compared.
func exported(t *testing.T) (w *wire, zip string) {
	t.Helper()
	needsBrowser(t)
	for _, tool := range []string{"sh", "python3", "openssl", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			absent(t, "%s: a bundle is checked with it by hand", tool)
		}
	}
	w = alone(t, november25)
	url, _ := report(t)
	w.visualRun(url)
	out, err := w.person("baseline", "list", "--name", "report")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	id, _, _ := strings.Cut(out, " ")
	if out, err := w.person("baseline", "approve", id, "--name", "Ada Lovelace", "--reason", "as designed"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if row, said, verdict := w.visualRun(url); verdict != "passed" || !row.Approved {
		t.Fatalf("%s: %s", verdict, said.text())
	}
	zip = filepath.Join(t.TempDir(), "evidence.zip")
	if out, err := w.person("export", "latest", "--out", zip); err != nil || !strings.Contains(out, "SHA-256") || !strings.Contains(out, "\nverified: bundle ") {
		t.Fatalf("%v\n%s", err, out)
	}
	return w, zip
}

// byHand pastes the commands of the bundle's README into a shell, in its folder.
func byHand(t *testing.T, dir string) (string, error) {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)\n```sh(\n.*?)\n```\n").FindAllSubmatch(readme, -1) {
		script.Write(block[1])
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-eu")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(script.String())
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// B8, A14, E5: a run is exported, and whoever has neither assay nor its machine
// checks it with the commands that are in the bundle.
func TestExport(t *testing.T) {
	t.Parallel()
	w, zip := exported(t)
	t.Run("by hand", func(t *testing.T) { exportByHand(t, zip) })
	t.Run("refused", func(t *testing.T) {
		for _, args := range [][]string{{"latest", "--out", zip}, {"latest", "--out", filepath.Join(w.data, "runs", "b.zip")}, {"20000101T000000.000Z-aaaaaa"}} {
			if out, code := w.exportExit(args...); code != 2 {
				t.Errorf("%q: exit %d, want 2\n%s", args, code, out)
			}
		}
	})
	t.Run("damaged", func(t *testing.T) { exportDamaged(t, w) })
	t.Run("interrupted", func(t *testing.T) { exportInterrupted(t, w) })
}

// exportByHand checks a bundle as its instructions say; what they say of a damaged one is
// held by evidence/bundle.
func exportByHand(t *testing.T, zip string) {
	whole := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "python3", "-m", "zipfile", "-e", zip, whole).CombinedOutput(); err != nil {
		t.Fatalf("unpack: %v\n%s", err, out)
	}
	out, err := byHand(t, whole)
	if err != nil || !strings.Contains(out, "run/report.json: OK") || !strings.Contains(out, "baseline approved") || strings.Count(out, "Signature Verified Successfully") != 3 {
		t.Errorf("by hand: %v\n%s", err, out)
	}
}

// exportExit exports as a person does, and tells the exit code.
func (w *wire) exportExit(arguments ...string) (out string, code int) {
	w.t.Helper()
	out, err := w.person(append([]string{"export"}, arguments...)...)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out, 0
	case errors.As(err, &exit):
		return out, exit.ExitCode()
	default:
		w.t.Fatal(err)
		return "", 0
	}
}

// exportDamaged: a run that is still going on is refused; one that was damaged is
// exported with exit code 1, and what is no evidence is named and left out.
func exportDamaged(t *testing.T, w *wire) {
	w.do("run_start", map[string]any{"goal": "never finished"})
	w.do("page_navigate", map[string]any{"url": badSite(t) + "/ok"})
	runs, err := os.ReadDir(filepath.Join(w.data, "runs"))
	if err != nil || len(runs) != 3 {
		t.Fatalf("%v, %v", runs, err)
	}
	out, code := w.exportExit(runs[2].Name())
	if code != 1 || !strings.Contains(out, "is not finished") || !strings.Contains(out, "the client that started it finishes it") {
		t.Errorf("exit %d: %s", code, out)
	}
	dir := filepath.Join(w.data, "runs", runs[1].Name())
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "screenshots", "900-theirs.png"), []byte("x"), 0o600),
		os.Symlink(filepath.Join(w.data, "log", "key"), filepath.Join(dir, "key")),
		os.WriteFile(filepath.Join(dir, "report.html"), []byte("<p>changed"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	zip := filepath.Join(t.TempDir(), "damaged.zip")
	out, code = w.exportExit(runs[1].Name(), "--out", zip)
	if code != 1 || !strings.Contains(out, "900-theirs.png") || !strings.Contains(out, `run/key"`) || !strings.Contains(out, "failed: bundle ") || !strings.Contains(out, "run/report.html") {
		t.Errorf("exit %d: %s", code, out)
	}
	if listing, err := exec.CommandContext(t.Context(), "python3", "-m", "zipfile", "-l", zip).Output(); err != nil || strings.Contains(string(listing), "theirs") ||
		strings.Contains(string(listing), "run/key") || !strings.Contains(string(listing), "run/report.html") {
		t.Errorf("%v\n%s", err, listing)
	}
}

// exportInterrupted: whoever presses Ctrl+C during a long export finds no half
// bundle.
func exportInterrupted(t *testing.T, w *wire) {
	runs, err := os.ReadDir(filepath.Join(w.data, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	last := runs[1].Name()
	if err := os.Truncate(filepath.Join(w.data, "runs", last, "report.html"), 8<<30); err != nil { // a hole: nothing is stored
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(binary(t), "export", last, "--out", filepath.Join(dir, "b.zip"), "--data-dir", w.data)
	cmd.Env = environment(w.temp)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	looks, tooLong := time.NewTicker(time.Millisecond), time.After(patience)
	defer looks.Stop()
	for begun := false; !begun; {
		select {
		case err := <-ended:
			t.Fatalf("it ended before anything was seen of it: %v", err)
		case <-tooLong:
			t.Fatal("no bundle was begun")
		case <-looks.C:
			names, err := fs.Glob(os.DirFS(dir), "*.tmp")
			begun = err == nil && len(names) > 0
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := <-ended; !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("%v, want exit 130", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
