package main

import (
	"io"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/internal/wiring"
)

// vaultOf makes the vault of the configured secrets. It is the app's from then
// on: what goes to stderr is masked with it.
func (a *app) vaultOf(cfg config.Config) *secrets.Vault {
	vault := wiring.Vault(cfg, a.getenv)
	vault.Environ = a.environ
	a.vault.Store(vault)
	return a.vault.Load()
}

// masked writes to out without secrets. The vault comes later than the logger
// that needs it, so it is looked up at every write.
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

// readDotEnv reads what the .env of the working folder, or of the nearest folder above it in the same repository, says
// of this program. What of it counts is known with the configuration (D7).
func (a *app) readDotEnv() error {
	a.outside = a.getenv
	name, err := wiring.FindUpwards(".", ".env")
	if err == nil {
		a.dotEnv, err = wiring.ReadDotEnv(name)
	}
	return err
}
