package e2e_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/wiretest"
)

// shopFront serves the pages of the specifications' specs.
func shopFront(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1>`,
			map[string]string{"/prices": `<p>Total 41.00</p>`}[r.URL.Path])
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// projectKey is the provider's key of a project: it must be printed nowhere.
const projectKey = "sk-of-a-specification-0123456789"

// project copies a specification's folder, with a .env that leads to a scripted model.
func project(t *testing.T, letter string, script wiretest.Script) (dir string, model *wiretest.Server) {
	t.Helper()
	needsBrowser(t)
	model, err := wiretest.New(wiretest.OpenAI, script, wiretest.Options{Key: projectKey, Model: "scripted", Secrets: []string{"correct-horse"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, p := range model.Problems() {
			t.Errorf("protocol: %s", p)
		}
		if err := model.Close(); err != nil {
			t.Error(err)
		}
	})
	dir = t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join("..", "testdata", "specifications", letter))))
	writeFile(t, filepath.Join(dir, ".env"), []byte("OPENAI_API_KEY="+projectKey+"\nOPENAI_BASE_URL="+model.URL()+"\n"))
	trusted(t, dir)
	return dir, model
}

// D1, D4, D7: specification D's project runs as it is written: keys from .env, a folder
// of Markdown at any depth without reports/, a report beside it that a double click
// opens, with a picture and details for each spec, and exit codes.
func TestSpecificationD(t *testing.T) {
	t.Parallel()
	site := shopFront(t)
	dir, _ := project(t, "D", func(s wiretest.Seen) wiretest.Say {
		path, expects := "/", []string{"E1", "E2", "E3"}
		if strings.Contains(s.Task, "Prices") {
			path, expects = "/prices", []string{"E1"}
		}
		switch s.Request {
		case 1:
			return say(call("page_navigate", map[string]any{"url": path}))
		case 2:
			return say(call("verify_assertion", map[string]any{"expects": expects, "timeout_ms": 500}), stepDone(1))
		}
		return finish()
	})
	stdout, stderr, code := commandIn(t, dir, "run", "specs", "--base-url", site, "--provider", "openai", "--model", "scripted", "--agent-replay", "off")
	if code != 1 || !strings.Contains(stdout, "1 passed, 1 failed") || strings.Contains(stdout+stderr, projectKey) {
		t.Fatalf("exit %d\n%s\n%s", code, stdout, stderr)
	}
	reports := filepath.Join(dir, "specs", "reports")
	index := string(readFile(t, filepath.Join(reports, "index.html")))
	for _, word := range []string{"Homepage smoke", "Prices", "Total 42.00", "passed", "failed"} {
		if !strings.Contains(index, word) {
			t.Errorf("the report does not say %q", word)
		}
	}
	if regexp.MustCompile(`(src|href)="https?://`).MatchString(index) || strings.Contains(index, dir) {
		t.Error("the report needs a network, or names this folder")
	}
	pictures := 0
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"#:]+)"`).FindAllStringSubmatch(index, -1) {
		if _, err := os.Stat(filepath.Join(reports, filepath.FromSlash(m[1]))); err != nil {
			t.Errorf("a link of the report leads nowhere: %v", err)
		}
		if strings.HasSuffix(m[1], ".png") || strings.HasSuffix(m[1], ".jpg") {
			pictures++
		}
	}
	if pictures < 2 {
		t.Errorf("%d pictures in the report, want one for each spec", pictures)
	}
	writeFile(t, filepath.Join(reports, "notes.md"), []byte("# What somebody wrote beside the report\n"))
	if stdout, _, code := commandIn(t, dir, "run", "specs", "--grep", "Homepage", "--base-url", site, "--provider", "openai", "--model", "scripted", "--agent-replay", "off"); code != 0 {
		t.Errorf("the spec that holds, with a file among the reports, ends with %d: %s", code, stdout)
	}
	for wrong, args := range map[string][]string{
		"no such folder":   {"run", "nothing", "--base-url", site},
		"no address":       {"run", "specs", "--base-url", "example"},
		"no such provider": {"run", "specs", "--base-url", site, "--provider", "nobody"},
	} {
		if _, stderr, code := commandIn(t, dir, args...); code != 2 {
			t.Errorf("%s: exit %d, want 2: %s", wrong, code, stderr)
		}
	}
}

// logged holds what specification E wants in each line of a tool's call.
type logged struct {
	Event           string
	RunID, SpecPath string
	StepIndex       *int
	ToolName        string
	ToolDurationMs  *int
	ToolInput       json.RawMessage
	Error           *struct {
		Code, Message string
		Retriable     *bool
	}
}

// E1, E4, E8, E9: specification E's contract in the files that a run leaves: events with
// its fields, a failed call as an answer with code and picture, a JPEG of it for the
// model, a bound on errors in a row that fails the spec, and exit codes.
func TestSpecificationE(t *testing.T) {
	t.Parallel()
	site := shopFront(t)
	dir, model := project(t, "E", func(s wiretest.Seen) wiretest.Say {
		if s.Request == 1 {
			return say(call("page_navigate", map[string]any{"url": "/"}))
		}
		if s.Request == 2 {
			return say(proves("E1"), stepDone(1))
		}
		return say(call("page_click", map[string]any{"selector": `button "Order"`, "timeout_ms": 200}))
	})
	args := []string{"run", "specs", "--log", "json", "--base-url", site, "--provider", "openai", "--model", "scripted", "--agent-replay", "off"}
	stdout, stderr, code := commandIn(t, dir, args...)
	if code != 1 || strings.Contains(stdout+stderr, projectKey) {
		t.Fatalf("exit %d, want 1: the guard was met\n%s\n%s", code, stdout, stderr)
	}
	for _, event := range []string{"run.started", "spec.started", "spec.finished", "run.finished"} {
		if !strings.Contains(stderr, `"event":"`+event+`"`) {
			t.Errorf("the log has no %s", event)
		}
	}
	runs, err := filepath.Glob(filepath.Join(dir, ".assay", "runs", "*", "events.jsonl"))
	if err != nil || len(runs) != 1 {
		t.Fatalf("%v, %v", runs, err)
	}
	failed := 0
	for line := range strings.Lines(string(readFile(t, runs[0]))) {
		var l logged
		decode(t, []byte(line), &l)
		if l.RunID == "" {
			t.Errorf("no run: %s", line)
		}
		if l.ToolName == "" {
			continue
		}
		if !strings.HasSuffix(filepath.ToSlash(l.SpecPath), "specs/order.md") || l.ToolDurationMs == nil || len(l.ToolInput) == 0 {
			t.Errorf("a call without path, time or input: %s", line)
		}
		if l.ToolName == "page_click" {
			failed++
			if l.StepIndex == nil || *l.StepIndex != 1 || l.Error == nil || l.Error.Code != "ELEMENT_NOT_FOUND" || l.Error.Message == "" || l.Error.Retriable == nil {
				t.Errorf("the failed call: %s", line)
			}
		}
	}
	if failed != 3 {
		t.Errorf("%d failed calls, want 3: then the guard ends the spec", failed)
	}
	pictures, err := filepath.Glob(filepath.Join(filepath.Dir(runs[0]), "screenshots", "*"))
	if err != nil || len(pictures) < failed {
		t.Errorf("%d pictures of %d failures, %v", len(pictures), failed, err)
	}
	if !shownJPEG(model) {
		t.Error("the model was not shown a JPEG of the failure")
	}
	must(t, os.Remove(filepath.Join(dir, ".env")))
	if _, stderr, code := commandIn(t, dir, args...); code != 2 || !strings.Contains(stderr, "OPENAI_API_KEY") {
		t.Errorf("without a key: exit %d, want 2: %s", code, stderr)
	}
	writeFile(t, filepath.Join(dir, "mcp.toml"), []byte("schema_version = 1\n[agent]\nmax_toolcalls = 1\n"))
	if _, stderr, code := commandIn(t, dir, args...); code != 2 || !strings.Contains(stderr, "max_toolcalls") {
		t.Errorf("a misspelt setting: exit %d, want 2: %s", code, stderr)
	}
}

// shownJPEG reports whether a request to the model holds a JPEG.
func shownJPEG(model *wiretest.Server) bool {
	for _, r := range model.Requests() {
		for _, m := range regexp.MustCompile(`data:image/jpeg;base64,([A-Za-z0-9+/=]+)`).FindAllSubmatch(r.Body, -1) {
			if data, err := base64.StdEncoding.DecodeString(string(m[1])); err == nil && bytes.HasPrefix(data, []byte("\xff\xd8")) {
				return true
			}
		}
	}
	return false
}
