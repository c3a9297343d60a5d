package config_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
)

func TestUnknownKeys(t *testing.T) { // §10: an error with its line and the nearest known key
	for _, tc := range []struct{ name, file, want string }{
		{"misspelt", "[browser]\nheadles = false", "mcp.toml:3: unknown key browser.headles; did you mean browser.headless?"},
		{"letter missing", "[limits]\nmax_sesions = 1", "mcp.toml:3: unknown key limits.max_sesions; did you mean limits.max_sessions?"},
		{"letters swapped", "[tools]\nstes = []", "mcp.toml:3: unknown key tools.stes; did you mean tools.sets?"},
		{"capitals", "[Browser]\nheadless = true", "mcp.toml:2: unknown key Browser; did you mean browser?"},
		{"section, once", "[browsr]\na = 1\nb = 2", "mcp.toml:2: unknown key browsr; did you mean browser?"},
		{"without its section", "headless = true", "mcp.toml:2: unknown key headless; did you mean browser.headless?"},
		{"wrong section", "[browser]\nmax_sessions = 3", "mcp.toml:3: unknown key browser.max_sessions; did you mean limits.max_sessions?"},
		{"dotted", "browser.viewport.with = 3", "mcp.toml:2: unknown key browser.viewport.with; did you mean browser.viewport.width?"},
		{"inline", "[browser]\nviewport = { width = 1, hight = 2 }", "mcp.toml:3: unknown key browser.viewport.hight; did you mean browser.viewport.height?"},
		{"array of tables", "[[extra]]\na = 1", "mcp.toml:2: unknown key extra; accepted here: schema_version, data_dir, browser, screenshots, visual, health, network, limits, guard, tools, agent, author, compliance, notify, auth, explore, secrets, prices, profile, quarantine, env"},
		{"implied table", "\n\n[zzz.yyy]\na = 1\n[zzz.xxx]\n[zzz.www]", "mcp.toml:4: unknown key zzz; accepted here: schema_version, data_dir, browser, screenshots, visual, health, network, limits, guard, tools, agent, author, compliance, notify, auth, explore, secrets, prices, profile, quarantine, env"},
		{"nothing near", "[tools]\nqwertz = 1", "mcp.toml:3: unknown key tools.qwertz; accepted here: sets, evaluate"},
		{"environment", "[env.staging]\nbase_ur = 1", "mcp.toml:3: unknown key env.staging.base_ur; did you mean env.staging.base_url?"},
		{"odd name", "[tools]\n\"a b\" = 1", "mcp.toml:3: unknown key tools.\"a b\"; accepted here: sets, evaluate"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := refusal(t, config.Source{File: []byte(header + tc.file)})
			if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrongTypes(t *testing.T) {
	for _, tc := range []struct{ name, file, want string }{
		{"boolean", "[browser]\nheadless = \"yes\"", "mcp.toml:3: browser.headless is a string; expected a boolean"},
		{"integer", "[browser]\ntimeout_ms = 1.5", "mcp.toml:3: browser.timeout_ms is a float; expected an integer"},
		{"number", "[visual]\nthreshold = \"1%\"", "mcp.toml:3: visual.threshold is a string; expected a number"},
		{"string", "data_dir = 7", "mcp.toml:2: data_dir is an integer; expected a string"},
		{"list", "[tools]\nsets = \"core\"", "mcp.toml:3: tools.sets is a string; expected an array of strings"},
		{"list of numbers", "[tools]\nsets = [\n  \"core\",\n  1,\n]", "mcp.toml:3: tools.sets is an array; expected an array of strings"},
		{"section", "browser = true", "mcp.toml:2: browser is a boolean; expected a table"},
		{"array of tables", "[[browser]]", "mcp.toml:2: browser is an array of tables; expected a table"},
		{"table for a value", "[browser.locale]\na = 1", "mcp.toml:2: browser.locale is a table; expected a string"},
		{"date", "[browser]\nlocale = 2026-01-01", "mcp.toml:3: browser.locale is a date or time; expected a string"},
		{"environment", "[env]\nbase_url = \"http://a\"", "mcp.toml:3: env.base_url is a string; expected a table"},
		{"secret", "[secrets]\nPIN = 4711", "mcp.toml:3: secrets.PIN is an integer; expected a string or table { from, hosts }"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := refusal(t, config.Source{File: []byte(header + tc.file)})
			if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAllProblemsAtOnceInOrderOfLines(t *testing.T) {
	file := `[limits]
max_sessions = 0
[browser]
type = "opera"
headles = true
viewport = { width = 0, height = "tall" }
[zecrets]
[env.a.kpi]
url = "ftp://x"
`
	got := refusal(t, config.Source{Name: "conf/mcp.toml", File: []byte(file)})
	want := []string{
		`conf/mcp.toml: schema_version is missing; add the line "schema_version = 1" at the top`,
		`conf/mcp.toml:2: limits.max_sessions = 0; accepted: 1 to 50`,
		`conf/mcp.toml:4: browser.type = "opera"; accepted: chromium, firefox, webkit`,
		`conf/mcp.toml:5: unknown key browser.headles; did you mean browser.headless?`,
		`conf/mcp.toml:6: browser.viewport.height is a string; expected an integer`,
		`conf/mcp.toml:6: browser.viewport.width = 0; accepted: 1 to 10000`,
		`conf/mcp.toml:7: unknown key zecrets; did you mean secrets?`,
		`conf/mcp.toml:9: env.a.kpi.url = "ftp://x"; accepted: a path that starts with /, or an http or https URL without user and password`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestSchemaVersion(t *testing.T) { // E1
	for _, tc := range []struct{ name, file, want string }{
		{"empty file", "", `mcp.toml: schema_version is missing; add the line "schema_version = 1" at the top`},
		{"later version, nothing else is said", "\nschema_version = 2\nnew_key = 1\n[browser]\ntype = 1", "mcp.toml:2: schema_version = 2, and this program reads version 1; use the program that wrote the file, or bring the file to version 1"},
		{"wrong type", "schema_version = \"1\"", "mcp.toml:1: schema_version is a string; expected an integer"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := refusal(t, config.Source{File: []byte(tc.file)})
			if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, tc := range []struct{ name, file, want string }{
		{"no value", "[browser]\nheadless =\n", "mcp.toml:3: not valid TOML: "},
		{"twice", "data_dir = \"a\"\ndata_dir = \"b\"\n", "mcp.toml:3: not valid TOML: "},
		{"binary", "\x00\x01\x02", "mcp.toml:"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := refusal(t, config.Source{File: []byte(header + tc.file)})
			if len(got) != 1 || !strings.HasPrefix(got[0], tc.want) {
				t.Errorf("problems %q, want one that starts with %q", got, tc.want)
			}
		})
	}
}

// E6: whatever is wrong with a secret, its content is not shown.
func TestSecretsAreNeverShown(t *testing.T) {
	for _, file := range []string{
		"[secrets]\nPIN = \"hunter2\"",
		"[secrets]\nPIN = \"env:\"\nPAD = \"hunter2:x\"",
		"[secrets]\nPIN = hunter2",
		"[secrets]\nPIN = \"hunter2\\u12zz\"",
		"[secrets]\nPIN = 'hunter2",
		"[secrets]\nPIN = \"hunter2\\q\"",
		"[secrets]\nPIN = [\"hunter2\"]",
		"[secrets]\nPIN = { \"a\" = \"hunter2\" }",
		"secrets = { PIN = \"hunter2\\u12zz\" }",
		"secrets.PIN = \"hunter2\\u12zz\"",
		"secrets = \"hunter2\"",
		"[notify]\nwebhook = \"hunter2\"",
		"[notify]\nwebhook = \"hunter2\\u12zz\"",
		"[secret]\nPIN = \"hunter2\"",
		"[agent]\napi_key = \"hunter2\"",
		"[agent]\napi_key = hunter2",
		"[agent]\napi_key = \"hunter2\\u12zz\"",
		"agent.api_key = \"hunter2\\u12zz\"",
		"[env.a.agent]\napi_key = \"hunter2\\q\"",
		"[env.a]\nbase_url = \"https://bob:hunter2@shop.test.example\"",
		"[compliance]\ntsa_url = \"https://bob:hunter2@tsa.test.example\"",
	} {
		got := strings.Join(refusal(t, config.Source{File: []byte(header + file)}), "\n")
		if strings.Contains(got, "hunter2") {
			t.Errorf("file %q: the secret is shown:\n%s", file, got)
		}
		if !strings.Contains(got, "mcp.toml:") {
			t.Errorf("file %q: no line in the report:\n%s", file, got)
		}
	}
}

func TestNumbersOfSecretsAreNeverShown(t *testing.T) { // E6
	for _, value := range []string{"0471147114711", "47114711471147114711471147114711", "4711_", "4711.", "0b4711", "+0x4711", "4711-4711-4711", "1.4711.4711"} {
		got := strings.Join(refusal(t, config.Source{File: []byte(header + "[secrets]\nPIN = " + value + "\n")}), "\n")
		if strings.Contains(got, "4711") {
			t.Errorf("PIN = %s: the secret is shown:\n%s", value, got)
		}
	}
}

func TestHugeFile(t *testing.T) {
	got := refusal(t, config.Source{File: make([]byte, 1<<20)})
	want := []string{"mcp.toml: the file has 1048576 bytes; accepted: up to 65536. Is this the right file?"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// Shapes that cost the parser or the report the most, about as large or as deep as a file may be.
func TestHostileFilesAreRefused(t *testing.T) {
	const size = 64_000
	var unknown strings.Builder
	for i := 0; unknown.Len() < size/4; i++ {
		fmt.Fprintf(&unknown, "k%d=1\n", i)
	}
	for name, file := range map[string]string{
		"deep array":        "a = " + strings.Repeat("[", size),
		"deep table":        "a" + strings.Repeat(".a", 1990) + " = 1",
		"deeper table":      "a" + strings.Repeat(".a", size/2) + " = 1",
		"deep inline table": "a = " + strings.Repeat("{a=", 1990),
		"long key":          strings.Repeat("a", size) + " = 1",
		"many unknown keys": unknown.String(),
	} {
		t.Run(name, func(t *testing.T) {
			refusal(t, config.Source{File: []byte(header + file)})
		})
	}
}

// The configurations of the specifications are named, with the page that maps their keys
// (B12, C7, E4), whatever is in them.
func TestOtherFormats(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/specifications.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"config.yaml": "start_url: https://shop.test\n", "a/autoqa.config.json": `{"schemaVersion": 1, "baseUrl": "https://shop.test"}`, "coditect-config.YML": "",
	} {
		_, err := config.Load(config.Source{Name: name, File: []byte(content)})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "docs/specifications.md lists their keys") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, key := range []string{"config.yaml", "autoqa.config.json", "coditect-config.yaml", "maxToolCallsPerSpec", "resource_limits"} {
		if !strings.Contains(string(page), key) {
			t.Errorf("docs/specifications.md does not map %s", key)
		}
	}
}
