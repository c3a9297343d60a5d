package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// A run that is interrupted ends with 130 and with what was done until then:
// the flow that ran could not be judged, the next ones were skipped.
func TestRunInterrupted(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			cancel()
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>Fine</title><h1>Fine</h1>"))
	}))
	t.Cleanup(site.Close)
	dir := t.TempDir()
	for name, text := range map[string]string{"1": `start_url = "/"`, "2": `start_url = "/slow"`, "3": `start_url = "/"`} {
		if err := os.WriteFile(filepath.Join(dir, name+".flow.toml"), []byte(text+"\nsuccess_condition = \"h1\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	a := here(bytes.NewReader(nil), &stdout, &stderr, os.Getenv)
	code := a.run(ctx, []string{"run", "--json", "--parallel", "1", "--base-url", site.URL, "--data-dir", filepath.Join(dir, "data"), dir})
	var result qa.TestResult
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		t.Fatalf("exit %d, stdout %q, stderr %s: %v", code, stdout.String(), stderr.String(), err)
	}
	var got []qa.TestStatus
	for _, c := range result.TestCases {
		got = append(got, c.Status)
	}
	if code != exitInterrupted || len(got) != 3 || got[0] != qa.TestPassed || got[1] != qa.TestError || got[2] != qa.TestSkipped {
		t.Errorf("exit %d, %v; want 130 with passed, error, skipped\n%s", code, got, stderr.String())
	}
}
