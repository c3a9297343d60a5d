package script_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/script/scripttest"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/driver"
)

// syntaxes returns what people keep in test files, by the ending of their names.
func syntaxes() map[string][]string {
	return map[string][]string{
		"a.ts": {
			"abstract class A<T extends object = {}> implements B { @c accessor d!: string; constructor(private readonly page: Page) {} declare e: string }",
			"enum A { B }\nnamespace C { export const d = 1 }\nconst e = <T,>(x: T): x is T => x!;\nusing f = g() satisfies H as const;\nawait i;",
		},
		"b.ts": {
			"const a = <T>(x: T) => <any>x;",
		},
		"a.tsx": {
			"const a = <b c={d}>e</b>;",
		},
		"a.js": {
			"const a = <b>c</b>;",
			"\ufeffconst a = 1;\r\nawait b?.[c]; d`e${f}`;\r\n",
			"",
		},
		"a.cts": {
			"import fs = require('fs');\nexport = fs;",
		},
	}
}

// TestReadFiles shows that what people keep in test files is read, and that what can't be
// is said for its file alone: the next one is read all the same.
func TestReadFiles(t *testing.T) {
	r := scripttest.Reader(t)
	for name, sources := range syntaxes() {
		for _, source := range sources {
			if f, err := r.Read(t.Context(), script.Source{Name: name, Text: []byte(source)}); err != nil || f.Program == nil || f.Program.Kind != "Program" {
				t.Errorf("%s %s: %v", name, source, err)
			}
		}
	}
	for _, c := range []struct{ name, source, says string }{
		{"a.js", "const a: string = 1", "line 1:8: it does not parse: Missing initializer"},
		{"a.ts", "\ufeffconst ü = 1;\r\n/* 𝒳 */ const a = ;\r\n", "line 2:19: it does not parse: Unexpected token"},
		{"a.ts", "\xff", "not UTF-8"},
		{"a.ts", strings.Repeat("//", 25<<20), "split it"},
		{"a.ts", strings.Repeat("(", 400<<10), "gave up"},
		{"a.ts", strings.Repeat("a?b:", 100<<10), "gave up"},
		{"a.ts", "const a = 1" + strings.Repeat("+1", 200<<10), "gave up"},
	} {
		f, err := r.Read(t.Context(), script.Source{Name: c.name, Text: []byte(c.source)})
		var p script.Problem
		if !errors.As(err, &p) || !strings.Contains(err.Error(), c.says) || f.Program != nil {
			t.Errorf("%s %.80s: said %v without %q", c.name, c.source, err, c.says)
		}
		if _, err := r.Read(t.Context(), script.Source{Name: c.name, Text: []byte("test('a', async ({ page }) => {});")}); err != nil {
			t.Errorf("after %.80s: %v", c.source, err)
		}
	}
}

