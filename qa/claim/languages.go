package claim

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// tables holds a file for each language: NAME.txt with its words, and NAME.forms with
// word orders that several languages share. A language more is a file more.
//
//go:embed languages
var tables embed.FS

// languageFiles returns all languages: the fallback, then the others by their files'
// names.
func languageFiles(files fs.FS) ([]*language, error) {
	names, err := fs.Glob(files, "languages/*.txt")
	if err != nil {
		return nil, err
	}
	var out []*language
	for _, name := range names {
		r := tableReader{files: files, l: &language{classes: map[string][]row{}}, patterns: map[string][]string{}}
		if err := r.file(name); err != nil {
			return nil, err
		}
		if r.l.code == "" {
			return nil, fmt.Errorf("%s: the line language CODE NAME is missing", name)
		}
		l := r.finish()
		if err := l.readActs(files); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(a, b *language) int { return rank(a) - rank(b) })
	return out, nil
}

func rank(l *language) int {
	if l.fallback {
		return 0
	}
	return 1
}

// readActs reads the table CODE.acts: how the language says what the steps of a test do.
// Without one it has no acts.
func (l *language) readActs(files fs.FS) error {
	r := tableReader{files: files, l: &language{classes: map[string][]row{}}, patterns: map[string][]string{}}
	switch err := r.file("languages/" + l.code + ".acts"); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	for name, rows := range r.l.classes {
		l.classes[name] = append(l.classes[name], rows...)
	}
	for _, name := range r.order {
		f := form{name: name, patterns: r.patterns[name]}
		if at := slices.IndexFunc(r.examples, func(e row) bool { return e.value == name }); at >= 0 {
			f.example = r.examples[at].pattern
		}
		l.acts = append(l.acts, f)
	}
	return nil
}

// tableReader reads the table of one language.
type tableReader struct {
	files    fs.FS
	l        *language
	order    []string            // names of the forms
	patterns map[string][]string // of each form
	form     string              // whose patterns follow
	examples []row
}

func (r *tableReader) file(name string) error {
	text, err := fs.ReadFile(r.files, name)
	if err != nil {
		return err
	}
	return pattern.Lines(name, string(text), r.line)
}

func (r *tableReader) line(line string) error {
	if order, ok := strings.CutPrefix(line, "\t"); ok {
		if r.form == "" {
			return fmt.Errorf("the pattern %q stands under no form", order)
		}
		r.patterns[r.form] = append(r.patterns[r.form], order)
		return nil
	}
	key, rest, _ := strings.Cut(line, " ")
	switch key {
	case "language":
		r.l.code, r.l.name, _ = strings.Cut(rest, " ")
	case "elides":
		r.l.elides = true
	case "fallback":
		r.l.fallback = true
	case "forms":
		return r.file("languages/" + rest + ".forms")
	case "form", "more":
		if r.form = rest; !slices.Contains(r.order, rest) {
			r.order = append(r.order, rest)
		}
	case "hint":
		r.l.hints = append(r.l.hints, rest)
	case "role", "class", "example", "joined", "ending":
		return r.row(key, rest)
	default:
		return fmt.Errorf("nobody knows %q: use language, fallback, elides, forms, form, more, role, class, example, hint, joined or ending", key)
	}
	return nil
}

// row reads NAME = VALUE, NAME:VALUE = PATTERN of a class, and NAME = ONE = SEVERAL
// of a role.
func (r *tableReader) row(key, text string) error {
	name, rest, ok := strings.Cut(text+" ", " = ")
	if !ok {
		return fmt.Errorf("%q has no =", text)
	}
	rest = strings.TrimSpace(rest)
	switch key {
	case "role":
		one, several, _ := strings.Cut(rest+" ", " =")
		r.l.roles = append(r.l.roles, roleWords{strings.TrimSpace(one), strings.TrimSpace(several), name})
	case "class":
		name, value, _ := strings.Cut(name, ":")
		r.l.classes[name] = append(r.l.classes[name], row{rest, value})
	case "example":
		r.examples = append(r.examples, row{rest, name})
	case "ending":
		r.l.endings = append(r.l.endings, row{name, rest})
	case "joined":
		if r.l.joined == nil {
			r.l.joined = map[string]string{}
		}
		r.l.joined[name] = rest
	}
	return nil
}

// finish puts the forms together: those that have an example.
func (r *tableReader) finish() *language {
	for _, name := range r.order {
		at := slices.IndexFunc(r.examples, func(e row) bool { return e.value == name })
		if at >= 0 {
			r.l.forms = append(r.l.forms, form{name, r.examples[at].pattern, r.patterns[name]})
		}
	}
	return r.l
}
