package browser

import "unicode/utf8"

// cut shortens s to at most n bytes, at a character's edge.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// ring keeps the last limit items added and counts all.
type ring[T any] struct {
	limit int
	items []T
	total int
}

// add appends v. When that pushes an item out, it is returned with true.
func (r *ring[T]) add(v T) (old T, dropped bool) {
	r.total++
	if len(r.items) < r.limit {
		r.items = append(r.items, v)
		return old, false
	}
	i := (r.total - 1) % r.limit
	old, r.items[i] = r.items[i], v
	return old, true
}

// since returns the kept items added after the first n, oldest first.
func (r *ring[T]) since(n int) []T {
	first := max(n, r.total-len(r.items))
	out := make([]T, 0, max(0, r.total-first))
	for i := first; i < r.total; i++ {
		out = append(out, r.items[i%r.limit])
	}
	return out
}

// dropped returns how many items are no longer kept.
func (r *ring[T]) dropped() int { return r.total - len(r.items) }
