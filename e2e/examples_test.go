package e2e_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/demo"
)

// example is a fenced block of a document.
type example struct {
	document string
	line     int
	language string
	text     string
}

func (e example) String() string { return fmt.Sprintf("%s:%d", e.document, e.line) }

// examplesOf returns the fenced blocks of a document.
func examplesOf(t *testing.T, document string) (all []example) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", document))
	if err != nil {
		t.Fatal(err)
	}
	var open *example
	for i, line := range strings.Split(string(text), "\n") {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &example{document: document, line: i + 1, language: language}
		case fence:
			all, open = append(all, *open), nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return all
}

// documents returns what a user reads.
func documents(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil || len(found) == 0 {
		t.Fatal("no documents: ", err)
	}
	names := []string{"README.md"}
	for _, name := range found {
		names = append(names, filepath.Join("docs", filepath.Base(name)))
	}
	return names
}

// commandsOf returns the lines of an example that run assay, as arguments.
func commandsOf(e example) (commands [][]string) {
	for _, line := range strings.Split(e.text, "\n") {
		line, _, _ = strings.Cut(line, " #")
		line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		line = strings.TrimPrefix(line, "CI=true ")
		rest, is := strings.CutPrefix(line, "assay ")
		if !is {
			continue
		}
		commands = append(commands, words(rest))
	}
	return commands
}

// words splits a command line as a shell does: quotes hold a word together.
func words(line string) (all []string) {
	for _, word := range regexp.MustCompile(`(?:[^\s"']+|"[^"]*"|'[^']*')+`).FindAllString(line, -1) {
		all = append(all, strings.NewReplacer(`"`, "", `'`, "").Replace(word))
	}
	return all
}

