package author_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/trust"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// Only tests of the project, and those made of explorations, are run: nothing leads out of
// the two folders, and no pattern is taken for an option (E6). Where no runner is
// installed, the error names the command that installs one.
func TestWhichTestsAreRun(t *testing.T) {
	root, data, outside := t.TempDir(), t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(root, "tests", "a.spec.ts"), filepath.Join(outside, "b.spec.ts")} {
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	tests := &author.Testing{DataDir: data, Root: root, TestDir: "tests", Runner: func() (testrun.Runner, error) {
		return testrun.Runner{Install: driver.Options{CacheDir: t.TempDir(), HomeDir: t.TempDir(), Getenv: os.Getenv}, Now: time.Now, Trusted: []trust.Folder{{Path: root}}}, nil
	}}
	ws := &workspace.Workspace{Settings: workspace.Settings{Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	for _, c := range []struct {
		request workspace.TestRequest
		why     string
	}{
		{workspace.TestRequest{Pattern: "../" + filepath.Base(outside)}, "leads out"},
		{workspace.TestRequest{Pattern: "tests/../../x"}, "leads out"},
		{workspace.TestRequest{Pattern: outside}, "no path below"},
		{workspace.TestRequest{Pattern: "link/b.spec.ts"}, "by a link"},
		{workspace.TestRequest{Pattern: "link"}, "by a link"},
		{workspace.TestRequest{Pattern: "--config=x"}, "hyphen"},
		{workspace.TestRequest{ExplorationID: "../x"}, "explore_site"},
		{workspace.TestRequest{ExplorationID: "20260102-030405"}, "generate_tests"},
		{workspace.TestRequest{BaseURL: "file:///etc/passwd"}, "is refused"},
		{workspace.TestRequest{Role: "nobody"}, "nobody"},
		{workspace.TestRequest{}, "assay install --test-runner"},
		{workspace.TestRequest{Pattern: "tests/a.spec.ts"}, "assay install --test-runner"},
		{workspace.TestRequest{Pattern: "a.spec"}, "assay install --test-runner"},
	} {
		_, err := tests.Start(t.Context(), ws, c.request)
		var missing *driver.InstallError
		said := ""
		if errors.As(err, &missing) {
			said = " run: " + missing.Remedy
		}
		if !errors.Is(err, workspace.ErrTestRunRefused) || !strings.Contains(err.Error()+said, c.why) {
			t.Errorf("%+v: %v", c.request, err)
		}
	}
	runner := filepath.Join(root, "node_modules", "@playwright", "test")
	if err := os.MkdirAll(runner, 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{filepath.Join(runner, "package.json"): `{"version": "1.61.1"}`, filepath.Join(runner, "cli.js"): "", filepath.Join(filepath.Dir(root), "playwright.config.js"): ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tests.Start(t.Context(), ws, workspace.TestRequest{}); !errors.Is(err, workspace.ErrTestRunRefused) || !strings.Contains(err.Error(), "lies outside") {
		t.Errorf("a configuration above the project: %v", err)
	}
	if _, err := tests.Status(t.Context(), "none"); !errors.Is(err, workspace.ErrNoTestRun) {
		t.Errorf("poll of an unknown one: %v", err)
	}
	if _, err := tests.Cancel(t.Context(), "none"); !errors.Is(err, workspace.ErrNoTestRun) {
		t.Errorf("cancel of an unknown one: %v", err)
	}
}

// endless is a runner that begins, and goes on until it is interrupted.
const endless = `const fs = require('node:fs');
fs.writeFileSync(process.env.BEGUN + process.pid, '');
process.on('SIGINT', () => process.exit(130));
setInterval(() => {}, 1000);
`

// Test runs go on in the background until they are cancelled, or the server ends; there
// are two at a time. Neither leaves a process's files behind.
func TestCancelledTestRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	root, temp, begun := t.TempDir(), t.TempDir(), t.TempDir()
	modules := filepath.Join(root, "node_modules")
	for name, text := range map[string]string{filepath.Join(modules, "@playwright", "test", "package.json"): `{"version": "1.61.1"}`, filepath.Join(modules, "@playwright", "test", "cli.js"): endless, filepath.Join(modules, "playwright-core", "package.json"): "{}"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var trusted []trust.Folder
	tests := &author.Testing{DataDir: t.TempDir(), Root: root, TestDir: "tests",
		Runner: func() (testrun.Runner, error) {
			return testrun.Runner{Install: driver.Options{CacheDir: temp, Getenv: os.Getenv}, Temp: temp, Environ: append(os.Environ(), "BEGUN="+begun+"/"), Now: time.Now, Trusted: trusted}, nil
		},
		Filer: func(*workspace.Workspace, string) testrun.Filer { return testrun.Filer{} }}
	ws := &workspace.Workspace{Settings: workspace.Settings{Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	if _, err := tests.Start(t.Context(), ws, workspace.TestRequest{}); !errors.Is(err, workspace.ErrTestRunRefused) || !strings.Contains(err.Error(), "assay trust") { // B18
		t.Errorf("in a folder that nobody trusted: %v", err)
	}
	trusted = []trust.Folder{{Path: root}}
	start := func() string {
		s, err := tests.Start(t.Context(), ws, workspace.TestRequest{})
		if err != nil || s.State != "running" {
			t.Fatalf("%+v, %v", s, err)
		}
		return s.TestRunID
	}
	first, second := start(), start()
	for runners := 0; runners < 2 && t.Context().Err() == nil; runtime.Gosched() { // none: the test ends by its time-out
		files, err := os.ReadDir(begun)
		if err != nil {
			t.Fatal(err)
		}
		runners = len(files)
	}
	if _, err := tests.Start(t.Context(), ws, workspace.TestRequest{}); !errors.Is(err, workspace.ErrTestRunRefused) || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a third one: %v", err)
	}
	if s, err := tests.Cancel(t.Context(), first); err != nil || s.TestRunID != first {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
	tests.Close(t.Context())
	for _, id := range []string{first, second} {
		if s, err := tests.Status(t.Context(), id); err != nil || s.State != "cancelled" || s.Problem != "" {
			t.Errorf("after the end: %+v, %v", s, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(temp, "assay-tests-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
