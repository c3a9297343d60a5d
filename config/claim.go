package config

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strings"
)

// Claim is something that a file says about a setting which takes a person's word.
type Claim struct {
	// Key holds the dotted name of the setting as the file writes it, or a variable's name.
	Key string
	// Where the value stands: "mcp.toml:7" or ".env:3".
	Where string
	// Value as it stands in a file; [hidden] where it is a secret itself. It may come from a stranger.
	Value string
	// Sum is the SHA-256 of the value, in hexadecimal.
	Sum string
	// Starts is the program with its arguments that the value names, or the reference that starts one
	// ("cmd:program args"); nil where it names none.
	Starts []string
	// Why a folder's word alone is not enough.
	Why string
}

// say knows whose file is read, and what of it counts.
type say struct {
	user    *Config // what the person says, where a folder's file is read; nil: it is the person's own
	trusted bool    // the folder counts as the person
	claims  []Claim
}

// counting returns what of a value counts for a setting that is at present as mine says. What needs a person's
// word is noted; at names it and its place.
func (s *say) counting(key string, mine, said reflect.Value, at func() Claim) reflect.Value {
	row, _ := authorityOf(key)
	user := s.user
	if user == nil {
		user = &Config{}
	}
	counts := row.counts(user, mine, said)
	if same(counts, said) {
		return said
	}
	c := at()
	c.Value, c.Sum, c.Starts, c.Why = shown(said), sum(toTOML(said)), starts(key, said), row.why
	if !slices.ContainsFunc(s.claims, func(o Claim) bool { return o.Key == c.Key && o.Where == c.Where }) { // an environment's own [agent] has it again
		s.claims = append(s.claims, c)
	}
	if s.user == nil || s.trusted {
		return said
	}
	return reflect.ValueOf(counts.Interface()) // a copy: mine is the setting itself
}

// withholds reports whether a claim about what lies at a path does not count.
func (s *say) withholds(path string) bool {
	return s.user != nil && !s.trusted && slices.ContainsFunc(s.claims, func(c Claim) bool { return c.Key == path || strings.HasPrefix(c.Key, path+".") })
}

// same compares two values of a setting; the order of a list does not matter.
func same(a, b reflect.Value) bool {
	if a.Kind() != reflect.Slice {
		return a.Equal(b)
	}
	return a.Len() == b.Len() && kept(a, b).Len() == a.Len()
}

// shown returns a value as it stands in a file. A text that may be a secret is hidden, and not where it is found.
func shown(v reflect.Value) string {
	if v.Type() == reflect.TypeFor[Secret]() && !isReference(v.String()) {
		return hidden
	}
	return toTOML(v)
}

func sum(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

// starts returns what a value of a setting starts.
func starts(key string, v reflect.Value) []string {
	switch {
	case v.Type() == reflect.TypeFor[Secret]() && strings.HasPrefix(v.String(), "cmd:"):
		return []string{v.String()}
	case key == "browser.executable_path":
		return []string{v.String()}
	case key == resetCommand:
		return []string{"cmd:" + v.String()}
	case key == "author.test_command" || key == "author.format_command":
		return texts(v)
	}
	return nil
}
