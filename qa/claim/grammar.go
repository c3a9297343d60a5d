package claim

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// language holds the table of one language: its words, and its forms.
type language struct {
	code, name string
	roles      []roleWords
	classes    map[string][]row
	forms      []form
	acts       []form   // of what steps do
	hints      []string // sentences that are read, beside the examples of the forms: what to write instead of one that names nothing
	// joined maps words that stand for several: "cannot" for "can not".
	joined map[string]string
	// endings lists ends of words that are words of their own: "n't" for
	// "not".
	endings []row
	// fallback says that hints are in this language where no language knows a
	// sentence's words.
	fallback bool
	// elides says that an apostrophe ends a word: l'elenco.
	elides bool
}

// split separates words that are several.
func (l *language) split(tokens []token) []token {
	out := make([]token, 0, len(tokens))
	for _, t := range tokens {
		if t.kind != word {
			out = append(out, t)
			continue
		}
		for _, w := range l.parts(t.low) {
			next := t
			if next.low = w; w != t.low {
				next.orig = w
			}
			out = append(out, next)
		}
	}
	return out
}

func (l *language) parts(low string) []string {
	if several, ok := l.joined[low]; ok {
		return strings.Fields(several)
	}
	for _, e := range l.endings {
		if rest, ok := strings.CutSuffix(low, e.pattern); ok && rest != "" {
			return []string{rest, e.value}
		}
	}
	if at := strings.IndexAny(low, "'"); l.elides && at > 0 && at < len(low)-1 {
		return []string{low[:at+1], low[at+1:]}
	}
	return []string{low}
}

// roleWords lists words for elements of a role, as patterns: for one, for several.
type roleWords struct{ one, several, role string }

// row pairs a pattern with the value that it stands for.
type row struct{ pattern, value string }

// form describes a way to say one thing, with an example of it.
type form struct {
	name     string
	example  string
	patterns []string
}

// grammar holds a language whose patterns are compiled.
type grammar struct {
	language   *language
	classes    map[string][]entry
	forms      []compiledForm
	acts       []compiledAct
	vocabulary map[string]bool   // all words of the tables
	accented   map[string]string // what those with accents are without them, where that is no word of the tables
	samples    []sampleOf        // of its forms
}

type entry struct {
	pattern *node
	value   any
	build   func(c *captures) (any, bool) // makes the value, where it isn't fixed
}

// compiledAct holds a form of an act. again says that it goes on with the act before it.
type compiledAct struct {
	name     string
	example  string
	again    bool
	build    actBuilder
	patterns []*node
}

type compiledForm struct {
	name     string
	build    builder
	patterns []compiledPattern
}

// compiledPattern holds a pattern ready to match. Where it begins with a class
// that a clause before may have said already, head is that class and rest what
// follows.
type compiledPattern struct {
	whole, head, rest *node
}

// classBuilders make the values of classes that are put together.
var classBuilders = map[string]func(c *captures) (any, bool){
	"base": buildBase, "box": buildBase, "cssbox": buildBase, "sub": buildSub, "count": buildAmount, "opcount": buildAmount, "times": buildAmount,
}

// grammars compiles the tables of all languages at first use.
var grammars = sync.OnceValue(func() []*grammar {
	out, err := compileFiles(tables)
	if err != nil {
		panic(err) // a table that TestTables refuses
	}
	return out
})

func compileFiles(files fs.FS) ([]*grammar, error) {
	languages, err := languageFiles(files)
	if err != nil {
		return nil, err
	}
	var out []*grammar
	for _, l := range languages {
		g, err := compile(l)
		if err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, nil
}

func compile(l *language) (*grammar, error) {
	g := &grammar{language: l, classes: map[string][]entry{}, vocabulary: map[string]bool{}, samples: samplesOf(l)}
	for _, r := range l.roles {
		l.classes["role"] = append(l.classes["role"], row{r.one, r.role})
		if r.several != "" {
			l.classes["roles"] = append(l.classes["roles"], row{r.several, r.role})
		}
	}
	for name, rows := range l.classes {
		for _, r := range rows {
			n, err := g.pattern(r.pattern)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", l.code, name, err)
			}
			e := entry{pattern: n, value: r.value, build: classBuilders[name]}
			g.classes[name] = append(g.classes[name], e)
		}
	}
	for _, f := range l.forms {
		c := compiledForm{name: f.name, build: builders[f.name]}
		if c.build == nil {
			return nil, fmt.Errorf("%s: no builder for form %s", l.code, f.name)
		}
		for _, p := range f.patterns {
			n, err := g.pattern(p)
			if err != nil {
				return nil, fmt.Errorf("%s: form %s: %w", l.code, f.name, err)
			}
			head, rest := n.withoutHead()
			c.patterns = append(c.patterns, compiledPattern{n, head, rest})
		}
		g.forms = append(g.forms, c)
	}
	err := g.compileActs(l)
	g.accented = accented(g.vocabulary)
	return g, err
}

// withoutAccents writes letters as they are typed on a keyboard that has no accents.
var withoutAccents = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "í", "i", "ì", "i", "î", "i", "ï", "i",
	"ñ", "n", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ú", "u", "ù", "u", "û", "u")

// accented returns the words that have accents by how they are written without: nao for não. A spelling
// that is a word itself (e beside é), or stands for two, is none.
func accented(vocabulary map[string]bool) map[string]string {
	out := map[string]string{}
	for w := range vocabulary {
		plain := withoutAccents.Replace(w)
		if plain == w || len(plain) < 3 || vocabulary[plain] { // ne, la and si are words of their own
			continue
		}
		if _, two := out[plain]; two {
			out[plain] = ""
			continue
		}
		out[plain] = w
	}
	return out
}

// compileActs compiles the forms of what steps do.
func (g *grammar) compileActs(l *language) error {
	for _, f := range l.acts {
		c := compiledAct{name: f.name, example: f.example, again: f.name == "again", build: actBuilders[f.name]}
		if c.build == nil {
			return fmt.Errorf("%s: no builder for act %s", l.code, f.name)
		}
		for _, p := range f.patterns {
			n, err := g.pattern(p)
			if err != nil {
				return fmt.Errorf("%s: act %s: %w", l.code, f.name, err)
			}
			c.patterns = append(c.patterns, n)
		}
		g.acts = append(g.acts, c)
	}
	return nil
}

// pattern compiles a pattern of the grammar's language, and refuses classes that
// it does not have.
func (g *grammar) pattern(text string) (*node, error) {
	n, err := compilePattern(text)
	if err != nil {
		return nil, err
	}
	n.each(func(n *node) {
		switch n.op {
		case opWord:
			g.vocabulary[n.text] = true
		case opClass:
			_, listed := g.language.classes[n.text]
			if !listed && !slices.Contains(terminals, n.text) && err == nil {
				err = fmt.Errorf("pattern %q: there is no class %q", text, n.text)
			}
		}
	})
	return n, err
}
