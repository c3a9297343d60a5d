package kpi

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// affixes reads what stands around the digits of a number: sign, currency, scale,
// unit.
type affixes struct {
	*lexicon
	s          []rune
	start, end int

	name      bool // the digits are part of a name such as Q3
	negative  bool
	plus      bool
	approx    bool
	bound     rune // '<' or '>'
	trend     bool // an arrow stands before it
	aside     bool // it stands in brackets beside another text
	currency  string
	unit      string
	powers    []int    // of ten that a word stands for: one, or several where it is open
	scaleUnit string   // the unit that the word may be as well
	unread    []string // what stands right at it, and is no scale, currency or unit
	after_    string   // the next word
	word      string   // the word before
	by        string   // the word before that makes it no value
	fraction  *big.Rat // behind the digits
	whole     int      // -1: the digits are those of the fraction
	per       string   // what a rate counts by
	slashed   bool     // a slash stands behind it
	sided     bool     // CR or DR stands behind it, or an arrow down before it
}

func (f *affixes) scaled() bool { return len(f.powers) > 0 }

// readAround reads a scale with a word in front of the digits, such as elfu 1,2.
func (f *affixes) readAround() {
	for _, scale := range f.around {
		if f.scaled() {
			return
		}
		before, behind := []rune(scale.before), []rune(scale.behind)
		p := f.start
		if isSpace(at(f.s, p-1)) {
			p--
		}
		if p -= len(before); p < 0 || scaleKey(string(f.s[p:p+len(before)])) != scale.before || unicode.IsLetter(at(f.s, p-1)) {
			continue
		}
		end := f.end
		if len(behind) > 0 {
			if isSpace(at(f.s, end)) {
				end++
			}
			if end+len(behind) > len(f.s) || scaleKey(string(f.s[end:end+len(behind)])) != scale.behind {
				continue
			}
			end += len(behind)
		}
		f.start, f.end, f.powers = p, end, []int{scale.power}
		return
	}
}

// readPrefix reads sign and currency in front of the digits.
func (f *affixes) readPrefix() {
	signed := false
	for {
		p := f.start - 1
		r := at(f.s, p)
		spaced := isSpace(r)
		if spaced {
			p--
			r = at(f.s, p)
		}
		switch {
		case (r == '-' || r == '–' || r == '+' || r == '±' || r == '—' && !spaced) && !signed && (!spaced || p == 0 || isSpace(at(f.s, p-1)) && r == '-' && f.currency != ""):
			if before := at(f.s, p-1); before != 0 && !isSpace(before) && !strings.ContainsRune("(:▲▼△▽↑↓↗↘=", before) && !f.currencyEndsAt(p) {
				f.name = unicode.IsLetter(before) || isDigit(before)
				return
			}
			f.negative, f.plus, signed = r == '-' || r == '–' || r == '—', r == '+', true
			f.start = p
		case strings.ContainsRune("≈~∼<>≤≥", r) && r != 0:
			f.approx, f.start = true, p
			switch r {
			case '<', '≤':
				f.bound = '<'
			case '>', '≥':
				f.bound = '>'
			}
		case strings.ContainsRune("▲▼△▽↑↓↗↘⬆⬇", r) && r != 0:
			f.trend, f.start = true, p
			f.sided = !signed && strings.ContainsRune("▼▽↓↘⬇", r)
			return
		case r == '%' && f.unit == "" && !isDigit(lastSeen(f.s, p)): // %5
			f.unit, f.start = UnitPercent, p
		case f.currency == "" && f.takeCurrencyBefore(p+1, spaced):
		default:
			f.word = wordBefore(f.s, p+1)
			if f.word == "than" && p+1-len(f.word) > 0 { // more than 9,000
				f.approx, f.bound = true, '>'
				f.word = ""
			}
			f.negative = f.negative || figureWords.Has("minus", strings.ToLower(f.word))
			if !spaced && unicode.IsLetter(r) && f.takesName() {
				return
			}
			f.name = f.name || !spaced && (unicode.IsLetter(r) || r == '#' || r == '_' || r == '/')
			return
		}
	}
}

// readTouching takes a mark of decimals or groups right in front of the number that is
// no part of it as something that is not known: that of No.5 and of ...5.
func (f *affixes) readTouching() {
	if r := at(f.s, f.start-1); r != 0 && strings.ContainsRune(separators, r) {
		f.unread = append(f.unread, string(r))
	}
}

// readQuotes takes a quotation mark at the number that has no partner in the text as
// something that is not known: '26 is a year, and 5' and 5" are lengths.
func (f *affixes) readQuotes() {
	for _, side := range []struct {
		mark  rune
		other []rune
	}{{at(f.s, f.start-1), f.s[f.end:]}, {at(f.s, f.end), f.s[:f.start]}} {
		if (side.mark == '\'' || side.mark == '"') && !slices.Contains(side.other, side.mark) {
			f.unread = append(f.unread, string(side.mark))
		}
	}
}

