package layout

import "slices"

// pairing maps which element of one map is which of the other; -1: none.
type pairing struct {
	before, after *tree
	toAfter       []int
	toBefore      []int
}

// Two elements of one tag are taken for one, if no better pair is found, when
// they are at least so alike; see alike.
const enough = 0.4

// tableLimit bounds the table of an alignment; longer lists are paired in order.
const tableLimit = 250_000

// pair finds the same elements in both maps. It goes from the roots down: the
// children of a pair are paired with each other first, by what they say, and
// what is left over with what says the same elsewhere.
func pair(before, after *tree) *pairing {
	p := &pairing{before: before, after: after, toAfter: slices.Repeat([]int{-1}, len(before.all)), toBefore: slices.Repeat([]int{-1}, len(after.all))}
	p.children(len(before.all), len(after.all))
	gone := map[uint64][]int{}
	for b := range before.all {
		if p.toAfter[b] < 0 && len(before.bag[b]) > 0 {
			gone[before.hash[b]] = append(gone[before.hash[b]], b)
		}
	}
	for a := range after.all {
		if p.toBefore[a] >= 0 {
			continue
		}
		for list := gone[after.hash[a]]; len(list) > 0; list = list[1:] {
			if b := list[0]; p.toAfter[b] < 0 {
				p.link(b, a)
				break
			}
		}
	}
	return p
}

func (p *pairing) link(b, a int) {
	p.toAfter[b], p.toBefore[a] = a, b
	p.children(b, a)
}

// children pairs the children of two elements.
func (p *pairing) children(b, a int) {
	bs := slices.DeleteFunc(slices.Clone(p.before.kids[b]), func(i int) bool { return p.toAfter[i] >= 0 })
	as := slices.DeleteFunc(slices.Clone(p.after.kids[a]), func(i int) bool { return p.toBefore[i] >= 0 })
	same := len(bs) == len(as)
	for len(bs) > 0 && len(as) > 0 && p.equal(bs[0], as[0]) {
		p.link(bs[0], as[0])
		bs, as = bs[1:], as[1:]
	}
	for len(bs) > 0 && len(as) > 0 && p.equal(bs[len(bs)-1], as[len(as)-1]) {
		p.link(bs[len(bs)-1], as[len(as)-1])
		bs, as = bs[:len(bs)-1], as[:len(as)-1]
	}
	bs, as = p.equals(bs, as)
	if len(bs)*len(as) <= tableLimit {
		bs, as = p.align(bs, as)
	}
	for len(bs) > 0 && len(as) > 0 && same { // as many as before: the rest stands for the rest
		if tag(p.before.all[bs[0]].Path) == tag(p.after.all[as[0]].Path) {
			p.link(bs[0], as[0])
		}
		bs, as = bs[1:], as[1:]
	}
}

func (p *pairing) equal(b, a int) bool { return p.before.hash[b] == p.after.hash[a] }

// equals pairs those that say the same and are as many as before, wherever
// they stand, and returns the rest.
func (p *pairing) equals(bs, as []int) (restB, restA []int) {
	if len(bs) == 0 || len(as) == 0 {
		return bs, as
	}
	byHash := map[uint64][2][]int{}
	for _, b := range bs {
		lists := byHash[p.before.hash[b]]
		lists[0] = append(lists[0], b)
		byHash[p.before.hash[b]] = lists
	}
	for _, a := range as {
		lists := byHash[p.after.hash[a]]
		lists[1] = append(lists[1], a)
		byHash[p.after.hash[a]] = lists
	}
	for _, b := range bs {
		lists := byHash[p.before.hash[b]]
		if len(lists[0]) != len(lists[1]) {
			restB = append(restB, b)
			continue
		}
		p.link(b, lists[1][slices.Index(lists[0], b)])
	}
	for _, a := range as {
		if p.toBefore[a] < 0 {
			restA = append(restA, a)
		}
	}
	return restB, restA
}

// align pairs two lists in their order so that the pairs are as alike as can
// be (Needleman and Wunsch, with gaps that cost nothing), and returns the rest.
func (p *pairing) align(bs, as []int) (restB, restA []int) {
	n, m := len(bs), len(as)
	score := make([]float32, (n+1)*(m+1))
	likeness := make([]float32, n*m)
	at := func(i, j int) *float32 { return &score[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			best := max(*at(i+1, j), *at(i, j+1))
			if s := p.alike(bs[i], as[j]); s >= enough {
				likeness[i*m+j] = s
				best = max(best, s+*at(i+1, j+1))
			}
			*at(i, j) = best
		}
	}
	i, j := 0, 0
	for i < n && j < m {
		s := likeness[i*m+j]
		switch {
		case s > 0 && *at(i, j) == s+*at(i+1, j+1):
			p.link(bs[i], as[j])
			i, j = i+1, j+1
		case *at(i, j) == *at(i+1, j):
			restB = append(restB, bs[i])
			i++
		default:
			restA = append(restA, as[j])
			j++
		}
	}
	return append(restB, bs[i:]...), append(restA, as[j:]...)
}

// alike returns how much two elements are each other's likeness: 0, not at all, to
// a little over 1.
func (p *pairing) alike(b, a int) float32 {
	x, y := p.before.all[b], p.after.all[a]
	if tag(x.Path) != tag(y.Path) {
		return 0
	}
	var s float32 = 0.3
	if p.equal(b, a) {
		s = 1
	} else {
		s += 0.2*share(classes(x.Path), classes(y.Path)) + 0.4*share(p.before.bag[b], p.after.bag[a])
	}
	if x.Width == y.Width && x.Height == y.Height {
		s += 0.02
	}
	if x.Selector == y.Selector {
		s += 0.02
	}
	return s
}

// share returns the part of two lists that is in both: 0 to 1, 1 for two empty ones.
func share[T comparable](x, y []T) float32 {
	if len(x)+len(y) == 0 {
		return 1
	}
	count, both := map[T]int{}, 0
	for _, v := range x {
		count[v]++
	}
	for _, v := range y {
		if count[v] > 0 {
			count[v]--
			both++
		}
	}
	return float32(2*both) / float32(len(x)+len(y))
}
