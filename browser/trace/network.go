package trace

import (
	"strings"

	"github.com/assay-qa/assay/browser/redact"
)

// exchange rewrites one request of a trace: credentials are left out as in the
// HAR file.
func (s *scrubber) exchange(line []byte) ([]byte, error) {
	var e map[string]any
	if err := unmarshal(line, &e); err != nil {
		return nil, err
	}
	snapshot, _ := e["snapshot"].(map[string]any)
	for _, side := range []string{"request", "response"} {
		message, _ := snapshot[side].(map[string]any)
		if message == nil {
			continue
		}
		if address, ok := message["url"].(string); ok {
			message["url"] = redact.URL(address)
		}
		if address, ok := message["redirectURL"].(string); ok {
			message["redirectURL"] = redact.URL(address)
		}
		hideHeaders(message["headers"])
		hideAll(message["cookies"])
		hideNamed(message["queryString"])
		s.bodies(message)
	}
	out := encoded(s.withoutPasswords(e))
	return s.mask("application/json", out), nil
}

// bodies notes the files of what was sent and answered, and redacts what stands
// in the event itself.
func (s *scrubber) bodies(message map[string]any) {
	for _, field := range []string{"postData", "content"} {
		body, _ := message[field].(map[string]any)
		if body == nil {
			continue
		}
		hideNamed(body["params"])
		mime, _ := body["mimeType"].(string)
		kind := document
		if field == "postData" || strings.Contains(mime, "json") || strings.Contains(mime, "form") {
			kind = payload
		}
		if text, ok := body["text"].(string); ok {
			body["text"] = string(s.body([]byte(text), kind))
		}
		if name, ok := body["_sha1"].(string); ok && resourceName.MatchString(name) {
			s.want(name, kind)
		}
	}
}

// eachPair calls each with every {name, value} of a list.
func eachPair(list any, each func(name, value string) string) {
	items, _ := list.([]any)
	for _, item := range items {
		if pair, ok := item.(map[string]any); ok {
			name, _ := pair["name"].(string)
			value, _ := pair["value"].(string)
			pair["value"] = each(name, value)
		}
	}
}

func hideHeaders(list any) {
	eachPair(list, func(name, value string) string {
		return redact.Headers(map[string]string{strings.ToLower(name): value})[strings.ToLower(name)]
	})
}

func hideAll(list any) {
	eachPair(list, func(string, string) string { return redact.NotShown })
}

func hideNamed(list any) {
	eachPair(list, func(name, value string) string {
		if redact.SecretField(name) {
			return redact.NotShown
		}
		return value
	})
}