// takesName takes letters right in front of an amount as something that is not
// known, such as RD in RD$1,234 and Lei in Lei1,234: a name such as Q3 or CO2 has
// no amount.
func (f *affixes) takesName() bool {
	digits := strings.TrimFunc(string(f.s[f.start:f.end]), func(r rune) bool { return !isDigit(r) })
	if f.currency == "" && (len(digits) < 3 || looksLikeDigits(f.word)) {
		return false
	}
	f.unread = append(f.unread, f.word)
	f.start -= len([]rune(f.word))
	return true
}

// currencyEndsAt reports whether a currency ends at i.
func (f *affixes) currencyEndsAt(i int) bool {
	probe := affixes{lexicon: f.lexicon, s: f.s, start: i}
	return probe.takeCurrencyBefore(i, false)
}

// takeCurrencyBefore takes the currency that ends at i.
func (f *affixes) takeCurrencyBefore(i int, _ bool) bool {
	for n := min(4, i); n > 0; n-- {
		word := string(f.s[i-n : i])
		code, ok := f.lexicon.currency(word)
		if !ok || unicode.IsLetter(f.s[i-n]) && unicode.IsLetter(at(f.s, i-n-1)) {
			continue
		}
		f.currency, f.start = code, i-n
		return true
	}
	return false
}

// exponent reads the power of a number such as 1.2e6.
func (f *affixes) exponent() int {
	i := f.end
	if r := at(f.s, i); r != 'e' && r != 'E' {
		return 0
	}
	i++
	sign := 1
	if r := at(f.s, i); r == '-' || r == '+' {
		if r == '-' {
			sign = -1
		}
		i++
	}
	n, digits := 0, 0
	for ; isDigit(at(f.s, i)) && digits < 3; i++ {
		n, digits = n*10+int(f.s[i]-'0'), digits+1
	}
	if digits == 0 || digits > 2 || unicode.IsLetter(at(f.s, i)) || isDigit(at(f.s, i)) {
		return 0
	}
	f.end = i
	return sign * n
}

// readSuffix reads scale, currency and unit behind the digits.
func (f *affixes) readSuffix() {
	for range 4 {
		i := f.end
		spaced := isSpace(at(f.s, i))
		if spaced {
			i++
		}
		word := wordAfter(f.s, i)
		sign := 0
		if f.currency == "" {
			sign = f.moneySign(f.s, i)
		}
		switch {
		case sign > 0 && !isDigit(at(f.s, i+sign)):
			f.currency, _ = f.lexicon.currency(string(f.s[i : i+sign]))
			f.end = i + sign
		case word == "":
			if !f.takeSign(i, spaced) {
				return
			}
		case !f.takeWord(word, i, spaced):
			return
		}
	}
}

// takeSign takes a sign that is no letter.
func (f *affixes) takeSign(i int, spaced bool) bool {
	r := at(f.s, i)
	if r == 0 {
		return false
	}
	if rest := strings.ToLower(string(f.s[i:min(len(f.s), i+8)])); f.unit == "" && strings.HasPrefix(rest, "%-punkte") {
		f.unit, f.end = UnitPoints, i+8
		return true
	}
	if unit, ok := units().shares[string(r)]; ok && f.unit == "" {
		f.unit, f.end = unit, i+1
		return true
	}
	switch {
	case r == '+' && !spaced && !isDigit(at(f.s, i+1)):
		f.approx, f.bound, f.end = true, '>', i+1
	case r == '-' && !spaced && !f.negative && (i+1 == len(f.s) || isSpace(at(f.s, i+1)) && f.currencyBeginsAt(i+2)):
		f.negative, f.end = true, i+1 // 1.234,56- as ledgers write it
	default:
		return false
	}
	return true
}

// currencyBeginsAt reports whether a currency begins at i and ends the text.
func (f *affixes) currencyBeginsAt(i int) bool {
	if i >= len(f.s) {
		return false
	}
	_, ok := f.lexicon.currency(strings.TrimSpace(string(f.s[i:])))
	return ok
}

