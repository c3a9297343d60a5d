package wiring

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/workspace"
)

// Environment chooses the environment under test: that of --env or ASSAY_ENV,
// or the only one there is. With none its name is empty.
func (p Program) Environment(cfg config.Config) (string, config.Environment, error) {
	name, env, err := cfg.Select(p.envChoice())
	if err != nil {
		return "", env, config.Usage("%w", err)
	}
	if p.BaseURL != "" {
		env.BaseURL = p.BaseURL
	}
	return name, env, nil
}

func (p Program) envChoice() string {
	if p.Env != "" {
		return p.Env
	}
	return p.Getenv("ASSAY_ENV")
}

// inEnvironment returns cfg with what the environment under test has differently.
func (p Program) inEnvironment(cfg config.Config) (config.Config, error) {
	name, env, err := p.Environment(cfg)
	if err != nil {
		return cfg, err
	}
	cfg.Browser.Viewport, cfg.Browser.Locale, cfg.Agent = env.Viewport, env.Locale, env.Agent
	return cfg, p.reachable(cfg, name, env)
}

// ResolvePaths makes the paths of quarantines and of an environment's files those that a reader of
// the configuration sees beside it, wherever the program was started.
func ResolvePaths(cfg config.Config, dir string) {
	for name, q := range cfg.Quarantines {
		q.File = below(dir, q.File)
		cfg.Quarantines[name] = q
	}
	for _, env := range cfg.Environments {
		for name, role := range env.Roles {
			for _, path := range []*string{&role.State, &role.LoginFlow} {
				if *path != "" && !filepath.IsAbs(*path) {
					*path = filepath.Join(dir, *path)
				}
			}
			env.Roles[name] = role
		}
	}
}

// reachable refuses an environment that no page could reach.
func (p Program) reachable(cfg config.Config, name string, env config.Environment) error {
	for key, address := range map[string]string{"base_url": env.BaseURL, "login_page": env.LoginPage} {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" {
			continue
		}
		policy, err := egress.NewPolicy(p.NetworkLists(cfg))
		if err != nil {
			return config.Usage("%w", err)
		}
		if rule := policy.CheckPage(u.Hostname()); rule != "" {
			return config.Usage("env.%s.%s: no page may reach %s, by %s: change one of the two", name, key, u.Hostname(), rule)
		}
	}
	return nil
}

// environmentHosts returns the hosts that an environment's pages may reach where no
// list says it: those of its addresses and the names below them.
func environmentHosts(env config.Environment) []string {
	var out []string
	for _, address := range []string{env.BaseURL, env.LoginPage, env.KPI.URL} {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" {
			continue
		}
		host := u.Hostname()
		out = append(out, host)
		switch addr, err := netip.ParseAddr(host); {
		case host == "localhost" || err == nil && addr.IsLoopback():
			out = append(out, "localhost", "*.localhost", "127.0.0.1", "::1")
		case err != nil:
			out = append(out, "*."+host)
		}
	}
	return out
}

// NetworkLists returns which hosts the configuration lets a browser reach.
func (p Program) NetworkLists(cfg config.Config) egress.Lists {
	var home []string
	if name, env, err := p.Environment(cfg); err == nil && name != "" {
		home = environmentHosts(env)
	}
	for _, name := range p.Profile.Environments {
		home = append(home, environmentHosts(cfg.Environments[name])...)
	}
	return egress.Lists{
		AllowedHosts: cfg.Network.AllowedHosts, HomeHosts: home, BlockExternal: cfg.Network.BlockExternal,
		DenyHosts: cfg.Network.DenyHosts, ProductionHosts: cfg.Guard.ProductionHosts, ProductionWords: cfg.Guard.ProductionWords,
	}
}

// reported returns the environment as reports show it.
func (p Program) reported(cfg config.Config, e qa.Environment, t workspace.Target) qa.Environment {
	e.Name, e.BaseURL, e.Locale, e.Timezone = t.Name, t.BaseURL, cfg.Browser.Locale, cfg.Browser.Timezone
	e.Viewport = fmt.Sprintf("%d×%d", cfg.Browser.Viewport.Width, cfg.Browser.Viewport.Height)
	return e
}

