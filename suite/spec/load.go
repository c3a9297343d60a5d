package spec

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa/flow"
)

// The bounds of a spec with all that it includes.
const (
	maxSteps = 200
	maxFiles = 50
)

// IsSpec reports whether a name is that of a Markdown file.
func IsSpec(name string) bool { return strings.EqualFold(path.Ext(name), ".md") }

// Options holds what [Load] reads specs with.
type Options struct {
	// Read reads a file of the tree that includes must stay in, by its path with
	// slashes; MaxBytes and one byte of it are enough.
	Read    func(name string) ([]byte, error)
	Show    func(name string) string // the path as a person would name it; nil: as it is
	Vars    map[string]string        // that the caller gives; they win over the file's own
	Secrets []string                 // that are configured
	Rules   flow.Rules               // what readings are held to
}

// Source holds a spec file that was read: its specs, one or one for each row
// of its data, and what its other fields say.
type Source struct {
	Specs    []Spec
	Includes []string        // files that it includes, as Read names them
	Used     map[string]bool // names of the caller's variables that it has a place for
	ID       string          // that the front matter gives; empty: it gives none
	IDLine   int
}

// Load reads a spec with all that it includes. All that is wrong comes at
// once, with file:line.
func Load(name string, o Options) (Source, flow.Problems) {
	if o.Show == nil {
		o.Show = func(name string) string { return name }
	}
	l := loader{Options: o, sum: sha256.New(), source: Source{Used: map[string]bool{}}, seen: map[string]*document{}}
	name = path.Clean(name)
	d := l.readFile(name, name, 1)
	if len(l.problems) > 0 {
		return l.source, l.sorted()
	}
	l.source.ID, l.source.IDLine = d.front.ID, d.at("id")
	l.addDocument(d, nil)
	l.checkWhole(d)
	if len(l.problems) == 0 {
		l.makeSpecs(d)
	}
	problems := l.sorted()
	if len(problems) == 0 {
		problems = l.loadReadings(name)
	}
	if len(problems) > 0 {
		l.source.Specs = nil
	}
	return l.source, problems
}

// loadReadings gives the specs the readings that lie beside their file, if there are any.
func (l *loader) loadReadings(name string) flow.Problems {
	file := ReadingsFile(name)
	data, err := l.Read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return flow.Problems{{Where: l.Show(file) + ":1", Message: err.Error()}}
	}
	readings, problems := LoadReadings(l.Show(file), data, l.Rules)
	var all []string
	for _, s := range l.source.Specs {
		all = append(all, sentences(s.Task().Expectations, s.Sentence)...)
	}
	for i := range l.source.Specs {
		s := &l.source.Specs[i]
		s.Readings, s.Unused, s.Hash = readings, readings.Unused(all), Hash(append([]byte(s.Hash), data...))
	}
	return problems
}

type loader struct {
	Options
	sum      hash
	source   Source
	seen     map[string]*document
	problems []issue
	pre      []entryAt
	steps    []entryAt
	expected []entryAt
	cleanup  []entryAt
	prose    []entryAt
	vars     map[string]string
	secrets  []string
}

type hash interface {
	Write(p []byte) (int, error)
	Sum(b []byte) []byte
}

// entryAt holds an entry with its file.
type entryAt struct {
	entry
	file string
}

func (l *loader) problem(file string, line int, format string, args ...any) {
	l.problems = append(l.problems, issue{file: file, line: line, message: fmt.Sprintf(format, args...)})
}

// sorted returns the problems in their order, each once.
func (l *loader) sorted() flow.Problems {
	slices.SortStableFunc(l.problems, func(a, b issue) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	var out flow.Problems
	for _, p := range slices.Compact(l.problems) {
		out = append(out, flow.Problem{Where: fmt.Sprintf("%s:%d", l.Show(p.file), p.line), Message: p.message})
	}
	return out
}

// readFile reads a file once. from:line is the place of the include.
func (l *loader) readFile(name, from string, line int) *document {
	if d := l.seen[name]; d != nil {
		return d
	}
	if len(l.seen) >= maxFiles {
		l.problem(from, line, "more than %d files are included", maxFiles)
		return &document{name: name}
	}
	content, err := l.Read(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("there is no such file")
		}
		l.problem(from, line, "%s: %v", l.Show(name), err)
		return &document{name: name}
	}
	fmt.Fprintf(l.sum, "%s %d\n", path.Base(name), len(content))
	_, _ = l.sum.Write(content) // a hash takes everything
	d := readDocument(name, content)
	l.seen[name] = d
	l.problems = append(l.problems, d.problems...)
	return d
}

// addDocument adds a file's entries, with those of the files that it includes in their
// places. chain are the files that led here.
func (l *loader) addDocument(d *document, chain []string) {
	chain = append(slices.Clone(chain), d.name)
	l.vars = mergeVars(d.front.Vars, l.vars)
	l.secrets = append(l.secrets, d.front.Secrets...)
	for _, name := range d.front.Include {
		l.include(d, name, d.at("include"), chain)
	}
	for _, e := range d.pre {
		l.pre = append(l.pre, entryAt{e, d.name})
	}
	for _, e := range d.steps {
		if e.include != "" {
			l.include(d, e.include, e.line, chain)
			continue
		}
		l.steps = append(l.steps, entryAt{e, d.name})
	}
	l.addProseAndExpected(d, len(chain) > 1)
	var own []entryAt
	for _, e := range d.cleanup {
		own = append(own, entryAt{e, d.name})
	}
	l.cleanup = append(own, l.cleanup...)
}