// takeWord takes a word behind the number, if it belongs to it.
func (f *affixes) takeWord(word string, i int, spaced bool) bool {
	length := len([]rune(word))
	if (word == "CR" || word == "DR") && f.currency != "INR" && !f.scaled() { // credit and debit; crores of other money are written Cr
		f.sided, f.end = true, i+length
		return false
	}
	if f.takeScale(i) {
		return true
	}
	if unit, end := f.sharePhrase(word, i); unit != "" && f.unit == "" {
		f.unit, f.end = unit, end
		return true
	}
	if f.does(word, besidePoint) && (f.unit == "" || f.unit == UnitPercent) && f.currency == "" && !f.scaled() {
		f.unit, f.end = map[string]string{"": UnitAnyPoints, UnitPercent: UnitPoints}[f.unit], i+length
		return true
	}
	for _, w := range []string{word, strings.TrimSuffix(word, ".")} {
		n := len([]rune(w))
		if code, ok := f.lexicon.currency(w); ok && f.currency == "" {
			f.currency, f.end = code, i+n
			return true
		}
		if unit, ok := units().shares[strings.ToLower(w)]; ok && f.unit == "" {
			f.unit, f.end = unit, i+n
			return true
		}
	}
	if code, ok := f.lexicon.currency(string(f.s[i])); ok && f.currency == "" && f.s[i] > 0x2E80 { // 1.2万円
		f.currency, f.end = code, i+1
		return true
	}
	f.after_ = word
	if !spaced && f.unit == "" && f.s[i] != '.' {
		f.unit, f.end = word, i+length // 12h, 3x
		if !isUnit(word) {
			f.unread = append(f.unread, word)
		}
	}
	return false
}

// sharePhrase reads two words for a part of a whole that begin at i, such as per
// cent, and returns its unit and where they end.
func (f *affixes) sharePhrase(word string, i int) (unit string, end int) {
	second, end := f.wordAt(i + len([]rune(word)))
	unit = units().shares[strings.ToLower(word+" "+strings.TrimSuffix(second, "."))]
	return unit, end
}

// takeScale takes a word for a power of ten. A letter that is a unit as well, as t
// is in Danish, may be either, but for money.
func (f *affixes) takeScale(i int) bool {
	if f.scaled() || f.unit != "" {
		return false
	}
	powers, end := f.scale(f.s, i, f.currency != "")
	if len(powers) == 0 {
		return false
	}
	if word := string(f.s[i:end]); (end == i+1 || f.lang == "") && unitWord(strings.TrimSuffix(word, ".")) && f.currency == "" && !f.moneyAt(f.s, end) {
		f.scaleUnit = strings.TrimSuffix(word, ".")
	}
	f.powers, f.end = powers, end
	return true
}

// readBrackets reads what brackets around the number say: (1,200) alone is a
// negative amount, and beside another text an aside.
func (f *affixes) readBrackets() {
	open, end := f.start-1, f.end
	if at(f.s, open) != '(' || at(f.s, end) != ')' {
		return
	}
	lead := strings.TrimSpace(string(f.s[:open]))
	tail := strings.TrimSpace(string(f.s[end+1:]))
	code, leadMoney := f.lexicon.currency(lead)
	if !leadMoney && lead != "" {
		if tail == "" && strings.HasSuffix(lead, ":") { // Refunds: (1,200)
			f.negative, f.start, f.end = true, open, end+1
			return
		}
		f.aside = true
		return
	}
	if leadMoney && f.currency == "" {
		f.currency = code
	}
	if code, ok := f.lexicon.currency(tail); ok && f.currency == "" {
		f.currency, tail = code, ""
	}
	if tail != "" {
		f.aside = true
		return
	}
	f.negative = true
	f.start, f.end = 0, len(f.s)
}

// isDate recognises 21 Nov, Nov 21 and Nov 21, 2026.
func (f *affixes) isDate(core []rune) bool {
	if len(core) > 4 || strings.ContainsAny(string(core), ".,'") || f.currency != "" || f.scaled() {
		return false
	}
	if at(f.s, f.end) == '.' { // 21. November
		if month, _ := f.wordAt(f.end + 1); f.isMonth(month) {
			return true
		}
	}
	return f.isMonth(f.word) && !f.isSpanOfPeriod() || f.isMonth(f.after_) && !f.isSpan(f.after_) || f.isMonth(f.unit) || f.does(f.after_, besideWhole) && f.isMonth(f.secondWord()) || f.isDayOfMonth()
}

// isDayOfMonth reports whether what stands behind the number is what the language writes
// behind that of a day, and takes the number of the month.
func (f *affixes) isDayOfMonth() bool {
	for _, day := range f.days {
		head, named := strings.CutSuffix(day, "{m}")
		lead := normalise(strings.TrimSpace(strings.TrimSuffix(head, "#")))
		i := f.end
		for isSpace(at(f.s, i)) {
			i++
		}
		if end := i + len(lead); end > len(f.s) || strings.ToLower(string(f.s[i:end])) != string(lead) {
			continue
		}
		month, _ := f.wordAt(i + len(lead))
		for i += len(lead); isSpace(at(f.s, i)); i++ {
		}
		if named && f.isMonth(month) {
			return true
		}
		if !named && isDigit(at(f.s, i)) {
			f.end = coreEnd(f.s, i)
			return true
		}
	}
	return false
}

