package wiring

import (
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
)

// Provider makes the configured provider of models.
func (p Program) Provider(cfg config.Agent) (provider.Provider, error) {
	return provider.New(cfg, provider.Options{Getenv: p.Getenv, Environ: p.Environ, Hide: p.hide, Log: p.Log})
}

// hide masks a key from now on.
func (p Program) hide(key string) {
	if p.Vault != nil && key != "" {
		p.Vault.Hide([]string{key})
	}
}