// TestReaderWithoutParser shows what is said where no parser answers, and that nothing of
// it stays behind.
func TestReaderWithoutParser(t *testing.T) {
	missing := &driver.InstallError{What: "no test runner", Remedy: "assay install --test-runner"}
	for _, c := range []struct{ node, says string }{
		{"", "assay install --test-runner"},
		{"sleep 1000 &\nsleep 1000", "no answer within 1ms"},
		{"read x\necho it broke >&2\nexit 3", "it broke"},
		{"exit 3", "exit status 3"},
		{"read x\necho '{}'\ncat", "is none"},
		{"read x\necho no JSON\ncat", "is none"},
	} {
		if runtime.GOOS == "windows" && c.node != "" {
			continue // the program is a script of a shell
		}
		dir := t.TempDir()
		err := os.WriteFile(filepath.Join(dir, "node"), []byte("#!/bin/sh\n"+c.node+"\n"), 0o700) //nolint:gosec // it is run
		if err = errors.Join(err, os.Mkdir(filepath.Join(dir, "node_modules"), 0o700)); err != nil {
			t.Fatal(err)
		}
		r := &script.Reader{Runner: func(context.Context) (driver.TestRunner, error) {
			if c.node == "" {
				return driver.TestRunner{}, missing
			}
			return driver.TestRunner{Dir: dir, Node: filepath.Join(dir, "node"), NodeVersion: "22.13.0"}, nil
		}}
		if strings.HasPrefix(c.node, "sleep") {
			r.Limit = time.Millisecond
		}
		for range 2 { // the first failure is not in the way of the next try
			if _, err := r.Read(t.Context(), script.Source{Name: "a.ts", Text: []byte("let a")}); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q: said %v without %q", c.node, err, c.says)
			}
		}
		if _, err := r.Check(t.Context(), script.Source{Name: "a.ts", Text: []byte("let a")}); err == nil {
			t.Errorf("%q: a file that nobody has read may be run", c.node)
		}
		r.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := scripttest.Reader(t).Read(ctx, script.Source{Name: "a.ts", Text: []byte("let a")}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}

// curious is a parser that tries what a parser has no need of, and tells what came of it.
const curious = `const tried = (f) => { try { return 'done ' + f(); } catch (e) { return e.code || e.name; } };
exports.parse = (text) => {
  throw new Error([
    tried(() => require('node:fs').readFileSync(text)),
    tried(() => require('node:fs').writeFileSync(text, 'x')),
    tried(() => require('node:child_process').execFileSync(process.execPath)),
    tried(() => new (require('node:worker_threads').Worker)('1', { eval: true })),
    tried(() => eval('1')),
    Object.keys(process.env).join(),
  ].join(' '));
};
`

// TestParserIsConfined shows what a file reaches that has the parser in its hands: nothing
// of the user's, from Node 20 on.
func TestParserIsConfined(t *testing.T) {
	runner := browsertest.TestRunner(t)
	if strings.HasPrefix(strings.TrimPrefix(runner.NodeVersion, "v"), "18.") {
		t.Skip("Node 18 can't refuse anything")
	}
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	module := filepath.Join(dir, "node_modules", "@babel", "parser")
	if err := errors.Join(os.MkdirAll(module, 0o700), os.WriteFile(filepath.Join(module, "index.js"), []byte(curious), 0o600), os.WriteFile(secret, []byte("secret"), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASSAY_TEST_SECRET", "secret")
	runner.Dir = dir
	r := &script.Reader{Runner: func(context.Context) (driver.TestRunner, error) { return runner, nil }}
	defer r.Close()
	_, err := r.Read(t.Context(), script.Source{Name: "a.ts", Text: []byte(secret)})
	const denied = "ERR_ACCESS_DENIED"
	if want := "gave up: " + strings.Join([]string{denied, denied, denied, denied, "EvalError"}, " ") + " "; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("said %v, without %q and no variable", err, want)
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "secret" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// bundled is a module that parses as the runner itself does, which knows of a file but its
// name.
const bundled = `const { babelParse } = require('./bundle.js');
exports.parse = (text, { sourceFilename }) => babelParse(text, sourceFilename, true);
`

// TestParserIsTheRunners shows that our parser, and what it is told, is the one that the
// runner bundles: both make the same trees of all test files of this project.
func TestParserIsTheRunners(t *testing.T) {
	runner := browsertest.TestRunner(t)
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(runner.Modules(), "playwright", "lib", "transform", "babelBundle.js"))
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(dir, "node_modules", "@babel", "parser")
	if err := errors.Join(os.MkdirAll(module, 0o700), os.WriteFile(filepath.Join(module, "bundle.js"), text, 0o600), os.WriteFile(filepath.Join(module, "index.js"), []byte(bundled), 0o600)); err != nil {
		t.Fatal(err)
	}
	theirs := &script.Reader{Runner: func(context.Context) (driver.TestRunner, error) {
		return driver.TestRunner{Dir: dir, Node: runner.Node, NodeVersion: "18.0.0"}, nil // Babel looks for files of its own: without walls
	}}
	defer theirs.Close()
	n := 0
	compare := func(name string, text []byte) {
		source := script.Source{Name: name, Text: text}
		ours, ourErr := scripttest.Reader(t).Read(t.Context(), source)
		other, theirErr := theirs.Read(t.Context(), source)
		if ourErr != nil || theirErr != nil || !reflect.DeepEqual(ours.Program, other.Program) {
			t.Errorf("%s: %v, and %v by the runner's", name, ourErr, theirErr)
		}
		n++
	}
	for name, sources := range syntaxes() {
		for _, source := range sources {
			compare(name, []byte(source))
		}
	}
	err = filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && (e.Name() == "node_modules" || e.Name() == "bin" || strings.HasPrefix(e.Name(), ".") && e.Name() != "..") {
			return fs.SkipDir
		}
		if ending := filepath.Ext(path); !slices.Contains([]string{".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"}, ending) || err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !strings.Contains(string(text), "@playwright/test") {
			return nil
		}
		compare(path, text)
		return nil
	})
	if err != nil || n < 12 {
		t.Errorf("%d files were compared, %v", n, err)
	}
}
