package schema

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/tools/engine"
)

// FromLists turns what stands in the listed form of a map into the map, at any depth:
// a list of texts name=value, or a JSON text where a value may be anything. form is
// the schema of v, and path names v in errors. What has another form stays as it is,
// for CheckArguments to judge.
func FromLists(v any, form *jsonschema.Schema, path string) (any, error) {
	switch {
	case form == nil:
		return v, nil
	case isMap(form) && form.AdditionalProperties.Type == "":
		return fromJSON(v, path)
	case isMap(form):
		return fromMap(v, form.AdditionalProperties.Type, path)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range SortedKeys(v) {
			read, err := FromLists(v[name], form.Properties[name], strings.TrimPrefix(path+"."+name, "."))
			if err != nil {
				return nil, err
			}
			v[name] = read
		}
	case []any:
		for i := range v {
			read, err := FromLists(v[i], form.Items, path+"["+strconv.Itoa(i)+"]")
			if err != nil {
				return nil, err
			}
			v[i] = read
		}
	}
	return v, nil
}

// fromMap reads a map whose values have a JSON type: as it is, as a list of texts, or as
// a JSON text. A number or truth value is a text where texts are wanted.
func fromMap(v any, kind, path string) (any, error) {
	if texts, ok := v.([]any); ok {
		return fromTexts(texts, kind, path)
	}
	v, err := fromJSON(v, path)
	if named, ok := v.(map[string]any); ok && kind == "string" {
		for name, value := range named {
			switch value.(type) {
			case json.Number, bool:
				named[name] = fmt.Sprint(value)
			}
		}
	}
	return v, err
}

// ReadNumbers turns numbers as they were written into those of Go, at any depth.
func ReadNumbers(v any) error {
	each := func(item any, put func(float64)) error {
		number, ok := item.(json.Number)
		if !ok {
			return ReadNumbers(item)
		}
		read, err := number.Float64()
		if err != nil {
			return engine.InvalidInput("use a smaller number", "the number %s is too large", number)
		}
		put(read)
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range SortedKeys(v) {
			if err := each(v[name], func(f float64) { v[name] = f }); err != nil {
				return err
			}
		}
	case []any:
		for i := range v {
			if err := each(v[i], func(f float64) { v[i] = f }); err != nil {
				return err
			}
		}
	}
	return nil
}

// fromJSON reads the text of a JSON object.
func fromJSON(v any, path string) (any, error) {
	text, ok := v.(string)
	if !ok {
		return v, nil
	}
	var read map[string]any
	numbers := json.NewDecoder(strings.NewReader(text))
	numbers.UseNumber()
	if err := numbers.Decode(&read); err != nil || numbers.More() {
		return nil, engine.InvalidInput(`write an object, such as {"name": "value"}`, "argument %q is no JSON object", path)
	}
	return read, nil
}

// fromTexts reads texts name=value, of whose values kind is the JSON type. A header
// may be written with its colon.
func fromTexts(texts []any, kind, path string) (any, error) {
	read := map[string]any{}
	for i, item := range texts {
		inner := path + "[" + strconv.Itoa(i) + "]"
		text, ok := item.(string)
		at := strings.IndexByte(text, '=')
		if kind != "string" { // the name may be a selector
			at = strings.LastIndexByte(text, '=')
		}
		if colon := strings.IndexByte(text, ':'); colon > 0 && (at < 0 || colon < at) && strings.HasSuffix(path, "headers") {
			at = colon
		}
		if !ok || at < 1 {
			return nil, engine.InvalidInput("write name=value", "argument %q is no text name=value: %s", inner, engine.JSON(item))
		}
		name, value := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
		if _, twice := read[name]; twice {
			return nil, engine.InvalidInput("leave one of them out", "argument %q: %q is given twice", inner, name)
		}
		switch kind {
		case "number":
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return nil, engine.InvalidInput("write name=0.05", "argument %q: %q is no number", inner, value)
			}
			read[name] = n
		case "object":
			tolerance, ok := toleranceOf(value).(map[string]any)
			if !ok {
				return nil, engine.InvalidInput("write KPI=1% or KPI=0.5", "argument %q: %q is no tolerance", inner, value)
			}
			read[name] = tolerance
		default:
			read[name] = value
		}
	}
	return read, nil
}
