package kpi

import (
	"math/big"
	"strings"
)

// separators stand between digits and, but for the apostrophe, before decimals alone.
const separators = ".,٫٬"

// digitsReading describes one reading of the digits of a number.
type digitsReading struct {
	value, step *big.Rat
}

// maxDigits bounds what is taken for a number: longer ones are keys.
const maxDigits = 30

// readDigits lists the readings of digits and separators. None: the separators
// make no number.
func readDigits(s []rune, c Convention, scientific bool) []digitsReading {
	kinds := map[rune]int{}
	var last rune
	for _, r := range s {
		if isSpace(r) {
			r = ' '
		}
		if !isDigit(r) {
			kinds[r]++
			last = r
		}
	}
	if len(s) == 0 || len(s) > maxDigits {
		return nil
	}
	text := strings.ReplaceAll(string(s), string(nbsp), " ")
	switch first := s[0]; {
	case len(kinds) == 0:
		return readWithPoint(text, 0)
	case !isDigit(first) && (len(kinds) > 1 || kinds[first] > 1 || first != '٫' && c != 0 && rune(c) != first):
		return nil // .5 is no 5 where decimals are written with another mark
	case !isDigit(first):
		return readWithPoint(text, first)
	case kinds['٫'] > 0 || kinds['٬'] > 0:
		return readArabic(text, kinds)
	case c != 0:
		return readAs(text, rune(c), scientific)
	case len(kinds) == 1 && kinds[last] > 1:
		return readWithPoint(text, 0) // 1,234,567
	case len(kinds) == 1:
		return readOneSeparator(text, last, scientific)
	case len(kinds) == 2 && kinds[last] == 1 && (last == '.' || last == ','):
		return readWithPoint(text, last)
	default:
		return nil
	}
}

// readArabic reads numbers with the separators that only Arabic script has. They
// leave nothing open.
func readArabic(text string, kinds map[rune]int) []digitsReading {
	for _, point := range "٫.," {
		if kinds[point] > 0 {
			if kinds[point] > 1 || strings.ContainsAny(text[strings.LastIndex(text, string(point))+len(string(point)):], "٬٫.,") {
				return nil
			}
			return readWithPoint(text, point)
		}
	}
	return readWithPoint(text, 0)
}

// readAs reads digits as a language with that mark for decimals writes them. None:
// it does not write them so.
func readAs(text string, point rune, scientific bool) []digitsReading {
	whole, decimals, cut := strings.Cut(text, string(point))
	if strings.ContainsFunc(decimals, func(r rune) bool { return !isDigit(r) }) {
		return nil
	}
	parts := strings.FieldsFunc(whole, func(r rune) bool { return !isDigit(r) })
	marks := strings.Join(strings.FieldsFunc(whole, isDigit), "")
	switch {
	case marks != "" && strings.Trim(marks, marks[:1]) != "":
		return nil // two marks between groups
	case len(parts) > 1 && (parts[0] == "0" || len(parts[len(parts)-1]) != 3 || scientific):
		return nil
	case cut:
		return readWithPoint(text, point)
	}
	return readWithPoint(text, 0)
}

// readOneSeparator reads digits with one separator.
func readOneSeparator(text string, sep rune, scientific bool) []digitsReading {
	left, right, _ := strings.Cut(text, string(sep))
	if sep == '\'' || sep == ' ' {
		return readWithPoint(text, 0)
	}
	switch {
	case scientific || len(right) != 3 || left[0] == '0' || len(left) > 3:
		return readWithPoint(text, sep)
	default:
		return append(readWithPoint(text, 0), readWithPoint(text, sep)...)
	}
}

// readWithPoint reads digits whose decimals, if any, stand behind point. All other
// separators must make groups.
func readWithPoint(text string, point rune) []digitsReading {
	whole, decimals := text, ""
	if point != 0 {
		whole, decimals, _ = strings.Cut(text, string(point))
	}
	parts := strings.FieldsFunc(whole, func(r rune) bool { return !isDigit(r) })
	if len(parts) > 1 && !groups(parts) {
		return nil
	}
	digits := strings.Join(parts, "") + decimals
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return nil
	}
	step := pow10(-len(decimals))
	return []digitsReading{{value: times(new(big.Rat).SetInt(n), step), step: step}}
}

// groups reports whether parts are digits in groups: of three, or as in India
// of two and a last one of three; or of four, as in East Asia.
func groups(parts []string) bool {
	first, middle, last := parts[0], parts[1:len(parts)-1], parts[len(parts)-1]
	of := func(n int) bool {
		for _, p := range middle {
			if len(p) != n {
				return false
			}
		}
		return len(first) > 0 && len(first) <= n
	}
	return len(last) == 3 && (of(3) || of(2)) || len(last) == 4 && of(4)
}
