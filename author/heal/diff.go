package heal

import (
	"fmt"
	"strings"
)

const around = 3 // lines of a diff that are as they were

// unified returns the lines that differ between two texts, as patch reads them.
func unified(name, before, after string) string {
	a, b := lines(before), lines(after)
	ops := compare(a, b)
	var out strings.Builder
	for at := 0; at < len(ops); {
		if ops[at].sign == ' ' {
			at++
			continue
		}
		from, to := max(at-around, 0), at
		for last := at; to < len(ops) && to-last <= 2*around; to++ {
			if ops[to].sign != ' ' {
				last = to
			}
		}
		for to > from && to-1 > at && ops[to-1].sign == ' ' && trailing(ops[from:to]) > around {
			to--
		}
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- a/%s\n+++ b/%s\n", name, name)
		}
		write(&out, ops, from, to)
		at = to
	}
	return out.String()
}

type lineOp struct {
	sign byte
	text string
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.SplitAfter(strings.TrimSuffix(s, "\n"), "\n")
}

// compare returns how one list of lines becomes another, by their longest common part.
func compare(a, b []string) []lineOp {
	long := make([][]int, len(a)+1)
	for i := range long {
		long[i] = make([]int, len(b)+1)
	}
	clean := func(s string) string { return strings.TrimSuffix(s, "\n") }
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if clean(a[i]) == clean(b[j]) {
				long[i][j] = long[i+1][j+1] + 1
			} else {
				long[i][j] = max(long[i+1][j], long[i][j+1])
			}
		}
	}
	var out []lineOp
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && clean(a[i]) == clean(b[j]):
			out = append(out, lineOp{' ', clean(a[i])})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && long[i+1][j] >= long[i][j+1]:
			out = append(out, lineOp{'-', clean(a[i])})
			i++
		default:
			out = append(out, lineOp{'+', clean(b[j])})
			j++
		}
	}
	return out
}

func trailing(ops []lineOp) (n int) {
	for i := len(ops) - 1; i >= 0 && ops[i].sign == ' '; i-- {
		n++
	}
	return n
}

// write writes one part of a diff with its place.
func write(out *strings.Builder, ops []lineOp, from, to int) {
	count := func(ops []lineOp, not byte) (n int) {
		for _, o := range ops {
			if o.sign != not {
				n++
			}
		}
		return n
	}
	part := ops[from:to]
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", count(ops[:from], '+')+1, count(part, '+'), count(ops[:from], '-')+1, count(part, '-'))
	for _, o := range part {
		fmt.Fprintf(out, "%c%s\n", o.sign, o.text)
	}
}
