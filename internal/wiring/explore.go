package wiring

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/heal"
	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// notableElements bounds what is noted of a state.
const notableElements = 10

// Exploration makes the options of an exploration from the settings. Nothing is written
// unless that is allowed.
func Exploration(p Program, cfg config.Config, allowWrites bool) (author.Options, error) {
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
		Waits: author.Waits{Act: ms(c.Browser.TimeoutMS), Before: ms(c.Interaction.DelayBeforeMS),
			After: ms(c.Interaction.DelayAfterMS), Quiet: ms(c.Interaction.WaitTimeoutMS), Navigation: ms(c.Navigation.WaitAfterNavigationMS)},
		Scan: scan.Options{Elements: c.ElementExtraction.InteractableElements, Omit: c.ElementExtraction.BlacklistTags,
			Invisible: c.ElementExtraction.IncludeInvisible, Max: c.ElementExtraction.MaxElements},
		Explore: explore.Options{AllowWrites: allowWrites, StayOnDomain: c.Navigation.StayOnDomain, StayOnPath: c.StayOnPath, Limits: explore.Limits{
			Navigations: c.Navigation.MaxNavigations, Loops: c.Navigation.MaxLoops, Actions: c.Limits.MaxActions,
			States: c.Limits.MaxStates, Time: ms(c.Limits.MaxTimeMS), Idle: c.Limits.MaxIdleActions,
			Frontier: explore.FrontierLimits{ListSample: c.Limits.ListSample, Visits: c.Limits.TemplateVisits, Class: explore.DefaultFrontierLimits().Class}}},
	}
	if c.ElementExtraction.EnableNotableElements {
		o.Explore.Notable, o.Scan.Notable = notableElements, c.ElementExtraction.NotableElements
	}
	o.Explore.Choices = c.AI.MaxElementsInPrompt
	o.Explore.Choose, err = chooser(p, cfg)
	return o, err
}

// chooser makes what lets a model choose among the next actions of an exploration; nil
// without a provider.
func chooser(p Program, cfg config.Config) (func(context.Context, explore.Question) (explore.Choice, error), error) {
	c := cfg.Explore.AI
	if c.Provider == "" {
		return nil, nil
	}
	a := cfg.Agent
	a.Provider, a.Model, a.BaseURL = c.Provider, cmp.Or(c.Model, a.Model), cmp.Or(c.BaseURL, a.BaseURL)
	a.Temperature, a.MaxOutputTokens, a.Computer = c.Temperature, c.MaxTokens, "off"
	served, err := p.Provider(a)
	if err != nil {
		return nil, config.Usage("explore.ai: %w", err)
	}
	m, err := served.Model(qa.TaskSpec{Goal: "choose the next action of an exploration"}, "", nil)
	if err != nil {
		return nil, config.Usage("explore.ai: %w", err)
	}
	return explore.Asker{Model: m, Prompt: c.Prompt}.Choose, nil
}

// Explorations lets a server's clients explore sites, make tests of them and run tests,
// where the toolset is on offer. environ is what tests see of the environment.
func Explorations(p Program, cfg config.Config, d *workspace.Workspace, environ []string) error {
	dir, err := DataDir(cfg)
	if err != nil {
		return err
	}
	d.Explorations = &author.Background{DataDir: dir, Options: func(allowWrites bool) (o author.Options, err error) {
		if o, err = Exploration(p, cfg, allowWrites); err == nil {
			o.Reset, err = Reset(p, cfg)
		}
		return o, err
	}}
	cookies, err := author.ParseCookies(cfg.Explore.Browser.Cookies)
	if err != nil {
		return config.Usage("explore.browser.cookies: %w", err)
	}
	root, err := filepath.Abs(cfg.Author.Root)
	if err != nil {
		return err
	}
	runner := func() (testrun.Runner, error) { return p.TestRunner(cfg, environ) }
	filer := func(ws *workspace.Workspace, command string) testrun.Filer { return p.TestFiler(cfg, ws, dir, command) }
	d.Generations = &author.Generating{DataDir: dir, Cookies: cookies, Width: cfg.Browser.Viewport.Width, Height: cfg.Browser.Viewport.Height, Runner: runner, Filer: filer,
		Reset: func() (reset.Way, error) { return Reset(p, cfg) }}
	d.TestRuns = &author.Testing{DataDir: dir, Root: root, TestDir: cfg.Author.TestDir, Runner: runner, Filer: filer}
	return nil
}

// Heals lets a server's clients heal tests of the project, where the toolset is on offer.
func Heals(p Program, cfg config.Config, d *workspace.Workspace, environ []string) error {
	dir, err := DataDir(cfg)
	if err != nil {
		return err
	}
	root, err := filepath.Abs(cfg.Author.Root)
	if err != nil {
		return err
	}
	run := func() (testrun.Runner, error) {
		out, err := p.TestRunner(cfg, environ)
		out.Folder, out.BaseURL = root, cmp.Or(out.BaseURL, d.Target.BaseURL)
		return out, err
	}
	destructive, err := Destructive(cfg.Guard)
	if err != nil {
		return err
	}
	d.Heals = &author.Healing{Runner: run, DataDir: dir, Root: root, TestDir: cfg.Author.TestDir, Heal: heal.Healer{DataDir: dir, Seed: 1, Destructive: destructive},
		Filer:   func(command string) testrun.Filer { return p.TestFiler(cfg, d, dir, command) },
		Environ: func(ctx context.Context) []string { return author.SecretVariables(ctx, d) },
		Reset:   func(site string) (reset.Way, string, error) { return ResetOf(p, cfg, site) }}
	return nil
}
