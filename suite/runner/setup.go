package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/workspace"
)

// setup says how a suite runs, as far as the shards of one suite must agree: files are
// all that were selected, before the shard's part was taken.
func setup(d *workspace.Workspace, own config.Agent, replay string, p plan) map[string]string {
	env := d.Environment
	return map[string]string{
		"assay's version": env.AssayVersion, "environment": env.Name, "browser": env.Browser, "viewport": env.Viewport, "locale": env.Locale, "time zone": env.Timezone,
		"agent.provider": own.Provider, "agent.model": own.Model, "--replay": replay, "--profile": p.selection.Profile, "--var": quotedVars(p.vars),
		"cases": strconv.Itoa(p.selected), "files (their hash)": p.fingerprint,
	}
}

// selectCases takes the cases that are selected, and notes of which ones a shard is a part.
func (p *plan) selectCases(files []load.Case) ([]load.Case, error) {
	whole := p.selection
	whole.Shard, whole.Of = 0, 0
	all, err := load.Select(files, whole)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	for _, c := range suiteCases(all) {
		fmt.Fprintf(sum, "%q %d %s\n", c.Name, c.Row, c.Hash)
	}
	p.selected, p.fingerprint = len(all), hex.EncodeToString(sum.Sum(nil)[:8])
	return load.Select(files, p.selection)
}

// suiteCases returns the cases without what runs them.
func suiteCases(files []load.Case) []suite.Case {
	out := make([]suite.Case, len(files))
	for i, f := range files {
		c := suite.Case{Path: f.Path, File: f.File}
		switch {
		case f.Spec != nil:
			c.Name, c.Hash, c.Row, c.Tags = f.Spec.Name(), f.Spec.Hash, f.Spec.Row, f.Spec.Tags
		case f.Task != nil:
			c.Name, c.Hash, c.Tags = f.Task.ID, f.Task.Hash, f.Task.Tags
		default:
			c.Name, c.Hash = f.Flow.Name, f.Flow.Hash
		}
		out[i] = c
	}
	return out
}
