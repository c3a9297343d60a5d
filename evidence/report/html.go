package report

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
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

// shownRunes bounds how much of a value the HTML shows before it folds the
// rest, in characters.
const shownRunes = 300

// Options say how the HTML refers to the run's files.
type Options struct {
	// ArtifactURL returns the address of an artefact: an http or https URL, a
	// relative one, or a data:image URL to have a picture inside the page. Nil
	// means relative to the run's folder. What else it returns is no link.
	ArtifactURL func(name string) string
	// Suite holds the address of the index that the page belongs to; "" for none.
	Suite string
	// Verified holds the result of a later verification, if there was one.
	Verified *Verification
}

// HTML returns the report as one page for a person.
func HTML(r qa.QAReport, o Options) ([]byte, error) {
	task, err := taskJSON(r.Task)
	if err != nil {
		return nil, fmt.Errorf("the task as JSON: %w", err)
	}
	var b writer
	newPage(r, o).write(&b, task)
	return []byte(b.String()), nil
}

// taskJSON returns the task as one would write it into a task file.
func taskJSON(task qa.TaskSpec) (string, error) {
	task.Expectations = slices.Clone(task.Expectations)
	for i := range task.Expectations { // whoever saves it makes the assertions their own
		task.Expectations[i].ByCaller, task.Expectations[i].AcceptedBy = false, ""
	}
	doc, err := json.MarshalIndent(task, "", "  ")
	return visible(string(doc)), err
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

// value holds a text that may be too long to be shown whole at first.
type value struct {
	Head, All string
	Runes     string // how many, when the head is not all
}

func newValue[S ~string](s S) value {
	all := visible(s)
	head, whole := clip(all, shownRunes)
	if whole {
		return value{Head: head}
	}
	return value{Head: head, All: all, Runes: grouped(int64(utf8.RuneCountInString(all)))}
}

func percent(f float64) string { return fmt.Sprintf("%.0f %%", f*100) }

// mark shows a status by a sign, a word and a class: never by colour alone.
type mark struct{ Class, Sign, Word string }

// emoji returns the sign of a mark in Markdown.
func (m mark) emoji() string {
	sign := map[string]string{"good": "✅", "bad": "❌", "open": "⚠️", "note": "▶️", "idle": "▫️"}[m.Class]
	return cmp.Or(sign, "❌")
}

// statusMark returns the mark of a status or a severity.
func statusMark(s any) mark {
	if v, ok := s.(qa.VisualStatus); ok {
		return visualMark(v)
	}
	if status, ok := s.(qa.Status); ok && slices.Contains([]qa.Status{qa.Passed, qa.Failed, qa.Inconclusive}, status) {
		look := status.Look()
		return mark{look.Class, look.Sign, look.Word}
	}
	switch s {
	case qa.KPIOk:
		return mark{"good", "✓", "OK"}
	case qa.KPIMismatch, qa.KPIMissing:
		return mark{"bad", "✕", sentence(fmt.Sprint(s))}
	case qa.KPIAmbiguous, qa.KPIUnsettled:
		return mark{"open", "?", sentence(fmt.Sprint(s))}
	case qa.Minor, qa.Info:
		return mark{"note", "i", sentence(fmt.Sprint(s))}
	default: // a grave severity, or what we don't know
		word, _ := clip(visible(fmt.Sprint(s)), 16)
		return mark{"bad", "!", sentence(word)}
	}
}
