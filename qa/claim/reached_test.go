package claim

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pattern/patterntest"
)

// samplesOfTerminals are texts that the classes find which code reads.
var samplesOfTerminals = map[string]string{
	"quote": `"Paid"`, "number": "3", "decimal": "3", "value": `"7"`, "path": "/orders", "amount": "3", "name": "Save", "proper": "Save", "quotes": `"Paid"`,
	"css": `".total"`, "bare": "h1", "pure": `".total"`, "placecss": `".total"`, "quotednumber": `"3"`, "ordinal": "3rd",
}

// speaker makes texts of the patterns of a language.
type speaker struct {
	grammar *grammar
	plain   map[string]string // of each class, the first text
}

func newSpeaker(g *grammar) *speaker {
	s := &speaker{g, maps.Clone(samplesOfTerminals)}
	for range 8 { // classes are made of classes
		for _, name := range slices.Sorted(maps.Keys(g.classes)) {
			for _, e := range g.classes[name] {
				if texts := s.texts(e.pattern); s.plain[name] == "" && len(texts) > 0 {
					s.plain[name] = texts[0]
				}
			}
		}
		if role := s.plain["role"]; role != "" {
			s.plain["base"] = role + ` "Save"`
			s.plain["sub"] = s.plain["base"]
		}
		for name, of := range map[string]string{"things": "sub", "states": "state"} {
			s.plain[name] = s.plain[of]
		}
		for name, of := range map[string]string{"quotedrole": "role", "quotednoun": "noun"} {
			if text := s.plain[of]; text != "" {
				s.plain[name] = `"` + text + `"`
			}
		}
	}
	return s
}

// texts returns the plainest text that a pattern fits, and one for each other way that
// it leaves open; none where a class of it has no text yet.
func (s *speaker) texts(n *node) []string {
	switch n.op {
	case opWord:
		return []string{n.text}
	case opMaybe:
		return append([]string{""}, s.texts(n.kids[0])...)
	case opAny:
		var out []string
		for _, k := range n.kids {
			out = append(out, s.texts(k)...)
		}
		return out
	case opClass:
		if text := s.plain[n.text]; text != "" {
			return []string{text}
		}
		return nil
	case opAll:
	}
	texts := []string{""}
	for _, k := range n.kids {
		own := s.texts(k)
		if len(own) == 0 {
			return nil
		}
		plain := texts[0]
		for i := range texts {
			texts[i] += " " + own[0]
		}
		for _, other := range own[1:] {
			texts = append(texts, plain+" "+other)
		}
	}
	return texts
}

// fits reports whether a pattern fits a whole text.
func (s *speaker) fits(n *node, text string) bool {
	whole := false
	joined := strings.ReplaceAll(strings.ReplaceAll(text, ` "Save" '`, "'"), " '", "'") // a quotation has no genitive
	for from, sentence := range []string{text, "x " + text, joined, "x " + joined, strings.ReplaceAll(text, " ", "")} {
		from %= 2 // a name is none where a sentence begins
		tokens, err := lex(sentence)
		if err != nil {
			continue
		}
		m := newMatcher(s.grammar, sentence, tokens)
		m.run(n, from, nil, func(end int, _ *captures) { whole = whole || end == len(m.tokens) })
	}
	return whole
}

// Issue 31, point 7: each entry of the tables can match: what it says word for word is
// read by it.
func TestEachEntryCanMatch(t *testing.T) {
	for _, g := range grammars() {
		s := newSpeaker(g)
		count := 0
		check := func(where string, n *node) {
			texts := s.texts(n)
			if len(texts) == 0 {
				t.Errorf("%s: %s has a class that nothing says", g.language.code, where)
			}
			for _, text := range texts {
				if text = strings.Join(strings.Fields(text), " "); text == "" {
					continue
				}
				if count++; !s.fits(n, text) {
					t.Errorf("%s: %s: %q is not read by it", g.language.code, where, text)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(g.classes)) {
			for _, e := range g.classes[name] {
				check("class "+name, e.pattern)
			}
		}
		for _, f := range g.forms {
			for _, p := range f.patterns {
				check("form "+f.name, p.whole)
			}
		}
		for _, a := range g.acts {
			for _, p := range a.patterns {
				check("act "+a.name, p)
			}
		}
		if count < 1000 {
			t.Errorf("%s: only %d texts", g.language.code, count)
		}
	}
}

// Each tag and each part of a selector is reached.
func TestEachSelectorIsReached(t *testing.T) { patterntest.Check(t, selectors) }
