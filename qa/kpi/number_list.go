package kpi

import (
	"fmt"
	"math/big"
)

// ReadList reads texts of one page, each as one number. ways are the ways to
// read them: one, or two where the texts and the writing of their language leave
// open whether 1,234 is a thousand or one. What shows no number is nil. doubt says
// why a number is undecided, "" where none is: a text has several, or only a bound
// such as 1,000+, or something that is not known.
func ReadList(texts []string, w Writing) (ways [][]*big.Rat, doubt string) {
	for _, l := range lexiconsOf(texts, w) {
		way := make([]*big.Rat, len(texts))
		for i, text := range texts {
			p := l.parse(text)
			if len(p.Readings) == 0 {
				continue
			}
			if way[i] = p.sure(); way[i] == nil {
				doubt = p.doubt()
			}
		}
		ways = append(ways, way)
	}
	if len(ways) == 2 && same(ways[0], ways[1]) {
		ways = ways[:1]
	}
	return ways, doubt
}

// sure returns the number of a text that says one, and nothing that leaves it
// open.
func (p Parsed) sure() *big.Rat {
	if n := p.Readings[0]; len(p.Rest) == 0 && !p.Ambiguous() && n.Bound == 0 && !n.Approx && len(p.glued)+len(p.vague) == 0 {
		return n.Value
	}
	return nil
}

// doubt says why a text tells no number for sure.
func (p Parsed) doubt() string {
	switch {
	case len(p.Rest) > 0:
		return fmt.Sprintf("%q has several numbers", p.Text)
	case p.Open != "":
		return fmt.Sprintf("%q is open: %s; %s", p.Text, p.Open, declareLocale)
	case len(p.glued) > 0:
		return fmt.Sprintf("%q is open: %q is no scale, currency or unit", p.Text, p.glued[0])
	case len(p.vague) > 0:
		return fmt.Sprintf("%q is open: what %q says of its number is not known", p.Text, p.vague[0])
	default:
		return fmt.Sprintf("%q tells no number for sure", p.Text)
	}
}

// lexiconsOf returns the ways in which the texts may be read: as their language
// writes; where none is declared, as one of the texts shows beyond doubt, or in
// both ways.
func lexiconsOf(texts []string, w Writing) []*lexicon {
	l := newLexicon(w)
	if l.point != 0 {
		return []*lexicon{l}
	}
	found := map[Convention]bool{}
	for _, text := range texts {
		if open := l.parse(text); len(open.Readings) == 1 {
			found[conventionShown(open)] = true
		}
	}
	with := func(point Convention) *lexicon {
		out := *l
		out.point = point
		return &out
	}
	switch {
	case found['.'] && !found[',']:
		return []*lexicon{with('.')}
	case found[','] && !found['.']:
		return []*lexicon{with(',')}
	default:
		return []*lexicon{with('.'), with(',')}
	}
}

// conventionShown returns how a text that leaves nothing open writes decimals; 0
// where it has neither decimals nor groups.
func conventionShown(p Parsed) Convention {
	point := unambiguousConvention(p.Text)
	switch {
	case !p.either: // the mark of $1,234 makes groups
		return point
	case point == ',':
		return '.'
	default:
		return ','
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
