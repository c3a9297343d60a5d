package generate

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// entitle names a path of a site by what is left of it: a title says nothing that the test
// does not look at. given are the titles that others have.
func (p *Path) entitle(given map[string]bool) {
	if p.Ask == nil {
		return
	}
	p.Name = p.Ask.Title(p.seen())
	if given[strings.ToLower(p.Name)] && p.Ask.On != "" && !p.Ask.SaysPage() {
		p.Name += fmt.Sprintf(" on %q", p.Ask.On)
	}
	given[strings.ToLower(p.Name)] = true
}

// entitleAgain names a file by what is left of it, where it was named by what it lost.
func (m *making) entitleAgain(w *pending, o Options) error {
	p := w.file.path
	delete(m.titles, strings.ToLower(p.Name))
	p.entitle(m.titles)
	if p.Name == w.Flow {
		return nil
	}
	delete(m.names, w.file.Name)
	files, _, err := Files([]Path{p}, m.names, o)
	if err == nil && len(files) == 1 {
		files[0].Proof = w.file.Proof
		w.Flow, w.file = p.Name, files[0]
	}
	return err
}

// seen returns what a path looks at after its act.
func (p Path) seen() plan.Seen {
	var s plan.Seen
	for _, step := range p.Steps {
		for _, e := range step.Expects {
			fresh := strings.Contains(e.Target.first()+e.Assertion.Expected, flow.Fresh)
			switch step.Part {
			case Listed:
				s.Listed = s.Listed || fresh && e.Assertion.Type != qa.Hidden
				s.Unlisted = s.Unlisted || fresh && e.Assertion.Type == qa.Hidden
			case Again:
				s.Kept = s.Kept || fresh
				s.Entered = s.Entered || fresh
			case Effect:
				note(&s, e, fresh)
			case Whole, Way:
			}
		}
	}
	return s
}

// note adds an expectation of the act itself.
func note(s *plan.Seen, e Expect, fresh bool) {
	word, ok := wordOf(e.Target.first())
	switch {
	case e.Assertion.Type == qa.URLMatches:
		s.Moved = shownAddress(e.Assertion.Expected)
	case e.Rows:
		s.Rows = true
	case e.Keeps:
		s.Same = true
	case e.Only:
		s.Only = true
	case e.Assertion.Type == qa.Visible && fresh:
		s.Entered = true
	case e.Assertion.Type == qa.Visible && ok:
		s.Came = append(s.Came, word)
	case e.Assertion.Type == qa.Hidden && ok && !fresh:
		s.Went = append(s.Went, word)
	}
}

// RowsWithout returns the selector of the rows of data that have no cell with a text.
func RowsWithout(text string) string {
	return "css=tr:has(td):not(:has(td:text-is(" + cssText(text) + ")))"
}

// wordOf returns the role and the name by which a selector finds its element.
func wordOf(selector string) (w plan.Word, ok bool) {
	_, chain, err := selectors.Steps(selector)
	if err != nil || len(chain) == 0 {
		return w, false
	}
	last := chain[len(chain)-1]
	switch {
	case last.Engine == "" && last.Named:
		return plan.Word{Role: last.Role, Name: last.Name}, true
	case last.Engine == "text":
		return plan.Word{Role: "text", Name: strings.Trim(last.Body, `"`)}, true
	}
	return w, false
}

// NameOf returns the name by which a selector finds its element; empty where it finds it
// otherwise.
func NameOf(selector string) string {
	w, _ := wordOf(selector)
	return w.Name
}
