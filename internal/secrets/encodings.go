package secrets

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"
)

// encodedRune holds one character of a value, as its possible spellings,
// sorted. Spellings may be mixed within one text.
type encodedRune []string

// prefixes returns where text may go on after the unit: the lengths of the
// spellings that it begins with.
func (u encodedRune) prefixes(text string) (lengths [8]int, n int) {
	if len(u) > 0 && u[0] == "" {
		n, u = 1, u[1:]
	}
	for i := 0; i < len(text) && len(u) > 0; i++ { // u: those that begin as text does, up to i
		b := text[i]
		low := sort.Search(len(u), func(k int) bool { return u[k][i] >= b })
		high := low + sort.Search(len(u)-low, func(k int) bool { return u[low+k][i] > b })
		if u = u[low:high]; len(u) > 0 && len(u[0]) == i+1 {
			if n < len(lengths) {
				lengths[n] = i + 1
				n++
			}
			u = u[1:]
		}
	}
	return lengths, n
}

// encoder makes units, each once.
type encoder struct{ units map[rune]encodedRune }

// value spells a value as text. Blanks around it are no part of what is looked
// for: pages trim them.
func (s *encoder) value(value string) []encodedRune {
	value = strings.ReplaceAll(strings.TrimSpace(value), "\r\n", "\n")
	var out []encodedRune
	blank := false
	for _, r := range value {
		u := s.of(r)
		if blank && unicode.IsSpace(r) {
			u = append(encodedRune{""}, u...) // pages run blanks together
		}
		blank = unicode.IsSpace(r)
		out = append(out, u)
	}
	return out
}

// shownEscapes spells a value as a page that shows the escapes of its characters, in JSON
// and in JSON in JSON. Who writes one so writes all so: mixed with the other spellings,
// they would make every search slow.
func shownEscapes(value string) []encodedRune {
	var out []encodedRune
	for _, r := range value {
		var u encodedRune
		for _, s := range escapes(string(r)) {
			if strings.HasPrefix(s, `\`) {
				u = append(u, jsonText(s, true), jsonText(jsonText(s, true), true))
			}
		}
		slices.Sort(u)
		out = append(out, slices.Compact(u))
	}
	return out
}

func (s *encoder) of(r rune) encodedRune {
	u, ok := s.units[r]
	if !ok {
		u = encodingsOf(r)
		s.units[r] = u
	}
	return u
}

// encodingsOf returns the ways to write a character: as it is, and escaped for JSON,
// JavaScript, Go, HTML, Markdown, a query, a path, and in what these make of
// each other when a text in one is put into another.
func encodingsOf(r rune) encodedRune {
	raw := []string{string(r)}
	switch {
	case r == '\n':
		raw = []string{"\n", "\r\n", "\r", " "}
	case unicode.IsSpace(r):
		raw = []string{string(r), " ", "\u00a0"}
	}
	var all []string
	for _, s := range raw {
		all = append(all, s)
		all = append(all, escapes(s)...)
		all = append(all, nestedEncodings(s)...)
	}
	if !plainLetter(r) {
		for range 2 { // JSON in JSON in HTML and the like
			for _, s := range slices.Clone(all) {
				all = append(all, nestedEncodings(s)...)
			}
			slices.Sort(all)
			all = slices.Compact(all)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fullWidth returns the character of Halfwidth and Fullwidth Forms (Unicode block U+FF00)
// that stands for one of ASCII.
func fullWidth(r rune) rune {
	switch {
	case r > ' ' && r < 0x7f:
		return r - '!' + '\uff01'
	case r == ' ':
		return '\u3000'
	}
	return r
}

func plainLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// escapes returns spellings that an encoder may choose for any character.
func escapes(s string) []string {
	var out []string
	var percent, unicodes, entities, hexes strings.Builder
	for _, b := range []byte(s) {
		fmt.Fprintf(&percent, "%%%02X", b)
	}
	for _, r := range s {
		units := utf16.Encode([]rune{r})
		for _, u := range units {
			fmt.Fprintf(&unicodes, `\u%04x`, u)
		}
		fmt.Fprintf(&entities, "&#%d;", r)
		fmt.Fprintf(&hexes, "&#x%x;", r)
		if len(units) == 2 {
			out = append(out, fmt.Sprintf(`\U%08x`, r))
		}
		if len(s) == 1 {
			out = append(out, fmt.Sprintf(`\x%02x`, r), fmt.Sprintf(`\x%02X`, r))
		}
		if r > ' ' && r < 0x7f && !plainLetter(r) {
			out = append(out, `\`+string(r)) // Markdown
		}
	}
	for _, escaped := range []string{percent.String(), unicodes.String(), hexes.String()} {
		out = append(out, escaped, strings.ToLower(escaped), upperDigits(escaped))
	}
	return append(out, entities.String())
}

// upperDigits writes the hexadecimal digits of an escape in upper case.
func upperDigits(s string) string {
	return strings.NewReplacer("a", "A", "b", "B", "c", "C", "d", "D", "e", "E", "f", "F").Replace(s)
}

// nestedEncodings returns what a text becomes when it is put into another format.
func nestedEncodings(s string) []string {
	out := []string{
		jsonText(s, true), jsonText(s, false), strings.ReplaceAll(jsonText(s, false), "/", `\/`),
		html.EscapeString(s), strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;", "+", "&#43;").Replace(s),
		url.QueryEscape(s), url.PathEscape(s),
	}
	return slices.DeleteFunc(out, func(o string) bool { return o == s })
}

func jsonText(s string, forHTML bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(forHTML)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(strings.TrimSpace(b.String()), `"`)[1:]
}

// encodedValue holds a whole value in another alphabet, such as base64, where
// its characters can't be distinguished.
type encodedValue struct {
	text          string
	before, after bool // the character beside it holds bits of the value, too
}

// minEncoded bounds the length of a code from below: shorter ones stand in any
// picture's base64 by chance.
const minEncoded = 6

// encodedValues returns the value in hexadecimal and in base64, alone and as a part of a
// longer text such as "user:password".
func encodedValues(value string) []encodedValue {
	out := []encodedValue{{text: hex.EncodeToString([]byte(value))}, {text: strings.ToUpper(hex.EncodeToString([]byte(value)))}}
	for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		out = append(out, encodedValue{text: alphabet.EncodeToString([]byte(value))})
		for ahead := range 3 { // bytes before it in its group of three
			text := alphabet.EncodeToString(append(make([]byte, ahead), value...))
			skip := []int{0, 2, 3}[ahead]
			drop := min((ahead+len(value))%3, 1)
			if core := text[skip:max(skip, len(text)-drop)]; len(core) >= minEncoded {
				out = append(out, encodedValue{core, ahead > 0, drop > 0})
			}
		}
	}
	return out
}

// code spells a code: its letters are never escaped, the rest may be.
func (s *encoder) code(text string) []encodedRune {
	var out []encodedRune
	for _, r := range text {
		if plainLetter(r) {
			out = append(out, encodedRune{string(r)})
		} else {
			out = append(out, s.of(r))
		}
	}
	return out
}