// mergeVars returns the variables of both; those of over win.
func mergeVars(under, over map[string]string) map[string]string {
	out := maps.Clone(under)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, over)
	return out
}

// include adds another file. What was done last is cleaned up first.
func (l *loader) include(d *document, name string, line int, chain []string) {
	to := path.Join(path.Dir(d.name), name)
	switch {
	case path.IsAbs(name) || to == ".." || strings.HasPrefix(to, "../"):
		l.problem(d.name, line, "include %s: it leads out of the tree of the specs; name a file within it", name)
	case slices.Contains(chain, to):
		l.problem(d.name, line, "include %s: it includes itself: %s", name, strings.Join(append(chain, to), " → "))
	case !IsSpec(to):
		l.problem(d.name, line, "include %s: only .md files can be included", name)
	default:
		if !slices.Contains(l.source.Includes, to) {
			l.source.Includes = append(l.source.Includes, to)
		}
		other := l.readFile(to, d.name, line)
		if other.data != nil {
			l.problem(d.name, line, "include %s: it has a data table, and only the spec itself can have one", name)
		}
		if len(l.steps) > maxSteps {
			return // said in settle; an include that doubles itself must not grow for ever
		}
		l.addDocument(other, chain)
	}
}

// addProseAndExpected adds what a file says beside its steps: prose, and what must hold at
// its end. At the end of an included file that is the end of its last step.
func (l *loader) addProseAndExpected(d *document, included bool) {
	var text []string
	whole := slices.Clone(d.expected)
	first := 0
	for _, e := range d.prose {
		if e.text != "" {
			text = append(text, e.text)
			first = cmp.Or(first, e.line)
		}
		if !d.sections {
			for _, c := range claims(e.text, e.line) {
				whole = append(whole, entry{text: c.text, line: c.line})
			}
		}
		for _, c := range e.expected {
			whole = append(whole, entry{text: c.text, line: c.line})
		}
	}
	prose := entryAt{entry{text: strings.Join(text, "\n\n"), line: max(1, first)}, d.name}
	switch {
	case d.stepsAt > 0 && len(d.steps) == 0:
		l.problem(d.name, d.stepsAt, "Steps has no steps: write them as a list, an item each")
	case d.stepsAt == 0 && prose.text != "": // the prose is what there is to do
		l.steps = append(l.steps, prose)
	case prose.text != "":
		l.prose = append(l.prose, prose)
	}
	for _, e := range whole {
		if last := len(l.steps) - 1; included && last >= 0 {
			l.steps[last].expected = append(slices.Clone(l.steps[last].expected), claim{e.text, e.line})
		} else {
			l.expected = append(l.expected, entryAt{e, d.name})
		}
	}
}

// checkWhole checks what depends on all files together.
func (l *loader) checkWhole(d *document) {
	if len(l.steps) == 0 && len(l.problems) == 0 {
		l.problem(d.name, 1, "there is nothing to do: give ## Steps with a list, or say in a sentence what to find out")
	}
	if len(l.steps) > maxSteps {
		l.problem(d.name, 1, "the spec has more than %d steps with those it includes", maxSteps)
	}
	slices.Sort(l.secrets)
	l.secrets = slices.Compact(l.secrets)
	for _, name := range l.secrets {
		if !slices.Contains(l.Secrets, name) {
			l.problem(d.name, d.at("secrets"), "secret %q is not configured%s: add it to [secrets] in mcp.toml", name, text.Hint(name, l.Secrets))
		}
	}
	for name := range l.Vars {
		if _, declared := l.vars[name]; declared {
			l.source.Used[name] = true
		}
	}
	if d.data == nil {
		return
	}
	for _, name := range d.data.names {
		if _, given := l.Vars[name]; given {
			l.problem(d.name, d.data.line, "--var %s: it is a column of the data table, whose rows say what it is", name)
		}
	}
}

var headingForm = pattern.New(`(?im)^#{1,6}[ \t]+(?:test )?steps\b`)

// HasSteps reports whether a Markdown file has a section Steps, or is meant to: one
// that is misspelt, or in a file that can't be read, is no reason to leave it out.
func HasSteps(content []byte) bool {
	d := readDocument("", content)
	return d.stepsAt > 0 || d.nearly || len(d.starts) == 0 && headingForm.Match(bytes.ReplaceAll(content, []byte{0}, nil))
}

// Recording returns the path of a spec's recording: beside its file.
func (s Spec) Recording() string {
	if s.Row > 0 {
		return fmt.Sprintf("%s.row-%d.flow.json", s.File, s.Row)
	}
	return s.File + ".flow.json"
}
