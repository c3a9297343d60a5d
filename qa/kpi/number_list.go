package kpi

import (
	"fmt"
	"math/big"
)

// ReadList reads texts of one page, each as one number. ways are the ways to
// read them: one, or two where the texts and lang (the document's language, ""
// for none) leave open whether 1,234 is a thousand or one. What shows no number
// is nil. doubt says why a number is undecided, "" where none is: a text has
// several, or only a bound such as 1,000+.
func ReadList(texts []string, lang string) (ways [][]*big.Rat, doubt string) {
	for _, c := range conventionsOf(texts, lang) {
		way := make([]*big.Rat, len(texts))
		for i, text := range texts {
			p := Parse(text, c)
			switch {
			case len(p.Readings) == 0:
			case len(p.Rest) > 0:
				doubt = fmt.Sprintf("%q has several numbers", text)
			case len(p.Readings) > 1 || p.Readings[0].Bound != 0 || p.Readings[0].Approx:
				doubt = fmt.Sprintf("%q tells no number for sure", text)
			default:
				way[i] = p.Readings[0].Value
			}
		}
		ways = append(ways, way)
	}
	if len(ways) == 2 && same(ways[0], ways[1]) {
		ways = ways[:1]
	}
	return ways, doubt
}

// conventionsOf returns the ways in which decimals may be written: as one of the
// texts shows beyond doubt, or else as the language does, or both.
func conventionsOf(texts []string, lang string) []Convention {
	found := map[Convention]bool{}
	for _, text := range texts {
		if open := Parse(text, 0); len(open.Readings) == 1 {
			found[unambiguousConvention(text)] = true
		}
	}
	switch {
	case found['.'] && !found[',']:
		return []Convention{'.'}
	case found[','] && !found['.']:
		return []Convention{','}
	case !found[','] && ConventionOf(lang) != 0:
		return []Convention{ConventionOf(lang)}
	default:
		return []Convention{'.', ','}
	}
}

func same(a, b []*big.Rat) bool {
	for i := range a {
		if (a[i] == nil) != (b[i] == nil) || a[i] != nil && a[i].Cmp(b[i]) != 0 {
			return false
		}
	}
	return true
}
