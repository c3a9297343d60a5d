package address

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// place names where in an address a text stands: it decides what an escaped
// character may also look like.
type place int

const (
	inPath place = iota
	inQuery
	inHash
)

// glob writes a text of a pattern as a regular expression that Go and JavaScript
// read alike, for a text in which nothing is escaped that needs no escape.
func glob(text, one, several string, at place) string {
	var b strings.Builder
	for text != "" {
		if rest := strings.TrimLeft(text, "*"); len(rest) < len(text) {
			if len(text)-len(rest) == 1 {
				b.WriteString(one)
			} else {
				b.WriteString(several)
			}
			text = rest
			continue
		}
		if c, ok := escaped(text); ok {
			b.WriteString(character(rune(c), true, at))
			text = text[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 {
			b.WriteString(escape(text[0]))
		} else {
			b.WriteString(character(r, false, at))
		}
		text = text[n:]
	}
	return b.String()
}

// escaped returns the byte that a text begins with, where that is escaped.
func escaped(text string) (byte, bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	high, low := strings.IndexByte(digits, lower(text[1])), strings.IndexByte(digits, lower(text[2]))
	if high < 0 || low < 0 {
		return 0, false
	}
	return byte(high<<4 | low), true
}

const digits = "0123456789abcdef"

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// character writes one character of a pattern, plain or escaped. wasEscaped says how it
// stands in the pattern: an escaped / is none that parts.
func character(r rune, wasEscaped bool, at place) string {
	switch {
	case r >= 0x80 && wasEscaped: // one byte of a longer character
		return escape(byte(r))
	case r >= 0x80:
		return letter(r)
	case unreserved(byte(r)):
		return regexp.QuoteMeta(string(r))
	case at == inQuery && (r == ' ' || r == '+' && !wasEscaped):
		return `(?:\+|%20| )`
	case r <= ' ' && r != ' ' || r == 0x7f:
		return escape(byte(r))
	case wasEscaped && divides(r, at):
		return escape(byte(r))
	case r == '/' && at != inQuery:
		return "/+"
	default:
		return "(?:" + regexp.QuoteMeta(string(r)) + "|" + escape(byte(r)) + ")"
	}
}

// divides reports whether a character means something else where it is not escaped.
func divides(r rune, at place) bool {
	if at == inQuery {
		return strings.ContainsRune("&#+%", r)
	}
	return strings.ContainsRune("/?#%", r)
}

// letter writes a character beyond ASCII.
func letter(r rune) string {
	var b strings.Builder
	for _, c := range []byte(string(r)) {
		b.WriteString(escape(c))
	}
	if !unicode.IsPrint(r) || unicode.IsMark(r) {
		return b.String()
	}
	return "(?:" + string(r) + "|" + b.String() + ")"
}

// escape writes an escaped byte, in either case.
func escape(c byte) string {
	var b strings.Builder
	b.WriteByte('%')
	for _, d := range []byte(fmt.Sprintf("%02X", c)) {
		if d >= 'A' {
			fmt.Fprintf(&b, "[%c%c]", d, d+'a'-'A')
		} else {
			b.WriteByte(d)
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// query holds a pattern's conditions on the parameters.
type query struct {
	none  bool // there are none
	some  bool // there are any
	names []name
}

// name holds a parameter that a pattern names.
type name struct {
	source  string
	name    *regexp.Regexp // with the = after it, or at the end
	pair    *regexp.Regexp // fits any of pairs
	pairs   []*regexp.Regexp
	written []string // pairs
}

// readQuery reads what a pattern says after ?. Each parameter must be there with
// its value; of a parameter that is named, no other value may be.
func readQuery(text string) (*query, error) {
	q := &query{none: true}
	at := map[string]int{}
	for pair := range strings.SplitSeq(text, "&") {
		if pair == "" || pair == "=" {
			continue
		}
		q.none = false
		if strings.Trim(pair, "*") == "" {
			q.some = true
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		source := glob(key, `[^/?#&=]*`, `[^#&=]*`, inQuery)
		whole := source + "=" + glob(value, `[^/?#&]*`, `[^#&]*`, inQuery)
		if value == "" {
			whole = source + "=?"
		}
		i, known := at[source]
		if !known {
			i, at[source] = len(q.names), len(q.names)
			q.names = append(q.names, name{source: source})
		}
		q.names[i].written = append(q.names[i].written, whole)
	}
	for i := range q.names {
		if err := q.names[i].compile(); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (n *name) compile() (err error) {
	if n.name, err = regexp.Compile("^" + n.source + "(?:=|$)"); err != nil {
		return err
	}
	for _, w := range n.written {
		re, err := regexp.Compile("^(?:" + w + ")$")
		if err != nil {
			return err
		}
		n.pairs = append(n.pairs, re)
	}
	n.pair, err = regexp.Compile("^(?:" + strings.Join(n.written, "|") + ")$")
	return err
}

func (q *query) fits(text string) bool {
	if q == nil {
		return true
	}
	if q.none {
		return text == ""
	}
	if q.some && text == "" {
		return false
	}
	given := strings.Split(text, "&")
	for _, n := range q.names {
		for _, p := range n.pairs {
			if !containsMatch(given, p) {
				return false
			}
		}
		for _, g := range given {
			if n.name.MatchString(g) && !n.pair.MatchString(g) {
				return false
			}
		}
	}
	return true
}

func containsMatch(all []string, re *regexp.Regexp) bool {
	for _, s := range all {
		if re.MatchString(s) {
			return true
		}
	}
	return false
}

// source returns the query as an expression of JavaScript, which looks ahead. rest is
// what a query may hold, end what follows a parameter.
func (q *query) source(rest, end string) string {
	switch {
	case q == nil:
		return `(?:\?` + rest + `)?`
	case q.none:
		return `\??`
	}
	var b strings.Builder
	if q.some {
		b.WriteString(`(?=\?[^#])`)
	}
	before := `\?(?:` + rest + `&)?`
	for _, n := range q.names {
		for _, w := range n.written {
			b.WriteString("(?=" + before + w + "(?:" + end + "))")
		}
		b.WriteString("(?!" + before + "(?=" + n.source + "(?:=|" + end + "))(?!(?:" + strings.Join(n.written, "|") + ")(?:" + end + ")))")
	}
	return b.String() + `\?` + rest
}
