package layout

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"
)

// tree indexes a map for matching and naming.
type tree struct {
	all     []Element
	version int
	kids    [][]int  // of each element, in order; those without a parent come last, under len(all)
	hash    []uint64 // of what an element and all in it say and show, whatever it looks like
	bag     [][]uint64
	extent  []rect // around an element and all in it
	size    []int  // elements in it, with itself
}

// bagLimit bounds the texts by which two elements are likened.
const bagLimit = 64

// newTree reads a map. A parent that does not stand before its child is none.
func newTree(m Map) *tree {
	n := len(m.Elements)
	t := &tree{all: slices.Clone(m.Elements), version: m.Version, kids: make([][]int, n+1), hash: make([]uint64, n), bag: make([][]uint64, n), extent: make([]rect, n), size: make([]int, n)}
	for i := range t.all {
		if p := t.all[i].Parent; p < 0 || p >= i {
			t.all[i].Parent = -1
		}
		t.kids[t.up(i)] = append(t.kids[t.up(i)], i)
	}
	for i := n - 1; i >= 0; i-- { // children come after their parents
		e := &t.all[i]
		said := hashOf(e.Text, imageKey(e.Image), e.Styles["::before content"], e.Styles["::after content"])
		h := []uint64{hashOf(tag(e.Path)), said}
		if e.Text != "" || e.Image != "" {
			t.bag[i] = append(t.bag[i], said)
		}
		t.extent[i], t.size[i] = boxOf(*e), 1
		for _, k := range t.kids[i] {
			h = append(h, t.hash[k])
			t.bag[i] = append(t.bag[i], t.bag[k]...)
			t.extent[i] = t.extent[i].union(t.extent[k])
			t.size[i] += t.size[k]
		}
		slices.Sort(t.bag[i])
		t.bag[i] = t.bag[i][:min(len(t.bag[i]), bagLimit)]
		t.hash[i] = hashList(h)
	}
	return t
}

// up returns the parent's index in kids.
func (t *tree) up(i int) int {
	if p := t.all[i].Parent; p >= 0 {
		return p
	}
	return len(t.all)
}

// within reports whether i is, or stands in, around.
func (t *tree) within(i, around int) bool {
	for ; i > around; i = t.all[i].Parent { // parents come first
	}
	return i == around
}

// effectiveStyle returns the value of a style, inherited, or the initial one.
func (t *tree) effectiveStyle(i int, property string) string {
	for at := i; at >= 0; at = t.all[at].Parent {
		if v, ok := t.all[at].Styles[property]; ok {
			return v
		}
		if !inherited[property] {
			break
		}
	}
	return initialValue(property)
}

func hashOf(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write(append([]byte(p), 0)) // it never fails
	}
	return h.Sum64()
}

func hashList(list []uint64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, x := range list {
		binary.LittleEndian.PutUint64(b[:], x)
		_, _ = h.Write(b[:])
	}
	return h.Sum64()
}

// tag returns the tag name of a step such as div#total.card[2].
func tag(step string) string {
	if i := strings.IndexAny(step, "#.["); i >= 0 {
		return step[:i]
	}
	return step
}

// classes returns the classes of a step, and its id with its #.
func classes(step string) []string {
	step, _, _ = strings.Cut(step, "[")
	id := ""
	if _, after, ok := strings.Cut(step, "#"); ok {
		id, _, _ = strings.Cut(after, ".")
	}
	parts := strings.Split(step, ".")[1:]
	if id != "" {
		parts = append(parts, "#"+id)
	}
	return parts
}

// imageKey returns the text by which two images are compared: the digest of their
// pixels if there is one, else their address.
func imageKey(image string) string {
	if i := strings.LastIndex(image, " #"); i >= 0 {
		return image[i:]
	}
	return image
}
