package claim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// denying lists the words that deny, of each language. "un" and "in" at the
// beginning of a state are told by its value.
var denying = map[string][]string{
	"en": strings.Fields("not no never neither nor without cannot free nothing none lack lacks hide hides omit omits"),
	"de": strings.Fields("nicht kein keine keinen keinem keiner keines keinerlei nie ohne weder frei fehlt fehlen"),
	"it": strings.Fields("non nessun nessuno nessuna alcun alcuno alcuna senza mai né"),
	"zh": strings.Fields("不 没 未 无"),
	"fr": strings.Fields("ne n' pas aucun aucune sans jamais ni"),
	"es": strings.Fields("no ningún ninguno ninguna sin nunca ni"),
	"pt": strings.Fields("não nenhum nenhuma sem nunca nem"),
	"nl": strings.Fields("niet geen nooit zonder noch"),
}

// harmless lists the patterns whose denying word is no denial of the form: an
// amount, a word that agrees with another, the first half of a pair.
var harmless = []string{"none", "op", "post", "compare", "agreed", "agreedne", "clean", "reason", "lacksnone", "pair"}

// TestDenialsAreKept: issue 15, class "denial in other words". A pattern that has
// a denying word says so by its value; one that uses a class that may deny keeps
// what it said. Otherwise a sentence that denies is read as one that affirms.
func TestDenialsAreKept(t *testing.T) {
	for _, g := range grammars() {
		denies := map[string]bool{} // classes of which a row denies
		for name, rows := range g.language.classes {
			for _, r := range rows {
				if r.value == "not" {
					denies[name] = true
				}
			}
		}
		check := func(where, pattern, value string) {
			n, err := compilePattern(pattern)
			if err != nil {
				t.Fatal(err)
			}
			if value == "not" || strings.HasPrefix(value, "!") {
				return
			}
			n.each(func(n *node) {
				switch {
				case n.op == opWord && slices.Contains(denying[g.language.code], n.text):
					t.Errorf("%s: %s: %q has the denying word %q and does not say so", g.language.code, where, pattern, n.text)
				case n.op == opClass && n.as == "" && denies[n.text]:
					t.Errorf("%s: %s: %q drops what the class %s denies", g.language.code, where, pattern, n.text)
				}
			})
		}
		for name, rows := range g.language.classes {
			if slices.Contains(harmless, name) || strings.HasSuffix(name, "-not") {
				continue
			}
			for _, r := range rows {
				check("class "+name, r.pattern, r.value)
			}
		}
		for _, f := range g.language.forms {
			for _, p := range f.patterns {
				check("form "+f.name, strings.ReplaceAll(p, "neither {things} {neither}", "{things} {neither}"), "")
			}
		}
	}
}

// Each class that denies and is not listed as one by its value is used where a
// row that uses it says "not".
func TestUnmarkedDenials(t *testing.T) {
	for _, g := range grammars() {
		for name, rows := range g.language.classes {
			for _, r := range rows {
				if strings.Contains(r.pattern, "-not>") && r.value != "not" {
					t.Errorf("%s: class %s: %q is a denial of value %q", g.language.code, name, r.pattern, r.value)
				}
			}
		}
		for _, f := range g.language.forms {
			for _, p := range f.patterns {
				if strings.Contains(p, "-not>") {
					t.Errorf("%s: form %s: %q uses a denial that nothing keeps", g.language.code, f.name, p)
				}
			}
		}
	}
}

// No class may be read from nothing, or be used by nobody.
func TestTables(t *testing.T) {
	for _, g := range grammars() {
		used := map[string]bool{"intro": true, "do-intro": true, "end": true, "then": true, "and": true, "it": true, "sub": true, "state": true, "nor": true, "both": true, "unreadable": true}
		visit := func(n *node) {
			if n.op == opClass {
				used[n.text] = true
			}
		}
		for name, entries := range g.classes {
			for _, e := range entries {
				if e.pattern.empty() {
					t.Errorf("%s: a row of the class %s fits nothing at all", g.language.code, name)
				}
				e.pattern.each(visit)
			}
		}
		for _, f := range g.forms {
			for _, p := range f.patterns {
				p.whole.each(visit)
			}
		}
		for _, f := range g.acts {
			for _, p := range f.patterns {
				p.each(visit)
			}
		}
		for name := range g.language.classes {
			if !used[name] {
				t.Errorf("%s: nothing uses the class %s", g.language.code, name)
			}
		}
	}
}

// empty reports whether a pattern fits no token.
func (n *node) empty() bool {
	switch n.op {
	case opMaybe:
		return true
	case opAll:
		return !slices.ContainsFunc(n.kids, func(k *node) bool { return !k.empty() })
	case opAny:
		return slices.ContainsFunc(n.kids, (*node).empty)
	}
	return false
}

