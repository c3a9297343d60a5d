package starter_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/config"
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
		"comma alone":         {`{"mcpServers": {,}}`, "left"},
		"section twice":       {`{"mcpServers": {"o": {}}, "mcpServers": {"p": {}}}`, "left"},
		"server twice":        {`{"mcpServers": {"o": {}, "o": {}}}`, "left"},
		"section's comment":   {"{\n  \"mcpServers\": { // ours\n    // none yet\n  } /* end */\n}\n", "changed"},
		"null section":        {`{"mcpServers": null}`, "left"},
		"merge conflict":      {"<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n", "left"},
	} {
		dir, whole := t.TempDir(), tt.old
		path := filepath.Join(dir, ".mcp.json")
		if err := os.WriteFile(path, []byte(tt.old), 0o600); err != nil {
			t.Fatal(err)
		}
		clients, err := starter.ClientsNamed(starter.Home{}, []string{"claude-code"})
		if err != nil {
			t.Fatal(err)
		}
		own := func(starter.Client) (starter.Server, error) { return want, nil }
		all, err := starter.Add(dir, clients, own)
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
		again, err := starter.Add(dir, clients, own)
		if err != nil || again[0].Done != "kept" {
			t.Errorf("%s, again: %+v, %v", name, again, err)
		}
		other := func(starter.Client) (starter.Server, error) { return starter.Server{Command: "another"}, nil }
		if left, err := starter.Remove(dir, clients, other); err != nil || left[0].Done != "left" || string(data) != string(fileAt(t, path)) {
			t.Errorf("%s: somebody's own assay: %+v, %v", name, left, err)
		}
		undone, err := starter.Remove(dir, clients, own)
		if back := fileAt(t, path); err != nil || (undone[0].Done == "removed") != (back == nil) || undone[0].Done == "removed" && len(strings.Trim(whole, "{} \n")) > 0 ||
			back != nil && bare(string(back)) != bare(whole) {
			t.Errorf("%s, undone: %+v, %v: %q, it was %q", name, undone, err, back, whole)
		}
	}
}

// Undo takes out what init wrote, and no more: no comment, no other server, and no entry with
// anything of a person's own in it. What can't be taken out safely is left and named.
func TestUndoLosesNothing(t *testing.T) {
	t.Parallel()
	const entry = `"assay": {"command": "assay", "args": ["serve"]}`
	for name, tt := range map[string]struct{ old, want, done string }{
		"last":                  {"{\"mcpServers\": {\n  \"o\": {}, // keep\n  /* and this */\n  @\n  // end\n}}", "{\"mcpServers\": {\n  \"o\": {} // keep\n  /* and this */\n  // end\n}}", "changed"},
		"last, with a comma":    {"{\"mcpServers\": {\n  \"o\": {},\n  @, // mine\n}}", "{\"mcpServers\": {\n  \"o\": {},\n   // mine\n}}", "changed"},
		"last, in one line":     {`{"mcpServers": {"o": {}, @}}`, `{"mcpServers": {"o": {}}}`, "changed"},
		"comment, then a comma": {`{"mcpServers": {@ /* a */ , /* b */ "o": {}}}`, `{"mcpServers": { /* a */  /* b */ "o": {}}}`, "changed"},
		"alone, with comments":  {"{\"a\": 1, \"mcpServers\": {\n  // \"other\": {},\n  @\n}}", "{\"a\": 1, \"mcpServers\": {\n  // \"other\": {},\n}}", "changed"},
		"section's comment":     {`{"mcpServers": /* ours */ {@}}`, `{"mcpServers": /* ours */ {}}`, "changed"},
		"alone, with a comma":   {"{\"a\": 1, \"mcpServers\": {\n  @,\n}}", `{"a": 1}`, "changed"},
		"alone":                 {"{\"mcpServers\": {@}}", "", "removed"},
		"section twice":         {`{"mcpServers": {"o": {}}, "mcpServers": {@}}`, "", "left"},
		"disabled":              {`{"mcpServers": {"assay": {"command": "assay", "args": ["serve"], "disabled": true}}}`, "", "left"},
		"another case":          {`{"mcpServers": {"assay": {"Command": "assay", "args": ["serve"]}}}`, "", "left"},
		"a folder of its own":   {`{"mcpServers": {"assay": {"command": "assay", "args": ["serve"], "cwd": "web"}}}`, "", "left"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, ".mcp.json")
		old := strings.Replace(tt.old, "@", entry, 1)
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		if tt.done == "left" {
			tt.want = old
		}
		clients, err := starter.ClientsNamed(starter.Home{}, []string{"claude-code"})
		if err != nil {
			t.Fatal(err)
		}
		own := starter.Server{Command: "assay", Args: []string{"serve"}}
		_, same, err := clients[0].Read(dir, own)
		if want := name != "section twice"; (err == nil) != want || same != (want && tt.done != "left") {
			t.Errorf("%s: is init's own: %t, %v", name, same, err)
		}
		done, err := starter.Remove(dir, clients, func(starter.Client) (starter.Server, error) { return own, nil })
		if back := fileAt(t, path); err != nil || done[0].Done != tt.done || string(back) != tt.want || strings.Contains(done[0].Reason, "%!") {
			t.Errorf("%s: %+v, %v: %q, want %q", name, done, err, back, tt.want)
		}
	}
}

