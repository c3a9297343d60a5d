package runner

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/workspace"
)

// plan holds the cases that a suite consists of, and who runs them.
type plan struct {
	request   Request
	selection suite.Selection // of the suite that is resumed, or of the request
	vars      map[string]string
	files     []load.Case
	models    provider.Provider

	selected    int    // number of cases, of which a shard has a part
	fingerprint string // of those cases
	replay      string // when recordings are used
	cases       []suite.Case
}

// needsModelHint says what a spec without a recording needs.
const needsModelHint = `needs a model: agent.provider is "rules", which runs tasks, and specs whose sentences are all read (docs/specs.md); ` +
	`set agent.provider (openai, azure, anthropic, google, chat, ollama or lmstudio) and its key, or commit a recording of the spec and set agent.replay to auto, prefer or only`

// plan reads the files, selects the requested ones, and makes sure that there
// is a model where one is needed.
func (rn *Runner) plan(ctx context.Context, d *workspace.Workspace, p *plan) (err error) {
	if p.request.Resume == "" {
		if p.selection, err = load.Selection(p.request.Tags, p.request.Grep, p.request.Shard); err != nil {
			return err
		}
		p.selection.Profile = p.request.Profile
	}
	p.selection.BaseURL = cmp.Or(p.request.BaseURL, p.selection.BaseURL)
	if p.vars, err = load.Vars(p.request.Vars); err != nil {
		return err
	}
	r := rn.Reader
	r.Target, r.Vars, r.BaseURL = d.Target, p.vars, p.selection.BaseURL
	files, err := r.Load(p.request.Paths)
	if err != nil {
		return err
	}
	if files, err = p.selectCases(files); err != nil {
		return err
	}
	if p.request.Failed {
		if files, err = rn.lastFailed(files); err != nil {
			return err
		}
	}
	if p.request.Only != nil {
		files = slices.DeleteFunc(files, func(f load.Case) bool { return !slices.Contains(p.request.Only, f.File) })
	}
	p.files = load.WithSignIns(files)
	if p.request.List {
		return nil
	}
	if err := cmp.Or(r.CheckWithheld(p.files), r.CheckReferences(ctx, p.files)); err != nil {
		return err
	}
	own := agentConfig(rn.Config, d)
	rn.recordings = newRecordings(own.Replay, p.request, rn.CI)
	rn.recordings.numberLocale = d.Target.NumberLocale
	rulesAlone := own.Provider == "rules"
	spec, why, err := rn.recordings.unrecorded(p.files, rulesAlone)
	if err != nil {
		return err
	}
	if (spec != "" || needsModel(p.files)) && rn.CheckModel != nil {
		if err := rn.CheckModel(d.Target.Name); err != nil {
			return err
		}
	}
	if spec != "" && rulesAlone && !slices.ContainsFunc(p.files, func(f load.Case) bool { return f.Spec == nil }) {
		return config.Usage("%s: %s%s", spec, why, needsModelHint)
	}
	if (spec == "" || rulesAlone) && !needsModel(p.files) {
		p.models = rn.healingProvider(own)
		return nil
	}
	if p.models, err = rn.provider(own); err != nil {
		return err
	}
	return p.models.Check(ctx)
}

// lastFailed returns the cases that did not pass when they ran last.
func (rn *Runner) lastFailed(files []load.Case) ([]load.Case, error) {
	history, err := Store(rn.DataDir).History()
	if err != nil {
		return nil, err
	}
	cases, ran := suiteCases(files), 0
	var failed []load.Case
	for i, f := range files {
		outcomes := history.Newest(cases[i].File, cases[i].Row)
		if len(outcomes) > 0 {
			ran++
		}
		if slices.ContainsFunc(outcomes, func(o suite.Outcome) bool { return o.Status != qa.TestPassed }) {
			failed = append(failed, f)
		}
	}
	if len(failed) == 0 {
		return nil, config.Usage("--last-failed: none of %s failed or was inconclusive when it ran last, and %d never ran: nothing would be tested; leave --last-failed out",
			text.Count(len(files), "case"), len(files)-ran)
	}
	if never := len(files) - ran; never > 0 {
		rn.Log.Warn("--last-failed leaves cases out that are in no stored suite", "cases", never, "suites", suite.HistoryLimit)
	}
	return failed, nil
}

// cases makes a case of each flow, task and row of a spec.
func (rn *Runner) cases(d *workspace.Workspace, p plan) []suite.Case {
	files, models := p.files, p.models
	logins := signIns(files)
	out := suiteCases(files)
	for i, f := range files {
		progress := func(pagetext.Text) {}
		if rn.Progress != nil {
			progress = func(message pagetext.Text) { rn.Progress(i, len(files), f.Path, message) }
		}
		c := &out[i]
		c.Account, c.Alone = account(d.Target, f)
		again := rn.rerunCommand(d.Target.Name, p.selection.Profile, f.Path)
		switch t := f.Task; {
		case f.Spec != nil:
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return rn.runSpec(ctx, d, models, specCase{*f.Spec, logins[f.Spec], logins[f.Spec.SignedInBy]}, again+quotedVars(p.vars), func(e agent.Event) { progress(progressLine(e)) })
			}
		case t != nil:
			own := *t
			if own.Metadata = maps.Clone(t.Metadata); own.Metadata == nil {
				own.Metadata = map[string]string{}
			}
			own.Metadata[qa.CommandKey] = again
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return rn.runTask(ctx, d, models, own, func(e agent.Event) { progress(progressLine(e)) })
			}
		default:
			f.Flow.Command = again
			c.Run = func(ctx context.Context) (suite.Result, error) {
				return runFlow(ctx, d, *f.Flow, func(message string) { progress(pagetext.Text(message)) })
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
		b.WriteString(" --var " + text.ShellWord(name+"="+vars[name]))
	}
	return b.String()
}