// target returns the environment under test as the tools know it.
func (p Program) target(cfg config.Config, dir string) (workspace.Target, error) {
	name, env, err := p.Environment(cfg)
	if err != nil || name == "" {
		return workspace.Target{}, err
	}
	out := workspace.Target{Name: name, BaseURL: env.BaseURL, Roles: map[string]workspace.Role{}}
	if out.KPI, err = oracle(name, env.KPI); err != nil {
		return out, err
	}
	out.NumberLocale = env.NumberLocale
	for label, t := range env.Tolerance {
		if out.Tolerance == nil {
			out.Tolerance = &qa.Tolerances{PerKPI: map[string]qa.Tolerance{}}
		}
		if label == "default" {
			out.Tolerance.Tolerance = qa.Tolerance(t)
			continue
		}
		out.Tolerance.PerKPI[label] = qa.Tolerance(t)
	}
	if b := env.Budgets; b != (config.Budgets{}) {
		out.Budgets = &qa.Budgets{MaxToolCalls: b.MaxToolCalls, MaxTimeMS: b.MaxTimeMS, MaxScreenshots: b.MaxScreenshots, MaxTokens: b.MaxTokens}
	}
	loginPage, err := loginPagePath(env)
	if err != nil {
		return out, config.Usage("env.%s.login_page: %w", name, err)
	}
	key := p.authKey(cfg)
	for role, r := range env.Roles {
		path, err := filepath.Abs(r.State)
		own := key
		if r.State == "" {
			path = auth.Path(dir, p.signInEnvironment(cfg, name), role)
			if own == nil { // a file that the configuration names may be shared with other programs
				own = auth.OwnKey(dir)
			}
		} else if err != nil {
			return out, config.Usage("env.%s.roles.%s.state %s: %w", name, role, r.State, err)
		}
		login, err := LoginFlow(r.LoginFlow, env.BaseURL)
		if err != nil {
			return out, config.Usage("env.%s.roles.%s.login_flow: %w", name, role, err)
		}
		out.Roles[role] = workspace.Role{State: auth.New(name, role, path, own), Login: login, LoginPage: loginPage, ChangesState: r.ChangesState}
	}
	return out, nil
}

// signInEnvironment returns the name of an environment, with the host of --base-url where
// that is another one: a preview has sign-ins of its own.
func (p Program) signInEnvironment(cfg config.Config, name string) string {
	u, err := url.Parse(p.BaseURL)
	if own, ownErr := url.Parse(cfg.Environments[name].BaseURL); err != nil || p.BaseURL == "" || ownErr == nil && own.Host == u.Host {
		return name
	}
	return name + "@" + strings.NewReplacer(":", "-", "[", "", "]", "").Replace(u.Host)
}

// loginPagePath returns the login page below the base URL's path. Its host is left
// open, as sites lead from one name of theirs to another.
func loginPagePath(env config.Environment) (string, error) {
	joined, err := flow.Join(env.BaseURL, env.LoginPage)
	if err != nil || !strings.HasPrefix(env.LoginPage, "/") || env.BaseURL == "" {
		return env.LoginPage, err
	}
	u, err := url.Parse(joined)
	if err != nil {
		return "", err
	}
	u.Scheme, u.Host = "", ""
	return u.String(), nil
}

// oracle returns the oracle of an environment, or nil.
func oracle(name string, k config.KPI) (*qa.KPISpec, error) {
	source := qa.KPISource(k.Type)
	if source == "" && k.URL != "" {
		source = qa.APIEndpoint
	}
	wrong := func(what string) error { return config.Usage("env.%s.kpi: %s", name, what) }
	switch {
	case source == "" && len(k.Params)+len(k.Map)+len(k.Values)+len(k.Units)+len(k.Selectors)+k.TimeoutMS == 0:
		return nil, nil //nolint:nilnil // an environment may have no oracle
	case source == "":
		return nil, wrong("it has no source: give url, or type = \"staticValues\" and values")
	case source == qa.APIEndpoint && k.URL == "":
		return nil, wrong("type apiEndpoint needs url")
	case source == qa.APIEndpoint && len(k.Values) > 0:
		return nil, wrong("values are for type staticValues; with a url, map leads to them")
	case source == qa.StaticValues && len(k.Values) == 0:
		return nil, wrong("type staticValues needs values")
	case source == qa.StaticValues && (k.URL != "" || len(k.Params)+len(k.Map) > 0):
		return nil, wrong("url, params and map are for type apiEndpoint")
	}
	return &qa.KPISpec{Type: source, URL: k.URL, Params: k.Params, Map: k.Map, Values: k.Values,
		Units: k.Units, Selectors: k.Selectors, TimeoutMS: k.TimeoutMS}, nil
}

// LoginFlow reads the flow that signs a role in; nil without a file.
func LoginFlow(path, baseURL string) (*flow.Flow, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // a person may sign in instead
	}
	f, problems, err := load.FlowFile(path, baseURL)
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, problems
	case f.Role != "":
		return nil, fmt.Errorf("%s: role: a login flow signs a role in, so it can't be signed in itself: leave role out", path)
	}
	for i, s := range f.Steps {
		if s.Action == "visual" {
			return nil, fmt.Errorf("%s: a login flow compares no pictures, which may show what is typed: take the visual step out", f.Origins[i])
		}
	}
	return &f.Flow, nil
}

// authKey finds the key that stored sign-ins are sealed with, when it is needed;
// nil when none is configured.
func (p Program) authKey(cfg config.Config) func() ([]byte, error) {
	if err := p.Folder.Check("auth.key", "a stored sign-in"); err != nil {
		return func() ([]byte, error) { return nil, err }
	}
	if cfg.Auth.Key == "" {
		return nil
	}
	const name = "[auth] key"
	source := secrets.New(map[string]string{name: string(cfg.Auth.Key)}, p.Getenv)
	source.Environ = p.Environ
	return func() ([]byte, error) {
		value, err := source.Reveal(context.Background(), name)
		p.Vault.Hide([]string{value})
		return []byte(value), err
	}
}
