package ledger

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	tileSize   = 64 // entries that are cut off together
	tileHeight = 6  // levels of the Merkle tree between one of our levels and the next
	topLevel   = 9  // the highest one: beyond it an index doesn't fit an int64
)

// tree builds the log: level 0 has the events; an entry of level k+1 stands for
// 64 entries of level k, which are a blob of 64 lines then, a tile. Only what no
// tile holds yet is kept at hand: at most 63 entries of a level, whatever the
// log's length, and enough for the hashes that an append needs.
type tree struct {
	ctx    context.Context
	blobs  *BlobStore
	levels []level
	cut    map[string][]byte // tiles that are not stored yet, by digest
	last   [topLevel + 1]tile
}

// level holds the entries of one level that are in no tile yet.
type level struct {
	base    int64 // index of the first of them: as many are in tiles
	entries []entry
}

func (l level) count() int64 { return l.base + int64(len(l.entries)) }

// entry holds an event, or stands for a tile: then its line is the tile's digest
// and the root of its Merkle tree.
type entry struct {
	line   []byte
	hash   tlog.Hash // of the leaf, or that root
	digest string    // of the tile; empty for an event
}

// tile caches one that was read last.
type tile struct {
	number  int64
	entries []entry
}

// LostError reports entries of the log that can't be read any more, or are not
// those that were signed. It wraps [ErrCorrupt], but for an error of the disk.
type LostError struct {
	First, Last int64  // indexes of the entries, from 0
	File        string // where they were, from the data folder
	Err         error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("entries %d to %d of the log, in %s: %v", e.First, e.Last, e.File, e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }

func (t *tree) size() int64 {
	if len(t.levels) == 0 {
		return 0
	}
	return t.levels[0].count()
}

// push adds an entry to a level. When there are enough, they become a tile.
func (t *tree) push(k int, e entry) {
	for len(t.levels) <= k {
		t.levels = append(t.levels, level{})
	}
	l := &t.levels[k]
	if l.entries = append(l.entries, e); len(l.entries) < tileSize {
		return
	}
	full := l.entries
	l.base, l.entries = l.base+tileSize, nil
	var lines bytes.Buffer
	for _, e := range full {
		lines.Write(e.line)
		lines.WriteByte('\n')
	}
	data := lines.Bytes()
	digest, root := BlobDigest(data), rootOf(full)
	t.cut[digest] = data
	t.push(k+1, entry{line: []byte(digest + " " + root.String()), hash: root, digest: digest})
}

// rootOf returns the root over entries whose number is a power of two.
func rootOf(entries []entry) tlog.Hash {
	if len(entries) == 1 {
		return entries[0].hash
	}
	half := len(entries) / 2
	return tlog.NodeHash(rootOf(entries[:half]), rootOf(entries[half:]))
}

// parse reads an entry of a level from its line.
func parse(k int, line []byte) (entry, error) {
	if k == 0 {
		return entry{line: line, hash: tlog.RecordHash(line)}, nil
	}
	digest, root, _ := bytes.Cut(line, []byte(" "))
	hash, err := tlog.ParseHash(string(root))
	if err != nil || !ValidDigest(string(digest)) {
		return entry{}, fmt.Errorf("%w: %q is no digest with a root", ErrCorrupt, line)
	}
	return entry{line: line, hash: hash, digest: string(digest)}, nil
}

// tile returns the entries of a tile of level k, from the blob that the level
// above names. They are those that its root was made of.
func (t *tree) tile(k int, number int64) ([]entry, error) {
	if last := t.last[k]; last.entries != nil && last.number == number {
		return last.entries, nil
	}
	above, err := t.entries(k+1, number, 1)
	if err != nil {
		return nil, err
	}
	entries, err := t.readTile(k, above[0])
	if err != nil {
		span := int64(tileSize) << (tileHeight * k)
		return nil, &LostError{First: number * span, Last: (number+1)*span - 1, File: BlobFile(above[0].digest), Err: err}
	}
	t.last[k] = tile{number: number, entries: entries}
	return entries, nil
}

// readTile reads the tile that an entry stands for.
func (t *tree) readTile(k int, above entry) ([]entry, error) {
	data, ok := t.cut[above.digest]
	if !ok {
		var err error
		if data, err = t.blobs.Get(above.digest); err != nil {
			return nil, err
		}
	}
	split := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	entries := make([]entry, len(split))
	for i, line := range split {
		var err error
		if entries[i], err = parse(k, line); err != nil {
			return nil, err
		}
	}
	if len(entries) != tileSize || rootOf(entries) != above.hash {
		return nil, fmt.Errorf("%w: they are not those that were signed; restore the file from a copy", ErrCorrupt)
	}
	return entries, nil
}

// entries returns entries of a level, all of one tile or all of none.
func (t *tree) entries(k int, first, count int64) ([]entry, error) {
	if l := t.levels[k]; first >= l.base {
		return l.entries[first-l.base:][:count], nil
	}
	entries, err := t.tile(k, first/tileSize)
	if err != nil {
		return nil, err
	}
	return entries[first%tileSize:][:count], nil
}

// ReadHashes returns nodes of the Merkle tree by their stored indexes.
func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		height, n := tlog.SplitStoredHashIndex(index)
		width := int64(1) << (height % tileHeight)
		entries, err := t.entries(height/tileHeight, n*width, width)
		if err != nil {
			return nil, err
		}
		hashes[i] = rootOf(entries)
	}
	return hashes, nil
}

// restore builds the levels from what was at hand when they were stored: by
// level, the index of the first entry and the lines from there.
func (t *tree) restore(stored []lines) error {
	above := int64(0)
	for k := len(stored) - 1; k >= 0; k-- {
		s := &stored[k]
		if bits.Len64(uint64(above)) > 63-tileHeight {
			return corrupt("the log is longer than any")
		}
		base := above * tileSize
		if len(s.lines) > 0 && s.first != base {
			return corrupt("entry %d of level %d of the log is missing", base, k)
		}
		s.first = base
		for len(t.levels) <= k {
			t.levels = append(t.levels, level{})
		}
		t.levels[k].base = base
		above = base + int64(len(s.lines))
	}
	for k := len(stored) - 1; k >= 0; k-- {
		for _, line := range stored[k].lines {
			e, err := parse(k, line)
			if err != nil {
				return err
			}
			t.push(k, e)
		}
	}
	return nil
}

// lines holds consecutive entries of a level, as stored.
type lines struct {
	first int64
	lines [][]byte
}

func (l lines) end() int64 { return l.first + int64(len(l.lines)) }
