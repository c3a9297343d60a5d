package claim

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

// terminals lists the classes that are read by code and not by a table.
var terminals = strings.Fields("quote number decimal value path amount name proper quotes things states css bare pure placecss quotednumber ordinal quotedrole quotednoun")

// terminal reads a class that no table lists from i on.
func (m *matcher) terminal(class string, i int, add func(part)) {
	switch class {
	case "quote":
		if m.is(i, quote) {
			add(part{i + 1, m.tokens[i].orig})
		}
	case "number":
		if m.is(i, number) && whole(m.tokens[i]) {
			add(part{i + 1, m.tokens[i].low})
		}
	case "decimal":
		if m.is(i, number) {
			add(part{i + 1, m.tokens[i].low})
		}
	case "value": // a quoted text, or a number as it is written
		if m.is(i, quote) || m.is(i, number) {
			add(part{i + 1, m.tokens[i].orig})
		}
	case "path":
		if m.is(i, location) || m.is(i, quote) && (startsAddress(m.tokens[i].orig) || relativePath.MatchString(m.tokens[i].orig)) {
			add(part{i + 1, m.tokens[i].orig})
		}
	case "amount":
		m.amount(i, add)
	case "name":
		m.name(i, 1, add)
	case "proper":
		m.name(i, 0, add)
	case "css":
		if m.is(i, quote) && (cssSelector.MatchString(m.tokens[i].orig) || tagSelector.MatchString(m.tokens[i].orig)) {
			add(part{i + 1, m.tokens[i].orig})
		}
	case "bare":
		if end, selector := m.bareSelector(i); end > i {
			add(part{end, selector})
		}
	case "placecss":
		if m.is(i, quote) && isPlaceSelector(m.tokens[i].orig) {
			add(part{i + 1, m.tokens[i].orig})
		}
	case "ordinal":
		if m.is(i, word) {
			if place, ok := ordinalPlace(m.tokens[i].low); ok {
				add(part{i + 1, place})
			}
		}
	case "quotednumber":
		if m.is(i, quote) && quotedCount.MatchString(m.tokens[i].orig) {
			add(part{i + 1, m.tokens[i].orig})
		}
	case "pure":
		if m.is(i, quote) && cssSelector.MatchString(m.tokens[i].orig) {
			add(part{i + 1, m.tokens[i].orig})
		}
	case "quotedrole":
		m.quotedWord("role", i, add)
	case "quotednoun":
		m.quotedWord("noun", i, add)
	case "quotes":
		m.quotes(i, nil, add)
	case "things":
		m.things(i, nil, add)
	case "states":
		m.states(i, nil, add)
	}
}

func (m *matcher) is(i int, k kind) bool { return i < len(m.tokens) && m.tokens[i].kind == k }

// whole reports whether a number counts things.
func whole(t token) bool {
	return len(t.low) < 8 && !strings.ContainsAny(t.low, ".-") && !strings.HasPrefix(t.orig, "+")
}

// relativePath matches a quotation that is the end of a path beyond doubt: steps of more
// than one letter with a slash between them.
var relativePath = pattern.New(`^[A-Za-z][\w-]+(?:/[\w-]{2,})+/?$`)

// cssSelector matches a quotation that is a selector of CSS beyond doubt: it
// begins with a class or an id.
var cssSelector = pattern.New(`^[.#][A-Za-z_][\w-]*(?:[.#][A-Za-z_][\w-]*)*$`)

// tagSelector matches a quotation that is a selector of CSS where the word
// element stands beside it: elements by their tags, with classes, ids and
// attributes.
var tagSelector = selectors.Pattern("by-tag")

//go:embed selectors.txt
var selectorsFile string

var selectors = pattern.NewLists("selectors.txt", selectorsFile)

// writtenOrdinal matches a number with the ending of an ordinal: 3rd, 3ª, 3ième, 3e.
var writtenOrdinal = pattern.New(`^([1-9][0-9]?)(?:st|nd|rd|th|ª|º|a|o|e|er|re|ère|ière|ième|ème|de|ste)$`)

// ordinalPlace returns the place of an ordinal that is written with digits, from 0.
func ordinalPlace(low string) (place string, ok bool) {
	found := writtenOrdinal.FindStringSubmatch(low)
	if found == nil {
		return "", false
	}
	n, err := strconv.Atoi(found[1])
	return strconv.Itoa(n - 1), err == nil
}

