package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
)

// maxDotEnv bounds a .env file, in bytes.
const maxDotEnv = 1 << 20

// readDotEnv adds what the .env of the working folder says of this program to its
// environment, which wins (D7).
func (a *app) readDotEnv(name string) error {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil // a folder, or a pipe that nobody writes to
	}
	f, err := os.Open(name)
	if err != nil {
		return usage("read %s: %w", name, err)
	}
	defer func() { _ = f.Close() }() // read only
	data, err := io.ReadAll(io.LimitReader(f, maxDotEnv))
	if err != nil {
		return usage("read %s: %w", name, err)
	}
	if a.dotEnv, err = config.DotEnv(data, provider.Credentials(), a.getenv); err != nil {
		return err
	}
	outside := a.getenv
	a.getenv = func(name string) string {
		if value := outside(name); value != "" {
			return value
		}
		return a.dotEnv[name]
	}
	for name, value := range a.dotEnv {
		a.environ = append(slices.Clip(a.environ), name+"="+value)
	}
	return nil
}

// keysStay refuses to send a key that the configuration names to an address that the
// .env of a folder chose.
func (a *app) keysStay(cfg config.Config) error {
	named := cfg.Agent.APIKey != ""
	for _, env := range cfg.Environments {
		named = named || env.Agent.APIKey != ""
	}
	addresses := []string{"ASSAY_AGENT_BASE_URL"}
	for _, c := range provider.Credentials() {
		addresses = append(addresses, c.Addresses...)
	}
	for _, name := range addresses {
		if named && a.dotEnv[name] != "" {
			return usage(".env: %s would send the key of agent.api_key to an address that is not the configuration's: set agent.base_url in mcp.toml", name)
		}
	}
	return nil
}
