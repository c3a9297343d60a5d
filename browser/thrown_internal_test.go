package browser

import (
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// An exception's place is the innermost one in a script of the page's own site: what a library
// of another host throws is of the site that calls it wrongly (33).
func TestPlaceOfAnException(t *testing.T) {
	t.Parallel()
	const page = "http://127.0.0.1:8080/cart"
	for name, c := range map[string]struct {
		stack, page, want string
		line, column      int
	}{
		"its own":            {"Error: x\n    at total (http://127.0.0.1:8080/app.js:2:21)\n    at http://127.0.0.1:8080/app.js:9:1", page, "http://127.0.0.1:8080/app.js", 2, 21},
		"below a library":    {"Error: x\n    at f (https://cdn.example/lib.js:1:900)\n    at pay (http://127.0.0.1:8080/app.js:7:3)", page, "http://127.0.0.1:8080/app.js", 7, 3},
		"of a library alone": {"Error: x\n    at f (https://cdn.example/lib.js:1:900)", page, "https://cdn.example/lib.js", 1, 900},
		"of no known page":   {"Error: x\n    at f (https://cdn.example/lib.js:1:900)\n    at pay (http://127.0.0.1:8080/app.js:7:3)", "", "https://cdn.example/lib.js", 1, 900},
		"of no script":       {"Error: x", page, "", 0, 0},
	} {
		e := thrownEntry(&playwright.Error{Name: "Error", Message: "x", Stack: c.stack}, c.page)
		if e.URL != c.want || e.Line != c.line || e.Column != c.column {
			t.Errorf("%s: %s:%d:%d, want %s:%d:%d", name, e.URL, e.Line, e.Column, c.want, c.line, c.column)
		}
	}
}