// quotedCount matches a quotation that is a number of things.
var quotedCount = pattern.New(`^[0-9]{1,6}$`)

// oneBareStep matches a selector that stands without quotation marks: a tag, with classes
// and ids.
var oneBareStep = selectors.Pattern("bare-step")

// bareSelector reads a selector without quotation marks, such as H2 and div#title: all up to
// the next space.
func (m *matcher) bareSelector(i int) (end int, selector string) {
	if !m.is(i, word) || !beginsWithTag(m.tokens[i].low) {
		return i, ""
	}
	end = i + 1
	for end < len(m.tokens) && m.tokens[end].kind == word && m.tokens[end].from == m.tokens[end-1].to && m.tokens[end].from > m.tokens[i].from {
		end++
	}
	for ; end > i; end-- { // a point at the end of the sentence is none of it
		if text := m.source[m.tokens[i].from:m.tokens[end-1].to]; oneBareStep.MatchString(text) {
			tag := strings.IndexAny(text+"#", ".#")
			return end, strings.ToLower(text[:tag]) + text[tag:]
		}
	}
	return i, ""
}

// beginsWithTag reports whether a word is a tag, with classes or without.
func beginsWithTag(low string) bool {
	tag, _, _ := strings.Cut(low, ".")
	return selectors.Has("tag", tag)
}

// isPlaceSelector reports whether a quotation behind a word such as within is a selector and
// no name: it has a class, an id or an attribute, or is a tag that is no word of people.
func isPlaceSelector(text string) bool {
	if cssSelector.MatchString(text) {
		return true
	}
	return tagSelector.MatchString(text) && (strings.ContainsAny(text, ".#[") || slices.Contains(tagsNoWords, text))
}

// tagsNoWords lists tags that nobody calls a part of a page.
var tagsNoWords = strings.Fields("h1 h2 h3 h4 h5 h6 p div span tr td th ul ol li a dl dt dd tbody thead tfoot pre em img")

// quotedWord reads the word of a class in quotation marks, behind a quoted text:
// the "Orders" "table".
func (m *matcher) quotedWord(class string, i int, add func(part)) {
	if !m.is(i, quote) || i == 0 || !m.is(i-1, quote) {
		return
	}
	inner, err := lex(m.tokens[i].orig)
	if err != nil || len(inner) == 0 {
		return
	}
	whole := newMatcher(m.grammar, m.tokens[i].orig, inner)
	for _, p := range whole.class(class, 0) {
		if p.end == len(inner) {
			add(part{i + 1, p.value})
		}
	}
}

// quotes reads quotations that are listed.
func (m *matcher) quotes(i int, before []string, add func(part)) {
	if m.steps++; m.overBudget() || len(before) == maxList || !m.is(i, quote) || m.tokens[i].orig == "" {
		return
	}
	all := append(slices.Clip(before), m.tokens[i].orig)
	add(part{i + 1, all})
	for _, p := range m.class("and", i+1) {
		m.quotes(p.end, all, add)
	}
}

// things reads subjects that are listed. A quoted text without a word for its
// kind can't follow an element: whether it is one, too, is not said.
func (m *matcher) things(i int, before []subject, add func(part)) {
	if m.steps++; m.overBudget() || len(before) >= maxList {
		return
	}
	if len(before) == 0 {
		for _, both := range m.class("both", i) {
			m.things(both.end, []subject{}, add)
		}
	}
	for _, p := range m.class("sub", i) {
		next, _ := p.value.([]subject)
		if len(before) > 0 && next[0].bare && before[len(before)-1].role != "" {
			continue
		}
		all, ok := inOnePlace(before, next)
		if !ok {
			continue
		}
		add(part{p.end, all})
		for _, and := range m.class("and", p.end) {
			m.things(and.end, all, add)
		}
	}
}

// inOnePlace joins the two parts of a list. What the last of them is in, those before it
// are in, too: "A" and "B" in the table.
func inOnePlace(before, next []subject) ([]subject, bool) {
	all := append(slices.Clone(before), next...)
	place := next[0].inside
	for i := range before {
		if place == nil || before[i].inside != nil {
			continue
		}
		placed, ok := before[i].within(*place)
		if !ok {
			return nil, false
		}
		all[i] = placed
	}
	return all, true
}

// state holds what a predicate says of an element.
type state struct {
	is  string // visible, enabled …
	not bool
}

