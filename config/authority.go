package config

import (
	"reflect"
	"strings"
	"sync"
)

// authority says whose word a setting takes. A person's word always counts: their own file, the environment
// and flags. What the working folder says (its mcp.toml, its .env) may come from a stranger: it counts as far
// as the row of its key lets it, and whole where a person trusted the folder.
type authority struct {
	key string
	// counts returns what of a folder's value counts: said itself, what was in force without it (mine), or
	// something in between that is no looser than mine. user holds all that the person says.
	counts func(user *Config, mine, said reflect.Value) reflect.Value
	why    string // the folder's word alone is not enough
}

// authorities is the table of all keys: first those that only a person sets, then those that a folder may make
// stricter, and last those that are a folder's to say. A key without a row is a person's (and fails a test).
func authorities() []authority {
	rows := []authority{
		{"data_dir", mine, "runs, keys and sign-ins are written there"},
		{"browser.executable_path", mine, "it is a program that is started"},
		{"network.upload_roots", mine, "pages are given files from there"},
		{"network.state_roots", mine, "sign-ins are read from there"},
		{"network.download_dir", mine, "files of pages are written there"},
		{"agent.provider", mine, "a provider is sent your key and what pages show"},
		{"agent.base_url", mine, "your key and what pages show are sent there"},
		{"agent.api_key", mine, "it says where a key is found, or what is run for it"},
		{"explore.ai.provider", mine, "a provider is sent your key and what pages show"},
		{"explore.ai.base_url", mine, "your key and what pages show are sent there"},
		{resetCommand, mine, "it is a program that is started"},
		{"author.root", mine, "it leads to a project that is read and whose tests are run"},
		{"author.test_command", mine, "it is a program that is started"},
		{"author.format_command", mine, "it is a program that is started"},
		{"compliance.tsa_url", mine, "each run sends a request there"},
		{"compliance.signing_key", mine, "it says where a key is found, or what is run for it"},
		{"compliance.trusted_keys", mine, "evidence is believed by these keys"},
		{"notify.webhook", mine, "results are sent there"},
		{"auth.key", mine, "it says where a key is found, or what is run for it"},
		{"secrets.NAME.from", mine, "it says where a secret is found, or what is run for it"},
		{"secrets.NAME.hosts", mine, "it says where a secret is typed"},
		{"env.NAME.roles.ROLE.state", mine, "a sign-in is read from there, and written there"},

		{"network.allowed_hosts", fewerHosts, "it opens hosts"},
		{"network.block_external", noLooserThan(true), "it opens hosts"},
		{"network.deny_hosts", withMine, "it opens hosts"},
		{"limits.max_sessions", atMostMine, "it raises a limit"},
		{"limits.memory_mb", atMostMine, "it raises a limit"},
		{"limits.cpu_percent", atMostMine, "it raises a limit"},
		{"limits.max_pixels", atMostMine, "it raises a limit"},
		{"guard.destructive", fromStrictest("deny", "ask", "as-written", "allow"), "it lets acts destroy"},
		{"guard.click_patterns", withMine, "it lets acts destroy"},
		{"guard.request_patterns", withMine, "it lets acts destroy"},
		{"guard.production_hosts", withMine, "it opens production systems"},
		{"guard.production_words", withMine, "it opens production systems"},
		{"guard.allow_requests", onlyMine, "it lets requests change production systems"},
		{"tools.evaluate", noLooserThan(false), "it lets callers run scripts in pages"},
		{"agent.store", noLooserThan(false), "it lets a provider keep what it was sent"},
		{"agent.tools", someOfMine, "it gives a model more tools"},
		{"agent.redact", withMine, "it shows a provider what was hidden"},
		{"author.push", fromStrictest("never", "ask"), "it sends your code away"},
		{"compliance.screenshot_hashing", noLooserThan(true), "it leaves pictures out of the evidence"},
		{"compliance.audit_logging", noLooserThan(true), "it leaves calls out of the evidence"},
		{"compliance.evidence_retention_days", atLeastMine, "it lets evidence be deleted earlier"},
	}
	for _, key := range strings.Fields(foldersOwn) {
		rows = append(rows, authority{key: key, counts: said})
	}
	return rows
}

