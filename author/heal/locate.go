package heal

import (
	"errors"
	"fmt"
	"os"

	"github.com/assay-qa/assay/author/prove"
)

// located is the locator of a call, where it is written.
type located struct {
	source source
	file   string // as the runner knows it
	n      int    // of the locators of source
	text   string
}

// place is where a heal of it is.
func (l located) place(r *round, j *job) Place {
	p := Place{File: r.owner(l.file), Line: j.test.Location.Line, Test: j.test.Title()}
	switch s := l.source.(type) {
	case testSource:
		p.Line = s.form.Locators[l.n].Line
	case *flowSource:
		p.Line = s.line(l.n)
	}
	return p
}

// locate finds the locator of a call: where the act is, or where it was given a name,
// if nothing but acts uses that.
func (r *round) locate(c prove.Studied) (located, error) {
	if c.At == nil {
		return located{}, errElsewhere
	}
	s, err := r.source(c.At.File)
	if err != nil {
		return located{}, err
	}
	n, text, err := s.find(c.Call, r.active(c.At.File))
	if err == nil || !errors.Is(err, errElsewhere) || len(c.Made) == 0 {
		return located{s, c.At.File, n, text}, err
	}
	if len(c.Made) > 1 {
		return located{}, fmt.Errorf("its locator is written in %d places, such as %s:%d and %s:%d",
			len(c.Made), r.short(r.owner(c.Made[0].File)), c.Made[0].Line, r.short(r.owner(c.Made[1].File)), c.Made[1].Line)
	}
	made := c.Made[0]
	if s, err = r.source(made.File); err != nil {
		return located{}, err
	}
	t, ok := s.(testSource)
	if !ok {
		return located{}, errElsewhere
	}
	n, ok = t.define(made, r.active(made.File))
	if !ok {
		return located{}, errElsewhere
	}
	if err := r.onlyActs(made.File, t, n); err != nil {
		return located{}, err
	}
	return located{t, made.File, n, t.form.Locators[n].Text}, nil
}

// onlyActs returns an error unless all that uses the name of a locator is acts.
func (r *round) onlyActs(path string, t testSource, n int) error {
	l := t.form.Locators[n]
	for _, u := range t.form.Uses(l) {
		if !u.Acts && (!l.Local || l.Scope[0] <= u.At && u.At < l.Scope[1]) {
			return r.otherwise(path, l.Name, u.Line)
		}
	}
	if l.Local {
		return nil
	}
	if r.imports == nil {
		var err error
		if r.imports, err = readImports(r.copy.to, ""); err != nil {
			return err
		}
	}
	for _, other := range r.imports.users(path, l.Name) {
		s, err := r.source(other)
		if err != nil {
			return fmt.Errorf("its locator is kept as %s, which %s may use, too: %w", l.Name, r.short(r.owner(other)), err)
		}
		test, ok := s.(testSource)
		if !ok {
			return fmt.Errorf("its locator is kept as %s, which %s may use, too, and that is no test file", l.Name, r.short(r.owner(other)))
		}
		for _, u := range test.form.Uses(l) {
			if !u.Acts {
				return r.otherwise(other, l.Name, u.Line)
			}
		}
	}
	return nil
}

func (r *round) otherwise(path, name string, line int) error {
	return fmt.Errorf("its locator is kept as %s, and %s:%d uses that for more than an act: only a person can tell what else it changes", name, r.short(r.owner(path)), line)
}

// source reads the file that a call stands in.
func (r *round) source(path string) (source, error) {
	if s := r.sources[path]; s != nil {
		return s, nil
	}
	if err := r.unread[path]; err != nil {
		return nil, err
	}
	s, err := r.open(path)
	if err != nil {
		r.unread[path] = err
		return nil, err
	}
	r.sources[path] = s
	return s, nil
}

// open reads a flow, or a file of the copied project: a test, or a helper.
func (r *round) open(path string) (source, error) {
	if f := r.flows[path]; f != nil {
		return f, nil
	}
	if r.copy.to == "" || !within(r.copy.to, path) {
		return nil, fmt.Errorf("its locator is written in %s, outside of the project", path)
	}
	if info, err := os.Lstat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() { // a link leads to the project itself
		return nil, fmt.Errorf("its locator is written in %s, which is a link or too large", r.short(r.owner(path)))
	}
	return readTest(path, r.read)
}
