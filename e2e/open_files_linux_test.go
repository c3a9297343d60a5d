package e2e_test

import (
	"fmt"
	"strings"
	"testing"
)

// Where few files may be open, each command and tool says so, and what to do, whatever
// it would have failed of: it is no fault of ours, none of the page, and takes no time-out.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	limited := func(files int) []string {
		return []string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files), binary(t)}
	}
	const remedy = "ulimit -n 1024"
	for _, files := range []int{10, 16, 24, 32, 64, 100, 200} {
		out, said, code := commandAs(t, append(limited(files), "check", "http://127.0.0.1:9", "--data-dir", t.TempDir()))
		if code == 0 || !strings.Contains(out+said, remedy) || strings.Contains(out+said, "INTERNAL") {
			t.Errorf("%d files: exit code %d: %s%s", files, code, out, said)
		}
	}
	data := t.TempDir()
	w := launchAs(t, november25, t.TempDir(), data, append(limited(64), "serve", "--data-dir", data))
	w.greet()
	a := w.call("browser_launch", nil)
	if w.fails(a, "DRIVER_MISSING"); !strings.Contains(a.envelope.Error.Hint, remedy) {
		t.Errorf("the hint is %q, want %q in it", a.envelope.Error.Hint, remedy)
	}
	w.do("run_start", map[string]any{"goal": "be short of files"})
}
