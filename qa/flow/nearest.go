package flow

import (
	"strconv"
	"strings"
)

// didYouMean suggests the known name nearest to one that is not, if one is
// near: at most one letter in three differs.
func didYouMean(name string, known []string) string {
	best, distance := "", 1+min(len(name), 40)/3
	if name == "" || len(name) > 40 {
		return ""
	}
	for _, k := range known {
		if k == name {
			return ""
		}
		if d := editDistance(strings.ToLower(name), k); d <= distance && (best == "" || d < distance) {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + strconv.Quote(best) + "?"
}

// editDistance is the number of letters to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
