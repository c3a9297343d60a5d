package explore

import (
	"cmp"
	"errors"
	"net/http"

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
	invalid := ""
	if n := len(e.site.Edges); edge != "" && n > 0 && e.site.Edges[n-1].ID == edge && e.site.Edges[n-1].Action.Invalid != "" {
		invalid = site.Invalid // a server that refuses it does as it should
	}
	for _, f := range e.page.Faults() {
		f.State, f.Edge = state, edge
		if f.Status > 0 && f.Status < http.StatusInternalServerError {
			f.Because = cmp.Or(f.Because, invalid)
		}
		e.found(f)
	}
	if e.here == nil || e.here.page.Status < 400 {
		return
	}
	dead := site.Finding{Kind: "dead_link", Message: pagetext.Text("the page answers " + statusText(e.here.page.Status)),
		URL: pagetext.Text(e.here.page.URL), State: state, Edge: edge, Request: &site.Request{Method: http.MethodGet, URL: e.here.page.URL}, Status: e.here.page.Status}
	if dead.Status < http.StatusInternalServerError {
		dead.Because = invalid
	}
	e.found(dead)
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
	key := pagetext.Text(f.Kind+"\x1f") + f.Message.Map(NameClass) + "\x1f" + f.URL.Map(PlaceTemplate) + pagetext.Text("\x1f"+f.Because)
	if e.said[key] || len(e.site.Findings) >= maxFindings {
		return
	}
	e.said[key] = true
	if f.Because != "" {
		e.site.Caused = append(e.site.Caused, f)
		return
	}
	e.site.Findings = append(e.site.Findings, f)
}
