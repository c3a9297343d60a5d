package text

import (
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// What Go's decoders say of a text that is not what they were to read.
var (
	wrongKind    = pattern.New(`json: cannot unmarshal (\S+)(?: \S+)? into Go (?:struct field (\S+)|value) of type (?:[\w.*\[\]]*(?:struct|interface) \{[^}]*\}|[^\s"':;,)]+)`)
	unknownField = pattern.New(`json: unknown field`)
	wrongNumber  = pattern.New(`strconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): (invalid syntax|value out of range)`)
	wrongTime    = pattern.New(`parsing time ("(?:[^"\\]|\\.)*")(?: as "[^"]*": cannot parse "(?:[^"\\]|\\.)*" as "[^"]*"|(: [\w ]+ out of range))`)
)

// Undecoded rewrites what Go's decoders say within an error's text, so that it names
// members and kinds of JSON and no type of ours. Other words stay as they are.
func Undecoded(text string) string {
	if !strings.Contains(text, "json: ") && !strings.Contains(text, "strconv.") && !strings.Contains(text, "parsing time ") {
		return text
	}
	text = replaceGroups(wrongKind, text, func(m []string) string {
		return memberOf(m[2]) + " can't be " + kindOfJSON(m[1])
	})
	text = replaceGroups(wrongNumber, text, func(m []string) string {
		if m[2] == "value out of range" {
			return m[1] + " is too large a number"
		}
		return m[1] + " is no number"
	})
	text = replaceGroups(wrongTime, text, func(m []string) string { return m[1] + " is no time" + m[2] })
	return unknownField.ReplaceAllString(text, "unknown field")
}

// replaceGroups replaces what a pattern matches by what is made of its groups.
func replaceGroups(p *pattern.Pattern, text string, made func(groups []string) string) string {
	return p.ReplaceAllStringFunc(text, func(found string) string { return made(p.FindStringSubmatch(found)) })
}

// memberOf returns the path of a member without the types that Go names before it.
func memberOf(path string) string {
	_, path, _ = strings.Cut(path, ".")
	parts := strings.Split(path, ".")
	for len(parts) > 0 && (parts[0] == "" || parts[0][0] >= 'A' && parts[0][0] <= 'Z') {
		parts = parts[1:]
	}
	if len(parts) == 0 {
		return "it"
	}
	return strings.Join(parts, ".")
}

// kindOfJSON names a kind of value as people do.
func kindOfJSON(kind string) string {
	switch kind {
	case "array":
		return "a list"
	case "bool":
		return "true or false"
	case "object":
		return "an object"
	default:
		return "a " + kind
	}
}
