package engine

import (
	"encoding/json"
	"fmt"

	"github.com/assay-qa/assay/internal/pagetext"
)

// OneLine makes page text fit one short line.
func OneLine[S ~string](s S) S { return pagetext.OneLine(s) }

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
