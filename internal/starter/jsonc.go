package starter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// errNotJSON says that a file is no JSON, with or without comments.
var errNotJSON = errors.New("it is no JSON object")

// plainJSON returns JSON with comments and commas before a closing bracket as JSON of
// the same length: what is left out becomes spaces.
func plainJSON(data []byte) []byte {
	out := blankComments(data)
	comma := -1     // the last one, while nothing stands behind it
	var before byte // what stood before: a trailing comma is one behind a value
	for i := 0; i < len(out); i++ {
		c := out[i]
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '"':
			i = stringEnd(out, i) - 1
		case '}', ']':
			if comma >= 0 {
				out[comma] = ' '
			}
		}
		comma = -1
		if c == ',' && before != 0 && !strings.ContainsRune("{[:,", rune(before)) {
			comma = i
		}
		before = c
	}
	return out
}

// blankComments returns JSON with comments as JSON of the same length without them, and without
// a byte order mark: spaces take their places.
func blankComments(data []byte) []byte {
	out := bytes.Clone(data)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	if bytes.HasPrefix(out, []byte("\xef\xbb\xbf")) {
		blank(0, 3)
	}
	for i := 0; i < len(out); i++ {
		switch rest := out[i:]; {
		case out[i] == '"':
			i = stringEnd(out, i) - 1
		case bytes.HasPrefix(rest, []byte("//")):
			end := i + len(rest)
			if n := bytes.IndexByte(rest, '\n'); n >= 0 {
				end = i + n
			}
			blank(i, end)
			i = end - 1
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return out // the JSON ends within a comment: it is not valid
			}
			blank(i, i+n+4)
			i += n + 3
		}
	}
	return out
}

// stringEnd returns where the string ends that begins at i.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// object says where an object stands in a text: its opening bracket, and its members by
// their names.
type object struct {
	open    int
	members map[string]span
}

// span holds the beginning and the end of a value in a text, and where its name begins.
type span struct{ from, to, name int }

// readObject finds the members of the object that is at, or after, offset i of valid
// JSON. A name that stands there twice is an error: readers differ on which one counts.
func readObject(plain []byte, i int) (object, error) {
	decoder := json.NewDecoder(bytes.NewReader(plain[i:]))
	first, err := decoder.Token()
	if err != nil || first != json.Delim('{') {
		return object{}, errNotJSON
	}
	o := object{open: i + int(decoder.InputOffset()) - 1, members: map[string]span{}}
	for decoder.More() {
		began := i + int(decoder.InputOffset())
		began += bytes.IndexByte(plain[began:], '"')
		name, err := decoder.Token()
		if err != nil {
			return object{}, fmt.Errorf("%w: %w", errNotJSON, err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return object{}, fmt.Errorf("%w: %w", errNotJSON, err)
		}
		end := i + int(decoder.InputOffset())
		key, _ := name.(string) // of an object it is one
		if _, twice := o.members[key]; twice {
			return object{}, fmt.Errorf("%q stands there twice", key)
		}
		o.members[key] = span{end - len(value), end, began}
	}
	return o, nil
}
