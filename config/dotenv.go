package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Credentials lists the variables that belong together: the keys of a provider, and those that say
// where the keys are sent.
type Credentials struct{ Keys, Addresses []string }

// DotEnv takes from a .env file the variables that belong to this program: settings
// (ASSAY_…), and the keys and addresses of providers. All others are somebody else's
// and are left out. getenv is the environment itself, which wins.
//
// A folder may come from a stranger, so the file can't say everything that the
// environment can. It names no program and no configuration; that is an error. It
// says where a key is sent only together with the key: an address without one is an
// error, and one whose key the environment has already is left out.
func DotEnv(data []byte, providers []Credentials, getenv func(string) string) (map[string]string, error) {
	said := parseDotEnv(data)
	found := map[string]string{}
	own := Credentials{Addresses: []string{"ASSAY_AGENT_BASE_URL"}}
	for _, p := range providers {
		own.Keys = append(own.Keys, p.Keys...)
	}
	for name, value := range said {
		if strings.HasPrefix(name, envPrefix) && !slices.Contains(own.Addresses, name) {
			if why := refusedInDotEnv(name, value); why != "" {
				return nil, Usage(".env: %s %s: set it in the environment itself, or in mcp.toml", name, why)
			}
			found[name] = value
		}
	}
	for _, p := range append(slices.Clone(providers), own) {
		if err := p.take(said, found, getenv); err != nil {
			return nil, err
		}
	}
	maps.DeleteFunc(found, func(name, value string) bool { return value == "" || getenv(name) != "" })
	return found, nil
}

// refusedInDotEnv reports why a file must not say a setting; empty: it may.
func refusedInDotEnv(name, value string) string {
	switch {
	case name == "ASSAY_CONFIG", name == "ASSAY_BROWSER_EXECUTABLE_PATH":
		return "leads to a program, which a file of the working folder can't choose"
	case name == "ASSAY_AGENT_API_KEY":
		return "says where a key is found, which a file of the working folder can't do: give the key itself under its own name, such as OPENAI_API_KEY"
	case strings.HasPrefix(strings.TrimSpace(value), "cmd:"):
		return "runs a program, which a file of the working folder can't do"
	}
	return ""
}

// take copies the keys that are said, and the addresses that are said with one.
func (c Credentials) take(said, found map[string]string, getenv func(string) string) error {
	has := func(value func(string) string) bool {
		return slices.ContainsFunc(c.Keys, func(key string) bool { return value(key) != "" })
	}
	inFile := has(func(key string) string { return said[key] })
	for _, name := range c.Addresses {
		switch {
		case said[name] == "" || getenv(name) != "":
		case !inFile:
			return Usage(".env: %s says where a key is sent, and none of its keys (%s) is in the file: add the key, or set the address in the environment itself or in mcp.toml", name, strings.Join(c.Keys, ", "))
		case !has(getenv):
			found[name] = said[name]
		}
	}
	for _, key := range c.Keys {
		if value, ok := said[key]; ok {
			if why := refusedInDotEnv(key, value); why != "" {
				return Usage(".env: %s %s", key, why)
			}
			found[key] = value
		}
	}
	return nil
}

// parseDotEnv reads NAME=value lines, with or without export and quotes. Lines of
// another form are for other programs.
func parseDotEnv(data []byte) map[string]string {
	line := regexp.MustCompile(`^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$`)
	out := map[string]string{}
	for text := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		m := line.FindStringSubmatch(strings.TrimRight(text, "\r\n"))
		if m == nil {
			continue
		}
		out[m[1]] = unquoteDotEnv(m[2])
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
