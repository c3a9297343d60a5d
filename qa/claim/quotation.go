package claim

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// closingMarks lists the marks that end a quotation, by the mark that begins it, the
// preferred ones first in a group of their own: „a“ may end in " where no “ or ”
// follows.
var closingMarks = map[rune][]string{
	'"': {`"`}, '\'': {"'"}, '`': {"`"}, '＂': {"＂"}, '＇': {"＇"}, '´': {"´"},
	'“': {"”"}, '”': {"”"}, '„': {"“”", `"`}, '‟': {"”"},
	'‘': {"’"}, '’': {"’"}, '‚': {"‘’", "'"}, '‛': {"’"},
	'«': {"»"}, '»': {"«", "»"}, '‹': {"›"}, '›': {"‹", "›"},
	'「': {"」"}, '『': {"』"}, '《': {"》"}, '〈': {"〉"}, '【': {"】"}, '﹁': {"﹂"}, '﹃': {"﹄"}, '｢': {"｣"},
	'〝': {"〞〟"}, '❛': {"❜"}, '❝': {"❞"}, '❮': {"❯"}, '🙶': {"🙷"},
}

// isQuotationMark reports whether r is a mark that opens or closes a quotation
// anywhere, known or not.
func isQuotationMark(r rune) bool {
	if _, ok := closingMarks[r]; ok {
		return true
	}
	return unicode.In(r, unicode.Quotation_Mark, unicode.Pi, unicode.Pf) || strings.ContainsRune("》〉】❜❞❯🙷🙸", r)
}

// apostrophes stand within words, too.
func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == '＇' || r == 'ʼ' }

// isSpacedLetter reports whether a letter can have an apostrophe beside it: those of
// scripts without spaces between words have none.
func isSpacedLetter(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) && !isSpacelessScript(r)
}

// quotation reads a quotation at the start of s, and returns its text and its
// length in bytes.
func quotation(s string) (text string, size int, err error) {
	open, width := utf8.DecodeRuneInString(s)
	groups, known := closingMarks[open]
	if !known {
		return "", 0, fmt.Errorf("the quotation mark %c (%U) opens no quotation that is known", open, open)
	}
	for _, ends := range groups {
		if at, n := findClosing(s, width, open, ends); at >= 0 {
			return s[width:at], at + n, nil
		}
	}
	return "", 0, fmt.Errorf("the quotation mark %c (%U) has no partner", open, open)
}

// findClosing finds where a quotation ends that was opened before from: the first of
// ends at the depth of the beginning. An apostrophe within a word ends none.
func findClosing(s string, from int, open rune, ends string) (at, size int) {
	depth := 0
	nests := !strings.ContainsRune(ends, open)
	for i := from; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		last, _ := utf8.DecodeLastRuneInString(s[:i])
		switch {
		case isApostrophe(r) && i > from && isSpacedLetter(last) && i+n < len(s) && isSpacedLetter(next):
		case strings.ContainsRune(ends, r) && depth == 0:
			return i, n
		case strings.ContainsRune(ends, r):
			depth--
		case r == open && nests:
			depth++
		}
		i += n
	}
	return -1, 0
}
