package provider

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/anthropic"
	"github.com/assay-qa/assay/agent/chat"
	"github.com/assay-qa/assay/agent/gemini"
	"github.com/assay-qa/assay/agent/openai"
	"github.com/assay-qa/assay/agent/rules"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
)

// Provider makes the model of each task. The zero Provider makes none.
type Provider struct {
	Name  string // agent.provider
	Model func(task qa.TaskSpec, address string, hosts []string) (agent.Model, error)
	Check func(ctx context.Context) error // whether it can be reached; costs nothing or little
	// Computer reports that its models work with their own computer tool.
	Computer bool
}

// Options holds what providers need of the outside world.
type Options struct {
	Getenv func(string) string
	// Environ is the environment of a program that says the key; nil: that of this process.
	Environ []string
	Hide    func(key string) // masks a key in every text from then on
	Log     *slog.Logger
}

// wire holds how a provider is reached and made.
type wire struct {
	keys     []string // variables that hold its key, the usual one first; none: it needs no key
	address  string   // variable that holds its address
	fallback string   // address where nothing else is said; empty: the provider's own
	resource string   // variable that holds the name of its resource, instead of the address
	located  bool     // it has no address of its own: somebody must say it
	make     func(agent.Connection) (agent.Model, error)
	check    func(context.Context, agent.Connection) error
	can      func(agent.Connection) agent.Capabilities
}

// Where local servers listen.
const (
	ollama   = "http://127.0.0.1:11434/v1"
	lmStudio = "http://127.0.0.1:1234/v1"
)

// wires returns the providers by their name in agent.provider.
func wires() map[string]wire {
	return map[string]wire{
		"openai": {keys: []string{"OPENAI_API_KEY"}, address: "OPENAI_BASE_URL", make: asModel(openai.New), check: openai.Check, can: openai.Can},
		"azure": {keys: []string{"AZURE_OPENAI_API_KEY"}, address: "AZURE_OPENAI_ENDPOINT",
			resource: "AZURE_OPENAI_RESOURCE_NAME", located: true, make: asModel(openai.NewAzure), check: openai.CheckAzure, can: openai.Can},
		"anthropic": {keys: []string{"ANTHROPIC_API_KEY"}, address: "ANTHROPIC_BASE_URL", make: asModel(anthropic.New), check: anthropic.Check, can: anthropic.Can},
		"google":    {keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, address: "GOOGLE_GEMINI_BASE_URL", make: asModel(gemini.New), check: gemini.Check, can: gemini.Can},
		"chat":      {fallback: ollama, make: asModel(chat.New), check: chat.Check, can: chat.Can},
		"ollama":    {fallback: ollama, make: asModel(chat.New), check: chat.Check, can: chat.Can},
		"lmstudio":  {fallback: lmStudio, make: asModel(chat.New), check: chat.Check, can: chat.Can},
	}
}

func asModel[M agent.Model](build func(agent.Connection) (M, error)) func(agent.Connection) (agent.Model, error) {
	return func(c agent.Connection) (agent.Model, error) { return build(c) }
}

// KeyVariable returns the variable that usually holds a provider's key, or "" where
// none is needed. known is false for what is reached over no wire.
func KeyVariable(name string) (variable string, known bool) {
	w, known := wires()[name]
	if len(w.keys) > 0 {
		variable = w.keys[0]
	}
	return variable, known
}

// New returns the configured provider. A key, an address or a model that is missing
// is a config.UsageError, before anything runs.
func New(cfg config.Agent, o Options) (Provider, error) {
	switch cfg.Provider {
	case "rules":
		return Provider{Name: cfg.Provider, Check: func(context.Context) error { return nil },
			Model: func(task qa.TaskSpec, address string, hosts []string) (agent.Model, error) {
				return rules.New(rules.Options{Task: task, Address: address, AllowedHosts: hosts, Explore: true}), nil
			}}, nil
	case "sampling":
		return Provider{}, config.Usage(`agent.provider "sampling", the model that an attached client lends, is gone since the protocol gave it up: take `+
			`"rules", which needs no model, or one of %s; a client can also work the tools itself`, strings.Join(slices.Sorted(maps.Keys(wires())), ", "))
	}
	w, ok := wires()[cfg.Provider]
	if !ok {
		return Provider{}, config.Usage("agent.provider %q is none of rules, %s", cfg.Provider, strings.Join(slices.Sorted(maps.Keys(wires())), ", "))
	}
	c, err := o.connect(cfg, w)
	if err != nil {
		return Provider{}, err
	}
	b := &breaker{check: func(ctx context.Context) error { return w.check(ctx, c) }}
	return Provider{Name: cfg.Provider, Computer: c.Computer,
		Check: func(ctx context.Context) error { return o.checkConnection(ctx, cfg, c, w) },
		Model: func(qa.TaskSpec, string, []string) (agent.Model, error) {
			o.Hide(c.Key) // again for each task: of the values without a name, the vault keeps the newest
			m, err := w.make(c)
			return Model{m, b}, err
		}}, nil
}

// Credentials returns the variables of every provider: those that hold its key, and
// those that say where it is sent.
func Credentials() []config.Credentials {
	var out []config.Credentials
	all := wires()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w := all[name]
		if len(w.keys) > 0 {
			out = append(out, config.Credentials{Keys: w.keys, Addresses: slices.DeleteFunc([]string{w.address, w.resource}, func(name string) bool { return name == "" })})
		}
	}
	return out
}
