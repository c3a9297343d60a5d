package wiretest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"

	sdk "github.com/anthropics/anthropic-sdk-go"
)

// anthropic is the Messages API.
type anthropic struct{ official *official }

// The official description, without the betas and with them: compiled when it is
// first asked for, since that takes long.
var (
	anthropicOfficial = sync.OnceValues(func() (*official, error) { return readAnthropic("CreateMessageParams") })
	anthropicBetas    = sync.OnceValues(func() (*official, error) { return readAnthropic("BetaCreateMessageParams") })
)

func readAnthropic(name string) (*official, error) {
	path, err := anthropicDescription()
	if err != nil {
		return nil, err
	}
	return newOfficial(path, name)
}

func newAnthropic() (protocol, error) {
	o, err := anthropicOfficial()
	if err != nil {
		return nil, err
	}
	return &anthropic{official: o}, nil
}

// decode decodes a body and holds it against the official description, of the
// beta if a request asks for one.
func (p *anthropic) decode(body []byte, into any, beta bool) []string {
	if !beta {
		return decoded(body, into, p.official, "CreateMessageParams")
	}
	betas, err := anthropicBetas()
	if err != nil {
		return []string{err.Error()}
	}
	return decoded(body, into, betas, "BetaCreateMessageParams")
}

// anthropicDescription is where the official OpenAPI description lies: in the
// source of Anthropic's module, of the version that is linked here.
func anthropicDescription() (string, error) {
	pc := reflect.ValueOf(sdk.NewClient).Pointer()
	source, _ := runtime.FuncForPC(pc).FileLine(pc)
	path := filepath.Join(filepath.Dir(source), "scripts", "mock-spec.json.gz")
	if _, err := os.Stat(path); err != nil {
		return "", errors.Join(errors.New("the source of anthropic-sdk-go is not at hand, which has the schema: build without -trimpath"), err)
	}
	return path, nil
}

func (p *anthropic) base() string { return "" }

func (p *anthropic) key(h http.Header) string { return h.Get("X-Api-Key") }

func (p *anthropic) aim(r *http.Request, body []byte) aim {
	if model, ok := strings.CutPrefix(r.URL.Path, "/v1/models/"); ok && r.Method == http.MethodGet && model != "" {
		return aim{purpose: theModel, model: model}
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" {
		return aim{}
	}
	var named struct{ Model string }
	_ = json.Unmarshal(body, &named) // read says what is wrong with it
	return aim{purpose: aTurn, model: named.Model}
}

// fail is an error as Anthropic words it ("Errors" of its API's documentation).
func (p *anthropic) fail(status int, message string) reply {
	kind := "invalid_request_error"
	switch status {
	case http.StatusUnauthorized:
		kind = "authentication_error"
	case http.StatusForbidden:
		kind = "permission_error"
	case http.StatusNotFound:
		kind = "not_found_error"
	case http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case StatusOverloaded:
		kind = "overloaded_error"
	case http.StatusInternalServerError:
		kind = "api_error"
	}
	const id = "req_011CSHoEeqs5C35K2UUqR7Fy"
	a := answerJSON(status, map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": id})
	a.header = http.Header{"Request-Id": {id}}
	return a
}

func (p *anthropic) model(name string) reply {
	return answerJSON(http.StatusOK, map[string]any{
		"type": "model", "id": name, "display_name": name, "created_at": "2026-09-21T00:00:00Z", "capabilities": nil, "deprecated_at": nil,
		"lifecycle": "active", "line": nil, "max_input_tokens": 200000, "max_tokens": 64000, "retires_at": nil,
	})
}

// generation is what a model of Anthropic's takes for working a computer
// (documentation of the computer use tool, November 2026).
type generation struct {
	toolset bool // computer_toolset_20260801
	legacy  bool // computer_20251124 and computer_20250124, with their betas
	edge    int  // the longest edge of a picture, in pixels
}

// generationOf reads line and version from a model's name. Of a name that it
// can't read, nothing is demanded.
func generationOf(model string) (generation, bool) {
	name, ok := strings.CutPrefix(model, "claude-")
	line, rest, _ := strings.Cut(name, "-")
	var major, minor int
	if n, _ := fmt.Sscanf(rest, "%d-%d", &major, &minor); !ok || n == 0 {
		return generation{}, false
	}
	if minor > 99 { // a date
		minor = 0
	}
	version := major*10 + minor
	g := generation{edge: 1568}
	if line == "opus" && version >= 47 || version >= 50 {
		g.edge = 2576
	}
	since, only := 50, 55
	switch line {
	case "opus":
		since = 48
	case "haiku":
		since = 55
	case "fable", "mythos":
		only = 52
	}
	g.toolset, g.legacy = version >= since, version < only
	return g, true
}
