package server

import (
	"encoding/json"
	"strings"
	"testing"
)

// Req 0033: no byte of an answer is spent on escapes for HTML, and each text stays what it is.
func TestPlainCharacters(t *testing.T) {
	for _, text := range []string{"", "<page-1> a & b </page-1>", `\u003c`, `a\<`, `\\u0026 &`, "\u2028 \"quoted\" é 😀 \x00", `ends with \`, strings.Repeat("<&>\\", 100)} {
		line, err := json.Marshal(map[string]string{text: text})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		plain := plainCharacters(line)
		if err := json.Unmarshal(plain, &got); err != nil || got[text] != text || len(got) != 1 {
			t.Errorf("%q became %q in %s: %v", text, got, plain, err)
		}
		if before, after := strings.Count(string(plain), "<"), strings.Count(text, "<"); before != 2*after {
			t.Errorf("%s has %d of %d", plain, before, 2*after)
		}
	}
	for _, cut := range []string{`"\`, `"\u`, `"\u003`, ``} { // no JSON: it is left alone
		if got := string(plainCharacters([]byte(cut))); got != cut {
			t.Errorf("%s became %s", cut, got)
		}
	}
}
