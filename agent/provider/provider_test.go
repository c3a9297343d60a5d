package provider_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
)

// D2: what a provider needs and nobody gave is told by the names of the setting
// and of the variable, with code 2.
func TestProviderNeeds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("from-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		agent config.Agent
		vars  map[string]string
		wants []string // none: it is complete
	}{
		"openai without a key":       {config.Agent{Provider: "openai"}, nil, []string{"OPENAI_API_KEY", "agent.api_key"}},
		"openai with its variable":   {config.Agent{Provider: "openai"}, map[string]string{"OPENAI_API_KEY": "key-1"}, nil},
		"another provider's key":     {config.Agent{Provider: "anthropic"}, map[string]string{"OPENAI_API_KEY": "key-1"}, []string{"ANTHROPIC_API_KEY"}},
		"google's second variable":   {config.Agent{Provider: "google"}, map[string]string{"GOOGLE_API_KEY": "key-1"}, nil},
		"google without a key":       {config.Agent{Provider: "google"}, nil, []string{"GEMINI_API_KEY or GOOGLE_API_KEY"}},
		"a key in a file":            {config.Agent{Provider: "anthropic", APIKey: config.Secret("file:" + file)}, nil, nil},
		"a file that is not there":   {config.Agent{Provider: "anthropic", APIKey: "file:/nowhere/key"}, map[string]string{"ANTHROPIC_API_KEY": "key-1"}, []string{"/nowhere/key"}},
		"a variable that is not set": {config.Agent{Provider: "chat", Model: "m", APIKey: "env:MY_KEY"}, nil, []string{"MY_KEY is not set"}},
		"a key too short to be hidden": {config.Agent{Provider: "openai"}, map[string]string{"OPENAI_API_KEY": "abc"},
			[]string{"too short"}},
		"azure without an endpoint":     {config.Agent{Provider: "azure", Model: "d"}, map[string]string{"AZURE_OPENAI_API_KEY": "key-1"}, []string{"agent.base_url", "AZURE_OPENAI_ENDPOINT"}},
		"azure without a deployment":    {config.Agent{Provider: "azure", BaseURL: "https://x.test"}, map[string]string{"AZURE_OPENAI_API_KEY": "key-1"}, []string{"agent.model", "deployment"}},
		"azure without a key":           {config.Agent{Provider: "azure", Model: "d", BaseURL: "https://x.test"}, nil, []string{"AZURE_OPENAI_API_KEY"}},
		"azure complete":                {config.Agent{Provider: "azure", Model: "d"}, map[string]string{"AZURE_OPENAI_API_KEY": "key-1", "AZURE_OPENAI_ENDPOINT": "https://x.test"}, nil},
		"azure by its resource's name":  {config.Agent{Provider: "azure", Model: "d"}, map[string]string{"AZURE_OPENAI_API_KEY": "key-1", "AZURE_OPENAI_RESOURCE_NAME": "my-res"}, nil},
		"azure by a broken name":        {config.Agent{Provider: "azure", Model: "d"}, map[string]string{"AZURE_OPENAI_API_KEY": "key-1", "AZURE_OPENAI_RESOURCE_NAME": "evil.test/x"}, []string{"AZURE_OPENAI_RESOURCE_NAME"}},
		"ollama needs a model":          {config.Agent{Provider: "ollama"}, nil, []string{"agent.model"}},
		"ollama needs no key":           {config.Agent{Provider: "ollama", Model: "m"}, nil, nil},
		"lmstudio needs no key":         {config.Agent{Provider: "lmstudio", Model: "m"}, nil, nil},
		"a local server needs a model":  {config.Agent{Provider: "chat"}, nil, []string{"agent.model"}},
		"a local server needs no key":   {config.Agent{Provider: "chat", Model: "m"}, nil, nil},
		"a model that a client lends":   {config.Agent{Provider: "sampling"}, nil, []string{"is gone", "\"rules\"", "openai"}},
		"a provider nobody knows":       {config.Agent{Provider: "gpt"}, nil, []string{"anthropic, azure, chat, google, lmstudio, ollama, openai"}},
		"a password in the address":     {config.Agent{Provider: "openai"}, map[string]string{"OPENAI_API_KEY": "key-1", "OPENAI_BASE_URL": "http://ada:hunter2@127.0.0.1:1/v1"}, []string{"OPENAI_BASE_URL", "without user and password"}},
		"a variable with no address":    {config.Agent{Provider: "openai"}, map[string]string{"OPENAI_API_KEY": "key-1", "OPENAI_BASE_URL": "http://ada:hunter2 pw@x"}, []string{"OPENAI_BASE_URL"}},
		"rules need nothing":            {config.Agent{Provider: "rules"}, nil, nil},
		"computer where there is none":  {config.Agent{Provider: "chat", Model: "m", Computer: "on"}, nil, []string{"agent.computer", "auto or off"}},
		"an empty variable is not set":  {config.Agent{Provider: "openai"}, map[string]string{"OPENAI_API_KEY": ""}, []string{"OPENAI_API_KEY"}},
		"the setting before a variable": {config.Agent{Provider: "openai", APIKey: "env:MINE"}, map[string]string{"OPENAI_API_KEY": "key-1"}, []string{"MINE is not set"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := provider.Options{Getenv: func(name string) string { return c.vars[name] }, Hide: func(string) {}, Log: slog.New(slog.DiscardHandler)}
			p, err := provider.New(c.agent, o)
			if len(c.wants) == 0 {
				if err != nil {
					t.Fatal(err)
				}
				if model, err := p.Model(qa.TaskSpec{Goal: "x"}, "", nil); err != nil || model == nil {
					t.Errorf("model %v, %v", model, err)
				}
				return
			}
			var wrong *config.UsageError
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v, want a usage error", err)
			}
			for _, part := range c.wants {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			for _, value := range c.vars {
				if value != "" && strings.Contains(err.Error(), value) {
					t.Errorf("%q shows %q", err, value)
				}
			}
		})
	}
}

