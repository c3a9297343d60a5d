package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"go.etcd.io/bbolt"
)

// Where things are in the file. Every other bucket is a table of records.
const (
	headBucket    = "head"
	eventsBucket  = "events" // the log: by level and number, what no tile holds
	logBucket     = "log"
	checkpointKey = "checkpoint" // in logBucket
)

// Formats of the file.
const (
	unsigned = 1 // had no checkpoint, and all events in it
	format   = 2
)

// headRecord covers all records and events together: one that is gone is
// missed, one that is old is seen.
type headRecord struct {
	Format int    `json:"format"`
	Count  int    `json:"count"` // records and events
	Sum    string `json:"sum"`   // SHA-256 over the seals of all of them, in order
}

// load reads and checks all that the file holds.
func (t *Tx) load(bolt *bbolt.Tx) error {
	sealed := bolt.Bucket([]byte(headBucket))
	if sealed == nil {
		// A new file has the heads of transactions 0 and 1, and nothing else.
		transactions := bolt.ID()
		if bolt.Writable() {
			transactions--
		}
		if transactions > 1 {
			return corrupt("its head record is missing")
		}
		return nil
	}
	value, err := unseal(headBucket, []byte(headBucket), sealed.Get([]byte(headBucket)))
	if err != nil {
		return err
	}
	var want headRecord
	if err := json.Unmarshal(value, &want); err != nil || want.Format < unsigned || want.Format > format {
		return fmt.Errorf("its format is not known here: a newer version of this program wrote it: %s", value)
	}
	got, err := digestAll(bolt, t.loadRecord)
	if err != nil {
		return err
	}
	if got.Count != want.Count || got.Sum != want.Sum {
		return corrupt("it holds %d records, and not the %d that were stored last", got.Count, want.Count)
	}
	t.unsigned = want.Format == unsigned
	return t.log.restore(t.stored)
}

// loadRecord keeps a copy of one entry that was read.
func (t *Tx) loadRecord(table string, key, value []byte) error {
	switch table {
	case logBucket:
		t.signed = bytes.Clone(value)
		return nil
	case eventsBucket:
		return t.loadLogLine(key, bytes.Clone(value))
	default:
		set(t.tables, table, string(key), append([]byte{}, value...))
		return nil
	}
}

// loadLogLine keeps an entry of the log. They come in the order of their keys.
func (t *Tx) loadLogLine(key, line []byte) error {
	if len(key) != 8 || key[0] > topLevel {
		return corrupt("entry %x of the log has no place in it", key)
	}
	k := int(key[0])
	index := int64(binary.BigEndian.Uint64(key)&(1<<56-1)) - 1
	for len(t.stored) <= k {
		t.stored = append(t.stored, lines{})
	}
	l := &t.stored[k]
	if len(l.lines) == 0 {
		l.first = index
	}
	if index != l.end() {
		return corrupt("entry %d of level %d of the log is missing", l.end(), k)
	}
	l.lines = append(l.lines, line)
	return nil
}

// logKey returns the key of an entry of the log: its level, and its number from 1.
func logKey(k int, index int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(k)<<56|uint64(index+1))
}

// digestAll goes through all records and events.
func digestAll(bolt *bbolt.Tx, each func(table string, key, value []byte) error) (headRecord, error) {
	h, sum := headRecord{Format: format}, sha256.New()
	err := bolt.ForEach(func(name []byte, b *bbolt.Bucket) error {
		table := string(name)
		if table == headBucket {
			return nil
		}
		return b.ForEach(func(key, sealed []byte) error {
			value, err := unseal(table, key, sealed)
			if err != nil {
				return err
			}
			h.Count++
			_, _ = sum.Write(sealed[:sha256.Size]) // never fails
			return each(table, key, value)
		})
	})
	h.Sum = hex.EncodeToString(sum.Sum(nil))
	return h, err
}

// store writes what was put and appended, and the head record that covers it.
func (t *Tx) store(bolt *bbolt.Tx) error {
	for _, table := range slices.Sorted(maps.Keys(t.put)) {
		for _, key := range slices.Sorted(maps.Keys(t.put[table])) {
			if err := write(bolt, table, []byte(key), t.put[table][key]); err != nil {
				return err
			}
		}
	}
	if err := t.storeLog(bolt); err != nil {
		return err
	}
	h, err := digestAll(bolt, func(string, []byte, []byte) error { return nil })
	if err != nil {
		return err
	}
	value, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return write(bolt, headBucket, []byte(headBucket), value)
}

// storeLog writes the entries that are new, and deletes those that tiles hold
// now. The tiles are on the disk before: whoever is killed here leaves at most
// one that nothing refers to.
func (t *Tx) storeLog(bolt *bbolt.Tx) error {
	for _, digest := range slices.Sorted(maps.Keys(t.log.cut)) {
		if _, err := t.log.blobs.Put(t.log.cut[digest]); err != nil {
			return err
		}
	}
	for k, l := range t.log.levels {
		var old lines
		if k < len(t.stored) {
			old = t.stored[k]
		}
		for i := old.first; i < min(old.end(), l.base); i++ {
			if err := write(bolt, eventsBucket, logKey(k, i), nil); err != nil {
				return err
			}
		}
		for i := max(old.end(), l.base); i < l.count(); i++ {
			if err := write(bolt, eventsBucket, logKey(k, i), l.entries[i-l.base].line); err != nil {
				return err
			}
		}
	}
	if t.signed == nil {
		return nil
	}
	return write(bolt, logBucket, []byte(checkpointKey), t.signed)
}

// write stores a value, or deletes it if it is nil.
func write(bolt *bbolt.Tx, table string, key, value []byte) error {
	bucket, err := bolt.CreateBucketIfNotExists([]byte(table))
	if err != nil {
		return fmt.Errorf("table %s: %w", table, err)
	}
	if value == nil {
		if err := bucket.Delete(key); err != nil {
			return fmt.Errorf("table %s: record %s: %w", table, key, err)
		}
		return nil
	}
	sum := seal(table, key, value)
	if err := bucket.Put(key, append(sum[:], value...)); err != nil {
		return fmt.Errorf("table %s: record %s: %w", table, key, err)
	}
	return nil
}

// seal binds a value to its place.
func seal(table string, key, value []byte) [sha256.Size]byte {
	place := fmt.Appendf(nil, "%d:%s%d:%s", len(table), table, len(key), key)
	return sha256.Sum256(append(place, value...))
}

// unseal returns a value that is as it was stored. It dies with the transaction.
func unseal(table string, key, sealed []byte) ([]byte, error) {
	if len(sealed) < sha256.Size {
		return nil, corrupt("table %s: record %q is cut", table, key)
	}
	value := sealed[sha256.Size:]
	if sum := seal(table, key, value); !bytes.Equal(sum[:], sealed[:sha256.Size]) {
		return nil, corrupt("table %s: record %q is not as it was stored", table, key)
	}
	return value, nil
}
