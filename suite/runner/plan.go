package runner

import (
	"cmp"
	"context"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
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

// plan reads the files, selects what is asked for, and makes sure that there is
// a model where one is needed.
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
	p.files = load.WithSignIns(files)
	own := agentConfig(rn.Config, d)
	rn.recordings = rn.recordingsOf(own.Replay, p.request)
	spec, err := rn.unrecorded(p.files)
	if err != nil {
		return err
	}
	if spec != "" && own.Provider == "rules" {
		return config.Usage("%s needs a model: agent.provider is \"rules\", which runs tasks alone; set agent.provider (openai, azure, anthropic, google, chat, ollama or lmstudio) and its key, or commit a recording of the spec and set agent.replay to auto, prefer or only", spec)
	}
	if spec == "" && !needsModel(p.files) {
		p.models = rn.healingProvider(own)
		return nil
	}
	if p.models, err = rn.provider(own); err != nil {
		return err
	}
	return p.models.Check(ctx)
}
