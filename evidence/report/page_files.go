package report

import (
	"fmt"
	"path"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// file holds an artefact with its place in the page.
type file struct {
	qa.Artifact
	Anchor   string
	URL      address // empty: no link
	Picture  bool
	Compared bool // it is shown beside its baseline
}

// Link leads to the picture alone, or is "" where it is inside the page: no
// browser opens such an address, and the page would hold the picture twice.
func (f file) Link() address {
	if strings.HasPrefix(string(f.URL), "data:") {
		return ""
	}
	return f.URL
}

// picture writes a picture that leads to its file.
func (f file) picture(w *writer) {
	w.put(`<a`, when(has(f.Link()), ` href="`, href(f.Link()), `"`), `><img src="`, href(f.URL), `" loading="lazy" decoding="async"`,
		when(f.Width > 0 && f.Height > 0, ` width="`, num(f.Width), `" height="`, num(f.Height), `"`), ` alt="Screenshot `, text(visible(path.Base(f.Name))), `, taken at step `, num(f.Step), `"></a>`)
}

// fileSet holds the artefacts of a report, and which of them are shown beside their
// baselines.
type fileSet struct {
	all    []file
	byName map[string]file
}

func newFileSet(artifacts []qa.Artifact, o Options) *fileSet {
	s := &fileSet{byName: map[string]file{}}
	for i, a := range artifacts {
		f := file{Artifact: a, Anchor: fmt.Sprintf("file-%d", i+1), URL: o.url(a.Name), Picture: strings.HasPrefix(a.MIMEType, "image/")}
		s.byName[a.Name] = f
		s.all = append(s.all, f)
	}
	return s
}

// find returns the artefact of that name, with or without its folder, and nil if
// the report has none.
func (s *fileSet) find(name string) *file {
	for _, n := range []string{name, "screenshots/" + name} {
		if f, ok := s.byName[n]; ok {
			return &f
		}
	}
	return nil
}

// same reports whether two names are of one artefact.
func (s *fileSet) same(a, b string) bool {
	x, y := s.find(a), s.find(b)
	return x != nil && y != nil && x.Name == y.Name
}

// pane returns a picture as a pane of a comparison, and notes that it is shown there.
// It returns nil for what can't be shown.
func (s *fileSet) pane(name string) *pane {
	f := s.find(name)
	if name == "" || f == nil || f.URL == "" || f.Width <= 0 || f.Height <= 0 {
		return nil
	}
	first := !f.Compared
	f.Compared = true
	s.byName[f.Name] = *f
	return &pane{file: *f, First: first}
}

// pictures returns the files that are shown by themselves.
func (s *fileSet) pictures() (out []file) {
	for _, f := range s.all {
		if f.Picture && !s.byName[f.Name].Compared {
			out = append(out, f)
		}
	}
	return out
}
