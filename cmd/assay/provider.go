package main

import (
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/server"
)

// provider makes the configured provider of models.
func (a *app) provider(cfg config.Agent) (provider.Provider, error) {
	return provider.New(cfg, provider.Options{Getenv: a.getenv, Hide: a.hide, Log: a.log, Sample: sample, CanSample: server.CanSample})
}

// hide masks a key from now on.
func (a *app) hide(key string) {
	if v := a.vault.Load(); v != nil && key != "" {
		v.Hide([]string{key})
	}
}
