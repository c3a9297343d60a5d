package schema

import (
	"maps"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/tools/engine"
)

// timeLimit names the input that the specifications call timeout.
const timeLimit = "timeout_ms"

// InOurWords gives arguments in the words of the specifications our names: timeout is
// timeout_ms, in options too, and an object options holds what else stands beside it.
// options has the names that a tool takes there, with ours. An argument that stands
// there twice is refused; an unknown one stays, for CheckArguments to refuse.
func InOurWords(args map[string]any, form *jsonschema.Schema, options map[string]string) error {
	if own := form.Properties["options"]; own != nil {
		if inner, ok := args["options"].(map[string]any); ok {
			return rename(inner, own, "options.")
		}
		return nil
	}
	if err := rename(args, form, ""); err != nil {
		return err
	}
	words := maps.Clone(options)
	if words == nil {
		words = map[string]string{}
	}
	if form.Properties[timeLimit] != nil {
		words[timeLimit], words["timeout"] = timeLimit, timeLimit
	}
	given, there := args["options"]
	inner, isObject := given.(map[string]any)
	if !there || len(words) == 0 || !isObject && given != nil {
		return nil
	}
	delete(args, "options")
	for _, name := range SortedKeys(inner) {
		ours, known := words[name]
		if !known {
			return engine.InvalidInput("accepted in options: "+strings.Join(SortedKeys(words), ", "), "unknown argument %q%s", "options."+name, text.Hint(name, SortedKeys(words)))
		}
		if err := put(args, "options."+name, ours, inner[name]); err != nil {
			return err
		}
	}
	return nil
}

// rename gives timeout our name where the schema has ours only.
func rename(args map[string]any, form *jsonschema.Schema, path string) error {
	v, given := args["timeout"]
	if !given || form.Properties[timeLimit] == nil || form.Properties["timeout"] != nil {
		return nil
	}
	delete(args, "timeout")
	return put(args, path+"timeout", timeLimit, v)
}

// put sets an argument by our name, unless it was not given, or was given already.
func put(args map[string]any, theirs, ours string, v any) error {
	switch {
	case v == nil:
	case args[ours] != nil:
		return engine.InvalidInput("leave one of them out", "%s is given twice: as %s too", ours, theirs)
	default:
		args[ours] = v
	}
	return nil
}
