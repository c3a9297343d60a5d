package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// Credentials lists the variables that belong together: the keys of a provider, and those that say
// where the keys are sent.
type Credentials struct{ Keys, Addresses []string }

// Variable is one of a .env file.
type Variable struct {
	Value string
	// Line of the file, from 1.
	Line int
	// Why a folder's word alone is not enough; empty where the table of authorities says it.
	Why string
	// Hidden says that the value is a secret itself.
	Hidden bool
}

// DotEnv takes from a .env file the variables that belong to this program: settings (ASSAY_…), and the keys and
// addresses of providers. All others are somebody else's and are left out.
//
// The file is the folder's, which may come from a stranger: what counts of it the table of authorities says, as of
// the folder's mcp.toml. Which configuration is read it can't say at all.
func DotEnv(data []byte, providers []Credentials) (map[string]Variable, error) {
	found := map[string]Variable{}
	for name, v := range parseDotEnv(data) {
		ofProvider, why := false, ""
		for _, p := range providers {
			switch {
			case slices.Contains(p.Keys, name):
				ofProvider, v.Hidden, why = true, true, "a provider is sent it, with what pages show"
			case slices.Contains(p.Addresses, name):
				ofProvider, why = true, "your key and what pages show are sent there"
			}
		}
		if name == "ASSAY_CONFIG" && v.Value != "" {
			return nil, Usage(".env:%d: ASSAY_CONFIG leads to another configuration, which a file of the working folder can't choose: set it in the environment itself, or give --config", v.Line)
		}
		if v.Why = why; v.Value != "" && (ofProvider || strings.HasPrefix(name, envPrefix)) {
			found[name] = v
		}
	}
	return found, nil
}

// dotEnv takes what a folder's .env says. The environment itself wins. What is no setting is put into variables
// where it counts.
func (o *overrides) dotEnv(said map[string]Variable, getenv func(string) string, variables map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(said)) {
		v := said[name]
		if getenv != nil && getenv(name) != "" {
			continue
		}
		where := fmt.Sprintf(".env:%d", v.Line)
		i := slices.IndexFunc(o.leaves, func(l setting) bool { return l.Env == name })
		switch {
		case i >= 0:
			if before := len(o.values); o.set(o.leaves[i], v.Value, where) {
				o.values[before].folds = true
			}
		case v.Why != "":
			o.provider(name, where, v, variables)
		case name == "ASSAY_ENV":
			variables[name] = v.Value
		default:
			near := text.Nearest(strings.TrimPrefix(name, envPrefix), o.overridable(func(l setting) string { return strings.TrimPrefix(l.Env, envPrefix) }))
			o.addUnknown(Problem{Where: where + ": " + name}, envPrefix, near)
		}
	}
}

// provider takes a variable of a provider of models.
func (o *overrides) provider(name, where string, v Variable, variables map[string]string) {
	c := Claim{Key: name, Where: where, Value: strconv.Quote(v.Value), Sum: sum(v.Value), Why: v.Why}
	if v.Hidden || strings.Contains(v.Value, "@") {
		c.Value = hidden
	}
	o.say.claims = append(o.say.claims, c)
	if o.say.trusted {
		variables[name] = v.Value
	}
}

// parseDotEnv reads NAME=value lines, with or without export and quotes. Lines of
// another form are for other programs.
func parseDotEnv(data []byte) map[string]Variable {
	line := regexp.MustCompile(`^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$`)
	out, number := map[string]Variable{}, 0
	for text := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		number++
		m := line.FindStringSubmatch(strings.TrimRight(text, "\r\n"))
		if m == nil {
			continue
		}
		out[m[1]] = Variable{Value: unquoteDotEnv(m[2]), Line: number}
	}
	return out
}

// unquoteDotEnv returns a value without its quotes, or without the comment behind it.
func unquoteDotEnv(text string) string {
	if text == "" {
		return ""
	}
	if quote := text[0]; quote == '"' || quote == '\'' || quote == '`' {
		if end := strings.IndexByte(text[1:], quote); end >= 0 {
			value := text[1 : 1+end]
			if quote == '"' {
				value = strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(value)
			}
			return value
		}
	}
	value, _, _ := strings.Cut(text, " #")
	return strings.TrimSpace(value)
}
