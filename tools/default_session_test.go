package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// B2, B10: first calls that come side by side share one default session.
func TestParallelFirstCallsShareASession(t *testing.T) {
	t.Parallel()
	d := online(t)
	answers := make([]answer, 8)
	var calls sync.WaitGroup
	for i := range answers {
		calls.Go(func() { answers[i] = d.raw("page_snapshot", `{}`) })
	}
	calls.Wait()
	for i, a := range answers {
		if !a.OK {
			t.Errorf("call %d: %s", i+1, a.text)
		}
	}
	if open := d.SessionIDs(); len(open) != 1 {
		t.Errorf("%d sessions are open: %v", len(open), open)
	}
}

// B2: a call that looks at an address in a context of its own leaves the default
// session to the others.
func TestOneCallSessionIsNoDefault(t *testing.T) {
	t.Parallel()
	d := online(t)
	asked, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			once.Do(func() { close(asked) })
			<-release
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>T</title><h1>Here</h1>")
	}))
	t.Cleanup(site.Close)
	var look sync.WaitGroup
	look.Go(func() { d.raw("verify_page_loads", `{"url": "`+site.URL+`/slow"}`) })
	<-asked
	d.ok("page_navigate", `{"url": "%s/"}`, site.URL)
	a := d.ok("page_snapshot", `{}`)
	close(release)
	look.Wait()
	if !strings.Contains(a.text, `heading "Here"`) {
		t.Errorf("the default session shows %s", a.text)
	}
}
