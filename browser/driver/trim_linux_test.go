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

// What was changed when the program was loaded can't be read from its file again.
func TestTrimLeavesWhatWasChanged(t *testing.T) {
	const smaps = `00400000-01200000 r-xp 00000000 fe:00 123                          /opt/assay
Rss:               14000 kB
Anonymous:             0 kB
01200000-02000000 r--p 00e00000 fe:00 123                          /opt/assay
Rss:                9000 kB
Anonymous:           512 kB
02000000-02100000 rw-p 01c00000 fe:00 123                          /opt/assay
Anonymous:             0 kB
7f0000000000-7f0000100000 r-xp 00000000 fe:00 9                    /lib/libc.so
Anonymous:             0 kB
7f0000200000-7f0000300000 r-xp 00000000 fe:00 9                    /lib/opt/assay
Anonymous:             0 kB
`
	if got := unchangedParts([]byte(smaps), "/opt/assay"); len(got) != 1 || got[0] != (memoryPart{0x400000, 0x1200000}) {
		t.Errorf("%x", got)
	}
}
