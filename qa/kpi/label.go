package kpi

import (
	"strings"
	"unicode"
)

// normal is the form in which texts are compared: lower case, single spaces,
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

// dressing are words of ids that say what an element is, not what it shows.
var dressing = map[string]bool{"kpi": true, "kpis": true, "card": true, "value": true, "tile": true, "stat": true, "stats": true, "metric": true, "metrics": true, "widget": true,
	"box": true, "number": true, "figure": true, "val": true, "text": true, "label": true, "data": true, "cell": true}

// namesIt reports whether an id is about the label, such as
// kpi-card-conversion-rate.
func namesIt(id, label string) bool {
	if id == "" {
		return false
	}
	return strings.Join(undressed(words(id)), " ") == strings.Join(undressed(words(label)), " ")
}

func undressed(all []string) []string {
	var out []string
	for _, w := range all {
		if !dressing[w] {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// labelIn finds a label at the beginning of a text, such as "Revenue: $12": it
// returns what follows.
func labelIn(text, label string) (rest string, ok bool) {
	runes := []rune(strings.TrimSpace(string(normalise(text))))
	i := 0
	for i < len(runes) && !unicode.IsLetter(runes[i]) && !isDigit(runes[i]) { // what decorates it
		i++
	}
	for _, r := range normal(label) {
		for r == ' ' && i < len(runes) && isSpace(runes[i]) && isSpace(at(runes, i+1)) {
			i++
		}
		if i >= len(runes) || unicode.ToLower(runes[i]) != r && (r != ' ' || !isSpace(runes[i])) {
			return "", false
		}
		i++
	}
	if i < len(runes) && (unicode.IsLetter(runes[i]) || isDigit(runes[i])) {
		return "", false
	}
	return strings.TrimLeft(string(runes[i:]), ":：*·•=|–— "+string(nbsp)), true
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
