package author

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/workspace"
	"github.com/assay-qa/assay/visual"
)

// siteRun is the run with the evidence of an exploration; its run is nil where the
// workspace keeps none.
type siteRun struct {
	*evidence.Run
	ws *workspace.Workspace
}

// startSiteRun begins the run of an exploration. It keeps nothing before the first action.
func startSiteRun(ws *workspace.Workspace, o explore.Options) (siteRun, error) {
	if ws.Store == nil {
		return siteRun{}, nil
	}
	run, err := ws.Store.Start(qa.TaskSpec{Goal: "explore " + o.StartURL, Role: o.Role})
	if err != nil {
		return siteRun{}, err
	}
	command := "assay explore '" + o.StartURL + "'"
	if o.Role != "" {
		command += " --role " + o.Role
	}
	if o.AllowWrites {
		command += " --allow-writes"
	}
	run.Annotate(qa.CommandKey, command)
	return siteRun{run, ws}, nil
}

// named returns what was found with the run's id.
func (r siteRun) named(s site.Site) site.Site {
	if r.Run != nil {
		s.RunID = r.ID()
	}
	return s
}

// setBack files by what the site was set back; empty: by nothing.
func (r siteRun) setBack(by string) {
	if r.Run == nil || by == "" {
		return
	}
	input := struct {
		Reset string `json:"reset"`
	}{by}
	if err := r.Event(evidence.Event{Step: r.NextStep(), Tool: "explore_site", Input: engine.JSON(input), ToolOutput: "the site was set back"}); err != nil {
		r.ws.Log.Warn("file that the site was set back", "err", err)
	}
}

// loop files one round as an event.
func (r siteRun) loop(l site.Loop) {
	if r.Run == nil {
		return
	}
	input := struct {
		State  string        `json:"state"`
		Action pagetext.Text `json:"action"`
	}{l.State, l.Action}
	if err := r.Event(evidence.Event{Step: r.NextStep(), Tool: "explore_site", DurationMS: l.TotalMS, Input: engine.JSON(input), ToolOutput: l.Result}); err != nil {
		r.ws.Log.Warn("file an action of an exploration", "err", err)
	}
}

// finish files what was found: the pictures of the states, site.json, the check and the
// findings, and ends the run. It returns the verdict and the path of the report. What
// could not be kept makes the run inconclusive, and is in the error.
func (r siteRun) finish(f *folder, s site.Site) (qa.Status, string, error) {
	if r.Run == nil {
		return "", "", nil
	}
	var lost []error
	keep := func(what string, err error) {
		if err != nil {
			err = fmt.Errorf("keep %s with run %s: %w", what, r.ID(), err)
			r.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: "keep " + what, Detail: pagetext.Text(err.Error())})
			lost = append(lost, err)
		}
	}
	shots := map[string]string{} // names of stored pictures, by state
	for _, state := range s.States {
		if state.Picture == nil {
			continue
		}
		name, err := r.picture(f, state)
		keep("the picture of state "+state.ID, err)
		shots[state.ID] = name
	}
	data, err := f.root.ReadFile(site.FileName)
	if err == nil {
		_, err = r.SaveFile(site.FileName, "application/json", data, 0)
	}
	keep(site.FileName, err)
	record := explore.Record(s)
	for i, found := range record.Findings {
		if shot := shots[s.Findings[i].State]; shot != "" {
			found.Evidence = []qa.EvidenceRef{{ScreenshotRef: shot}}
		}
		_, err := r.AddFinding(found)
		keep("a finding", err)
	}
	for _, check := range record.Checks {
		_, err := r.AddCheck(check)
		keep("the check", err)
	}
	for _, in := range record.Interruptions {
		r.Interrupt(in)
	}
	report, err := r.Finish("", r.ws.ReportEnvironment(), r.ws.Views)
	return report.Status, filepath.Join(r.Dir(), "report.html"), errors.Join(append(lost, err)...)
}

// picture stores the picture of a state, which has to be the one that site.json names.
func (r siteRun) picture(f *folder, state site.State) (string, error) {
	data, err := f.root.ReadFile(state.Picture.File)
	if err != nil {
		return "", err
	}
	if digest(data) != state.Picture.SHA256 {
		return "", fmt.Errorf("%s was changed since it was taken", state.Picture.File)
	}
	width, height, err := visual.Size(data)
	if err != nil {
		return "", err
	}
	stored, err := r.SaveScreenshot(state.ID, data, width, height, 0)
	return stored.Name, err
}
