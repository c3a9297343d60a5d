package outline

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// What every document compiles is ASCII, and holds no lines of comment; an escape of the
// source does not meet one that is made.
func TestEngineScriptIsCompact(t *testing.T) {
	t.Parallel()
	script, err := Engine()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "//") || strings.HasPrefix(line, " ") || strings.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
			t.Errorf("%q", line)
		}
	}
	parts, err := sources.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		source, err := sources.ReadFile(part.Name())
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range source {
			if b >= utf8.RuneSelf && i > 0 && source[i-1] == '\\' {
				t.Errorf("%s: a backslash stands before a letter that is escaped: %q", part.Name(), source[i-1:i+4])
			}
		}
	}
	if got, want := compact("  // so\n  a('…', /😀/u);\n"), "a('\\u2026', /\\ud83d\\ude00/u);\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A function of the engine is one alone: of two with the same name the second takes the
// place of the first, and says nothing.
func TestEngineNamesEachFunctionOnce(t *testing.T) {
	t.Parallel()
	script, err := Engine()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(script) {
		rest, found := strings.CutPrefix(strings.TrimPrefix(line, "async "), "function ")
		name, _, _ := strings.Cut(strings.TrimPrefix(rest, "*"), "(")
		if found && known[name] {
			t.Errorf("the engine has two functions %s", name)
		}
		known[name] = known[name] || found
	}
	if len(known) < 100 {
		t.Errorf("only %d functions were found", len(known))
	}
}

// The survey has all that it calls: a part of the engine that it lacks would be missed only
// where a page leads there.
func TestSurveyIsWhole(t *testing.T) {
	t.Parallel()
	script, err := Survey()
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:function\*? |const |let |, )(\w+)`).FindAllStringSubmatch(script, -1) {
		own[m[1]] = true
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`[^.\w](\w+)\(|[^.\w'](OPS|[A-Z][A-Z_]{3,})\b`).FindAllStringSubmatch(script, -1) {
		used[m[1]+m[2]] = true
	}
	files, err := sources.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, f := range files {
		text, err := sources.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(?:function\*? |const |let )(\w+)`).FindAllStringSubmatch(string(text), -1) {
			if named++; used[m[1]] && !own[m[1]] {
				t.Errorf("the survey uses %s of %s, and has it not", m[1], f.Name())
			}
		}
	}
	if named < 500 || len(used) < 100 {
		t.Errorf("only %d names and %d uses were found", named, len(used))
	}
}
