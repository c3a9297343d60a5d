package health_test

import (
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
		"the only sheet has no rule":         {health.Facts{Sheets: none}, health.PageUnstyled, false},
		"its own rules style it":             {health.Facts{Sheets: none, Rules: 1}, "", false},
		"another sheet styles it":            {health.Facts{Sheets: append(none, health.Sheet{URL: "http://a.test/y", Rules: 4})}, "", false},
		"another site's sheet may":           {health.Facts{Sheets: append(none, health.Sheet{URL: "http://b.test/y", Rules: -1})}, "", false},
		"we refused the sheet":               {health.Facts{Sheets: none, Requests: []health.Request{{URL: "http://a.test/x", Type: "stylesheet", Blocked: true}}}, "", false},
		"it links none":                      {health.Facts{}, "", false},
		"a password that is shown":           {health.Facts{Open: []health.Place{{Kind: "open"}}}, health.OpenPassword, true},
		"one that can be hidden":             {health.Facts{Open: []health.Place{{Kind: "shown"}}}, health.OpenPassword, false},
		"a font that can't be used":          {health.Facts{Fonts: []string{"Icons"}}, health.BadFont, false},
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
