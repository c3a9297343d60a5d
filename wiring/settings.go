package wiring

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/disk"
	"github.com/assay-qa/assay/secrets"
)

// maxSettings bounds a file of settings, and maxDotEnv a .env file, in bytes.
const (
	maxSettings = 4 << 20
	maxDotEnv   = 1 << 20
)

// Settings loads the configuration: the file at path, or mcp.toml if there is one,
// then the environment, then flags. dotEnv is what the folder's .env said. What is
// wrong in it stops the program before anything runs.
func Settings(path string, src config.Source, dotEnv map[string]string) (config.Config, error) {
	explicit := path != ""
	if !explicit {
		path = "mcp.toml"
	}
	data, err := disk.ReadPath(path, maxSettings)
	switch {
	case err == nil:
		src.Name, src.File = path, data
	case explicit || !errors.Is(err, os.ErrNotExist):
		return config.Config{}, config.Usage("read configuration: %w", err)
	}
	cfg, err := config.Load(src)
	if err != nil {
		return cfg, config.Usage("%w", err)
	}
	if err := keysStay(cfg, dotEnv); err != nil {
		return cfg, err
	}
	ResolvePaths(cfg, filepath.Dir(path))
	return cfg, nil
}

// ReadDotEnv returns what the .env of the working folder says of this program. The
// environment wins (D7). A file that is too large is refused.
func ReadDotEnv(name string, getenv func(string) string) (map[string]string, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil // a folder, or a pipe without a writer
	}
	data, err := disk.ReadPath(name, maxDotEnv)
	if err != nil {
		return nil, config.Usage("read %s: %w", name, err)
	}
	return config.DotEnv(data, provider.Credentials(), getenv)
}

// keysStay refuses to send a key that the configuration names to an address that the
// .env of a folder chose.
func keysStay(cfg config.Config, dotEnv map[string]string) error {
	named := cfg.Agent.APIKey != ""
	for _, env := range cfg.Environments {
		named = named || env.Agent.APIKey != ""
	}
	addresses := []string{"ASSAY_AGENT_BASE_URL"}
	for _, c := range provider.Credentials() {
		addresses = append(addresses, c.Addresses...)
	}
	for _, name := range addresses {
		if named && dotEnv[name] != "" {
			return config.Usage(".env: %s would send the key of agent.api_key to an address that is not the configuration's: set agent.base_url in mcp.toml", name)
		}
	}
	return nil
}

// Vault makes the vault of the configured secrets.
func Vault(cfg config.Config, getenv func(string) string) *secrets.Vault {
	references := map[string]string{}
	for name, reference := range cfg.Secrets {
		references[name] = string(reference)
	}
	return secrets.New(references, getenv)
}

// DiagnoseSecrets says which configured secrets have a source, never a value.
// A missing one keeps nothing from working until it is used.
func DiagnoseSecrets(ctx context.Context, v *secrets.Vault) []driver.Diagnosis {
	var out []driver.Diagnosis
	for _, s := range v.Check(ctx) {
		d := driver.Diagnosis{Name: "secret " + s.Name, Health: driver.HealthOK, Detail: "found"}
		if !s.Found {
			d.Health, d.Detail = driver.HealthWarn, "missing: "+s.Problem+"; "+s.Hint
		}
		out = append(out, d)
	}
	return out
}
