package ledger_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

const pageSize = 4096

// grown makes a ledger of several levels of pages, with freed ones and tiles
// among them, in path, and returns the file's bytes.
func grown(t *testing.T, path string) ([]byte, held) {
	t.Helper()
	l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{})
	for round := range 3 {
		if err := l.Update(t.Context(), func(tx *ledger.Tx) error {
			for i := range 15 {
				if err := add(tx, fmt.Sprintf("%d-%d", i%3, round*i)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	many(t, l, 70)
	h := mustRead(t, path)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file, h
}

// overwrite makes data what a file holds. It doesn't cut the file to nothing
// first, after which some file systems wait for the disk.
func overwrite(t *testing.T, path string, data []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteAt(data, 0)
	if err := errors.Join(err, file.Truncate(int64(len(data))), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// places returns the offsets where a flipped byte is most likely to matter, and a sample of
// all others.
func places(file []byte) []int {
	chosen := map[int]bool{}
	for page := 0; page < len(file); page += pageSize {
		reach := 16 + 16 // header and first entry
		if page < 2*pageSize {
			reach = 80 // the whole of a head
		}
		for i := range reach {
			chosen[page+i] = true
		}
	}
	random := rand.New(rand.NewPCG(5, 11))
	for range 300 {
		chosen[random.IntN(len(file))] = true
	}
	return slices.Sorted(maps.Keys(chosen))
}

// A file with a changed byte is an error or tells what it told before, never
// anything else, and never ends the program (B8). It takes no write that would
// do more harm.
func TestFlippedByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	file, before := grown(t, path)
	signed := files(t, filepath.Dir(path), copied)[copied]
	damaged := 0
	for n, at := range places(file) {
		for _, mask := range [][]byte{{0xFF}, {0x01}}[n%2] {
			spoilt := slices.Clone(file)
			spoilt[at] ^= mask
			overwrite(t, path, spoilt)
			h, err := read(t, path)
			switch {
			case err == nil && !equal(h, before):
				t.Errorf("byte %d^%x: silently wrong", at, mask)
			case err != nil && !errors.Is(err, ledger.ErrCorrupt):
				t.Errorf("byte %d^%x: %v, want ErrCorrupt", at, mask, err)
			case err != nil:
				damaged++
			}
			if n%40 != 0 {
				continue
			}
			overwrite(t, filepath.Join(filepath.Dir(path), copied), signed)
			written := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{}).Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, "1-5") })
			if (written == nil) != (err == nil) {
				t.Errorf("byte %d: read: %v, written: %v", at, err, written)
			}
			if h, err := read(t, path); written == nil && (err != nil || len(h.Records) != len(before.Records)+1 || len(h.Events) != len(before.Events)+1) {
				t.Errorf("byte %d: after a write: %v, %d records", at, err, len(h.Records))
			}
		}
	}
	if damaged < 300 {
		t.Errorf("only %d damages were seen: the rest proves nothing", damaged)
	}
}

// A sector that was never written, as after a power cut, is an error, or held
// nothing.
func TestLostSector(t *testing.T) {
	const sector = 512
	path := filepath.Join(t.TempDir(), "assay.db")
	file, before := grown(t, path)
	damaged := 0
	for at := 0; at < len(file); at += sector {
		spoilt := slices.Clone(file)
		clear(spoilt[at : at+sector])
		overwrite(t, path, spoilt)
		h, err := read(t, path)
		switch {
		case err == nil && !equal(h, before):
			t.Errorf("sector %d: silently wrong", at/sector)
		case err != nil && !errors.Is(err, ledger.ErrCorrupt):
			t.Errorf("sector %d: %v, want ErrCorrupt", at/sector, err)
		case err != nil:
			damaged++
		}
	}
	if damaged < 10 {
		t.Errorf("%d lost sectors were seen", damaged)
	}
}

// A branch that leads to itself, to a page before it or out of the file: bbolt
// would follow it until its stack ends.
func TestCircle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	file, _ := grown(t, path)
	branches, refused := 0, 0
	for page := 2 * pageSize; page+pageSize <= len(file); page += pageSize {
		if binary.NativeEndian.Uint16(file[page+8:]) != 1 {
			continue
		}
		branches++
		for _, to := range []uint64{uint64(page / pageSize), 0, 2, 1 << 40} {
			spoilt := slices.Clone(file)
			binary.NativeEndian.PutUint64(spoilt[page+16+8:], to)
			overwrite(t, path, spoilt)
			switch _, err := read(t, path); {
			case errors.Is(err, ledger.ErrCorrupt):
				refused++
			case err != nil: // an old page that nobody reaches any more may say what it likes
				t.Errorf("page %d leads to %d: %v", page/pageSize, to, err)
			}
		}
	}
	if refused < 4 {
		t.Errorf("%d circles were refused in %d branches: nothing was tried", refused, branches)
	}
}

// A file that was cut is an error at every length, but for an end that was not
// in use.
func TestTruncated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	file, before := grown(t, path)
	lengths := []int{0, 1, 15, 80}
	for length := 211; length < len(file); length += 211 {
		lengths = append(lengths, length)
	}
	for page := pageSize; page < len(file); page += pageSize {
		lengths = append(lengths, page-1, page, page+1)
	}
	refused := 0
	for _, length := range lengths {
		overwrite(t, path, file[:length])
		l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: 20 * time.Millisecond})
		written := l.Update(t.Context(), func(*ledger.Tx) error { return nil })
		h, err := read(t, path)
		switch {
		case err == nil && (!equal(h, before) || written != nil):
			t.Errorf("%d of %d bytes: silently wrong; written: %v", length, len(file), written)
		case err != nil && !errors.Is(err, ledger.ErrCorrupt):
			t.Errorf("%d of %d bytes: %v, want ErrCorrupt", length, len(file), err)
		case err != nil:
			refused++
		}
	}
	if refused < len(lengths)/2 {
		t.Errorf("%d of %d cuts were refused", refused, len(lengths))
	}
}

// What is no file of ours is refused, and left as it is.
func TestNoLedger(t *testing.T) {
	text := filepath.Join(t.TempDir(), "assay.db")
	dir := filepath.Join(t.TempDir(), "assay.db")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(text, []byte("a letter to my aunt"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, dir} {
		l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{})
		nothing := func(*ledger.Tx) error { return nil }
		if err := errors.Join(l.View(t.Context(), nothing), l.Update(t.Context(), nothing)); !errors.Is(err, ledger.ErrCorrupt) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	if data, err := os.ReadFile(text); err != nil || string(data) != "a letter to my aunt" {
		t.Errorf("it was changed: %q, %v", data, err)
	}
}
