package tools_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/secrets"
)

// Promise 2: a page that shows a secret has lines which can be used as they are
// printed, and so has one that shows the very words ${secret:X}.
func TestLinesWithSecretsAreSelectors(t *testing.T) {
	const value = "s3cr3t (a.b)"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>T</title><button onclick="document.title='token'">Copy ` + value + ` now</button>
			<button onclick="document.title='words'">Write ${secret:X} here</button><button>Copy nothing</button>`))
	}))
	t.Cleanup(site.Close)
	d := online(t)
	vault := secrets.New(map[string]string{"X": "env:X"}, func(string) string { return value })
	if _, err := vault.Reveal(t.Context(), "X"); err != nil {
		t.Fatal(err)
	}
	d.Secrets = vault
	d.ok("page_navigate", `{"url": %q}`, site.URL)
	lines := d.ok("page_snapshot", `{}`).text
	for line, title := range map[string]string{`button "Copy ${secret:X} now"`: "token", `button "Write ${secret:X} here"`: "words"} {
		if !strings.Contains(lines, line) || strings.Contains(lines, "s3cr3t") {
			t.Fatalf("the snapshot lacks %s:\n%s", line, lines)
		}
		d.ok("page_click", `{"selector": %q}`, line)
		d.ok("verify_element_exists", `{"selector": %q}`, line)
		if a := d.ok("verify_assertion", `{"assertion": {"type": "title_equals", "expected": %q}}`, title); a.Data["passed"] != true {
			t.Errorf("%s clicked another element: %s", line, a.text)
		}
	}
	if a := d.raw("page_click", `{"selector": "button \"Copy ${secret:X} later\""}`); a.Error.Code != "ELEMENT_NOT_FOUND" {
		t.Errorf("another name: %s", a.text)
	}
	if a := d.raw("page_navigate", `{"url": "http://a.test/${secret:X}"}`); a.Error.Code != "INVALID_INPUT" {
		t.Errorf("a secret in an address: %s", a.text)
	}
}
