package publish_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/suite/publish"
)

// TestComment: one comment a pull request, that of the tool's own, however often it
// runs; what a stranger wrote is never taken for it (A15).
func TestComment(t *testing.T) {
	const marker = "<!-- assay: x -->"
	type one struct {
		ID          int               `json:"id"`
		Body        string            `json:"body"`
		Association string            `json:"author_association"`
		User        map[string]string `json:"user"`
		HTMLURL     string            `json:"html_url"`
	}
	var all []one
	for i := range 100 { // the first page is full
		all = append(all, one{ID: i + 1, Body: "hello", User: map[string]string{"type": "User"}})
	}
	all = append(all, one{ID: 101, Body: marker + "\nall passed", Association: "CONTRIBUTOR", User: map[string]string{"type": "User"}})
	refuse := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer tok-SECRET" {
			t.Errorf("authorization %q", r.Header.Get("Authorization"))
		}
		if refuse != 0 {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(refuse)
			_, _ = fmt.Fprint(w, "no tok-SECRET")
			return
		}
		var in struct{ Body string }
		switch {
		case r.Method == http.MethodGet:
			part := all[min(100, len(all)):]
			if r.URL.Query().Get("page") == "1" {
				part = all[:min(100, len(all))]
			}
			_ = json.NewEncoder(w).Encode(part)
			return
		case r.Method == http.MethodPost && r.URL.Path == "/repos/o/n/issues/7/comments":
			_ = json.NewDecoder(r.Body).Decode(&in)
			all = append(all, one{ID: len(all) + 1, Body: in.Body, User: map[string]string{"type": "Bot"}, HTMLURL: "https://x/new"})
		case r.Method == http.MethodPatch && r.URL.Path == "/repos/o/n/issues/comments/102":
			_ = json.NewDecoder(r.Body).Decode(&in)
			all[101].Body = in.Body
		default:
			t.Errorf("%s %s", r.Method, r.URL)
		}
		_ = json.NewEncoder(w).Encode(all[len(all)-1])
	}))
	defer server.Close()
	p := publish.PullRequest{API: server.URL + "/", Repository: "o/n", Number: 7, Token: "tok-SECRET"}
	for _, body := range []string{"first", "second"} {
		if at, err := p.Comment(t.Context(), marker, body); err != nil || at != "https://x/new" {
			t.Fatalf("%q, %v", at, err)
		}
		if len(all) != 102 || all[101].Body != marker+"\n"+body || all[100].Body != marker+"\nall passed" {
			t.Fatalf("%d comments, the last %q", len(all), all[len(all)-1].Body)
		}
	}
	for code, want := range map[int]string{403: "pull-requests: write", 500: "answered 500", 302: "answered 302"} {
		refuse = code
		if _, err := p.Comment(t.Context(), marker, "x"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%d: %v", code, err)
		}
	}
	p.API = "http://api.test.example"
	if _, err := p.Comment(t.Context(), marker, "x"); err == nil || !strings.Contains(err.Error(), "in clear") {
		t.Errorf("http: %v", err)
	}
}
