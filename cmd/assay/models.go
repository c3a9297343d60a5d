package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/anthropic"
	"github.com/assay-qa/assay/agent/chat"
	"github.com/assay-qa/assay/agent/gemini"
	"github.com/assay-qa/assay/agent/openai"
	"github.com/assay-qa/assay/agent/rules"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/secrets"
	"github.com/assay-qa/assay/tools"
)

// maker makes the model of each task, by the configuration of the agent.
type maker struct {
	provider string
	model    func(task qa.TaskSpec, address string, hosts []string) (agent.Model, error)
	check    func(ctx context.Context) error // whether the provider can be reached; costs nothing or little
}

// wire is how a provider is reached.
type wire struct {
	keys     []string // variables that hold its key, the usual one first; none: it needs no key
	address  string   // variable that holds its address
	fallback string   // address where nothing else is said; empty: the provider's own
	located  bool     // it has no address of its own: somebody must say it
	make     func(agent.Connection) (agent.Model, error)
	check    func(context.Context, agent.Connection) error
	can      func(agent.Connection) agent.Capabilities
}

// ollama is where a local Ollama listens.
const ollama = "http://127.0.0.1:11434/v1"

// wires are the providers by their name in agent.provider.
func wires() map[string]wire {
	return map[string]wire{
		"openai":    {keys: []string{"OPENAI_API_KEY"}, address: "OPENAI_BASE_URL", make: made(openai.New), check: openai.Check, can: openai.Can},
		"azure":     {keys: []string{"AZURE_OPENAI_API_KEY"}, address: "AZURE_OPENAI_ENDPOINT", located: true, make: made(openai.NewAzure), check: openai.CheckAzure, can: openai.Can},
		"anthropic": {keys: []string{"ANTHROPIC_API_KEY"}, address: "ANTHROPIC_BASE_URL", make: made(anthropic.New), check: anthropic.Check, can: anthropic.Can},
		"google":    {keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, address: "GOOGLE_GEMINI_BASE_URL", make: made(gemini.New), check: gemini.Check, can: gemini.Can},
		"chat":      {fallback: ollama, make: made(chat.New), check: chat.Check, can: chat.Can},
	}
}

func made[M agent.Model](build func(agent.Connection) (M, error)) func(agent.Connection) (agent.Model, error) {
	return func(c agent.Connection) (agent.Model, error) { return build(c) }
}

// modelName is the provider's name of the configured model.
func modelName(cfg config.Agent) string { return cmp.Or(cfg.Model, agent.DefaultModel(cfg.Provider)) }

// modelsOf makes the maker of the configured provider. A key, an address or a
// model that is missing is a usage error, before anything runs.
func (a *app) modelsOf(cfg config.Agent) (maker, error) {
	if err := checkTools(cfg.Tools); err != nil {
		return maker{}, err
	}
	if cfg.Provider == "rules" {
		return maker{provider: cfg.Provider, check: func(context.Context) error { return nil },
			model: func(task qa.TaskSpec, address string, hosts []string) (agent.Model, error) {
				return rules.New(rules.Options{Task: task, Address: address, AllowedHosts: hosts, Explore: true}), nil
			}}, nil
	}
	if cfg.Provider == "sampling" {
		return lentModels(cfg), nil
	}
	w, ok := wires()[cfg.Provider]
	if !ok {
		return maker{}, usage("agent.provider %q is none of rules, %s", cfg.Provider, strings.Join(slices.Sorted(maps.Keys(wires())), ", "))
	}
	c, err := a.connect(cfg, w)
	if err != nil {
		return maker{}, err
	}
	b := &breaker{check: func(ctx context.Context) error { return w.check(ctx, c) }}
	return maker{provider: cfg.Provider,
		check: func(ctx context.Context) error { return a.reach(ctx, cfg, c, w) },
		model: func(qa.TaskSpec, string, []string) (agent.Model, error) {
			a.hide(c.Key)
			m, err := w.make(c)
			return served{m, b}, err
		}}, nil
}

// checkTools refuses names in agent.tools that no tool has.
func checkTools(names []string) error {
	if len(names) == 0 { // the catalogue takes milliseconds to build
		return nil
	}
	var known []string
	d := tools.Desk{Settings: tools.Settings{Sets: []string{"core", "full", "author"}}}
	for _, t := range d.Catalogue() {
		known = append(known, t.Definition.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return usage("agent.tools: there is no tool %q%s; there are: %s", name, nearest.Hint(name, known), strings.Join(known, ", "))
		}
	}
	return nil
}

// connect gathers what a wire needs.
func (a *app) connect(cfg config.Agent, w wire) (agent.Connection, error) {
	c := agent.Connection{
		BaseURL: cmp.Or(cfg.BaseURL, a.variable(w.address), w.fallback), Model: modelName(cfg), APIVersion: cfg.APIVersion,
		MaxOutput: cfg.MaxOutputTokens, Timeout: time.Duration(cfg.RequestTimeoutMS) * time.Millisecond, Store: cfg.Store,
	}
	if cfg.BaseURL == "" && !plainAddress(c.BaseURL) {
		return c, usage("the variable %s holds no address that can be used; accepted: an http or https URL without user and password", w.address)
	}
	if c.BaseURL == "" && w.located {
		return c, usage("agent.provider %q needs the endpoint of its resource: set agent.base_url, or the variable %s", cfg.Provider, w.address)
	}
	if c.Model == "" {
		return c, usage("agent.provider %q has no model by default: set agent.model to the name that %s has for it", cfg.Provider, whose(cfg.Provider))
	}
	var err error
	if c.Key, err = a.providerKey(cfg, w); err != nil {
		return c, err
	}
	has := w.can(c).Computer
	if cfg.Computer == "on" && !has {
		return c, usage("agent.computer = \"on\": %s has no computer tool of its own for %s; use auto or off", cfg.Provider, c.Model)
	}
	// Its pictures would show what agent.redact is there to hide.
	c.Computer = has && cfg.Computer != "off" && len(cfg.Redact) == 0
	return c, nil
}

