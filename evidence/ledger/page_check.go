package ledger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
)

// What a page of a bbolt file is made of (go.etcd.io/bbolt/internal/common,
// unchanged since 2013). Numbers have the byte order of the machine.
const (
	headerSize  = 16 // id, flags, count, overflow
	elementSize = 16
	metaSize    = 64
	metaMagic   = 0xED0CDAED

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10
	bucketFlag   = 0x01
)

// pages walks over the pages of a bbolt file. bbolt follows what a page says without a check: a
// damaged one leads it in a circle until the stack ends, or to write over pages that are in use.
// Its own check ([bbolt.Tx.Check]) does so too, in a goroutine of its own: a branch that leads
// beyond the file ends the program, as no fault there can be caught, and a page that says that
// it is very long keeps it busy for minutes.
type pages struct {
	file   []byte
	size   uint64
	end    uint64 // first page beyond those in use
	used   []bool
	last   []byte // key of the bucket that is walked
	lowest []byte // key that the branch above promised
}

// checkPages fails with [ErrCorrupt] unless the pages of the file form a tree within
// it, in the order of their keys, and all others are free.
func (l *Ledger) checkPages() error {
	file, err := os.ReadFile(l.path)
	if err != nil {
		return err
	}
	p := &pages{file: file}
	root, free, err := p.head()
	if err == nil {
		err = p.visit(root)
	}
	if err == nil {
		err = p.freelist(free)
	}
	for id := uint64(2); err == nil && id < p.end; id++ {
		if !p.used[id] {
			err = fmt.Errorf("page %d is neither used nor free", id)
		}
	}
	if err != nil {
		return corrupt("%v", err)
	}
	return nil
}

func uint64Of(b []byte) uint64 { return binary.NativeEndian.Uint64(b) }
func uint32Of(b []byte) uint64 { return uint64(binary.NativeEndian.Uint32(b)) }

// head reads the newer of the two heads that is whole, as bbolt does.
func (p *pages) head() (root, free uint64, err error) {
	var newest []byte
	// Where the second head lies depends on the page size, which any head states.
	for size := uint64(1024); size <= 1<<24; size *= 2 {
		for _, at := range []uint64{0, size} {
			if at+headerSize+metaSize > uint64(len(p.file)) {
				continue
			}
			m := p.file[at+headerSize:][:metaSize]
			sum := fnv.New64a()
			_, _ = sum.Write(m[:56]) // never fails
			if uint32Of(m) != metaMagic || uint64Of(m[56:]) != sum.Sum64() || uint32Of(m[8:]) != size {
				continue
			}
			if newest == nil || uint64Of(m[48:]) > uint64Of(newest[48:]) {
				newest = m
			}
		}
	}
	if newest == nil {
		return 0, 0, fmt.Errorf("neither of its heads is whole")
	}
	p.size, p.end = uint32Of(newest[8:]), uint64Of(newest[40:])
	if p.end > uint64(len(p.file))/p.size {
		return 0, 0, fmt.Errorf("it has %d bytes, less than its %d pages", len(p.file), p.end)
	}
	p.used = make([]bool, p.end)
	return uint64Of(newest[16:]), uint64Of(newest[32:]), nil
}

// claimPage returns a page with its overflow and marks it as used.
func (p *pages) claimPage(id uint64) ([]byte, error) {
	if id < 2 || id >= p.end {
		return nil, fmt.Errorf("page %d is none of its %d", id, p.end)
	}
	at := p.file[id*p.size:]
	more := uint32Of(at[12:])
	if uint64Of(at) != id || more >= p.end-id {
		return nil, fmt.Errorf("page %d has a wrong number or length", id)
	}
	for i := id; i <= id+more; i++ {
		if p.used[i] {
			return nil, fmt.Errorf("page %d is used twice", i)
		}
		p.used[i] = true
	}
	return at[:(more+1)*p.size], nil
}

// visit walks a page and those below it.
func (p *pages) visit(id uint64) error {
	page, err := p.claimPage(id)
	if err != nil {
		return err
	}
	return p.entries(id, page, binary.NativeEndian.Uint16(page[8:]) == branchPage)
}

// entries checks that the keys of a page are in order, and walks what they lead to. A
// leaf may be one within a value.
func (p *pages) entries(id uint64, page []byte, branch bool) error {
	if len(page) < headerSize || !branch && binary.NativeEndian.Uint16(page[8:]) != leafPage {
		return fmt.Errorf("page %d is of a wrong kind", id)
	}
	for i := range uint64(binary.NativeEndian.Uint16(page[10:])) {
		at := headerSize + i*elementSize
		if at+elementSize > uint64(len(page)) {
			return fmt.Errorf("page %d: entry %d is beyond its end", id, i)
		}
		e := page[at:]
		place := e[4:] // behind the flags of a leaf's entry
		if branch {
			place = e
		}
		start, size := at+uint32Of(place), uint32Of(place[4:])
		key, err := part(page, start, size)
		if err != nil || p.last != nil && bytes.Compare(key, p.last) <= 0 || bytes.Compare(key, p.lowest) < 0 {
			return fmt.Errorf("page %d: the key of entry %d is wrong", id, i)
		}
		if branch {
			p.lowest = key
			err = p.visit(uint64Of(e[8:]))
		} else {
			p.last = key
			err = p.value(id, page, start+size, e)
		}
		if err != nil {
			return fmt.Errorf("page %d: entry %d: %w", id, i, err)
		}
	}
	return nil
}

// value checks that a leaf's value is within its page, and walks it if it is a bucket.
func (p *pages) value(id uint64, page []byte, start uint64, entry []byte) error {
	value, err := part(page, start, uint32Of(entry[12:]))
	if err == nil && uint32Of(entry)&bucketFlag != 0 {
		err = p.bucket(id, value)
	}
	return err
}

// bucket walks a bucket, which has keys of its own.
func (p *pages) bucket(id uint64, value []byte) error {
	if len(value) < headerSize {
		return fmt.Errorf("is too short for a bucket")
	}
	last, lowest := p.last, p.lowest
	p.last, p.lowest = nil, nil
	defer func() { p.last, p.lowest = last, lowest }()
	if root := uint64Of(value); root != 0 {
		return p.visit(root)
	}
	return p.entries(id, value[headerSize:], false)
}

func part(page []byte, start, size uint64) ([]byte, error) {
	if start+size > uint64(len(page)) {
		return nil, fmt.Errorf("is beyond the page's end")
	}
	return page[start : start+size], nil
}

// freelist marks the free pages.
func (p *pages) freelist(id uint64) error {
	page, err := p.claimPage(id)
	if err != nil {
		return err
	}
	if binary.NativeEndian.Uint16(page[8:]) != freelistPage {
		return fmt.Errorf("page %d is no list of free pages", id)
	}
	count, ids := uint64(binary.NativeEndian.Uint16(page[10:])), page[headerSize:]
	if count == 0xFFFF { // then it stands before the list
		count, ids = uint64Of(ids), ids[8:]
	}
	if count > uint64(len(ids))/8 {
		return fmt.Errorf("page %d lists more free pages than it holds", id)
	}
	for i := range count {
		free := uint64Of(ids[i*8:])
		if free < 2 || free >= p.end || p.used[free] {
			return fmt.Errorf("page %d is not free", free)
		}
		p.used[free] = true
	}
	return nil
}
