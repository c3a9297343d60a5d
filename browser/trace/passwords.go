package trace

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/redact"
)

// shownValue names the attribute in which a DOM snapshot keeps what a field
// holds.
const shownValue = "__playwright_value_"

// hidePasswords takes the values of password fields out of a DOM snapshot, and
// calls found with each. A node is a text, a reference to an earlier snapshot, or a list:
// name, attributes, children.
func hidePasswords(node any, found func(value string)) {
	list, ok := node.([]any)
	if !ok || len(list) == 0 {
		return
	}
	name, ok := list[0].(string)
	if !ok {
		return
	}
	children := list[1:]
	if len(children) > 0 {
		if attrs, ok := children[0].(map[string]any); ok {
			children = children[1:]
			if kind, _ := attrs["type"].(string); strings.EqualFold(name, "input") && strings.EqualFold(kind, "password") {
				for _, attr := range []string{shownValue, "value"} {
					if value, _ := attrs[attr].(string); value != "" {
						found(value)
						attrs[attr] = redact.MaskedValue
					}
				}
			}
		}
	}
	for _, child := range children {
		hidePasswords(child, found)
	}
}

// minPassword bounds the passwords that are searched for within other texts:
// shorter ones can be words of their own, and are only compared with whole
// values.
const minPassword = 6

func (s *scrubber) password(value string) {
	if value == redact.MaskedValue {
		return
	}
	if utf8.RuneCountInString(value) < minPassword {
		if !slices.Contains(s.short, value) {
			s.short = append(s.short, value)
		}
		return
	}
	for _, spelling := range []string{value, url.QueryEscape(value), url.PathEscape(value), strings.Trim(quotedJSON(value), `"`)} {
		if !slices.Contains(s.passwords, spelling) {
			s.passwords = append(s.passwords, spelling)
		}
	}
}

func (s *scrubber) holdsPassword(data []byte) bool {
	for _, p := range s.passwords {
		if bytes.Contains(data, []byte(p)) {
			return true
		}
	}
	return false
}

// structural lists the fields that tie events together, which no password may
// change.
var structural = map[string]bool{"type": true, "callId": true, "parentId": true, "class": true, "method": true, "pageId": true, "snapshotName": true, "beforeSnapshot": true,
	"afterSnapshot": true, "inputSnapshot": true, "sha1": true, "_sha1": true, "frameId": true}

// withoutPasswords replaces them in the texts of an event.
func (s *scrubber) withoutPasswords(e map[string]any) map[string]any {
	if len(s.passwords)+len(s.short) == 0 {
		return e
	}
	for key, value := range e {
		if !structural[key] {
			e[key] = s.replaced(value)
		}
	}
	return e
}

func (s *scrubber) replaced(v any) any {
	switch v := v.(type) {
	case string:
		return s.withoutPassword(v)
	case []any:
		for i := range v {
			v[i] = s.replaced(v[i])
		}
	case map[string]any:
		return s.withoutPasswords(v)
	}
	return v
}

func (s *scrubber) withoutPassword(text string) string {
	for _, p := range s.passwords {
		text = strings.ReplaceAll(text, p, redact.MaskedValue)
	}
	for _, p := range s.short {
		if text == p {
			return redact.MaskedValue
		}
		text = strings.ReplaceAll(text, `("`+p+`")`, `("`+redact.MaskedValue+`")`) // as Playwright logs what it types
	}
	return text
}

func quotedJSON(text string) string {
	b, err := json.Marshal(text)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}
