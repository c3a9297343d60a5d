package schema

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/tools/engine"
)

// CheckArguments checks a call's arguments, and says how to fix them: an
// unknown name with the nearest known one, a missing one, a value of the wrong
// kind.
func CheckArguments(args map[string]any, schema *jsonschema.Schema, resolved *jsonschema.Resolved) error {
	if err := unknownArguments(args, schema, ""); err != nil {
		return err
	}
	var missing []string
	for _, name := range schema.Required {
		if _, ok := args[name]; !ok {
			missing = append(missing, strconv.Quote(name))
		}
	}
	switch len(missing) {
	case 0:
	case 1:
		return engine.InvalidInput(accepted(schema), "argument %s is missing", missing[0])
	default:
		return engine.InvalidInput(accepted(schema), "arguments %s are missing", strings.Join(missing, ", "))
	}
	if err := resolved.Validate(args); err != nil {
		return engine.InvalidInput(accepted(schema), "arguments: %s", readable(err))
	}
	return nil
}

// maxListed bounds how many words a refusal lists where some of them are like the one that
// was given.
const maxListed = 12

// unlisted refuses a word that is none of those that a schema lists.
func unlisted(word string, schema *jsonschema.Schema, path string) error {
	var known []string
	for _, k := range schema.Enum {
		if s, ok := k.(string); ok {
			known = append(known, s)
		}
	}
	if len(known) == 0 || slices.Contains(known, word) {
		return nil
	}
	name := strings.TrimSuffix(path, ".")
	alike := text.Likely(word, known)
	if len(known) <= maxListed || len(alike) == 0 {
		return engine.InvalidInput("accepted: "+strings.Join(known, ", "), "%s: %q is none of its words%s", name, word, text.Hint(word, known))
	}
	return engine.InvalidInput("most like it: "+strings.Join(alike, ", ")+"; the schema of this tool in tools/list has all "+strconv.Itoa(len(known)),
		"%s: %q is none of its words%s", name, word, text.Hint(word, known))
}

// unknownArguments refuses names and words the schema doesn't know, at any depth.
func unknownArguments(v any, schema *jsonschema.Schema, path string) error {
	if word, ok := v.(string); ok {
		return unlisted(word, schema, path)
	}
	if schema.Type == "" {
		return nil // the inside of a loose input: decoding it is strict
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range SortedKeys(v) {
			property, known := schema.Properties[name]
			switch {
			case known:
			case schema.AdditionalProperties != nil && schema.AdditionalProperties.Not == nil:
				property = schema.AdditionalProperties // a free map
			default:
				return engine.InvalidInput(accepted(schema), "unknown argument %q%s", path+name, text.Hint(name, SortedKeys(schema.Properties)))
			}
			if err := unknownArguments(v[name], property, path+name+"."); err != nil {
				return err
			}
		}
	case []any:
		if schema.Items == nil {
			return nil
		}
		for i, item := range v {
			if err := unknownArguments(item, schema.Items, strings.TrimSuffix(path, ".")+"["+strconv.Itoa(i)+"]."); err != nil {
				return err
			}
		}
	}
	return nil
}

// accepted lists the names a schema takes, the required ones first.
func accepted(schema *jsonschema.Schema) string {
	if len(schema.Properties) == 0 {
		return "this takes no arguments"
	}
	names := slices.Clone(schema.Required)
	for _, name := range SortedKeys(schema.Properties) {
		if !slices.Contains(schema.Required, name) {
			names = append(names, name+"?")
		}
	}
	return "accepted: " + strings.Join(names, ", ")
}

// What the validator prints of a value is Go's form of it.
var (
	wrongType = pattern.New(`(?s)type: .* has type ("[^"]*"), want (.+)$`)
	notListed = pattern.New(`(?s)enum: (?:map\[.*\]|\[.*\]) does not equal`)
)

// readable drops the validator's own bookkeeping, and Go's form of values, from its
// message.
func readable(err error) string {
	text := err.Error()
	text = strings.ReplaceAll(text, "validating root: ", "")
	text = strings.ReplaceAll(text, "validating /properties/", "")
	text = strings.ReplaceAll(text, "/properties/", ".")
	text = wrongType.ReplaceAllString(text, "it is of type $1, and must be $2")
	return notListed.ReplaceAllString(text, "enum: this value does not equal")
}

// SortedKeys returns the keys of a map in their order.
func SortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
