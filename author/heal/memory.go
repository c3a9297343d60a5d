package heal

import (
	"net/url"
	"strings"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa/element"
)

// Memory is what is known of elements from when tests were green.
type Memory struct {
	Proofs []prove.Report // the newest first
	Plans  []plan.Plan    // that tests were made of, with what an exploration found
}

// Where what is known of an element comes from.
const (
	byProof     = "proof"
	byRecording = "recording"
	bySite      = "site"
	byLocator   = "locator" // its own words
	byTime      = "time"
)

// proof returns the newest proof of a test, or nil.
func (m Memory) proof(file, title string) *prove.Test {
	for _, r := range m.Proofs {
		for i, t := range r.Tests {
			if (t.File == file || t.Source == file) && t.Title == title && t.Verdict != prove.Unproved {
				return &r.Tests[i]
			}
		}
	}
	return nil
}

// known returns what is known of the element of a call.
func (m Memory) known(file, title string, c prove.Call) remembered {
	if e, others := prove.Known(m.Proofs, file, title, c); e != nil {
		return remembered{*e, others, byProof}
	}
	words := ofSelector(c.Selector)
	if e := m.planned(words); e != nil {
		return remembered{Element: *e, by: bySite}
	}
	return remembered{Element: words, by: byLocator}
}

// remembered is an element as it was.
type remembered struct {
	element.Element
	others []element.Element // that could be worked on its page; nil: not known
	by     string            // where it is known from
}

// recorded returns what a recording knows of the element of a call; nil where it was not
// recorded.
func (r *round) recorded(c prove.Studied) *element.Element {
	at, err := r.locate(c)
	f, ok := at.source.(*flowSource)
	if err != nil || !ok {
		return nil
	}
	known := f.flow.Recorded.Element(at.n)
	if known == nil {
		return nil
	}
	e := known.Known()
	for i, l := range e.Locators { // a survey knows no frames
		e.Locators[i] = strings.TrimPrefix(l, known.Frame+" > ")
	}
	return &e
}

// known returns what is known of the element of a call.
func (r *round) known(j *job, c prove.Studied) remembered {
	old := r.Memory.known(j.file, j.test.Title(), r.first(c))
	if e := r.recorded(c); e != nil && old.by != byProof {
		return remembered{Element: *e, by: byRecording}
	}
	return old
}

// planned returns the one element of the plans that a locator's words fit.
func (m Memory) planned(words element.Element) (found *element.Element) {
	for _, p := range m.Plans {
		for _, f := range p.Flows {
			for _, s := range f.Steps {
				e := ofStep(s)
				if !fits(words, e) {
					continue
				}
				if found != nil && (found.Path != e.Path || found.Name != e.Name) {
					return nil
				}
				found = &e
			}
		}
	}
	return found
}

// fits reports whether an element has all that a locator's words say, and they say
// something that tells elements apart.
func fits(words, e element.Element) bool {
	telling := words.ID != "" || words.TestID != "" || words.FormName != "" || words.Name != "" || words.Text != "" || words.Path != ""
	same := func(want, has string) bool { return want == "" || strings.EqualFold(want, has) }
	if !telling || !same(words.ID, e.ID) || !same(words.TestID, e.TestID) || !same(words.FormName, e.FormName) || !same(words.Role, e.Role) ||
		!same(words.Name, e.Name) || !same(words.Text, e.Text) || !same(words.Path, e.Path) || !same(words.Placeholder, e.Placeholder) {
		return false
	}
	have := map[string]bool{}
	for _, c := range e.Classes {
		have[c] = true
	}
	for _, c := range words.Classes {
		if !have[c] {
			return false
		}
	}
	return true
}

