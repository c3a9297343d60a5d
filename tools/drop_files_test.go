package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Req 0033/B (playwright#5001): files are dropped on what takes them; what takes none is not left for
// the file, and says so.
func TestFilesAreDropped(t *testing.T) {
	t.Parallel()
	d, root := worker(t)
	for name, text := range map[string]string{"a.txt": "alpha", "b.csv": "1,2\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const zone = `<div id=zone style="height:80px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); take(event.dataTransfer.files)">Drop files here</div>`
	web := site(t, map[string]string{
		"/": `<!doctype html><title>Zones</title><p id=out>-</p><div style="height:1500px">long</div>` + zone + `<div id=plain style="height:60px">Nothing here</div>
			<div id=other style="height:60px" ondragover="event.preventDefault()" ondrop="event.stopPropagation(); event.preventDefault(); out.textContent = 'taken'">Swallows</div>
			<iframe title=F src=/frame width=300 height=150></iframe>
			<script>async function take(files) { out.textContent = (await Promise.all([...files].map(async f => f.name + ':' + await f.text()))).join(' ') }</script>`,
		"/frame": `<!doctype html><title>Frame</title><p id=out>-</p>` + zone + `<script>function take(files) { out.textContent = [...files].map(f => f.name + f.size).join() }</script>`,
	})
	d.ok("run_start", `{"goal": "drop files"}`)
	d.want("", "page_navigate", `{"url": "`+web+`"}`, `"Zones"`)
	shows := func(selector, text string) {
		t.Helper()
		d.want("", "verify_assertion", fmt.Sprintf(`{"selector": %q, "assertion": {"type": "text_equals", "expected": %q}}`, selector, text), "PASSED")
	}
	d.want("", "page_upload", `{"selector": "css=#zone", "paths": ["a.txt", "b.csv"], "drop": true}`, "uploaded")
	shows("#out", "a.txt:alpha b.csv:1,2")
	d.want("", "page_upload", `{"selector": "css=#other", "paths": ["a.txt"], "drop": true}`, "uploaded")
	shows("#out", "taken")
	d.want("", "page_upload", `{"selector": "frame \"F\" > #zone", "paths": ["b.csv"], "drop": true}`)
	shows(`frame "F" > #out`, "b.csv4")
	d.want("NOT_ACTIONABLE", "page_upload", `{"selector": "css=#plain", "paths": ["a.txt"], "drop": true}`, "takes no files that are dropped on it")
	d.want("", "page_snapshot", `{}`, `text "Nothing here"`)
	d.want("NOT_ACTIONABLE", "page_upload", `{"selector": "css=#plain", "paths": ["a.txt"], "timeout_ms": 1500}`, "drop: true")
	d.want("INVALID_INPUT", "page_upload", `{"selector": "css=#zone", "paths": ["none.txt"], "drop": true}`, "none.txt")
	step := `{"action": "drop", "selector": "css=#zone", "value": %q}, {"action": "assert", "selector": "css=#out", "timeout_ms": 1500, "assertion": {"type": "text_equals", "expected": "a.txt:alpha"}}`
	for file, status := range map[string]string{"a.txt": "passed", "b.csv": "failed"} {
		if a := d.raw("verify_user_flow", fmt.Sprintf(`{"start_url": %q, "watch_ms": 0, "steps": [`+step+`]}`, web, file)); a.Data["status"] != status {
			t.Errorf("%s: %s", file, a.text)
		}
	}
}
