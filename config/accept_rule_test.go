package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
)

// setting returns a file that sets key, a dotted name, on line 2.
func setting(key, value string) []byte { return []byte(header + key + " = " + value + "\n") }

// Every rule, with the values at and beyond its borders.
func TestRules(t *testing.T) {
	const (
		host    = "a host name, *.domain or an IP address, without scheme, port and path"
		url     = "an http or https URL without user and password"
		target  = "a path that starts with /, or " + url
		secret  = `"env:VAR", "file:path" or "cmd:program args"; a secret is never written here itself`
		re      = "a regular expression in Go's syntax (RE2)"
		locale  = `a BCP 47 language tag such as "en-US"`
		zone    = `an IANA time zone such as "UTC" or "Europe/Berlin"`
		pointer = `a JSON pointer such as "/data/revenue"`
		notNone = "one or more of core, full, author"
	)
	for _, tc := range []struct {
		key      string
		good     []string
		bad      []string
		accepted string
	}{
		{"data_dir", []string{`"x"`}, []string{`""`, `" "`}, "a text that is not blank"},
		{"browser.type", []string{`"chromium"`, `"firefox"`, `"webkit"`}, []string{`""`, `"Chromium"`, `"opera"`}, "chromium, firefox, webkit"},
		{"browser.viewport.width", []string{"1", "10000"}, []string{"0", "-1", "10001"}, "1 to 10000"},
		{"browser.viewport.height", []string{"1", "10000"}, []string{"0", "10001"}, "1 to 10000"},
		{"browser.locale", []string{`"de"`, `"zh-Hant-TW"`}, []string{`""`, `"en_US"`, `"x"`, `"en-"`}, locale},
		{"browser.timezone", []string{`"UTC"`, `"America/Argentina/Ushuaia"`, `"Etc/GMT+5"`}, []string{`""`, `" "`, `"../etc/passwd"`, `"Europe/"`}, zone},
		{"browser.timeout_ms", []string{"1", "600000"}, []string{"0", "-5", "600001", "9223372036854775807"}, "1 to 600000"},
		{"browser.video", []string{"false"}, []string{"true"}, "false, because nothing uses it yet"},
		{"screenshots.format", []string{`"png"`, `"jpeg"`}, []string{`"jpg"`, `"webp"`}, "png, jpeg"},
		{"screenshots.quality", []string{"1", "100"}, []string{"0", "101"}, "1 to 100"},
		{"visual.threshold", []string{"0", "0.0", "1", "1.0"}, []string{"-0.01", "1.01", "nan", "inf", "-inf"}, "0 to 1"},
		{"network.allowed_hosts", []string{"[]", `["localhost", "*.a.example", "10.0.0.1", "::1", "my_host", "a.b.c"]`},
			[]string{
				`["https://a.example"]`, `["a.example/path"]`, `["a.example:80"]`, `["*"]`, `["*."]`, `["a.*.example"]`, `["a..b"]`,
				`["10.0.0.256"]`, `["*.0.0.1"]`, `["2130706433"]`, `["-a.example"]`, `["a b"]`, `["[::1]"]`, `["fe80::1%eth0"]`, `[""]`, `["localhost", " "]`, `["münchen.example"]`,
			}, host},
		{"network.deny_hosts", []string{`["a.example"]`}, []string{`["http:"]`}, host},
		{"network.upload_roots", []string{"[]", `["testdata/upload"]`}, []string{`[""]`}, "texts that are not blank"},
		{"network.state_roots", []string{"[]", `["testdata/states"]`}, []string{`[""]`}, "texts that are not blank"},
		{"limits.max_sessions", []string{"1", "50"}, []string{"0", "51"}, "1 to 50"},
		{"limits.memory_mb", []string{"64", "65536"}, []string{"63", "65537"}, "64 to 65536"},
		{"limits.cpu_percent", []string{"1", "100"}, []string{"0", "101"}, "1 to 100"},
		{"limits.timeout_ms", []string{"1", "600000"}, []string{"0", "600001"}, "1 to 600000"},
		{"limits.max_pixels", []string{"1", "1000000000"}, []string{"0", "1000000001"}, "1 to 1000000000"},
		{"health.fatal_console", []string{"[]", `["(?i)chunk"]`}, []string{`["("]`, `[""]`}, re},
		{"guard.destructive", []string{`"as-written"`, `"deny"`, `"ask"`, `"allow"`}, []string{`""`, `"no"`}, "as-written, deny, ask, allow"},
		{"guard.click_patterns", []string{"[]", `["(?i)delete"]`}, []string{`["("]`, `[""]`, `["(?=a)"]`}, re},
		{"guard.request_patterns", []string{`["^DELETE "]`}, []string{`["["]`}, re},
		{"guard.production_hosts", []string{`["*.shop.example"]`}, []string{`["shop.example/"]`}, host},
		{"guard.production_words", []string{"[]", `["prod"]`}, []string{`[""]`}, "a text that is not blank"},
		{"guard.allow_requests", []string{`["^POST "]`}, []string{`["["]`}, re},
		{"tools.sets", []string{`["core"]`, `["core", "full", "author"]`}, []string{"[]", `["all"]`, `["core", "Full"]`}, notNone},
		{"agent.provider", []string{`"rules"`, `"openai"`, `"azure"`, `"anthropic"`, `"google"`, `"chat"`, `"ollama"`, `"lmstudio"`, `"sampling"`}, []string{`""`, `"gpt"`, `"!sampling"`}, "rules, openai, azure, anthropic, google, chat, ollama, lmstudio"},
		{"agent.base_url", []string{`""`, `"http://127.0.0.1:11434/v1"`}, []string{`"127.0.0.1:11434"`, `"https://user:pw@a.example"`}, url},
		{"agent.api_key", []string{`""`, `"env:KEY"`, `"file:/run/key"`, `"cmd:pass show key"`}, []string{`"sk-0123456789"`, `"env:"`},
			`"env:VAR", "file:path" or "cmd:program args"; the key itself is never written here`},
		{"agent.computer", []string{`"auto"`, `"on"`, `"off"`}, []string{`""`, `"yes"`}, "auto, on, off"},
		{"agent.max_output_tokens", []string{"256", "200000"}, []string{"255", "200001"}, "256 to 200000"},
		{"agent.request_timeout_ms", []string{"1000", "1800000"}, []string{"999", "1800001"}, "1000 to 1800000"},
		{"agent.tools", []string{"[]", `["page_click"]`}, []string{`[""]`}, "texts that are not blank"},
		{"agent.redact", []string{"[]", `["[0-9]{16}"]`}, []string{`["("]`, `[""]`}, re},
		{"agent.replay", []string{`"auto"`, `"prefer"`, `"only"`, `"off"`}, []string{`""`, `"always"`}, "auto, prefer, only, off"},
		{"agent.max_tool_calls", []string{"1", "10000"}, []string{"0", "10001"}, "1 to 10000"},
		{"agent.max_time_ms", []string{"1", "86400000"}, []string{"0", "86400001"}, "1 to 86400000"},
		{"agent.max_screenshots", []string{"1", "10000"}, []string{"0", "10001"}, "1 to 10000"},
		{"agent.max_tokens", []string{"1", "100000000"}, []string{"0", "100000001"}, "1 to 100000000"},
		{"agent.max_consecutive_errors", []string{"1", "100"}, []string{"0", "101"}, "1 to 100"},
		{"agent.max_retries_per_step", []string{"0", "10"}, []string{"-1", "11"}, "0 to 10"},
		{"author.branch_prefix", []string{`"assay/"`, `"qa/tests/"`}, []string{`""`, `"assay"`, `"/"`, `"../"`, `"a b/"`, `"-x/"`}, `names that end in slashes, such as "assay/"`},
		{"author.test_dir", []string{`"tests"`, `"apps/web/e2e"`}, []string{`""`, `"  "`}, "a text that is not blank"},
		{"agent.concurrency", []string{"1", "50"}, []string{"0", "51"}, "1 to 50"},
		{"compliance.evidence_retention_days", []string{"1", "36500"}, []string{"0", "36501"}, "1 to 36500"},
		{"compliance.tsa_url", []string{`""`, `"https://tsa.test.example/ts"`}, []string{`"tsa.test.example"`, `"file:///x"`, `"https://"`, `"https://a b"`}, url},
		{"compliance.signing_key", []string{`""`, `"env:KEY"`, `"file:/run/key"`, `"cmd:pass show assay"`}, []string{`"PRIVATE+KEY+assay"`, `"cmd:"`},
			`"env:VAR", "file:path" or "cmd:program args"; the key itself is never written here`},
		{"compliance.trusted_keys", []string{`[]`, `["assay+12345678+AQ=="]`}, []string{`[""]`, `[" "]`}, "texts that are not blank"},
		{"notify.webhook", []string{`""`, `"https://hooks.test.example/x"`}, []string{`"hooks.test.example"`}, url},
		{"notify.format", []string{`"slack"`, `"json"`}, []string{`""`, `"teams"`}, "slack, json"},
		{"secrets.PASSWORD", []string{`"env:PW"`, `"file:/run/pw"`, `"cmd:pass show pw"`}, []string{`""`, `"hunter2"`, `"env:"`, `"file: "`, `"ENV:PW"`}, secret},
		{`prices."some-model-5.5".as_of`, []string{`"2026-11-22"`}, []string{`""`, `" "`}, "a text that is not blank"},
		{`prices."some-model-5.5".input`, []string{"0", "2.5", "1e6"}, []string{"-1", "nan", "1000001"}, "0 to 1e6"},
		{`prices."some-model-5.5".cached_input`, []string{"0"}, []string{"-0.1"}, "0 to 1e6"},
		{`prices."some-model-5.5".output`, []string{"10"}, []string{"inf"}, "0 to 1e6"},
		{"env.a.agent.api_key", []string{`"env:KEY"`}, []string{`"sk-0123456789"`}, `"env:VAR", "file:path" or "cmd:program args"; the key itself is never written here`},
		{"env.a.base_url", []string{`""`, `"http://localhost:3000/app"`}, []string{`"/app"`, `"javascript:alert(1)"`}, url},
		{"env.a.kpi.url", []string{`""`, `"/api/kpi"`, `"https://a.example/kpi"`}, []string{`"api/kpi"`, `"//evil.example/kpi"`, `"/%zz"`}, target},
		{"env.a.kpi.map.Revenue", []string{`"/revenue"`}, []string{`"revenue"`, `""`}, pointer},
		{"env.a.tolerance.default", []string{"0", "0.5", "1e9"}, []string{"-1", "nan", "inf"}, "0 or more"},
		{"env.a.agent.max_tool_calls", []string{"1"}, []string{"0"}, "1 to 10000"},
	} {
		t.Run(tc.key, func(t *testing.T) {
			for _, value := range tc.good {
				if _, err := config.Load(config.Source{File: setting(tc.key, value)}); err != nil {
					t.Errorf("%s = %s is refused: %v", tc.key, value, err)
				}
			}
			for _, value := range tc.bad {
				got := refusal(t, config.Source{File: setting(tc.key, value)})
				if len(got) != 1 || !strings.HasPrefix(got[0], "mcp.toml:2: "+tc.key+" = ") || !strings.HasSuffix(got[0], "; accepted: "+tc.accepted) {
					t.Errorf("%s = %s gave %q, want one problem of line 2 that ends in %q", tc.key, value, got, tc.accepted)
				}
			}
		})
	}
}

func TestNamesChosenByTheUser(t *testing.T) {
	got := refusal(t, config.Source{File: []byte(header + `[secrets]
"A B" = "env:X"
[env."a/b"]
[env.a.tolerance]
" " = 1
[env.a.roles."é"]
`)})
	want := []string{
		`mcp.toml:3: the name in secrets."A B" is not accepted; accepted: letters, digits, - and _`,
		`mcp.toml:4: the name in env."a/b" is not accepted; accepted: letters, digits, - and _`,
		`mcp.toml:6: the name in env.a.tolerance." " is not accepted; accepted: a label that is not blank`,
		`mcp.toml:7: the name in env.a.roles."é" is not accepted; accepted: letters, digits, - and _`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestLongValuesAreCut(t *testing.T) {
	got := refusal(t, config.Source{File: setting("browser.type", `"`+strings.Repeat("x", 5000)+`"`)})
	if len(got[0]) > 200 {
		t.Errorf("the message has %d bytes", len(got[0]))
	}
}
