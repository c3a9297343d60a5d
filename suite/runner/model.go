package runner

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools"
	"github.com/assay-qa/assay/tools/workspace"
)

// provider returns the configured provider.
func (rn *Runner) provider(cfg config.Agent) (provider.Provider, error) {
	if err := checkTools(cfg.Tools); err != nil {
		return provider.Provider{}, err
	}
	return rn.Provider(cfg)
}

// checkTools refuses names in agent.tools that no tool has.
func checkTools(names []string) error {
	if len(names) == 0 { // the catalogue takes milliseconds to build
		return nil
	}
	var known []string
	d := workspace.Workspace{Settings: workspace.Settings{Sets: []string{"core", "full", "author"}}}
	for _, t := range tools.Catalogue(&d) {
		known = append(known, t.Definition.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return config.Usage("agent.tools: there is no tool %q%s; there are: %s", name, text.Hint(name, known), strings.Join(known, ", "))
		}
	}
	return nil
}

// hideSecrets looks up the secrets that a job may use, so that they are masked from
// its first turn: a page may show one before anybody has typed it. One that can't
// be had is an error where it is used.
func (rn *Runner) hideSecrets(ctx context.Context, d *workspace.Workspace, m agent.Model) {
	if _, ok := m.(provider.Model); !ok || d.Secrets == nil { // no provider sees any text
		return
	}
	for _, name := range d.Secrets.Names() {
		if _, err := d.Secrets.Reveal(ctx, name); err != nil {
			rn.Log.Warn("a secret can't be had, nor hidden from the model", "name", name, "err", err)
		}
	}
}

// needsModel reports whether any of the files is a task. Flows need no model, and
// specs none where they are replayed.
func needsModel(files []load.Case) bool {
	return slices.ContainsFunc(files, func(f load.Case) bool { return f.Task != nil })
}

// Redactor returns what hides secrets and what agent.redact matches; nil patterns hide
// secrets alone.
func Redactor(vault *secrets.Vault, patterns []string) (func(string) string, error) {
	var compiled []*regexp.Regexp
	for _, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil { // the configuration was checked: nothing may go out in clear all the same
			return nil, config.Usage("agent.redact %q: %w", p, err)
		}
		compiled = append(compiled, re)
	}
	return func(text string) string {
		text = vault.Mask(text)
		for _, re := range compiled {
			text = re.ReplaceAllString(text, "[redacted]")
		}
		return text
	}, nil
}
