package openai_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/openai"
	"github.com/assay-qa/assay/internal/wiretest"
)

type object = map[string]any

// picture is a PNG of the given size.
func picture(t *testing.T, width, height int) *agent.Image {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return &agent.Image{MIMEType: "image/png", Data: base64.StdEncoding.EncodeToString(b.Bytes()), Width: width, Height: height}
}

// talk is a conversation that has just begun.
func talk(tools ...agent.Tool) agent.Conversation {
	return agent.Conversation{Instructions: "Test the page.", Task: `{"goal":"the page works"}`, Tools: tools, Final: agent.FinalSchema(), Screen: agent.Screen{Width: 1366, Height: 768}}
}

func clickTool() agent.Tool {
	return agent.Tool{Name: "page_click", Description: "Click.", Schema: json.RawMessage(`{"type":"object","required":["selector"],"properties":{"selector":{"type":"string"},"session_id":{"type":"string"},"button":{"type":"string","enum":["left","right"]}}}`)}
}

// TestConversation (D2): text, calls with and without pictures, reasoning and a
// structured end go over both wires, and the provider, which holds each request
// against its own description and the order of the protocol, has no objection.
func TestConversation(t *testing.T) {
	t.Parallel()
	for _, w := range both() {
		t.Run(string(w), func(t *testing.T) {
			final := `{"summary":"it works","status":"passed","findings":[]}`
			p := connect(t, w, nil,
				wiretest.Say{Think: "look first", Text: "I look.", Calls: []wiretest.Call{
					{Name: "page_click", Args: object{"selector": "#a", "session_id": nil, "button": nil}},
					{Name: "page_click", Args: object{"selector": "#b", "session_id": nil, "button": "right"}}},
					Input: 1000, Cached: 600, Output: 50},
				wiretest.Say{Think: "done", Final: json.RawMessage(final)})
			c := talk(clickTool())
			r := p.next(c)
			if r.Text != "I look." || len(r.Calls) != 2 || r.Cut {
				t.Fatalf("the turn is %+v", r)
			}
			if got := string(r.Calls[0].Arguments); got != `{"selector":"#a"}` {
				t.Errorf("nulls that stand for nothing reach the tool: %s", got)
			}
			if got := string(r.Calls[1].Arguments); got != `{"button":"right","selector":"#b"}` {
				t.Errorf("the second call's arguments are %s", got)
			}
			if r.Usage != (agent.Usage{Input: 1000, Cached: 600, Output: 50}) {
				t.Errorf("usage: %+v", r.Usage)
			}
			c.Turns = append(c.Turns, agent.Turn{Reply: r, Notes: []string{"75 % of the calls are spent"}, Results: []agent.Result{
				{ID: r.Calls[0].ID, Name: "page_click", Parts: []agent.Part{{Text: "clicked <a> & more"}, {Image: picture(t, 8, 8)}}},
				{ID: r.Calls[1].ID, Name: "page_click", IsError: true, Parts: []agent.Part{{Text: "no element"}}}}})
			if r = p.next(c); r.Text != final || len(r.Calls) != 0 {
				t.Errorf("the end is %+v", r)
			}
			p.carries(t, w)
		})
	}
}

// carries looks at what the scripted provider doesn't judge.
func (w *wire) carries(t *testing.T, kind wiretest.Wire) {
	t.Helper()
	last := w.server.Requests()[1]
	for _, want := range []string{`"instructions":"Test the page."`, `75 % of the calls`, `"no element"`, `"store":false`, `"truncation":"disabled"`, `reasoning.encrypted_content`,
		`"type":"json_schema"`, `"strict":true`, `data:image/png;base64,`} {
		if !strings.Contains(string(last.Body), want) {
			t.Errorf("the request lacks %s", want)
		}
	}
	if kind == wiretest.Azure && last.Path != "/openai/v1/responses?api-version=v1" {
		t.Errorf("Azure is asked at %s", last.Path)
	}
	if strings.Contains(string(last.Body), key) {
		t.Error("the key is in a body")
	}
}

// TestPrefixIsStable (D6): in 20 turns each request begins with all of the one
// before, byte for byte, so that the provider's cache serves it; and reasoning
// goes back as it came.
func TestPrefixIsStable(t *testing.T) {
	t.Parallel()
	var says []wiretest.Say
	for i := range 20 {
		says = append(says, wiretest.Say{Think: fmt.Sprintf("thought <%d>", i), Calls: []wiretest.Call{{Name: "page_click", Args: object{"selector": fmt.Sprintf("#a%d > b", i), "session_id": nil, "button": nil}}}})
	}
	p := connect(t, wiretest.OpenAI, nil, says...)
	c := talk(clickTool())
	for i := range 20 {
		r := p.next(c)
		if len(r.Calls) != 1 {
			t.Fatalf("turn %d: %+v", i, r)
		}
		c.Turns = append(c.Turns, agent.Turn{Reply: r, Results: []agent.Result{{ID: r.Calls[0].ID, Name: "page_click", Parts: []agent.Part{{Text: fmt.Sprint("clicked ", i)}, {Image: picture(t, 4+i, 4)}}}}})
	}
	bodies := p.sent()
	if len(bodies) != 20 {
		t.Fatalf("%d requests", len(bodies))
	}
	for i := 1; i < len(bodies); i++ {
		before, now := bytes.TrimSuffix(bodies[i-1]["input"], []byte("]")), bodies[i]["input"]
		if !bytes.HasPrefix(now, before) {
			t.Errorf("request %d does not begin with the one before", i+1)
		}
		for name, value := range bodies[i] {
			if name != "input" && !bytes.Equal(value, bodies[i-1][name]) {
				t.Errorf("request %d has another %s", i+1, name)
			}
		}
	}
}

