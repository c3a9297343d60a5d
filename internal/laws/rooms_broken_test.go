package laws_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLawsCanFail breaks every law with a source of a few lines, and shows
// beside it what the law leaves alone.
func TestLawsCanFail(t *testing.T) {
	cases := []struct {
		law, name    string
		file, source string
		want         string // in the breach; empty: no breach
	}{
		{"every folder is a room", "an unlisted folder", "attic/a.go", "package attic", "attic is no room"},
		{"every folder is a room", "what helps tests", "browser/browsertest/a.go", "package browsertest", ""},

		{"a room imports only what its row says", "an import without right", "browser/a.go", `package browser; import "github.com/assay-qa/assay/qa"`, "browser imports qa"},
		{"a room imports only what its row says", "a room below a granted one", "tools/a.go", `package tools; import "github.com/assay-qa/assay/evidence/report"`, "tools imports evidence/report"},
		{"a room imports only what its row says", "an import by right", "evidence/a.go", `package evidence; import "github.com/assay-qa/assay/qa"`, ""},
		{"a room imports only what its row says", "what stands for regexp", "demo/a.go", `package demo; import "github.com/assay-qa/assay/internal/pattern"`, ""},
		{"a room imports only what its row says", "a test", "browser/a_test.go", `package browser_test; import "github.com/assay-qa/assay/internal/demo"`, ""},

		{"nothing is decided by a sentence for readers", "what an error says", "qa/a.go", `package qa; import "strings"; func f(err error) bool { return strings.Contains(err.Error(), "refused") }`, "f reads words"},
		{"nothing is decided by a sentence for readers", "by a variable", "tools/a.go", `package tools; import "strings"; func f(e struct{ Message string }) bool { text := e.Message; return strings.HasPrefix(text, "no") }`, "f reads words"},
		{"nothing is decided by a sentence for readers", "a page's words", "tools/a.go", `package tools; import "github.com/assay-qa/assay/qa"; func f(c qa.Check) bool { return c.Observed.HasPrefix("1: ") }`, "f reads words"},
		{"nothing is decided by a sentence for readers", "notes", "suite/a.go", `package suite; import "strings"; func f(r struct{ Notes []string }) bool { for _, n := range r.Notes { if strings.HasPrefix(n, "healed") { return true } }; return false }`, "f reads words"},
		{"nothing is decided by a sentence for readers", "notes, each", "suite/a.go", `package suite; import ("slices"; "strings"); func f(r struct{ Notes []string }) bool { return slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "healed") }) }`, "f reads words"},
		{"nothing is decided by a sentence for readers", "by a comparison", "cmd/assay/a.go", `package main; import "github.com/assay-qa/assay/qa"; func f(c qa.Check) bool { return c.Observed == "401" }`, "f compares words"},
		{"nothing is decided by a sentence for readers", "by a pattern", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; func f(reason string) bool { return pattern.New("x").MatchString(reason) }`, "f reads words"},
		{"nothing is decided by a sentence for readers", "a code, and a view", "evidence/report/a.go", `package report; import "strings"; func f(e struct{ Message string }) bool { return strings.HasPrefix(e.Message, "no") }`, ""},
		{"nothing is decided by a sentence for readers", "another text", "qa/a.go", `package qa; import "strings"; func f(e struct{ Code, Name string }) bool { return e.Code == "TIMEOUT" || strings.HasPrefix(e.Name, "no") }`, ""},

		{"test code is no part of the product", "in the program", "cmd/assay/a.go", `package main; import "github.com/assay-qa/assay/internal/wiretest"`, "cmd/assay imports internal/wiretest"},
		{"test code is no part of the product", "its schemas", "agent/chat/a.go", `package chat; import "github.com/assay-qa/assay/internal/wiretest"`, "agent/chat imports internal/wiretest"},
		{"test code is no part of the product", "its browsers", "author/admit/a.go", `package admit; import "github.com/assay-qa/assay/browser/browsertest"`, "author/admit imports browser/browsertest"},
		{"test code is no part of the product", "in a test", "cmd/assay/a_test.go", `package main; import "github.com/assay-qa/assay/internal/wiretest"`, ""},
		{"test code is no part of the product", "in a benchmark", "bench/agent/a.go", `package main; import "github.com/assay-qa/assay/internal/wiretest"`, ""},

		{"a package from outside is imported where its row says", "the wrong room", "tools/a.go", `package tools; import "github.com/mxschmitt/playwright-go"`, "tools imports github.com/mxschmitt/playwright-go"},
		{"a package from outside is imported where its row says", "the wrong file", "tools/page_click.go", `package tools; import "github.com/mark3labs/mcp-go/mcp"`, "tools imports github.com/mark3labs/mcp-go/mcp"},
		{"a package from outside is imported where its row says", "the right room, another part", "tools/tool/a.go", `package tool; import "github.com/mark3labs/mcp-go/server"`, "tools/tool imports github.com/mark3labs/mcp-go"},
		{"a package from outside is imported where its row says", "a part of the standard library", "evidence/a.go", `package evidence; import "image/png"`, "evidence imports image"},
		{"a package from outside is imported where its row says", "an unlisted dependency", "qa/a.go", `package qa; import "example.org/left/pad"`, "qa imports example.org/left/pad"},
		{"a package from outside is imported where its row says", "the right place", "tools/tool/a.go", `package tool; import "github.com/mark3labs/mcp-go/mcp"`, ""},

		{"a package from outside is imported where its row says", "a second way to start programs", "tools/a.go", `package tools; import "os/exec"`, "tools imports os/exec"},
		{"a package from outside is imported where its row says", "in a file beside the one that may", "internal/secrets/vault.go", `package secrets; import "os/exec"`, "secrets imports os/exec"},

		{"what a folder says is read in one place", "a second reader", "cmd/assay/run.go", `package main; import "github.com/assay-qa/assay/config"; var c, _ = config.Read(config.Source{})`, "config.Read"},
		{"what a folder says is read in one place", "a second reader of .env", "internal/wiring/serve.go", `package wiring; import "github.com/assay-qa/assay/config"; var v, _ = config.DotEnv(nil, nil)`, "config.DotEnv"},
		{"what a folder says is read in one place", "the reader", "internal/wiring/settings.go", `package wiring; import "github.com/assay-qa/assay/config"; var c, _ = config.Read(config.Source{})`, ""},

		{"the browser's side has its times in one table", "a time of its own", "browser/a.go", `package browser; import "time"; const patience = 2 * time.Second`, "a time in browser"},
		{"the browser's side has its times in one table", "a unit alone", "browser/eventlog/a.go", `package eventlog; import "time"; func f(d time.Duration) bool { return d > time.Minute }`, "a time in browser/eventlog"},
		{"the browser's side has its times in one table", "the driver's milliseconds", "browser/a.go", `package browser; import "github.com/mxschmitt/playwright-go"; var o = playwright.LocatorClickOptions{Timeout: playwright.Float(1000)}`, "a time in browser"},
		{"the browser's side has its times in one table", "what comes from elsewhere", "browser/a.go", `package browser; import "time"; func f(ms int, x float64) time.Duration { return time.Duration(ms)*time.Millisecond + time.Duration(x*float64(time.Millisecond)) }`, ""},
		{"the browser's side has its times in one table", "the table", "browser/rest/limits.go", `package rest; import "time"; const Look = 2 * time.Second`, ""},

		{"browser explains its failures in one room", "a sentence where the page is looked at", "browser/a.go", `package browser; import "github.com/assay-qa/assay/browser/explain"; func f() error { return &explain.Error{Message: "no"} }`, "browser makes an error"},
		{"browser explains its failures in one room", "facts", "browser/a.go", `package browser; import "github.com/assay-qa/assay/browser/explain"; func f() error { return explain.SecretValue() }`, ""},

		{"no Playwright type leaves browser", "a result", "browser/a.go", `package browser; import "github.com/mxschmitt/playwright-go"; func Page() playwright.Page { return nil }`, "playwright.Page"},
		{"no Playwright type leaves browser", "an exported field, renamed import", "browser/a.go", `package browser; import pw "github.com/mxschmitt/playwright-go"; type S struct { P []pw.Page }`, "pw.Page"},
		{"no Playwright type leaves browser", "an embedded field", "browser/a.go", `package browser; import pw "github.com/mxschmitt/playwright-go"; type S struct { pw.Page }`, "pw.Page"},
		{"no Playwright type leaves browser", "an alias", "browser/a.go", `package browser; import pw "github.com/mxschmitt/playwright-go"; type P = pw.Page`, "pw.Page"},
		{"no Playwright type leaves browser", "hidden parts", "browser/a.go", `package browser; import pw "github.com/mxschmitt/playwright-go"; type S struct { p pw.Page }; func (s *S) page() pw.Page { return s.p }; type t struct{}; func (t) Page() pw.Page { return nil }; func F() { var _ pw.Page }`, ""},

		{"clock, environment and standard streams enter from cmd", "the clock", "qa/a.go", `package qa; import "time"; var started = time.Now()`, "time.Now"},
		{"clock, environment and standard streams enter from cmd", "the clock as a value", "evidence/a.go", `package evidence; import "time"; type O struct { Now func() time.Time }; func f(o O) { o.Now = time.Now }`, "time.Now"},
		{"clock, environment and standard streams enter from cmd", "the environment", "browser/a.go", `package browser; import sys "os"; var home = sys.Getenv("HOME")`, "sys.Getenv"},
		{"clock, environment and standard streams enter from cmd", "stdout by the back door", "server/a.go", `package server; import "fmt"; func f() { fmt.Println("ready") }`, "fmt.Println"},
		{"clock, environment and standard streams enter from cmd", "a shared logger", "server/a.go", `package server; import "log/slog"; func f() { slog.Info("ready") }`, "slog.Info"},
		{"clock, environment and standard streams enter from cmd", "a program", "cmd/assay/a.go", `package main; import "os"; func f() { os.Exit(1) }`, ""},
		{"clock, environment and standard streams enter from cmd", "waiting, and writing to what was given", "server/a.go", `package server; import ("fmt"; "io"; "time"); func f(w io.Writer) { <-time.After(1); fmt.Fprintln(w) }`, ""},

		{"clock, environment and standard streams enter from cmd", "the environment made smaller", "browser/a.go", `package browser; import "os"; func f() { os.Unsetenv("DEBUGP") }`, "os.Unsetenv"},
		{"whoever starts a program says what environment it gets", "not a word", "qa/a.go", `package qa; import "os/exec"; func f() { exec.Command("git").Run() }`, "exec.Command without Env"},
		{"whoever starts a program says what environment it gets", "another one's, renamed import", "qa/a.go", `package qa; import run "os/exec"; func f() { a := run.CommandContext(nil, "git"); a.Run() }; func g(c *run.Cmd) { c.Env = nil }`, "run.CommandContext without Env"},
		{"whoever starts a program says what environment it gets", "its own", "qa/a.go", `package qa; import "os/exec"; func f(env []string) { c := exec.Command("git"); c.Dir, c.Env = "/", env }`, ""},
		{"whoever starts a program says what environment it gets", "a benchmark", "bench/look/a.go", `package main; import "os/exec"; func f() { exec.Command("git").Run() }`, ""},
		{"no wait goes on without its caller's deadline", "a select without the caller's end", "suite/a.go", `package suite; func f(a, b chan int) { select { case <-a: case <-b: } }`, "f selects"},
		{"no wait goes on without its caller's deadline", "a receive", "suite/a.go", `package suite; func f(a chan int) int { return <-a }`, "f receives"},
		{"no wait goes on without its caller's deadline", "a receive within a case", "suite/a.go", `package suite; import "context"; func f(ctx context.Context, a chan int) { select { case <-ctx.Done(): <-a; case <-a: } }`, "f receives"},
		{"no wait goes on without its caller's deadline", "a select in browser", "browser/a.go", `package browser; import "context"; func f(ctx context.Context, a chan int) { select { case <-a: case <-ctx.Done(): } }`, "f selects"},
		{"no wait goes on without its caller's deadline", "in a function of a variable", "suite/a.go", `package suite; var wait = func(a chan int) { <-a }`, "a declaration receives"},
		{"no wait goes on without its caller's deadline", "with the caller's end", "suite/a.go", `package suite; import "context"; func f(ctx context.Context, a chan int) { select { case <-a: case <-ctx.Done(): } }`, ""},
		{"no wait goes on without its caller's deadline", "the end alone", "suite/a.go", `package suite; import "context"; func f(ctx context.Context) { <-ctx.Done() }`, ""},
		{"no wait goes on without its caller's deadline", "no wait", "browser/a.go", `package browser; func f(a chan int) { select { case <-a: default: } }`, ""},
		{"no wait goes on without its caller's deadline", "where waits are made", "browser/rest/a.go", `package rest; func f(a chan int) { <-a }`, ""},
		{"no context and no timer is without a parent", "a new context", "suite/a.go", `package suite; import "context"; func f() { _ = context.Background() }`, "context.Background in f"},
		{"no context and no timer is without a parent", "a lost end, renamed import", "suite/a.go", `package suite; import c "context"; func f(ctx c.Context) { _ = c.WithoutCancel(ctx) }`, "context.WithoutCancel in f"},
		{"no context and no timer is without a parent", "a timer", "suite/a.go", `package suite; import "time"; func f() { _ = time.NewTimer(1) }`, "time.NewTimer in f"},
		{"no context and no timer is without a parent", "a limit with a parent", "suite/a.go", `package suite; import ("context"; "time"); func f(ctx context.Context) { _, _ = context.WithTimeout(ctx, time.Second) }`, ""},
		{"no context and no timer is without a parent", "a benchmark", "bench/a.go", `package main; import "context"; func main() { _ = context.Background() }`, ""},

		{"no init function", "one", "qa/a.go", `package qa; func init() {}`, "func init"},
		{"no init function", "a method of that name", "qa/a.go", `package qa; type t struct{}; func (t) init() {}`, ""},

		{"no mutable package state", "no value", "qa/a.go", `package qa; var seen map[string]bool`, "var seen has no value"},
		{"no mutable package state", "a map to fill", "qa/a.go", `package qa; var seen = make(map[string]bool)`, "var seen holds state"},
		{"no mutable package state", "a lock", "qa/a.go", `package qa; import "sync"; var mu = &sync.Mutex{}`, "var mu holds state"},
		{"no mutable package state", "an assignment", "qa/a.go", `package qa; var limit = 3; func Raise() { limit = 4 }`, "writes limit"},
		{"no mutable package state", "a count", "qa/a.go", `package qa; var calls = 0; func call() { calls++ }`, "writes calls"},
		{"no mutable package state", "an entry", "qa/a.go", `package qa; var table = map[string]int{}; func put() { table["a"] = 1 }`, "writes table"},
		{"no mutable package state", "a deletion", "qa/a.go", `package qa; var table = map[string]int{"a": 1}; func drop() { delete(table, "a") }`, "writes table"},
		{"no mutable package state", "an address", "qa/a.go", `package qa; var limit = 3; func Limit() *int { return &limit }`, "writes limit"},
		{"no mutable package state", "an exported table", "qa/a.go", `package qa; var Names = []string{"a"}`, "var Names is exported"},
		{"no mutable package state", "constants that Go can't spell", "qa/a.go", "package qa\nimport (\"errors\"; \"regexp\"; _ \"embed\")\nvar ErrX = errors.New(\"x\")\nvar re = regexp.MustCompile(`a`)\nvar names = []string{\"a\"}\nvar _ error = ErrX\n//go:embed a.md\nvar text string\n", ""},
		{"no mutable package state", "a local variable of the same name", "qa/a.go", `package qa; var limit = 3; func f() int { limit := limit; limit++; return limit }`, ""},

		{"no regular expression is compiled before main", "a variable", "qa/a.go", `package qa; import "regexp"; var form = regexp.MustCompile("^a")`, "regexp.MustCompile in a variable"},
		{"no regular expression is compiled before main", "a table", "qa/a.go", `package qa; import re "regexp"; var forms = map[string]*re.Regexp{"a": re.MustCompile("^a")}`, "re.MustCompile in a variable"},
		{"no regular expression is compiled before main", "a function that is called at once", "qa/a.go", `package qa; import "regexp"; var form = (func() *regexp.Regexp { return regexp.MustCompile("^a") })()`, "regexp.MustCompile in a variable"},
		{"no regular expression is compiled before main", "later, and in a function", "qa/a.go", `package qa; import ("regexp"; "sync"); var form = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^a") }); func f(s string) { regexp.MustCompile(s) }`, ""},
		{"no regular expression is compiled before main", "a benchmark", "bench/look/a.go", `package main; import "regexp"; var form = regexp.MustCompile("^a")`, ""},

		{"every pattern compiles", "one that does not", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; var form = pattern.New("a(")`, "missing closing )"},
		{"every pattern compiles", "one of constants", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; const open = "("; var forms = []*pattern.Pattern{pattern.New("a" + open)}`, "missing closing )"},
		{"every pattern compiles", "a text that is no constant", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; var text = "a("; var form = pattern.New(text)`, "no constant"},
		{"every pattern compiles", "a constant of another room", "qa/a.go", `package qa; import ("github.com/assay-qa/assay/internal/pattern"; "github.com/assay-qa/assay/internal/text"); var form = pattern.New(words.Form)`, "no constant"},
		{"every pattern compiles", "a pattern for each call", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; func f() { pattern.New("a") }`, "in a function"},
		{"every list is there, and used", "a name that no file has", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; var l = pattern.NewLists("a.txt", ""); var p = l.Pattern("titles")`, `no list "titles"`},
		{"every list is there, and used", "a pattern of its own", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; var p = pattern.New("a")`, ""},
		{"every pattern compiles", "a boundary that is none", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; var form = pattern.New("\\b(?:quit|выйти)\\b")`, "beside"},
		{"every pattern compiles", "a list in a pattern", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; var form = pattern.New("` + strings.Repeat("word|", 60) + `end")`, "303 characters"},
		{"every pattern compiles", "patterns", "qa/a.go", `package qa; import "github.com/assay-qa/assay/internal/pattern"; const digit = "[0-9]"; var a, b = pattern.New("^" + digit), pattern.New("(?i)" + (digit + "+"))`, ""},

		{"a package has one doc comment", "none", "qa/a.go", `package qa`, "no doc comment"},
		{"a package has one doc comment", "one", "qa/a.go", "// Package qa judges.\npackage qa", ""},

		{"a package's name says what it does", "a drawer", "qa/utils/a.go", `package utils`, "package utils"},
		{"a package's name says what it does", "a test's drawer", "qa/helpers_test.go", `package helpers`, "package helpers"},

		{"a line fits on a screen", "a wide one", "qa/a.go", "package qa\nvar a = 1 // " + strings.Repeat("word ", 40), "more than 200"},
		{"a line fits on a screen", "a text of several lines", "qa/a.go", "package qa\nconst a = `\n" + strings.Repeat("word ", 60) + "\n`", ""},
		{"a line fits on a screen", "a tag", "qa/a.go", "package qa\ntype a struct {\n\tB string `json:\"" + strings.Repeat("b", 200) + "\"`\n}", ""},
		{"a function fits on a screen", "a long one", "qa/a.go", "package qa\nfunc f() {" + strings.Repeat("\n", maxFunctionLines) + "}", "func f has more than 80 lines"},
		{"a function fits on a screen", "the longest, in a long file", "qa/a.go", "package qa\nfunc f() {" + strings.Repeat("\n", maxFunctionLines-1) + "}" + strings.Repeat("\n", 400), ""},

		{"nothing names a place outside of the tree", "a neighbouring folder", "e2e/a_test.go", `package e2e_test; const folder = "../../shared/data"`, "names ../../shared/data"},
		{"nothing names a place outside of the tree", "a neighbour in parts", "e2e/a_test.go", `package e2e_test; import "path/filepath"; var folder = filepath.Join("..", "..", "x")`, "names ../../x"},
		{"nothing names a place outside of the tree", "a neighbour from where one stands", "qa/kpi/a_test.go", `package kpi_test; func f(wd string) { open(filepath.Join(wd, "../..", "..", "x")) }`, "names ../../../x"},
		{"nothing names a place outside of the tree", "a field", "agent/chat/a.go", `package chat; var o = options{Schemas: "../../../shared"}`, "names ../../../shared"},
		{"nothing names a place outside of the tree", "a detour", "qa/a.go", `package qa; const folder = "testdata/../../../x"`, "names testdata/../../../x"},
		{"nothing names a place outside of the tree", "a person's home", "qa/a.go", `package qa; const folder = "/home/someone/x"`, "names /home/someone/x"},
		{"nothing names a place outside of the tree", "a replaced module", "go.mod", "module x\n\nreplace example.org/y => ../y\n", "names ../y"},
		{"nothing names a place outside of the tree", "a recipe", "Makefile", "test:\n\tcp ../data/x.json .\n", "names ../data/x.json"},
		{"nothing names a place outside of the tree", "what CI runs", ".ci/run", "cat \"../../data\"\n", "names ../../data"},
		{"nothing names a place outside of the tree", "a script beside tests", "e2e/a.mjs", "import x from '../../x/y.mjs'\n", "names ../../x/y.mjs"},
		{"nothing names a place outside of the tree", "a place in the tree", "agent/chat/a_test.go", `package chat_test; import "path/filepath"; const folder = "../../testdata/official"; var other = filepath.Join("..", "..", "docs")`, ""},
		{"nothing names a place outside of the tree", "hostile paths in a table", "qa/a_test.go", `package qa_test; var hostile = map[string][]string{"../../etc": {"../../x", "../../../etc/passwd"}}`, ""},

		{"whoever verifies writes nothing", "a file", "evidence/verify/a.go", `package verify; import "os"; func f(r *os.Root) { r.WriteFile("x", nil, 0) }`, "uses .WriteFile"},
		{"whoever verifies writes nothing", "a record", "evidence/verify/a.go", `package verify; func f(l *ledger.Ledger) any { return l.Update }`, "uses .Update"},
		{"whoever verifies writes nothing", "reading", "evidence/verify/a.go", `package verify; import "os"; func f(r *os.Root) { r.Open("x") }`, ""},

		{"a test waits for an event and never sleeps", "a nap", "qa/a_test.go", `package qa_test; import "time"; func f() { time.Sleep(1) }`, "time.Sleep"},
	}
	shown := map[string]bool{ // by TestShapesCanFail
		"a package has a number of files that a reader holds in the head": true,
		"a type's methods lie in a few files":                             true,
	}
	for _, c := range cases {
		t.Run(c.law+"/"+c.name, func(t *testing.T) {
			found := breaches(t, c.law, fstest.MapFS{c.file: {Data: []byte(c.source)}})
			switch {
			case c.want == "" && len(found) > 0:
				t.Errorf("refused what is right:\n%v", found)
			case c.want != "" && (len(found) != 1 || !strings.Contains(found[0].what, c.want)):
				t.Errorf("found %v, want one breach with %q", found, c.want)
			}
		})
		shown[c.law] = shown[c.law] || c.want != ""
	}
	for _, l := range laws() {
		if !shown[l.name] {
			t.Errorf("law %q was not shown to fail", l.name)
		}
	}
}

// TestShapesCanFail needs many files, unlike the table above: a package and a
// type at the bound are left alone, and one file more is a breach.
func TestShapesCanFail(t *testing.T) {
	packageOf := func(n int) tree {
		files := fstest.MapFS{"qa/a_test.go": {Data: []byte("package qa")}} // tests do not count
		for i := range n {
			files[fmt.Sprintf("qa/f%d.go", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "package qa\nfunc (*Task) m%d() {}\nfunc f%[1]d() {}", i)}
		}
		source, err := readTree(files)
		if err != nil {
			t.Fatal(err)
		}
		return source
	}
	for _, c := range []struct {
		name  string
		files int
		law   func(tree) []breach
		want  string // in the breach; empty: no breach
	}{
		{"a package at the bound", maxPackageFiles, largePackages, ""},
		{"a package above it", maxPackageFiles + 1, largePackages, "package qa has 46 files, more than 45"},
		{"a type at the bound", maxTypeFiles, scatteredTypes, ""},
		{"a type above it", maxTypeFiles + 1, scatteredTypes, "type qa.Task lie in more than 8 files"},
		{"a type far above it", 20, scatteredTypes, "type qa.Task lie in more than 8 files"},
	} {
		found := c.law(packageOf(c.files))
		if c.want == "" && len(found) > 0 || c.want != "" && (len(found) != 1 || !strings.Contains(found[0].what, c.want)) {
			t.Errorf("%s: found %v, want %q", c.name, found, c.want)
		}
	}
}

// TestSecondDocComment needs two files, unlike the table above.
func TestSecondDocComment(t *testing.T) {
	found := breaches(t, "a package has one doc comment", fstest.MapFS{
		"qa/a.go": {Data: []byte("// Package qa judges.\npackage qa")},
		"qa/b.go": {Data: []byte("// Package qa also cooks.\npackage qa")},
	})
	if len(found) != 1 || found[0].file != "qa/b.go" {
		t.Errorf("found %v, want the second comment, in qa/b.go", found)
	}
}

// TestWriterInAnotherFile: state and its writer may stand in two files.
func TestWriterInAnotherFile(t *testing.T) {
	found := breaches(t, "no mutable package state", fstest.MapFS{
		"qa/a.go": {Data: []byte("package qa\nvar limit = 3")},
		"qa/b.go": {Data: []byte("package qa\nfunc raise() { limit++ }")},
	})
	if len(found) != 1 || found[0].file != "qa/b.go" {
		t.Errorf("found %v, want the write, in qa/b.go", found)
	}
}

func breaches(t *testing.T, name string, files fstest.MapFS) []breach {
	t.Helper()
	source, err := readTree(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range laws() {
		if l.name == name {
			return l.broken(source)
		}
	}
	t.Fatalf("no law is called %q", name)
	return nil
}
