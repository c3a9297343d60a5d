package anthropic_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/anthropic"
)

const (
	key    = "sk-ant-the-key-of-the-test"
	newest = "claude-sonnet-5-5"
)

// provider is a server that gives one answer after the other. Each request for
// a turn is held against the official description.
type provider struct {
	*httptest.Server
	t        *testing.T
	requests []asked
	answers  []http.HandlerFunc
}

// asked is a request as it came.
type asked struct {
	path   string
	header http.Header
	body   map[string]any
	raw    string
}

func serve(t *testing.T, answers ...http.HandlerFunc) *provider {
	t.Helper()
	p := &provider{t: t, answers: answers}
	var one sync.Mutex
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		one.Lock()
		a := asked{path: r.URL.RequestURI(), header: r.Header.Clone(), raw: string(raw)}
		if r.Method == http.MethodPost {
			if err := json.Unmarshal(raw, &a.body); err != nil {
				t.Error(err)
			}
			judge(t, a)
		}
		at := min(len(p.requests), len(p.answers)-1)
		p.requests = append(p.requests, a)
		one.Unlock()
		p.answers[at](w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) last() asked { return p.requests[len(p.requests)-1] }

func (p *provider) connection() agent.Connection {
	return agent.Connection{BaseURL: p.URL, Model: newest, Key: key}
}

func (p *provider) model(change ...func(*agent.Connection)) *anthropic.Model {
	p.t.Helper()
	c := p.connection()
	for _, f := range change {
		f(&c)
	}
	m, err := anthropic.New(c)
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// next wants a turn.
func next(t *testing.T, m *anthropic.Model, c agent.Conversation) agent.Reply {
	t.Helper()
	r, err := m.Next(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// says is an answer that stopped for a reason, with content as JSON.
func says(stop, content string) http.HandlerFunc {
	return sends(http.StatusOK, `{"id":"msg_1","type":"message","role":"assistant","model":"`+newest+`","content":`+content+`,"stop_reason":"`+stop+`","stop_sequence":null,`+
		`"usage":{"input_tokens":100,"cache_read_input_tokens":40,"cache_creation_input_tokens":7,"output_tokens":9}}`)
}

func sends(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// at walks decoded JSON.
func at(v any, path ...any) any {
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[s]
		case int:
			l, _ := v.([]any)
			if s < 0 {
				s += len(l)
			}
			if s < 0 || s >= len(l) {
				return nil
			}
			v = l[s]
		}
	}
	return v
}

// png is the head of a picture, which is all that the wire looks at.
func png(width, height int) *agent.Image {
	head := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	head = binary.BigEndian.AppendUint32(head, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	return &agent.Image{MIMEType: "image/png", Data: base64.StdEncoding.EncodeToString(append(head, "\x08\x02 and so on"...))}
}

// judge holds a request against the description in the provider's module: that
// without betas, unless it asks for one.
func judge(t *testing.T, a asked) {
	t.Helper()
	name := "CreateMessageParams"
	if a.header.Get("Anthropic-Beta") != "" {
		name = "BetaCreateMessageParams"
	}
	decoded, err := jsonschema.UnmarshalJSON(strings.NewReader(a.raw))
	if err != nil {
		t.Error(err)
	}
	s, err := official()
	if err != nil {
		t.Error(err)
		return
	}
	if err := s[name].Validate(decoded); err != nil {
		t.Errorf("not a %s: %v\n%s", name, err, a.raw)
	}
}

var official = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	f, err := os.Open("../../testdata/official/anthropic/openapi.json.gz")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	// its alternatives overlap
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(bytes.ReplaceAll(raw, []byte(`"oneOf":`), []byte(`"anyOf":`))))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	escape := regexp.MustCompile(`\\u([0-9a-fA-F]{4})`)
	c.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { // ECMAScript's
		return regexp.Compile(escape.ReplaceAllString(pattern, `\x{$1}`))
	})
	if err := c.AddResource("urn:official", doc); err != nil {
		return nil, err
	}
	out := map[string]*jsonschema.Schema{}
	for _, name := range []string{"CreateMessageParams", "BetaCreateMessageParams"} {
		if out[name], err = c.Compile("urn:official#/components/schemas/" + name); err != nil {
			return nil, err
		}
	}
	return out, nil
})
