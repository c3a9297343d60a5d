package prove

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sort"
)

// Bounds of how many mutants one test gets.
const (
	fewFaults     = 12
	mostFaults    = 32
	mostActs      = 6
	mostEqual     = 3
	blockOfSlots  = 6 // mutants between two control runs
	moreThanLooks = 4
)

// choose picks the mutants of one test: one for each place that asserts, no effect
// of each act, then of each class in turn; at most so many faults, if that is above 0.
// Those of first come before, whatever the bound. The same seed picks the same.
func choose(r record, all []Mutant, seed int64, most int, first []Mutant) []Mutant {
	h := fnv.New64a()
	h.Write([]byte(r.Test)) // a hash.Hash never fails
	random := rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
	p := picker{left: slices.Clone(all), random: random}
	looks, acts := p.places(r, expect, read), p.places(r, act)
	p.budget = min(mostFaults, max(fewFaults, len(looks)+min(len(acts), mostActs)+moreThanLooks))
	if most > 0 {
		p.budget = min(p.budget, most)
	}
	p.again(first)
	if len(looks) > 0 {
		p.take(func(m Mutant) bool { return m.Kind == otherPage && place(m) == looks[0] })
	}
	for i := range max(len(looks), len(acts)) {
		if i < len(looks) {
			p.take(func(m Mutant) bool { return !m.OfAct && place(m) == looks[i] && m.Class == WrongEffect })
			p.take(func(m Mutant) bool { return !p.covered(looks[i]) && place(m) == looks[i] && m.Class != Missing })
			p.take(func(m Mutant) bool { return !p.covered(looks[i]) && place(m) == looks[i] })
		}
		if i < len(acts) {
			p.take(func(m Mutant) bool { return m.OfAct && m.Class == NoEffect && place(m) == acts[i] })
		}
	}
	for more := true; more; {
		more = false
		for _, class := range []Class{Navigation, Script, WrongEffect, NoEffect, Missing} {
			more = p.take(func(m Mutant) bool { return m.Class == class }) || more
		}
	}
	p.budget = len(p.taken) + mostEqual
	for p.take(func(m Mutant) bool { return m.Class == Equivalent }) { // as many as there is room for
	}
	sort.SliceStable(p.taken, func(i, j int) bool { return p.index(all, p.taken[i]) < p.index(all, p.taken[j]) })
	number(p.taken)
	return p.taken
}

// again picks the mutants that were noticed before.
func (p *picker) again(first []Mutant) {
	budget := p.budget
	p.budget = len(first)
	for _, old := range first {
		p.take(old.Like)
	}
	p.budget = max(budget, len(p.taken))
}

type picker struct {
	left, taken []Mutant
	random      *rand.Rand
	budget      int
}

// take picks one of the mutants that fit, by chance among those of the first call
// that has any.
func (p *picker) take(fits func(Mutant) bool) bool {
	if len(p.taken) >= p.budget {
		return false
	}
	var fitting []int
	for i, m := range p.left {
		if fits(m) && (len(fitting) == 0 || m.Class == Equivalent || place(m) == place(p.left[fitting[0]]) || m.Class != WrongEffect) {
			fitting = append(fitting, i)
		}
	}
	if len(fitting) == 0 {
		return false
	}
	at := fitting[p.random.IntN(len(fitting))]
	p.taken = append(p.taken, p.left[at])
	p.left = slices.Delete(p.left, at, at+1)
	return true
}

func (p *picker) covered(at string) bool {
	return slices.ContainsFunc(p.taken, func(m Mutant) bool { return !m.OfAct && place(m) == at })
}

func (p *picker) index(all []Mutant, m Mutant) int {
	return slices.IndexFunc(all, func(o Mutant) bool {
		return o.Kind == m.Kind && o.spec.Key == m.spec.Key && o.spec.N == m.spec.N && o.spec.Request == m.spec.Request
	})
}

// place names the line of a test that a mutant is about.
func place(m Mutant) string {
	if m.At == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", m.At.File, m.At.Line)
}

// places lists the lines at which a test calls something of these kinds: those of the test
// itself before those of its hooks, and acts that an expectation follows before other ones.
func (p *picker) places(r record, kinds ...string) []string {
	var out [4][]string
	for i, o := range r.Ops {
		if o.At == nil || !slices.Contains(kinds, o.Kind) {
			continue
		}
		rank := 0
		if o.hook {
			rank = 2
		}
		if o.Kind == act && (i+1 == len(r.Ops) || r.Ops[i+1].Kind == act) {
			rank++
		}
		at := fmt.Sprintf("%s:%d", o.At.File, o.At.Line)
		if !slices.Contains(slices.Concat(out[:]...), at) {
			out[rank] = append(out[rank], at)
		}
	}
	return slices.Concat(out[:]...)
}
