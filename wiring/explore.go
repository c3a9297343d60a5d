package wiring

import (
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/frontier"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// notableElements bounds what is noted of a state.
const notableElements = 10

// Exploration makes the options of an exploration from the settings. Nothing is written
// unless that is allowed.
func Exploration(cfg config.Config, allowWrites bool) (author.Options, error) {
	c := cfg.Explore
	judge, err := ExploreGuard(cfg.Guard, allowWrites)
	if err != nil {
		return author.Options{}, err
	}
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	cookies, err := author.ParseCookies(c.Browser.Cookies)
	if err != nil {
		return author.Options{}, config.Usage("explore.browser.cookies: %w", err)
	}
	o := author.Options{
		Guard: judge, Parallel: c.Limits.Parallel, Cookies: cookies,
		Waits: author.Waits{Act: ms(c.Browser.TimeoutMS), Before: ms(c.Interaction.DelayBeforeMS), After: ms(c.Interaction.DelayAfterMS), Quiet: ms(c.Interaction.WaitTimeoutMS), Navigation: ms(c.Navigation.WaitAfterNavigationMS)},
		Scan:  scan.Options{Elements: c.ElementExtraction.InteractableElements, Omit: c.ElementExtraction.BlacklistTags, Invisible: c.ElementExtraction.IncludeInvisible, Max: c.ElementExtraction.MaxElements},
		Explore: explore.Options{AllowWrites: allowWrites, StayOnDomain: c.Navigation.StayOnDomain, StayOnPath: c.StayOnPath, Limits: explore.Limits{
			Navigations: c.Navigation.MaxNavigations, Loops: c.Navigation.MaxLoops, Actions: c.Limits.MaxActions, States: c.Limits.MaxStates, Time: ms(c.Limits.MaxTimeMS), Idle: c.Limits.MaxIdleActions,
			Frontier: frontier.Limits{ListSample: c.Limits.ListSample, Visits: c.Limits.TemplateVisits, Class: frontier.Defaults().Class}}},
	}
	if c.ElementExtraction.EnableNotableElements {
		o.Explore.Notable, o.Scan.Notable = notableElements, c.ElementExtraction.NotableElements
	}
	return o, nil
}

// Explorations lets a server's clients explore sites, where the toolset is on offer.
func (p Program) Explorations(cfg config.Config, d *workspace.Workspace) error {
	dir, err := DataDir(cfg)
	if err != nil {
		return err
	}
	d.Explorations = &author.Background{DataDir: dir, Options: func(allowWrites bool) (author.Options, error) { return Exploration(cfg, allowWrites) }}
	return nil
}
