package wiring

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/server"
)

// offerLimit bounds an installation that a person agreed to while their client waits.
const offerLimit = 10 * time.Minute

// firstOf returns what a server does before its first answer: it asks the person about a folder that
// nobody has trusted, and about a driver that isn't there.
func firstOf(p Program, cfg config.Config) (func(context.Context, func(string)) string, error) {
	install, err := p.Install(cfg)
	if err != nil {
		return nil, err
	}
	trust := p.Folder.firstWords(p.Now, p.Log)
	return func(ctx context.Context, report func(string)) string {
		var said []string
		if trust != nil {
			said = append(said, trust(ctx))
		}
		if offered := offerDriver(ctx, p, install, report); offered != "" {
			said = append(said, offered)
		}
		return strings.Join(said, "\n\n")
	}, nil
}

// offerDriver asks the person at the client whether what pages are looked at with may be installed,
// and installs it after a yes. It returns what the client is told; empty where nothing is missing,
// or nobody can be asked: then the call's own answer names the command.
func offerDriver(ctx context.Context, p Program, install driver.Options, report func(string)) string {
	if driver.Present(install) {
		return ""
	}
	asking, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	accepted, err := server.Ask(asking, "Install the Playwright driver? Pages can't be looked at without it, and it is not on this machine. "+
		"npm fetches it (6 MB) into "+install.CacheDir+"; a browser is fetched too where there is none (100 to 300 MB).")
	switch {
	case errors.Is(err, server.ErrCannotAsk):
		return ""
	case err != nil:
		p.Log.Warn("nobody said whether the driver may be installed", "err", err)
		return ""
	case !accepted:
		return "The person was asked whether the Playwright driver may be installed, and declined."
	}
	install.Report = func(s driver.Step) { report(p.Vault.Mask(s.String())) }
	ctx, stop := context.WithTimeout(ctx, offerLimit)
	defer stop()
	inst, err := driver.Install(ctx, install)
	if err != nil {
		return p.Vault.Mask(fmt.Sprintf("The person agreed that the Playwright driver is installed, and that failed: %v", err))
	}
	return fmt.Sprintf("The person agreed that the Playwright driver is installed: it is version %s in %s, and the browser is %s.", inst.Driver.Version, inst.Driver.Dir, inst.Browser.Path)
}
