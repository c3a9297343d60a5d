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
			Locale: "en-US", Timezone: "UTC", TimeoutMS: 30000,
		},
		Screenshots: config.Screenshots{Format: "png", Quality: 80},
		Visual:      config.Visual{Threshold: 0.01, IgnoreAntialiasing: true, AutoCapture: true},
		Limits:      config.Limits{MaxSessions: 5, MemoryMB: 512, TimeoutMS: 60000, MaxPixels: 50_000_000},
		Guard:       config.Guard{Destructive: "deny"},
		Tools:       config.Tools{Sets: []string{"core"}, Evaluate: true},
		Agent: config.Agent{
			Provider: "rules", MaxToolCalls: 100, MaxTimeMS: 180000, MaxScreenshots: 50, MaxTokens: 500000,
			MaxConsecutiveErrors: 5, MaxRetriesPerStep: 3, Concurrency: 5,
		},
		Compliance: config.Compliance{ScreenshotHashing: true, EvidenceRetentionDays: 365, AuditLogging: true},
		Notify:     config.Notify{Format: "slack"},
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
		`--guard-destructive: guard.destructive = "maybe"; accepted: deny, ask, allow`,
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
[env.staging.roles.admin]
state = "admin.json"
login_flow = "login.toml"
[env.staging.kpi]
url = "/api/kpi"
params = { range = "today" }
map = { Revenue = "/revenue", "Open orders" = "/orders/open" }
[env.staging.tolerance]
default = 0
"Open orders" = 1.5
[env.staging.agent]
provider = "anthropic"
max_tool_calls = 200
[env.dev]
base_url = "http://localhost:8080"
`)
	cfg, err := config.Load(config.Source{
		File:   file,
		Getenv: getenv(map[string]string{"ASSAY_AGENT_CONCURRENCY": "1"}),
		Flags:  map[string]string{"agent.provider": "google"},
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
			BaseURL: "https://staging.test.example",
			Roles:   map[string]config.Role{"admin": {State: "admin.json", LoginFlow: "login.toml"}},
			KPI: config.KPI{
				URL:    "/api/kpi",
				Params: map[string]string{"range": "today"},
				Map:    map[string]string{"Revenue": "/revenue", "Open orders": "/orders/open"},
			},
			Tolerance: map[string]float64{"default": 0, "Open orders": 1.5},
			Agent:     staging,
		},
		"dev": {BaseURL: "http://localhost:8080", Agent: dev},
	}
	if diff := cmp.Diff(want, cfg.Environments); diff != "" {
		t.Errorf("environments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(dev, cfg.Agent); diff != "" {
		t.Errorf("agent (-want +got):\n%s", diff)
	}
}
