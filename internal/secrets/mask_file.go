package secrets

import (
	"bytes"
	"encoding/json"
	"strings"
)

// MaskFile masks the content of a file or a message by its media type. JSON
// (and JSON Lines) stays JSON: only what stands in strings is masked, and keys
// that are plain words stay. Pictures, archives and other binary content come
// back as they are. data is never changed; it may be returned.
func (v *Vault) MaskFile(mime string, data []byte) []byte {
	m, isJSON := v.masks.Load(), strings.Contains(mime, "json")
	if len(data) == 0 || !isJSON && !isText(mime) {
		return data
	}
	return withoutUserinfoBytes(m.maskText(isJSON, data))
}

func (m *matcher) maskText(isJSON bool, data []byte) []byte {
	if m == nil {
		return data
	}
	if isJSON {
		if out, ok := m.maskJSON(data); ok {
			return out
		}
	}
	return []byte(m.mask(string(data)))
}

func isText(mime string) bool {
	for _, sign := range []string{"text/", "xml", "javascript", "x-www-form-urlencoded", "yaml", "toml"} {
		if strings.Contains(mime, sign) {
			return true
		}
	}
	return false
}

// MaskData masks JSON that a page made: strings, every key, and numbers that
// hold a value, which become strings.
func (v *Vault) MaskData(data []byte) []byte {
	return withoutUserinfoBytes(v.masks.Load().maskValues(data))
}

func (m *matcher) maskValues(data []byte) []byte {
	if m == nil {
		return data
	}
	var out []byte
	done := 0
	for i := 0; i < len(data); {
		end := i + 1
		switch c := data[i]; {
		case c == '"':
			if end = literalEnd(data, i); end < 0 {
				return []byte(m.mask(string(data)))
			}
			out, done = m.maskLiteral(out, data, done, i, end)
		case c == '-' || c >= '0' && c <= '9':
			for end < len(data) && strings.IndexByte("0123456789+-.eE", data[end]) >= 0 {
				end++
			}
			if number := string(data[i:end]); m.mask(number) != number {
				out, done = append(append(out, data[done:i]...), quoted(m.mask(number))...), end
			}
		}
		i = end
	}
	return append(out, data[done:]...)
}

// maskJSON masks the string literals of JSON text and leaves everything else,
// its layout included. It returns false for what is no JSON and holds a value.
func (m *matcher) maskJSON(data []byte) ([]byte, bool) {
	var out []byte
	done, bare := 0, 0 // what is in out already, and where the last literal ended
	for i := bytes.IndexByte(data, '"'); i >= 0; i = bytes.IndexByte(data[bare:], '"') {
		i += bare
		end := literalEnd(data, i)
		if end < 0 || !m.isHarmless(data[bare:i]) {
			return nil, false
		}
		if !isKey(data[end:]) || !plainWord(data[i+1:end-1]) {
			out, done = m.maskLiteral(out, data, done, i, end)
		}
		bare = end
	}
	if !m.isHarmless(data[bare:]) {
		return nil, false
	}
	if done == 0 {
		return data, true
	}
	return append(out, data[done:]...), true
}

// isHarmless reports whether what stands between literals is JSON's own, or
// holds no value: a number of ours may look like one.
func (m *matcher) isHarmless(bare []byte) bool {
	const signs = " \n\t\r{}[]:,+-.0123456789eEtrufalsn" // the letters of true, false and null
	return len(bytes.Trim(bare, signs)) == 0 || m.mask(string(bare)) == string(bare)
}

// maskLiteral masks the literal data[i:end]; what stands before it from done on, and
// the mask, go to out.
func (m *matcher) maskLiteral(out, data []byte, done, i, end int) ([]byte, int) {
	text := string(data[i+1 : end-1])
	masked := m.mask(text) // finds what is escaped, too; unescaped, the mask is exact
	if masked == text {
		return out, done
	}
	if json.Unmarshal(data[i:end], &text) == nil {
		masked = m.mask(text)
	}
	return append(append(out, data[done:i]...), quoted(masked)...), end
}

func quoted(s string) string { return `"` + jsonText(s, true) + `"` }

// literalEnd returns the end of the string literal that begins at i, or -1.
func literalEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func isKey(rest []byte) bool {
	for _, b := range rest {
		switch b {
		case ' ', '\n', '\t', '\r':
		default:
			return b == ':'
		}
	}
	return false
}

// plainWord reports whether a key can be one of our own.
func plainWord(key []byte) bool {
	for _, b := range key {
		if b != '_' && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') {
			return false
		}
	}
	return true
}
