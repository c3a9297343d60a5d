package report

import (
	"html/template"
	"strings"
	"testing"
)

// TestEscapes holds our escaping against that of the standard library's
// templates, which know each place by parsing the page around it.
func TestEscapes(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := range rune(0x180) {
		all.WriteRune(r)
	}
	texts := []string{
		"", "plain", all.String(), `"><script>alert(1)</script>`, `' onmouseover='alert(1)`, "</title></style></textarea>", "a+b&amp;c", "javascript:alert(1)",
		"data:text/html,<script>", "%3Cscript%3E %zz %4", "日本 \u2028\u2029 \ufeff", "../x?a=b#c", "http://h/a b(c)'d\"e", "\xff\xfe not UTF-8", "-->", "]]>", "{{.}}", "`${x}`",
	}
	page := template.Must(template.New("").Parse(`<p title="{{.Text}}">{{.Text}}</p><a href="{{.Address}}">{{.Text}}</a><a href="#{{.Text}}"></a><a href="#check-{{.Text}}"></a><title>{{.Text}}</title>`))
	for _, s := range texts {
		var want strings.Builder
		if err := page.Execute(&want, map[string]any{"Text": s, "Address": template.URL(s)}); err != nil { // #nosec G203 -- it is what href is given: an address that safeURL let through
			t.Fatal(err)
		}
		got := join(`<p title="`, text(s), `">`, text(s), `</p><a href="`, href(address(s)), `">`, text(s), `</a><a href="#`, fragment(s), `"></a><a href="#check-`, fragment(s), `"></a><title>`, text(s), `</title>`)
		if string(got) != want.String() {
			t.Errorf("%q:\n%s\nwant\n%s", s, got, want.String())
		}
	}
}
