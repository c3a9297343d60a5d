package text_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

// inside is whatever names Go and its types.
var inside = pattern.New(`json: |Go (value|struct)|unmarshal|strconv\.|\bmap\[|interface \{\}|\[\]\w|reflect\.|float64|\bint64\b|2006|texts_test`)

// target has a member of each kind that a decoder knows, also within embedded types.
type target struct {
	Embedded
	Text  string               `json:"text"`
	Count int                  `json:"count"`
	Ratio float64              `json:"ratio"`
	Yes   bool                 `json:"yes"`
	List  []string             `json:"list"`
	Map   map[string]any       `json:"map"`
	Named kind                 `json:"named"`
	Deep  map[string][]Deeper  `json:"deep"`
	When  time.Time            `json:"when"`
	Parts []struct{ A string } `json:"parts"`
	Small int8                 `json:"small"`
	Any   *Deeper              `json:"any"`
	Raw   []byte               `json:"raw"`
	Keyed map[int]string       `json:"keyed"`
}

type kind string

// Embedded and Deeper are members of target.
type (
	Embedded struct {
		Meta map[string]any `json:"_meta"`
	}
	Deeper struct {
		X struct{ Y int } `json:"x"`
	}
)

// No error of a decoder shows a type of Go, whatever is decoded into whatever, and it
// names the member that is wrong.
func TestUndecoded(t *testing.T) {
	values := []string{`5`, `-1.5`, `1e309`, `"x"`, `true`, `[]`, `{}`, `[{"x":{"Y":"z"}}]`, `{"a":[{"x":5}]}`, `{"q":1}`, `"2020-13-45"`, `300`}
	members := []string{"text", "count", "ratio", "yes", "list", "map", "named", "deep", "when", "parts", "small", "any", "raw", "keyed", "_meta"}
	said := 0
	check := func(member string, err error) {
		if err == nil {
			return
		}
		said++
		text := text.Undecoded("arguments: " + err.Error() + "; next")
		if inside.MatchString(text) || !strings.HasPrefix(text, "arguments: ") || !strings.HasSuffix(text, "; next") {
			t.Errorf("%s: %v\n became %s", member, err, text)
		}
	}
	for _, member := range members {
		for _, value := range values {
			line := fmt.Sprintf(`{%q:%s}`, member, value)
			check(member, json.Unmarshal([]byte(line), &target{}))
			check(member, json.Unmarshal([]byte(value), new(string)))
			check(member, json.Unmarshal([]byte(value), new(map[string]any)))
			strict := json.NewDecoder(strings.NewReader(`{"nope":1}`))
			strict.DisallowUnknownFields()
			check("nope", strict.Decode(&target{}))
		}
	}
	for _, text := range []string{"", "x", `"`, `a"b\`, "99999999999999999999999"} {
		_, err := strconv.Atoi(text)
		check("Atoi", err)
		_, err = strconv.ParseFloat(text+"e999999", 64)
		check("ParseFloat", err)
		_, err = strconv.ParseBool(text)
		check("ParseBool", err)
		_, err = time.Parse(time.RFC3339, text)
		check("Parse", err)
	}
	if said < 150 {
		t.Errorf("only %d errors were made", said)
	}
}

// The words name the member and the kind of value.
func TestUndecodedNames(t *testing.T) {
	for line, want := range map[string]string{
		`{"text":5}`:                  `text can't be a number`,
		`{"deep":{"a":[{"x":true}]}}`: `deep.x can't be true or false`,
		`{"_meta":[]}`:                `_meta can't be a list`,
		`[]`:                          `it can't be a list`,
	} {
		if got := text.Undecoded(json.Unmarshal([]byte(line), &target{}).Error()); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	library := "unparsable tools/list request: json: cannot unmarshal number into Go struct field PaginatedParams.PaginatedRequest.params.cursor of type mcp.Cursor"
	if got, want := text.Undecoded(library), "unparsable tools/list request: params.cursor can't be a number"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, others := range []string{"", "json", "the page says: json", "strconv", `it is no JSON: invalid character '}' after object key`} {
		if got := text.Undecoded(others); got != others {
			t.Errorf("%q became %q", others, got)
		}
	}
}
