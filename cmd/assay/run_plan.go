package main

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools"
)

// plan is what is going to run.
type plan struct {
	flags     runFlags
	selection suite.Selection // of a suite that is taken up again
	vars      map[string]string
	files     []load.Case
	models    provider.Provider
}

// plan reads the files, selects what is asked for, and makes sure that there is
// a model where one is needed.
func (a *app) plan(ctx context.Context, cfg config.Config, d *tools.Desk, paths []string, dir string, p *plan) (err error) {
	if p.flags.resume == "" {
		if p.selection, err = load.Selection(p.flags.tags, p.flags.grep, p.flags.shard); err != nil {
			return err
		}
	}
	p.selection.BaseURL = cmp.Or(p.flags.baseURL, p.selection.BaseURL)
	if p.vars, err = load.Vars(p.flags.vars); err != nil {
		return err
	}
	r := load.Reader{Target: d.Target, Network: networkLists(cfg), Vars: p.vars, BaseURL: p.selection.BaseURL, Destructive: cfg.Guard.Destructive, DataDir: dir,
		Secrets: slices.Sorted(maps.Keys(cfg.Secrets))}
	files, err := r.Load(paths)
	if err != nil {
		return err
	}
	if files, err = load.Select(files, p.selection); err != nil {
		return err
	}
	p.files = load.WithSignIns(files)
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
