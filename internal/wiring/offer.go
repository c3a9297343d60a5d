package wiring

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/server"
)

// offerLimit bounds an installation that a person agreed to while their client waits.
const offerLimit = 10 * time.Minute

// beforeCalls returns what a server does before its calls: at the first it asks the person about a
// folder that nobody has trusted, and at the first that reaches pages about a driver that isn't there. An installation outlives the
// call that asked, and ends with ctx, which is the server's; ended waits for that.
func beforeCalls(ctx context.Context, p Program, cfg config.Config) (before func(context.Context, bool, func(string)) string, ended func(context.Context), err error) {
	install, err := p.Install(cfg)
	if err != nil {
		return nil, nil, err
	}
	o := &offer{
		missing: func() bool { return !driver.Present(install) && driver.CanFetch(install) },
		ask: func(ctx context.Context) (bool, error) {
			asking, cancel := context.WithTimeout(ctx, callLimit)
			defer cancel()
			return server.Ask(asking, "Install the Playwright driver? Pages can't be looked at without it, and it is not on this machine. "+
				"npm fetches it (6 MB) into "+install.CacheDir+"; a browser is fetched too where there is none (100 to 300 MB).")
		},
		install: func(report func(string)) string {
			installing, stop := context.WithTimeout(ctx, offerLimit)
			defer stop()
			return installOffered(installing, p, install, report)
		},
		unanswered: func(err error) { p.Log.Warn("nobody said whether the driver may be installed", "err", err) },
	}
	trust := p.Folder.firstWords(p.Now, p.Log)
	var asked sync.Once
	return func(ctx context.Context, pages bool, report func(string)) string {
		isFirst := false
		asked.Do(func() { isFirst = true })
		var said []string
		if isFirst && trust != nil {
			said = append(said, trust(ctx))
		}
		if pages {
			said = append(said, o.before(ctx, report))
		}
		return joined(said)
	}, o.ended, nil
}

// joined puts texts below each other, without the empty ones.
func joined(texts []string) string {
	var said []string
	for _, text := range texts {
		if text != "" {
			said = append(said, text)
		}
	}
	return strings.Join(said, "\n\n")
}

// installOffered installs what the person agreed to, and returns what the client is told of it.
func installOffered(ctx context.Context, p Program, install driver.Options, report func(string)) string {
	install.Report = func(s driver.Step) { report(p.Vault.Mask(s.String())) }
	inst, err := driver.Install(ctx, install)
	if err != nil {
		return p.Vault.Mask(fmt.Sprintf("The person agreed that the Playwright driver is installed, and that failed: %v", err))
	}
	return fmt.Sprintf("The person agreed that the Playwright driver is installed: it is version %s in %s, and the browser is %s.", inst.Driver.Version, inst.Driver.Dir, inst.Browser.Path)
}

// offer asks the person at the client once whether what pages are looked at with may be installed,
// and installs it after a yes.
type offer struct {
	missing    func() bool // reports whether it isn't there, and could be fetched
	ask        func(context.Context) (accepted bool, err error)
	install    func(report func(string)) (outcome string)
	unanswered func(error)

	mu      sync.Mutex
	asked   bool           // whoever can be asked is being asked, or there is nothing to ask
	running chan struct{}  // closed when the installation has ended; nil: none has begun
	waiting []func(string) // the progress of the calls that wait for it
	outcome string         // of the installation, until a call has said it
}

// before returns what an answer says first; empty where nothing is missing, or nobody can be asked:
// then the call's own answer names the command. A call during the installation waits for its end,
// or its own. The first call to answer after it says its outcome.
func (o *offer) before(ctx context.Context, report func(string)) string {
	o.mu.Lock()
	mine := !o.asked
	o.asked = true
	o.mu.Unlock()
	if mine && o.missing() {
		accepted, err := o.ask(ctx)
		switch {
		case errors.Is(err, server.ErrCannotAsk):
			return ""
		case err != nil:
			o.unanswered(err)
			o.mu.Lock()
			o.asked = ctx.Err() == nil // a call that was cancelled while it asked has asked nobody
			o.mu.Unlock()
			return ""
		case !accepted:
			return "The person was asked whether the Playwright driver may be installed, and declined."
		}
		o.begin()
	}
	o.mu.Lock()
	running := o.running
	if running != nil {
		o.waiting = append(o.waiting, report)
	}
	o.mu.Unlock()
	if running == nil {
		return ""
	}
	select {
	case <-running:
	case <-ctx.Done():
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	outcome := o.outcome
	o.outcome, o.waiting = "", nil
	return outcome
}

// begin starts the installation, which no call's end ends.
func (o *offer) begin() {
	running := make(chan struct{})
	o.mu.Lock()
	o.running = running
	o.mu.Unlock()
	go func() {
		defer close(running)
		outcome := o.install(func(step string) {
			o.mu.Lock()
			waiting := o.waiting
			o.mu.Unlock()
			for _, report := range waiting {
				report(step)
			}
		})
		o.mu.Lock()
		defer o.mu.Unlock()
		o.outcome = outcome
	}()
}

// ended waits until no installation runs, or ctx ends.
func (o *offer) ended(ctx context.Context) {
	o.mu.Lock()
	running := o.running
	o.mu.Unlock()
	if running == nil {
		return
	}
	select {
	case <-running:
	case <-ctx.Done():
	}
}
