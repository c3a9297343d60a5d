package main

import (
	"context"
	"io"

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
