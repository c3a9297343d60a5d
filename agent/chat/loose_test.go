package chat_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/chat"
)

// answering is a model on a server that always gives the same answer.
func answering(t *testing.T, status int, header map[string]string, body string) *chat.Model {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // who went away needs none
	}))
	t.Cleanup(s.Close)
	m, err := chat.New(agent.Connection{BaseURL: s.URL + "/v1", Model: name, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What servers send that the description does not say (C2): each is read as it
// is meant, and a text is no call because it looks like one.
func TestLooseAnswers(t *testing.T) {
	message := func(fields string) string { return `{"choices":[{"message":{` + fields + `},"finish_reason":"stop"}]}` }
	for title, c := range map[string]struct{ body, text, calls string }{
		"a thought before the text":           {message(`"content":"<think>\nhm {\n</think>\n\nIt works."`), "It works.", ""},
		"a thought that the template began":   {message(`"content":"hm\n</think>It works."`), "It works.", ""},
		"a thought that was cut":              {message(`"content":"<think>hm, perhaps"`), "", ""},
		"a thought in a field of its own":     {message(`"content":"It works.","reasoning_content":"hm","reasoning":"hm"`), "It works.", ""},
		"no content":                          {message(`"content":null,"tool_calls":[{"id":"a","function":{"name":"page_click","arguments":"{\"selector\":\"#a\"}"}}]`), "", `a page_click {"selector":"#a"};`},
		"arguments as an object":              {message(`"tool_calls":[{"id":"a","function":{"name":"page_click","arguments":{"selector":"#a"}}}]`), "", `a page_click {"selector":"#a"};`},
		"no arguments":                        {message(`"content":"","tool_calls":[{"id":"a","function":{"name":"page_snapshot"}},{"id":"","function":{"name":"page_snapshot","arguments":""}}]`), "", `a page_snapshot ;call-1-2 page_snapshot ;`},
		"a call in the text":                  {message(`"content":" {\"name\": \"page_click\", \"arguments\": {\"selector\": \"#a\"}}\n"`), "", `call-1-1 page_click {"selector": "#a"};`},
		"a call in the text, after a thought": {message(`"content":"<think>hm</think>{\"name\":\"page_click\",\"arguments\":{}}"`), "", `call-1-1 page_click {};`},
		"a call of no tool":                   {message(`"content":"{\"name\":\"page_clack\",\"arguments\":{}}"`), `{"name":"page_clack","arguments":{}}`, ""},
		"more than a call":                    {message(`"content":"{\"name\":\"page_click\",\"arguments\":{}} and then"`), `{"name":"page_click","arguments":{}} and then`, ""},
		"two calls in the text":               {message(`"content":"{\"name\":\"page_click\",\"arguments\":{}}{\"name\":\"page_click\",\"arguments\":{}}"`), `{"name":"page_click","arguments":{}}{"name":"page_click","arguments":{}}`, ""},
		"a report that has a name":            {message(`"content":"{\"name\":\"page_click\",\"arguments\":{},\"status\":\"passed\"}"`), `{"name":"page_click","arguments":{},"status":"passed"}`, ""},
		"a call without arguments":            {message(`"content":"{\"name\":\"page_click\"}"`), `{"name":"page_click"}`, ""},
	} {
		t.Run(title, func(t *testing.T) {
			r, err := answering(t, 200, nil, c.body).Next(t.Context(), agent.Conversation{Task: task, Tools: catalogue()})
			if err != nil {
				t.Fatal(err)
			}
			calls := ""
			for _, call := range r.Calls {
				calls += fmt.Sprintf("%s %s %s;", call.ID, call.Name, call.Arguments)
			}
			if r.Text != c.text || calls != c.calls {
				t.Errorf("text %q, calls %q; want %q, %q", r.Text, calls, c.text, c.calls)
			}
			if r.Usage != (agent.Usage{}) {
				t.Errorf("usage %+v where none was told", r.Usage)
			}
		})
	}
}

// A server's refusal keeps its words, without the key, and says what kind it is
// (D2).
func TestErrors(t *testing.T) {
	for title, c := range map[string]struct {
		status  int
		header  map[string]string
		body    string
		fault   agent.Fault
		message string
		after   time.Duration
	}{
		"openai's form":     {404, nil, `{"error":{"message":"model 'x' not found","type":"api_error"}}`, agent.BadRequest, "model 'x' not found", 0},
		"ollama's old form": {400, nil, `{"error":"does not support tools"}`, agent.BadRequest, "does not support tools", 0},
		"no JSON":           {502, nil, "<html>Bad gateway</html>", agent.Unavailable, "<html>Bad gateway</html>", 0},
		"nothing":           {500, nil, "", agent.Unavailable, "", 0},
		"the key in it":     {401, nil, `{"error":{"message":"wrong key: ` + key + `"}}`, agent.Unauthorised, "wrong key: [key]", 0},
		"forbidden":         {403, nil, `{"error":{"message":"no"}}`, agent.Unauthorised, "no", 0},
		"too long":          {400, nil, `{"error":{"message":"the request exceeds the available context size. try increasing it"}}`, agent.TooLong, "the request exceeds the available context size. try increasing it", 0},
		"in milliseconds":   {429, map[string]string{"Retry-After-Ms": "1500"}, `{}`, agent.RateLimited, "{}", 1500 * time.Millisecond},
		"until a date": {503, map[string]string{"Retry-After": "Sun, 22 Nov 2026 10:00:30 GMT", "Date": "Sun, 22 Nov 2026 10:00:00 GMT"},
			`{"error":{"message":"loading the model"}}`, agent.Overloaded, "loading the model", 30 * time.Second},
		"an error that says 200": {200, nil, `{"error":{"message":"boom"}}`, agent.BadAnswer, "the answer holds no choice: boom", 0},
		"a filter":               {200, nil, `{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`, agent.Refused, "the content filter ended the turn", 0},
	} {
		t.Run(title, func(t *testing.T) {
			_, err := answering(t, c.status, c.header, c.body).Next(t.Context(), agent.Conversation{Task: task})
			var e *agent.ModelError
			if !errors.As(err, &e) || e.Fault != c.fault || e.Message != c.message || e.RetryAfter != c.after || c.status >= 400 && e.Status != c.status {
				t.Errorf("%+v; want %s, %q, after %v", e, c.fault, c.message, c.after)
			}
		})
	}
}

// Who is no longer waiting is told so, and nobody is at fault.
func TestEndedContext(t *testing.T) {
	arrived := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server sees the client go
		close(arrived)
		<-r.Context().Done()
	}))
	defer s.Close()
	m, err := chat.New(agent.Connection{BaseURL: s.URL, Model: name, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if _, err := m.Next(ctx, agent.Conversation{Task: task}); !errors.Is(err, context.Canceled) || errors.As(err, new(*agent.ModelError)) {
		t.Errorf("%T %v, want context.Canceled", err, err)
	}
}

// A local server is sent the key that is meant for it, or none (D2): never that
// of another provider, which the environment may hold.
func TestNoForeignKey(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-somebody-else")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	t.Setenv("OPENAI_ORG_ID", "org-of-somebody-else")
	var sent []http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header)
		w.Header().Set("Content-Type", "text/plain") // as some do
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"hello"}}]}`)
	}))
	defer s.Close()
	for _, k := range []string{"", key} {
		m, err := chat.New(agent.Connection{BaseURL: s.URL + "/v1", Model: name, Key: k})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := m.Next(t.Context(), agent.Conversation{Task: task}); err != nil || r.Text != "hello" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if len(sent) != 2 || sent[0].Get("Authorization") != "" || sent[1].Get("Authorization") != "Bearer "+key || strings.Contains(fmt.Sprint(sent), "somebody-else") {
		t.Errorf("headers %v", sent)
	}
}

// The check costs no token, and says what is wrong and what there is (D2).
func TestCheck(t *testing.T) {
	for title, c := range map[string]struct {
		model, list string
		status      int // of the list
		want        string
	}{
		"the model is there":         {"there", "", 0, ""},
		"it is in the list":          {"qwen/qwen3-8b", `{"data":[{"id":"a"},{"id":"qwen/qwen3-8b"}]}`, 200, ""},
		"the list knows its tag":     {"llama3.2", `{"data":[{"id":"llama3.2:latest"}]}`, 200, ""},
		"it is not in the list":      {"gone", `{"data":[{"id":"a"},{"id":"b"}]}`, 200, `the server has no model "gone"; it has: a, b`},
		"there are none":             {"gone", `{"data":[]}`, 200, `the server has no model "gone"; it has: none`},
		"there is no list":           {"gone", `{"error":"no"}`, 404, "no such model"},
		"what is no list of models":  {"gone", `<html>`, 200, "no such model"},
		"the key is wrong":           {"secret", "", 0, "wrong key"},
		"nothing answers (D2, C2)":   {"", "", 0, "refused"},
		"the address is missing":     {"-", "", 0, "agent.base_url"},
		"the model's name is absent": {"--", "", 0, "agent.model"},
	} {
		t.Run(title, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				switch r.URL.Path {
				case "/v1/models":
					w.WriteHeader(c.status)
					_, _ = io.WriteString(w, c.list)
				case "/v1/models/there":
					_, _ = io.WriteString(w, `{"id":"there"}`)
				case "/v1/models/secret":
					w.WriteHeader(http.StatusUnauthorized)
					_, _ = io.WriteString(w, `{"error":{"message":"wrong key"}}`)
				default:
					w.WriteHeader(http.StatusNotFound)
					_, _ = io.WriteString(w, `{"error":{"message":"no such model"}}`)
				}
			}))
			defer s.Close()
			connection := agent.Connection{BaseURL: s.URL + "/v1", Model: c.model, Key: key}
			switch c.model {
			case "":
				s.Close()
				connection.Model = name
			case "-":
				connection.BaseURL = ""
			case "--":
				connection.Model = ""
			}
			err := chat.Check(t.Context(), connection)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *agent.ModelError
			if !errors.As(err, &e) || !strings.Contains(e.Message, c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
