package bundle_test

import (
	"os"
	"syscall"
	"testing"
)

// A pipe under a file's name is named, and not waited for.
func TestPipe(t *testing.T) {
	f := newFixture(t)
	f.must(os.Remove(f.path("report.html")))
	f.must(syscall.Mkfifo(f.path("report.html"), 0o600))
	f.leavesOut("report.html")
	f.must(os.Remove(f.path("report.json")))
	f.must(syscall.Mkfifo(f.path("report.json"), 0o600))
	f.leavesOut("report.json")
}
