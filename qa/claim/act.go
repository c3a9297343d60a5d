package claim

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

// ActKind names what an act does.
type ActKind string

// The kinds of acts, by the names of their forms.
const (
	ActOpen    ActKind = "open"
	ActReload  ActKind = "reload"
	ActClick   ActKind = "click"
	ActFill    ActKind = "fill"
	ActSelect  ActKind = "select"
	ActCheck   ActKind = "check"
	ActUncheck ActKind = "uncheck"
	ActHover   ActKind = "hover"
	ActPress   ActKind = "press"
)

// Act describes one thing that the sentence of a step has done to the page.
type Act struct {
	Language string // of the sentence, as of a [Claim]
	Kind     ActKind

	// Selectors holds the element by role and name, the most usual role first, as
	// Selector and Alike of a [Claim] do. They are empty where the sentence quotes a
	// name alone, and where the act is on no element.
	Selectors []string
	Name      string   // that is quoted alone: of an element whose role the page tells
	Inside    []string // selectors of what the named element is in; empty: the page

	Value string // address, text, label of an option, or key
}

// String returns the act in plain English.
func (a Act) String() string {
	out := string(a.Kind)
	for _, more := range append(slices.Clone(a.Selectors[:min(1, len(a.Selectors))]), a.Name, a.Value) {
		if more != "" {
			out += " " + more
		}
	}
	return out
}

// bareSecret matches a secret that a variable put in: it needs no quotation marks.
var bareSecret = pattern.New(`["'“‘«„]?\$\{secret:[^{}"]+\}["'”’»“]?`)

// ReadActs reads the sentences of a step as acts in their order, or says why they can't
// be read. It takes time in proportion to the text's length, and reads none that is
// longer than 2,000 characters.
func ReadActs(text string) ([]Act, *Unread) {
	text = quoteSecrets(text)
	if utf8.RuneCountInString(text) > maxSentence || !utf8.ValidString(text) {
		return nil, &Unread{Why: "the step is longer than 2,000 characters, or no UTF-8 text: write several steps"}
	}
	tokens, err := lex(text)
	if err != nil {
		return nil, &Unread{Why: err.Error(), Quotation: true}
	}
	var read [][]Act
	for _, g := range grammars() {
		m := newMatcher(g, text, tokens)
		if m.hasUnknownWord() {
			continue
		}
		var acts []Act
		if m.acts(0, nil, &acts) && !m.overBudget() {
			read = append(read, acts)
		}
	}
	for _, other := range read[min(1, len(read)):] {
		if fmt.Sprint(withoutLanguage(other)) != fmt.Sprint(withoutLanguage(read[0])) {
			return nil, unreadAct("the step can be read in several ways", tokens, text)
		}
	}
	if len(read) == 0 {
		return nil, unreadAct("no form of an act reads it", tokens, text)
	}
	return read[0], nil
}

// quoteSecrets puts quotation marks around secrets that have none.
func quoteSecrets(text string) string {
	return bareSecret.ReplaceAllStringFunc(text, func(found string) string {
		return `"` + strings.Trim(found, `"'“”‘’«»„`) + `"`
	})
}

// ReadStep reads a sentence of a step as acts and what is expected after them: Click "Save"
// and see "Saved". expected is its part that [Parse] reads; empty where all of it is acts.
func ReadStep(text string) (acts []Act, expected string, unread *Unread) {
	acts, unread = ReadActs(text)
	if unread == nil || unread.Quotation {
		return acts, "", unread
	}
	text = quoteSecrets(text)
	tokens, err := lex(text)
	if err != nil || utf8.RuneCountInString(text) > maxSentence {
		return nil, "", unread
	}
	for _, g := range grammars() {
		m := newMatcher(g, text, tokens)
		if m.hasUnknownWord() {
			continue
		}
		if acts, expected := m.actsAndCheck(); expected != "" {
			return acts, expected, nil
		}
	}
	return nil, "", unread
}

// actsAndCheck finds the first place that joins acts and what is expected after them, both
// of the matcher's language.
func (m *matcher) actsAndCheck() (acts []Act, expected string) {
	code := m.grammar.language.code
	for i := 1; i < len(m.tokens); i++ {
		for _, joint := range m.class("then", i) {
			if joint.value != "" || joint.end >= len(m.tokens) {
				continue // while says when
			}
			check := m.source[m.tokens[joint.end].from:]
			claims, unread := Parse(check)
			if unread != nil || claims[0].Language != code {
				continue
			}
			done, notActs := ReadActs(m.source[:m.tokens[i].from])
			if notActs == nil && done[0].Language == code {
				return done, check
			}
		}
	}
	return nil, ""
}

func withoutLanguage(acts []Act) []Act {
	out := make([]Act, len(acts))
	for i, a := range acts {
		a.Language, out[i] = "", a
	}
	return out
}

// unreadAct explains why a step was not read, with the example of its language that is
// most like it, filled with what it quotes.
func unreadAct(why string, tokens []token, text string) *Unread {
	g, have := languageOf(tokens), map[string]bool{}
	for _, t := range g.language.split(tokens) {
		have[comparedForm(t)] = true
	}
	u, best := &Unread{Why: why}, -1.0
	for _, f := range g.acts {
		sample, err := lex(f.example)
		if err != nil || f.example == "" {
			continue
		}
		if like := likeness(have, sample); like > best {
			u.Nearest, best = filledWith(f.example, sample, tokens, text), like
		}
	}
	return u
}

// acts reads all tokens from i on as acts, one after the other. The first way that fits
// is it, as the longest forms come first.
func (m *matcher) acts(i int, done []Act, out *[]Act) (ok bool) {
	starts := []part{{end: i}}
	if m.grammar.classes["do-intro"] != nil {
		starts = append(m.class("do-intro", i), starts...)
	}
	for _, start := range starts {
		for _, f := range m.grammar.acts {
			if f.again && len(done) == 0 {
				continue
			}
			for _, p := range f.patterns {
				m.run(p, start.end, nil, func(end int, c *captures) {
					if ok {
						return
					}
					if act, built := f.build(c, done); built && !m.namesKey(act) {
						act.Language = m.grammar.language.code
						ok = m.actsAfter(end, append(done[:len(done):len(done)], act), out)
					}
				})
			}
		}
	}
	return ok
}

// namesKey reports whether a click is on what is called as a key is: Press "Enter" may
// mean either, and says which by its kind or without the marks.
func (m *matcher) namesKey(act Act) bool {
	return act.Kind == ActClick && slices.ContainsFunc(m.grammar.classes["key"], func(e entry) bool {
		key, _ := e.value.(string)
		return strings.EqualFold(act.Name, key)
	})
}

// actsAfter reads the end of a step, or goes on with what joins two acts.
func (m *matcher) actsAfter(i int, done []Act, out *[]Act) bool {
	ends := append(m.class("end", i), part{end: i})
	for _, p := range ends {
		if p.end == len(m.tokens) {
			*out = done
			return true
		}
	}
	if len(done) == maxClauses {
		return false
	}
	for _, and := range m.class("then", i) {
		if m.acts(and.end, done, out) {
			return true
		}
	}
	return false
}
