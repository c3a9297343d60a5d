package config_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
)

// isSetting tells whether a line starts with a key or a section.
func isSetting(line string) bool {
	return regexp.MustCompile(`^(\[|[A-Za-z_"]+ = )`).MatchString(line)
}

func readExample(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../mcp.toml.example")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// uncommented gives the example with the "#" taken away wherever a setting follows it directly.
func uncommented(example string) string {
	lines := strings.Split(example, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, "#"); ok && isSetting(rest) {
			lines[i] = rest
		}
	}
	return strings.Join(lines, "\n")
}

func TestExampleStatesTheDefaults(t *testing.T) { // B12
	cfg, err := config.Load(config.Source{Name: "mcp.toml.example", File: []byte(readExample(t))})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Default(), cfg, showSecrets()); diff != "" {
		t.Errorf("mcp.toml.example against the defaults (-defaults +example):\n%s", diff)
	}
}

func TestExampleUncommentedIsAccepted(t *testing.T) {
	cfg, err := config.Load(config.Source{Name: "mcp.toml.example", File: []byte(uncommented(readExample(t)))})
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Secrets) == 0 || len(cfg.Environments) == 0 {
		t.Errorf("%d secrets and %d environments: what should show them is not found", len(cfg.Secrets), len(cfg.Environments))
	}
}

// A setting with a default stands in the file itself, one without in a comment.
func TestExampleListsEveryKey(t *testing.T) {
	example := readExample(t)
	plain, all := keysOf(t, example), keysOf(t, uncommented(example))
	for _, key := range config.Keys() {
		keys, how := all, "not even in a comment"
		if key.Default != "" {
			keys, how = plain, "uncommented"
		}
		// A part in capitals stands for any name.
		pattern := regexp.MustCompile(`\b[A-Z]+\b`).ReplaceAllString(regexp.QuoteMeta(key.Name), `[^.]+`)
		wanted := regexp.MustCompile("(?m)^" + pattern + "$")
		if !wanted.MatchString(strings.Join(keys, "\n")) {
			t.Errorf("mcp.toml.example lacks %s (%s)", key.Name, how)
		}
	}
}

// keysOf lists the dotted names that a TOML text sets.
func keysOf(t *testing.T, text string) []string {
	t.Helper()
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		t.Fatal(err)
	}
	var names []string
	var walk func(prefix string, table map[string]any)
	walk = func(prefix string, table map[string]any) {
		for name, value := range table {
			if below, ok := value.(map[string]any); ok {
				walk(prefix+name+".", below)
				continue
			}
			names = append(names, prefix+name)
		}
	}
	walk("", tree)
	return names
}

func TestExampleExplainsEveryKey(t *testing.T) {
	lines := strings.Split(readExample(t), "\n")
	for i, line := range lines {
		setting := strings.TrimPrefix(line, "#")
		if i == 0 || !isSetting(setting) || strings.HasPrefix(setting, "[") {
			continue
		}
		if !strings.HasPrefix(lines[i-1], "# ") {
			t.Errorf("mcp.toml.example:%d: %q has no comment above it", i+1, line)
		}
	}
}
