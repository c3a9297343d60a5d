package claim

import (
	"reflect"
	"slices"
	"unicode/utf8"
)

// Parse reads a sentence as one or more claims, all of which must hold, or says
// why it can't be read. It takes time in proportion to the sentence's length, and
// reads none that is longer than 2,000 characters.
func Parse(sentence string) ([]Claim, *Unread) {
	if utf8.RuneCountInString(sentence) > maxSentence {
		return nil, unread("the sentence is longer than 2,000 characters: write several expectations", nil, sentence)
	}
	if !utf8.ValidString(sentence) {
		return nil, unread("the sentence is not valid UTF-8", nil, sentence)
	}
	tokens, err := lex(sentence)
	if err != nil {
		u := unread(err.Error(), tokens, sentence)
		u.Quotation = true
		return nil, u
	}
	var read [][]Claim
	for _, g := range grammars() {
		m := newMatcher(g, sentence, tokens)
		if m.hasUnknownWord() {
			continue
		}
		all := m.sentences()
		if m.overBudget() {
			return nil, unread("the sentence says too much at once: write several expectations", tokens, sentence)
		}
		for _, claims := range all {
			if !slices.ContainsFunc(read, func(r []Claim) bool { return sameClaims(r, claims) }) {
				read = append(read, claims)
			}
		}
	}
	switch {
	case len(read) == 0:
		return nil, unread(unsupportedReason(tokens, sentence), tokens, sentence)
	case len(read) > 1:
		return nil, unread("the sentence can be read in several ways: "+describe(read[0])+", or: "+describe(read[1]), tokens, sentence)
	}
	for i, a := range read[0] {
		for _, b := range read[0][:i] {
			if Contradicts(a, b) {
				return nil, unread("the sentence contradicts itself: "+b.String()+", and: "+a.String(), tokens, sentence)
			}
		}
	}
	return read[0], nil
}

// sameClaims reports whether two readings demand the same, whatever form and
// language they were read by.
func sameClaims(a, b []Claim) bool {
	return slices.EqualFunc(a, b, func(a, b Claim) bool {
		a.Form, a.Language, b.Form, b.Language = "", "", "", ""
		if len(a.Alike) == 0 && len(b.Alike) == 0 {
			a.Alike, b.Alike = nil, nil
		}
		return reflect.DeepEqual(a, b)
	})
}

// withoutRepeats returns claims with each demand once: "greyed out and not clickable"
// says one thing in two ways.
func withoutRepeats(claims []Claim) []Claim {
	var out []Claim
	for _, c := range claims {
		if !slices.ContainsFunc(out, func(o Claim) bool { return sameClaims([]Claim{o}, []Claim{c}) }) {
			out = append(out, c)
		}
	}
	return out
}

// clause holds a reading of some tokens as one form.
type clause struct {
	end    int
	claims []Claim
	head   *node // the class it began with
	about  any   // and its value
	denies bool
}

// maxClauses bounds the clauses of a sentence, and its readings.
const maxClauses = 12

// sentences finds all readings of all tokens.
func (m *matcher) sentences() [][]Claim {
	var out [][]Claim
	m.run(&node{op: opMaybe, kids: []*node{{op: opClass, text: "intro"}}}, 0, nil, func(i int, _ *captures) {
		for _, c := range m.clauses(i, nil) {
			m.follow(c, c.claims, 1, &out)
		}
	})
	return out
}

// follow reads what comes after a clause: the end, or another clause.
func (m *matcher) follow(c clause, claims []Claim, depth int, out *[][]Claim) {
	if m.overBudget() || len(*out) > maxClauses {
		return
	}
	end := c.end
	for _, p := range append(m.class("end", end), part{end: end}) {
		if p.end == len(m.tokens) {
			claims := withoutRepeats(claims)
			if m.covers(claims) && !slices.ContainsFunc(*out, func(r []Claim) bool { return sameClaims(r, claims) }) {
				*out = append(*out, claims)
			}
			break
		}
	}
	if depth == maxClauses {
		return
	}
	for _, and := range m.class("then", end) {
		before := c
		before.denies = c.denies && and.value != "but"
		for _, next := range m.clauses(and.end, &before) {
			m.follow(next, append(slices.Clip(claims), next.claims...), depth+1, out)
		}
	}
}

// clauses finds the readings of what begins at i. before is the clause before it,
// whose subject it may go on about.
func (m *matcher) clauses(i int, before *clause) []clause {
	var out []clause
	add := func(f compiledForm, c *captures, end int, head *node) {
		claims, ok := f.build(c)
		if !ok || len(claims) == 0 {
			return
		}
		next := clause{end: end, claims: m.withForm(f.name, claims), head: head, denies: c.denials() > 0}
		if head != nil && head.as != "" {
			next.about = c.get(head.as)
		}
		if !slices.ContainsFunc(out, func(o clause) bool { return o.end == end && sameClaims(o.claims, claims) && sameHead(o.head, head) }) {
			out = append(out, next)
		}
	}
	for _, f := range m.grammar.forms {
		for _, p := range f.patterns {
			m.run(p.whole, i, nil, func(end int, c *captures) { add(f, c, end, p.head) })
			if before == nil || !p.continues(before.head) {
				continue
			}
			var said *captures
			if p.head.as != "" {
				said = &captures{p.head.as, before.about, nil}
			}
			again := &node{op: opAll, kids: []*node{{op: opMaybe, kids: []*node{{op: opClass, text: "it"}}}, p.rest}}
			m.run(again, i, said, func(end int, c *captures) {
				if !before.denies || c.denials() > 0 { // "does not show A and show B" shows neither
					add(f, c, end, p.head)
				}
			})
		}
	}
	return out
}

func (m *matcher) withForm(form string, claims []Claim) []Claim {
	out := slices.Clone(claims)
	for i := range out {
		out[i].Form, out[i].Language = form, m.grammar.language.code
		if len(out[i].Alike) == 0 {
			out[i].Alike = nil
		}
	}
	return out
}

func sameHead(a, b *node) bool { return (a == nil) == (b == nil) && (a == nil || a.text == b.text) }

// sharedHeads lists the classes that a clause may begin with and the next one leave out:
// those that mean the same have one value.
var sharedHeads = map[string]string{"things": "element", "sub": "element", "page": "page", "user": "user", "address": "address", "console": "console"}

// continues reports whether a pattern may go on about what another clause began
// with.
func (p compiledPattern) continues(head *node) bool {
	return p.head != nil && head != nil && sharedHeads[p.head.text] != "" && sharedHeads[p.head.text] == sharedHeads[head.text]
}
