package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
)

// contract is the list of names in design.md §10, with the agent of A10 per environment. Users have
// them in their files: a change here breaks those.
const contract = `
schema_version data_dir
browser.type browser.headless browser.executable_path browser.viewport.width browser.viewport.height
browser.locale browser.timezone browser.timeout_ms browser.watch_ms browser.trace browser.video
screenshots.format screenshots.full_page screenshots.quality
visual.engine visual.threshold visual.named_changes visual.ignore_antialiasing visual.ignore_colors visual.auto_capture
health.ignore health.fatal_console network.allowed_hosts network.block_external network.deny_hosts network.upload_roots network.state_roots network.download_dir
limits.max_sessions limits.memory_mb limits.cpu_percent limits.timeout_ms limits.max_pixels
guard.destructive guard.click_patterns guard.request_patterns guard.production_hosts guard.production_words guard.allow_requests
tools.sets tools.evaluate
agent.provider agent.model agent.base_url agent.api_key agent.api_version agent.computer agent.temperature agent.max_output_tokens
agent.request_timeout_ms agent.store agent.tools agent.redact agent.replay
agent.max_tool_calls agent.max_time_ms agent.max_screenshots agent.max_tokens
agent.max_consecutive_errors agent.max_retries_per_step agent.concurrency author.root author.test_dir author.test_command author.format_command author.max_iterations author.max_time_ms author.max_tokens author.branch_prefix author.push
compliance.screenshot_hashing compliance.evidence_retention_days compliance.audit_logging compliance.tsa_url
compliance.signing_key compliance.trusted_keys
notify.webhook notify.format notify.report_url auth.key
explore.start_url explore.stay_on_path explore.reset explore.reset_command explore.browser.cookies explore.browser.headless explore.browser.timeout_ms
explore.navigation.max_navigations explore.navigation.max_loops explore.navigation.stay_on_domain explore.navigation.wait_after_navigation_ms
explore.element_extraction.interactable_elements explore.element_extraction.blacklist_tags explore.element_extraction.notable_elements
explore.element_extraction.enable_notable_elements explore.element_extraction.include_invisible explore.element_extraction.max_elements
explore.ai.provider explore.ai.model explore.ai.base_url explore.ai.temperature explore.ai.max_tokens explore.ai.max_elements_in_prompt explore.ai.prompt
explore.interaction.delay_before_ms explore.interaction.delay_after_ms explore.interaction.wait_timeout_ms
explore.limits.max_actions explore.limits.max_states explore.limits.max_time_ms explore.limits.max_idle_actions explore.limits.list_sample
explore.limits.template_visits explore.limits.parallel
secrets.NAME.from secrets.NAME.hosts
prices.MODEL.as_of prices.MODEL.input prices.MODEL.cached_input prices.MODEL.output
profile.NAME.budgets.max_tool_calls profile.NAME.budgets.max_time_ms profile.NAME.budgets.max_screenshots profile.NAME.budgets.max_tokens
profile.NAME.roles profile.NAME.devices profile.NAME.locales profile.NAME.environments
quarantine.NAME.file quarantine.NAME.reason quarantine.NAME.until
env.NAME.base_url env.NAME.login_page env.NAME.viewport.width env.NAME.viewport.height env.NAME.locale env.NAME.number_locale
env.NAME.roles.ROLE.state env.NAME.roles.ROLE.login_flow env.NAME.roles.ROLE.changes_state
env.NAME.kpi.type env.NAME.kpi.url env.NAME.kpi.params.PARAM env.NAME.kpi.map.KPI
env.NAME.kpi.values.KPI env.NAME.kpi.units.KPI env.NAME.kpi.selectors.KPI env.NAME.kpi.timeout_ms
env.NAME.tolerance.KPI.absolute env.NAME.tolerance.KPI.percent
env.NAME.budgets.max_tool_calls env.NAME.budgets.max_time_ms env.NAME.budgets.max_screenshots env.NAME.budgets.max_tokens
env.NAME.agent.provider env.NAME.agent.model env.NAME.agent.base_url env.NAME.agent.api_key env.NAME.agent.api_version env.NAME.agent.computer env.NAME.agent.temperature env.NAME.agent.max_output_tokens
env.NAME.agent.request_timeout_ms env.NAME.agent.store env.NAME.agent.tools env.NAME.agent.redact env.NAME.agent.replay
env.NAME.agent.max_tool_calls env.NAME.agent.max_time_ms
env.NAME.agent.max_screenshots env.NAME.agent.max_tokens env.NAME.agent.max_consecutive_errors
env.NAME.agent.max_retries_per_step env.NAME.agent.concurrency
`