// plainAddress reports whether an address of the environment is one that the
// configuration would take. Nothing of another one may be told: it may hold a
// password.
func plainAddress(address string) bool {
	u, err := url.Parse(address)
	return address == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

func whose(provider string) string {
	if provider == "azure" {
		return "your deployment"
	}
	return "your server"
}

// variable reads an environment variable; one without a name is not set.
func (a *app) variable(name string) string {
	if name == "" {
		return ""
	}
	return a.getenv(name)
}

// providerKey finds the provider's key, and hides it in every text from then on.
func (a *app) providerKey(cfg config.Agent, w wire) (string, error) {
	source := string(cfg.APIKey)
	for _, name := range w.keys {
		if source == "" && a.getenv(name) != "" {
			source = "env:" + name
		}
	}
	switch {
	case source == "" && len(w.keys) == 0:
		return "", nil
	case source == "":
		return "", usage("agent.provider %q needs a key: set the variable %s, or say in agent.api_key where it is found (env:VAR, file:path or cmd:program)", cfg.Provider, strings.Join(w.keys, " or "))
	}
	const name = "agent.api_key"
	key, err := secrets.New(map[string]string{name: source}, a.getenv).Reveal(context.Background(), name)
	if err != nil {
		var missing *secrets.Error
		if errors.As(err, &missing) {
			return "", usage("agent.provider %q needs a key: %s; %s", cfg.Provider, missing.Problem, missing.Hint())
		}
		return "", err
	}
	a.hide(key)
	return key, nil
}

// hide masks a key. It is said again for each task: of the values without a
// name, the vault keeps the newest.
func (a *app) hide(key string) {
	if v := a.vault.Load(); v != nil && key != "" {
		v.Hide([]string{key})
	}
}

// hideFirst looks up the secrets that a job may use, so that they are masked from
// its first turn: a page may show one before anybody has typed it. One that can't
// be had is an error where it is used.
func (a *app) hideFirst(ctx context.Context, d *tools.Desk, m agent.Model) {
	if _, ok := m.(served); !ok || d.Secrets == nil { // nobody is told anything
		return
	}
	for _, name := range d.Secrets.Names() {
		if _, err := d.Secrets.Reveal(ctx, name); err != nil {
			a.log.Warn("a secret can't be had, nor hidden from the model", "name", name, "err", err)
		}
	}
}

// reach asks the provider whether key, address and model are good (D2). What
// can't work is a usage error with its remedy; a provider that answers, but only
// that it is busy or broken, is there.
func (a *app) reach(ctx context.Context, cfg config.Agent, c agent.Connection, w wire) error {
	err := w.check(ctx, c)
	var fault *agent.ModelError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &fault) && (fault.Fault == agent.RateLimited || fault.Fault == agent.Overloaded || fault.Status >= 500):
		a.log.Warn("the provider is busy; tasks ask it again", "err", err)
		return nil
	}
	return usage("the model can't be asked: %s; %s", strings.TrimRight(err.Error(), ". "), remedy(cfg, c, w, fault))
}

// remedy says what to do about a provider that can't be used.
func remedy(cfg config.Agent, c agent.Connection, w wire, fault *agent.ModelError) string {
	key := "agent.api_key"
	if len(w.keys) > 0 {
		key = fmt.Sprintf("%s (or agent.api_key)", w.keys[0])
	}
	where, _, _ := strings.Cut(cmp.Or(c.BaseURL, "the provider's own address"), "?") // behind it may be a key
	switch {
	case fault == nil:
		return "see agent.provider, agent.base_url and agent.model"
	case fault.Fault == agent.Unauthorised:
		return fmt.Sprintf("check the key in %s, and that it may use the model %s", key, c.Model)
	case fault.Fault == agent.Unavailable || fault.Fault == agent.TimedOut:
		return fmt.Sprintf("check the connection to %s (agent.base_url, a proxy, a server that is not running)", where)
	case fault.Status == 404:
		return fmt.Sprintf("check that agent.model %q is a model of %s, and the path of %s (agent.base_url)", c.Model, cfg.Provider, where)
	default:
		return fmt.Sprintf("check agent.model %q and agent.base_url (%s)", c.Model, where)
	}
}

// needsModel reports whether any of the files is a task. Flows need no model, and
// specs none where they are replayed.
func needsModel(files []loaded) bool {
	return slices.ContainsFunc(files, func(f loaded) bool { return f.task != nil })
}

// redactOf hides secrets and what agent.redact matches; nil patterns hide
// secrets alone.
func (a *app) redactOf(patterns []string) (func(string) string, error) {
	var compiled []*regexp.Regexp
	for _, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil { // the configuration was checked: nothing may go out in clear all the same
			return nil, usage("agent.redact %q: %w", p, err)
		}
		compiled = append(compiled, re)
	}
	return func(text string) string {
		if v := a.vault.Load(); v != nil {
			text = v.Mask(text)
		}
		for _, re := range compiled {
			text = re.ReplaceAllString(text, "[redacted]")
		}
		return text
	}, nil
}
