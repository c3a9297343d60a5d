package kpi

import (
	"strings"
	"unicode"
)

// lookalikes lists letters that pass for digits: Latin, Greek and Cyrillic ones
// for 0, 1, 2, 3, 5 and 6.
const lookalikes = "OolISZ" + "ΟοΙι" + "ОоЗзІіӀӏБб" + "ıƖǀ"

// garbled recognises what looks like a number and is none, since a letter or a
// digit of another script stands within it or for one of its digits: 1O0, l,234,
// 12S4. stop is where it ends. A figure has digits only.
func (f *affixes) garbled(digits int) (stop int, is bool) {
	left := f.start - 1
	if at(f.s, digits-1) == mixedDigit || left >= 0 && f.s[left] == mixedDigit {
		is = true
	}
	if r := at(f.s, left); r != 0 && strings.ContainsRune(".,'", r) {
		word := wordBefore(f.s, left)
		is = is || looksLikeDigits(word)
	}
	if f.unit != "" && looksLikeDigits(f.unit) {
		is = true
	}
	stop = f.end
	for stop < len(f.s) && (unicode.IsLetter(f.s[stop]) || unicode.Is(unicode.Nd, f.s[stop]) || f.s[stop] == mixedDigit || strings.ContainsRune(".,'", f.s[stop])) {
		stop++
	}
	tail := strings.TrimLeft(string(f.s[min(f.end, stop):stop]), ".,'")
	if power := strings.TrimRight(tail, "23"); power != tail && len(tail)-len(power) == 1 && (power == "" && strings.HasSuffix(f.unit, "m") || strings.HasSuffix(power, "m")) {
		tail = power // m2
	}
	is = is || looksLikeDigits(tail) || strings.ContainsFunc(tail, func(r rune) bool { return unicode.Is(unicode.Nd, r) || r == mixedDigit })
	return max(stop, f.end), is
}

// looksLikeDigits reports whether a word has nothing but letters that pass for
// digits.
func looksLikeDigits(word string) bool {
	return word != "" && strings.Trim(word, lookalikes) == ""
}
