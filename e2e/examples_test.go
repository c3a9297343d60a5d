package e2e_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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
)

// example is a fenced block of a document.
type example struct {
	document string
	line     int    // of its fence
	language string // behind the fence
	declared string // what the comment before the block says is its outcome: notRun, or that of a file
	reason   string
	lines    []string
	added    int // lines that its file has before it
}

// notRun is declared of a block whose commands are only held against the program's.
const notRun = "not run"

func (e example) at(line int) string { return fmt.Sprintf("%s:%d", e.document, e.line+1+line) }

func (e example) String() string { return e.at(-1) }

func (e example) text() string { return strings.Join(e.lines, "\n") + "\n" }

var (
	fences       = regexp.MustCompile("^( *)```(.*)$")
	declarations = regexp.MustCompile(`^ *<!-- example: (` + notRun + `|inconclusive|failed), (.+) -->$`)
	fileNames    = regexp.MustCompile(`^(?:---\n)?(?:# |<!-- )(\S+\.(?:toml|md))\b`)
)

// examplesOf returns the fenced blocks of a document.
func examplesOf(t *testing.T, document string) (all []example) {
	t.Helper()
	lines := strings.Split(strings.ReplaceAll(string(readFile(t, filepath.Join("..", document))), "\r\n", "\n"), "\n")
	var open *example
	indent := ""
	for i, line := range lines {
		fence := fences.FindStringSubmatch(line)
		switch {
		case open != nil && fence != nil && fence[2] == "":
			all, open = append(all, *open), nil
		case open != nil:
			open.lines = append(open.lines, strings.TrimPrefix(line, indent))
		case fence != nil:
			indent, open = fence[1], &example{document: document, line: i + 1, language: fence[2]}
			if said := declarations.FindStringSubmatch(lines[max(i-1, 0)]); said != nil {
				open.declared, open.reason = said[1], said[2]
			} else if strings.Contains(lines[max(i-1, 0)], "<!-- example") {
				t.Errorf("%s:%d: write <!-- example: not run, REASON -->, or inconclusive or failed in place of not run", document, i)
			}
		}
	}
	if open != nil {
		t.Errorf("%s: the block has no end", open)
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
		case e.language == "":
			t.Errorf("%s: the block has no language: sh, console, toml, markdown, json or another one", e)
		case e.declared == notRun:
			r.parse(t, e)
		case r.try(t, e):
			tried++
		default:
			t.Errorf("%s: nothing tries this block of %s: write <!-- example: not run, REASON --> in the line before it, or have this test try it", e, e.language)
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
	if e.declared == notRun || e.language != "toml" && e.language != "markdown" {
		return
	}
	name, text := "", e.text()
	if named := fileNames.FindStringSubmatch(text); named != nil {
		name = named[1]
	} else if strings.HasPrefix(text, "[[steps]]") { // a part of a flow
		name = "flows/" + strings.NewReplacer("/", "-", ".md:", "-").Replace(e.String()) + ".flow.toml"
		text, e.added = "start_url = \"/login\"\n"+text, 1
	}
	if filepath.Base(name) == "mcp.toml" && e.document != "README.md" || name == "" {
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
	switch e.language {
	case "toml", "markdown":
		name := fileNames.FindStringSubmatch(e.text())
		if e.language == "toml" && !strings.HasPrefix(e.text(), "[[steps]]") && (name == nil || filepath.Base(name[1]) == "mcp.toml") {
			r.load(t, e)
			return true
		}
		return name != nil || e.language == "toml" // a run judges it
	case "sh", "console":
		all := commandsOf(e)
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
	text := r.here(e.text())
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
	if err := json.Unmarshal([]byte(e.text()), &settings); err != nil {
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

// commandLine is a line of an example: a program, its arguments, and what it is shown to print.
type commandLine struct {
	line  int
	words []string
	shown []string
}

// commandsOf returns the commands of an example. In a console those are the lines behind a
// dollar sign, and what follows is what they print.
func commandsOf(e example) (all []commandLine) {
	for i := 0; i < len(e.lines); i++ {
		at, line := i, e.lines[i]
		for strings.HasSuffix(line, "\\") && i+1 < len(e.lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + e.lines[i]
		}
		if e.language == "console" {
			rest, is := strings.CutPrefix(line, "$ ")
			if !is {
				if len(all) > 0 {
					all[len(all)-1].shown = append(all[len(all)-1].shown, line)
				}
				continue
			}
			line = rest
		}
		for _, words := range simple(line) {
			all = append(all, commandLine{line: at, words: words})
		}
	}
	return all
}

// simple splits a line as a shell does into its commands, and those into words, which quotes
// hold together.
func simple(line string) (all [][]string) {
	var words []string
	end := func() {
		if len(words) > 0 {
			all, words = append(all, words), nil
		}
	}
	for _, word := range regexp.MustCompile(`(?:[^\s"']+|"[^"]*"|'[^']*')+`).FindAllString(line, -1) {
		if strings.HasPrefix(word, "#") {
			break
		}
		switch bare, last := strings.CutSuffix(word, ";"); {
		case word == "&&" || word == "||" || word == "&" || word == "do" || word == "run:" || word == "--" || bare == "":
			end()
		default:
			words = append(words, strings.NewReplacer(`"`, "", `'`, "").Replace(bare))
			if last {
				end()
			}
		}
	}
	end()
	return all
}

// assignment is a variable that is set before a command, or exported.
var assignment = regexp.MustCompile(`^([A-Z_]+)=(.*)$`)

// parse holds the commands of an example against those of the program, and runs none.
func (r *reader) parse(t *testing.T, e example) {
	t.Helper()
	if e.language != "sh" && e.language != "console" && e.language != "yaml" {
		return
	}
	for _, c := range commandsOf(e) {
		for len(c.words) > 0 && assignment.MatchString(c.words[0]) {
			c.words = c.words[1:]
		}
		switch {
		case len(c.words) > 0 && path.Base(c.words[0]) == "assay":
			parses(t, e.at(c.line), c.words[1:])
		case len(c.words) == 2 && c.words[0] == "make":
			hasTarget(t, e.at(c.line), c.words[1])
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
func (r *reader) run(t *testing.T, e example, c commandLine) {
	t.Helper()
	variables, words := []string{}, c.words
	for len(words) > 0 && assignment.MatchString(words[0]) {
		variables, words = append(variables, words[0]), words[1:]
	}
	switch {
	case len(words) == 2 && words[0] == "export" && assignment.MatchString(words[1]):
		name, value, _ := strings.Cut(words[1], "=")
		r.env[name] = value
		return
	case len(words) == 2 && words[0] == "make":
		hasTarget(t, e.at(c.line), words[1])
		return
	case len(words) == 0 || words[0] != "assay":
		t.Errorf("%s: nothing tries %q: write <!-- example: not run, REASON --> before the block", e.at(c.line), strings.Join(c.words, " "))
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
		r.judge(t, e.at(c.line), stdout+stderr, code)
	case code != 0:
		t.Errorf("%s: assay %s: exit %d; mend the example, or the program\n%s%s", e.at(c.line), strings.Join(args, " "), code, stdout, stderr)
	}
	if len(args) > 1 && args[0] == "key" {
		r.env["QA_LOG_KEY"], _, _ = strings.Cut(stdout, "\n")
	}
	if len(c.shown) > 0 && !shape(r.here(strings.Join(c.shown, "\n"))).MatchString(stdout) {
		t.Errorf("%s: assay %s does not print what is shown. It prints\n%s", e.at(c.line), strings.Join(args, " "), stdout)
	}
}

// volatile is what differs from run to run: an ellipsis, a run, a time, a span, the number of
// an entry in the log.
var volatile = regexp.MustCompile(`\n…\n|…|\d{8}T\d{6}\.\d{3}Z-[a-z0-9]{6}|\d{4}-\d\d-\d\dT[0-9:]+Z|\d[\d.]* m?s\b|(?m:^ +\d+)`)

// shape returns what output has to match that is shown as this.
func shape(shown string) *regexp.Regexp {
	pattern, from := "", 0
	for _, at := range volatile.FindAllStringIndex(shown, -1) {
		pattern += regexp.QuoteMeta(shown[from:at[0]])
		switch part := shown[at[0]:at[1]]; {
		case part == "\n…\n":
			pattern += `\n(?:.*\n)+`
		case part == "…":
			pattern += `.*`
		case strings.HasSuffix(part, "s"):
			pattern += `\d[\d.]* m?s`
		case strings.HasPrefix(part, " "):
			pattern += ` +\d+`
		default:
			pattern += `[0-9TZ:.a-z-]+`
		}
		from = at[1]
	}
	return regexp.MustCompile(`^` + pattern + regexp.QuoteMeta(shown[from:]) + `\n$`)
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
		for _, included := range regexp.MustCompile(`(?m)^include = \["(.+?)"\]`).FindAllStringSubmatch(e.text(), -1) {
			r.ran[path.Join(path.Dir(result[2]), included[1])] = true
		}
		if stated := cmp.Or(e.declared, "passed"); result[1] != stated {
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
			return e.at(line-1-e.added) + " (" + place + ")"
		}
		return place
	})
}
