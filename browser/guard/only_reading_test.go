package guard_test

import (
	"net/http"
	"testing"

	"github.com/assay-qa/assay/browser/guard"
)

// A guard that only reads stops every change, and lets reading, signing in and queries
// of GraphQL pass (C1).
func TestOnlyReading(t *testing.T) {
	judge, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	judge, err = judge.OnlyReading().Allowing([]string{`^POST http://a\.test/api/report$`})
	if err != nil {
		t.Fatal(err)
	}
	jsonBody := http.Header{"Content-Type": {"application/json"}}
	for _, c := range []struct {
		request guard.Request
		stopped bool
	}{
		{guard.Request{Method: "GET", URL: "http://a.test/orders"}, false},
		{guard.Request{Method: "HEAD", URL: "http://a.test/orders"}, false},
		{guard.Request{Method: "OPTIONS", URL: "http://a.test/orders"}, false},
		{guard.Request{Method: "POST", URL: "http://a.test/login"}, false},
		{guard.Request{Method: "POST", URL: "http://a.test/api/report"}, false},
		{guard.Request{Method: "POST", URL: "http://a.test/graphql", Header: jsonBody, Body: []byte(`{"query":"query { orders { id } }"}`)}, false},
		{guard.Request{Method: "POST", URL: "http://a.test/graphql", Header: jsonBody, Body: []byte(`[{"query":"{ a }"},{"query":"query B { b }"}]`)}, false},
		{guard.Request{Method: "POST", URL: "http://a.test/graphql", Header: jsonBody, Body: []byte(`{"query":"mutation { addOrder { id } }"}`)}, true},
		{guard.Request{Method: "POST", URL: "http://a.test/graphql", Header: jsonBody, Body: []byte(`[{"query":"{ a }"},{"query":"mutation { addOrder { id } }"}]`)}, true},
		{guard.Request{Method: "POST", URL: "http://a.test/api/orders", Header: jsonBody, Body: []byte(`{"query":"anna"}`)}, true},
		{guard.Request{Method: "POST", URL: "http://a.test/api/orders"}, true},
		{guard.Request{Method: "POST", URL: "http://a.test/orders/search"}, true},
		{guard.Request{Method: "POST", URL: "http://a.test/logout"}, true},
		{guard.Request{Method: "PUT", URL: "http://a.test/api/orders/1"}, true},
		{guard.Request{Method: "PATCH", URL: "http://a.test/api/orders/1"}, true},
		{guard.Request{Method: "DELETE", URL: "http://a.test/api/orders/1"}, true},
		{guard.Request{Method: "GET", URL: "http://a.test/api/orders/1?_method=put"}, true},
		{guard.Request{Method: "PROPFIND", URL: "http://a.test/files"}, true},
	} {
		if rule, stopped := judge.Request(c.request); stopped != c.stopped {
			t.Errorf("%s %s %s: stopped is %t (%s), want %t", c.request.Method, c.request.URL, c.request.Body, stopped, rule, c.stopped)
		}
	}
}
