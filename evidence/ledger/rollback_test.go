package ledger_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/assay-qa/assay/evidence/ledger"
)

// files reads files of a data folder.
func files(t *testing.T, dir string, names ...string) map[string][]byte {
	t.Helper()
	read := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		read[name] = data
	}
	return read
}

func putBack(t *testing.T, dir string, read map[string][]byte) {
	t.Helper()
	for name, data := range read {
		overwrite(t, filepath.Join(dir, name), data)
	}
}

const (
	database = "assay.db"
	copied   = "log/checkpoint"
)

// appends returns an update that appends one event.
func appends(t *testing.T, l *ledger.Ledger) error {
	t.Helper()
	return l.Update(t.Context(), func(tx *ledger.Tx) error {
		_, err := tx.Append(ledger.Event{Action: "added"})
		return err
	})
}

// A database that is older than the copy of its checkpoint, that is gone, or
// that took another way from there takes no event, and says what to do (B8).
func TestRolledBack(t *testing.T) {
	for _, size := range []int{1, 63, 64, 70, 130} {
		dir := t.TempDir()
		l := ledger.Open(dir, time.Now, ledger.Options{})
		many(t, l, size)
		old := files(t, dir, database, copied)
		many(t, l, 66)
		newest := files(t, dir, database, copied)
		refused := func(what string) {
			t.Helper()
			called := false
			err := l.Update(t.Context(), func(*ledger.Tx) error { called = true; return nil })
			if !errors.Is(err, ledger.ErrRolledBack) || !strings.Contains(err.Error(), "put back the newer assay.db") || called {
				t.Errorf("%d events, %s: %v (called: %t), want ErrRolledBack with what to do", size, what, err, called)
			}
		}
		putBack(t, dir, map[string][]byte{database: old[database]})
		refused("older")
		view(t, l, func(tx *ledger.Tx) error { // it can still be looked at
			if text, err := tx.CheckpointCopy(); tx.Size() != int64(size) || string(text) != string(newest[copied]) || err != nil {
				t.Errorf("%d events, copy %q, %v", tx.Size(), text, err)
			}
			return nil
		})
		if err := os.Remove(filepath.Join(dir, database)); err != nil {
			t.Fatal(err)
		}
		refused("gone")
		putBack(t, dir, old) // both: nothing here can tell
		many(t, l, 80)
		fork := files(t, dir, database, copied)
		for what, point := range map[string][]byte{"a fork that is longer": newest[copied], "a fork from the start": newest[copied]} {
			putBack(t, dir, map[string][]byte{database: fork[database], copied: point})
			refused(what)
		}
		putBack(t, dir, map[string][]byte{database: newest[database], copied: fork[copied]})
		refused("a fork that is shorter")
		putBack(t, dir, newest)
		if err := appends(t, l); err != nil {
			t.Errorf("%d events, the newest back: %v", size, err)
		}
	}
}

// A copy that is older, as after a crash between the commit and its writing, or
// that is missing is corrected by the next event (B8).
func TestOlderCopy(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 9)
	old := files(t, dir, copied)
	many(t, l, 200)
	for _, spoil := range []func(){
		func() { putBack(t, dir, old) },
		func() {
			if err := os.Remove(filepath.Join(dir, copied)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		spoil()
		if err := appends(t, l); err != nil {
			t.Error(err)
		}
		view(t, l, func(tx *ledger.Tx) error {
			if text, err := tx.CheckpointCopy(); err != nil || string(text) != string(tx.Checkpoint()) {
				t.Errorf("the copy is %q, %v", text, err)
			}
			return nil
		})
	}
}

// Every changed or missing byte of the copy is refused, and what it says to do
// helps (B8). The database can be read all the same.
func TestSpoiltCopy(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 70)
	whole := files(t, dir, copied)[copied]
	refused := func(what string, data []byte) {
		t.Helper()
		putBack(t, dir, map[string][]byte{copied: data})
		if err := appends(t, l); !errors.Is(err, ledger.ErrCorrupt) && !errors.Is(err, ledger.ErrRolledBack) || !strings.Contains(err.Error(), "log/checkpoint") {
			t.Errorf("%s: %v", what, err)
			whole = files(t, dir, copied)[copied]
		}
	}
	for at := range whole {
		for _, mask := range []byte{0x01, 0x20, 0xFF} {
			spoilt := slices.Clone(whole)
			spoilt[at] ^= mask
			refused(fmt.Sprintf("byte %d^%x (%q)", at, mask, whole[at]), spoilt)
		}
		refused(fmt.Sprintf("cut at %d", at), slices.Clone(whole[:at]))
	}
	refused("longer", append(slices.Clone(whole), '\n'))
	// Signed by nobody, it proves no rollback.
	ahead := strings.Replace(string(whole), "\n70\n", "\n71\n", 1)
	putBack(t, dir, map[string][]byte{copied: []byte(ahead)})
	if err := appends(t, l); !errors.Is(err, ledger.ErrCorrupt) || errors.Is(err, ledger.ErrRolledBack) {
		t.Errorf("ahead, with a signature that is not of it: %v", err)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, copied)), os.Mkdir(filepath.Join(dir, copied), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := appends(t, l); !errors.Is(err, ledger.ErrCorrupt) {
		t.Errorf("a folder: %v", err)
	}
	view(t, l, func(tx *ledger.Tx) error {
		if _, err := tx.CheckpointCopy(); !errors.Is(err, ledger.ErrCorrupt) || tx.Size() != 70 {
			t.Errorf("%d events, copy: %v", tx.Size(), err)
		}
		return nil
	})
	if err := os.Remove(filepath.Join(dir, copied)); err != nil {
		t.Fatal(err)
	}
	if err := appends(t, l); err != nil {
		t.Errorf("after it was removed: %v", err)
	}
}