// ofStep returns what a plan knows of an element.
func ofStep(s plan.Step) element.Element {
	x := s.Element
	if x == nil {
		x = &site.Element{Selector: s.Selector, Text: s.Text, Href: s.Link, XPath: s.XPath, ID: s.ID}
	}
	e := element.Element{Role: x.Role, Name: x.Name, Print: element.Print{Tag: x.Tag, Type: x.Type, Text: x.Text, ID: x.ID,
		Classes: strings.Fields(x.ClassName), Href: below(x.Href), Path: element.Path(x.XPath), Box: x.BoundingBox, Visible: true}}
	e.Landmark, _, _ = strings.Cut(x.Landmark, " ")
	if e.Tag == "" && e.Path != "" {
		last := e.Path[strings.LastIndexByte(e.Path, '/')+1:]
		e.Tag, _, _ = strings.Cut(last, "[")
	}
	if s.Element == nil && e.Role == "" && e.Href != "" {
		e.Role = "link"
	}
	return e
}

// below returns an address without its origin.
func below(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	u.Scheme, u.Host, u.User = "", "", nil
	return u.String()
}

// quotes lists the texts that the plans expect.
func (m Memory) quotes() []string {
	var out []string
	for _, p := range m.Plans {
		for _, f := range p.Flows {
			for _, s := range f.Steps {
				for _, n := range s.Expected.Notable {
					out = append(out, n.Text)
				}
			}
		}
	}
	return out
}

var (
	roleWords  = pattern.New(`^internal:role=([a-z]+)(?:\[name="((?:[^"\\]|\\.)*)"[si]\])?`)
	labelWords = pattern.New(`^internal:label="((?:[^"\\]|\\.)*)"`)
	textWords  = pattern.New(`^(?:internal:)?text="?((?:[^"\\]|\\.)*)"?`)
	attrWords  = pattern.New(`^internal:(?:testid|attr)=\[([\w-]+)="((?:[^"\\]|\\.)*)"`)
	cssID      = pattern.New(`#([A-Za-z_][\w-]*)`)
	cssClass   = pattern.New(`\.([A-Za-z_][\w-]*)`)
	cssAttr    = pattern.New(`\[([\w-]+)=["']?([^"'\]]*)["']?\]`)
	cssTag     = pattern.New(`^([a-z][a-z0-9]*)`)
)

// ofSelector returns what a selector itself says of its element.
func ofSelector(selector string) element.Element {
	parts := strings.Split(selector, " >> ")
	last := ""
	for i := len(parts) - 1; i >= 0 && last == ""; i-- {
		if !strings.HasPrefix(parts[i], "nth=") && !strings.HasPrefix(parts[i], "visible=") {
			last = parts[i]
		}
	}
	plain := func(s string) string { return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s) }
	e := element.Element{Print: element.Print{Visible: true}}
	if m := roleWords.FindStringSubmatch(last); m != nil {
		e.Role, e.Name = m[1], plain(m[2])
	} else if m := labelWords.FindStringSubmatch(last); m != nil {
		e.Name = plain(m[1])
	} else if m := textWords.FindStringSubmatch(last); m != nil {
		e.Text = plain(m[1])
	} else if m := attrWords.FindStringSubmatch(last); m != nil {
		e.SetAttribute(m[1], plain(m[2]))
	} else if path, ok := strings.CutPrefix(last, "xpath="); ok || strings.HasPrefix(last, "/") {
		if !ok {
			path = last
		}
		if strings.HasPrefix(path, "/html") {
			e.Path = element.Path(path)
		}
	} else {
		ofCSS(&e, strings.TrimPrefix(last, "css="))
	}
	return e
}

// ofCSS takes what the last part of a CSS selector says.
func ofCSS(e *element.Element, css string) {
	fields := strings.FieldsFunc(css, func(r rune) bool { return r == ' ' || r == '>' || r == '+' || r == '~' })
	if len(fields) == 0 || strings.Contains(css, ",") {
		return
	}
	last := fields[len(fields)-1]
	for _, m := range cssAttr.FindAllStringSubmatch(last, -1) {
		e.SetAttribute(m[1], m[2])
	}
	last = cssAttr.ReplaceAllString(last, "")
	if m := cssTag.FindStringSubmatch(last); m != nil {
		e.Tag = m[1]
	}
	if m := cssID.FindStringSubmatch(last); m != nil {
		e.ID = m[1]
	}
	for _, m := range cssClass.FindAllStringSubmatch(last, -1) {
		e.Classes = append(e.Classes, m[1])
	}
}
