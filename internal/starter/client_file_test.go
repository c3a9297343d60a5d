package starter_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/starter"
)

// Settings of a client that are there get assay and lose nothing: not a comment, not
// another server, not a line's end. What is no JSON is left alone and named.
func TestServerIsAddedToSettings(t *testing.T) {
	t.Parallel()
	want := starter.Server{Command: `C:\\tools "new"\\assay`, Args: []string{"serve"}}
	for name, tt := range map[string]struct{ old, done string }{
		"empty file":          {"", "changed"},
		"empty object":        {"{}", "changed"},
		"other settings":      {"{\n  \"theme\": \"dark\" // mine\n}\n", "changed"},
		"another server":      {"{\n  // all of ours\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // keep\n  }\n}\n", "changed"},
		"no server":           {"{\"mcpServers\": {}, \"a\": [1, {\"mcpServers\": {}}]}", "changed"},
		"in one line":         {`{"mcpServers":{"other":{"command":"x","args":["{","}"]}}}`, "changed"},
		"tabs, other ends":    {"{\r\n\t\"mcpServers\": {\r\n\t\t\"other\": {}\r\n\t}\r\n}\r\n", "changed"},
		"byte order mark":     {"\xef\xbb\xbf{ \"mcpServers\": { /* } */ \"o\": {} } }", "changed"},
		"quoted comment":      {`{"url": "http://x/*", "mcpServers": {"o": {"command": "// \" {"}}}`, "changed"},
		"assay is there":      {`{"mcpServers": {"assay": {"command": "C:\\\\tools \"new\"\\\\assay", "args": ["serve"]}}}`, "kept"},
		"cut":                 {`{"mcpServers": {`, "left"},
		"comment without end": {`{} /* x`, "left"},
		"list":                {`[]`, "left"},
		"null section":        {`{"mcpServers": null}`, "left"},
		"merge conflict":      {"<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n", "left"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, ".mcp.json")
		if err := os.WriteFile(path, []byte(tt.old), 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := starter.Write(dir, nil, want)
		if err != nil || all[0].Path != path || all[0].Done != tt.done || (tt.done == "left") != strings.Contains(all[0].Reason, "run assay init again") {
			t.Errorf("%s: %+v, %v; want %s", name, all, err, tt.done)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if tt.done != "changed" {
			if string(data) != tt.old {
				t.Errorf("%s: changed to %q", name, data)
			}
			continue
		}
		got, err := starter.ReadServer(data, "mcpServers")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s\n%s", name, err, diff, data)
		}
		rest := string(data) // only one piece is new: what was there stands before and behind it
		for len(rest) > 0 && len(tt.old) > 0 && rest[0] == tt.old[0] {
			rest, tt.old = rest[1:], tt.old[1:]
		}
		if !strings.HasSuffix(rest, tt.old) {
			t.Errorf("%s: %q is not what was there: %q", name, rest, tt.old)
		}
		if strings.Count(string(data), "\r\n") > 0 && strings.Count(string(data), "\r\n") != strings.Count(string(data), "\n") {
			t.Errorf("%s: ends of lines are mixed: %q", name, data)
		}
		again, err := starter.Write(dir, nil, want)
		if err != nil || again[0].Done != "kept" {
			t.Errorf("%s, again: %+v, %v", name, again, err)
		}
	}
}

// .gitignore gets its line once, also behind a last line without an end.
func TestRunsAreIgnoredOnce(t *testing.T) {
	t.Parallel()
	for old, want := range map[string]string{"": ".assay/\n", "node_modules": "node_modules\n.assay/\n", "a\r\nb\r\n": "a\r\nb\r\n.assay/\r\n", "/.assay\n": "/.assay\n"} {
		dir := t.TempDir()
		path := filepath.Join(dir, ".gitignore")
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := starter.Write(dir, nil, starter.Server{Command: "assay"}); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q became %q, want %q (%v)", old, got, want, err)
		}
	}
}

// A workflow is written only where it can install assay.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ release, source, want string }{
		"development build": {"", "", ""},
		"release":           {"v1.2.3", "", "go install github.com/assay-qa/assay/cmd/assay@v1.2.3"},
		"source":            {"", "third party/assay", `go -C "third party/assay" install ./cmd/assay`},
	} {
		files, err := starter.Project{Base: &url.URL{Scheme: "http", Host: "localhost"}, Provider: "rules", Headless: true, Release: tt.release, Source: tt.source}.Files()
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range files {
			if f.To == starter.Workflow {
				text = f.Text
			}
		}
		if (text == "") != (tt.want == "") || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
