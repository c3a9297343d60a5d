package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// SitemapFile is the name of the page beside site.json.
const SitemapFile = "site.html"

// Sitemap returns the page of what was found: a report without scripts that needs the
// pictures beside it.
func Sitemap(s site.Site) []byte {
	record := Record(s)
	verdict := qa.Judge(record)
	m := report.SiteMap{Start: s.StartURL, RunID: s.RunID, Status: verdict.Status, Reason: stopped(s, verdict), Facts: facts(s), Covered: covered(s)}
	far := 0
	for _, state := range s.States {
		far = max(far, state.Distance)
	}
	for _, state := range s.States {
		one := report.MapState{ID: state.ID, Title: state.Title, Place: path(state.Place), URL: state.URL, Column: state.Distance}
		if state.Distance < 0 { // only an address of its own shows it
			one.Column = far + 1
		}
		if state.Picture != nil {
			one.Picture = state.Picture.File
		}
		for _, e := range state.Notable {
			one.Notable = append(one.Notable, e.Role+" "+e.Name)
		}
		m.States = append(m.States, one)
	}
	for _, e := range s.Edges {
		m.Ways = append(m.Ways, report.MapWay{ID: e.ID, From: e.From, To: e.To, Action: Describe(e.Action)})
	}
	for i, f := range s.Findings {
		filed := record.Findings[i]
		m.Findings = append(m.Findings, report.MapFinding{Kind: f.Kind, Severity: filed.Severity, Message: f.Message, URL: f.URL, At: filed.At, ToDo: filed.ToDo(record.Checks), State: f.State})
	}
	return report.SiteMapHTML(m)
}

// stopped says why an exploration ended, and what follows from it.
func stopped(s site.Site, verdict qa.Verdict) pagetext.Text {
	out := pagetext.Sprintf("Stopped: %s", strings.ReplaceAll(s.Stop.Reason, "_", " "))
	if s.Stop.Detail != "" {
		out += ", " + s.Stop.Detail
	}
	if verdict.Status != qa.Passed {
		out += ". " + verdict.Reason
	}
	return out + "."
}

// facts are the figures of an exploration, by their names.
func facts(s site.Site) [][2]string {
	of := func(c site.Count) string { return fmt.Sprintf("%d of %d", c.Covered, c.Known) }
	c := s.Coverage
	out := [][2]string{{"States", fmt.Sprint(len(s.States))}, {"Places", fmt.Sprint(c.Places.Covered)}, {"Actions", fmt.Sprint(len(s.Edges))}, {"Findings", fmt.Sprint(len(s.Findings))},
		{"Kinds of actions tried", of(c.ActionClasses)}, {"Rules of forms broken", of(c.FormConstraints)}, {"Blocks of scripts run", of(c.ScriptBlocks)},
		{"Writes", map[bool]string{true: "allowed", false: "not allowed"}[s.AllowWrites]}}
	for _, f := range [][2]string{{"Role", s.Role}, {"Started", s.StartedAt}, {"Run", s.RunID}} {
		if f[1] != "" {
			out = append(out, f)
		}
	}
	return out
}

// path returns a place without its host.
func path(place string) string {
	if i := strings.IndexAny(place, "/?#"); i >= 0 {
		return place[i:]
	}
	return "/"
}

// covered lists the forms that were worked, with what came of it, and what was never
// tried, with the reason: what is alike stands once.
func covered(s site.Site) []report.MapCoverage {
	var out []report.MapCoverage
	at := map[pagetext.Text]int{}
	add := func(row report.MapCoverage, state string) {
		key := pagetext.Sprintf("%t\x1f%s\x1f%s", row.Tried, row.What, row.Result)
		i, known := at[key]
		if !known {
			i = len(out)
			at[key], out = i, append(out, row)
		}
		out[i].Times++
		if !slices.Contains(out[i].States, state) {
			out[i].States = append(out[i].States, state)
		}
	}
	for _, e := range s.Edges {
		if e.Action.Kind == site.Submit || len(e.Action.Fields) > 0 {
			add(report.MapCoverage{What: Describe(e.Action), Tried: true, Result: result(e)}, e.From)
		}
	}
	for _, u := range s.Untried {
		add(report.MapCoverage{What: Describe(u.Action), Result: u.Reason}, u.State)
	}
	return out
}

// result says what an action led to.
func result(e site.Edge) pagetext.Text {
	said := pagetext.Text("nothing changes")
	switch {
	case e.To != e.From:
		said = pagetext.Text("leads to " + e.To)
	case len(e.Changes.Appeared) > 0:
		said = "changes the page"
	}
	for _, x := range e.Changes.Appeared {
		if x.Role == "alert" || x.Role == "status" {
			said += pagetext.Sprintf(", which says %q", pagetext.Text(strings.TrimSpace(x.Text+" "+x.Name)))
			break
		}
	}
	if e.Wrote {
		said += "; it was sent to the server"
	}
	return said
}