// foldersOwn lists the keys that a folder says: what is under test, how it is looked at, and how long.
const foldersOwn = `
schema_version
browser.type browser.headless browser.viewport.width browser.viewport.height browser.locale browser.timezone
browser.timeout_ms browser.watch_ms browser.trace browser.video
screenshots.format screenshots.full_page screenshots.quality
visual.engine visual.threshold visual.named_changes visual.ignore_antialiasing visual.ignore_colors visual.auto_capture
health.ignore health.fatal_console
limits.timeout_ms
tools.sets
agent.model agent.api_version agent.computer agent.temperature agent.max_output_tokens agent.request_timeout_ms agent.replay
agent.max_tool_calls agent.max_time_ms agent.max_screenshots agent.max_tokens agent.max_consecutive_errors
agent.max_retries_per_step agent.concurrency
author.test_dir author.max_iterations author.max_time_ms author.max_tokens author.branch_prefix
notify.format notify.report_url
explore.start_url explore.stay_on_path explore.reset
explore.browser.cookies explore.browser.headless explore.browser.timeout_ms
explore.navigation.max_navigations explore.navigation.max_loops explore.navigation.stay_on_domain explore.navigation.wait_after_navigation_ms
explore.element_extraction.interactable_elements explore.element_extraction.blacklist_tags explore.element_extraction.notable_elements
explore.element_extraction.enable_notable_elements explore.element_extraction.include_invisible explore.element_extraction.max_elements
explore.ai.model explore.ai.temperature explore.ai.max_tokens explore.ai.max_elements_in_prompt explore.ai.prompt
explore.interaction.delay_before_ms explore.interaction.delay_after_ms explore.interaction.wait_timeout_ms
explore.limits.max_actions explore.limits.max_states explore.limits.max_time_ms explore.limits.max_idle_actions
explore.limits.list_sample explore.limits.template_visits explore.limits.parallel
prices.MODEL.as_of prices.MODEL.input prices.MODEL.cached_input prices.MODEL.output
profile.NAME.budgets.max_tool_calls profile.NAME.budgets.max_time_ms profile.NAME.budgets.max_screenshots profile.NAME.budgets.max_tokens
quarantine.NAME.file quarantine.NAME.reason quarantine.NAME.until
profile.NAME.roles profile.NAME.devices profile.NAME.locales profile.NAME.environments
env.NAME.base_url env.NAME.login_page env.NAME.viewport.width env.NAME.viewport.height env.NAME.locale env.NAME.number_locale
env.NAME.roles.ROLE.login_flow env.NAME.roles.ROLE.changes_state
env.NAME.kpi.type env.NAME.kpi.url env.NAME.kpi.params.PARAM env.NAME.kpi.map.KPI env.NAME.kpi.values.KPI
env.NAME.kpi.units.KPI env.NAME.kpi.selectors.KPI env.NAME.kpi.timeout_ms
env.NAME.tolerance.KPI.absolute env.NAME.tolerance.KPI.percent
env.NAME.budgets.max_tool_calls env.NAME.budgets.max_time_ms env.NAME.budgets.max_screenshots env.NAME.budgets.max_tokens
`

var authorityByKey = sync.OnceValue(func() map[string]authority {
	out := map[string]authority{}
	for _, row := range authorities() {
		out[row.key] = row
	}
	return out
})

// authorityOf returns the row of a setting, by the name that [Keys] gives it. An environment's own [agent] has
// the rows of [agent].
func authorityOf(key string) (row authority, found bool) {
	if own, ok := strings.CutPrefix(key, "env.NAME.agent."); ok {
		key = "agent." + own
	}
	if row, found = authorityByKey()[key]; found {
		return row, true
	}
	return authority{key: key, counts: mine, why: "nobody has said whether a folder may set it"}, false
}

// FolderSays reports whether a folder that nobody trusted says a setting, by the name that [Keys] gives it.
func FolderSays(key string) bool {
	row, _ := authorityOf(key)
	return row.why == ""
}
