//go:build !windows

package verify_test

import (
	"syscall"
	"testing"

	"github.com/assay-qa/assay/evidence/verify"
)

// A pipe in the place of a file would never end: it is not read (B8).
func TestPipe(t *testing.T) {
	f := newFolder(t)
	for _, name := range []string{"events.jsonl", "evidence.json", "report.json", "screenshots/001-page.png", "extra"} {
		id := f.make(recipe{pictures: 1})
		f.remove("runs/" + id + "/" + name)
		if err := syscall.Mkfifo(f.path("runs/"+id+"/"+name), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := f.run(id, verify.Options{}); r.Verdict != verify.Failed || r.Findings[0].Code != "file-irregular" || r.Findings[0].File != name {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