// TestIDs: calls without an id, or with one that was there, get ids of ours,
// and the provider is answered with its own.
func TestIDs(t *testing.T) {
	t.Parallel()
	p := connect(t, wiretest.OpenAI, nil, wiretest.Say{Fault: wiretest.DuplicateID, Calls: []wiretest.Call{{Name: "page_click", Args: object{"selector": "#a"}}, {Name: "page_click", Args: object{"selector": "#b"}}}},
		wiretest.Say{Text: "done"})
	c := talk(clickTool())
	r := p.next(c)
	if len(r.Calls) != 2 || r.Calls[0].ID == r.Calls[1].ID || r.Calls[1].ID == "" {
		t.Fatalf("calls: %+v", r.Calls)
	}
	turn := agent.Turn{Reply: r}
	for _, call := range slices.Backward(r.Calls) { // in whatever order the answers are
		turn.Results = append(turn.Results, agent.Result{ID: call.ID, Name: call.Name, Parts: []agent.Part{{Text: "did " + string(call.Arguments)}}})
	}
	c.Turns = append(c.Turns, turn)
	p.next(c) // the provider objects if an answer is missing or not in its place
	a, b := bytes.Index(p.server.Requests()[1].Body, []byte(`did {\"selector\":\"#a\"`)), bytes.Index(p.server.Requests()[1].Body, []byte(`did {\"selector\":\"#b\"`))
	if a < 0 || b < a {
		t.Errorf("the answers are at %d and %d", a, b)
	}
}

// TestUnansweredCall: whatever the loop did, each call is answered.
func TestUnansweredCall(t *testing.T) {
	t.Parallel()
	p := connect(t, wiretest.OpenAI, nil, wiretest.Say{Calls: []wiretest.Call{{Name: "page_click"}, {Name: "page_click"}}}, wiretest.Say{Text: "done"})
	c := talk(clickTool())
	r := p.next(c)
	c.Turns = append(c.Turns, agent.Turn{Reply: r, Results: []agent.Result{{ID: r.Calls[1].ID, Parts: []agent.Part{{Text: "second"}}}}})
	p.next(c)
	if !bytes.Contains(p.server.Requests()[1].Body, []byte("not executed")) {
		t.Error("a call without a result is not told so")
	}
	c.Turns[0].Reply.Raw = nil
	if _, err := p.Next(t.Context(), c); err == nil {
		t.Error("a turn that another model said is taken for this one's")
	}
}

// TestCheck (D2): key, address and model are known to be good before anything
// runs, on OpenAI without a turn.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, w := range both() {
		check := openai.Check
		if w == wiretest.Azure {
			check = openai.CheckAzure
		}
		for _, tc := range []struct {
			name   string
			change func(*agent.Connection)
			want   agent.Fault
		}{
			{"good", func(*agent.Connection) {}, ""},
			{"wrong key", func(c *agent.Connection) { c.Key = "sk-wrong" }, agent.Unauthorised},
			{"unknown model", func(c *agent.Connection) { c.Model = "gpt-0" }, agent.BadRequest},
			{"nobody there", func(c *agent.Connection) { c.BaseURL = "http://127.0.0.1:1" }, agent.Unavailable},
		} {
			t.Run(string(w)+" "+tc.name, func(t *testing.T) {
				p := connect(t, w, nil, wiretest.Say{Text: "OK"})
				tc.change(&p.Connection)
				faulty(t, check(t.Context(), p.Connection), tc.want)
				for _, r := range p.server.Requests() {
					if w == wiretest.OpenAI && r.Method != http.MethodGet {
						t.Errorf("the check costs a turn: %s %s", r.Method, r.Path)
					}
				}
			})
		}
	}
}

// TestAzureEndpoint (D1): the resource's address and that of its API are both
// taken, a dated version has its own path, and the key never goes over plain
// HTTP to another machine.
func TestAzureEndpoint(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{"": "/openai/v1/responses?api-version=v1", "/": "/openai/v1/responses?api-version=v1",
		"/openai/v1/": "/openai/v1/responses?api-version=v1", "/openai": "/openai/v1/responses?api-version=v1"} {
		p := connect(t, wiretest.Azure, func(c *agent.Connection) { c.BaseURL += base }, wiretest.Say{Text: "hi"})
		p.next(talk())
		if got := p.server.Requests()[0].Path; got != want {
			t.Errorf("%q leads to %s", base, got)
		}
	}
	dated := connect(t, wiretest.Azure, func(c *agent.Connection) { c.APIVersion = "2025-04-01-preview" }, wiretest.Say{Text: "hi"})
	dated.next(talk())
	if got := dated.server.Requests()[0].Path; got != "/openai/responses?api-version=2025-04-01-preview" {
		t.Errorf("a dated version leads to %s", got)
	}
	for _, c := range []agent.Connection{
		{Model: "m", Key: key, BaseURL: "http://assay.example"}, {Model: "m", Key: key, BaseURL: "assay.example"}, {Model: "m", Key: key},
		{Model: "m", BaseURL: "https://assay.example"}, {Key: key, BaseURL: "https://assay.example"},
	} {
		if _, err := openai.NewAzure(c); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := openai.New(agent.Connection{Key: key}); err == nil {
		t.Error("a connection without a model is taken")
	}
}
