package tool

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

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/workspace"
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
	Spec       Spec
	// Handle executes one call and always answers: errors are results.
	Handle func(ctx context.Context, request mcp.CallToolRequest, progress func(message string)) *mcp.CallToolResult
}

// Spec holds what a tool's file says about its tool.
type Spec struct {
	Name        string
	Description string
	Set         Set
	ReadOnly    bool                // changes nothing on the page, the disk or the server
	Destructive bool                // may change what can't be changed back
	Idempotent  bool                // calling it twice is calling it once
	ClosedWorld bool                // touches nothing outside this server
	Off         bool                // the configuration leaves it out
	ChangesPage bool                // every call changes the page: see screenshotBeforeTool
	Unbudgeted  bool                // a spent budget does not refuse it, and it spends none: by it a run begins, ends, or gives back what it holds
	Bounds      bool                // begins or ends the run that is open, and belongs to none
	Verifies    bool                // looks on behalf of a verdict: not having looked counts
	Publish     bool                // publishes its output schema
	Plain       []string            // inputs whose fields are listed without descriptions, see schema.Brief
	Unlisted    []string            // paths of inputs that few need: a schema that the description names has them
	Enums       map[string][]string // values of the texts at these paths of the input
	Forms       schema.Forms        // of inputs whose Go types say less than their form
	Secrets     []string            // inputs that may hold ${secret:NAME}; see RefuseSecrets
	Loose       []string            // inputs whose insides decoding checks, and not the schema; listed plainly
	Verbatim    []string            // inputs whose insides are the caller's own, see ScalarsToText
	Options     map[string]string   // what an input options may hold, with our names of it, see InOurWords
	Repeat      workspace.Repeat    // how a flow repeats a call, see reproduction
}

// Define makes a Tool from its spec and its typed handler. What is wrong in a spec panics
// here, when the catalogue is built, and so in the first test.
func Define[In, Out any](ws *workspace.Workspace, s Spec, run func(ctx context.Context, c *Call, in In) (Out, error)) Tool {
	return define(ws, s, typed{
		input: reflect.TypeFor[In](), output: reflect.TypeFor[Out](), empty: func() any { return new(In) },
		run: func(ctx context.Context, c *Call, in any) (any, error) {
			own, ok := in.(*In)
			if !ok {
				return nil, fmt.Errorf("an input of %T for %s", in, s.Name)
			}
			out, err := run(ctx, c, *own)
			return &out, err
		},
	})
}

// typed holds a handler whose types were taken away, so that what all tools have in common
// is compiled once.
type typed struct {
	input, output reflect.Type
	empty         func() any                                              // a pointer to a new input
	run           func(ctx context.Context, c *Call, in any) (any, error) // of a pointer to an input
}

