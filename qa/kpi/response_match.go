package kpi

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
)

// Carries reports how well a JSON document explains a shown value: 0 when the
// value is not in it, 2 when it stands under a key that is like the label, 1
// when it stands elsewhere. A short number under another key explains nothing.
func Carries(body []byte, label string, shown Parsed) int {
	if len(shown.Readings) == 0 {
		return 0
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var doc any
	if d.Decode(&doc) != nil {
		return 0
	}
	c := documentSearch{label: withoutGenericWords(words(label)), shown: shown}
	c.walk(doc, nil, 0)
	return c.best
}

// documentSearch walks a document.
type documentSearch struct {
	label []string
	shown Parsed
	best  int
	seen  int
}

const (
	maxLeaves = 50_000
	maxDepth  = 40
)

func (c *documentSearch) walk(v any, path []string, depth int) {
	if c.seen++; c.seen > maxLeaves || depth > maxDepth || c.best == 2 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		name, _ := v["label"].(string)
		if name == "" {
			name, _ = v["name"].(string)
		}
		for key, item := range v {
			c.walk(item, append(append(path[:len(path):len(path)], words(key)...), words(name)...), depth+1)
		}
	case []any:
		for _, item := range v {
			c.walk(item, path, depth+1)
		}
	case json.Number:
		c.leaf(v.String(), path)
	case string:
		if len(v) < 60 {
			c.leaf(v, path)
		}
	}
}

func (c *documentSearch) leaf(text string, path []string) {
	e, err := ParseExpected(text, "")
	if err != nil || !showsExactly(c.shown, e) {
		return
	}
	score := 1
	if strings.Contains(strings.Join(path, ""), strings.Join(c.label, "")) {
		score = 2
	} else if digits(e.value()) < 3 {
		return
	}
	c.best = max(c.best, score)
}

// digits counts the significant digits of a number.
func digits(v *big.Rat) int {
	return len(strings.Trim(strings.ReplaceAll(strings.TrimLeft(Shown(v), "-0."), ".", ""), "0"))
}
