package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
	if got := strings.Join(without, ","); got != ",serve,worker" {
		t.Errorf("without a deadline are %q, and those are not what others end", got)
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

// assay check and assay run end on pages that freeze, and pass none of them. The first
// one held assay check for good.
func TestCommandsEndOnFrozenPages(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		body := `<title>x</title><h1>H</h1><button onclick="for (;;);">Go</button>`
		if r.URL.Path == "/frozen" {
			body = `<title>x</title><h1>H</h1><script>onload=()=>setTimeout(()=>{for(;;);},0)</script>`
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(site.Close)
	dir := t.TempDir()
	file := filepath.Join(dir, "go.flow.toml")
	if err := os.WriteFile(file, fmt.Appendf(nil, `name = "go"
start_url = "%s/"
timeout_ms = 3000
[[steps]]
action = "click"
selector = "button \"Go\""
[[steps]]
action = "assert"
selector = "css=h1"
assertion = { type = "visible" }
`, site.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{
		{"check", "--timeout", "2s", site.URL + "/frozen"},
		{"run", file},
	} {
		var stdout, stderr bytes.Buffer
		a := here(strings.NewReader(""), &stdout, &stderr, func(string) string { return "" })
		ended := make(chan int, 1)
		go func() { ended <- a.run(context.Background(), append(line, "--data-dir", filepath.Join(dir, line[0]))) }()
		select {
		case code := <-ended:
			if said := stdout.String(); code != exitFailed || !strings.Contains(said, "inconclusive") && !strings.Contains(said, "failed") {
				t.Errorf("assay %s: exit %d\n%s%s", line, code, said, &stderr)
			}
		case <-time.After(5 * time.Minute): // ten times its bound
			t.Fatalf("assay %s does not end", line)
		}
	}
}
