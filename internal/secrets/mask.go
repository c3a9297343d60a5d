package secrets

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

// wanted holds a value, or a code of it, to look for.
type wanted struct {
	mask          string // what takes its place
	units         []encodedRune
	before, after bool // see code
	length        int  // of the value, in characters
}

// matcher finds the values revealed so far. It never changes.
type matcher struct {
	begins   [1 << 10]uint64      // a bit for each four bytes that a match may begin with, hashed
	patterns map[string][]*wanted // by these bytes
}

// hiddenMask takes the place of a value that no name leads to.
const hiddenMask = "${secret:sign-in}"

// newMatcher compiles the values, by name, and those without a name.
func newMatcher(values map[string]string, hidden []string) *matcher {
	m := &matcher{patterns: map[string][]*wanted{}}
	s := &encoder{units: map[rune]encodedRune{}}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		mask := "${secret:" + name + "}"
		m.addValue(s, values[name], mask)
		m.add(&wanted{mask: mask, units: shownEscapes(values[name]), length: utf8.RuneCountInString(values[name])})
		for _, shown := range slices.Concat(recased(values[name]), respelled(values[name])) {
			m.add(&wanted{mask: mask, units: s.value(shown), length: utf8.RuneCountInString(shown)})
		}
	}
	for _, value := range slices.Sorted(slices.Values(hidden)) {
		m.addValue(s, value, hiddenMask)
	}
	return m
}

// recased returns a value as pages and databases write it, where that differs: in
// upper case, in lower case, and with a capital.
func recased(value string) []string {
	first, size := utf8.DecodeRuneInString(value)
	out := []string{strings.ToUpper(value), strings.ToLower(value), string(unicode.ToUpper(first)) + value[size:], string(unicode.ToUpper(first)) + strings.ToLower(value[size:])}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return s == value })
}

// respelled returns a value as a page may draw it so that no search finds it: backwards,
// with a blank after each character, and in full width.
func respelled(value string) []string {
	backwards := []rune(value)
	spaced := make([]string, len(backwards))
	for i, r := range backwards {
		spaced[i] = string(r)
	}
	slices.Reverse(backwards)
	return []string{string(backwards), strings.Join(spaced, " "), strings.Map(fullWidth, value)}
}

// addValue compiles a value and its codes.
func (m *matcher) addValue(s *encoder, value, mask string) {
	length := utf8.RuneCountInString(value)
	m.add(&wanted{mask: mask, units: s.value(value), length: length})
	for _, c := range encodedValues(value) {
		m.add(&wanted{mask: mask, units: s.code(c.text), before: c.before, after: c.after, length: length})
	}
}

func (m *matcher) add(p *wanted) {
	for _, begin := range beginnings(p.units) {
		slot := hash(begin)
		m.begins[slot>>6] |= 1 << (slot & 63)
		m.patterns[begin] = append(m.patterns[begin], p)
	}
}

// beginnings returns the first bytes that the units may have, sorted.
func beginnings(units []encodedRune) []string {
	begun, whole := []string{""}, map[string]bool{}
	for _, u := range units {
		longer := map[string]bool{}
		for _, b := range begun {
			for _, spelling := range u {
				if text := b + spelling; len(text) >= hashed {
					whole[text[:hashed]] = true
				} else {
					longer[text] = true
				}
			}
		}
		begun = slices.Collect(maps.Keys(longer))
	}
	return slices.Sorted(maps.Keys(whole))
}

// hashed counts the bytes that decide whether a match may begin; no encoding
// is shorter.
const hashed = 4

// hash maps the first bytes of a text to 16 bits.
func hash(text string) uint32 {
	_ = text[hashed-1]
	return (uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16 | uint32(text[3])<<24) * 2654435761 >> 16
}

// Mask returns text with ${secret:NAME} in place of every value revealed so
// far: as it is, in base64 and hexadecimal, and escaped for JSON, URLs and
// HTML, also in one another; in other case, backwards, with blanks between its characters
// and in full width. Other transformations are not found. A value of which a shortened text ("…") holds
// only the beginning is masked, too, from its fourth character on.
func (v *Vault) Mask(text string) string {
	if m := v.masks.Load(); m != nil {
		text = m.mask(text)
	}
	return withoutUserinfo(text)
}

func (m *matcher) mask(text string) string {
	var out strings.Builder
	done := 0 // what is in out already
	for i := 0; i+hashed <= len(text); i++ {
		slot := hash(text[i:])
		if m.begins[slot>>6]&(1<<(slot&63)) == 0 {
			continue
		}
		p, end := longest(m.patterns[text[i:i+hashed]], text, i)
		if p == nil || p.partOf(text, i, end) {
			continue
		}
		start := i
		if p.before && start > done && isBase64(text[start-1]) {
			start--
		}
		if p.after && end < len(text) && isBase64(text[end]) {
			end++
		}
		out.WriteString(text[done:start])
		out.WriteString(p.mask)
		done = end
		i = end - 1
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// longest finds the longest match that begins at i.
func longest(candidates []*wanted, text string, i int) (best *wanted, end int) {
	for _, p := range candidates {
		if e := p.match(text, i); e > end {
			best, end = p, e
		}
	}
	return best, end
}

// match returns where a match that begins at i ends, or -1.
func (p *wanted) match(text string, i int) int {
	var a, b [8]int
	at, next := append(a[:0], i), b[:0]
	for n, u := range p.units {
		next = next[:0]
		for _, from := range at {
			lengths, found := u.prefixes(text[from:])
			for _, length := range lengths[:found] {
				if !slices.Contains(next, from+length) {
					next = append(next, from+length)
				}
			}
		}
		if len(next) == 0 {
			if n >= minLength {
				return cutAt(text, at)
			}
			return -1
		}
		at, next = next, at
	}
	return slices.Max(at)
}

// cutAt returns which of the positions is where the text was shortened, or -1.
func cutAt(text string, at []int) int {
	for _, i := range at {
		if strings.HasPrefix(text[i:], "…") || strings.HasPrefix(text[i:], `\u2026`) {
			return i
		}
	}
	return -1
}

func isBase64(b byte) bool {
	return plainLetter(rune(b)) || b == '+' || b == '/' || b == '-' || b == '_'
}

// ours matches texts of this program that hold digits by chance: digests, times,
// run ids.
var ours = pattern.New(`^(?:[0-9a-f]{64}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)|\d{8}T\d{6}\.\d{3}Z-[a-z2-7]{6})$`)

// minApart sets the length from which a value can't stand in such a text by
// chance.
const minApart = 12

// partOf reports whether a match of a short value, such as a PIN, is only a
// part of a digest, time or run id. Masked, those would be lost.
func (p *wanted) partOf(text string, start, end int) bool {
	if p.length >= minApart {
		return false
	}
	const longestOfOurs = 64
	from, to := start, end
	for from > 0 && start-from <= longestOfOurs && inOwnText(text[from-1]) {
		from--
	}
	for to < len(text) && to-end <= longestOfOurs && inOwnText(text[to]) {
		to++
	}
	return (from < start || to > end) && ours.MatchString(text[from:to])
}

func inOwnText(b byte) bool {
	return plainLetter(rune(b)) || b == ':' || b == '.' || b == '-' || b == '+'
}
