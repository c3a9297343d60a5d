package e2e_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/document"
)

// The GitHub action installs a release whose digest is right, runs what its inputs name, and has
// the verdict and the report as outputs; a wrong digest installs nothing (issue 34, 5).
func TestAction(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Shop</title><h1>Shop</h1>`)
	}))
	t.Cleanup(site.Close)
	archive := releaseArchive(t)
	digest := fmt.Sprintf("%x", sha256.Sum256(archive))
	releases := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1.2.3/checksums.txt":
			fmt.Fprintf(w, "%s  assay_1.2.3_linux_amd64.tar.gz\n%s  assay_1.2.3_linux_arm64.tar.gz\n", digest, digest)
		case "/v6.6.6/checksums.txt":
			fmt.Fprintf(w, "%x  assay_6.6.6_linux_amd64.tar.gz\n", sha256.Sum256(nil))
		case "/v7.7.7/checksums.txt":
			fmt.Fprintf(w, "%x  assay_7.7.7_windows_amd64.zip\n", sha256.Sum256(nil))
		case "/v1.2.3/assay_1.2.3_linux_amd64.tar.gz", "/v6.6.6/assay_6.6.6_linux_amd64.tar.gz", "/v7.7.7/assay_7.7.7_linux_amd64.tar.gz":
			_, _ = w.Write(archive)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(releases.Close)
	toolCache := filepath.Join(t.TempDir(), "tools of the runner")
	in := func(inputs map[string]string) *workflowStep {
		return &workflowStep{t: t, toolCache: toolCache, project: actionProject(t), releases: releases.URL, inputs: inputs, outputs: map[string]map[string]string{}}
	}

	good := in(map[string]string{"version": "v1.2.3", "base-url": site.URL, "paths": "flows/good.flow.toml\n"})
	good.run(0)
	if report := good.outputs["run"]["report"]; good.outputs["run"]["verdict"] != "passed" || !strings.HasSuffix(report, "index.html") || len(readFile(t, report)) == 0 {
		t.Errorf("the outputs of what passed: %v", good.outputs["run"])
	}
	if want := []string{"actions/cache", "actions/upload-artifact"}; !slices.Equal(good.used, want) {
		t.Errorf("the action uses %q, want %q", good.used, want)
	}
	red := in(map[string]string{"version": "v1.2.3", "base-url": site.URL, "arguments": "--grep=bazaar\n--parallel=1"})
	red.run(1)
	if red.outputs["run"]["verdict"] != "failed" || !strings.Contains(red.outputs["run"]["files"], filepath.Join(red.project, "assay-junit.xml")) ||
		!strings.Contains(string(readFile(t, filepath.Join(red.project, "assay-junit.xml"))), "Bazaar") {
		t.Errorf("the outputs of what failed: %v", red.outputs["run"])
	}
	for want, inputs := range map[string]map[string]string{
		"names no release":      {"version": "main"},
		"see whether v9.9.9":    {"version": "v9.9.9"},
		"nothing was installed": {"version": "v6.6.6"},
		"does not name assay":   {"version": "v7.7.7"},
	} {
		bad := in(inputs)
		if said := bad.run(1); !strings.Contains(said, "::error title=assay::") || !strings.Contains(said, want) || bad.outputs["run"] != nil {
			t.Errorf("%v: want %q: %s", inputs, want, said)
		}
	}
	if said := in(map[string]string{"version": "v1.2.3", "comment": "maybe"}).run(2); !strings.Contains(said, "takes true or false") {
		t.Error(said)
	}
}

// releaseArchive packs the program as a release does.
func releaseArchive(t *testing.T) []byte {
	t.Helper()
	program := readFile(t, binary(t))
	var packed bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewWriter(zipped)
	err = files.WriteHeader(&tar.Header{Name: "assay", Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = files.Write(program)
	}
	if err = errors.Join(err, files.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// actionProject is a repository with one flow that holds and one that does not.
func actionProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mcp.toml":              "schema_version = 1\n[browser]\nwatch_ms = 250\n",
		"flows/good.flow.toml":  "name = \"a shop\"\nstart_url = \"/\"\nsuccess_condition = \"Shop\"\n",
		"flows/smoke.flow.toml": "name = \"a bazaar\"\nstart_url = \"/\"\nsuccess_condition = \"Bazaar\"\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// workflowStep runs action.yml as a step of a workflow does, with the runner's variables and
// files. Actions of others are not run.
type workflowStep struct {
	t                            *testing.T
	toolCache, project, releases string
	inputs                       map[string]string
	outputs                      map[string]map[string]string // by step
	used                         []string                     // actions of others
}

// run runs the steps up to the first that fails, wants the exit code of the last one, and
// returns what all printed.
func (w *workflowStep) run(want int) (said string) {
	w.t.Helper()
	action, err := document.Parse(document.YAML, readFile(w.t, "../action.yml"))
	if err != nil {
		w.t.Fatal(err)
	}
	runs, _ := action.Field("runs")
	steps, _ := runs.Field("steps")
	path, code := os.Getenv("PATH"), 0
	for _, step := range steps.Items {
		if uses := scalar(step, "uses"); uses != "" {
			name, at, _ := strings.Cut(uses, "@")
			if !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(at) {
				w.t.Errorf("%s is not pinned", uses)
			}
			w.used = append(w.used, name)
			continue
		}
		if code != 0 {
			continue
		}
		var out string
		if out, path, code = w.step(action, step, path); code != 0 && code != want {
			w.t.Errorf("%s: exit %d, want %d: %s", scalar(step, "run"), code, want, out)
		}
		said += out
	}
	if code != want {
		w.t.Errorf("the action exits with %d, want %d: %s", code, want, said)
	}
	return said
}

// step runs one step in the shell, and takes over what it has written for later ones.
func (w *workflowStep) step(action, step document.Node, path string) (said, newPath string, code int) {
	w.t.Helper()
	files := w.t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		w.t.Fatal(err)
	}
	cmd := exec.CommandContext(w.t.Context(), "bash", "-e", "-c", w.evaluated(action, scalar(step, "run")))
	cmd.Dir = w.project
	cmd.Env = append(environment(w.t.TempDir()), "PATH="+path, "CI=true", "GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+root, "GITHUB_REF=refs/heads/main",
		"GITHUB_OUTPUT="+filepath.Join(files, "output"), "GITHUB_PATH="+filepath.Join(files, "path"), "GITHUB_STEP_SUMMARY="+filepath.Join(files, "summary"),
		"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP="+files, "RUNNER_TOOL_CACHE="+w.toolCache, "RELEASES="+w.releases)
	if variables, ok := step.Field("env"); ok {
		for _, v := range variables.Fields {
			cmd.Env = append(cmd.Env, v.Name+"="+w.evaluated(action, fmt.Sprint(v.Value)))
		}
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	if id := scalar(step, "id"); id != "" {
		w.outputs[id] = stepOutputs(w.t, filepath.Join(files, "output"))
	}
	if added, err := os.ReadFile(filepath.Join(files, "path")); err == nil {
		path = strings.TrimSpace(string(added)) + string(os.PathListSeparator) + path
	}
	return string(out), path, cmd.ProcessState.ExitCode()
}

// evaluated puts the values of a workflow's expressions in their place.
func (w *workflowStep) evaluated(action document.Node, text string) string {
	w.t.Helper()
	return regexp.MustCompile(`\$\{\{ ([\w.-]+) \}\}`).ReplaceAllStringFunc(text, func(expression string) string {
		parts := strings.Split(strings.Trim(expression, "${} "), ".")
		switch {
		case parts[0] == "inputs" && len(parts) == 2:
			if value, given := w.inputs[parts[1]]; given {
				return value
			}
			inputs, _ := action.Field("inputs")
			input, ok := inputs.Field(parts[1])
			if !ok {
				w.t.Fatalf("the action has no input %s", parts[1])
			}
			return w.evaluated(action, scalar(input, "default"))
		case parts[0] == "steps" && len(parts) == 4 && w.outputs[parts[1]] != nil:
			return w.outputs[parts[1]][parts[3]]
		case expression == "${{ github.token }}", expression == "${{ github.action_ref }}":
			return ""
		}
		w.t.Fatalf("no such expression: %s", expression)
		return ""
	})
}

// stepOutputs reads what a step wrote into GITHUB_OUTPUT.
func stepOutputs(t *testing.T, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if name, end, many := strings.Cut(lines[i], "<<"); many {
			for i++; i < len(lines) && lines[i] != end; i++ {
				out[name] += lines[i] + "\n"
			}
			continue
		}
		name, value, ok := strings.Cut(lines[i], "=")
		if !ok {
			t.Errorf("GITHUB_OUTPUT has the line %q", lines[i])
		}
		out[name] = value
	}
	return out
}

// scalar returns a text of a table; "" where it is not there.
func scalar(n document.Node, name string) string {
	field, ok := n.Field(name)
	if !ok {
		return ""
	}
	return fmt.Sprint(field.Value)
}