func TestKeysAreTheContract(t *testing.T) {
	var names []string
	for _, k := range config.Keys() {
		names = append(names, k.Name)
	}
	if diff := cmp.Diff(strings.Fields(contract), names); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func TestKeysDescribeThemselves(t *testing.T) {
	want := map[string]config.Key{
		"data_dir": {Name: "data_dir", Env: "ASSAY_DATA_DIR", Flag: "data-dir", Type: "string", Default: `".assay"`, Accepted: "a text that is not blank"},
		"browser.viewport.width": {
			Name: "browser.viewport.width", Env: "ASSAY_BROWSER_VIEWPORT_WIDTH", Flag: "browser-viewport-width",
			Type: "integer", Default: "1280", Accepted: "1 to 10000",
		},
		"browser.headless": {Name: "browser.headless", Env: "ASSAY_BROWSER_HEADLESS", Flag: "browser-headless", Type: "boolean", Default: "true"},
		"visual.threshold": {Name: "visual.threshold", Env: "ASSAY_VISUAL_THRESHOLD", Flag: "visual-threshold", Type: "number", Default: "0.01", Accepted: "0 to 1"},
		"tools.sets":       {Name: "tools.sets", Env: "ASSAY_TOOLS_SETS", Flag: "tools-sets", Type: "array of strings", Default: `["core"]`, Accepted: "one or more of core, full, author"},
		"schema_version":   {Name: "schema_version", Type: "integer", Default: "1", Accepted: "1"},
		"env.NAME.kpi.url": {Name: "env.NAME.kpi.url", Type: "string", Accepted: "a path that starts with /, or an http or https URL without user and password"},
	}
	got := make(map[string]config.Key)
	for _, k := range config.Keys() {
		if _, ok := want[k.Name]; ok {
			got[k.Name] = k
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func TestTwinsAreUnique(t *testing.T) {
	owner := make(map[string]string)
	for _, k := range config.Keys() {
		for _, name := range []string{k.Env, k.Flag} {
			if name == "" {
				continue
			}
			if other := owner[name]; other != "" {
				t.Errorf("%s belongs to %s and to %s", name, other, k.Name)
			}
			owner[name] = k.Name
		}
		if dynamic := strings.HasPrefix(k.Name, "env.") || strings.HasPrefix(k.Name, "secrets.") || strings.HasPrefix(k.Name, "prices.") || strings.HasPrefix(k.Name, "profile.") || strings.HasPrefix(k.Name, "quarantine."); dynamic == (k.Env != "") && k.Name != "schema_version" {
			t.Errorf("%s has the variable %q", k.Name, k.Env)
		}
	}
}

// Each default, given as a flag, must pass the rule of its own key; that also proves that every
// accept tag names an existing rule.
func TestDefaultsPassTheirRules(t *testing.T) {
	flags := make(map[string]string)
	for _, k := range config.Keys() {
		if strings.Contains(k.Accepted, "does not exist") {
			t.Errorf("%s: %s", k.Name, k.Accepted)
		}
		if k.Flag != "" {
			flags[k.Name] = strings.NewReplacer(`"`, "", "[", "", "]", "").Replace(k.Default)
		}
	}
	cfg, err := config.Load(config.Source{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Default(), cfg); diff != "" {
		t.Errorf("defaults given as flags (-want +got):\n%s", diff)
	}
}
