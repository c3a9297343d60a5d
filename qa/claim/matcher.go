package claim

import "reflect"

// captures links a value that a pattern kept to those before it.
type captures struct {
	name   string
	value  any
	before *captures
}

// get returns the value that was kept last under a name.
func (c *captures) get(name string) any {
	for ; c != nil; c = c.before {
		if c.name == name {
			return c.value
		}
	}
	return nil
}

func (c *captures) text(name string) string {
	s, _ := c.get(name).(string)
	return s
}

func (c *captures) has(name string) bool { return c.get(name) != nil }

// denials counts the words that deny.
func (c *captures) denials() int {
	n := 0
	for ; c != nil; c = c.before {
		if c.value == "not" {
			n++
		}
	}
	return n
}

// part describes one reading of a class at some place: what it is, and where it ends.
type part struct {
	end   int
	value any
}

type place struct {
	class string
	at    int
}

// matcher reads the tokens of one sentence by the tables of one language. steps
// bounds its work.
type matcher struct {
	grammar *grammar
	source  string
	tokens  []token
	known   map[place][]part
	busy    map[place]bool
	steps   int
}

func newMatcher(g *grammar, source string, tokens []token) *matcher {
	m := &matcher{grammar: g, source: source, tokens: g.language.split(tokens), known: map[place][]part{}, busy: map[place]bool{}}
	for i, t := range m.tokens {
		if accented := g.accented[t.low]; accented != "" && t.kind == word {
			m.tokens[i].low = accented
		}
	}
	return m
}

// hasUnknownWord reports whether a word of the sentence is in no table of the language,
// and is no name either: then no form can fit.
func (m *matcher) hasUnknownWord() bool {
	for i := 0; i < len(m.tokens); i++ {
		if end, _ := m.bareSelector(i); end > i+1 {
			i = end - 1
			continue
		}
		if t := m.tokens[i]; t.kind == word && !m.grammar.vocabulary[t.low] && !m.capital(i) && !beginsWithTag(t.low) {
			if _, ordinal := ordinalPlace(t.low); ordinal {
				continue
			}
			return true
		}
	}
	return false
}

// maxSteps is far beyond what sentences take that are read, and maxList beyond
// what they list.
const (
	maxSteps = 120_000
	maxList  = 20
)

func (m *matcher) overBudget() bool { return m.steps > maxSteps }

// run finds all ways in which a pattern fits the tokens from i.
func (m *matcher) run(n *node, i int, c *captures, found func(end int, c *captures)) {
	if m.steps++; m.overBudget() {
		return
	}
	switch n.op {
	case opWord:
		if i < len(m.tokens) && (m.tokens[i].kind == word || m.tokens[i].kind == number) && m.tokens[i].low == n.text {
			found(i+1, c)
		}
	case opAll:
		m.row(n.kids, i, c, found)
	case opAny:
		for _, k := range n.kids {
			m.run(k, i, c, found)
		}
	case opMaybe:
		m.run(n.kids[0], i, c, found)
		found(i, c)
	case opClass:
		for _, p := range m.class(n.text, i) {
			if n.as == "" {
				found(p.end, c)
			} else {
				found(p.end, &captures{n.as, p.value, c})
			}
		}
	}
}

func (m *matcher) row(kids []*node, i int, c *captures, found func(end int, c *captures)) {
	if len(kids) == 0 {
		found(i, c)
		return
	}
	m.run(kids[0], i, c, func(end int, c *captures) { m.row(kids[1:], end, c, found) })
}

// class finds all readings of a class at i, each once.
func (m *matcher) class(name string, i int) []part {
	at := place{name, i}
	if parts, ok := m.known[at]; ok {
		return parts
	}
	if m.busy[at] { // a class that begins with itself has no reading of its own
		return nil
	}
	m.busy[at] = true
	var out []part
	add := func(p part) {
		for _, other := range out {
			if other.end == p.end && reflect.DeepEqual(other.value, p.value) {
				return
			}
		}
		out = append(out, p)
	}
	m.terminal(name, i, add)
	for _, e := range m.grammar.classes[name] {
		m.run(e.pattern, i, nil, func(end int, c *captures) {
			if e.build == nil {
				add(part{end, e.value})
			} else if value, ok := e.build(c); ok {
				add(part{end, value})
			}
		})
	}
	delete(m.busy, at)
	m.known[at] = out
	return out
}