// Undo makes no folder, and a project that is not there is named.
func TestUndoMakesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := func(starter.Client) (starter.Server, error) { return starter.Server{Command: "assay"}, nil }
	clients, err := starter.ClientsNamed(starter.Home{Dir: filepath.Join(dir, "home"), Config: filepath.Join(dir, "own")}, []string{"cursor", "claude-desktop", "windsurf"})
	if err != nil {
		t.Fatal(err)
	}
	done, err := starter.Remove(dir, clients, server)
	if err != nil || len(done) != 3 {
		t.Fatalf("%+v, %v", done, err)
	}
	for i, o := range done {
		if o.Done != "kept" || o.Path != clients[i].Path(dir) {
			t.Errorf("%+v", o)
		}
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
		t.Errorf("made %v (%v)", made, err)
	}
	var usage *config.UsageError
	if _, err := starter.Remove(filepath.Join(dir, "no"), clients, server); !errors.As(err, &usage) {
		t.Errorf("no project: %v", err)
	}
}

// fileAt returns a file's bytes; nil where it is not there.
func fileAt(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return data
}

// bare returns settings without spaces, and without a section that has no server.
func bare(settings string) string {
	out := strings.Join(strings.Fields(settings), "")
	return strings.ReplaceAll(strings.Replace(out, `"mcpServers":{},`, "", 1), `"mcpServers":{}`, "")
}

// The address is what the project's own files say in so many letters; what is commented out, or
// computed, is not.
func TestAddressOfAProject(t *testing.T) {
	t.Parallel()
	const template = "export default defineConfig({\n  use: {\n    // baseURL: 'http://localhost:1111',\n    /* baseURL: 'http://localhost:1112' */\n%s  },\n});\n"
	for name, tt := range map[string]struct {
		files     map[string]string
		want, has string
	}{
		"nothing":           {nil, "", ""},
		"Playwright":        {map[string]string{"playwright.config.ts": fmt.Sprintf(template, "    baseURL: \"https://shop.test:4321\", // here\n"), "package.json": `{"scripts": {"dev": "vite --port 3"}}`}, "https://shop.test:4321", "playwright.config.ts"},
		"commented out":     {map[string]string{"playwright.config.ts": fmt.Sprintf(template, "")}, "", ""},
		"computed":          {map[string]string{"playwright.config.js": fmt.Sprintf(template, "    baseURL: `http://localhost:${port}`,\n")}, "", ""},
		"web server":        {map[string]string{"playwright.config.mjs": "export default { webServer: { command: 'npm start // x', port: 4000 } }"}, "http://localhost:4000", "playwright.config.mjs"},
		"its address":       {map[string]string{"playwright.config.mjs": "export default { webServer: { command: 'x', url: 'http://127.0.0.1:4001' } }"}, "http://127.0.0.1:4001", "playwright.config.mjs"},
		"Vite":              {map[string]string{"vite.config.ts": "export default { server: { host: true, port: 5555 } }"}, "http://localhost:5555", "vite.config.ts"},
		"a script's port":   {map[string]string{"package.json": `{"scripts": {"build": "x --port 1111", "dev": "next dev -p 3100"}}`}, "http://localhost:3100", "package.json"},
		"another's port":    {map[string]string{"package.json": `{"scripts": {"build": "x --port 1111"}}`}, "", ""},
		"a variable of one": {map[string]string{"package.json": `{"scripts": {"start": "PORT=8081 node ."}}`}, "http://localhost:8081", "package.json"},
	} {
		dir := t.TempDir()
		for file, text := range tt.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, from := starter.AddressOf(dir); got != tt.want || from != tt.has {
			t.Errorf("%s: %q of %q, want %q of %q", name, got, from, tt.want, tt.has)
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
			if _, err := starter.Write(dir, nil); err != nil {
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