// isSpanOfPeriod reports whether the word before is that of a span, said of when by one
// before it: in some languages month is a word of each of their names.
func (f *affixes) isSpanOfPeriod() bool {
	before := strings.TrimRightFunc(string(f.s[:f.start]), func(r rune) bool { return r == ' ' || r == nbsp })
	lead := []rune(strings.TrimSpace(strings.TrimSuffix(before, f.word)))
	return f.isSpan(f.word) && isIn(f.times().parts, wordBefore(lead, len(lead)))
}

// likelihood reports how likely it is that the text is about this number.
func (f *affixes) likelihood() int {
	switch {
	case f.trend, f.aside, f.plus && (f.unit == UnitPercent || f.unit == UnitPoints):
		return rankTrend
	case f.does(f.word, besideThan|besideGoal|besideWhole|besideWay), hasWord("lasting", f.word):
		f.by = f.word
		return rankTrend
	case strings.EqualFold(f.after_, "ago"):
		return rankTrend
	case f.isSpanned():
		return rankWorded
	default:
		return rankValue
	}
}

// paysNoThousandths reports whether three digits behind a mark are no decimals, since
// the money has none: a price per unit and what a word scales have some.
func (f *affixes) paysNoThousandths() bool {
	return f.currency != "" && !f.scaled() && !slices.Contains(units().fine, f.currency) && !f.slashed
}

// isSpanned reports whether the number counts days, hours and the like.
func (f *affixes) isSpanned() bool {
	return f.isSpan(f.after_) || f.isSpan(f.unit) || f.isSpan(f.scaleUnit) || f.after_ != "" && f.isSpan(f.secondWord())
}

// secondWord returns the second word behind the number.
func (f *affixes) secondWord() string {
	_, end := f.wordAt(f.end)
	word, _ := f.wordAt(end)
	return word
}

// wordAt returns the word that begins at i or behind a space there, and its end.
func (f *affixes) wordAt(i int) (word string, end int) {
	for isSpace(at(f.s, i)) {
		i++
	}
	word = wordAfter(f.s, i)
	return word, i + len([]rune(word))
}

// readRate reads what a rate counts by: /h, per hour, km/h.
func (f *affixes) readRate() {
	f.slashed = at(f.s, f.end) == '/' || at(f.s, f.end+1) == '/'
	i, noun := f.end, ""
	if word, end := f.wordAt(i); unitWord(strings.ToLower(word)) && at(f.s, end) == '/' {
		i, noun = end, word
	}
	for isSpace(at(f.s, i)) {
		i++
	}
	word, next := f.wordAt(i)
	switch {
	case at(f.s, i) == '/':
		next = i + 1
	case noun == "" && f.does(word, besidePer):
	default:
		return
	}
	by, end := f.wordAt(next)
	if r := at(f.s, end); by == "" || at(f.s, i) != '/' && isIn(f.times().parts, by) || isDigitOfAny(r) || r == '/' || r == '^' || f.unit == "" && len(f.scaleBy(next)) > 0 {
		return
	}
	f.per, f.end = strings.ToLower(strings.TrimSuffix(by, ".")), end
	if noun != "" {
		f.after_ = noun
	}
}

// scaleBy returns the powers of ten that a word behind i stands for: five per
// thousand is no rate.
func (f *affixes) scaleBy(i int) []int {
	for isSpace(at(f.s, i)) {
		i++
	}
	powers, _ := f.scale(f.s, i, false)
	if letters(wordAfter(f.s, i)) < 3 { // /m and /t are units
		return nil
	}
	return powers
}

// wordBehind returns the word behind the number, which may be its unit.
func (f *affixes) wordBehind() string {
	return strings.ToLower(strings.TrimSuffix(f.after_, "."))
}

// numbers returns the readings of the digits within the frame.
func (f *affixes) numbers(core digitsReading, exponent int) []Number {
	reading := func(power int, unit string) Number {
		factor := pow10(power + exponent)
		n := Number{Value: times(core.value, factor), Step: times(core.step, factor), Currency: f.currency,
			Unit: unit, Word: f.wordBehind(), Per: f.per, Short: power > 0, Approx: f.approx, Bound: f.bound}
		if f.negative {
			n.Value = new(big.Rat).Neg(n.Value)
		}
		return n
	}
	if f.sided { // which side is negative, the page does not say
		n := reading(0, f.unit)
		other := n
		other.Value = new(big.Rat).Neg(n.Value)
		return []Number{n, other}
	}
	if !f.scaled() {
		return []Number{reading(0, f.unit)}
	}
	var out []Number
	if f.scaleUnit != "" {
		out = append(out, reading(0, f.scaleUnit))
	}
	for _, power := range f.powers {
		out = append(out, reading(power, f.unit))
	}
	return out
}
