package kpi

import (
	"slices"
	"strings"
	"unicode"
)

// normal returns the form in which texts are compared: lower case, single spaces,
// without what decorates a label.
func normal(text string) string {
	text = strings.ToLower(strings.Join(strings.FieldsFunc(string(normalise(text)), unicode.IsSpace), " "))
	return strings.TrimRight(strings.TrimLeft(text, "•·*‣▸› "), ":：*·• ")
}

// words splits a label or an id such as kpi-conversionRate into its words.
func words(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	var last rune
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '%':
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(last):
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		last = r
	}
	flush()
	return out
}

// idNamesLabel reports whether an id is about the label, such as
// kpi-card-conversion-rate.
func idNamesLabel(id, label string) bool {
	if id == "" {
		return false
	}
	return strings.Join(withoutGenericWords(words(id)), " ") == strings.Join(withoutGenericWords(words(label)), " ")
}

func withoutGenericWords(all []string) []string {
	var out []string
	for _, w := range all {
		if !figureWords.Has("generic-id", w) {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// labelIn finds a label at the beginning of a text, such as "Revenue: —": it
// returns what follows.
func labelIn(text, label string) (rest string, ok bool) {
	lead, rest, found := strings.Cut(strings.TrimSpace(string(normalise(text))), ":")
	if found && normal(lead) == normal(label) {
		return strings.TrimSpace(rest), true
	}
	if lower := strings.ToLower(lead); !found && strings.HasPrefix(lower, normal(label)+" ") {
		return strings.TrimSpace(lead[min(len(lead), len(normal(label))):]), true
	}
	return "", false
}

// isLabel reports whether a text is the whole label, up to case, what decorates
// it, and a bracketed suffix or a unit behind it. exact: it needs neither.
func (f *valueFinder) isLabel(text string) (is, exact bool) {
	if normal(text) == normal(f.label) {
		return true, true
	}
	have, want := words(string(normalise(text))), words(string(normalise(f.label)))
	if len(have) == 0 {
		return false, false
	}
	if slices.Equal(have, want) {
		return true, true
	}
	if ours, unit := f.withoutUnit(f.label); unit && slices.Equal(have, words(ours)) { // the oracle's own label names a unit
		return true, false
	}
	rest := text
	for range 2 {
		shorter, ok := f.withoutUnit(rest)
		if !ok {
			shorter, ok = withoutBrackets(rest)
		}
		if !ok {
			return false, false
		}
		if rest = shorter; slices.Equal(words(string(normalise(rest))), want) {
			return true, false
		}
	}
	return false, false
}

// withoutBrackets takes a bracketed suffix off a label.
func withoutBrackets(text string) (string, bool) {
	text = strings.TrimRight(strings.TrimSpace(string(normalise(text))), ":： *")
	open := strings.LastIndexAny(text, "([{")
	if open <= 0 || !strings.ContainsAny(text[len(text)-1:], ")]}") {
		return text, false
	}
	inner := strings.ToLower(strings.Trim(text[open:], "([{}]) "))
	first, _, _ := strings.Cut(inner, " ")
	if hasWord("per", first) || strings.HasPrefix(inner, "/") {
		return text, false
	}
	return strings.TrimSpace(text[:open]), true
}

// withoutUnit takes a currency, a share or another unit off the end of a label:
// Revenue, USD; Revenue in k€; Latency ms.
func (f *valueFinder) withoutUnit(text string) (string, bool) {
	text = strings.TrimRight(strings.TrimSpace(string(normalise(text))), ":： *")
	at := strings.LastIndexAny(text, " ,·"+string(nbsp))
	if at <= 0 {
		return text, false
	}
	word := strings.Trim(text[at:], " ,·()[]"+string(nbsp))
	bare := strings.TrimLeft(word, "kKM")
	_, money := currencyOf(word)
	if _, scaled := currencyOf(bare); bare != "" && scaled {
		money = true
	}
	_, share := units().shares[strings.ToLower(word)]
	if !money && !unitWord(strings.ToLower(word)) && (!share || f.unit != UnitPercent && f.unit != UnitRatio) {
		return text, false
	}
	rest := strings.TrimRight(text[:at], " ,·"+string(nbsp))
	return strings.TrimSuffix(strings.TrimSuffix(rest, " in"), " ("), rest != ""
}

// contains reports whether a short text has the label's words in a row: Total
// revenue (USD), Revenue today.
func contains(text, label string) bool {
	have, want := words(text), words(label)
	if len(want) == 0 || len(have) > len(want)+4 {
		return false
	}
	return hasWords(have, want)
}

func hasWords(have, want []string) bool {
	for i := 0; i+len(want) <= len(have); i++ {
		same := true
		for j := range want {
			same = same && have[i+j] == want[j]
		}
		if same && len(want) > 0 {
			return true
		}
	}
	return false
}
