package wiretest

import (
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/assay-qa/assay/internal/pattern"
)

// jsonObject is a JSON object.
type jsonObject = map[string]any

// List returns a JSON array; anything else is none.
func List(v any) []any {
	l, _ := v.([]any)
	return l
}

// Decode decodes JSON.
func Decode(raw []byte) (any, error) {
	var v any
	err := json.Unmarshal(raw, &v)
	return v, err
}

// Schemas are compiled JSON Schemas by their names.
type Schemas map[string]*jsonschema.Schema

// The official descriptions of requests, compiled when they are first asked for:
// that takes up to half a second each.
var (
	openAISchemas    = requests("openai/openai-openapi.json.gz", "CreateResponse", "CreateChatCompletionRequest")
	anthropicSchemas = requests("anthropic/openapi.json.gz", "CreateMessageParams")
	anthropicBetas   = requests("anthropic/openapi.json.gz", "BetaCreateMessageParams")
	geminiSchemas    = requests("gemini/genai-types.json.gz", "GenerateContentRequest")
	ruleSchemas      = sync.OnceValues(readRules)
)

func requests(path string, names ...string) func() (Schemas, error) {
	return sync.OnceValues(func() (Schemas, error) { return Official(path, names...) })
}

// Load reads the official description of a request of that name.
func Load(description string) error {
	_, err := load(description)
	return err
}

func load(description string) (*jsonschema.Schema, error) {
	read := map[string]func() (Schemas, error){"CreateResponse": openAISchemas, "CreateChatCompletionRequest": openAISchemas,
		"CreateMessageParams": anthropicSchemas, "BetaCreateMessageParams": anthropicBetas, "GenerateContentRequest": geminiSchemas}[description]
	if read == nil {
		return nil, fmt.Errorf("wiretest/schema: there is no description %q", description)
	}
	all, err := read()
	return all[description], err
}

// SchemaProblems holds a request to a model against the official description of that name
// (empty: none) and against the rules of a wire, and returns what is wrong with it.
func SchemaProblems(description, wire, model string, header http.Header, body any) []string {
	rules, err := ruleSchemas()
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	if description != "" {
		official, err := load(description)
		if err != nil {
			return []string{err.Error()}
		}
		for _, p := range Problems(official, body) {
			out = append(out, "not a "+description+": "+p)
		}
	}
	flat := jsonObject{}
	for name, values := range header {
		flat[name] = strings.Join(values, ",")
	}
	return append(out, Problems(rules[wire], jsonObject{"model": model, "header": flat, "body": body})...)
}

//go:embed rules.json
var rulesJSON []byte

// readRules compiles what a request must be beyond its description.
func readRules() (Schemas, error) {
	doc, err := Decode(rulesJSON)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	for name, check := range formats() {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: check})
	}
	return compile(c, doc, "#/$defs/", []string{"strictRoot", "anthropicStrict", "geminiSchema", "openai", "azure", "anthropic", "google", "chat"})
}

const components = "#/components/schemas/"

// Official reads an OpenAPI 3.1 description below testdata/official, whose
// schemas are JSON Schema 2020-12, and compiles the named ones with what they
// refer to. No object in them may have a field that they lack: providers answer
// 400 to those, although their descriptions leave it open.
func Official(path string, names ...string) (Schemas, error) {
	folder, err := officialFolder()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(folder, filepath.FromSlash(path)))
	if err != nil {
		return nil, fmt.Errorf("wiretest/schema: the official description: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("wiretest/schema: %s: %w", path, err)
	}
	var doc struct{ Components struct{ Schemas description } }
	if err := json.NewDecoder(z).Decode(&doc); err != nil {
		return nil, fmt.Errorf("wiretest/schema: %s: %w", path, err)
	}
	d := doc.Components.Schemas
	for name, v := range d {
		normalize(name, v)
	}
	for _, v := range d {
		d.seal(v, false)
	}
	roots := jsonObject{}
	for _, name := range names {
		roots[name] = jsonObject{"$ref": components + name, "unevaluatedProperties": false}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseRegexpEngine(ecma)
	return compile(c, jsonObject{"components": jsonObject{"schemas": map[string]any(d)}, "roots": roots}, "#/roots/", names)
}

// officialFolder finds testdata/official at the top of the tree that the working folder
// is in: a program built with -trimpath does not know where its source is.
func officialFolder() (string, error) {
	from, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("wiretest/schema: find testdata/official: %w", err)
	}
	for dir := from; ; dir = filepath.Dir(dir) {
		folder := filepath.Join(dir, "testdata", "official")
		if _, err := os.Stat(folder); err == nil {
			return folder, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("wiretest/schema: no testdata/official above %s: run it in a folder of this tree", from)
		}
	}
}

// compile compiles the named schemas of a document.
func compile(c *jsonschema.Compiler, doc any, at string, names []string) (Schemas, error) {
	const urn = "urn:wiretest"
	if err := c.AddResource(urn, doc); err != nil {
		return nil, fmt.Errorf("wiretest/schema: %w", err)
	}
	out := Schemas{}
	for _, name := range names {
		s, err := c.Compile(urn + at + name)
		if err != nil {
			return nil, fmt.Errorf("wiretest/schema: %s: %w", name, err)
		}
		out[name] = s
	}
	return out, nil
}

