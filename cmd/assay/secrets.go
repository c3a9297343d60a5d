package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/secrets"
)

// vaultOf makes the vault of the configured secrets. It is the app's from then
// on: what goes to stderr is masked with it.
func (a *app) vaultOf(cfg config.Config) *secrets.Vault {
	references := map[string]string{}
	for name, reference := range cfg.Secrets {
		references[name] = string(reference)
	}
	a.vault.Store(secrets.New(references, a.getenv))
	return a.vault.Load()
}

// masked writes to out without secrets. The vault comes later than the logger
// that needs it, so it is asked for at every write.
type masked struct {
	app  *app
	out  io.Writer
	mime string
}

// Write takes whole lines, as loggers write them.
func (m masked) Write(p []byte) (int, error) {
	if _, err := m.out.Write(m.app.mask(m.mime, p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// mask hides secrets in a file or a line by its media type.
func (a *app) mask(mime string, data []byte) []byte {
	if v := a.vault.Load(); v != nil {
		return v.MaskFile(mime, data)
	}
	return data
}

// diagnoseSecrets says which configured secrets have a source, never a value.
// A missing one keeps nothing from working until it is used.
func (a *app) diagnoseSecrets(ctx context.Context, cfg config.Config) []driver.Diagnosis {
	var out []driver.Diagnosis
	for _, s := range a.vaultOf(cfg).Check(ctx) {
		d := driver.Diagnosis{Name: "secret " + s.Name, Health: driver.HealthOK, Detail: "found"}
		if !s.Found {
			d.Health, d.Detail = driver.HealthWarn, "missing: "+s.Problem+"; "+s.Hint
		}
		out = append(out, d)
	}
	return out
}

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
