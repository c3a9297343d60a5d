package text

import (
	"slices"
	"strconv"
	"strings"
)

// maxWord bounds the words for which a like one is looked for, in bytes.
const maxWord = 100

// Nearest returns the known word most like name, or "" if none is near: at most one
// letter in three differs. The first of equals wins.
func Nearest(name string, known []string) string {
	if len(name) > maxWord {
		return ""
	}
	best, bestDistance := "", 0
	for _, k := range known {
		limit := max(1, min(len(name), len(k))/3)
		d := distance(strings.ToLower(name), strings.ToLower(k), limit)
		if d <= limit && (best == "" || d < bestDistance) {
			best, bestDistance = k, d
		}
	}
	return best
}

// maxAlike bounds the words that are like one.
const maxAlike = 5

// Likely returns the known words that a person most likely meant: the nearest first, then those
// that share a part with name, between underscores.
func Likely(name string, known []string) []string {
	var out []string
	if near := Nearest(name, known); near != "" {
		out = append(out, near)
	}
	parts := strings.Split(strings.ToLower(name), "_")
	for _, k := range known {
		shares := slices.ContainsFunc(strings.Split(strings.ToLower(k), "_"), func(p string) bool { return len(p) > 2 && slices.Contains(parts, p) })
		if shares && !slices.Contains(out, k) && len(out) < maxAlike {
			out = append(out, k)
		}
	}
	return out
}

// Hint returns Word as the end of a message: "; did you mean …?", or "".
func Hint(name string, known []string) string {
	if near := Nearest(name, known); near != "" && near != name {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

// HintID returns such a message about an id: the first of ids that begins with name,
// or the nearest of them and of the words that stand for one.
func HintID(name string, ids []string, words ...string) string {
	for _, id := range ids {
		if name != "" && strings.HasPrefix(id, name) {
			return "; did you mean " + strconv.Quote(id) + "?"
		}
	}
	return Hint(name, append(words, ids...))
}

// Closest returns the known word most like name, however little that is.
func Closest(name string, known []string) string {
	name = name[:min(len(name), maxWord)]
	best, bestDistance := "", 0
	for _, k := range known {
		if d := distance(name, k, len(name)+len(k)); best == "" || d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance returns the number of letters to insert, delete, replace or swap with
// their neighbour that leads from a to b (optimal string alignment). It gives
// up, with a number above limit, where the lengths alone exceed it.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
