package explore

import (
	"errors"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
)

// maxFindings bounds what is listed of what went wrong.
const maxFindings = 1000

// note files what went wrong since the last note, because of an edge or beside one.
func (e *explorer) note(_ Effect, edge string) {
	state := ""
	if e.here != nil && e.here.state != nil {
		state = e.here.state.site.ID
	}
	for _, f := range e.page.Faults() {
		f.State, f.Edge = state, edge
		e.found(f)
	}
	if e.here == nil || e.here.page.Status < 400 {
		return
	}
	e.found(site.Finding{Kind: "dead_link", Message: pagetext.Text("the page answers " + statusText(e.here.page.Status)), URL: pagetext.Text(e.here.page.URL), State: state, Edge: edge})
}

// noteSilence files that a page does not answer, where an action failed for that.
func (e *explorer) noteSilence(err error, state string, a site.Action) {
	var silent *Unanswered
	if !errors.As(err, &silent) {
		return
	}
	address := a.URL
	if address == "" && e.byID[state] != nil {
		address = e.byID[state].site.URL
	}
	e.found(site.Finding{Kind: "no_answer", Message: pagetext.Text("the page does not answer: " + Describe(a)), URL: pagetext.Text(address), State: state})
}

// found files a finding, unless the same was found at the same place.
func (e *explorer) found(f site.Finding) {
	key := pagetext.Text(f.Kind+"\x1f") + f.Message.Map(NameClass) + "\x1f" + f.URL.Map(PlaceTemplate)
	if e.said[key] || len(e.site.Findings) >= maxFindings {
		return
	}
	e.said[key] = true
	e.site.Findings = append(e.site.Findings, f)
}
