package browser

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"
)

// The ring against a slice that keeps all, over random sizes.
func TestRingKeepsTheLast(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		r := ring[int]{limit: 1 + rnd.IntN(7)}
		var all []int
		for i := range rnd.IntN(30) {
			old, dropped := r.add(i)
			all = append(all, i)
			if dropped != (len(all) > r.limit) || dropped && old != all[len(all)-1-r.limit] {
				t.Fatalf("adding %d to %d of %d: dropped %d, %v", i, len(all)-1, r.limit, old, dropped)
			}
			kept := all[max(0, len(all)-r.limit):]
			if r.total != len(all) || r.dropped() != len(all)-len(kept) {
				t.Fatalf("total %d, dropped %d of %d", r.total, r.dropped(), len(all))
			}
			for n := range len(all) + 2 {
				want := kept
				if from := n - r.dropped(); from > 0 {
					want = kept[min(from, len(kept)):]
				}
				if got := r.since(n); !slices.Equal(got, want) {
					t.Fatalf("since(%d) of %v, limit %d: %v, want %v", n, all, r.limit, got, want)
				}
			}
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("héllo", 2)
	f.Add("日本", 4)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = max(0, min(n, 100))
		got := cut(s, n)
		if len(got) > n+len("…") || utf8.ValidString(s) && !utf8.ValidString(got) || len(s) <= n && got != s {
			t.Errorf("cut(%q, %d) = %q", s, n, got)
		}
	})
}
