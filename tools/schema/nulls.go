package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/tools/engine"
)

// DropNulls removes optional inputs that are null, at any depth: null means "not
// given". It refuses null where a value is required, in lists, and as an expected
// value, which would then not be compared at all. form is the whole schema; below the
// names in loose nothing counts as required: decoding them says what is missing. A
// misspelt name stays, for CheckArguments to refuse, and so do the caller's own
// objects.
func DropNulls(args map[string]any, form *jsonschema.Schema, loose []string) error {
	for _, name := range SortedKeys(args) {
		property, known := form.Properties[name]
		if !known {
			continue
		}
		switch {
		case args[name] == nil && slices.Contains(form.Required, name):
			return nullRefused(name, accepted(form))
		case args[name] == nil:
			delete(args, name)
		default:
			if err := dropNulls(args[name], property, name, !slices.Contains(loose, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func dropNulls(v any, form *jsonschema.Schema, path string, strict bool) error {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range SortedKeys(v) {
			property, known := form.Properties[name]
			inner := path + "." + name
			switch {
			case known:
			case form.AdditionalProperties != nil && form.AdditionalProperties.Type != "":
				property = form.AdditionalProperties // a map of one kind of value
			default:
				continue
			}
			switch {
			case v[name] != nil:
				if err := dropNulls(v[name], property, inner, strict); err != nil {
					return err
				}
			case strict && slices.Contains(form.Required, name), !known && isValues(path):
				return nullRefused(inner, accepted(form))
			default:
				delete(v, name)
			}
		}
	case []any:
		if form.Items == nil {
			return nil
		}
		for i, item := range v {
			inner := path + "[" + strconv.Itoa(i) + "]"
			if item == nil {
				return nullRefused(inner, "leave it out of the list")
			}
			if err := dropNulls(item, form.Items, inner, strict); err != nil {
				return err
			}
		}
	}
	return nil
}

func nullRefused(path, hint string) error {
	return engine.InvalidInput(hint, "argument %q is null, and a value is needed", path)
}

// isValues reports whether a path leads to the expected values of a KPISpec.
func isValues(path string) bool {
	return path == "spec.values" || path == "kpiSpec.values" || strings.HasSuffix(path, ".kpiSpec.values")
}
