package wiretest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
)

// openAI is the Responses API, of OpenAI or of Azure.
type openAI struct {
	wire     Wire
	store    bool
	official *official // nil: requests are decoded strictly instead
}

func newOpenAI(w Wire, o Options) (protocol, error) {
	p := &openAI{wire: w, store: o.Store}
	if o.Schemas == "" {
		return p, nil
	}
	var err error
	p.official, err = newOfficial(filepath.Join(o.Schemas, descriptionFile), "CreateResponse")
	return p, err
}

// descriptionFile is OpenAI's official OpenAPI description.
const descriptionFile = "openai-openapi.json.gz"

// base is empty on Azure, whose client adds the path to the resource's endpoint.
func (p *openAI) base() string {
	if p.wire == Azure {
		return ""
	}
	return "/v1"
}

func (p *openAI) key(h http.Header) string {
	if p.wire == Azure {
		return h.Get("Api-Key")
	}
	return bearer(h)
}

// bearer is the key of an Authorization header.
func bearer(h http.Header) string {
	key, _ := strings.CutPrefix(h.Get("Authorization"), "Bearer ")
	return key
}

func (p *openAI) aim(r *http.Request, body []byte) aim {
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	if p.wire == Azure {
		var ok bool
		if path, ok = azurePath(r.URL); !ok {
			return aim{}
		}
	}
	return aimed(r, body, path, "/responses")
}

// azurePath is what follows the part of the path that is Azure's own:
// /openai/v1, or /openai with an api-version.
func azurePath(u *url.URL) (string, bool) {
	if path, ok := strings.CutPrefix(u.Path, "/openai/v1"); ok {
		return path, true
	}
	path, ok := strings.CutPrefix(u.Path, "/openai")
	return path, ok && u.Query().Get("api-version") != ""
}

// aimed is the aim of a request to one of OpenAI's paths.
func aimed(r *http.Request, body []byte, path, turns string) aim {
	if r.Method == http.MethodGet && path == "/models" {
		return aim{purpose: theModels}
	}
	if r.Method == http.MethodGet {
		model, ok := strings.CutPrefix(path, "/models/")
		if ok && model != "" {
			return aim{purpose: theModel, model: model}
		}
		return aim{}
	}
	if r.Method != http.MethodPost || path != turns {
		return aim{}
	}
	var named struct{ Model string }
	_ = json.Unmarshal(body, &named) // read says what is wrong with it
	return aim{purpose: aTurn, model: named.Model}
}

func (p *openAI) fail(status int, message string) reply {
	if p.wire == Azure {
		return azureError(status, message)
	}
	return openAIError(status, message)
}

// tooLong is OpenAI's word for a conversation that doesn't fit; Azure has it too.
func (p *openAI) tooLong() reply { return openAITooLong() }

func openAITooLong() reply {
	return answerJSON(http.StatusBadRequest, map[string]any{"error": map[string]any{
		"message": "Your input exceeds the context window of this model. Please adjust your input and try again.",
		"type":    "invalid_request_error", "param": "input", "code": "context_length_exceeded"}})
}

// openAIError is an error as OpenAI words it. It has no 529.
func openAIError(status int, message string) reply {
	status = noOverload(status)
	kind, code := "invalid_request_error", any(nil)
	switch status {
	case http.StatusUnauthorized:
		code = "invalid_api_key"
	case http.StatusNotFound:
		code = "model_not_found"
	case http.StatusTooManyRequests:
		kind, code = "tokens", "rate_limit_exceeded"
	case http.StatusInternalServerError, http.StatusServiceUnavailable:
		kind = "server_error"
	}
	return answerJSON(status, map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": code}})
}

// azureError is an error as Azure words it.
func azureError(status int, message string) reply {
	status = noOverload(status)
	code := http.StatusText(status)
	switch status {
	case http.StatusUnauthorized:
		code = "401"
		message = "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription."
	case http.StatusNotFound:
		code = "DeploymentNotFound"
	case http.StatusTooManyRequests:
		code = "429"
	}
	return answerJSON(status, map[string]any{"error": map[string]any{"code": code, "message": message}})
}

// noOverload is the status on wires that have no 529.
func noOverload(status int) int {
	if status == StatusOverloaded {
		return http.StatusServiceUnavailable
	}
	return status
}

func (p *openAI) model(name string) reply { return answerJSON(http.StatusOK, openAIModel(name)) }

func (p *openAI) models(names ...string) reply { return openAIModels(names) }

func openAIModel(name string) map[string]any {
	return map[string]any{"id": name, "object": "model", "created": 1767225600, "owned_by": "system"}
}

func openAIModels(names []string) reply {
	all := []any{}
	for _, name := range names {
		all = append(all, openAIModel(name))
	}
	return answerJSON(http.StatusOK, map[string]any{"object": "list", "data": all})
}

// answerJSON is an answer of JSON. What cannot be written as such would be a
// script's mistake, and says so.
func answerJSON(status int, v any) reply {
	body, err := json.Marshal(v)
	if err != nil {
		return reply{status: http.StatusInternalServerError, body: []byte(`{"error":{"message":"the script can't be written as JSON"}}`)}
	}
	return reply{status: status, body: body}
}