// define is the one place where schemas are made, arguments checked and errors mapped.
func define(ws *workspace.Workspace, s Spec, h typed) Tool {
	input, whole, listed := formOf(h.input, s), formOf(h.input, s), formOf(h.input, s)
	for _, name := range s.Loose {
		schema.Loosen(input.Properties[name])
	}
	resolved, err := input.Resolve(nil)
	if err != nil {
		panic(fmt.Sprintf("tool %s: input schema: %v", s.Name, err))
	}
	definition := mcp.Tool{
		Name: s.Name, Title: title(s.Name), Description: s.Description,
		RawInputSchema: engine.JSON(schema.Brief(listed, schema.Listing{Plain: append(s.Plain, s.Loose...), Unlisted: s.Unlisted, Enums: s.Enums})),
		Annotations: mcp.ToolAnnotation{
			ReadOnlyHint: &s.ReadOnly, DestructiveHint: &s.Destructive,
			IdempotentHint: &s.Idempotent, OpenWorldHint: mcp.ToBoolPtr(!s.ClosedWorld),
		},
	}
	if s.Publish {
		if definition.RawOutputSchema, err = schema.EnvelopeSchema(schema.OfType(h.output)); err != nil {
			panic(fmt.Sprintf("tool %s: output schema: %v", s.Name, err))
		}
	}
	handle := func(ctx context.Context, request mcp.CallToolRequest, progress func(string)) *mcp.CallToolResult {
		c, in := begin(ws, s, progress), h.empty()
		err := c.spend()
		if err == nil {
			err = decode(request, s, form{input, whole, resolved}, in)
		}
		if err != nil {
			c.Input = refusedInput(rawArguments(request))
			return c.finish(ctx, nil, err)
		}
		limit := ws.Limit
		if t, ok := in.(timed); ok {
			limit = min(ws.HardLimit, max(limit, (t.timeout()+schema.GraceMS).Duration()))
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx, stop := c.inTime(ctx)
		defer stop()
		c.Input = engine.JSON(in)
		if s, ok := in.(showing); ok {
			c.show = s.showing()
		}
		out, err := guarded(ctx, c, in, h.run)
		for c.LookAgain(ctx, err) {
			out, err = guarded(ctx, c, in, h.run)
		}
		if err == nil {
			err = c.lastAnswer(ctx)
		}
		return c.finish(ctx, out, c.cutOff(ctx, err))
	}
	return Tool{Definition: definition, Set: s.Set, Spec: s, Handle: handle}
}

// formOf returns the schema of a tool's input.
func formOf(input reflect.Type, s Spec) *jsonschema.Schema {
	form := schema.OfType(input)
	for name, of := range s.Forms {
		own := of.CloneSchemas()
		own.Description = form.Properties[name].Description
		form.Properties[name] = own
	}
	return form
}

// title returns the name that a client shows to a person.
func title(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	words = strings.NewReplacer("kpi", "KPI", "dom ", "DOM ").Replace(words)
	return strings.ToUpper(words[:1]) + words[1:]
}

// guarded runs the handler and turns a panic, which is our bug, into an error.
func guarded(ctx context.Context, c *Call, in any, run func(context.Context, *Call, any) (any, error)) (out any, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.Workspace.Log.Error("tool panicked", "tool", c.Spec.Name, "panic", p, "stack", string(debug.Stack()))
			err = &engine.Error{Code: code.Internal, Message: pagetext.Sentencef("%s: internal fault: %v", c.Spec.Name, p), Hint: "report it with the server's log"}
		}
	}()
	return run(ctx, c, in)
}

// form holds the schemas of a tool's input.
type form struct {
	input    *jsonschema.Schema // without the insides of the loose inputs
	whole    *jsonschema.Schema
	resolved *jsonschema.Resolved // input
}

// decode checks the arguments against the schema and decodes them into what in points to.
func decode(request mcp.CallToolRequest, s Spec, f form, in any) error {
	args := map[string]any{}
	if raw := rawArguments(request); len(raw) > 0 {
		numbers := json.NewDecoder(bytes.NewReader(raw))
		numbers.UseNumber() // a figure must not change by being read
		if err := numbers.Decode(&args); err != nil {
			return engine.InvalidInput("arguments must be a JSON object", "arguments are no JSON object: %v", err)
		}
	}
	if err := schema.InOurWords(args, f.whole, s.Options); err != nil {
		return err
	}
	if _, err := schema.FromLists(args, f.whole, ""); err != nil {
		return err
	}
	if err := workspace.RefuseSecrets(args, "", s.Secrets); err != nil {
		return err
	}
	if err := schema.DropNulls(args, f.whole, s.Loose); err != nil {
		return err
	}
	own := map[string]any{}
	for _, name := range s.Verbatim {
		if v, given := args[name]; given {
			own[name] = v
			delete(args, name)
		}
	}
	schema.ScalarsToText(args)
	if err := schema.ReadNumbers(args); err != nil {
		return err
	}
	maps.Copy(args, own)
	if err := schema.CheckArguments(args, f.input, f.resolved); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(engine.JSON(args)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		if bad := (*time.ParseError)(nil); errors.As(err, &bad) {
			return engine.InvalidInput("use a form such as 2026-01-31T09:30:00Z", "%q is no time with its offset", strings.Trim(bad.Value, `"`))
		}
		return engine.InvalidInput("", "arguments: %v", err)
	}
	if t, ok := in.(timed); ok && t.timeout() > schema.MaxTimeoutMS {
		return engine.InvalidInput(fmt.Sprintf("use 1 to %d", schema.MaxTimeoutMS), "timeout_ms is %d", t.timeout())
	}
	return nil
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
