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

	"github.com/assay-qa/assay/internal/pattern"
)

// leaks finds the secrets and the key where they must not be. A secret is named
// by its number only.
func (s *Server) leaks(r *http.Request, body []byte) []string {
	spelt := unescaped(body)
	var out []string
	for i, secret := range s.options.Secrets {
		if secret != "" && holds(spelt, secret) {
			out = append(out, fmt.Sprintf("the body holds secret %d", i+1))
		}
	}
	if s.options.Key != "" {
		if holds(spelt, s.options.Key) {
			out = append(out, "the body holds the key")
		}
		if strings.Contains(r.URL.RequestURI(), url.QueryEscape(s.options.Key)) {
			out = append(out, "the address holds the key: logs keep addresses")
		}
	}
	return out
}

// unescaped returns a body as it is, and without the escapes of JSON up to four
// times: what is JSON in JSON is spelt out in one of them.
func unescaped(body []byte) [][]byte {
	out := [][]byte{body}
	for len(out) < 5 && bytes.ContainsRune(body, '\\') {
		body = escapes.ReplaceAllFunc(body, func(e []byte) []byte {
			var text string
			if json.Unmarshal(slices.Concat([]byte{'"'}, e, []byte{'"'}), &text) != nil {
				return e[1:]
			}
			return []byte(text)
		})
		out = append(out, body)
	}
	return out
}

// escapes matches one of JSON's, or several in a row that may be one character.
var escapes = pattern.New(`\\(?:u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*|.)`)

// holds reports whether one of the spellings of a body holds a text, as it is or
// somewhere within base64. That spells a text by where it begins, without the
// characters that also tell of what is before and behind it. Texts of less than
// six bytes are left out of base64, for they would be found in any picture.
func holds(spelt [][]byte, text string) bool {
	codes := []string{text}
	for offset := 0; offset < 3 && len(text) >= 6; offset++ {
		code := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", offset) + text))
		codes = append(codes, code[(offset*8+5)/6:(offset+len(text))*8/6])
	}
	return slices.ContainsFunc(spelt, func(body []byte) bool {
		return slices.ContainsFunc(codes, func(c string) bool { return bytes.Contains(body, []byte(c)) })
	})
}
