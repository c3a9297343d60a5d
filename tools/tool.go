package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// Set names a group of tools that a configuration switches on together.
type Set string

// The toolsets.
const (
	Core   Set = "core"
	Full   Set = "full"
	Author Set = "author"
)

// Tool holds one entry of the catalogue, ready to be served.
type Tool struct {
	Definition mcp.Tool
	Set        Set
	spec       spec
	// Handle executes one call and always answers: errors are results.
	Handle func(ctx context.Context, request mcp.CallToolRequest, progress func(message string)) *mcp.CallToolResult
}

// spec holds what a tool's file says about its tool.
type spec struct {
	name        string
	description string
	set         Set
	readOnly    bool     // changes nothing on the page, the disk or the server
	destructive bool     // may change what can't be changed back
	idempotent  bool     // calling it twice is calling it once
	closedWorld bool     // touches nothing outside this server
	off         bool     // the configuration leaves it out
	changesPage bool     // every call changes the page: see screenshotBeforeTool
	unbudgeted  bool     // a spent budget does not refuse it, and it spends none: by it a run begins, ends, or gives back what it holds
	bounds      bool     // begins or ends the run that is open, and belongs to none
	verifies    bool     // looks on behalf of a verdict: not having looked counts
	publish     bool     // publishes its output schema
	fields      []string // of its data, the published ones; none means all
	insides     []string // inputs whose insides their descriptions tell, see brief
	unlisted    []string // inputs that few need: a schema that the description names tells them
	secrets     []string // inputs that may hold ${secret:NAME}; see refuseSecrets
	loose       []string // inputs whose insides are left to the published schemas
	verbatim    []string // inputs whose insides are the caller's own, see scalarsToText
	repeat      repeat   // how a flow repeats a call, see reproduction
}

// Bounds on the time-outs a caller may set.
const (
	minTimeoutMS = 1
	maxTimeoutMS = 600_000
	graceMS      = 10_000 // what a call may take beyond the caller's time-out
)

// Millis holds a duration in milliseconds as a caller gives it.
type Millis int

func (m Millis) duration() time.Duration { return time.Duration(m) * time.Millisecond }

// timed is implemented by inputs in which the caller sets a time-out.
type timed interface{ timeout() Millis }

// timeLimit is embedded by inputs with a time-out.
type timeLimit struct {
	TimeoutMS Millis `json:"timeout_ms,omitempty"`
}

func (t timeLimit) timeout() Millis { return t.TimeoutMS }

// onSession is embedded by inputs of tools that act on a session.
type onSession struct {
	SessionID string `json:"session_id,omitempty"`
}

// binds is embedded by inputs of tools whose checks can prove expectations.
type binds struct {
	Expects []string `json:"expects,omitempty"`
}

// define makes a Tool from its spec and its typed handler. This is the one
// place where schemas are made, arguments checked and errors mapped; what is
// wrong in a spec panics here, when the catalogue is built, and so in the
// first test.
func define[In, Out any](d *Desk, s spec, run func(ctx context.Context, c *call, in In) (Out, error)) Tool {
	input := schemaOf[In]()
	for _, name := range s.loose {
		loosen(input.Properties[name])
	}
	resolved, err := input.Resolve(nil)
	if err != nil {
		panic(fmt.Sprintf("tool %s: input schema: %v", s.name, err))
	}
	definition := mcp.Tool{
		Name: s.name, Description: s.description,
		RawInputSchema: engine.JSON(brief(schemaOf[In](), append(s.insides, s.loose...), s.unlisted)),
		Annotations: mcp.ToolAnnotation{
			ReadOnlyHint: &s.readOnly, DestructiveHint: &s.destructive,
			IdempotentHint: &s.idempotent, OpenWorldHint: mcp.ToBoolPtr(!s.closedWorld),
		},
	}
	if s.publish {
		definition.RawOutputSchema = engine.JSON(envelopeSchema(schemaOf[Out](), s.fields))
	}
	handle := func(ctx context.Context, request mcp.CallToolRequest, progress func(string)) *mcp.CallToolResult {
		c := d.begin(s, progress)
		if err := c.spend(); err != nil {
			c.input = refusedInput(rawArguments(request))
			return c.finish(ctx, nil, err)
		}
		in, err := decode[In](request, s, input, resolved)
		if err != nil {
			c.input = refusedInput(rawArguments(request))
			return c.finish(ctx, nil, err)
		}
		limit := d.Limit
		if t, ok := any(in).(timed); ok {
			limit = min(d.HardLimit, max(limit, (t.timeout()+graceMS).duration()))
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx, stop := c.inTime(ctx)
		defer stop()
		c.input = engine.JSON(in)
		out, err := guarded(ctx, c, in, run)
		return c.finish(ctx, out, c.cutOff(ctx, err))
	}
	return Tool{Definition: definition, Set: s.set, spec: s, Handle: handle}
}

// guarded runs the handler and turns a panic, which is our bug, into an error.
func guarded[In, Out any](ctx context.Context, c *call, in In, run func(context.Context, *call, In) (Out, error)) (out Out, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.desk.Log.Error("tool panicked", "tool", c.spec.name, "panic", p, "stack", string(debug.Stack()))
			err = &engine.Error{Code: code.Internal, Message: fmt.Sprintf("%s: internal fault: %v", c.spec.name, p), Hint: "report it with the server's log"}
		}
	}()
	return run(ctx, c, in)
}

