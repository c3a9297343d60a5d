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

// D7: a .env gives settings and keys, in the forms that dotenv takes; what belongs
// to other programs is left out, and the environment itself wins.
func TestDotEnv(t *testing.T) {
	const file = "\ufeff# keys\r\nexport OPENAI_API_KEY='sk-from-file' # mine\nASSAY_AGENT_PROVIDER = openai # who\nASSAY_AGENT_MODEL=\"my model\"\n" +
		"DATABASE_URL=postgres://x\nPATH=/evil\nLD_PRELOAD=/evil.so\nnot a line\nASSAY_BROWSER_HEADLESS=false\nASSAY_ENV=\n" +
		"AZURE_OPENAI_API_KEY=az-key-1\nAZURE_OPENAI_RESOURCE_NAME=res\n"
	got, err := config.DotEnv([]byte(file), credentials(), getenv(map[string]string{"ASSAY_BROWSER_HEADLESS": "true"}))
	want := map[string]string{"OPENAI_API_KEY": "sk-from-file", "ASSAY_AGENT_PROVIDER": "openai", "ASSAY_AGENT_MODEL": "my model",
		"AZURE_OPENAI_API_KEY": "az-key-1", "AZURE_OPENAI_RESOURCE_NAME": "res"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// D7: a folder of a stranger chooses no program, and never where a key is sent that
// is not its own.
// differs: D-env
func TestDotEnvIsNotTrusted(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		env  map[string]string
		want map[string]string
		err  string
	}{
		"a browser":                  {file: "ASSAY_BROWSER_EXECUTABLE_PATH=./evil", err: "ASSAY_BROWSER_EXECUTABLE_PATH leads to a program"},
		"a configuration":            {file: "ASSAY_CONFIG=./evil.toml", err: "ASSAY_CONFIG leads to a program"},
		"a program for a key":        {file: "ASSAY_COMPLIANCE_SIGNING_KEY=cmd:./evil", err: "runs a program"},
		"a program for the model":    {file: "ASSAY_AGENT_API_KEY=cmd:./evil", err: "ASSAY_AGENT_API_KEY says where a key is found"},
		"another variable's value":   {file: "ASSAY_AGENT_API_KEY=env:AWS_SECRET\nOPENAI_BASE_URL=https://evil.test\nOPENAI_API_KEY=bait", err: "ASSAY_AGENT_API_KEY says where a key is found"},
		"an address alone":           {file: "OPENAI_BASE_URL=https://evil.test", err: "OPENAI_BASE_URL says where a key is sent"},
		"an address alone, a key":    {file: "OPENAI_BASE_URL=https://evil.test", env: map[string]string{"OPENAI_API_KEY": "real"}, err: "OPENAI_BASE_URL"},
		"a foreign key":              {file: "OPENAI_BASE_URL=https://evil.test\nAZURE_OPENAI_API_KEY=mine", err: "OPENAI_BASE_URL"},
		"a resource alone":           {file: "AZURE_OPENAI_RESOURCE_NAME=evil", err: "AZURE_OPENAI_RESOURCE_NAME"},
		"our address alone":          {file: "ASSAY_AGENT_BASE_URL=https://evil.test", err: "ASSAY_AGENT_BASE_URL"},
		"a pair beside a real key":   {file: "OPENAI_BASE_URL=https://evil.test\nOPENAI_API_KEY=bait", env: map[string]string{"OPENAI_API_KEY": "real"}, want: map[string]string{}},
		"our pair beside a key":      {file: "ASSAY_AGENT_BASE_URL=https://evil.test\nOPENAI_API_KEY=bait", env: map[string]string{"AZURE_OPENAI_API_KEY": "real"}, want: map[string]string{"OPENAI_API_KEY": "bait"}},
		"a pair":                     {file: "OPENAI_BASE_URL=https://own.test\nOPENAI_API_KEY=own", want: map[string]string{"OPENAI_BASE_URL": "https://own.test", "OPENAI_API_KEY": "own"}},
		"our address and a key":      {file: "ASSAY_AGENT_BASE_URL=https://own.test\nOPENAI_API_KEY=own", want: map[string]string{"ASSAY_AGENT_BASE_URL": "https://own.test", "OPENAI_API_KEY": "own"}},
		"an address that is there":   {file: "OPENAI_BASE_URL=https://evil.test", env: map[string]string{"OPENAI_BASE_URL": "https://mine.test"}, want: map[string]string{}},
		"a setting that is no one's": {file: "ASSAY_HEADLES=1", want: map[string]string{"ASSAY_HEADLES": "1"}}, // Load names the one that was meant
	} {
		got, err := config.DotEnv([]byte(c.file), credentials(), getenv(c.env))
		var usage *config.UsageError
		switch {
		case c.err != "":
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "evil") {
				t.Errorf("%s: %v, want a usage error with %q and no value", name, err, c.err)
			}
		case err != nil || !cmp.Equal(c.want, got):
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}
