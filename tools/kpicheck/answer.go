package kpicheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/text"
)

// Bounds on an oracle's answer.
const (
	maxBytes    = 1 << 20
	maxDepth    = 100
	maxText     = 200 // characters of one value: a figure is short
	maxPointers = 2000
)

// jsonValue holds a value of an oracle's answer. Numbers keep their spelling:
// a figure must not change by being read.
type jsonValue struct {
	kind    string // object, array, string, number, boolean or null
	text    string // of a string or a number
	keys    []string
	members map[string]*jsonValue
	twice   map[string]bool // keys that stand more than once
	items   []*jsonValue
}

func (v *jsonValue) isFigure() bool { return v.kind == "string" || v.kind == "number" }

// parseAnswer reads a JSON document, and nothing behind it.
func parseAnswer(body []byte) (*jsonValue, error) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	switch start := bytes.TrimLeft(body, " \t\r\n"); {
	case len(start) == 0:
		return nil, errors.New("the answer is empty")
	case !utf8.Valid(body):
		return nil, errors.New("the answer is not UTF-8, as JSON must be")
	case start[0] == '<':
		return nil, errors.New("the answer is HTML or XML, not JSON")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	v, err := readValue(d, 0)
	if err == nil {
		if _, err = d.Token(); err == nil {
			return nil, errors.New("the answer goes on behind its JSON document")
		}
	}
	var bad *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF) && v != nil:
		return v, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("the answer is cut off: its JSON does not end within its %d bytes", len(body))
	case errors.As(err, &bad):
		return nil, fmt.Errorf("the answer is not JSON at byte %d: %w", bad.Offset, bad)
	}
	return nil, fmt.Errorf("the answer is not JSON: %w", err)
}

func readValue(d *json.Decoder, depth int) (*jsonValue, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			return readItems(d, depth)
		}
		return readMembers(d, depth)
	case string:
		return &jsonValue{kind: "string", text: t}, nil
	case json.Number:
		return &jsonValue{kind: "number", text: t.String()}, nil
	case bool:
		return &jsonValue{kind: "boolean"}, nil
	default:
		return &jsonValue{kind: "null"}, nil
	}
}

func readItems(d *json.Decoder, depth int) (*jsonValue, error) {
	v := &jsonValue{kind: "array"}
	for d.More() {
		item, err := readValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, item)
	}
	_, err := d.Token()
	return v, err
}

func readMembers(d *json.Decoder, depth int) (*jsonValue, error) {
	v := &jsonValue{kind: "object", members: map[string]*jsonValue{}, twice: map[string]bool{}}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string) // the decoder takes nothing else for a key
		member, err := readValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		if v.members[key] == nil {
			v.keys = append(v.keys, key)
		} else {
			v.twice[key] = true
		}
		v.members[key] = member
	}
	_, err := d.Token()
	return v, err
}

// CheckPointer refuses what is no JSON pointer (RFC 6901).
func CheckPointer(pointer string) error {
	rest := strings.NewReplacer("~0", "", "~1", "").Replace(pointer)
	switch {
	case pointer != "" && pointer[0] != '/':
		return fmt.Errorf("%q is no JSON pointer: it begins with /, such as %q", pointer, "/"+pointer)
	case strings.Contains(rest, "~"):
		return fmt.Errorf("%q is no JSON pointer: ~ is written ~0, and / within a key ~1", pointer)
	}
	return nil
}

// at follows a JSON pointer. A key that stands twice leads nowhere: which of
// the two is meant, JSON leaves open.
func (v *jsonValue) at(pointer string) (*jsonValue, error) {
	if pointer == "" {
		return v, nil
	}
	at := ""
	for _, raw := range strings.Split(pointer[1:], "/") {
		key := strings.NewReplacer("~1", "/", "~0", "~").Replace(raw)
		var next *jsonValue
		switch {
		case v.kind == "object" && v.twice[key]:
			return nil, fmt.Errorf("the key %q stands more than once at %q", key, at)
		case v.kind == "object":
			next = v.members[key]
		case v.kind == "array":
			if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v.items) && strconv.Itoa(i) == key {
				next = v.items[i]
			}
		}
		if next == nil {
			return nil, fmt.Errorf("there is nothing at %q", pointer)
		}
		v, at = next, at+"/"+raw
	}
	return v, nil
}

// figure returns the value at a pointer, as it stands in the answer.
func (v *jsonValue) figure(pointer string) (string, error) {
	found, err := v.at(pointer)
	switch {
	case err != nil:
		return "", err
	case !found.isFigure():
		return "", fmt.Errorf("at %q is %s, not a number or a text", pointer, article(found.kind))
	case strings.TrimSpace(found.text) == "":
		return "", fmt.Errorf("the text at %q is empty", pointer)
	case utf8.RuneCountInString(found.text) > maxText:
		return "", fmt.Errorf("the text at %q has more than %d characters", pointer, maxText)
	}
	return found.text, nil
}

func article(kind string) string {
	switch kind {
	case "null":
		return kind
	case "object", "array":
		return "an " + kind
	}
	return "a " + kind
}

// pointers returns where the answer has figures, in its own order.
func (v *jsonValue) pointers() []string {
	var out []string
	var walk func(v *jsonValue, at string)
	walk = func(v *jsonValue, at string) {
		switch {
		case len(out) == maxPointers:
		case v.isFigure():
			out = append(out, at)
		}
		for _, key := range v.keys {
			walk(v.members[key], at+"/"+escapePointer(key))
		}
		for i, item := range v.items {
			walk(item, at+"/"+strconv.Itoa(i))
		}
	}
	walk(v, "")
	return out
}

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// like returns the figures of an answer that were most likely meant by a pointer
// that leads nowhere, or by a KPI's label.
func like(pointers []string, pointer, label string) []string {
	var out []string
	last := pointer[strings.LastIndexByte(pointer, '/')+1:]
	for _, word := range []string{label, escapePointer(label), last} {
		for _, p := range pointers {
			if word != "" && slices.ContainsFunc(strings.Split(p, "/"), func(part string) bool { return strings.EqualFold(part, word) }) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	if near := text.Nearest(pointer, pointers); near != "" && !slices.Contains(out, near) {
		out = append(out, near)
	}
	return out[:min(len(out), 3)]
}
