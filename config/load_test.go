package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
)

// header is the line that every file must have; it keeps the tests' own lines from line 2 on.
const header = "schema_version = 1\n"

// getenv makes an environment of a map.
func getenv(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// refusal loads src, which must be refused, and gives the messages, a problem each.
func refusal(t *testing.T, src config.Source) []string {
	t.Helper()
	cfg, err := config.Load(src)
	var refused *config.Error
	if !errors.As(err, &refused) {
		t.Fatalf("Load gave %v, want a *config.Error", err)
	}
	if diff := cmp.Diff(config.Config{}, cfg); diff != "" {
		t.Errorf("a refused configuration came with settings (-want +got):\n%s", diff)
	}
	return strings.Split(err.Error(), "\n")
}

func TestDefaults(t *testing.T) { // B1, B12
	got, err := config.Load(config.Source{})
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{
		SchemaVersion: 1,
		DataDir:       ".assay",
		Browser: config.Browser{
			Type: "chromium", Headless: true, Viewport: config.Viewport{Width: 1280, Height: 720},
			Locale: "en-US", Timezone: "UTC", TimeoutMS: 30000, WatchMS: 1000, Trace: true,
		},
		Screenshots: config.Screenshots{Format: "png", Quality: 80},
		Visual:      config.Visual{Engine: "builtin", Threshold: 0.01, NamedChanges: "fail", IgnoreAntialiasing: true, AutoCapture: true},
		Limits:      config.Limits{MaxSessions: 5, MemoryMB: 512, CPUPercent: 90, TimeoutMS: 60000, MaxPixels: 50_000_000},
		Health:      config.Health{FatalConsole: []string{`(?i)unhandled (?:promise )?rejection`, `(?i)out of memory`, `ChunkLoadError`, `Maximum call stack size exceeded`}},
		Guard:       config.Guard{Destructive: "as-written", ProductionWords: []string{"prod", "production", "prd", "live"}},
		Tools:       config.Tools{Sets: []string{"core"}, Evaluate: true},
		Agent: config.Agent{
			Provider: "rules", Computer: "auto", Temperature: -1, MaxOutputTokens: 8000, RequestTimeoutMS: 120000, Replay: "auto", MaxToolCalls: 100, MaxTimeMS: 180000, MaxScreenshots: 50, MaxTokens: 500000,
			MaxConsecutiveErrors: 5, MaxRetriesPerStep: 3, Concurrency: 5,
		},
		Author:     config.Author{TestDir: "tests", MaxIterations: 5, MaxTimeMS: 1200000, MaxTokens: 500000, BranchPrefix: "assay/", Push: "never"},
		Compliance: config.Compliance{ScreenshotHashing: true, EvidenceRetentionDays: 365, AuditLogging: true},
		Notify:     config.Notify{Format: "slack"},
		Explore: config.Explore{ // C7
			Browser:           config.ExploreBrowser{Headless: true, TimeoutMS: 2000},
			Navigation:        config.ExploreNavigation{StayOnDomain: true},
			ElementExtraction: config.ExploreElementExtraction{EnableNotableElements: true, MaxElements: 400, BlacklistTags: []string{"script", "style", "noscript"}},
			AI:                config.ExploreAI{Temperature: -1, MaxTokens: 1000, MaxElementsInPrompt: 50},
			Interaction:       config.ExploreInteraction{WaitTimeoutMS: 1500},
			Limits:            config.ExploreLimits{MaxActions: 500, MaxTimeMS: 600000, MaxIdleActions: 25, ListSample: 2, TemplateVisits: 3, Parallel: 2},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

func TestDefaultsShareNothing(t *testing.T) {
	config.Default().Tools.Sets[0] = "changed"
	if got := config.Default().Tools.Sets[0]; got != "core" {
		t.Errorf("a change in one Default shows in the next: %q", got)
	}
}

func TestPrecedence(t *testing.T) { // §10: file < environment < flag
	const file = header + "[limits]\nmax_sessions = 2\n"
	env := getenv(map[string]string{"ASSAY_LIMITS_MAX_SESSIONS": "3"})
	flags := map[string]string{"limits.max_sessions": "4"}
	for _, tc := range []struct {
		name string
		src  config.Source
		want int
	}{
		{"default", config.Source{}, 5},
		{"file", config.Source{File: []byte(file)}, 2},
		{"environment", config.Source{Getenv: env}, 3},
		{"flag", config.Source{Flags: flags}, 4},
		{"environment over file", config.Source{File: []byte(file), Getenv: env}, 3},
		{"flag over file", config.Source{File: []byte(file), Flags: flags}, 4},
		{"flag over environment", config.Source{Getenv: env, Flags: flags}, 4},
		{"flag over both", config.Source{File: []byte(file), Getenv: env, Flags: flags}, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg, err := config.Load(tc.src)
			if err != nil {
				t.Fatal(err)
			}
			if got := cfg.Limits.MaxSessions; got != tc.want {
				t.Errorf("max_sessions = %d, want %d", got, tc.want)
			}
		})
	}
}

// Every type of setting can be said by a variable and by a flag.
func TestTextsOfEveryType(t *testing.T) {
	texts := map[string]string{
		"data_dir":               "/var/lib/assay",
		"browser.headless":       "0",
		"browser.viewport.width": "1366",
		"visual.threshold":       "0.5",
		"network.allowed_hosts":  "localhost, shop.test.example ,::1",
		"tools.sets":             "core,full",
		"notify.webhook":         "https://hooks.test.example/T0/B0",
	}
	want := config.Default()
	want.DataDir = "/var/lib/assay"
	want.Browser.Headless = false
	want.Browser.Viewport.Width = 1366
	want.Visual.Threshold = 0.5
	want.Network.AllowedHosts = []string{"localhost", "shop.test.example", "::1"}
	want.Tools.Sets = []string{"core", "full"}
	want.Notify.Webhook = "https://hooks.test.example/T0/B0"

	vars := make(map[string]string)
	for name, text := range texts {
		vars["ASSAY_"+strings.ToUpper(strings.ReplaceAll(name, ".", "_"))] = text
	}
	for name, src := range map[string]config.Source{
		"environment": {Getenv: getenv(vars)},
		"flags":       {Flags: texts},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := config.Load(src)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, showSecrets()); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

// showSecrets lets cmp compare what Secret hides.
func showSecrets() cmp.Option {
	return cmp.Comparer(func(a, b config.Secret) bool { return string(a) == string(b) })
}

func TestBlankFlagEmptiesAListAndBlankVariableIsUnset(t *testing.T) {
	cfg, err := config.Load(config.Source{
		Flags:  map[string]string{"network.allowed_hosts": ""},
		Getenv: getenv(map[string]string{"ASSAY_TOOLS_SETS": ""}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Network.AllowedHosts) != 0 {
		t.Errorf("allowed_hosts = %q, want none", cfg.Network.AllowedHosts)
	}
	if diff := cmp.Diff([]string{"core"}, cfg.Tools.Sets); diff != "" {
		t.Errorf("sets (-want +got):\n%s", diff)
	}
}

func TestTextsRefused(t *testing.T) {
	got := refusal(t, config.Source{
		Getenv: getenv(map[string]string{
			"ASSAY_BROWSER_HEADLESS":      "maybe",
			"ASSAY_LIMITS_MAX_SESSIONS":   "51",
			"ASSAY_VISUAL_THRESHOLD":      "nan",
			"ASSAY_NETWORK_ALLOWED_HOSTS": "localhost,,b",
			"ASSAY_NOTIFY_WEBHOOK":        "hunter2",
		}),
		Environ: []string{"ASSAY_BROWSER_HEADLES=hunter2", "ASSAY_ZZZ=1", "ASSAY_SCHEMA_VERSION=1", "HOME=/root", "ASSAY_BROWSER_HEADLESS=maybe"},
		Flags: map[string]string{
			"browser.timeout_ms": "soon",
			"guard.destructive":  "maybe",
			"tools.sets":         "",
			"limits.memory":      "1",
			"secrets.NAME":       "hunter2",
			"schema_version":     "1",
		},
	})
	want := []string{
		`ASSAY_BROWSER_HEADLESS: browser.headless = "maybe"; expected a boolean`,
		`ASSAY_VISUAL_THRESHOLD: visual.threshold = NaN; accepted: 0 to 1`,
		`ASSAY_NETWORK_ALLOWED_HOSTS: network.allowed_hosts = ""; accepted: a host name, *.domain or an IP address, without scheme, port and path`,
		`ASSAY_LIMITS_MAX_SESSIONS: limits.max_sessions = 51; accepted: 1 to 50`,
		`ASSAY_NOTIFY_WEBHOOK: notify.webhook = [hidden]; accepted: an http or https URL without user and password`,
		`ASSAY_BROWSER_HEADLES: is not a setting; did you mean ASSAY_BROWSER_HEADLESS?`,
		`ASSAY_SCHEMA_VERSION: is not a setting; every setting is in mcp.toml.example`,
		`ASSAY_ZZZ: is not a setting; every setting is in mcp.toml.example`,
		`--browser-timeout-ms: browser.timeout_ms = "soon"; expected an integer`,
		`--guard-destructive: guard.destructive = "maybe"; accepted: as-written, deny, ask, allow`,
		`limits.memory: is not a setting; did you mean limits.memory_mb?`,
		`schema_version: is not a setting; every setting is in mcp.toml.example`,
		`secrets.NAME: is not a setting; every setting is in mcp.toml.example`,
		`--tools-sets: tools.sets = []; accepted: one or more of core, full, author`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// A bad value is refused even where a stronger source overrides it: the file is wrong either way.
func TestOverriddenValueIsStillChecked(t *testing.T) {
	got := refusal(t, config.Source{
		File:  []byte(header + "[limits]\nmax_sessions = 99\n"),
		Flags: map[string]string{"limits.max_sessions": "4"},
	})
	want := []string{"mcp.toml:3: limits.max_sessions = 99; accepted: 1 to 50"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestProblemsAreTyped(t *testing.T) {
	_, err := config.Load(config.Source{Name: "ci.toml", File: []byte(header + "[visual]\nthreshold = 2\n")})
	var p config.Problem
	if !errors.As(err, &p) {
		t.Fatalf("no Problem in %v", err)
	}
	if p.Key != "visual.threshold" || p.Where != "ci.toml:3" {
		t.Errorf("Key, Where = %q, %q", p.Key, p.Where)
	}
}

func TestEnvironments(t *testing.T) { // A10
	file := []byte(header + `
[agent]
provider = "openai"
max_tool_calls = 40
concurrency = 2
[env.staging]
base_url = "https://staging.test.example"
login_page = "/login"
viewport = { width = 1366 }
locale = "de-DE"
[env.staging.roles.admin]
state = "admin.json"
login_flow = "login.toml"
changes_state = true
[env.staging.kpi]
url = "/api/kpi"
params = { range = "today" }
map = { Revenue = "/revenue", "Open orders" = "/orders/open" }
type = "apiEndpoint"
values = { Customers = "311" }
units = { Revenue = "USD" }
selectors = { Revenue = "testid=revenue" }
timeout_ms = 5000
[env.staging.tolerance]
default = 0
"Open orders" = 1.5
Rate = { absolute = 0.1, percent = 2 }
[env.staging.budgets]
max_tool_calls = 50
max_time_ms = 120000
[env.staging.agent]
provider = "anthropic"
max_tool_calls = 200
[env.dev]
base_url = "http://localhost:8080"
`)
	cfg, err := config.Load(config.Source{
		File:   file,
		Getenv: getenv(map[string]string{"ASSAY_AGENT_CONCURRENCY": "1"}),
		Flags:  map[string]string{"agent.provider": "google", "browser.viewport.height": "800"},
	})
	if err != nil {
		t.Fatal(err)
	}
	dev := config.Default().Agent
	dev.Provider, dev.MaxToolCalls, dev.Concurrency = "google", 40, 1
	staging := dev
	staging.MaxToolCalls = 200
	want := map[string]config.Environment{
		"staging": {
			BaseURL: "https://staging.test.example", LoginPage: "/login",
			Viewport: config.Viewport{Width: 1366, Height: 800}, Locale: "de-DE",
			Roles: map[string]config.Role{"admin": {State: "admin.json", LoginFlow: "login.toml", ChangesState: true}},
			KPI: config.KPI{
				URL:    "/api/kpi",
				Params: map[string]string{"range": "today"},
				Map:    map[string]string{"Revenue": "/revenue", "Open orders": "/orders/open"},
				Type:   "apiEndpoint", Values: map[string]string{"Customers": "311"}, Units: map[string]string{"Revenue": "USD"},
				Selectors: map[string]string{"Revenue": "testid=revenue"}, TimeoutMS: 5000,
			},
			Tolerance: map[string]config.Tolerance{"default": {}, "Open orders": {Absolute: 1.5}, "Rate": {Absolute: 0.1, Percent: 2}},
			Budgets:   config.Budgets{MaxToolCalls: 50, MaxTimeMS: 120_000},
			Agent:     staging,
		},
		"dev": {BaseURL: "http://localhost:8080", Viewport: config.Viewport{Width: 1280, Height: 800}, Locale: "en-US", Agent: dev},
	}
	if diff := cmp.Diff(want, cfg.Environments); diff != "" {
		t.Errorf("environments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(dev, cfg.Agent); diff != "" {
		t.Errorf("agent (-want +got):\n%s", diff)
	}
}

func TestSelect(t *testing.T) { // A10
	two := config.Config{Environments: map[string]config.Environment{"staging": {BaseURL: "https://s.test"}, "dev": {}}}
	one := config.Config{Environments: map[string]config.Environment{"staging": {BaseURL: "https://s.test"}}}
	for _, tc := range []struct {
		name     string
		cfg      config.Config
		ask      string
		want     string
		complain string
	}{
		{"the only one", one, "", "staging", ""},
		{"by name", two, "staging", "staging", ""},
		{"several to choose from", two, "", "", ""},
		{"none", config.Config{}, "", "", ""},
		{"misspelt", two, "stagin", "", `there is no environment "stagin"; did you mean "staging"?; known: dev, staging`},
		{"none of that name", config.Config{}, "dev", "", `there is no environment "dev": add a section [env.dev] with its base_url to the configuration`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, env, err := tc.cfg.Select(tc.ask)
			if got != tc.want || (err == nil) != (tc.complain == "") || err != nil && err.Error() != tc.complain {
				t.Errorf("got %q, %v", got, err)
			}
			if tc.want != "" && env.BaseURL != "https://s.test" {
				t.Errorf("the environment is another one: %+v", env)
			}
		})
	}
}

// Mistakes below [env.NAME] are told like all others: line, key, what is meant.
func TestEnvironmentRefused(t *testing.T) {
	got := refusal(t, config.Source{File: []byte(header + `[env.staging]
base_ulr = "https://s.test"
login_page = "login"
viewport = { width = 0 }
[env.staging.kpi]
type = "endpoint"
[env.staging.tolerance]
Revenue = -1
Orders = { precent = 1 }
Rate = "2 %"
[env.staging.budgets]
max_calls = 3
[auth]
key = "hunter2"
`)})
	want := []string{
		`mcp.toml:3: unknown key env.staging.base_ulr; did you mean env.staging.base_url?`,
		`mcp.toml:4: env.staging.login_page = "login"; accepted: a path that starts with /, or an http or https URL without user and password`,
		`mcp.toml:5: env.staging.viewport.width = 0; accepted: 1 to 10000`,
		`mcp.toml:7: env.staging.kpi.type = "endpoint"; accepted: apiEndpoint, staticValues`,
		`mcp.toml:9: env.staging.tolerance.Revenue = -1; accepted: 0 or more`,
		`mcp.toml:10: unknown key env.staging.tolerance.Orders.precent; did you mean env.staging.tolerance.Orders.percent?`,
		`mcp.toml:11: env.staging.tolerance.Rate is a string; expected a number or table { absolute, percent }`,
		`mcp.toml:13: unknown key env.staging.budgets.max_calls; accepted here: max_tool_calls, max_time_ms, max_screenshots, max_tokens`,
		`mcp.toml:15: auth.key = [hidden]; accepted: "env:VAR", "file:path" or "cmd:program args"; the key itself is never written here`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
