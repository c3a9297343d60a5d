package claim

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// unread explains why a sentence was not read, with what to write instead: the
// form whose example shares most words with it, in its own language and filled
// with what it quotes, and that form's assertion.
func unread(why string, tokens []token, sentence string) *Unread {
	g := languageOf(tokens)
	nearest := g.nearest(tokens, sentence)
	u := &Unread{Why: why, Nearest: nearest, Assertion: generalAssertion}
	if len(sentence) == 0 {
		u.Why = "the sentence is empty"
	}
	if claims := readExample(g, nearest); len(claims) > 0 {
		u.Assertion = claims[len(claims)-1].TOML() // what is presumed comes first
	}
	return u
}

const generalAssertion = `selector = 'button "Save"', assertion = { type = "visible" }`

// languageOf returns the language that knows most of a sentence's words.
func languageOf(tokens []token) *grammar {
	all := grammars()
	best, bestScore := all[0], -1
	for _, g := range all {
		score := 0
		for _, t := range g.language.split(tokens) {
			if t.kind == word && g.vocabulary[t.low] {
				score++
			}
		}
		if score > bestScore {
			best, bestScore = g, score
		}
	}
	return best
}

// nearest returns the example that shares most words with a sentence, with the
// quotations, numbers and addresses of the sentence in it. It prefers one that has a place
// for each of its quotations.
func (g *grammar) nearest(tokens []token, sentence string) string {
	have, quotes := map[string]bool{}, 0
	for _, t := range g.language.split(tokens) {
		have[comparedForm(t)] = true
		if t.kind == quote {
			quotes++
		}
	}
	best := slices.Clone(g.samples)
	score := func(f sampleOf) float64 {
		if f.quotes == quotes {
			return likeness(have, f.tokens) + takesAllQuotes
		}
		return likeness(have, f.tokens)
	}
	sort.SliceStable(best, func(i, j int) bool { return score(best[i]) > score(best[j]) })
	for _, f := range best[:min(len(best), 2)] {
		if filled := filledWith(f.text, f.tokens, tokens, sentence); len(readExample(g, filled)) > 0 {
			return filled
		}
	}
	return best[0].text
}

// sampleOf holds the example of a form, split into tokens.
type sampleOf struct {
	text   string
	tokens []token
	quotes int
}

// samplesOf returns the examples of a language, and its hints.
func samplesOf(l *language) (out []sampleOf) {
	texts := slices.Clone(l.hints)
	for _, f := range l.forms {
		texts = append(texts, f.example)
	}
	for _, text := range texts {
		tokens, err := lex(text)
		if err != nil {
			continue // TestForms refuses it
		}
		out = append(out, sampleOf{text, tokens, len(Quotes(text))})
	}
	return out
}

// takesAllQuotes weighs that an example has a place for each quotation of a sentence.
const takesAllQuotes = 0.15

// likeness returns how much of an example a sentence has, from 0 to 1.
func likeness(have map[string]bool, sample []token) float64 {
	shared, size := 0.0, 0.0
	for _, t := range sample {
		weight := 1.0
		if t.kind != word || len(t.low) <= 3 && !isSpacelessScript([]rune(t.low)[0]) {
			weight = 0.3
		}
		size += weight
		if have[comparedForm(t)] {
			shared += weight
		}
	}
	return shared / (size + 2)
}

// filledWith returns an example with the quotations, numbers and addresses of a sentence
// in the place of its own, in their order, as far as the sentence has them.
func filledWith(example string, sample, tokens []token, sentence string) string {
	own := map[kind][]string{}
	for _, t := range tokens {
		if t.kind == quote && strings.TrimSpace(t.orig) != "" || t.kind == number || t.kind == location {
			own[t.kind] = append(own[t.kind], sentence[t.from:t.to])
		}
	}
	var out strings.Builder
	at := 0
	for _, t := range sample {
		if words := own[t.kind]; len(words) > 0 {
			out.WriteString(example[at:t.from] + words[0])
			own[t.kind], at = words[1:], t.to
		}
	}
	return out.String() + example[at:]
}

// comparedForm returns what counts of a token when sentences are compared.
func comparedForm(t token) string {
	if t.kind == word {
		return t.low
	}
	return fmt.Sprint("kind ", t.kind)
}

func readExample(g *grammar, example string) []Claim {
	tokens, err := lex(example)
	if err != nil {
		return nil
	}
	m := newMatcher(g, example, tokens)
	if all := m.sentences(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// TOML returns the claim as the assertion of an expectation, with its selector.
func (c Claim) TOML() string {
	fields := []string{"type = " + tomlText(c.Type)}
	if c.Not {
		fields = append(fields, "not = true")
	}
	for _, f := range []struct{ key, value string }{{"expected", c.Expected}, {"attribute", c.Attribute}, {"url", c.URL}, {"op", c.Op}} {
		if f.value != "" {
			fields = append(fields, f.key+" = "+tomlText(f.value))
		}
	}
	out := "assertion = { " + strings.Join(fields, ", ") + " }"
	if c.Selector != "" {
		out = "selector = " + tomlText(c.Selector) + ", " + out
	}
	return out
}

// tomlText returns a string of TOML, literal where that can hold it.
func tomlText(s string) string {
	if strings.ContainsRune(s, '"') && !strings.ContainsAny(s, "'\n\r\t") {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// unreadable lists the kinds of words that no form has a place for, with the reason. A
// language's class of that name has the words.
var unreadable = []struct{ kind, why string }{
	{"condition", "it is a condition: say what must hold now, and put what comes before it into a step"},
	{"choice", "it leaves a choice: say the one thing that must hold"},
	{"hedge", "it hedges: say exactly what must hold"},
	{"vague", "it does not say what is seen: name the text, the element or the state"},
}

// unsupportedReason names what keeps a sentence from being read, where that is known.
func unsupportedReason(tokens []token, sentence string) string {
	m := newMatcher(languageOf(tokens), sentence, tokens)
	for _, u := range unreadable {
		for i := range m.tokens {
			for _, p := range m.class("unreadable", i) {
				if p.value == u.kind {
					return fmt.Sprintf("no form has a place for %q: %s", strings.ToLower(sentence[m.tokens[i].from:m.tokens[p.end-1].to]), u.why)
				}
			}
		}
	}
	for _, t := range tokens {
		if t.kind == word && t.low == "?" {
			return "it is a question"
		}
	}
	for _, t := range tokens {
		if t.kind == quote && strings.TrimSpace(t.orig) == "" {
			return "a quotation is empty"
		}
	}
	return "no form fits the whole sentence"
}
