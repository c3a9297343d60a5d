package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// hub is a server that keeps comments on pull requests as GitHub does: those of the
// repository o/NAME alone may be written.
type hub struct {
	*httptest.Server
	mu       sync.Mutex
	comments []hubComment
}

type hubComment struct {
	ID         int               `json:"id"`
	Body       string            `json:"body"`
	HTMLURL    string            `json:"html_url"`
	User       map[string]string `json:"user"`
	repository string
}

var hubPath = regexp.MustCompile(`^/repos/(\w+/\w+)/issues/(?:comments/(\d+)|\d+/comments)$`)

func newHub(t *testing.T) *hub {
	h := &hub{}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.Close)
	return h
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := hubPath.FindStringSubmatch(r.URL.Path)
	if m == nil || r.Header.Get("Authorization") != "Bearer hub-token" {
		http.Error(w, "no", http.StatusNotFound)
		return
	}
	var in struct{ Body string }
	switch r.Method {
	case http.MethodGet:
		all := []hubComment{}
		for _, c := range h.comments {
			if c.repository == m[1] {
				all = append(all, c)
			}
		}
		_ = json.NewEncoder(w).Encode(all)
		return
	case http.MethodPatch:
		_ = json.NewDecoder(r.Body).Decode(&in)
		id, _ := strconv.Atoi(m[2])
		h.comments[id-1].Body = in.Body
		_ = json.NewEncoder(w).Encode(h.comments[id-1])
		return
	}
	if !strings.HasPrefix(m[1], "o/") {
		http.Error(w, "read only", http.StatusForbidden)
		return
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	c := hubComment{len(h.comments) + 1, in.Body, fmt.Sprintf("https://hub.test/%s#%d", m[1], len(h.comments)+1), map[string]string{"type": "Bot"}, m[1]}
	h.comments = append(h.comments, c)
	_ = json.NewEncoder(w).Encode(c)
}

// commented REPOSITORY N [PATTERN…] wants that many comments there, and the patterns
// in the last one.
func (h *hub) commented(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: commented repository n [pattern...]")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	n, last := 0, ""
	for _, c := range h.comments {
		if c.repository == args[0] {
			n, last = n+1, c.Body
		}
	}
	if strconv.Itoa(n) != args[1] {
		ts.Fatalf("%d comments in %s, want %s", n, args[0], args[1])
	}
	for _, pattern := range args[2:] {
		if !regexp.MustCompile(pattern).MatchString(last) {
			ts.Fatalf("the comment lacks %s:\n%s", pattern, last)
		}
	}
}
