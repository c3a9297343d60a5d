package seen

import (
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

// Gap describes what stands between a piece of text and the one before it.
type Gap int

// The gaps: none within one run; a soft one between elements side by side,
// which people read with or without a space; a break between blocks and lines.
const (
	NoGap Gap = iota
	SoftGap
	Break
)

// Piece describes a run of text that one node, control or pseudo-element paints.
type Piece struct {
	Text  string // as the document has it
	Shown string // as text-transform paints it; empty when it is the same
	Gap   Gap    // before it
	Apart bool   // a soft gap before it is wide enough to be seen
	Why   string // why it is invisible, by its styles alone; empty when they don't hide it
}

// Span bounds a stretch of a piece, in UTF-16 units of its text.
type Span struct{ Piece, From, To int }

// unit holds one letter as texts are compared, or a gap.
type unit struct {
	text            string // " " for white space; empty for a soft gap
	piece, from, to int
	apart           bool // of a soft gap: it is seen
}

// Text holds the pieces as a person reads them, for search.
type Text struct{ forms [2][]unit }

// Compose joins the pieces for which use holds.
func Compose(pieces []Piece, use func(i int) bool) Text {
	var t Text
	for form := range t.forms {
		units := make([]unit, 0, 64)
		for i, p := range pieces {
			if !use(i) {
				continue
			}
			switch p.Gap {
			case Break:
				units = append(units, unit{text: " ", piece: i})
			case SoftGap:
				units = append(units, unit{piece: i, apart: p.Apart})
			}
			text := p.Text
			if form == 1 && p.Shown != "" {
				text = p.Shown
			}
			units = appendLetters(units, text, i)
		}
		t.forms[form] = squeezed(units)
	}
	return t
}

// Normal returns a text in the form in which texts are compared: NFC, one space for
// any white space, plain dashes and quotes, ligatures and other widths as the letters that
// they stand for, without invisible characters.
func Normal(s string) string {
	var b strings.Builder
	for _, u := range squeezed(appendLetters(nil, s, 0)) {
		b.WriteString(u.text)
	}
	return b.String()
}

// appendLetters reads a text letter by letter: a base with its marks is one.
func appendLetters(units []unit, s string, piece int) []unit {
	s = strings.ToValidUTF8(s, "\uFFFD")
	at := 0
	for i := 0; i < len(s); {
		cluster, width := 0, 0
		for j, r := range s[i:] {
			if j > 0 && !unicode.Is(unicode.M, r) && !isVoicing(r) {
				break
			}
			cluster, width = j+len(string(r)), width+max(1, utf16.RuneLen(r))
		}
		for _, text := range letters(s[i : i+cluster]) {
			units = append(units, unit{text: text, piece: piece, from: at, to: at + width})
		}
		i, at = i+cluster, at+width
	}
	return units
}

// letters returns how one sign is compared: as one letter, as several where it stands for
// several, as none where it is invisible.
func letters(cluster string) []string {
	first := []rune(cluster)[0]
	if plain, ok := signs[first]; ok && len(plain) > 1 {
		return strings.Split(plain, "")
	}
	if !isPresentationForm(first) {
		if text := letter(cluster); text != "" {
			return []string{text}
		}
		return nil
	}
	var out []string
	for _, r := range norm.NFKC.String(cluster) {
		switch text := letter(string(r)); {
		case unicode.Is(unicode.M, r) && len(out) > 0:
			out[len(out)-1] = norm.NFC.String(out[len(out)-1] + string(r))
		case text != "":
			out = append(out, text)
		}
	}
	return out
}

// isPresentationForm reports whether a sign only draws others in another way: ligatures,
// the shapes of Arabic and Hebrew letters, full and half width. Other forms that
// compatibility decomposition takes apart say something else: 10² is not 102.
func isPresentationForm(r rune) bool {
	return r >= 0xfb00 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefe || r >= 0xff01 && r <= 0xffee
}

// isVoicing reports whether a sign changes the half-width kana before it.
func isVoicing(r rune) bool { return r == 0xff9e || r == 0xff9f }

// letter returns how one letter is compared; empty for what is invisible.
func letter(cluster string) string {
	r := []rune(cluster)[0]
	switch {
	case unicode.IsSpace(r):
		return " "
	case ignored(r):
		return ""
	}
	if plain, ok := signs[r]; ok {
		return plain
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if ignored(r) {
			return -1
		}
		return r
	}, cluster))
}

