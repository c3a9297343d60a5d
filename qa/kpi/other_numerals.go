package kpi

import (
	"strings"
	"unicode"

	"github.com/assay-qa/assay/internal/pattern"
)

// romanNumeral is a Roman numeral of more than one letter, as they are written.
var romanNumeral = pattern.New(`^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$`)

// isOtherNumeral reports whether a text says a number in signs that are no digits:
// XII, ⑫, ¹², or those of a font's own.
func isOtherNumeral(text string) bool {
	signs, own := 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.No, unicode.Nl):
			signs++
		case unicode.Is(unicode.Co, r):
			own++
		case !isSpace(r):
			return len(text) > 1 && romanNumeral.MatchString(text)
		}
	}
	return signs > 0 || own > 1 // one alone is an icon
}

// isReel reports whether a text is the digits of a reel, which turns to one of them.
func isReel(text string) bool {
	digits := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	const turning = "01234567890123456789"
	at := strings.Index(turning, digits[:min(1, len(digits))])
	return len(digits) > 3 && at >= 0 && strings.HasPrefix(turning[at:], digits)
}

// inPieces says that digits of another element touch those of a figure on its line,
// so that a person reads both as one number. "" where none do.
func (p *Page) inPieces(figure int) string {
	t := p.Texts[figure]
	if p.closest(t.Box, isCell) >= 0 {
		return ""
	}
	for i, o := range p.Texts {
		if i == figure || o.Kind != "text" || o.Font == 0 || max(o.Font, t.Font) > 1.03*min(o.Font, t.Font) || gap(o.Y, o.H, t.Y, t.H) > 0 {
			continue
		}
		left, right := t, o
		if o.X < t.X {
			left, right = o, t
		}
		between := right.X - (left.X + left.W)
		if between > -1 && between < pieceGap*t.Font && endsInDigit(left.Text) && isDigitOfAny(firstRune(right.Text)) {
			return "digits of another element touch it"
		}
	}
	return ""
}

// besidePicture says that a picture of the size of digits touches those of a figure on its
// line: it may be one of them. "" where none does.
func (p *Page) besidePicture(figure int) string {
	t := p.Texts[figure]
	for _, o := range p.Texts {
		if t.Kind != "text" || o.Kind != "picture" || o.Why != "" || gap(o.Y, o.H, t.Y, t.H) > 0 || o.H < digitHeight*t.Font || o.W > pictureDigits*t.Font {
			continue
		}
		touches := gap(o.X, o.W, t.X, t.W) < pictureGap*t.Font
		if before := o.X+o.W/2 < t.X+t.W/2; touches && (before && isDigitOfAny(firstRune(t.Text)) || !before && endsInDigit(t.Text)) {
			return o.Doubt + " touches it, which may show a digit of it"
		}
	}
	return ""
}

// A picture may show digits of the figure that it touches from digitHeight on, and up to
// pictureDigits, as shares of its size; icons stand pictureGap apart, or further.
const (
	digitHeight   = 0.6
	pictureDigits = 4
	pictureGap    = 0.1
)

// pieceGap is how far two digits of one number may stand apart, as a share of their
// size; a space is wider.
const pieceGap = 0.2

func firstRune(text string) rune {
	for _, r := range strings.TrimSpace(text) {
		return r
	}
	return 0
}

func endsInDigit(text string) bool {
	runes := []rune(strings.TrimSpace(text))
	return isDigitOfAny(at(runes, len(runes)-1))
}
