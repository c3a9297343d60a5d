package ledger_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// A record or an event that is gone, or is an older one, is missed (B8). All
// that is left has its right seal.
func TestMissing(t *testing.T) {
	for what, spoil := range map[string]func(*bbolt.Tx) error{
		"record":     func(tx *bbolt.Tx) error { return tx.Bucket([]byte("things")).Delete([]byte("b")) },
		"table":      func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("things")) },
		"last event": func(tx *bbolt.Tx) error { return tx.Bucket([]byte("events")).Delete([]byte{0, 0, 0, 0, 0, 0, 0, 3}) },
		"head":       func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("head")) },
		"all": func(tx *bbolt.Tx) error {
			return errors.Join(tx.DeleteBucket([]byte("head")), tx.DeleteBucket([]byte("things")), tx.DeleteBucket([]byte("events")))
		},
		"swapped": func(tx *bbolt.Tx) error {
			things := tx.Bucket([]byte("things"))
			a, b := slices.Clone(things.Get([]byte("a"))), slices.Clone(things.Get([]byte("b")))
			return errors.Join(things.Put([]byte("a"), b), things.Put([]byte("b"), a))
		},
		"older": func(tx *bbolt.Tx) error {
			value := []byte("older")
			sum := sha256.Sum256(append([]byte("6:things1:a"), value...))
			return tx.Bucket([]byte("things")).Put([]byte("a"), append(sum[:], value...))
		},
	} {
		path := filepath.Join(t.TempDir(), "assay.db")
		l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{})
		for _, key := range []string{"a", "b", "c"} {
			if err := l.Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, key) }); err != nil {
				t.Fatal(err)
			}
		}
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Update(spoil), db.Close()); err != nil {
			t.Fatal(err)
		}
		if h, err := read(t, path); !errors.Is(err, ledger.ErrCorrupt) {
			t.Errorf("%s: %v, %v; want ErrCorrupt", what, h, err)
		}
	}
}

// sealed returns a value as it is stored: with its seal.
func sealed(table string, key, value []byte) []byte {
	place := fmt.Appendf(nil, "%d:%s%d:%s", len(table), table, len(key), key)
	sum := sha256.Sum256(append(place, value...))
	return append(sum[:], value...)
}

// reseal gives everything in the file its right seal, and makes the head match
// it, as somebody can who knows the format but has no key.
func reseal(tx *bbolt.Tx) error {
	count, sum := 0, sha256.New()
	if err := tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
		if string(name) == "head" {
			return nil
		}
		values := map[string][]byte{}
		var keys []string
		if err := b.ForEach(func(k, v []byte) error {
			keys, values[string(k)] = append(keys, string(k)), sealed(string(name), k, v[sha256.Size:])
			return nil
		}); err != nil {
			return err
		}
		for _, k := range keys {
			count++
			sum.Write(values[k][:sha256.Size])
			if err := b.Put([]byte(k), values[k]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	value, err := json.Marshal(map[string]any{"format": 2, "count": count, "sum": fmt.Sprintf("%x", sum.Sum(nil))})
	if err != nil {
		return err
	}
	return tx.Bucket([]byte("head")).Put([]byte("head"), sealed("head", []byte("head"), value))
}

// uint64Of returns the key of an entry of the log.
func uint64Of(level byte, from1 int) []byte {
	return []byte{level, 0, 0, 0, 0, 0, byte(from1 >> 8), byte(from1)}
}

// forgeries returns what can be done to a log of 64 + 64 + 5 entries.
func forgeries() map[string]func(*bbolt.Bucket) error {
	get := func(b *bbolt.Bucket, level byte, n int) []byte { return slices.Clone(b.Get(uint64Of(level, n))) }
	return map[string]func(*bbolt.Bucket) error{
		"changed": func(b *bbolt.Bucket) error {
			return b.Put(uint64Of(0, 130), bytes.Replace(get(b, 0, 130), []byte("added"), []byte("ADDED"), 1))
		},
		"swapped": func(b *bbolt.Bucket) error {
			x, y := get(b, 0, 130), get(b, 0, 131)
			return errors.Join(b.Put(uint64Of(0, 130), y), b.Put(uint64Of(0, 131), x))
		},
		"duplicated":      func(b *bbolt.Bucket) error { return b.Put(uint64Of(0, 134), get(b, 0, 133)) },
		"duplicated over": func(b *bbolt.Bucket) error { return b.Put(uint64Of(0, 131), get(b, 0, 130)) },
		"last deleted":    func(b *bbolt.Bucket) error { return b.Delete(uint64Of(0, 133)) },
		"first deleted":   func(b *bbolt.Bucket) error { return b.Delete(uint64Of(0, 129)) },
		"one deleted":     func(b *bbolt.Bucket) error { return b.Delete(uint64Of(0, 131)) },
		"tile deleted":    func(b *bbolt.Bucket) error { return b.Delete(uint64Of(1, 2)) },
		"tiles swapped": func(b *bbolt.Bucket) error {
			x, y := get(b, 1, 1), get(b, 1, 2)
			return errors.Join(b.Put(uint64Of(1, 1), y), b.Put(uint64Of(1, 2), x))
		},
		"tile duplicated":  func(b *bbolt.Bucket) error { return b.Put(uint64Of(1, 3), get(b, 1, 2)) },
		"level too many":   func(b *bbolt.Bucket) error { return b.Put(uint64Of(2, 1), get(b, 1, 1)) },
		"level beyond all": func(b *bbolt.Bucket) error { return b.Put(uint64Of(200, 1), get(b, 1, 1)) },
		"number too high":  func(b *bbolt.Bucket) error { return b.Put([]byte{1, 255, 255, 255, 255, 255, 255, 255}, get(b, 1, 1)) },
		"level 9 alone":    func(b *bbolt.Bucket) error { return b.Put(uint64Of(9, 1), get(b, 1, 1)) },
		"key of no length": func(b *bbolt.Bucket) error { return b.Put([]byte{0}, get(b, 0, 130)) },
		"no digest":        func(b *bbolt.Bucket) error { return b.Put(uint64Of(1, 1), append(make([]byte, sha256.Size), "x y"...)) },
	}
}

// What somebody does to the log who can write the file and knows its format, but
// has no key, is seen by whoever opens it (B8).
func TestForged(t *testing.T) {
	for what, forge := range forgeries() {
		dir := t.TempDir()
		l := ledger.Open(dir, time.Now, ledger.Options{})
		many(t, l, 128+5)
		if err := opened(t, dir, reseal); err != nil {
			t.Fatal(err)
		}
		if _, err := read(t, filepath.Join(dir, "assay.db")); err != nil {
			t.Fatalf("sealed again without a change: %v", err)
		}
		if err := opened(t, dir, func(tx *bbolt.Tx) error {
			return errors.Join(forge(tx.Bucket([]byte("events"))), reseal(tx))
		}); err != nil {
			t.Fatal(err)
		}
		nothing := func(*ledger.Tx) error { return nil }
		viewed, updated := l.View(t.Context(), nothing), l.Update(t.Context(), nothing)
		if !errors.Is(viewed, ledger.ErrCorrupt) || !errors.Is(updated, ledger.ErrCorrupt) {
			t.Errorf("%s: View: %v; Update: %v; want ErrCorrupt", what, viewed, updated)
		}
	}
}

// A tile that another takes the place of, under the digest that the file names,
// is not what was signed: the digest alone proves nothing (B8).
func TestForgedTile(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	many(t, l, 70)
	whole, err := os.ReadFile(tiles(t, dir)[0])
	if err != nil {
		t.Fatal(err)
	}
	forged := bytes.Replace(whole, []byte("added"), []byte("ADDED"), 1)
	digest := fmt.Sprintf("%x", sha256.Sum256(forged))
	file := filepath.Join(dir, "blobs", "sha256", digest[:2], digest[2:])
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, forged, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := opened(t, dir, func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte("events"))
		value := slices.Clone(b.Get(uint64Of(1, 1)))
		copy(value[sha256.Size:], digest)
		return errors.Join(b.Put(uint64Of(1, 1), value), reseal(tx))
	}); err != nil {
		t.Fatal(err)
	}
	view(t, l, func(tx *ledger.Tx) error {
		var lost *ledger.LostError
		if _, err := tx.Leaf(0); !errors.As(err, &lost) || !errors.Is(err, ledger.ErrCorrupt) || lost.First != 0 || lost.Last != 63 {
			t.Errorf("the first event: %v", err)
		}
		if _, err := tx.Leaf(64); err != nil {
			t.Error(err)
		}
		return nil
	})
}

