package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/qa"
)

//go:embed report.css
var style string

//go:embed visual.css
var visualStyle string

// shownRunes is how much of a value the HTML shows before it folds the rest.
const shownRunes = 300

// Options say how the HTML refers to the run's files.
type Options struct {
	// ArtifactURL returns the address of an artefact: an http or https URL, a
	// relative one, or a data:image URL to have a picture inside the page. Nil
	// means relative to the run's folder. What else it returns is no link.
	ArtifactURL func(name string) string
	// Verified is what a verification has found since, if there was one.
	Verified *Verification
}

// HTML writes the report as one page for a person.
func HTML(w io.Writer, r qa.QAReport, o Options) error {
	p := page{QAReport: r, options: o, files: map[string]file{}}
	for i, a := range r.Artifacts {
		f := file{Artifact: a, Anchor: fmt.Sprintf("file-%d", i+1), URL: o.url(a.Name), Picture: strings.HasPrefix(a.MIMEType, "image/")}
		p.files[a.Name] = f
		p.all = append(p.all, f)
	}
	p.compare()
	for i := range p.all {
		p.all[i].Compared = p.files[p.all[i].Name].Compared
	}
	task, err := p.TaskJSON()
	if err != nil {
		return fmt.Errorf("report %s as HTML: %w", r.RunID, err)
	}
	var b writer // so that a failure leaves no half page
	p.write(&b, task)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("report %s as HTML: %w", r.RunID, err)
	}
	return nil
}

// page is what the page is written of.
type page struct {
	qa.QAReport
	options Options
	files   map[string]file
	all     []file

	Comparisons []comparison
}

// file is an artefact with its place in the page.
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

// Style is the style sheet, which is our own text and needs no escaping.
func (p page) Style() markup {
	if len(p.Visual) > 0 {
		return markup(style + visualStyle)
	}
	return markup(style)
}

func (p page) PassedChecks() int     { return tally(p.Checks) }
func (p page) Checklist() []qa.Check { return failedFirst(p.Checks) }
func (p page) Faults() []qa.Finding  { return gravestFirst(p.Findings) }
func (p page) Title() string         { return visible(p.Task.Goal) }
func (p page) All() []file           { return p.all }

// Pictures are the files that are shown by themselves.
func (p page) Pictures() (out []file) {
	for _, f := range p.all {
		if f.Picture && !f.Compared {
			out = append(out, f)
		}
	}
	return out
}

// File returns the artefact of that name, with or without its folder, and nil
// if the report has none.
func (p page) File(name string) *file {
	for _, n := range []string{name, "screenshots/" + name} {
		if f, ok := p.files[n]; ok {
			return &f
		}
	}
	return nil
}

// Tokens are the model's tokens, in and out.
func (p page) Tokens() string {
	cached := ""
	if n := p.Costs.TokensCached; n > 0 {
		cached = " (" + grouped(int64(n)) + " from the cache)"
	}
	return grouped(int64(p.Costs.TokensInput)) + cached + ", " + grouped(int64(p.Costs.TokensOutput))
}

// TaskJSON is the task as one would write it into a task file.
func (p page) TaskJSON() (string, error) {
	task := p.Task
	task.Expectations = slices.Clone(task.Expectations)
	for i := range task.Expectations { // whoever saves it makes the assertions their own
		task.Expectations[i].ByCaller, task.Expectations[i].AcceptedBy = false, ""
	}
	doc, err := json.MarshalIndent(task, "", "  ")
	return visible(string(doc)), err
}

// Expectations pairs what the task expects with the checks that are bound to it.
func (p page) Expectations() []expectation {
	return expectationsOf(p.QAReport)
}

// url returns the address of an artefact. A name that would lead out of the
// run's folder has none.
func (o Options) url(name string) address {
	if o.ArtifactURL != nil {
		return safeURL(o.ArtifactURL(name))
	}
	if !fs.ValidPath(name) {
		return ""
	}
	return address((&url.URL{Path: name}).String())
}

// safeURL lets through what is an address of a document or a picture.
func safeURL(s string) address {
	if strings.HasPrefix(s, "data:image/png;base64,") || strings.HasPrefix(s, "data:image/jpeg;base64,") {
		return address(s)
	}
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	switch u.Scheme {
	case "http", "https":
		return address(u.String())
	case "":
		if u.Host == "" && !strings.HasPrefix(s, `\`) {
			return address(u.String())
		}
	}
	return ""
}

// value is a text that may be too long to be shown whole at first.
type value struct {
	Head, All string
	Runes     string // how many, when the head is not all
}

func newValue(s string) value {
	all := visible(s)
	head, whole := clip(all, shownRunes)
	if whole {
		return value{Head: head}
	}
	return value{Head: head, All: all, Runes: grouped(int64(utf8.RuneCountInString(all)))}
}

func percent(f float64) string { return fmt.Sprintf("%.0f %%", f*100) }

// mark is a status in a sign, a word and a class: never in colour alone.
type mark struct{ Class, Sign, Word string }

// statusMark returns the mark of a status, a severity, or a check's outcome.
func statusMark(s any) mark {
	if v, ok := s.(qa.VisualStatus); ok {
		return visualMark(v)
	}
	switch s {
	case qa.Passed, true:
		return mark{"good", "✓", "Passed"}
	case qa.Failed, false:
		return mark{"bad", "✕", "Failed"}
	case qa.KPIOk:
		return mark{"good", "✓", "OK"}
	case qa.KPIMismatch, qa.KPIMissing:
		return mark{"bad", "✕", sentence(fmt.Sprint(s))}
	case qa.KPIAmbiguous, qa.KPIUnsettled:
		return mark{"open", "?", sentence(fmt.Sprint(s))}
	case qa.Minor, qa.Info:
		return mark{"note", "i", sentence(fmt.Sprint(s))}
	case qa.Inconclusive:
		return mark{"open", "?", "Inconclusive"}
	default: // a grave severity, or what we don't know
		word, _ := clip(visible(fmt.Sprint(s)), 16)
		return mark{"bad", "!", sentence(word)}
	}
}
