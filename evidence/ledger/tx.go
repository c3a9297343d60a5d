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
	"time"

	"go.etcd.io/bbolt"
)

// Where things are in the file. Every other bucket is a table of records.
const (
	headBucket   = "head"
	eventsBucket = "events"
)

// Actor is who did something.
type Actor struct {
	Kind string `json:"kind"` // human or agent
	ID   string `json:"id"`   // printed name of a person, run of an agent
}

// Event is one entry of the list of what happened.
type Event struct {
	Seq      int       `json:"seq"` // from 1, without a gap
	UTC      time.Time `json:"utc"`
	Actor    Actor     `json:"actor"`
	Action   string    `json:"action"`
	Record   string    `json:"record"`             // key of the record that it is about
	Subject  []string  `json:"subject"`            // SHA-256 of what it is about
	Previous []string  `json:"previous,omitempty"` // of what that takes the place of
	Reason   string    `json:"reason,omitempty"`
	Before   string    `json:"before"` // SHA-256 of the event before, as stored; empty for the first
}

// Tx is what a ledger holds, as one operation sees it.
type Tx struct {
	tables map[string]map[string][]byte // without the events
	put    map[string]map[string][]byte // what is to be stored
	events [][]byte                     // as stored, oldest first
	added  int                          // the last of them are new
}

func newTx() *Tx {
	return &Tx{tables: map[string]map[string][]byte{}, put: map[string]map[string][]byte{}}
}

// Get returns the record of a key, or false if there is none.
func (t *Tx) Get(table, key string) ([]byte, bool) {
	value, ok := t.tables[table][key]
	return bytes.Clone(value), ok
}

// Keys returns the keys of a table, sorted.
func (t *Tx) Keys(table string) []string { return slices.Sorted(maps.Keys(t.tables[table])) }

// Put stores a record in the place of one with that key.
func (t *Tx) Put(table, key string, value []byte) error {
	if table == "" || table == headBucket || table == eventsBucket || key == "" {
		return fmt.Errorf("put %q in table %q: there is no such place", key, table)
	}
	for _, to := range []map[string]map[string][]byte{t.tables, t.put} {
		if to[table] == nil {
			to[table] = map[string][]byte{}
		}
		to[table][key] = bytes.Clone(value)
	}
	return nil
}

// Append adds an event, and returns it with its number and the digest of the
// one before.
func (t *Tx) Append(e Event) (Event, error) {
	e.Seq, e.UTC, e.Before = len(t.events)+1, e.UTC.UTC(), t.digest()
	line, err := json.Marshal(e)
	if err != nil {
		return e, fmt.Errorf("append event %q: %w", e.Action, err)
	}
	t.events, t.added = append(t.events, line), t.added+1
	return e, nil
}

// digest is that of the last event.
func (t *Tx) digest() string {
	if len(t.events) == 0 {
		return ""
	}
	sum := sha256.Sum256(t.events[len(t.events)-1])
	return hex.EncodeToString(sum[:])
}

// Events returns what happened, oldest first. It fails with [ErrCorrupt] if
// one does not follow the one before it.
func (t *Tx) Events() ([]Event, error) {
	walked := newTx()
	var all []Event
	for i, line := range t.events {
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, corrupt("event %d: %v", i+1, err)
		}
		if e.Seq != i+1 || e.Before != walked.digest() {
			return nil, corrupt("event %d does not follow the one before it", i+1)
		}
		walked.events, all = t.events[:i+1], append(all, e)
	}
	return all, nil
}

// head vouches for all records and events together: one that is gone is
// missed, one that is old is seen.
type head struct {
	Format int    `json:"format"`
	Count  int    `json:"count"` // records and events
	Sum    string `json:"sum"`   // SHA-256 over the seals of all of them, in order
}

// load reads and checks all that the file holds.
func load(bolt *bbolt.Tx) (*Tx, error) {
	tx := newTx()
	sealed := bolt.Bucket([]byte(headBucket))
	if sealed == nil {
		// A new file has the heads of transactions 0 and 1, and nothing else.
		transactions := bolt.ID()
		if bolt.Writable() {
			transactions--
		}
		if transactions > 1 {
			return nil, corrupt("its head record is missing")
		}
		return tx, nil
	}
	value, err := unseal(headBucket, []byte(headBucket), sealed.Get([]byte(headBucket)))
	if err != nil {
		return nil, err
	}
	var want head
	if err := json.Unmarshal(value, &want); err != nil || want.Format != 1 {
		return nil, fmt.Errorf("its format is not known here: a newer version of this program wrote it: %s", value)
	}
	got, err := sumUp(bolt, tx.take)
	if err != nil {
		return nil, err
	}
	if got != want {
		return nil, corrupt("it holds %d records, and not the %d that were stored last", got.Count, want.Count)
	}
	return tx, nil
}

// take keeps a copy of one entry that was read.
func (t *Tx) take(table string, key, value []byte) error {
	if table != eventsBucket {
		if t.tables[table] == nil {
			t.tables[table] = map[string][]byte{}
		}
		t.tables[table][string(key)] = bytes.Clone(value)
		return nil
	}
	t.events = append(t.events, bytes.Clone(value))
	return nil
}

// sumUp goes through all records and events.
func sumUp(bolt *bbolt.Tx, each func(table string, key, value []byte) error) (head, error) {
	h, sum := head{Format: 1}, sha256.New()
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

// store writes what was put and appended, and the head that vouches for it.
func (t *Tx) store(bolt *bbolt.Tx) error {
	for _, table := range slices.Sorted(maps.Keys(t.put)) {
		for _, key := range slices.Sorted(maps.Keys(t.put[table])) {
			if err := write(bolt, table, []byte(key), t.put[table][key]); err != nil {
				return err
			}
		}
	}
	for i := len(t.events) - t.added; i < len(t.events); i++ {
		if err := write(bolt, eventsBucket, binary.BigEndian.AppendUint64(nil, uint64(i)+1), t.events[i]); err != nil {
			return err
		}
	}
	h, err := sumUp(bolt, func(string, []byte, []byte) error { return nil })
	if err != nil {
		return err
	}
	value, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return write(bolt, headBucket, []byte(headBucket), value)
}

func write(bolt *bbolt.Tx, table string, key, value []byte) error {
	bucket, err := bolt.CreateBucketIfNotExists([]byte(table))
	if err != nil {
		return fmt.Errorf("table %s: %w", table, err)
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
