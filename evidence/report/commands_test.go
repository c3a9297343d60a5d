package report_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// TestRepeatCommand: a run from a file or of an address says how it is run
// again, and metadata, which may come from anybody, is no command of others.
func TestRepeatCommand(t *testing.T) {
	t.Parallel()
	for command, shown := range map[string]bool{
		"assay run flows/cart.flow.toml":                                                        true,
		"assay run --env staging --base-url 'https://h.test:81/app' /w/a.task.toml":             true,
		"assay check 'https://h.test/?a=1&b=%20$(id)'":                                          true, // quoted, so a shell finds nothing in it
		"assay check --device 'Pixel 7' --ignore-hosts 'ads.test,*.cdn.test' 'https://h.test/'": true,
		"assay check --device 'x'; id 'https://h.test/'":                                        false,
		"assay explore 'https://h.test/' --role agent --allow-writes":                           true,
		"assay explore 'https://h.test/' --role $(id)":                                          false,
		"assay run a.flow.toml; rm -rf x":                                                       false,
		"assay run $(id)":                                                                       false,
		"assay run --guard-destructive=allow a.flow.toml":                                       false,
		"assay check 'https://h.test/' 'https://h.test/'; id'":                                  false,
		"assay check 'https://h.test/\nid'":                                                     false,
		"rm -rf /":                                                                              false,
	} {
		r := passedReport()
		r.Task.Metadata = map[string]string{qa.CommandKey: command}
		page := render(t, asHTML, r)
		head, after, _ := strings.Cut(page, `id="reproduce"`)
		if got := strings.Contains(after, "<dt>Run it again</dt>"); got != shown || head == "" {
			t.Errorf("%q: told to run it again is %v, want %v", command, got, shown)
		}
	}
}