// Every command of the documents has the arguments and flags that the program knows.
func TestCommandsOfTheDocuments(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	alternatives := regexp.MustCompile(`^([a-z-]+)\|[a-z|-]+$`)
	seen := 0
	for _, document := range documents(t) {
		for _, e := range examplesOf(t, document) {
			for _, args := range commandsOf(e) {
				for i, arg := range args {
					args[i] = alternatives.ReplaceAllString(strings.Trim(arg, "[]"), "$1")
				}
				seen++
				if stdout, stderr, code := commandIn(t, t.TempDir(), append(args, "--help")...); code != 0 || !strings.Contains(stdout, "Usage:") {
					t.Errorf("%s: assay %s: exit %d: %s", e, strings.Join(args, " "), code, stderr)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d commands were found", seen)
	}
}

// Every file of the documents is one that the program takes: flows and tasks by assay
// run, which checks all files before it runs one, settings by assay tools.
func TestFilesOfTheDocuments(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	seen := map[string]int{}
	for _, document := range documents(t) {
		for _, e := range examplesOf(t, document) {
			if e.language != "toml" {
				continue
			}
			kind, files := fileOf(e)
			seen[kind]++
			dir := t.TempDir()
			for name, text := range files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				must(t, os.MkdirAll(filepath.Dir(path), 0o700))
				writeFile(t, path, []byte(text))
			}
			args := []string{"tools"}
			if kind != "settings" {
				writeFile(t, filepath.Join(dir, "broken.flow.toml"), []byte("nosuchkey = 1\n"))
				args = []string{"run", ".", "--base-url", "http://127.0.0.1:9"}
			}
			_, stderr, code := commandIn(t, dir, args...)
			switch {
			case kind == "settings" && code != 0:
				t.Errorf("%s: exit %d: %s", e, code, stderr)
			case kind != "settings" && (code != 2 || !strings.Contains(stderr, "broken.flow.toml") || strings.Contains(stderr, "example.")):
				t.Errorf("%s: exit %d: %s", e, code, stderr)
			}
		}
	}
	if seen["settings"] < 3 || seen["flow"] < 3 || seen["task"] < 2 {
		t.Errorf("only %v were found", seen)
	}
}

// fileOf returns what an example of a document is, and the files to try it.
func fileOf(e example) (kind string, files map[string]string) {
	const step = "start_url = \"/\"\n\n[[steps]]\naction = \"assert\"\nselector = \"css=#total\"\n"
	login := map[string]string{"login.flow.toml": "start_url = \"/login\"\n[[steps]]\naction = \"click\"\nselector = \"css=button\"\n"}
	settings := "schema_version = 1\n[env.test]\nbase_url = \"http://127.0.0.1:9\"\n[env.test.roles.analyst]\n[secrets]\nSHOP_PASSWORD = \"env:PATH\"\nCARD = \"env:PATH\"\nANALYST_PASSWORD = \"env:PATH\"\n"
	with := func(name, text string) map[string]string {
		out := map[string]string{name: text, "mcp.toml": settings}
		for name, text := range login {
			out[name] = text
		}
		return out
	}
	switch text := e.text; {
	case strings.Contains(text, "goal = "):
		return "task", with("example.task.toml", text)
	case strings.Contains(text, "[[readings]]"):
		return "readings", with("login.md.readings.toml", text)
	case strings.HasPrefix(text, "assertion = {"):
		files := with("example.flow.toml", step+text)
		for i, one := range regexp.MustCompile(`(?m)^assertion = .*\}$`).FindAllString(text, -1) {
			files[fmt.Sprintf("example.%d.flow.toml", i)] = step + one + "\n"
			files["example.flow.toml"] = step + one + "\n"
		}
		return "flow", files
	case strings.Contains(text, "start_url"):
		return "flow", with("example.flow.toml", text)
	case strings.HasPrefix(text, "[[steps]]"):
		return "flow", with("example.flow.toml", "start_url = \"/\"\n\n"+text)
	default:
		return "settings", map[string]string{"mcp.toml": versioned(text), "flows/login.flow.toml": login["login.flow.toml"], "flows/sign-in.flow.toml": login["login.flow.toml"]}
	}
}

// versioned returns settings with the version of their format before them.
func versioned(text string) string {
	if strings.Contains(text, "schema_version") {
		return text
	}
	return "schema_version = 1\n" + text
}

// The examples of the README, pasted in their order into a project, do on the sample
// dashboard what it says. What needs a model or a person's decision is left to
// TestCommandsOfTheDocuments.
func TestExamplesOfTheReadme(t *testing.T) {
	needsBrowser(t)
	site, err := demo.Start(context.WithoutCancel(t.Context()), demo.Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { must(t, site.Close()) })
	dir := t.TempDir()
	here := func(text string) string { return strings.ReplaceAll(text, "http://localhost:3000", site.URL()) }
	named := regexp.MustCompile(`^# (\S+\.toml)\n`)
	ran := map[string]int{}
	for _, e := range examplesOf(t, "README.md") {
		if file := named.FindStringSubmatch(e.text); e.language == "toml" && file != nil {
			path := filepath.Join(dir, filepath.FromSlash(file[1]))
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			writeFile(t, path, []byte(here(e.text)))
		}
		for _, args := range commandsOf(e) {
			if args[0] == "accept" || args[0] == "baseline" || args[0] == "run" && args[len(args)-1] == "specs" {
				continue
			}
			ran[args[0]]++
			if args[0] == "trust" { // a person's answer
				args = append(args, "--yes")
			}
			stdout, stderr, code := commandWith(t, dir, []string{"SHOP_PASSWORD=" + demo.Password}, strings.Fields(here(strings.Join(args, " ")))...)
			if code != 0 {
				t.Errorf("%s: assay %s: exit %d\n%s%s", e, strings.Join(args, " "), code, stdout, stderr)
			}
		}
	}
	for _, name := range []string{"check", "run", "verify", "export"} {
		if ran[name] == 0 {
			t.Errorf("the README has no example of assay %s", name)
		}
	}
}
