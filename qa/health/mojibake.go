package health

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

// windows1252 has the characters of the bytes 0x80 to 0x9F in order; those
// without one are what Latin 1 has there.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

// cyrillic matches UTF-8 that was read as Windows-1251: two capital letters in
// turn with signs between.
var cyrillic = pattern.New(`(?:[РС][\x{0401}-\x{040F}\x{0450}-\x{045F}\x{0490}\x{0491}‚„…†‡€‰‹‘’“”•–—™›\x{00A0}-\x{00BF}µ°]){2,}`)

// strayedSpace matches what is left of a space that does not break.
var strayedSpace = pattern.New(`[a-z0-9.,:;!?)]Â (?:$|\S)|(?:^| )Â (?:$|[\d€£$]|[a-z])`)

// mojibake returns what of a text was decoded wrongly, with what it may have
// been, or "".
func mojibake(s string) string {
	if run := cyrillic.FindString(s); run != "" {
		return run
	}
	if space := strayedSpace.FindString(s); space != "" {
		return quoted(space) + " for a space"
	}
	runes := []rune(s)
	for i, r := range runes {
		if r == utf8.RuneError && (i > 0 && unicode.IsLetter(runes[i-1]) || i+1 < len(runes) && unicode.IsLetter(runes[i+1])) {
			return "a replacement character"
		}
		if r < 0xC2 || r > 0xF4 {
			continue
		}
		if was, n := decodeAsUTF8(runes[i:]); was != "" && plausible(runes, i, n) {
			return string(runes[i:i+n]) + " for " + was
		}
	}
	return ""
}

// decodeAsUTF8 reads characters as the bytes that they were taken for: one letter of
// UTF-8, and how many characters it became.
func decodeAsUTF8(runes []rune) (string, int) {
	var bytes []byte
	for _, r := range runes[:min(4, len(runes))] {
		b, ok := byteOf(r)
		if !ok || len(bytes) > 0 && b&0xC0 != 0x80 {
			break
		}
		bytes = append(bytes, b)
	}
	r, n := utf8.DecodeRune(bytes)
	if r == utf8.RuneError || n < 2 {
		return "", 0
	}
	sign := n == 2 && r >= 0x80 && r <= 0xBF || n > 2 && (unicode.IsPunct(r) || unicode.IsSymbol(r))
	if sign || unicode.Is(unicode.Latin, r) && r < 0x250 || unicode.In(r, foreignScripts()...) {
		return string(r), n
	}
	return "", 0
}

// foreignScripts returns the scripts whose letters are no signs of another encoding.
func foreignScripts() []*unicode.RangeTable {
	return []*unicode.RangeTable{
		unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic, unicode.Han, unicode.Hiragana,
		unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Devanagari,
	}
}

// plausible refuses what people write: a capital letter with a tilde, a ring or
// a circumflex at the end of a word, followed by a quotation mark or a dash.
func plausible(runes []rune, i, n int) bool {
	if n > 2 {
		return true
	}
	last := runes[i+1]
	if !strings.ContainsRune("‘’“”–—…„‚›‹»«•· \u00a0", last) {
		return true
	}
	if runes[i] == 'Â' && (last == '\u00a0' || last == '·') {
		return i == 0 || !unicode.IsUpper(runes[i-1]) // PÂ is a word's end
	}
	return i+n < len(runes) && unicode.IsLower(runes[i+n]) && (i == 0 || !unicode.IsUpper(runes[i-1]))
}

func byteOf(r rune) (byte, bool) {
	if r >= 0x80 && r <= 0xFF {
		return byte(r), true
	}
	at := 0
	for _, w := range windows1252 {
		if w == r {
			return byte(0x80 + at), true
		}
		at++
	}
	return 0, false
}
