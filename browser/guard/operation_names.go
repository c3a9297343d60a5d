package guard

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// english is the language of most names that programs give.
const english = "en"

//go:embed program_words.txt
var programWordsFile string

// programWords are words of programs that are no words of buttons.
var programWords = pattern.NewLists("program_words.txt", programWordsFile)

// operation is a name that a program gives: of a procedure, or a segment of a path.
type operation struct {
	words []string // in lower case
	found []found  // the words of all languages that stand in it
}

type found struct {
	phrase
	at int
}

func readOperation(ws []string) operation {
	o := operation{words: ws}
	built().match(ws, func(p phrase, at int) {
		if p.kind < len(consequences) || p.language == built().english {
			o.found = append(o.found, found{p, at})
		}
	})
	if text := composed(strings.Join(ws, " ")); !ascii(text) {
		for _, s := range built().signs {
			for _, p := range s.phrases {
				if p.kind < len(consequences) && signIn(text, p) {
					o.found = append(o.found, found{p, 0})
				}
			}
		}
	}
	return o
}

// has reports whether a kind of English words stands in the name.
func (o operation) has(kind int) bool {
	return slices.ContainsFunc(o.found, func(f found) bool { return f.kind == kind && f.language == built().english })
}

// rule returns the rule that a name fits, "" for none. As a weak word it is meant where
// the name begins or ends with it; as paying, where it begins.
func (o operation) rule() string {
	ws := o.words
	if len(ws) == 0 || programWords.Has("reading-verb", ws[0]) {
		return ""
	}
	basket, screen := o.has(basketWords), o.has(screenWords)
	if !basket && !reports(nil, ws) && removesShort(ws) {
		return "delete"
	}
	if len(ws) > 1 && programWords.Has("paying-verb", ws[0]) && programWords.Has("paid", ws[1]) {
		return "pay"
	}
	if len(ws) > 1 && o.has(changeWords) && o.has(passwordWords) {
		return "credentials"
	}
	for kind, c := range consequences {
		if c.rule == "delete" && basket || c.weak && (basket || screen) {
			continue
		}
		if slices.ContainsFunc(o.found, func(f found) bool { return f.kind == kind && o.means(f) }) {
			return c.rule
		}
	}
	return ""
}

// strong returns the name without what means an act only with a thing that it happens to.
func (o operation) strong() operation {
	o.found = slices.DeleteFunc(slices.Clone(o.found), func(f found) bool { return f.kind < len(consequences) && consequences[f.kind].weak })
	return o
}

// reports reports whether the words around an act make a name that of a report or of a
// question about it.
func reports(before, after []string) bool {
	return slices.ContainsFunc(before, func(w string) bool { return programWords.Has("beforehand", w) }) ||
		slices.ContainsFunc(after, func(w string) bool { return programWords.Has("aftermath", w) })
}

// means reports whether a word of a consequence is the act that the name is about.
func (o operation) means(f found) bool {
	c, first, last := consequences[f.kind], f.at == 0, f.at+len(f.words) == len(o.words)
	switch {
	case reports(o.words[:f.at], o.words[min(f.at+len(f.words), len(o.words)):]):
		return false
	case f.language != built().english:
		return f.sign && !c.weak || !f.sign && !short(f.words) && (!c.weak || len(o.words) == 1)
	case c.rule == "pay":
		return first || last && slices.Contains([]string{"refund", "withdraw", "transfer", "payout"}, f.words[0])
	case c.weak:
		return first || last
	}
	return true
}

// short reports whether a word of another language is too short to be told from a word
// of a program.
func short(words []string) bool {
	return len(words) == 1 && ascii(words[0]) && len(words[0]) < minUnmarked
}

// removesShort reports whether a name has a shorthand for removing, or a verb that is
// written together with its object: deleteuser.
func removesShort(ws []string) bool {
	for _, w := range ws {
		if programWords.Has("shorthand", w) || programWords.Has("end", w) || glued(w) || gluedBehind(w) {
			return true
		}
	}
	return false
}

// glued reports whether a word is a verb and its object.
func glued(w string) bool {
	l := built()
	for end := 3; end < len(w)-1; end++ {
		for _, p := range l.words[w[:end]] {
			if p.language != l.english || len(p.words) > 1 || p.kind >= len(consequences) {
				continue
			}
			c, rest := consequences[p.kind], w[end:]
			if c.rule == "delete" && !c.weak && gluedObject(rest) || rest == "all" || isThing(l, rest) {
				return true
			}
		}
	}
	return false
}

// gluedBehind reports whether a word is an object and the verb behind it: bulkdelete.
func gluedBehind(w string) bool {
	return slices.ContainsFunc([]string{"delete", "remove", "destroy", "purge"}, func(verb string) bool {
		before, found := strings.CutSuffix(w, verb)
		return found && len(before) > 2
	})
}

func isThing(l *lexicon, w string) bool {
	return slices.ContainsFunc(l.words[w], func(p phrase) bool { return p.kind == thingWords && p.language == l.english && len(p.words) == 1 })
}

// gluedObject reports whether what follows a verb is its object and not its
// ending: deleteuser, not deleted, remover, removable.
func gluedObject(rest string) bool {
	switch {
	case len(rest) < 3:
		return false
	case rest[0] == 'd': // deleted…
		return slices.ContainsFunc([]string{"document", "data", "device", "domain", "dir", "draft", "db", "department"}, func(o string) bool { return strings.HasPrefix(rest, o) })
	}
	return !strings.HasPrefix(rest, "able") && !strings.HasPrefix(rest, "ers") && !strings.HasPrefix(rest, "ing")
}

// maxOperation bounds what is an operation's name and not a text, in bytes.
const maxOperation = 80

// operationRule returns the rule that an operation's name fits, "" for none.
func operationRule(name string) string {
	name = strings.TrimSpace(decoded(name))
	if len(name) > maxOperation || strings.ContainsAny(name, " \t\n") {
		return ""
	}
	for _, o := range readOperations(wordings(name)) {
		if rule := o.rule(); rule != "" {
			return rule + " in the operation"
		}
	}
	return ""
}

// readOperations returns the readings of a name that count: where its capitals show that
// it is about a basket or a part of the page, no other one does.
func readOperations(wordings [][]string) (out []operation) {
	for _, ws := range wordings {
		o := readOperation(ws)
		out = append(out, o)
		if o.has(basketWords) || o.has(screenWords) {
			break
		}
	}
	return out
}

// wordings returns the words of a program's name in lower case: as its capitals set them
// apart, without heed of them, and with its accents, where that differs.
func wordings(name string) [][]string {
	plain := name
	if alphabetic(name) {
		plain = skeleton(unmarked(name))
	}
	byCase := words(plain)
	for i, w := range byCase {
		byCase[i] = strings.ToLower(w)
	}
	out := [][]string{byCase}
	for _, text := range []string{plain, composed(name)} {
		if flat := tokens(folded(text)); !slices.ContainsFunc(out, func(ws []string) bool { return slices.Equal(ws, flat) }) {
			out = append(out, flat)
		}
	}
	return out
}

// lowerWords returns the words of a program's name in lower case.
func lowerWords(name string) []string { return wordings(name)[0] }

// removing reports whether the words of a name say that something is removed.
func removing(ws []string) bool { return readOperation(ws).rule() == "delete" }
