package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// Environment describes one system under test, [env.NAME] in the file. Its settings come from the
// file alone, because a variable can't carry a name chosen by the user; what it takes over from
// other sections follows their variables and flags.
type Environment struct {
	// BaseURL holds what a task's route and a relative address are appended to.
	BaseURL string `toml:"base_url" accept:"@url"`
	// LoginPage says where a page leads whoever is not signed in; empty means the first address of a
	// role's login flow.
	LoginPage string `toml:"login_page" accept:"@target"`
	// Viewport overrides [browser] viewport.
	Viewport Viewport `toml:"viewport"`
	// Locale overrides [browser] locale.
	Locale string `toml:"locale" accept:"@locale"`
	// NumberLocale says how pages write figures, whatever language they declare; empty means as they
	// declare.
	NumberLocale string `toml:"number_locale" accept:"@locale"`
	// Roles lists the users a task can be signed in as, by name.
	Roles map[string]Role `toml:"roles" name:"ROLE"`
	// KPI says where the expected numbers come from.
	KPI KPI `toml:"kpi"`
	// Tolerance says how far a KPI may be from its expected value, by the KPI's label; "default" holds
	// for those without an entry.
	Tolerance map[string]Tolerance `toml:"tolerance" label:"KPI"`
	// Budgets limit a task that brings no budgets of its own.
	Budgets Budgets `toml:"budgets"`
	// Agent holds [agent] with what [env.NAME.agent] overrides. Variables and
	// flags override both.
	Agent Agent `toml:"agent"`
}

// Role describes one user of an environment.
type Role struct {
	// State names the file with the role's storage state; empty means a file
	// below the data directory.
	State string `toml:"state"`
	// LoginFlow names the file with the flow that signs the role in; empty
	// means that a person does.
	LoginFlow string `toml:"login_flow"`
	// ChangesState says that the role's cases change what it has on the server, so that they run one
	// after another.
	ChangesState bool `toml:"changes_state"`
}

// KPI configures the oracle of an environment: where the expected numbers come from.
type KPI struct {
	// Type selects apiEndpoint, or staticValues for numbers that stand in this
	// file; empty means no oracle, or apiEndpoint where a URL is given.
	Type string `toml:"type" accept:"|apiEndpoint|staticValues"`
	// URL of the endpoint; a path is appended to the base URL.
	URL string `toml:"url" accept:"@target"`
	// Params holds the query parameters of every request, by name.
	Params map[string]string `toml:"params" label:"PARAM"`
	// Map leads from a KPI's label to the JSON pointer of its value in the answer.
	Map map[string]string `toml:"map" label:"KPI" accept:"@pointer"`
	// Values holds the expected values of staticValues, by the KPI's label.
	Values map[string]string `toml:"values" label:"KPI"`
	// Units names the units of the expected values, by label: ratio, percent, or a currency such as USD.
	Units map[string]string `toml:"units" label:"KPI"`
	// Selectors lead to the elements that show the KPIs, where their labels don't.
	Selectors map[string]string `toml:"selectors" label:"KPI"`
	// TimeoutMS bounds the endpoint's answer, in milliseconds; 0 means the oracle's default.
	TimeoutMS int `toml:"timeout_ms" accept:"0..600000"`
}

// Tolerance bounds the accepted difference of a KPI. A number in the file is the absolute one.
type Tolerance struct {
	// Absolute difference, in the KPI's own unit.
	Absolute float64 `toml:"absolute" accept:"0..1e300"`
	// Percent of the expected value.
	Percent float64 `toml:"percent" accept:"0..1e300"`
}

// Budgets limits one task; 0 means no limit.
type Budgets struct {
	// MaxToolCalls bounds the tool calls.
	MaxToolCalls int `toml:"max_tool_calls" accept:"0..10000"`
	// MaxTimeMS bounds the time in milliseconds.
	MaxTimeMS int `toml:"max_time_ms" accept:"0..86400000"`
	// MaxScreenshots bounds the screenshots.
	MaxScreenshots int `toml:"max_screenshots" accept:"0..10000"`
	// MaxTokens bounds the tokens, in and out.
	MaxTokens int `toml:"max_tokens" accept:"0..100000000"`
}

// Select returns the environment of that name. An empty name is that of the only one there is; with
// none, or several to choose from, it stays empty and the environment has no base URL.
func (c Config) Select(name string) (string, Environment, error) {
	names := slices.Sorted(maps.Keys(c.Environments))
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	if name == "" {
		return "", Environment{Viewport: c.Browser.Viewport, Locale: c.Browser.Locale, Agent: c.Agent}, nil
	}
	env, ok := c.Environments[name]
	switch {
	case ok:
		return name, env, nil
	case len(names) == 0:
		return "", env, fmt.Errorf("there is no environment %q: add a section [env.%s] with its base_url to the configuration", name, name)
	}
	return "", env, fmt.Errorf("there is no environment %q%s; known: %s", name, text.Hint(name, names), strings.Join(names, ", "))
}