// decode checks the arguments against the schema and decodes them.
func decode[In any](request mcp.CallToolRequest, s spec, schema *jsonschema.Schema, resolved *jsonschema.Resolved) (In, error) {
	var in In
	args := map[string]any{}
	if raw := rawArguments(request); len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			return in, engine.InvalidInput("arguments must be a JSON object", "arguments are no JSON object: %v", err)
		}
	}
	if err := refuseSecrets(args, "", s.secrets); err != nil {
		return in, err
	}
	own := map[string]any{}
	for _, name := range s.verbatim {
		if v, given := args[name]; given {
			own[name] = v
			delete(args, name)
		}
	}
	scalarsToText(args)
	maps.Copy(args, own)
	if err := checkArguments(args, schema, resolved); err != nil {
		return in, err
	}
	decoder := json.NewDecoder(bytes.NewReader(engine.JSON(args)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&in); err != nil {
		if bad := (*time.ParseError)(nil); errors.As(err, &bad) {
			return in, engine.InvalidInput("use a form such as 2026-01-31T09:30:00Z", "%q is no time with its offset", strings.Trim(bad.Value, `"`))
		}
		return in, engine.InvalidInput("", "arguments: %v", err)
	}
	if t, ok := any(in).(timed); ok && t.timeout() > maxTimeoutMS {
		return in, engine.InvalidInput(fmt.Sprintf("use 1 to %d", maxTimeoutMS), "timeout_ms is %d", t.timeout())
	}
	return in, nil
}

// rawArguments returns the arguments as JSON, whichever way they came: off the
// wire they are raw, in process a map.
func rawArguments(request mcp.CallToolRequest) []byte {
	switch a := request.Params.Arguments.(type) {
	case nil:
		return request.Params.RawArguments
	case json.RawMessage:
		return a
	default:
		return engine.JSON(a)
	}
}

// scalarsToText lets a caller write expected: 3 for expected: "3", at any
// depth: for these fields nothing is lost by it.
func scalarsToText(v any) {
	switch v := v.(type) {
	case map[string]any:
		oracleToText(v)
		for key, item := range v {
			switch n := item.(type) {
			case float64, bool:
				if key == "expected" || key == "observed" || key == "value" {
					v[key] = string(engine.JSON(n))
				}
			default:
				scalarsToText(item)
			}
		}
	case []any:
		for _, item := range v {
			scalarsToText(item)
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

// schemaOf derives the JSON Schema of a Go type, in the subset that all model
// providers take: no type lists, properties on every object.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: typeSchemas()})
	if err != nil {
		panic(fmt.Sprintf("schema of %T: %v", *new(T), err))
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

// loosen takes the inside of a schema away, for what a model rarely writes and
// would pay for in every list of tools; assay://schemas/task-spec.json has it.
func loosen(s *jsonschema.Schema) {
	switch s.Type {
	case "array":
		loosen(s.Items)
	case "object":
		s.Properties, s.Required, s.AdditionalProperties = map[string]*jsonschema.Schema{}, nil, &jsonschema.Schema{}
	}
}