// ecma compiles a pattern of ECMAScript. Of what Go spells otherwise, the
// descriptions use escapes of four digits.
func ecma(pattern string) (jsonschema.Regexp, error) {
	return regexp.Compile(ecmaEscape.ReplaceAllString(pattern, `\x{$1}`))
}

var ecmaEscape = pattern.New(`\\u([0-9a-fA-F]{4})`)

// description holds the schemas of components/schemas.
type description map[string]any

// normalize makes anyOf of each oneOf (alternatives of the descriptions overlap,
// for example the two forms of a user's message), and a reference of a recursion
// as JSON Schema spelt it before 2020-12.
func normalize(name string, v any) {
	for s := range Objects(v) {
		if one, ok := s["oneOf"].([]any); ok && s["anyOf"] == nil {
			s["anyOf"] = one
			delete(s, "oneOf")
		}
		if s["$recursiveRef"] == "#" {
			s["$ref"] = components + name
			delete(s, "$recursiveRef")
		}
		if s["$recursiveAnchor"] == true {
			delete(s, "$recursiveAnchor")
		}
	}
}

// seal forbids unknown fields in each object that a property or an item is. used
// says that v is such a place, and not a part of a composition.
func (d description) seal(v any, used bool) {
	s, ok := v.(jsonObject)
	if !ok {
		return
	}
	properties, _ := s["properties"].(jsonObject)
	for _, p := range properties {
		d.seal(p, true)
	}
	for _, key := range []string{"items", "additionalProperties"} {
		d.seal(s[key], true)
	}
	for _, key := range []string{"allOf", "anyOf"} {
		for _, e := range List(s[key]) {
			d.seal(e, false)
		}
	}
	if known, open := d.fields(s, 0); used && known && !open {
		s["unevaluatedProperties"] = false
	}
}

// fields reports whether a schema names properties, and whether it takes any.
func (d description) fields(v any, depth int) (known, open bool) {
	s, ok := v.(jsonObject)
	if !ok || depth > 30 {
		return false, false
	}
	parts := append(List(s["allOf"]), List(s["anyOf"])...)
	if ref, ok := s["$ref"].(string); ok {
		parts = append(parts, d[strings.TrimPrefix(ref, components)])
	}
	known = s["properties"] != nil
	open = s["type"] == "object" && !known && len(parts) == 0
	for _, p := range parts {
		k, o := d.fields(p, depth+1)
		known, open = known || k, open || o
	}
	return known, open
}

// Problems holds decoded JSON against a schema.
func Problems(s *jsonschema.Schema, v any) []string {
	err := s.Validate(v)
	var invalid *jsonschema.ValidationError
	if err != nil && !errors.As(err, &invalid) {
		return []string{err.Error()}
	}
	if err == nil {
		return nil
	}
	var out []string
	for _, l := range leaves(invalid) {
		at := strings.TrimPrefix("/"+strings.Join(l.InstanceLocation, "/"), "/body")
		words := comment(l.SchemaURL)
		if words == "" {
			words = fmt.Sprint(l.DetailedOutput().Error)
		}
		if k, ok := l.ErrorKind.(*kind.Format); ok {
			words = k.Err.Error()
		}
		if unknown(l) {
			words = at + " is not a field of the description"
		}
		out = append(out, "at "+at+": "+words)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// comment finds the $comment of the rule at an address: why it is one.
func comment(address string) string {
	_, pointer, _ := strings.Cut(address, "#")
	v, _ := Decode(rulesJSON) // it was compiled
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		name = strings.NewReplacer("~1", "/", "~0", "~", "%24", "$").Replace(name)
		switch e := v.(type) {
		case jsonObject:
			v = e[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err == nil && i < len(e) {
				v = e[i]
			}
		}
	}
	s, _ := v.(jsonObject)
	words, _ := s["$comment"].(string)
	return words
}

// leaves are the causes of an error. Of alternatives that all failed, it follows
// the one that was meant: where the type is right, and least is wrong. What is
// wrong in a field makes the fields around it unknown as well: only the deepest
// unknown ones are kept, and none beside another cause.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	if _, ok := e.ErrorKind.(*kind.AnyOf); !ok {
		deepest, known := 0, false
		for _, c := range e.Causes {
			out = append(out, leaves(c)...)
		}
		for _, l := range out {
			deepest, known = max(deepest, len(l.InstanceLocation)), known || !unknown(l)
		}
		return slices.DeleteFunc(out, func(l *jsonschema.ValidationError) bool {
			return unknown(l) && (known || len(l.InstanceLocation) < deepest)
		})
	}
	depth := len(e.InstanceLocation)
	best := 1 << 30
	for _, c := range e.Causes {
		below := leaves(c)
		cost := len(below)
		for _, l := range below {
			if len(l.InstanceLocation) == depth { // the wrong JSON type, or properties missing
				cost += 10
			}
			if len(l.InstanceLocation) == depth+1 && slices.Contains([]string{"type", "role"}, l.InstanceLocation[depth]) {
				cost += 1000
			}
		}
		if cost < best {
			best, out = cost, below
		}
	}
	return out
}

// unknown reports a field that a description lacks.
func unknown(e *jsonschema.ValidationError) bool {
	return strings.HasSuffix(e.SchemaURL, "/unevaluatedProperties")
}
