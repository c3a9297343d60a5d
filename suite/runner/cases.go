package runner

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/tools/workspace"
)

// cases makes a case of each flow, task and row of a spec.
func (rn *Runner) cases(d *workspace.Workspace, p plan) []suite.Case {
	files, models := p.files, p.models
	logins := signIns(files)
	out := suiteCases(files)
	for i, f := range files {
		progress := func(string) {}
		if rn.Progress != nil {
			progress = func(message string) { rn.Progress(i, len(files), f.Path, message) }
		}
		c := &out[i]
		again := rn.rerunCommand(d.Target.Name, p.selection.Profile, f.Path)
		switch t := f.Task; {
		case f.Spec != nil:
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return rn.runSpec(ctx, d, models, specCase{*f.Spec, logins[f.Spec], logins[f.Spec.SignedInBy]}, again+quotedVars(p.vars), func(e agent.Event) { progress(progressLine(e)) })
			}
		case t != nil:
			t.Metadata = maps.Clone(t.Metadata)
			if t.Metadata == nil {
				t.Metadata = map[string]string{}
			}
			t.Metadata[qa.CommandKey] = again
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return rn.runTask(ctx, d, models, *t, func(e agent.Event) { progress(progressLine(e)) })
			}
		default:
			f.Flow.Command = again
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return runFlow(ctx, d, *f.Flow, progress)
			}
		}
	}
	return out
}

// rerunCommand returns the command that runs one file again, in all cells of a profile.
func (rn *Runner) rerunCommand(env, profile, path string) string {
	line := "assay run"
	if profile != "" {
		line += " --profile " + profile
	}
	if env != "" && len(rn.Config.Profiles[profile].Environments) == 0 {
		line += " --env " + env
	}
	if rn.BaseURL != "" {
		line += " --base-url '" + strings.ReplaceAll(rn.BaseURL, "'", "%27") + "'"
	}
	return line + " " + filepath.ToSlash(path)
}

// quotedVars returns the variables as the command that runs a spec again has them.
func quotedVars(vars map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		b.WriteString(" --var '" + name + "=" + strings.ReplaceAll(vars[name], "'", `'\''`) + "'")
	}
	return b.String()
}
