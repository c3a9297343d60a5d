package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/tools/pagehealth"
)

// Every command has a deadline around all that it does, or a reason to have none.
func TestEveryCommandHasADeadline(t *testing.T) {
	t.Parallel()
	a := &app{stdin: &bytes.Buffer{}, stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, getenv: func(string) string { return "" }}
	left, without := deadlines(), []string{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		path := pathOf(c)
		if strings.HasPrefix(path, "completion") {
			return // the library's own
		}
		d, ok := left[path]
		delete(left, path)
		if !ok || d.why == "" || d.limit <= 0 && d.of == nil {
			t.Errorf("assay %s has no deadline, or none with a reason: give it a row in deadlines()", path)
		} else if d.of != nil && d.of(c, []string{"http://localhost"}) == 0 {
			without = append(without, path)
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(a.root())
	for path := range left {
		t.Errorf("there is a deadline of assay %s, and no such command", path)
	}
	if got := strings.Join(without, ","); got != ",serve" {
		t.Errorf("without a deadline are %q, and that is no client's server", got)
	}
}

// assay check has the time for each of its pages, and no more for none.
func TestDeadlineOfCheck(t *testing.T) {
	t.Parallel()
	c := checkCommand(&app{})
	one, three := checkLimit(c, make([]string, 1)), checkLimit(c, make([]string, 3))
	page := pagehealth.PageLimit(10*time.Second, longestWatch) + pagehealth.FilingLimit
	if three-one != 2*page || one <= page {
		t.Errorf("one page has %s, three have %s; a page takes up to %s", one, three, page)
	}
}

// A command ends with its deadline, says which that was, and fails. Its context is what
// ends it: an address that never answers would hold it.
func TestACommandEndsAtItsDeadline(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 10)
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(site.Close)
	var stdout, stderr bytes.Buffer
	a := here(strings.NewReader(""), &stdout, &stderr, func(string) string { return "" })
	code := a.run(context.Background(), []string{"check", "--timeout", "1h", "--time-limit", "3s", "--data-dir", t.TempDir(), site.URL})
	if code != exitFailed || !strings.Contains(stderr.String(), "it was not done in 3s; --time-limit gives it more") || !strings.Contains(stdout.String(), "inconclusive  http") {
		t.Errorf("exit %d\n%s%s", code, &stdout, &stderr)
	}
	a = here(strings.NewReader(""), &stdout, &stderr, func(string) string { return "" })
	if a.run(context.Background(), []string{"version", "--time-limit", "-1s"}) != exitUsage {
		t.Errorf("a time limit below 0 is taken: %s", &stderr)
	}
	select {
	case <-asked:
	default:
		t.Error("the address was never asked for: the test shows nothing")
	}
}
