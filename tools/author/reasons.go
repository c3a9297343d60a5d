package author

import (
	"cmp"
	"slices"

	"github.com/assay-qa/assay/author/site"
)

// Reason says why so many actions were not tried.
type Reason struct {
	Reason string
	Count  int
}

// Reasons lists why actions were not tried, the most frequent first.
func Reasons(s site.Site) []Reason {
	var out []Reason
	for _, u := range s.Untried {
		i := slices.IndexFunc(out, func(r Reason) bool { return r.Reason == u.Reason })
		if i < 0 {
			out = append(out, Reason{u.Reason, 0})
			i = len(out) - 1
		}
		out[i].Count++
	}
	slices.SortStableFunc(out, func(a, b Reason) int { return cmp.Compare(b.Count, a.Count) })
	return out
}
