package e2e_test

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/exampletest"
)

// example is a fenced block of a document.
type example struct {
	exampletest.Block
	added int // lines that its file has before it
}

// examplesOf returns the fenced blocks of a document.
func examplesOf(t *testing.T, document string) (all []example) {
	t.Helper()
	blocks, err := exampletest.Blocks(document, string(readFile(t, filepath.Join("..", document))))
	if err != nil {
		t.Error(err)
	}
	for _, b := range blocks {
		all = append(all, example{Block: b})
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
	names := []string{"README.md", "SECURITY.md"}
	for _, name := range found {
		names = append(names, "docs/"+filepath.Base(name))
	}
	return names
}

// reader is somebody who pastes the examples of the documents, in their order, into one
// project beside the sample dashboard.
type reader struct {
	project string
	site    *demo.Server
	env     map[string]string  // what the examples export
	files   map[string]example // what a run judges, by path
	places  map[string]example // each file and settings
	ran     map[string]bool    // those that a run has judged
	listed  string             // the newest output that names baselines
}

// Issue 33: each fenced block of the README and of docs does what its document says: files
// run on the sample dashboard, settings are loaded, commands are run and print what is
// shown. What can't be run says so in a comment before it; its commands are parsed.
func TestExamplesOfTheDocuments(t *testing.T) {
	needsBrowser(t)
	site, err := demo.Start(context.WithoutCancel(t.Context()), demo.Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { must(t, site.Close()) })
	r := reader{project: t.TempDir(), site: site, env: map[string]string{}, files: map[string]example{}, places: map[string]example{}, ran: map[string]bool{}}
	var all []example
	for _, document := range documents(t) {
		all = append(all, examplesOf(t, document)...)
	}
	for _, e := range all {
		r.write(t, e)
	}
	tried := 0
	for _, e := range all {
		switch {
		case e.Language == "": // examplesOf has told it
		case e.Declared == exampletest.NotRun:
			r.parse(t, e)
		case r.try(t, e):
			tried++
		default:
			t.Errorf("%s: nothing tries this block of %s: write <!-- example: not run, REASON --> in the line before it, or have this test try it", e, e.Language)
		}
	}
	for name, e := range r.files {
		if !r.ran[name] {
			t.Errorf("%s: no command of the documents has run %s", e, name)
		}
	}
	if t.Logf("%d of %d blocks were tried", tried, len(all)); tried == 0 {
		t.Error("no block was tried")
	}
}

// here puts the place of the site where documents write localhost:3000.
func (r *reader) here(text string) string {
	return strings.ReplaceAll(text, "http://localhost:3000", r.site.URL())
}

// write puts a flow, task, spec or reading, and the README's settings, into the project.
func (r *reader) write(t *testing.T, e example) {
	t.Helper()
	if e.Declared == exampletest.NotRun || e.Language != "toml" && e.Language != "markdown" {
		return
	}
	name, text := e.File(), e.Text()
	if name == "" && strings.HasPrefix(text, "[[steps]]") { // a part of a flow
		name = "flows/" + strings.NewReplacer("/", "-", ".md:", "-").Replace(e.String()) + ".flow.toml"
		text, e.added = "start_url = \"/login\"\n"+text, 1
	}
	if filepath.Base(name) == "mcp.toml" && e.Document != "README.md" || name == "" {
		return // settings of another project
	}
	file := filepath.Join(r.project, filepath.FromSlash(name))
	if _, err := os.Stat(file); err == nil {
		t.Errorf("%s: another block has written %s already: name this one otherwise", e, name)
	}
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	writeFile(t, file, []byte(r.here(text)))
	if r.places[name] = e; name != "mcp.toml" && !strings.HasSuffix(name, ".readings.toml") {
		r.files[name] = e
	}
}

// try does with an example what its reader does, and reports whether there was anything.
func (r *reader) try(t *testing.T, e example) bool {
	t.Helper()
	switch e.Language {
	case "toml", "markdown":
		name := e.File()
		if e.Language == "toml" && !strings.HasPrefix(e.Text(), "[[steps]]") && (name == "" || filepath.Base(name) == "mcp.toml") {
			r.load(t, e)
			return true
		}
		return name != "" || e.Language == "toml" // a run judges it
	case "sh", "console":
		all := e.Commands()
		for _, c := range all {
			r.run(t, e, c)
		}
		return len(all) > 0
	case "json":
		return r.attach(t, e)
	default:
		return false
	}
}

// load has the program read settings.
func (r *reader) load(t *testing.T, e example) {
	t.Helper()
	text := r.here(e.Text())
	if !strings.Contains(text, "schema_version") {
		text, e.added = "schema_version = 1\n"+text, 1
	}
	file := "example.toml" // names in it belong to its folder
	args, variables := []string{"tools", "--config", file}, []string{}
	if dir := t.TempDir(); strings.HasPrefix(text, "# ~/.config/") { // a person's own
		file = filepath.Join(dir, "assay", "mcp.toml")
		must(t, os.Mkdir(filepath.Dir(file), 0o700))
		args, variables = args[:1], []string{"XDG_CONFIG_HOME=" + dir, "APPDATA=" + dir}
	}
	r.places[file] = e
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.project, file)
	}
	writeFile(t, file, []byte(text))
	if _, stderr, code := commandWith(t, r.project, variables, args...); code != 0 {
		t.Errorf("%s: assay does not take these settings (exit %d); mend the example, or the program: %s", e, code, r.inDocuments(stderr))
	}
}

