package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/guard"
)

// A12, no false green: what the guard has stopped once explains that request
// and no other one. A later answer of the site to the same request, which a
// person permitted, is the site's own; so is what becomes of other requests to
// the same address or host.
func TestAStopExplainsOneRequest(t *testing.T) {
	t.Parallel()
	for name, ungated := range map[string]bool{"judged at the gate": false, "judged in the browser": true} {
		t.Run(name, func(t *testing.T) {
			c := newSite(t, nil)
			page := `<!doctype html><title>T</title><button onclick="fetch('/users/1', {method: 'DELETE'}).catch(() => 1)">%s</button>`
			c.handle("/", text(fmt.Sprintf(page, "OK")+fmt.Sprintf(page, "Delete user")))
			c.handle("/users/1", func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					panic(http.ErrAbortHandler) // the connection breaks
				}
				w.WriteHeader(http.StatusForbidden)
			})
			c.handle("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
			g, err := guard.New(nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := opened(t, poolWith(t, func(o *Options) {
				o.Guard, o.ungated = g, ungated
				o.Confirm = func(context.Context, string) (bool, error) { return true, nil }
			}), c.URL)
			if _, err := s.Click(within30s(t), `button "OK"`, 0); codeOf(err) != explain.NeedsHuman {
				t.Fatalf("the control: %v", err)
			}
			if bad := failures(s); len(bad) != 0 {
				t.Errorf("the site is blamed for what the guard stopped: %q", bad)
			}
			if _, err := s.Click(within30s(t), `button "Delete user"`, 0); err != nil {
				t.Fatal(err)
			}
			if bad := failures(s); len(bad) != 1 || !strings.Contains(bad[0], "403") {
				t.Errorf("failed: %q, want the permitted request that the site refused", bad)
			}
			if _, _, err := s.Evaluate(within30s(t), "fetch('/users/1').catch(() => 1)", nil); err != nil {
				t.Fatal(err)
			}
			if _, _, err := s.Evaluate(within30s(t), "fetch('/broken')", nil); err != nil {
				t.Fatal(err)
			}
			if bad := failures(s); len(bad) != 3 {
				t.Errorf("failed: %q, want the broken connection and status 500 too", bad)
			}
			logs, err := s.Console("error", time.Time{}, 0)
			if err != nil || logs.Matched != 3 {
				t.Errorf("console errors: %v %v, want the three that are the site's", logs.Entries, err)
			}
		})
	}
}

// failures returns the failed requests of the log.
func failures(s *Session) (out []string) {
	for _, e := range s.Network("", -1, time.Time{}, 0).Events {
		if e.Failed() {
			out = append(out, fmt.Sprint(e.Method, " ", e.URL, " ", e.Status, " ", e.Failure))
		}
	}
	return out
}
