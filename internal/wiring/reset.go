package wiring

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/secrets"
)

// Reset makes what sets sites back to their seed data. A command that a folder says counts where a person trusted the
// folder.
func Reset(p Program, cfg config.Config) (reset.Way, error) {
	if cfg.Explore.ResetCommand == "" { // else it is the person's
		if err := p.Folder.Check("explore.reset_command", "setting the site back"); err != nil {
			return reset.Way{}, err
		}
	}
	cfg, err := p.inEnvironment(cfg)
	if err != nil {
		return reset.Way{}, err
	}
	judge, _, err := Judge(cfg.Guard)
	if err != nil {
		return reset.Way{}, err
	}
	way := reset.Way{Address: cfg.Explore.Reset, Network: p.NetworkLists(cfg), Guard: judge, Now: p.Now, Environ: p.Environ,
		Mask: func(ctx context.Context, text string) string { return maskAll(ctx, p, text) }}
	if cfg.Explore.ResetCommand != "" {
		if way.Command, err = secrets.Words(cfg.Explore.ResetCommand); err != nil {
			return way, config.Usage("explore.reset_command: %w", err)
		}
	}
	way.Folder, err = filepath.Abs(filepath.Dir(p.Folder.Place.Config)) // without a configuration the working folder
	return way, err
}

// maskAll masks all secrets, also those that nobody has needed yet: a program of the person's has them elsewhere.
func maskAll(ctx context.Context, p Program, text string) string {
	for _, name := range p.Vault.Names() {
		if _, err := p.Vault.Reveal(ctx, name); err != nil {
			p.Log.Warn("a secret is not masked", "name", name, "err", err)
		}
	}
	return p.Vault.Mask(text)
}

// ResetOf makes the same for the site of tests, which may not be known: then it is that of explorations.
func ResetOf(p Program, cfg config.Config, site string) (way reset.Way, at string, err error) {
	if way, err = Reset(p, cfg); err != nil {
		return way, "", err
	}
	at = cmp.Or(site, cfg.Explore.StartURL)
	if err := way.Check(at); err != nil {
		return way, at, config.Usage("%w", err)
	}
	return way, at, nil
}
