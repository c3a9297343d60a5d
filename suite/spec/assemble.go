package spec

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// makeSpecs makes the specs: one for each row of the data, or one.
func (l *loader) makeSpecs(d *document) {
	vars := mergeVars(l.vars, l.Vars)
	if d.data == nil {
		l.source.Specs = append(l.source.Specs, l.makeSpec(d, vars, 0, nil))
		return
	}
	for i, cells := range d.data.rows {
		row := map[string]string{}
		for j, name := range d.data.names {
			row[name] = cells[j]
			if strings.Contains(cells[j], "{{") {
				l.problem(d.name, d.data.lines[i], "column %s: a cell can't hold {{…}}: it is put in as it is", name)
			}
		}
		l.source.Specs = append(l.source.Specs, l.makeSpec(d, mergeVars(vars, row), i+1, row))
	}
}

// makeSpec returns the spec with its variables put in.
func (l *loader) makeSpec(d *document, vars map[string]string, row int, data map[string]string) Spec {
	f := d.front
	base := strings.TrimSuffix(path.Base(d.name), path.Ext(d.name))
	s := Spec{ID: cmp.Or(f.ID, base), Path: l.Show(d.name), Tags: f.Tags, Secrets: l.secrets, Auth: f.Auth, Retries: f.Retries,
		AllowHosts: f.AllowHosts, Destructive: f.Destructive, Changes: f.Changes, Visual: f.visual, Row: row, Data: data, Vars: map[string]string{},
		Budgets: qa.Budgets(f.Budget)}
	if f.Viewport != nil {
		s.Viewport = &Size{f.Viewport.Width, f.Viewport.Height}
	}
	put := filler{l: l, vars: vars, used: s.Vars}
	s.Title = put.plain(cmp.Or(f.Title, d.title, base), d.name, d.at("title"))
	if s.BaseURL = put.plain(f.BaseURL, d.name, d.at("baseUrl")); s.BaseURL != "" {
		if err := checkBase(s.BaseURL); err != nil {
			l.problem(d.name, d.at("baseUrl"), "%v", err)
		}
	}
	for _, e := range l.pre {
		s.Preconditions = append(s.Preconditions, put.text(e))
	}
	for _, e := range l.steps {
		step := Step{Text: put.text(e), Line: e.line}
		if e.file != d.name {
			step.File = l.Show(e.file)
		}
		for _, c := range e.expected {
			step.Expected = append(step.Expected, put.claim(c.text, e.file, c.line))
		}
		s.Steps = append(s.Steps, step)
	}
	for _, e := range l.expected {
		s.Expected = append(s.Expected, Expected{Text: put.claim(e.text, e.file, e.line), Line: e.line})
	}
	for _, e := range l.cleanup {
		s.Cleanup = append(s.Cleanup, put.text(e))
	}
	var prose []string
	for _, e := range l.prose {
		prose = append(prose, put.plain(e.text, e.file, e.line))
	}
	s.Prose = strings.Join(prose, "\n\n")
	s.Line = s.Steps[0].Line
	s.expectSomething()
	s.number()
	s.Hash = l.hash(s)
	return s
}

// expectSomething makes its purpose the one expectation of a spec that names
// none: without a check that is bound to it, it can't pass.
func (s *Spec) expectSomething() {
	if len(s.Expected) > 0 || slices.ContainsFunc(s.Steps, func(step Step) bool { return len(step.Expected) > 0 }) {
		return
	}
	s.ByTitle = true
	s.Expected = []Expected{{Text: "what this spec is for, as its title says, is so", Line: s.Line}}
}

// hash distinguishes the spec from others: all files, and what was put into them.
func (l *loader) hash(s Spec) string {
	var names strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.Vars)) {
		fmt.Fprintf(&names, "%q=%q\n", name, s.Vars[name])
	}
	sum := sha256.Sum256(l.sum.Sum([]byte(names.String())))
	return hex.EncodeToString(sum[:])
}
