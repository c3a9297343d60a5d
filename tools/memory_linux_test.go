package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
)

// B16: what a session used, and what the browser itself used, is said when the session is closed; a
// session over its limit is rebuilt, and the next call says so with the setting's name.
func TestMemoryIsReported(t *testing.T) {
	t.Parallel()
	d := onlineWith(t, func(o *browser.Options) { o.MemoryLimit = 150 << 20 })
	url := site(t, map[string]string{"/": "<title>T</title>"})
	d.ok("page_navigate", `{"url": %q}`, url)
	script := "() => { window.kept = [...Array(80)].map((_, i) => new Uint8Array(4 << 20).fill(i + 1)); return 1 }"
	eventually(t, time.Minute, "the session is rebuilt", func() string { // during the script at the earliest
		a := d.call("page_evaluate", `{"script": %q}`, script)
		script = "1"
		switch {
		case a.OK:
			return "it still works"
		case a.Error.Code != "PAGE_CRASHED" || !strings.Contains(a.text, "limits.memory_mb"):
			t.Errorf("it says %s", a.text)
		}
		return ""
	})
	// A page that is being rebuilt has no memory to tell yet.
	eventually(t, time.Minute, "the rebuilt session answers", func() string {
		if a := d.call("page_evaluate", `{"script": "1"}`); !a.OK {
			return a.text
		}
		return ""
	})
	a := d.ok("browser_close", `{}`)
	memory, _ := a.Data["memory"].(map[string]any)
	used, _ := memory["used_mb"].(float64)
	own, _ := memory["browser_mb"].(float64)
	if used < 1 || used > 150 || own < 1 || memory["limit_mb"] != 150.0 {
		t.Errorf("it says %v", memory)
	}
	if !strings.Contains(a.text, "limit 150 MB") {
		t.Errorf("the text lacks it:\n%s", a.text)
	}
}
