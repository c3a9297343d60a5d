package ledger_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// many appends events in one update.
func many(t testing.TB, l *ledger.Ledger, count int) {
	t.Helper()
	if err := l.Update(t.Context(), func(tx *ledger.Tx) error {
		for range count {
			if _, err := tx.Append(ledger.Event{Actor: ledger.Actor{Kind: "agent", ID: "run"}, Action: "added", Record: fmt.Sprint(tx.Size())}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, l *ledger.Ledger, f func(*ledger.Tx) error) {
	t.Helper()
	if err := l.View(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// plain is a Merkle tree with all its nodes, to compare with.
type plain struct{ hashes []tlog.Hash }

func (p *plain) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		out[i] = p.hashes[at]
	}
	return out, nil
}

// A log of three levels of tiles is the tree that it would be without them, at
// every length; its events and their proofs are all there; and the database
// holds less than 64 entries of a level (B8).
func TestTiles(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{Wait: time.Minute})
	for _, count := range []int{1, 62, 1, 64, 65, 3903, 0, 1, 200} {
		many(t, l, count)
	}
	var want plain
	view(t, l, func(tx *ledger.Tx) error {
		size := int64(0)
		for leaf, err := range tx.Leaves() {
			if err != nil {
				return err
			}
			if !strings.Contains(string(leaf), fmt.Sprintf(`"record":"%d"`, size)) {
				t.Fatalf("leaf %d: %s", size, leaf)
			}
			more, err := tlog.StoredHashes(size, leaf, &want)
			if err != nil {
				return err
			}
			want.hashes = append(want.hashes, more...)
			size++
			got, err := tx.Root(size)
			if err != nil {
				return err
			}
			if plain, err := tlog.TreeHash(size, &want); err != nil || got != plain {
				t.Fatalf("root of %d is %v, want %v, %v", size, got, plain, err)
			}
		}
		if size != 4297 || tx.Size() != size {
			t.Errorf("%d leaves of %d", size, tx.Size())
		}
		provedAll(t, tx, &want)
		return nil
	})
	inFile := map[byte]int{}
	if err := opened(t, dir, func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("events")).ForEach(func(k, _ []byte) error { inFile[k[0]]++; return nil })
	}); err != nil {
		t.Fatal(err)
	}
	if len(inFile) != 3 || inFile[0] != 4297%64 || inFile[1] != 4297/64%64 || inFile[2] != 1 {
		t.Errorf("entries in the file, by level: %v", inFile)
	}
}

// provedAll checks proofs of the whole length.
func provedAll(t *testing.T, tx *ledger.Tx, want tlog.HashReader) {
	t.Helper()
	for _, size := range []int64{1, 63, 64, 65, 4095, 4096, 4097, tx.Size()} {
		root, err := tlog.TreeHash(size, want)
		if err != nil {
			t.Fatal(err)
		}
		for at := int64(0); at < size; at += 1 + size/97 {
			entry, err := tx.Entry(at, size)
			if err == nil {
				err = entry.Check(attest.Checkpoint{Size: size, Root: root})
			}
			if err != nil {
				t.Fatalf("entry %d of %d: %v", at, size, err)
			}
			older, err := tlog.TreeHash(at, want)
			if err != nil {
				t.Fatal(err)
			}
			grown, err := tx.Growth(at, size)
			if err == nil {
				err = attest.CheckGrowth(attest.Checkpoint{Size: at, Root: older}, attest.Checkpoint{Size: size, Root: root}, grown)
			}
			if err != nil {
				t.Fatalf("growth from %d to %d: %v", at, size, err)
			}
		}
	}
}

// opened works on the file as somebody does who knows bbolt.
func opened(t *testing.T, dir string, f func(*bbolt.Tx) error) error {
	t.Helper()
	db, err := bbolt.Open(filepath.Join(dir, "assay.db"), 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return errors.Join(db.Update(f), db.Close())
}

// tiles returns the files of all blobs.
func tiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	if err := filepath.WalkDir(filepath.Join(dir, "blobs"), func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// A tile that is missing, cut, changed, or another is an error that names the
// entries and the file. The rest still comes (B8).
func TestDamagedTile(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 64*64+70)
	files := tiles(t, dir)
	if len(files) != 64+1+1 {
		t.Fatalf("%d tiles", len(files))
	}
	view(t, l, func(tx *ledger.Tx) error {
		named := map[string]bool{}
		for digest, err := range tx.Tiles() {
			if err != nil {
				return err
			}
			named[filepath.Join(dir, "blobs", "sha256", digest[:2], digest[2:])] = true
		}
		for _, file := range files {
			if !named[file] {
				t.Errorf("%s is not among the tiles", file)
			}
		}
		return nil
	})
	for n, file := range files {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n%5 != 0 && len(whole) > 10_000 { // those of level 1 are shorter
			continue
		}
		other, err := os.ReadFile(files[(n+1)%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		flipped := append([]byte(nil), whole...)
		flipped[n*31%len(flipped)] ^= 1
		for what, data := range map[string][]byte{"missing": nil, "cut": whole[:len(whole)-1-n], "flipped": flipped, "another": other} {
			err := os.Remove(file)
			if data != nil {
				err = os.WriteFile(file, data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			lostIs(t, l, what, dir, file)
		}
		if err := os.WriteFile(file, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	many(t, l, 1)
}

// Every byte of a tile that is changed is seen, and so is what it is cut to (B8).
// Outside of make soak a third of them is tried.
func TestEveryByteOfTile(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 64)
	path := tiles(t, dir)[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	view(t, l, func(tx *ledger.Tx) error {
		seen := func(what string, at int, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			var lost *ledger.LostError
			if leaf, err := tx.Leaf(5); !errors.As(err, &lost) || !errors.Is(err, ledger.ErrCorrupt) {
				t.Errorf("%s at %d: %s, %v", what, at, leaf, err)
			}
		}
		for at, b := range whole {
			if at%3 > 0 && os.Getenv("SOAK") == "" {
				continue
			}
			_, err := file.WriteAt([]byte{b ^ 1<<(at%8)}, int64(at))
			seen("changed", at, err)
			if _, err := file.WriteAt([]byte{b}, int64(at)); err != nil {
				return err
			}
		}
		for at := len(whole) - 1; at >= 0; at -= 7 {
			seen("cut", at, file.Truncate(int64(at)))
		}
		if _, err := file.WriteAt(whole, 0); err != nil {
			return err
		}
		_, err := tx.Leaf(5)
		return err
	})
}

// lostIs fails unless the events of just that tile are lost.
func lostIs(t *testing.T, l *ledger.Ledger, what, dir, file string) {
	t.Helper()
	view(t, l, func(tx *ledger.Tx) error {
		at, failures := int64(0), 0
		for leaf, err := range tx.Leaves() {
			if err == nil {
				if !strings.Contains(string(leaf), fmt.Sprintf(`"record":"%d"`, at)) {
					t.Errorf("%s: leaf %d: %s", what, at, leaf)
				}
				at++
				continue
			}
			failures++
			var lost *ledger.LostError
			if !errors.As(err, &lost) || !errors.Is(err, ledger.ErrCorrupt) || lost.First != at || filepath.Join(dir, lost.File) != file || lost.Last-lost.First != 63 && lost.Last-lost.First != 4095 {
				t.Fatalf("%s: %v", what, err)
			}
			if _, err := tx.Entry(at, tx.Size()); !errors.As(err, &lost) {
				t.Errorf("%s: entry %d: %v", what, at, err)
			}
			at = lost.Last + 1
		}
		if failures != 1 || at != tx.Size() {
			t.Errorf("%s: %s: %d failures, %d of %d", what, file, failures, at, tx.Size())
		}
		return nil
	})
}
