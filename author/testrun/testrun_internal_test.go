package testrun

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/trust"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The project's own runner and configuration are found above its tests; without a
// runner the pinned one is asked for, and its absence is the error.
func TestFindProject(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "shop", "tests", "a.spec.ts"), "")
	write(t, filepath.Join(dir, "shop", "playwright.config.ts"), "")
	missing := errors.New("not installed")
	tools := Tools{Node: func() (string, error) { return "/bin/node", nil }, Pinned: func() (driver.TestRunner, error) { return driver.TestRunner{}, missing }}
	if _, err := Find(dir, []string{"shop/tests/a.spec.ts"}, tools); !errors.Is(err, missing) {
		t.Errorf("without a runner: %v", err)
	}
	write(t, filepath.Join(dir, "shop", "node_modules", "@playwright", "test", "package.json"), `{"version": "1.50.0"}`)
	write(t, filepath.Join(dir, "shop", "node_modules", "@playwright", "test", "cli.js"), "")
	p, err := Find(dir, []string{"shop/tests"}, tools)
	if err != nil || !p.Own || p.Version != "1.50.0" || p.Root != filepath.Join(dir, "shop") || filepath.Base(p.Config) != "playwright.config.ts" || p.TestDir != filepath.Join(dir, "shop", "tests") {
		t.Errorf("%+v, %v", p, err)
	}
	tools.Top = filepath.Join(dir, "shop", "tests")
	if p, err = Find(dir, []string{"shop/tests"}, tools); !errors.Is(err, missing) || p.Config != "" {
		t.Errorf("above the top: %+v, %v", p, err)
	}
	tools.Top = ""
	if p, err = Find(dir, []string{"checkout"}, tools); err == nil || p.TestDir != dir {
		t.Errorf("a part of a path: %+v, %v", p, err)
	}
}

// What an interrupted runner wrote is read up to its last whole line, and a mistake in
// a file has its place.
func TestReadEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), eventsFile)
	write(t, path, `{"event":"begin","version":"1.61.1"}
{"event":"error","error":{"message":"SyntaxError: /p/bad.spec.ts: Unexpected token (3:7)"}}
{"event":"error","error":{"message":"No tests found."}}
{"event":"test","project":"chromium","titles":["cart","adds"],"status":"passed","expected":"passed","duration":12}
{"event":"test","titles":["cut`)
	r, err := readEvents(path)
	if err != nil || !r.begun || len(r.Tests) != 1 || r.Tests[0].Title() != "cart › adds" || !r.Tests[0].Passed() {
		t.Errorf("%+v, %v", r, err)
	}
	if m := r.Mistakes(); len(m) != 1 || m[0].Location == nil || m[0].Location.Line != 3 || !strings.HasSuffix(m[0].Text(), "(bad.spec.ts:3)") {
		t.Errorf("%+v", m)
	}
	if r.NoTests() {
		t.Error("a test is no test")
	}
	if r, err := readEvents(filepath.Join(t.TempDir(), eventsFile)); err != nil || !r.NoTests() {
		t.Errorf("no file: %+v, %v", r, err)
	}
}

// Each slot loads its files again: an ES module by another address.
func TestSlots(t *testing.T) {
	dir, scratch := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "a.spec.ts")
	r := Request{Scratch: scratch, Slots: []Slot{{Name: "mutant-01", Tests: []SlotTest{{File: file, Titles: []string{"adds (2)"}}}}}}
	slots, again, err := r.writeSlots()
	if err != nil || again == "" || len(slots) != 1 || slots[0].Grep != `000-mutant-01[\\/]0\.[cm]js adds \(2\)(?= |$)` {
		t.Errorf("%+v, %q, %v", slots, again, err)
	}
	if text, err := os.ReadFile(filepath.Join(again, "000-mutant-01", "0.cjs")); err != nil || !strings.Contains(string(text), "a.spec.ts") {
		t.Errorf("%s, %v", text, err)
	}
	write(t, filepath.Join(dir, "package.json"), `{"type": "module"}`)
	if _, again, err = r.writeSlots(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(again, "000-mutant-01", "0.mjs")); err != nil || !strings.Contains(string(text), `import(href + "?assay-slot=mutant-01")`) {
		t.Errorf("a module: %s, %v", text, err)
	}
	r.Slots[0].Tests = nil
	if slots, again, err = r.writeSlots(); err != nil || again != "" || slots[0].Grep != "" {
		t.Errorf("all tests: %+v, %q, %v", slots, again, err)
	}
}

