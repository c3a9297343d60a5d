package config_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/assay-qa/assay/config"
)

// Whatever the bytes are: no panic, and either a Config or problems that each have a place.
func FuzzFile(f *testing.F) {
	example, err := os.ReadFile("../mcp.toml.example")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(example)
	f.Add([]byte(uncommented(string(example))))
	for _, seed := range []string{
		"", header, "a", "[", "[[a]]\nb=1", "a.b.c=1", "\xff\xfe\x00", "\xef\xbb\xbf" + header, "schema_version = 1e400", "[env.a.b]\n[env]", "\"\"=1",
		header + "[browser]\nviewport = { width = 1, width = 2 }", header + "[[secrets]]", header + "[env]\n\"\" = {}", header + "browser = [{}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := config.Load(config.Source{File: data})
		checkRefusal(t, err)
	})
}

// The same for the text of every variable and of every flag.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{"", "1", "true", "0.5", "a,b", ",", "nan", "99999999999999999999", "https://a@b", "\xff", "(?i)x"} {
		f.Add(seed)
	}
	keys := config.Keys()
	f.Fuzz(func(t *testing.T, text string) {
		flags := make(map[string]string)
		for _, k := range keys {
			flags[k.Name] = text
		}
		flags[text] = text
		_, err := config.Load(config.Source{
			Getenv:  func(string) string { return text },
			Environ: []string{text, "ASSAY_" + text},
			Flags:   flags,
		})
		checkRefusal(t, err)
	})
}

func checkRefusal(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var refused *config.Error
	if !errors.As(err, &refused) || len(refused.Problems) == 0 {
		t.Fatalf("%T without problems: %v", err, err)
	}
	for _, p := range refused.Problems {
		if strings.TrimSpace(p.Message) == "" || p.Where == "" && p.Key != "" {
			t.Errorf("a problem without message or place: %+v", p)
		}
	}
}
