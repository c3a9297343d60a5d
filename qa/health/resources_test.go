package health_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa/health"
)

// Step 15, point 11: what a page loads and sends is judged by facts, and a healthy twin of
// each fault has no finding.
func TestWhatAPageLoads(t *testing.T) {
	request := func(typ, contentType string) health.Request {
		return health.Request{URL: "http://a.test/x", Type: typ, Status: 200, ContentType: contentType}
	}
	none := []health.Sheet{{URL: "http://a.test/x"}}
	for name, tt := range map[string]struct {
		facts   health.Facts
		finding string
		certain bool
	}{
		"a style sheet that is a page":       {health.Facts{Requests: []health.Request{request("stylesheet", "text/html; charset=utf-8")}}, health.PageUnstyled, true},
		"one that is text":                   {health.Facts{Requests: []health.Request{request("stylesheet", "text/plain")}}, health.WrongType, false},
		"a script that is a page":            {health.Facts{Requests: []health.Request{request("script", "text/html")}}, health.WrongType, false},
		"a script that answers an error":     {health.Facts{Requests: []health.Request{{URL: "/x.js", Type: "script", Status: 503}}}, health.MissingFile, false},
		"a sheet that does not come":         {health.Facts{Requests: []health.Request{{URL: "/x.css", Type: "stylesheet", Failure: "net::ERR_CONTENT_LENGTH_MISMATCH"}}}, health.MissingFile, false},
		"a script that the page gave up":     {health.Facts{Requests: []health.Request{{URL: "/x.js", Type: "script", Failure: "net::ERR_ABORTED", Aborted: true}}}, "", false},
		"a script that we refused":           {health.Facts{Requests: []health.Request{{URL: "/x.js", Type: "script", Failure: "net::ERR_FAILED", Blocked: true}}}, "", false},
		"data that answers an error":         {health.Facts{Requests: []health.Request{{URL: "/x", Type: "fetch", Status: 404}}}, "", false},
		"the only sheet has no rule":         {health.Facts{Sheets: none}, health.PageUnstyled, false},
		"its own rules style it":             {health.Facts{Sheets: none, Rules: 1}, "", false},
		"another sheet styles it":            {health.Facts{Sheets: append(none, health.Sheet{URL: "http://a.test/y", Rules: 4})}, "", false},
		"another site's sheet may":           {health.Facts{Sheets: append(none, health.Sheet{URL: "http://b.test/y", Rules: -1})}, "", false},
		"we refused the sheet":               {health.Facts{Sheets: none, Requests: []health.Request{{URL: "http://a.test/x", Type: "stylesheet", Blocked: true}}}, "", false},
		"it links none":                      {health.Facts{}, "", false},
		"a password that is shown":           {health.Facts{Open: []health.Place{{Kind: "open"}}}, health.OpenPassword, true},
		"one that can be hidden":             {health.Facts{Open: []health.Place{{Kind: "shown"}}}, health.OpenPassword, false},
		"a font that can't be used":          {health.Facts{Fonts: []string{"Icons"}}, health.BadFont, false},
		"an icon without a glyph":            {health.Facts{Glyphs: []health.Place{{Kind: "U+E001", Text: "Icons"}}}, health.BadFont, false},
		"a sheet that is cut":                {health.Facts{Broken: []string{"the style sheet /x ends in the middle of a rule"}}, health.CutShort, false},
		"a script that came empty":           {health.Facts{Blank: []string{"/x.js"}}, health.EmptyScript, false},
		"a page that jumps":                  {health.Facts{Shift: &health.Place{Kind: "420"}}, health.LayoutShift, false},
		"a page that is too wide":            {health.Facts{Wide: &health.Place{Kind: "300"}}, health.WidePage, false},
		"an error in the body of an answer":  {health.Facts{Errors: []string{"GET /x: ok: false"}}, health.ErrorInBody, false},
		"a write that is sent twice":         {health.Facts{Twice: []string{"POST /orders"}}, health.SentTwice, false},
		"a request that is sent without end": {health.Facts{Loops: []string{"GET /x: 99 times"}}, health.EndlessRequests, false},
	} {
		tt.facts.Title, tt.facts.Words, tt.facts.Controls = "Orders", 300, 3
		found := health.Judge(tt.facts, nil)
		if tt.finding == "" && len(found) > 0 || tt.finding != "" && (len(found) == 0 || found[0].Name != tt.finding || found[0].Certain != tt.certain) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// An answer's structure says that it failed, whatever its language; data that only has such
// a name says nothing.
func TestSaysItFailed(t *testing.T) {
	for body, want := range map[string]bool{
		`{"ok":false,"error":"database is down"}`:                     true,
		`{"success":false}`:                                           true,
		`{"data":null,"errors":[{"message":"Kunde nicht gefunden"}]}`: true,
		`{"status":"fail","data":{"title":"必須項目です"}}`:                 true,
		`{"error":{"code":12}}`:                                       true,
		`{"error":"Sitzung abgelaufen"}`:                              true,
		`{"ok":true,"errors":[],"error":null}`:                        false,
		`{"success":true,"data":[]}`:                                  false,
		`{"error":""}`:                                                false,
		`{"error":{}}`:                                                false,
		`{"error":false}`:                                             false,
		`{"errors":0,"error":0.02,"status":"active","ok":12}`:         false,
		`{"rows":[{"ok":false,"error":"x"}]}`:                         false,
		`[{"ok":false}]`:                                              false,
		`{"errors":{}}`:                                               false,
		`"ok"`:                                                        false,
		`<html>`:                                                      false,
		``:                                                            false,
	} {
		if said := health.SaysItFailed([]byte(body)); (said != "") != want {
			t.Errorf("%s: %q", body, said)
		}
	}
}

// A sheet of any style of writing has an end. What is cut anywhere within something says so,
// whatever it says before that.
func TestSheetFault(t *testing.T) {
	whole := []string{
		"", "  \n", "/* by design */", "body{}", "a{color:red}b{margin:0}\n", `@charset "utf-8"; a { b: c }`, "@import url(x.css)", `@import url("x.css") layer(base)`, "@layer a, b;",
		`.a::after{content:"}{"}`, `.a{background:url(data:image/svg+xml;utf8,<svg{'"}>)}`, `.a{background:url( "data:{" )}`, `.a\{b{color:red}`, "a{b:c} // it isn't a comment\nd{e:f}",
		"@media print{a{b:c}}", "a{&:hover{b:c}}", "}a{b:c}", "a{b:c}}", "a{b:c}\n/*# sourceMappingURL=a.css.map */", "<!-- a{b:c} -->", ":root{--x:{a:b}}", "@property --x{syntax:'<length>';inherits:false;initial-value:0px}",
		`.a{content:"it\'s"}`, `.a{content:'\'}'}`,
	}
	for _, css := range whole {
		if fault := health.SheetFault([]byte(css)); fault != "" {
			t.Errorf("%q: %s", css, fault)
		}
	}
	for css, want := range map[string]string{
		"a{b:c}d{e:f": "ends in the middle of a rule", "@media print{a{b:c}": "ends in the middle of a rule", "a{b:c}.card:hov": "ends in the middle of a selector", "a{b:c}/* and th": "ends within a comment",
		`.a{content:"x`: "ends within a string", ".a{background:url(/pictures/lo": "ends within an address", "<!DOCTYPE html><p>": "is a page, although it came as text/css", `{"error":"gone"}`: "is JSON, although it came as text/css",
		"[]": "is JSON, although it came as text/css", "a{b:c}\n\n@media (min-width: 40em) {\n  .b { c: d }\n": "ends in the middle of a rule",
	} {
		if fault := health.SheetFault([]byte(css)); fault != want {
			t.Errorf("%q: %q, want %q", css, fault, want)
		}
	}
	const sheet = `@media print{.a{color:red}}.b::after{content:"(";background:url(x.png)}/* end */.c{margin:0}`
	for i := range sheet {
		cut, rest := sheet[:i], sheet[i:]
		between := cut == "" || strings.HasSuffix(cut, "/") || strings.HasSuffix(cut, "}") && strings.Count(cut, "{") == strings.Count(cut, "}")
		if fault := health.SheetFault([]byte(cut)); (fault == "") != between && !strings.HasPrefix(rest, "*") {
			t.Errorf("cut as %q: %q", cut, fault)
		}
	}
}
