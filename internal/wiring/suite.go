package wiring

import (
	"maps"
	"os"
	"slices"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/trust"
	"github.com/assay-qa/assay/suite/accept"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/publish"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/tools/workspace"
)

// Runner makes the runner of suites in a workspace. ci says that no person can
// answer at the terminal.
func (p Program) Runner(cfg config.Config, d *workspace.Workspace, dir string, ci bool) (*runner.Runner, error) {
	links, err := p.Links(cfg, dir)
	return &runner.Runner{Config: cfg, DataDir: dir, Desk: d, Reader: p.Reader(cfg, dir), Vault: p.Vault, BaseURL: p.BaseURL, CI: ci, Version: p.Version,
		Provider: p.Provider, CheckModel: p.Folder.CheckModel, Confirm: Confirm, Links: links, Step: p.step(), Now: p.Now, Log: p.Log,
		Environment: func(name string) (*workspace.Workspace, error) { return p.inMatrix(cfg, d, dir, name) }}, err
}

// inMatrix returns a fork of a desk for an environment of a profile's matrix. Its
// sessions reach that environment's hosts alone, where no list says which.
func (p Program) inMatrix(cfg config.Config, d *workspace.Workspace, dir, name string) (*workspace.Workspace, error) {
	p.Env, p.Profile = name, config.Profile{}
	cfg, err := p.inEnvironment(cfg)
	if err != nil {
		return nil, err
	}
	fork := d.Fork()
	if fork.Target, err = p.target(cfg, dir); err != nil {
		return nil, err
	}
	fork.Environment = p.reported(cfg, fork.Environment, fork.Target)
	fork.Start.Width, fork.Start.Height, fork.Start.Locale = cfg.Browser.Viewport.Width, cfg.Browser.Viewport.Height, cfg.Browser.Locale
	if lists := p.NetworkLists(cfg); len(lists.AllowedHosts) == 0 {
		fork.Hosts = lists.HomeHosts
	}
	return fork, nil
}

// Publisher makes what writes the documents of a suite into a folder, without a message
// to the webhook.
func (p Program) Publisher(cfg config.Config, dir, folder string) (publish.Publisher, error) {
	store, err := evidence.Open(dir, p.Now)
	if err != nil {
		return publish.Publisher{}, config.Usage("data directory: %w", err)
	}
	store.Mask = p.Vault.MaskFile
	links, err := p.Links(cfg, dir)
	return publish.Publisher{Store: store, Folder: folder, Links: links, Step: p.step(), Mask: p.Vault.MaskFile, Log: p.Log}, err
}

// step returns the step of the workflow on GitHub that the program runs in.
func (p Program) step() publish.Step {
	return publish.Step{Summary: p.Getenv("GITHUB_STEP_SUMMARY"), Output: p.Getenv("GITHUB_OUTPUT")}
}

// Reader makes what reads the files of suites.
func (p Program) Reader(cfg config.Config, dir string) load.Reader {
	r := load.Reader{Network: p.NetworkLists(cfg), Destructive: cfg.Guard.Destructive, DataDir: dir, Secrets: slices.Sorted(maps.Keys(cfg.Secrets)), Withheld: p.Folder.withheldSecrets(),
		UploadRoots: cfg.Network.UploadRoots}
	if p.Vault != nil {
		r.Source = p.Vault.Source
	}
	r.Secrets = append(r.Secrets, slices.Sorted(maps.Keys(r.Withheld))...) // a case that needs one is told so
	for _, env := range cfg.Environments {
		for _, role := range env.Roles {
			if role.LoginFlow != "" {
				r.LoginFlows = append(r.LoginFlows, role.LoginFlow)
			}
		}
	}
	return r
}

// Readings makes what finds readings to accept in the runs of the data folder.
func (p Program) Readings(cfg config.Config, d *workspace.Workspace, dir string) accept.Finder {
	r := p.Reader(cfg, dir)
	r.Target = d.Target
	return accept.Finder{DataDir: dir, Suites: runner.Store(dir), Reader: r, Report: d.Store.Report, Trusted: cfg.Compliance.TrustedKeys}
}

// Suites lets a server's clients run suites on forks of a desk, where the toolset
// is on offer. A client may name another address of the environment.
func (p Program) Suites(cfg config.Config, d *workspace.Workspace, ci bool) (*runner.Background, error) {
	dir, err := DataDir(cfg)
	if err != nil {
		return nil, err
	}
	s := &runner.Background{Config: cfg, DataDir: dir, New: func(baseURL string) (*runner.Runner, error) {
		own, desk := p, d.Fork()
		own.BaseURL = baseURL
		var err error
		if desk.Target, err = own.target(cfg, dir); err != nil {
			return nil, err
		}
		desk.Environment = own.reported(cfg, desk.Environment, desk.Target)
		return own.Runner(cfg, desk, dir, ci)
	}}
	d.Suites = s
	return s, nil
}

// TestRunner makes what runs Playwright tests in the environment under test.
func (p Program) TestRunner(cfg config.Config, environ []string) (testrun.Runner, error) {
	cfg, err := p.inEnvironment(cfg)
	if err != nil {
		return testrun.Runner{}, err
	}
	install, err := p.Install(cfg)
	if err != nil {
		return testrun.Runner{}, err
	}
	install.Browser = "chromium"
	folder, err := os.Getwd()
	if err != nil {
		return testrun.Runner{}, err
	}
	work, err := trust.RealPath(folder)
	if err != nil {
		return testrun.Runner{}, err
	}
	trusted, err := p.Folder.whole(work)
	return testrun.Runner{Install: install, Network: p.NetworkLists(cfg), Folder: folder, Temp: os.TempDir(), BaseURL: p.BaseURL, Environ: environ, Now: p.Now, Trusted: trusted}, err
}

// TestFiler makes what files the results of tests in the data folder.
func (p Program) TestFiler(cfg config.Config, d *workspace.Workspace, dir, command string) testrun.Filer {
	return testrun.Filer{Store: d.Store, Suites: runner.Store(dir), Environment: d.ReportEnvironment(), Views: d.Views, Command: command, Now: p.Now,
		Publish: func(folder string) (publish.Publisher, error) { return p.Publisher(cfg, dir, folder) }}
}