// resign makes the log in the file another one, of a single event, signed with a
// key.
func resign(t *testing.T, dir string, key *attest.Key) {
	t.Helper()
	leaf := []byte(`{"seq":1}`)
	signed, err := attest.SignCheckpoint(attest.Checkpoint{Origin: key.Name(), Size: 1, Root: tlog.RecordHash(leaf)}, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := opened(t, dir, func(tx *bbolt.Tx) error {
		if err := tx.DeleteBucket([]byte("events")); err != nil {
			return err
		}
		b, err := tx.CreateBucket([]byte("events"))
		if err != nil {
			return err
		}
		return errors.Join(b.Put(uint64Of(0, 1), sealed("events", uint64Of(0, 1), leaf)),
			tx.Bucket([]byte("log")).Put([]byte("checkpoint"), sealed("log", []byte("checkpoint"), signed)), reseal(tx))
	}); err != nil {
		t.Fatal(err)
	}
}

// A log that was signed again with another key is not read; if that key was put
// among those that count, log/checkpoint still tells (B8).
func TestSignedAgain(t *testing.T) {
	for _, name := range []string{"same", "other"} {
		dir := t.TempDir()
		l := ledger.Open(dir, time.Now, ledger.Options{})
		many(t, l, 70)
		origin := "assay/other"
		if own, err := l.Key(); err == nil && name == "same" {
			origin = own.Name()
		}
		key, err := attest.NewKey(rand.Reader, origin)
		if err != nil {
			t.Fatal(err)
		}
		resign(t, dir, key)
		if _, err := read(t, filepath.Join(dir, "assay.db")); !errors.Is(err, ledger.ErrCorrupt) || !strings.Contains(err.Error(), "no trusted key") {
			t.Errorf("%s name: %v", name, err)
		}
		keys := filepath.Join(dir, "log", "keys")
		text, err := os.ReadFile(keys)
		if err == nil {
			err = os.WriteFile(keys, append(text, key.Verifier()+"\n"...), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		view(t, l, func(*ledger.Tx) error { return nil }) // whoever reads this far believes log/keys
		if err := l.Update(t.Context(), func(*ledger.Tx) error { return nil }); !errors.Is(err, ledger.ErrRolledBack) {
			t.Errorf("%s name, among the keys: %v, want ErrRolledBack", name, err)
		}
	}
}