// Each hint can be read, in its own language: it is what a person is told to write.
func TestHintsAreRead(t *testing.T) {
	for _, g := range grammars() {
		if len(g.language.hints) < 2 {
			t.Errorf("%s has %d hints", g.language.code, len(g.language.hints))
		}
		for _, hint := range g.language.hints {
			if claims := readExample(g, hint); len(claims) == 0 {
				t.Errorf("%s: %s is not read", g.language.code, hint)
			}
		}
	}
}

// A pattern that is none is refused with what is wrong.
func TestPatternsRefused(t *testing.T) {
	for pattern, says := range map[string]string{"(a|b": ") is missing", "[a": "] is missing", "<a": "> is missing", "{a": "} is missing", "a)": `")" is left`} {
		if _, err := compilePattern(pattern); err == nil || !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("compilePattern(%q): %v, want %q", pattern, err, says)
		}
	}
}

// Issue 15, bad input: the work on a sentence is bounded, however it repeats.
func TestWorkIsBounded(t *testing.T) {
	for _, part := range []string{`"a" and `, `the button "a" and `, `the page shows "a" and `, `the button "a" is visible and `, `the table "a" in `, "“a”和", `la pagina mostra "a" e `, `"a", `, "not "} {
		sentence := strings.Repeat(part, maxSentence/len([]rune(part)))
		tokens, err := lex(sentence)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range grammars() {
			m := newMatcher(g, sentence, tokens)
			m.sentences()
			if m.steps > maxSteps+10_000 {
				t.Errorf("%s… in %s: %d steps", part, g.language.code, m.steps)
			}
		}
	}
}

// Issue 29, item 9: a language more is a file more.
func TestLanguageIsAFile(t *testing.T) {
	table := `language eo Esperanto
fallback
role button = butono = butonoj
class art:the = la
class base = [<art>] {role} {quote}
class sub = {base}
class is = estas
class is:not = ne estas
class state:!enabled = malaktiva
class state:visible = videbla
class end = .
form element-state
	{things} {is} {states}
example element-state = la butono "Konservi" estas malaktiva
`
	all, err := compileFiles(fstest.MapFS{"languages/eo.txt": {Data: []byte(table)}})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d languages, %v", len(all), err)
	}
	for sentence, want := range map[string]string{
		`La butono "Konservi" estas malaktiva.`:   `enabled not`,
		`La butono "Konservi" ne estas malaktiva`: `enabled`,
		`La butono "Konservi" ne estas videbla`:   `hidden`,
	} {
		claims := readExample(all[0], sentence)
		got := ""
		for _, c := range claims {
			got += c.Type + map[bool]string{true: " not"}[c.Not]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", sentence, got, want)
		}
	}
	for line, says := range map[string]string{"rolle button = x": "nobody knows", "role button": "has no =", "\tx": "stands under no form", "class base = {nobody}": "there is no class"} {
		_, err := compileFiles(fstest.MapFS{"languages/eo.txt": {Data: []byte(line + "\n" + table)}})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", line, err, says)
		}
	}
}

// TestContainsIsKept: issue 29, item 9. Contains is not equals: of a field, a title or a
// message the word that says contains is kept by its value, whatever the language and the
// verb's form.
func TestContainsIsKept(t *testing.T) {
	for _, g := range grammars() {
		contains := map[string]bool{}
		for name, entries := range g.classes {
			if name == "how" || name == "link" || name == "titlewith" || name == "inpagetitle" {
				continue // of an address, or beside a name, or said by where it is
			}
			for _, e := range entries {
				if e.value == "contains" || e.value == "part" {
					e.pattern.each(func(n *node) { contains[n.text] = contains[n.text] || n.op == opWord })
				}
			}
		}
		if len(contains) < 2 {
			t.Errorf("%s: only %d words say contains", g.language.code, len(contains))
		}
		for _, f := range g.forms {
			if !slices.Contains([]string{"element-text", "element-is", "title"}, f.name) {
				continue
			}
			for i, p := range f.patterns {
				p.whole.each(func(n *node) {
					if n.op == opWord && contains[n.text] {
						t.Errorf("%s: form %s, pattern %d: %q says contains, and nothing keeps it", g.language.code, f.name, i+1, n.text)
					}
					if n.op == opClass && n.as == "" && slices.ContainsFunc(g.classes[n.text], func(e entry) bool { return e.value == "contains" || e.value == "part" }) {
						t.Errorf("%s: form %s, pattern %d drops what the class %s says", g.language.code, f.name, i+1, n.text)
					}
				})
			}
		}
	}
}
