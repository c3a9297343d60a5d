package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
)

func credentials() []config.Credentials {
	return []config.Credentials{{Keys: []string{"OPENAI_API_KEY"}, Addresses: []string{"OPENAI_BASE_URL"}},
		{Keys: []string{"AZURE_OPENAI_API_KEY"}, Addresses: []string{"AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_RESOURCE_NAME"}}}
}

// readDotEnv loads a folder that has nothing but a .env.
func readDotEnv(t *testing.T, file string, env map[string]string, trust config.Trust) (config.Loaded, error) {
	t.Helper()
	said, err := config.DotEnv([]byte(file), credentials())
	if err != nil {
		return config.Loaded{}, err
	}
	return config.Read(config.Source{Getenv: getenv(env), Folder: config.Folder{DotEnv: said, Trust: func([]config.Claim) (config.Trust, error) { return trust, nil }}})
}

// D7: a .env gives settings and keys, in the forms that dotenv takes; what belongs to other programs is left out, and
// the environment itself wins.
func TestDotEnv(t *testing.T) {
	const file = "\ufeff# keys\r\nexport OPENAI_API_KEY='sk-from-file' # mine\nASSAY_AGENT_PROVIDER = openai # who\nASSAY_AGENT_MODEL=\"my model\"\n" +
		"DATABASE_URL=postgres://x\nPATH=/evil\nLD_PRELOAD=/evil.so\nHOME=/evil\nXDG_CONFIG_HOME=/evil\nCI=true\nnot a line\nASSAY_BROWSER_HEADLESS=false\nASSAY_ENV=staging\n" +
		"AZURE_OPENAI_API_KEY=az-key-1\nAZURE_OPENAI_RESOURCE_NAME=res\nASSAY_BROWSER_LOCALE=\n"
	got, err := readDotEnv(t, file, map[string]string{"ASSAY_BROWSER_HEADLESS": "true", "AZURE_OPENAI_RESOURCE_NAME": "mine"}, config.TrustedWhole)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"OPENAI_API_KEY": "sk-from-file", "AZURE_OPENAI_API_KEY": "az-key-1", "ASSAY_ENV": "staging"}
	if diff := cmp.Diff(want, got.Variables); diff != "" {
		t.Error(diff)
	}
	if a := got.Config.Agent; a.Provider != "openai" || a.Model != "my model" || !got.Config.Browser.Headless {
		t.Errorf("%+v, headless %v", a, got.Config.Browser.Headless)
	}
}

// B18: a stranger's .env gives neither keys nor where they are sent; a person who trusts it does.
// differs: D-env
func TestDotEnvIsNotTrusted(t *testing.T) {
	const file = "OPENAI_BASE_URL=https://evil.test\nOPENAI_API_KEY=bait\nAZURE_OPENAI_RESOURCE_NAME=evil\nASSAY_AGENT_BASE_URL=https://evil.test\nASSAY_AGENT_MODEL=small\nASSAY_ENV=staging\n"
	got, err := readDotEnv(t, file, nil, config.Untrusted)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, c := range got.Claims {
		named = append(named, c.Where+" "+c.Key)
	}
	if diff := cmp.Diff([]string{".env:3 AZURE_OPENAI_RESOURCE_NAME", ".env:2 OPENAI_API_KEY", ".env:1 OPENAI_BASE_URL", ".env:4 agent.base_url"}, named); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"ASSAY_ENV": "staging"}, got.Variables); diff != "" || got.Config.Agent.BaseURL != "" || got.Config.Agent.Model != "small" {
		t.Errorf("%+v\n%s", got.Config.Agent, diff)
	}
	if got, err = readDotEnv(t, file, nil, config.TrustedWhole); err != nil || got.Config.Agent.BaseURL != "https://evil.test" || got.Variables["OPENAI_API_KEY"] != "bait" {
		t.Errorf("trusted: %v, %+v", err, got)
	}
}

// No .env says which configuration is read, trusted or not, and a setting that is none is named with its line.
func TestDotEnvRefusals(t *testing.T) {
	for file, want := range map[string]string{
		"# a\nASSAY_CONFIG=./evil.toml": ".env:2: ASSAY_CONFIG leads to another configuration",
		"# a\nASSAY_HEADLES=1":          ".env:2: ASSAY_HEADLES: is not a setting",
		"ASSAY_BROWSER_HEADLES=1":       "did you mean ASSAY_BROWSER_HEADLESS?",
		"ASSAY_BROWSER_TYPE=opera":      ".env:1: browser.type",
	} {
		_, err := readDotEnv(t, file, nil, config.TrustedWhole)
		var usage *config.UsageError
		var refused *config.Error
		if !errors.As(err, &usage) && !errors.As(err, &refused) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "evil") {
			t.Errorf("%q: %v, want %q and no value", file, err, want)
		}
	}
}
