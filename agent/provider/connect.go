package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/secrets"
)

// ModelName returns the provider's name of the configured model.
func ModelName(cfg config.Agent) string { return cmp.Or(cfg.Model, agent.DefaultModel(cfg.Provider)) }

// connect gathers what a wire needs.
func (o Options) connect(cfg config.Agent, w wire) (agent.Connection, error) {
	named, err := o.resourceAddress(w)
	if err != nil {
		return agent.Connection{}, err
	}
	c := agent.Connection{
		BaseURL: cmp.Or(cfg.BaseURL, o.variable(w.address), named, w.fallback), Model: ModelName(cfg), APIVersion: cfg.APIVersion,
		MaxOutput: cfg.MaxOutputTokens, Timeout: time.Duration(cfg.RequestTimeoutMS) * time.Millisecond, Store: cfg.Store,
	}
	if cfg.Temperature >= 0 {
		c.Temperature = &cfg.Temperature
	}
	if cfg.BaseURL == "" && !plainAddress(c.BaseURL) {
		return c, config.Usage("the variable %s holds no address that can be used; accepted: an http or https URL without user and password", w.address)
	}
	if c.BaseURL == "" && w.located {
		return c, config.Usage("agent.provider %q needs the endpoint of its resource: set agent.base_url, or the variable %s or %s", cfg.Provider, w.address, w.resource)
	}
	if c.Model == "" {
		return c, config.Usage("agent.provider %q has no model by default: set agent.model to the name that %s has for it", cfg.Provider, modelOwner(cfg.Provider))
	}
	if c.Key, err = o.key(cfg, w); err != nil {
		return c, err
	}
	has := w.can(c).Computer
	if cfg.Computer == "on" && !has {
		return c, config.Usage("agent.computer = \"on\": %s has no computer tool of its own for %s; use auto or off", cfg.Provider, c.Model)
	}
	// Its pictures would show what agent.redact is there to hide.
	c.Computer = has && cfg.Computer != "off" && len(cfg.Redact) == 0
	return c, nil
}

// resourceAddress returns the address of the resource that a variable names, such as
// https://NAME.openai.azure.com; empty: none is named.
func (o Options) resourceAddress(w wire) (string, error) {
	name := o.variable(w.resource)
	if name == "" {
		return "", nil
	}
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,62}$`).MatchString(name) {
		return "", config.Usage("the variable %s holds no resource's name; accepted: letters, digits and dashes, as in https://NAME.openai.azure.com", w.resource)
	}
	return "https://" + name + ".openai.azure.com", nil
}

// plainAddress reports whether an address of the environment is one that the
// configuration would take. Nothing of another one is shown: it may hold a
// password.
func plainAddress(address string) bool {
	u, err := url.Parse(address)
	return address == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

func modelOwner(provider string) string {
	if provider == "azure" {
		return "your deployment"
	}
	return "your server"
}

// variable reads an environment variable; one without a name is not set.
func (o Options) variable(name string) string {
	if name == "" {
		return ""
	}
	return o.Getenv(name)
}

// key finds the provider's key, and hides it in every text from then on.
func (o Options) key(cfg config.Agent, w wire) (string, error) {
	source := string(cfg.APIKey)
	for _, name := range w.keys {
		if source == "" && o.Getenv(name) != "" {
			source = "env:" + name
		}
	}
	switch {
	case source == "" && len(w.keys) == 0:
		return "", nil
	case source == "":
		return "", config.Usage("agent.provider %q needs a key: set the variable %s, or say in agent.api_key where it is found (env:VAR, file:path or cmd:program)",
			cfg.Provider, strings.Join(w.keys, " or "))
	}
	const name = "agent.api_key"
	vault := secrets.New(map[string]string{name: source}, o.Getenv)
	vault.Environ = o.Environ
	key, err := vault.Reveal(context.Background(), name)
	if err != nil {
		var missing *secrets.Error
		if errors.As(err, &missing) {
			return "", config.Usage("agent.provider %q needs a key: %s; %s", cfg.Provider, missing.Problem, missing.Hint())
		}
		return "", err
	}
	o.Hide(key)
	return key, nil
}

// checkConnection asks the provider whether key, address and model are good (D2). What
// can't work is a usage error with its remedy; a provider that answers, but only
// that it is busy or broken, is there.
func (o Options) checkConnection(ctx context.Context, cfg config.Agent, c agent.Connection, w wire) error {
	err := w.check(ctx, c)
	var fault *agent.ModelError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &fault) && (fault.Fault == agent.RateLimited || fault.Fault == agent.Overloaded || fault.Status >= 500):
		o.Log.Warn("the provider is busy; tasks ask it again", "err", err)
		return nil
	}
	return config.Usage("the model can't be asked: %s; %s", strings.TrimRight(err.Error(), ". "), remedy(cfg, c, w, fault))
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