// ignored lists characters that paint nothing, and glyphs of icon fonts.
func ignored(r rune) bool {
	switch {
	case r == 0xad, r == 0x61c, r == 0x180e, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r == 0xfeff, r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Co, r) || r < 0x20
}

// signs lists typographic forms of plain ones.
var signs = map[rune]string{
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '―': "-", '−': "-", '﹣': "-", '－': "-",
	'‘': "'", '’': "'", '‚': "'", '‛': "'", 'ʼ': "'", '′': "'", '´': "'", '`': "'",
	'“': `"`, '”': `"`, '„': `"`, '‟': `"`, '″': `"`, '«': `"`, '»': `"`,
	'…': "...", '⁄': "/", '∕': "/",
}

// squeezed leaves one gap where several follow each other, and none at the ends.
func squeezed(units []unit) []unit {
	out := units[:0]
	for _, u := range units {
		gap := u.text == "" || u.text == " "
		switch {
		case !gap:
			out = append(out, u)
		case len(out) == 0:
		case out[len(out)-1].text == "":
			out[len(out)-1].text, out[len(out)-1].apart = u.text, out[len(out)-1].apart || u.apart
		case out[len(out)-1].text != " ":
			out = append(out, u)
		}
	}
	if n := len(out); n > 0 && (out[n-1].text == "" || out[n-1].text == " ") {
		out = out[:n-1]
	}
	return out
}

// String returns the text as painted, soft gaps left out where letters meet.
func (t Text) String() string {
	var b strings.Builder
	for _, u := range t.forms[1] {
		if u.text == "" {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(u.text)
	}
	return b.String()
}

// maxFinds bounds the places of a text that are returned.
const maxFinds = 20

// Find lists where wanted stands, each place as the stretches of pieces that
// make it up; the first 20 places. whole: only as the whole text.
func (t Text) Find(wanted string, whole bool) [][]Span {
	letters := squeezed(appendLetters(nil, wanted, 0))
	var out [][]Span
	for form, units := range t.forms {
		if form == 1 && len(out) > 0 {
			break // as the document has it is as good as as painted
		}
		for start := range units {
			if whole && start > 0 || len(out) == maxFinds {
				break
			}
			if end, ok := match(units[start:], letters); ok && (!whole || start+end == len(units)) {
				out = append(out, spans(units[start:start+end]))
			}
		}
	}
	if len(letters) == 0 && whole && len(t.forms[0]) == 0 {
		return [][]Span{{}}
	}
	return out
}

// match reads letters at the beginning of units, and returns how many they take.
func match(units, letters []unit) (int, bool) {
	if len(letters) == 0 || len(units) == 0 || units[0].text == "" {
		return 0, false
	}
	i := 0
	for _, l := range letters {
		if i < len(units) && units[i].text == "" && l.text != " " {
			i++ // side by side, read without a space
		}
		if i == len(units) || units[i].text != l.text && (units[i].text != "" || l.text != " ") {
			return 0, false
		}
		i++
	}
	return i, true
}

// spans returns the stretches of pieces that a run of units covers.
func spans(units []unit) []Span {
	var out []Span
	for _, u := range units {
		if u.text == "" || u.text == " " {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Piece == u.piece {
			out[n-1].To = u.to
			continue
		}
		out = append(out, Span{u.piece, u.from, u.to})
	}
	return out
}