// attach holds what a client's settings start against the program's commands.
func (r *reader) attach(t *testing.T, e example) bool {
	t.Helper()
	var settings struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal([]byte(e.Text()), &settings); err != nil {
		t.Errorf("%s: %v", e, err)
	}
	for _, s := range settings.MCPServers {
		args := s.Args
		if own := slices.Index(args, "assay-qa"); s.Command == "npx" && own >= 0 { // what is before it is npx's
			args = args[own+1:]
		} else if filepath.Base(s.Command) != "assay" {
			t.Errorf("%s: the client would start %s %s", e, s.Command, s.Args)
		}
		parses(t, e.String(), args)
	}
	return len(settings.MCPServers) > 0
}

// assignment is a variable that is set before a command, or exported.
var assignment = regexp.MustCompile(`^([A-Z_]+)=(.*)$`)

// parse holds the commands of an example against those of the program, and runs none.
func (r *reader) parse(t *testing.T, e example) {
	t.Helper()
	if e.Language != "sh" && e.Language != "console" && e.Language != "yaml" {
		return
	}
	for _, c := range e.Commands() {
		for len(c.Words) > 0 && assignment.MatchString(c.Words[0]) {
			c.Words = c.Words[1:]
		}
		switch {
		case len(c.Words) > 0 && path.Base(c.Words[0]) == "assay":
			parses(t, e.At(c.Line), c.Words[1:])
		case len(c.Words) == 2 && c.Words[0] == "make":
			hasTarget(t, e.At(c.Line), c.Words[1])
		}
	}
}

// parses asks for the help of a command with these arguments: one that is not known is told.
func parses(t *testing.T, where string, args []string) {
	t.Helper()
	stdout, stderr, code := commandIn(t, t.TempDir(), append(args, "--help")...)
	depth := 0
	for depth < len(args) && !strings.HasPrefix(args[depth], "-") && strings.Contains(stdout, "  assay "+strings.Join(args[:depth+1], " ")+" [") {
		depth++
	}
	unknown := strings.Contains(stdout, " [command]\n") && depth < len(args) && !strings.HasPrefix(args[depth], "-") // a group, whose help is all that is known
	if code != 0 || !strings.Contains(stdout, "Usage:") || unknown {
		t.Errorf("%s: assay has no such command (exit %d): assay %s\n%s", where, code, strings.Join(args, " "), stderr)
	}
}

func hasTarget(t *testing.T, where, target string) {
	t.Helper()
	if !strings.Contains(string(readFile(t, "../Makefile")), "\n"+target+":") {
		t.Errorf("%s: the Makefile has no target %s", where, target)
	}
}

// versions are baselines as assay baseline list prints them.
var versions = regexp.MustCompile(`\bb-[0-9a-f]{16}\b`)