// A power cut while the pages of a commit are written leaves what was there
// before, whichever of them came to the disk, and the next event is kept (B8).
func TestTornCommit(t *testing.T) {
	const sector = 512
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 60)
	before := files(t, dir, database, copied)
	// An update is two commits: here it is one, of what an update writes.
	if err := opened(t, dir, func(tx *bbolt.Tx) error {
		things, err := tx.CreateBucket([]byte("things"))
		for i := range 20 {
			key := uint64Of(0, i)
			err = errors.Join(err, things.Put(key, sealed("things", key, make([]byte, 300))))
		}
		return errors.Join(err, reseal(tx))
	}); err != nil {
		t.Fatal(err)
	}
	after := files(t, dir, database)[database]
	var changed []int
	for at := 2 * pageSize; at < len(before[database]); at += sector {
		if string(before[database][at:at+sector]) != string(after[at:at+sector]) {
			changed = append(changed, at)
		}
	}
	if len(changed) < 4 {
		t.Fatalf("%d sectors changed: nothing is tried", len(changed))
	}
	for subset := range 64 {
		torn := slices.Clone(before[database])
		for i, at := range changed {
			if subset>>(i%6)&1 == 1 {
				copy(torn[at:at+sector], after[at:])
			}
		}
		putBack(t, dir, map[string][]byte{database: torn, copied: before[copied]})
		view(t, l, func(tx *ledger.Tx) error {
			if tx.Size() != 60 || len(tx.Keys("things")) != 0 {
				t.Errorf("subset %x: %d events", subset, tx.Size())
			}
			return nil
		})
		if err := appends(t, l); err != nil {
			t.Errorf("subset %x: %v", subset, err)
		}
	}
}

// What an older version of this program stored has no checkpoint: it is read,
// and the next event signs all of it. Such a file is none any more once there is
// a copy of a checkpoint.
func TestUnsigned(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 1)
	point := files(t, dir, copied)
	if err := opened(t, dir, func(tx *bbolt.Tx) error {
		events := tx.Bucket([]byte("events"))
		for i := range uint64(150) {
			key := binary.BigEndian.AppendUint64(nil, i+1)
			if err := events.Put(key, sealed("events", key, fmt.Appendf(nil, `{"seq":%d,"before":"x"}`, i+1))); err != nil {
				return err
			}
		}
		if err := errors.Join(tx.DeleteBucket([]byte("log")), reseal(tx)); err != nil {
			return err
		}
		head := tx.Bucket([]byte("head"))
		value := []byte(strings.Replace(string(head.Get([]byte("head"))[32:]), `"format":2`, `"format":1`, 1))
		return head.Put([]byte("head"), sealed("head", []byte("head"), value))
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, filepath.Join(dir, database)); !errors.Is(err, ledger.ErrCorrupt) {
		t.Errorf("beside a copy: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, copied)); err != nil {
		t.Fatal(err)
	}
	if h := mustRead(t, filepath.Join(dir, database)); len(h.Events) != 150 {
		t.Errorf("%d events", len(h.Events))
	}
	if err := l.Update(t.Context(), func(*ledger.Tx) error { return nil }); err != nil {
		t.Error(err)
	}
	if h := mustRead(t, filepath.Join(dir, database)); len(h.Events) != 150 || len(tiles(t, dir)) != 2 {
		t.Errorf("%d events, %d tiles", len(h.Events), len(tiles(t, dir)))
	}
	if string(files(t, dir, copied)[copied]) == string(point[copied]) {
		t.Error("it was not signed")
	}
}

// What a newer version has stored is refused with a sentence that says so, and stays as it
// is (B8).
func TestNewerFormat(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 1)
	if err := opened(t, dir, func(tx *bbolt.Tx) error {
		head := tx.Bucket([]byte("head"))
		value := strings.Replace(string(head.Get([]byte("head"))[32:]), `"format":2`, `"format":3`, 1)
		return head.Put([]byte("head"), sealed("head", []byte("head"), []byte(value)))
	}); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir, database)[database]
	nothing := func(*ledger.Tx) error { return nil }
	for _, err := range []error{l.View(t.Context(), nothing), l.Update(t.Context(), nothing)} {
		if err == nil || !strings.Contains(err.Error(), "a newer version of this program wrote it") || errors.Is(err, ledger.ErrCorrupt) {
			t.Errorf("%v, want that a newer version wrote it", err)
		}
	}
	if !bytes.Equal(files(t, dir, database)[database], before) {
		t.Error("it was written to")
	}
}

// A clock that is set back changes no order (B8).
func TestClockBack(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := ledger.Open(dir, func() time.Time { return at }, ledger.Options{})
	for _, by := range []time.Duration{time.Second, -48 * time.Hour, time.Minute} {
		at = at.Add(by)
		many(t, l, 1)
	}
	h := mustRead(t, filepath.Join(dir, database))
	for i, e := range h.Events {
		if e.Seq != int64(i)+1 || e.Writer != h.Events[0].Writer {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	if back := h.Events[1].UTC.Sub(h.Events[0].UTC); len(h.Events) != 3 || back != -48*time.Hour || h.Events[1].MonoMS-h.Events[0].MonoMS != -48*3600*1000 {
		t.Errorf("the clock's way back is not told: %v", h.Events)
	}
	if !h.Events[2].UTC.Equal(at) {
		t.Errorf("the time is %v, want %v", h.Events[2].UTC, at)
	}
}
