package driver

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"testing"
)

// What was read of the program for its start is no longer held against it, and the program goes on.
func TestTrim(t *testing.T) {
	mapped := func() (kilobytes int) {
		t.Helper()
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		_, after, found := bytes.Cut(status, []byte("RssFile:"))
		if _, err := fmt.Sscan(string(after), &kilobytes); !found || err != nil {
			t.Fatalf("no size of mapped files in %q: %v", status, err)
		}
		return kilobytes
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	const readAll = 22 // MADV_POPULATE_READ, since Linux 5.14
	adviseProgram(readAll)
	before := mapped()
	Trim()
	if after := mapped(); after > before*3/4 {
		t.Errorf("%d kB of files are mapped, before %d: want at least a quarter less", after, before)
	}
	if got := debug.SetGCPercent(70); got != heapGrowth {
		t.Errorf("the heap grows by %d %%, want %d", got, heapGrowth)
	}
	Trim()
	if got := debug.SetGCPercent(100); got != 70 {
		t.Errorf("Trim made %d %% of the 70 that somebody had set", got)
	}
}