// C7: a temperature that is set goes to every provider as it is, 0 among them, and
// none goes where none is set.
func TestTemperature(t *testing.T) {
	for _, name := range []string{"openai", "azure", "anthropic", "google", "chat", "ollama", "lmstudio"} {
		for _, set := range []float64{-1, 0, 0.7} {
			var asked []byte
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked, _ = io.ReadAll(r.Body)
				w.WriteHeader(http.StatusBadRequest)
			}))
			o := provider.Options{Getenv: func(string) string { return "key-1-of-a-test" }, Hide: func(string) {}, Log: slog.New(slog.DiscardHandler)}
			if name == "azure" {
				o.Getenv = func(name string) string {
					return map[string]string{"AZURE_OPENAI_API_KEY": "key-1-of-a-test"}[name]
				}
			}
			p, err := provider.New(config.Agent{Provider: name, Model: "m", BaseURL: site.URL, APIKey: "", Temperature: set}, o)
			if err != nil {
				t.Fatal(name, err)
			}
			m, err := p.Model(qa.TaskSpec{Goal: "x"}, "", nil)
			if err != nil {
				t.Fatal(name, err)
			}
			if _, err := m.Next(t.Context(), agent.Conversation{Task: "say ok"}); err == nil {
				t.Errorf("%s: a refusal is no error", name)
			}
			site.Close()
			got := regexp.MustCompile(`"temperature":([0-9.]+)`).FindStringSubmatch(string(asked))
			want := strconv.FormatFloat(set, 'g', -1, 64)
			if (set < 0) != (got == nil) || set >= 0 && got[1] != want {
				t.Errorf("%s, temperature %s: asked with %v\n%.300s", name, want, got, asked)
			}
		}
	}
}