// inPlaceOf puts subjects that have no place of their own where the last part of the sentence is: "A"
// before "B" in the list. ok is false where they may be elsewhere: the heading "A" before "B" in the table.
func inPlaceOf(last, subjects []subject) ([]subject, bool) {
	if len(last) == 0 || last[0].inside == nil {
		return subjects, true
	}
	var out []subject
	for _, s := range subjects {
		if s.inside == nil {
			for _, l := range last {
				if l.inside == nil || l.inside.selectors()[0] != last[0].inside.selectors()[0] || l.calledAs() != s.calledAs() {
					return nil, false
				}
			}
			placed, ok := allWithin([]subject{s}, []subject{*last[0].inside})
			if !ok {
				return nil, false
			}
			s = placed[0]
		}
		out = append(out, s)
	}
	return out, true
}

// states reads predicates that are listed: visible, enabled and not checked.
func (m *matcher) states(i int, before []state, add func(part)) {
	if m.steps++; m.overBudget() || len(before) == maxList {
		return
	}
	read := func(from int, not bool) {
		for _, p := range m.class("state", from) {
			text, _ := p.value.(string)
			is, denied := strings.CutPrefix(text, "!")
			all := append(slices.Clip(before), state{is, denied != not})
			add(part{p.end, all})
			for _, and := range m.class("then", p.end) {
				m.states(and.end, all, add)
			}
		}
	}
	read(i, false)
	if len(before) > 0 {
		for _, p := range m.class("nor", i) {
			read(p.end, true)
		}
	}
}

// amount reads a number with what says of which kind it is: $1,234.50, 12 %, 5
// EUR. A quotation may hold it.
func (m *matcher) amount(i int, add func(part)) {
	if m.is(i, quote) {
		inner, err := lex(m.tokens[i].orig)
		if err == nil && len(inner) > 0 {
			whole := matcher{tokens: inner, source: m.tokens[i].orig}
			whole.amount(0, func(p part) {
				if p.end == len(inner) && inner[0].kind != quote {
					add(part{i + 1, m.tokens[i].orig})
				}
			})
		}
		return
	}
	start, at := i, i
	if m.is(at, word) && isMinus([]rune(m.tokens[at].orig)[0]) && m.is(at+1, money) && m.tokens[at].to == m.tokens[at+1].from {
		at++ // -€5.00
	}
	if m.is(at, word) && len(m.tokens[at].orig) < 3 && m.capital(at) && m.is(at+1, money) && m.tokens[at].to == m.tokens[at+1].from {
		at++ // R$ 5
	}
	unit := func(at int) bool {
		return m.is(at, money) || m.is(at, word) && slices.Contains(currencies, m.tokens[at].orig)
	}
	if unit(at) {
		at++
	}
	if !m.is(at, number) {
		return
	}
	text := func(end int) string { return m.source[m.tokens[start].from:m.tokens[end-1].to] }
	at++
	add(part{at, text(at)})
	if m.is(start, number) && unit(at) {
		add(part{at + 1, text(at + 1)})
	}
}

// currencies lists the codes that amounts are written with.
var currencies = strings.Fields("AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY KRW MXN NOK NZD PLN RUB SEK SGD THB TRY USD ZAR")

// maxName bounds a name without quotation marks, in words.
const maxName = 5

// name reads a name without quotation marks: all words in a row that begin with a
// capital letter. The sentence's first word has one anyway, so it is no name
// unless first is 0.
func (m *matcher) name(i, first int, add func(part)) {
	if i < first || !m.capital(i) || i > 1 && m.capital(i-1) && !m.article(i-1) || m.article(i) {
		return
	}
	end := i
	for end < len(m.tokens) && m.capital(end) {
		end++
	}
	if end-i > maxName {
		return
	}
	if first == 0 && slices.ContainsFunc(m.tokens[i:end], func(t token) bool { return m.grammar.vocabulary[t.low] }) {
		return
	}
	add(part{end, m.source[m.tokens[i].from:m.tokens[end-1].to]})
}

// article reports whether a token is an article, whatever it begins with.
func (m *matcher) article(i int) bool { return i < len(m.tokens) && len(m.class("art", i)) > 0 }

// capital reports whether a token is a word that begins with a capital letter.
func (m *matcher) capital(i int) bool {
	if !m.is(i, word) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(m.tokens[i].orig)
	return unicode.IsUpper(r)
}
