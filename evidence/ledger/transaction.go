package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/tlog"
)

// Actor names who did something.
type Actor struct {
	Kind string `json:"kind"` // human or agent
	ID   string `json:"id"`   // printed name of a person, run of an agent
}

// Event describes one entry of the log: one line of JSON, whose exact bytes are a
// leaf of the log's Merkle tree.
type Event struct {
	Seq         int64     `json:"seq"`    // from 1, without a gap: one more than the leaf's index
	UTC         time.Time `json:"utc"`    // when it was appended; given by the ledger
	MonoMS      int64     `json:"monoMs"` // milliseconds since the writer began, on a clock that only goes forward
	Writer      string    `json:"writer"` // random name of the process that appended it
	Actor       Actor     `json:"actor"`
	Action      string    `json:"action"`                // such as "run started" or "baseline approved"
	Record      string    `json:"record"`                // key of what it is about: a run's id, a baseline's version
	Subject     []string  `json:"subject"`               // SHA-256 of what it is about
	Previous    []string  `json:"previous,omitempty"`    // of what that takes the place of
	Reason      string    `json:"reason,omitempty"`      // a person's words
	Options     string    `json:"options,omitempty"`     // SHA-256 of the options that were in force
	Environment string    `json:"environment,omitempty"` // SHA-256 of the environment
}

// Tx gives one operation the records and events of a ledger.
type Tx struct {
	tables    map[string]map[string][]byte // without the log
	put       map[string]map[string][]byte // what is to be stored; nil: to be deleted
	log       *tree
	stored    []lines     // of the log: what was at hand, by level
	signed    []byte      // checkpoint over the log, as stored
	change    *pendingKey // a key takes over
	covered   int64       // events that it is over
	unsigned  bool        // an older version of this program stored it
	published checkpointCopy
	now       time.Time
	mono      int64
	writer    string
	key       func() (string, error) // the signing key, where it isn't in log/key
}

func newTx(ctx context.Context, blobs *BlobStore) *Tx {
	return &Tx{
		tables: map[string]map[string][]byte{}, put: map[string]map[string][]byte{},
		log: &tree{ctx: ctx, blobs: blobs, cut: map[string][]byte{}},
	}
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
	if table == "" || table == headBucket || table == eventsBucket || table == logBucket || key == "" {
		return fmt.Errorf("put %q in table %q: there is no such place", key, table)
	}
	value = append([]byte{}, value...) // never nil
	set(t.tables, table, key, value)
	set(t.put, table, key, value)
	return nil
}

// Delete takes a record away. That there is none is no error.
func (t *Tx) Delete(table, key string) {
	if _, ok := t.tables[table][key]; ok {
		delete(t.tables[table], key)
		set(t.put, table, key, nil)
	}
}

func set(to map[string]map[string][]byte, table, key string, value []byte) {
	if to[table] == nil {
		to[table] = map[string][]byte{}
	}
	to[table][key] = value
}

// Append adds an event, and returns it with its number and time.
func (t *Tx) Append(e Event) (Event, error) {
	e.Seq, e.UTC, e.MonoMS, e.Writer = t.Size()+1, t.now, t.mono, t.writer
	line, err := json.Marshal(e)
	if err != nil {
		return e, fmt.Errorf("append event %q: %w", e.Action, err)
	}
	t.log.push(0, entry{line: line, hash: tlog.RecordHash(line)})
	return e, nil
}

// Events returns the events whose lines hold a mark, oldest first; only these are
// decoded. An empty mark is in every line. The first error ends it.
func (t *Tx) Events(mark string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		n := int64(0)
		for line, err := range t.Leaves() {
			var e Event
			n++
			if err == nil && bytes.Contains(line, []byte(mark)) {
				if err = json.Unmarshal(line, &e); err != nil || e.Seq != n {
					err = corrupt("event %d is none of ours: %.200q", n, line)
				}
			} else if err == nil {
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// Bounds on a person's words, in characters.
const (
	MaxBy     = 200
	MaxReason = 1000
)

// CheckPrintable refuses a person's words that are empty, too long, or can't be printed
// on one line.
func CheckPrintable(what, text string, most int) error {
	switch length := utf8.RuneCountInString(text); {
	case text == "":
		return fmt.Errorf("the %s is empty", what)
	case !utf8.ValidString(text):
		return fmt.Errorf("the %s is not valid UTF-8", what)
	case length > most:
		return fmt.Errorf("the %s has %d characters, more than %d", what, length, most)
	case strings.TrimSpace(text) != text:
		return fmt.Errorf("the %s %q begins or ends with a space", what, text)
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' }): // joiners are part of some scripts
		return fmt.Errorf("the %s %q has a character that can't be printed", what, text)
	}
	return nil
}
