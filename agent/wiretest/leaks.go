package wiretest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// leaks finds the secrets and the key where they must not be. A secret is named
// by its number only.
func (s *Server) leaks(r *http.Request, body []byte) []string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		v = nil // read says so
	}
	var out []string
	for i, secret := range s.options.Secrets {
		if secret != "" && holds(body, v, secret) {
			out = append(out, fmt.Sprintf("the body holds secret %d", i+1))
		}
	}
	if s.options.Key != "" {
		if holds(body, v, s.options.Key) {
			out = append(out, "the body holds the key")
		}
		if strings.Contains(r.URL.RequestURI(), url.QueryEscape(s.options.Key)) {
			out = append(out, "the address holds the key: logs keep addresses")
		}
	}
	return out
}

// holds reports whether a body, which is v decoded, holds a text: in a string, as
// JSON in JSON up to three times, or in base64.
func holds(body []byte, v any, text string) bool {
	spelt := []string{text}
	for i := 0; i < len(spelt) && i < 3; i++ {
		for _, html := range []bool{true, false} {
			var b strings.Builder
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(html)
			if e.Encode(spelt[i]) == nil {
				quoted := strings.TrimSpace(b.String())
				spelt = append(spelt, quoted[1:len(quoted)-1])
			}
		}
	}
	return slices.ContainsFunc(spelt, func(s string) bool { return bytes.Contains(body, []byte(s)) || inStrings(v, s) }) ||
		slices.ContainsFunc(inBase64(text), func(s string) bool { return bytes.Contains(body, []byte(s)) })
}

// inBase64 is how base64 spells a text within a longer one, by where it begins:
// without the characters that also tell of what is before and behind it. Texts of
// less than six bytes are left out, for they would be found in any picture.
func inBase64(text string) []string {
	var out []string
	for offset := 0; offset < 3 && len(text) >= 6; offset++ {
		code := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", offset) + text))
		out = append(out, code[(offset*8+5)/6:(offset+len(text))*8/6])
	}
	return out
}

// inStrings looks for a text in the strings and names of decoded JSON, however
// the body spelt them.
func inStrings(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, text)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return inStrings(e, text) })
	case map[string]any:
		for k, e := range v {
			if strings.Contains(k, text) || inStrings(e, text) {
				return true
			}
		}
	}
	return false
}
