package engine

import (
	"encoding/json"
	"fmt"
	"strings"
)

// OneLine makes page text fit one short line.
func OneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return s
}

// OneSpace joins two texts by a space, where both are given.
func OneSpace(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// JSON marshals what can always be marshalled: our own plain types.
func JSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("marshal %T: %v", v, err))
	}
	return b
}
