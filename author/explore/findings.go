package explore

import (
	"github.com/assay-qa/assay/author/identity"
	"github.com/assay-qa/assay/author/site"
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
	e.found(site.Finding{Kind: "dead_link", Message: "the page answers " + statusText(e.here.page.Status), URL: e.here.page.URL, State: state, Edge: edge})
}

// found files a finding, unless the same was found at the same place.
func (e *explorer) found(f site.Finding) {
	key := f.Kind + "\x1f" + identity.NameClass(f.Message) + "\x1f" + identity.Template(f.URL)
	if e.said[key] || len(e.site.Findings) >= maxFindings {
		return
	}
	e.said[key] = true
	e.site.Findings = append(e.site.Findings, f)
}