// run runs a command of an example in the project.
func (r *reader) run(t *testing.T, e example, c exampletest.Command) {
	t.Helper()
	variables, words := []string{}, c.Words
	for len(words) > 0 && assignment.MatchString(words[0]) {
		variables, words = append(variables, words[0]), words[1:]
	}
	switch {
	case len(words) == 2 && words[0] == "export" && assignment.MatchString(words[1]):
		name, value, _ := strings.Cut(words[1], "=")
		r.env[name] = value
		return
	case len(words) == 2 && words[0] == "make":
		hasTarget(t, e.At(c.Line), words[1])
		return
	case len(words) == 0 || words[0] != "assay":
		t.Errorf("%s: nothing tries %q: write <!-- example: not run, REASON --> before the block", e.At(c.Line), strings.Join(c.Words, " "))
		return
	}
	args := words[1:]
	for i, word := range args {
		if args[i] = r.here(os.Expand(word, func(name string) string { return r.env[name] })); word == "ID" {
			args[i] = versions.FindString(r.listed)
		}
	}
	if len(args) == 1 && args[0] == "trust" { // a person's answer
		args = append(args, "--yes")
	}
	if len(args) == 2 && args[1] == "--remove" {
		defer trusted(t, r.project) // for the examples after it
	}
	for name, value := range r.env {
		variables = append(variables, name+"="+value)
	}
	stdout, stderr, code := commandWith(t, r.project, variables, args...)
	if versions.MatchString(stdout) {
		r.listed = stdout
	}
	switch {
	case args[0] == "run":
		r.judge(t, e.At(c.Line), stdout+stderr, code)
	case code != 0:
		t.Errorf("%s: assay %s: exit %d; mend the example, or the program\n%s%s", e.At(c.Line), strings.Join(args, " "), code, stdout, stderr)
	}
	if len(args) > 1 && args[0] == "key" {
		r.env["QA_LOG_KEY"], _, _ = strings.Cut(stdout, "\n")
	}
	if len(c.Shown) > 0 && !exampletest.Shape(r.here(strings.Join(c.Shown, "\n"))).MatchString(stdout) {
		t.Errorf("%s: assay %s does not print what is shown. It prints\n%s", e.At(c.Line), strings.Join(args, " "), stdout)
	}
}

// judge compares what a run of files printed of each with the outcome that its document states.
func (r *reader) judge(t *testing.T, where, printed string, code int) {
	t.Helper()
	results := regexp.MustCompile(`(?m)^(passed|failed|inconclusive|flaky) +(\S+)  .*\n(?:  .*\n)*`)
	want := 0
	for _, result := range results.FindAllStringSubmatch(printed, -1) {
		e, is := r.files[result[2]]
		if !is {
			t.Errorf("%s: %s is no file of the documents", where, result[2])
		}
		if result[1] != "passed" {
			want = 1
		}
		r.ran[result[2]] = true
		for _, included := range regexp.MustCompile(`(?m)^include = \["(.+?)"\]`).FindAllStringSubmatch(e.Text(), -1) {
			r.ran[path.Join(path.Dir(result[2]), included[1])] = true
		}
		if stated := cmp.Or(e.Declared, "passed"); result[1] != stated {
			t.Errorf("%s: %s, and its document says %s: mend the example, or the program, or write <!-- example: OUTCOME, REASON --> before it\n%s", e, result[1], stated, r.inDocuments(result[0]))
		}
	}
	if code != want { // after a mistake in a file nothing was run
		t.Fatalf("%s: assay run ends with %d, want %d; mend what it names:\n%s", where, code, want, r.inDocuments(printed))
	}
}

// inDocuments puts the line of its document where a line of a file is named.
func (r *reader) inDocuments(text string) string {
	return regexp.MustCompile(`([\w./-]+):(\d+)`).ReplaceAllStringFunc(text, func(place string) string {
		name, number, _ := strings.Cut(place, ":")
		e, is := r.places[name]
		if line, err := strconv.Atoi(number); is && err == nil {
			return e.At(line-1-e.added) + " (" + place + ")"
		}
		return place
	})
}
