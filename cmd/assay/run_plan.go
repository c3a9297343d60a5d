package main

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/tools"
)

// plan is what is going to run.
type plan struct {
	flags     runFlags
	selection suite.Selection // of a suite that is taken up again
	vars      map[string]string
	files     []loaded
	models    provider.Provider
}

// plan reads the files, selects what is asked for, and makes sure that there is
// a model where one is needed.
func (a *app) plan(ctx context.Context, cfg config.Config, d *tools.Desk, paths []string, dir string, p *plan) (err error) {
	if p.flags.resume == "" {
		if p.selection, err = selectionOf(p.flags.tags, p.flags.grep, p.flags.shard); err != nil {
			return err
		}
	}
	p.selection.BaseURL = cmp.Or(p.flags.baseURL, p.selection.BaseURL)
	if p.vars, err = varsOf(p.flags.vars); err != nil {
		return err
	}
	r := reading{target: d.Target, network: networkLists(cfg), vars: p.vars, fixed: p.selection.BaseURL, guard: cfg.Guard.Destructive, dataDir: dir,
		secrets: slices.Sorted(maps.Keys(cfg.Secrets))}
	files, err := r.load(paths)
	if err != nil {
		return err
	}
	if files, err = choose(files, p.selection); err != nil {
		return err
	}
	p.files = withSignIns(files)
	worked := agentOf(cfg, d)
	a.recordings = a.recordingsOf(worked.Replay, p.flags)
	spec, err := a.unrecorded(p.files)
	if err != nil {
		return err
	}
	if spec != "" && worked.Provider == "rules" {
		return usage("%s needs a model: agent.provider is \"rules\", which works tasks alone; set agent.provider (openai, azure, anthropic, google or chat) and its key, or commit a recording of the spec and leave agent.replay on", spec)
	}
	if spec == "" && !needsModel(p.files) {
		p.models = a.healers(worked)
		return nil
	}
	if p.models, err = a.modelsOf(worked); err != nil {
		return err
	}
	return p.models.Check(ctx)
}
