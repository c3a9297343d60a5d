package guard_test

import (
	"net/http"
	"testing"

	"github.com/assay-qa/assay/browser/guard"
)

// The table of docs/security.md: who acts, on what, and what passes (A12).
func TestKindsOfActs(t *testing.T) {
	plain := newGuard(t, nil, []string{`^POST http://a\.test/never$`})
	acts := plain.ByActs()
	reading := acts.OnlyReading()
	post, destroys, question := guard.Request{Method: "POST", URL: "http://a.test/api/comments"}, guard.Request{Method: "DELETE", URL: "http://a.test/api/users/5"},
		guard.Request{Method: "POST", URL: "http://a.test/graphql", Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"query":"{ me { id } }"}`)}
	get := guard.Request{Method: "GET", URL: "http://b.test/"}
	never, live := guard.Request{Method: "POST", URL: "http://a.test/never"}, guard.Request{Method: "POST", URL: "http://live.a.test/x", Production: true}
	message, liveMessage := guard.Request{Method: guard.MessageMethod, URL: "ws://a.test", Message: true}, guard.Request{Method: guard.MessageMethod, URL: "ws://live.a.test", Message: true, Production: true}
	allowing, err := acts.Allowing([]string{`^MESSAGE ws://`})
	if err != nil {
		t.Fatal(err)
	}
	here, there := guard.Cause{ByAct: true, UnderTest: true}, guard.Cause{ByAct: true}
	of := func(kind guard.Kind, c guard.Cause) guard.Cause { c.Kind = kind; return c }
	others := guard.Cause{Kind: guard.Others, ByAct: true, UnderTest: true, Record: "5"}
	sends := func(path, body string) guard.Request {
		return guard.Request{Method: "POST", URL: "http://a.test" + path, Body: []byte(body)}
	}
	for what, test := range map[string]struct {
		judge   *guard.Guard
		request guard.Request
		cause   guard.Cause
		rule    string
	}{
		"written: what destroys":                      {acts, destroys, of(guard.Written, here), ""},
		"written: elsewhere":                          {acts, post, of(guard.Written, there), ""},
		"written: a pattern of the user's own":        {acts, never, of(guard.Written, here), `guard.request_patterns ^POST http://a\.test/never$`},
		"written: a production host":                  {acts, live, of(guard.Written, here), "a change on a production host"},
		"written, with deny":                          {plain, destroys, of(guard.Written, here), "DELETE"},
		"worked: an ordinary write":                   {acts, post, here, ""},
		"worked: what destroys":                       {acts, destroys, here, "DELETE"},
		"worked: an ordinary write elsewhere":         {acts, post, there, guard.ForeignRule},
		"worked: reading elsewhere":                   {acts, get, there, ""},
		"worked: what a page sends by itself":         {acts, destroys, guard.Cause{UnderTest: true}, ""},
		"worked: the same elsewhere":                  {acts, post, guard.Cause{}, ""},
		"worked, with deny: what a page sends itself": {plain, destroys, guard.Cause{UnderTest: true}, "DELETE"},
		"explored: an ordinary write":                 {reading, post, of(guard.Explored, here), guard.ReadOnlyRule},
		"explored: a query":                           {reading, question, of(guard.Explored, here), ""},
		"explored: what a page sends by itself":       {reading, post, of(guard.Explored, guard.Cause{UnderTest: true}), ""},
		"explored with leave to write":                {acts, post, of(guard.Explored, here), ""},
		"the same elsewhere":                          {acts, post, of(guard.Explored, there), guard.ForeignRule},
		"the same: what destroys":                     {acts, destroys, of(guard.Explored, here), "DELETE"},
		"own: what destroys":                          {acts, destroys, of(guard.Own, here), ""},
		"own: what destroys, elsewhere":               {acts, destroys, of(guard.Own, there), guard.ForeignRule},
		"own, without leave to write":                 {reading, destroys, of(guard.Own, here), guard.ReadOnlyRule},
		"own: a pattern of the user's own":            {acts, never, of(guard.Own, here), `guard.request_patterns ^POST http://a\.test/never$`},
		"others': a write that names no record":       {acts, post, others, ""},
		"others': what destroys":                      {acts, destroys, others, "DELETE"},
		"others': their address":                      {acts, sends("/api/users/5/comments", ""), others, guard.ReadOnlyRule},
		"others': their number in the query":          {acts, sends("/api/comments?user=5", ""), others, guard.ReadOnlyRule},
		"others': their number in JSON":               {acts, sends("/api/comments", `{"user": {"key": 5}}`), others, guard.ReadOnlyRule},
		"others': their number in a form":             {acts, sends("/api/comments", "text=Hi&user=5"), others, guard.ReadOnlyRule},
		"others': a longer number":                    {acts, sends("/api/comments", `{"user": 15, "other": "x5"}`), others, ""},
		"others': what the page sends by itself":      {acts, sends("/api/users/5/comments", ""), guard.Cause{Kind: guard.Others, UnderTest: true, Record: "5"}, ""},
		"a message: worked":                           {acts, message, here, ""},
		"a message: worked, elsewhere":                {acts, message, there, guard.ForeignRule},
		"a message: written, elsewhere":               {acts, message, of(guard.Written, there), ""},
		"a message: the page's own, elsewhere":        {acts, message, guard.Cause{}, ""},
		"a message: explored":                         {reading, message, of(guard.Explored, here), ""},
		"a message: explored, elsewhere":              {reading, message, of(guard.Explored, there), guard.ForeignRule},
		"a message: with deny, elsewhere":             {plain, message, there, ""},
		"a message: to production":                    {acts, liveMessage, guard.Cause{UnderTest: true}, "a change on a production host"},
		"a message: to production, permitted":         {allowing, liveMessage, here, ""},
	} {
		if rule, stopped := test.judge.RequestOf(test.request, test.cause); rule != test.rule || stopped != (test.rule != "") {
			t.Errorf("%s: %q, %v; want %q", what, rule, stopped, test.rule)
		}
	}
	button := guard.Element{Names: []string{"Delete user"}}
	for what, test := range map[string]struct {
		judge *guard.Guard
		kind  guard.Kind
		stops bool
	}{
		"written": {acts, guard.Written, false}, "worked": {acts, guard.Worked, true}, "explored": {acts, guard.Explored, true}, "written, with deny": {plain, guard.Written, true},
	} {
		if _, stopped := test.judge.ActOf(button, test.kind); stopped != test.stops {
			t.Errorf("a button of a %s act: stopped is %v", what, stopped)
		}
	}
}
