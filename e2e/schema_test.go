package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// officialFolder holds the protocol's own schemas.
const officialFolder = "../testdata/official/mcp"

// official are the compiled definitions of one revision's official schema.
type official struct {
	compiler *jsonschema.Compiler
	url      string // of the definitions

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// officials reads each revision's schema once: every conversation needs it.
var officials = sync.OnceValues(func() (map[revision]*official, error) {
	all := map[revision]*official{}
	for _, r := range revisions() {
		o, err := readOfficial(r)
		if err != nil {
			return nil, err
		}
		all[r] = o
	}
	return all, nil
})

func readOfficial(r revision) (*official, error) {
	raw, err := os.ReadFile(filepath.Join(officialFolder, string(r)+".json"))
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	url := "mcp:///" + string(r) + ".json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(url, doc); err != nil {
		return nil, err
	}
	keyword := "$defs"
	if top, ok := doc.(map[string]any); ok && top[keyword] == nil {
		keyword = "definitions" // as draft 7 has it
	}
	return &official{compiler: c, url: url + "#/" + keyword + "/", compiled: map[string]*jsonschema.Schema{}}, nil
}

// check validates a JSON text against one definition.
func (o *official) check(definition string, raw []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.compiled[definition]
	if s == nil {
		var err error
		if s, err = o.compiler.Compile(o.url + definition); err != nil {
			return err
		}
		o.compiled[definition] = s
	}
	return validate(s, raw)
}

func validate(s *jsonschema.Schema, raw []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// compile makes a validator of a schema that the server sent.
func compile(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tool:///schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("tool:///schema.json")
}

// definition names the official type of a request's result.
func definition(method string) string {
	switch method {
	case "initialize":
		return "InitializeResult"
	case "ping":
		return "EmptyResult"
	case "server/discover":
		return "DiscoverResult"
	case "tools/list":
		return "ListToolsResult"
	case "tools/call":
		return "CallToolResult"
	case "resources/list":
		return "ListResourcesResult"
	case "resources/templates/list":
		return "ListResourceTemplatesResult"
	case "prompts/list":
		return "ListPromptsResult"
	case "prompts/get":
		return "GetPromptResult"
	case "resources/read":
		return "ReadResourceResult"
	default:
		return "Result"
	}
}

// The audits validate with these schemas, which can refuse.
func TestOfficialSchemasRefuse(t *testing.T) {
	t.Parallel()
	all, err := officials()
	if err != nil {
		t.Fatal(err)
	}
	for r, o := range all {
		if err := o.check("CallToolResult", []byte(`{"content":"text"}`)); err == nil {
			t.Errorf("%s accepts a text where a list of content is required", r)
		}
		if err := o.check("JSONRPCMessage", []byte(`{"id":1,"result":{}}`)); err == nil {
			t.Errorf("%s accepts a message without jsonrpc", r)
		}
	}
}

// valid says what the official schema has against one message.
func (o *official) valid(m message, method string) error {
	if err := o.check("JSONRPCMessage", m.line); err != nil {
		return err
	}
	switch {
	case m.Method == "notifications/progress":
		return o.check("ProgressNotification", m.line)
	case m.Method != "" && m.ID == nil:
		return o.check("ServerNotification", m.line)
	case m.Method == "elicitation/create":
		return o.check("ElicitRequest", m.line)
	case m.Method != "":
		return fmt.Errorf("a request to the client, which these clients can't answer")
	case asksBack(m):
		return o.check("InputRequiredResult", m.Result)
	case m.Result != nil:
		return o.check(definition(method), m.Result)
	}
	return nil
}

// asksBack reports whether a result is a question of the server's, for which
// the newest revision has a type of its own.
func asksBack(m message) bool {
	var r struct{ ResultType string }
	return m.Result != nil && json.Unmarshal(m.Result, &r) == nil && r.ResultType == "input_required"
}
