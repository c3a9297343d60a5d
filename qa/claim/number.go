package claim

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// zero returns the zero of the script that a decimal digit belongs to: the digits of
// a script follow each other.
func digit(r rune) (value int, zero rune, ok bool) {
	if r >= '0' && r <= '9' {
		return int(r - '0'), '0', true
	}
	if !unicode.IsDigit(r) {
		return 0, 0, false
	}
	// Nd comes in runs of ten, of which several may follow each other.
	start := r
	for start > 0 && unicode.IsDigit(start-1) {
		start--
	}
	zero = r - (r-start)%10
	return int(r - zero), zero, true
}

// asciiNumber writes a number without sign as ASCII digits with a point before its
// decimals; ok is false where it can't be one number: digits of several scripts,
// groups of another size than three, several decimal marks.
func asciiNumber(text string) (value string, ok bool) {
	var marks []rune // what stands between the runs of digits
	runs := []string{""}
	var script rune
	for _, r := range text {
		d, zero, isDigit := digit(r)
		if !isDigit {
			marks, runs = append(marks, asciiMark(r)), append(runs, "")
			continue
		}
		if script == 0 {
			script = zero
		}
		if zero != script {
			return "", false
		}
		runs[len(runs)-1] += string(rune('0' + d))
	}
	for _, run := range runs {
		if run == "" {
			return "", false
		}
	}
	switch len(marks) {
	case 0:
		return runs[0], true
	case 1:
		if marks[0] == ' ' || marks[0] == '\'' || marks[0] == ',' && len(runs[1]) == 3 && len(runs[0]) <= 3 && runs[0] != "0" {
			return strings.Join(runs, ""), grouped(runs)
		}
		return runs[0] + "." + runs[1], true
	}
	last := marks[len(marks)-1]
	for _, m := range marks[:len(marks)-1] {
		if m != marks[0] {
			return "", false
		}
	}
	if last == marks[0] {
		return strings.Join(runs, ""), grouped(runs)
	}
	whole := runs[:len(runs)-1]
	return strings.Join(whole, "") + "." + runs[len(runs)-1], grouped(whole) && (last == '.' || last == ',')
}

// asciiMark returns a mark within numbers as ASCII has it.
func asciiMark(r rune) rune {
	switch r {
	case '٬', '，':
		return ','
	case '٫', '．':
		return '.'
	case '’':
		return '\''
	case '\u00a0', '\u202f', '\u2009':
		return ' '
	}
	return r
}

func grouped(runs []string) bool {
	for i, run := range runs {
		if i > 0 && len(run) != 3 || len(run) > 3 {
			return false
		}
	}
	return true
}

// withinNumber reports whether r may stand between two digits of one number.
func withinNumber(r rune) bool { return strings.ContainsRune(".,'’٬٫，．\u00a0\u202f\u2009", r) }

// numberLength returns the length in bytes of the number without sign at the start of s.
func numberLength(s string) int {
	end := 0
	for i, r := range s {
		switch {
		case unicode.IsDigit(r):
			end = i + utf8.RuneLen(r)
		case i == 0 || i != end || !withinNumber(r):
			return end
		}
	}
	return end
}

// signed reports whether what stands before a number, up to it, ends in its sign.
// The dash of 2026-11-21 and of page-2 is none.
func signBefore(before string) (negative, ok bool) {
	r, n := utf8.DecodeLastRuneInString(before)
	if !isMinus(r) && r != '+' {
		return false, false
	}
	last, size := utf8.DecodeLastRuneInString(before[:len(before)-n])
	if size > 0 && (unicode.IsLetter(last) || unicode.IsNumber(last) || strings.ContainsRune("_)]+", last) || isMinus(last)) {
		return false, false
	}
	return r != '+', true
}

func isMinus(r rune) bool { return r == '-' || r == '−' || r == '－' || r == '﹣' }
