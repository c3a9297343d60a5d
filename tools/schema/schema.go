package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-qa/assay/browser"

	"github.com/assay-qa/assay/qa"
)

// Bounds on the time-outs a caller may set.
const (
	minTimeoutMS = 1
	MaxTimeoutMS = 600_000
	GraceMS      = 10_000 // what a call may take beyond the caller's time-out
)

// Millis holds a duration in milliseconds as a caller gives it.
type Millis int

// Duration returns m as Go has it.
func (m Millis) Duration() time.Duration { return time.Duration(m) * time.Millisecond }

// toleranceOf returns the object that a tolerance written as a text or a number
// stands for: "1%", "0.5", 2. Anything else comes back as it is.
func toleranceOf(given any) any {
	switch t := given.(type) {
	case json.Number:
		return map[string]any{"absolute": t}
	case string:
		field, text := "absolute", strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(t), "±"))
		if figure, percent := strings.CutSuffix(text, "%"); percent {
			field, text = "percent", strings.TrimSpace(figure)
		}
		if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
			return map[string]any{field: n}
		}
	}
	return given
}

// assertionFields lets a caller of assert write the tolerance as a text, a number or
// null, and null for what is unknown of the evidence.
func assertionFields(v map[string]any) {
	if v["severity"] == nil {
		return // such as a map of KPIs, of which one may be called tolerance
	}
	unknown := func(_ string, v any) bool { return v == nil }
	if t, given := v["tolerance"]; given {
		v["tolerance"] = toleranceOf(t)
	}
	maps.DeleteFunc(v, unknown)
	items, _ := v["evidence"].([]any)
	for _, item := range items {
		named, _ := item.(map[string]any)
		maps.DeleteFunc(named, unknown)
	}
}

// ScalarsToText lets a caller write expected: 3 for expected: "3", at any
// depth: for these fields nothing is lost by it.
func ScalarsToText(v any) {
	switch v := v.(type) {
	case map[string]any:
		assertionFields(v)
		for key, item := range v {
			switch n := item.(type) {
			case json.Number, bool:
				if key == "expected" || key == "observed" || key == "value" {
					v[key] = fmt.Sprint(n)
				}
			default:
				ScalarsToText(item)
			}
		}
	case []any:
		for _, item := range v {
			ScalarsToText(item)
		}
	}
}

// typeSchemas returns the schemas of types that say more than their Go kind.
func typeSchemas() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Millis]():                {Type: "integer", Minimum: jsonschema.Ptr(float64(minTimeoutMS))},
		reflect.TypeFor[qa.AssertionType]():      enum(qa.AssertionTypes()),
		reflect.TypeFor[qa.Severity]():           enum(qa.Severities()),
		reflect.TypeFor[qa.Category]():           enum(qa.Categories()),
		reflect.TypeFor[qa.Status]():             enum([]qa.Status{qa.Passed, qa.Failed, qa.Inconclusive}),
		reflect.TypeFor[qa.TestStatus]():         enum([]qa.TestStatus{qa.TestPassed, qa.TestFailed, qa.TestError, qa.TestSkipped}),
		reflect.TypeFor[qa.KPISource]():          enum([]qa.KPISource{qa.StaticValues, qa.APIEndpoint}),
		reflect.TypeFor[qa.Source]():             enum([]qa.Source{qa.SourceTool, qa.SourceRule, qa.SourceModel}),
		reflect.TypeFor[browser.InterceptMode](): enum([]browser.InterceptMode{browser.Observe, browser.Block, browser.Mock}),
		reflect.TypeFor[time.Time]():             {Type: "string", Format: "date-time"},
	}
}

func enum[T ~string](values []T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// Of derives the JSON Schema of a Go type, in the subset that all model
// providers take: no type lists, properties on every object.
func Of[T any]() *jsonschema.Schema { return OfType(reflect.TypeFor[T]()) }

// OfType derives it of a type that is known at run time only.
func OfType(t reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: typeSchemas()})
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", t, err))
	}
	simplify(s)
	return s
}

// simplify drops null from type lists: our JSON leaves absent values out.
func simplify(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	for _, t := range s.Types {
		if t != "null" {
			s.Type = t
		}
	}
	s.Types = nil
	for _, p := range s.Properties {
		simplify(p)
	}
	simplify(s.Items)
	simplify(s.AdditionalProperties)
	if s.Type == "object" && s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
}

// Loosen takes the inside of a schema away, for what a model rarely writes and
// would pay for in every list of tools; assay://schemas/task-spec.json has it.
func Loosen(s *jsonschema.Schema) {
	switch s.Type {
	case "array":
		Loosen(s.Items)
	case "object":
		s.Properties, s.Required, s.AdditionalProperties = map[string]*jsonschema.Schema{}, nil, &jsonschema.Schema{}
	}
}