// B7, E6: a role's storage state is in a file for its owner alone while tests run. It is
// gone when they are closed, and at once when they are interrupted.
func TestSignedInSetup(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "node_modules", "@playwright", "test", "package.json"), `{"version": "1.50.0"}`)
	write(t, filepath.Join(dir, "node_modules", "@playwright", "test", "cli.js"), "")
	ctx, interrupt := context.WithCancel(t.Context())
	open := func(ctx context.Context) (*Setup, string) {
		s, err := Runner{Install: driver.Options{CacheDir: temp, Getenv: os.Getenv}, Folder: dir, Temp: temp, State: []byte(`{"cookies":[]}`), Now: time.Now, Trusted: []trust.Folder{{Path: dir, Any: true}}}.Open(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(s.base.State)
		if err != nil || info.Mode().Perm() != 0o600 || !slices.Contains(s.base.Environ, StateVariable+"="+s.base.State) {
			t.Fatalf("%v, %v, %q", info, err, s.base.Environ)
		}
		return s, s.base.State
	}
	s, _ := open(t.Context())
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	s, state := open(ctx)
	interrupt()
	for _, err := os.Stat(state); err == nil && t.Context().Err() == nil; _, err = os.Stat(state) {
		runtime.Gosched() // a file that stays ends the test by its time-out
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// What a caller names is never an option of the runner, nor the name of a project: each
// value stands with its option, and what exists is a path.
func TestArguments(t *testing.T) {
	dir := t.TempDir()
	modules := filepath.Join(dir, "node_modules")
	write(t, filepath.Join(modules, "@playwright", "test", "cli.js"), "")
	write(t, filepath.Join(modules, "playwright-core", "package.json"), "{}")
	write(t, filepath.Join(dir, "a.spec.ts"), "")
	r := Request{Project: Project{Root: dir, TestDir: dir, Modules: modules}, Folder: dir, Patterns: []string{"a.spec.ts", "cart"}, Grep: "--", Name: "two", Scratch: t.TempDir()}
	args, err := r.arguments()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--grep=--", "--project=two", regexp.QuoteMeta(filepath.ToSlash(filepath.Join(dir, "a.spec.ts"))), "cart"}
	if !slices.Equal(args[len(args)-4:], want) || slices.Contains(args, "--") {
		t.Errorf("%q, want %q at the end", args, want)
	}
}

func TestFailureText(t *testing.T) {
	t.Parallel()
	at := &Location{File: "/a/tests/shop.spec.ts", Line: 9}
	for message, want := range map[string]string{
		"Error: expect(locator).toBeVisible() failed\n\nLocator: getByText('2')\nExpected: visible\nError: element(s) not found\n\nCall log:\n  - waiting for getByText('2')\n": "expect(locator).toBeVisible() failed; Locator: getByText('2'); Expected: visible; Error: element(s) not found (shop.spec.ts:9)",
		"Error: locator.click: Timeout 10000ms exceeded.\nCall log:\n  - waiting for getByText('2')\n  - <div> intercepts pointer events\n":                                     "locator.click: Timeout 10000ms exceeded.; Call log:; - waiting for getByText('2'); - <div> intercepts pointer events (shop.spec.ts:9)",
	} {
		if got := (Failure{Message: message, Location: at}).Text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhyATestTookTooLong(t *testing.T) {
	t.Parallel()
	late := Test{Errors: []Failure{{Message: "Test timeout of 30000ms exceeded."}, {Message: "Error: page.click: Test timeout of 30000ms exceeded.\nCall log:\n  - waiting for locator('#a')\n"}}}
	if got := late.Why(); !strings.Contains(got, "waiting for locator('#a')") {
		t.Errorf("%q", got)
	}
	two := Test{Errors: []Failure{{Message: "Error: one"}, {Message: "Error: two"}}}
	if got := two.Why(); got != "one" {
		t.Errorf("%q", got)
	}
}

// B18: what a folder has is run where a person trusted that folder, or one above it, and nowhere else: not by the
// configuration or the runner of a folder above, by a link, or by tests elsewhere.
func TestTestsNeedTrust(t *testing.T) {
	trusted, stranger := t.TempDir(), t.TempDir()
	inside := filepath.Join(trusted, "web")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	rn := Runner{Trusted: []trust.Folder{{Path: trusted}}}
	for name, c := range map[string]struct {
		rn      Runner
		project Project
		runs    bool
	}{
		"its tests":                      {rn, Project{TestDir: trusted}, true},
		"its configuration":              {rn, Project{TestDir: inside, Config: filepath.Join(trusted, "playwright.config.ts"), Own: true}, true},
		"a folder below":                 {rn, Project{TestDir: inside, Config: filepath.Join(inside, "playwright.config.ts")}, true},
		"nobody":                         {Runner{}, Project{TestDir: trusted}, false},
		"tests elsewhere":                {rn, Project{TestDir: stranger}, false},
		"a configuration elsewhere":      {rn, Project{TestDir: inside, Config: filepath.Join(stranger, "playwright.config.ts")}, false},
		"a configuration above":          {Runner{Trusted: []trust.Folder{{Path: inside}}}, Project{TestDir: inside, Config: filepath.Join(trusted, "playwright.config.ts")}, false},
		"a name that begins alike":       {rn, Project{TestDir: trusted + "-evil"}, false},
		"tests of ours, pinned runner":   {Runner{Plain: true}, Project{TestDir: stranger}, true},
		"tests of ours, a folder's own":  {Runner{Plain: true}, Project{TestDir: inside, Modules: filepath.Join(stranger, "node_modules"), Own: true}, false},
		"tests of ours, the folder's":    {Runner{Plain: true, Trusted: []trust.Folder{{Path: trusted}}}, Project{TestDir: inside, Modules: filepath.Join(trusted, "node_modules"), Own: true}, true},
		"a folder that is not there yet": {rn, Project{TestDir: filepath.Join(trusted, "gone")}, false},
	} {
		err := c.rn.CheckTrust(c.project)
		var untrusted *UntrustedError
		if errors.As(err, &untrusted) == c.runs || Missing(err) == c.runs {
			t.Errorf("%s: %v, want that it runs: %v", name, err, c.runs)
		}
	}
	link := filepath.Join(trusted, "link")
	if err := os.Symlink(stranger, link); err == nil {
		if err := rn.CheckTrust(Project{TestDir: link}); err == nil {
			t.Error("a link leads out of what is trusted")
		}
	}
}
