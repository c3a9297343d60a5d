package spec

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

var braces = pattern.New(`\\?\{\{(?:[^\n{}]{0,100}\}\})?`)

// filler puts variables into texts.
type filler struct {
	l    *loader
	vars map[string]string
	used map[string]string // those that were put in
}

// text returns the text of an entry with its variables, where secrets may stand.
func (f filler) text(e entryAt) string { return f.fill(e.text, e.file, e.line, true) }

// plain returns a text with its variables that goes into reports, where no secret can
// stand.
func (f filler) plain(text, file string, line int) string { return f.fill(text, file, line, false) }

// claim returns what must hold. An empty value in it is an error: nothing would be left
// to look for.
func (f filler) claim(text, file string, line int) string {
	for _, found := range braces.FindAllString(text, -1) {
		name := strings.TrimSpace(strings.Trim(found, "{}"))
		if value, known := f.vars[name]; known && strings.TrimSpace(value) == "" {
			f.l.problem(file, line, "{{%s}} is empty, and nothing would be left to look for: say in words what must hold then", name)
		}
	}
	filled := f.plain(text, file, line)
	if err := qa.QuotationFault(filled); err != nil {
		f.l.problem(file, line, "%v", err)
	}
	return filled
}

func (f filler) fill(text, file string, line int, secrets bool) string {
	return braces.ReplaceAllStringFunc(text, func(found string) string {
		if rest, ok := strings.CutPrefix(found, `\`); ok {
			return rest
		}
		name := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(found, "{{"), "}}"))
		if secret, ok := strings.CutPrefix(name, "secret:"); ok {
			return f.secret(strings.TrimSpace(secret), file, line, secrets)
		}
		if !varForm.MatchString(name) || !strings.HasSuffix(found, "}}") {
			f.l.problem(file, line, `%s is no variable: write {{NAME}} or {{secret:NAME}}, and \{{ where the braces are meant`, found)
			return found
		}
		value, known := f.vars[name]
		if !known {
			f.l.problem(file, line, "{{%s}} has no value%s: give it in vars of the front matter, as a column of Data, or with --var %s=VALUE",
				name, texts.Hint(name, slices.Sorted(maps.Keys(f.vars))), name)
		}
		f.used[name] = value
		if _, given := f.l.Vars[name]; given {
			f.l.source.Used[name] = true
		}
		return value
	})
}

// secret returns the reference by which tools type a secret.
func (f filler) secret(name, file string, line int, allowed bool) string {
	switch {
	case !slices.Contains(f.l.secrets, name):
		f.l.problem(file, line, "{{secret:%s}} is not declared%s: add it to secrets in the front matter", name, texts.Hint(name, f.l.secrets))
	case !allowed:
		f.l.problem(file, line, "{{secret:%s}} can't stand here: a secret is typed into a field, so it belongs to a step", name)
	}
	return "${secret:" + name + "}"
}
