package explore

import (
	"github.com/assay-qa/assay/browser/scan"
)

// maxScript bounds the size of a script that is counted, in characters.
const maxScript = 20 << 20

// CoverageSum is what ran of a site's scripts so far.
type CoverageSum struct {
	scripts map[string]*script
}

type script struct {
	ran    []uint64        // a bit for each character
	length int             // in characters
	blocks map[[2]int]bool // known blocks, by where they begin and end
}

// New returns an empty sum.
func New() *CoverageSum { return &CoverageSum{scripts: map[string]*script{}} }

// Add adds one count. Scripts that own does not take are left out.
func (s *CoverageSum) Add(counted []scan.Script, own func(address string) bool) {
	for _, c := range counted {
		if c.URL == "" || !own(c.URL) {
			continue
		}
		known := s.scripts[c.URL]
		if known == nil {
			known = &script{blocks: map[[2]int]bool{}}
			s.scripts[c.URL] = known
		}
		known.add(c)
	}
}

// add adds the blocks of one script. Blocks nest, and an inner one says what holds for
// its characters.
func (s *script) add(c scan.Script) {
	end := 0
	for _, f := range c.Functions {
		for _, r := range f.Ranges {
			end = max(end, r.End)
		}
	}
	if end > maxScript {
		return
	}
	s.grow(end)
	now := make([]uint64, len(s.ran))
	for _, f := range c.Functions { // outer functions come before those in them
		for _, r := range f.Ranges {
			if r.Start < 0 || r.End < r.Start {
				continue
			}
			s.blocks[[2]int{r.Start, r.End}] = true
			set(now, r.Start, r.End, r.Count > 0)
		}
	}
	for i := range now {
		s.ran[i] |= now[i]
	}
}

func (s *script) grow(end int) {
	if end <= s.length {
		return
	}
	s.length = end
	for len(s.ran) < (end+63)/64 {
		s.ran = append(s.ran, 0)
	}
}

func set(bits []uint64, from, to int, on bool) {
	for i := from; i < to; {
		if i%64 == 0 && i+64 <= to {
			bits[i/64] = 0
			if on {
				bits[i/64] = ^uint64(0)
			}
			i += 64
			continue
		}
		if on {
			bits[i/64] |= 1 << (i % 64)
		} else {
			bits[i/64] &^= 1 << (i % 64)
		}
		i++
	}
}

func (s *script) has(i int) bool { return i < s.length && s.ran[i/64]&(1<<(i%64)) != 0 }

// Blocks returns how many blocks ran of those that are known.
func (s *CoverageSum) Blocks() (ran, known int) {
	for _, one := range s.scripts {
		known += len(one.blocks)
		for b := range one.blocks {
			if one.has(b[0]) {
				ran++
			}
		}
	}
	return ran, known
}

// Characters returns how many characters of scripts ran of those that are known.
func (s *CoverageSum) Characters() (ran, known int) {
	for _, one := range s.scripts {
		known += one.length
		for i := range one.length {
			if one.has(i) {
				ran++
			}
		}
	}
	return ran, known
}
