package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/verify"
)

// TestRunByWorkers (S1, S2, S3): a suite that three workers run, one of which is killed in a
// case, as the broker is, ends as it would by itself: each case has one verdict, whose run
// verifies on its own, and no process is left.
func TestRunByWorkers(t *testing.T) {
	needsBrowser(t)
	if _, err := os.Stat(filepath.Join(filepath.Dir(binary(t)), "assay-broker")); err != nil {
		t.Fatal("the broker is not beside the binary: make bin/assay-broker")
	}
	const cases = 8
	seen := make(chan string, 100)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/case") {
			seen <- r.URL.Path
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Case</title><h1>Loading</h1><script>setTimeout(() => document.querySelector('h1').textContent = 'Case %s', 1500)</script>`, filepath.Base(r.URL.Path))
	}))
	defer site.Close()
	w := &wire{t: t, temp: t.TempDir(), data: t.TempDir()}
	dir := t.TempDir()
	for i := range cases {
		shown := fmt.Sprint("Case ", i)
		if i == 3 {
			shown = "Another case"
		}
		text := fmt.Sprintf("name = \"case %d\"\nstart_url = \"/case/%d\"\n[[steps]]\naction = \"assert\"\nselector = \"h1\"\nassertion = { type = \"text_equals\", expected = %q }\n", i, i, shown)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".flow.toml")), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	w.cmd = exec.Command(binary(t), "run", "--json", "--workers", "3", "--lease", "10s", "--base-url", site.URL, "--data-dir", w.data, ".")
	w.cmd.Dir, w.cmd.Env, w.cmd.Stdout, w.cmd.Stderr = dir, environment(w.temp), &stdout, &stderr
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- w.cmd.Wait() }()
	loaded := func(n int) {
		t.Helper()
		for range n {
			select {
			case <-seen:
			case err := <-done:
				t.Fatalf("it ended early: %v\n%s\n%s", err, &stdout, &stderr)
			case <-time.After(2 * patience):
				t.Fatal("no case was begun for a while")
			}
		}
	}
	loaded(3) // each of the three workers is in a case, which takes 1.5 s at least
	kill(t, w.only("a worker", func(p process) bool { return strings.Contains(p.command, "worker --name worker-1 ") }).pid)
	loaded(2)
	kill(t, w.only("the broker", func(p process) bool { return strings.Contains(p.command, "assay-broker") }).pid)
	family := w.family()
	var err error
	select {
	case err = <-done:
	case <-time.After(5 * patience):
		t.Fatalf("it does not end\n%s", &stderr)
	}
	if err == nil || w.cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v, want exit code 1 as one case fails\n%s\n%s", err, &stdout, &stderr)
	}
	var result struct {
		Cases []struct {
			Name, Status string
			RunID        string `json:"run_id"`
			Why          string `json:"failure_reason"`
		} `json:"test_cases"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		t.Fatalf("%v: %s", err, &stdout)
	}
	runs := map[string]bool{}
	for i, c := range result.Cases {
		want := "passed"
		if i == 3 {
			want = "failed"
		}
		if c.Status != want {
			t.Errorf("%s: %s, want %s: %s", c.Name, c.Status, want, c.Why)
		}
		runs[c.RunID] = true
	}
	if len(result.Cases) != cases || len(runs) != cases {
		t.Errorf("%d cases with %d runs, want %d:\n%s", len(result.Cases), len(runs), cases, &stdout)
	}
	if bundles := verifiedBundles(t, w.data); bundles < cases {
		t.Errorf("%d runs verify on their own, want %d", bundles, cases)
	}
	eventually(t, killLimit, func() string { return w.left(family) })
}

// verifiedBundles counts the runs that workers sent and that verify on their own.
func verifiedBundles(t *testing.T, data string) (n int) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(data, "suites", "*", "blobs", "sha256", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if head, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(head, []byte("PK")) {
			continue
		}
		found, err := verify.Bundle(t.Context(), path, verify.Options{})
		if err != nil || found.Verdict != verify.Verified {
			t.Errorf("%s: %s, %v", path, found.Text(), err)
		}
		n++
	}
	return n
}
