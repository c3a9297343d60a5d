package testfile

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/internal/pattern"
)

// lineWidth is the length of a line from which Prettier breaks it.
const lineWidth = 80

// layout returns a statement of a test as Prettier 3 lays it out, at a depth of
// indentation. It knows what the writers of this package produce: awaited chains of
// calls with texts, numbers, names, lists and objects.
func layout(depth int, statement string) (string, error) {
	lead := strings.Repeat("  ", depth)
	start := statementStart.FindString(statement)
	body := statement[len(start):]
	lead += start
	p := &exprParser{rest: strings.TrimSuffix(body, ";")}
	e, err := p.expr()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q follows the expression", p.rest)
	}
	if err != nil {
		return "", fmt.Errorf("%s has no plain form: %w", statement, err)
	}
	return lead + e.print(depth, lead, ";") + ";", nil
}

// expr is an expression: what it begins with, and the members and calls that follow.
type expr struct {
	head  string // a name or a literal as it is printed
	open  string // of a list, an object: the bracket; the items follow
	keys  []string
	items []expr
	links []link
	sum   []expr // what + joins; head is all of it in one line
}

// link is a part of a chain: a name after a dot, or arguments.
type link struct {
	name string // empty for arguments
	args []expr
}

// flat returns an expression in one line.
func (e expr) flat() string {
	var b strings.Builder
	b.WriteString(e.head)
	switch e.open {
	case "[":
		b.WriteString("[" + flatList(e.items) + "]")
	case "{":
		parts := make([]string, len(e.items))
		for i, item := range e.items {
			parts[i] = e.keys[i] + ": " + item.flat()
		}
		b.WriteString("{ " + strings.Join(parts, ", ") + " }")
	}
	for _, l := range e.links {
		b.WriteString(l.flat())
	}
	return b.String()
}

func (l link) flat() string {
	if l.name != "" {
		return "." + l.name
	}
	return "(" + flatList(l.args) + ")"
}

func flatList(items []expr) string {
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = item.flat()
	}
	return strings.Join(parts, ", ")
}

// groups returns the links of a chain in the groups that stay in one line: each ends with
// its arguments. What directly follows the head as arguments belongs to the head.
func (e expr) groups() (head expr, groups [][]link) {
	links := e.links
	head = expr{head: e.head, open: e.open, keys: e.keys, items: e.items}
	for len(links) > 0 && links[0].name == "" {
		head.links, links = append(head.links, links[0]), links[1:]
	}
	var group []link
	for i, l := range links {
		group = append(group, l)
		if l.name == "" && (i+1 == len(links) || links[i+1].name != "") || i+1 == len(links) {
			groups, group = append(groups, group), nil
		}
	}
	return head, groups
}

// print returns an expression after lead, the text of its line up to it, with the text
// that must follow in the line of its end.
func (e expr) print(depth int, lead, trail string) string {
	if flat := e.flat(); width(lead+flat+trail) <= lineWidth {
		return flat
	}
	if len(e.sum) > 0 {
		parts := make([]string, len(e.sum))
		for i, part := range e.sum {
			parts[i] = part.flat()
		}
		return strings.Join(parts, " +\n"+strings.Repeat("  ", depth+1))
	}
	head, groups := e.groups()
	if len(groups) < 2 {
		return e.printInLine(depth, lead, trail)
	}
	var b strings.Builder
	b.WriteString(head.flat())
	indent := strings.Repeat("  ", depth+1)
	for i, g := range groups {
		end := ""
		if i+1 == len(groups) {
			end = trail
		}
		b.WriteString("\n" + indent + expr{links: g}.printInLine(depth+1, indent, end))
	}
	return b.String()
}

// printInLine prints the links of a chain one after another, and breaks those arguments
// that do not fit.
func (e expr) printInLine(depth int, lead, trail string) string {
	var b strings.Builder
	b.WriteString(e.head)
	if e.open != "" {
		b.WriteString(e.printBroken(depth))
	}
	for i, l := range e.links {
		if l.name != "" || len(l.args) == 0 {
			b.WriteString(l.flat())
			continue
		}
		after := ""
		for _, next := range e.links[i+1:] { // up to the next place where a line may end
			if len(next.args) > 0 {
				after += "("
				break
			}
			after += next.flat()
		}
		if !strings.HasSuffix(after, "(") || strings.HasSuffix(after, "()") {
			after += trail
		}
		b.WriteString(printArguments(l.args, depth, lastLine(lead+b.String()), after))
	}
	return b.String()
}

func lastLine(s string) string { return s[strings.LastIndex(s, "\n")+1:] }

// printBroken prints a list or an object over several lines.
func (e expr) printBroken(depth int) string {
	closing := map[string]string{"[": "]", "{": "}"}[e.open]
	indent := strings.Repeat("  ", depth+1)
	var b strings.Builder
	b.WriteString(e.open + "\n")
	for i, item := range e.items {
		start := indent
		if e.keys != nil {
			start += e.keys[i] + ": "
		}
		text := item.flat()
		switch {
		case width(start+text+",") <= lineWidth:
		case e.keys != nil && strings.ContainsAny(item.head[:min(1, len(item.head))], "\"'`") && len(e.keys[i]) >= 5:
			start = indent + e.keys[i] + ":\n" + indent + "  "
		default:
			text = item.print(depth+1, start, ",")
		}
		b.WriteString(start + text + ",\n")
	}
	b.WriteString(strings.Repeat("  ", depth) + closing)
	return b.String()
}

// printArguments prints arguments after lead: in the line, with an object at the end
// over several lines, or each in a line of its own.
func printArguments(args []expr, depth int, lead, trail string) string {
	flat := "(" + flatList(args) + ")"
	if width(lead+flat+trail) <= lineWidth {
		return flat
	}
	last := args[len(args)-1]
	if last.open != "" && len(last.links) == 0 && len(last.items) > 0 {
		before := "("
		if len(args) > 1 {
			before += flatList(args[:len(args)-1]) + ", "
		}
		if width(lead+before+last.open) <= lineWidth {
			return before + last.printBroken(depth) + ")"
		}
	}
	indent := strings.Repeat("  ", depth+1)
	var b strings.Builder
	b.WriteString("(\n")
	for _, a := range args {
		b.WriteString(indent + a.print(depth+1, indent, ",") + ",\n")
	}
	b.WriteString(strings.Repeat("  ", depth) + ")")
	return b.String()
}

// exprParser reads an expression that a writer of this package wrote.
type exprParser struct{ rest string }

var (
	identifier = pattern.New(`^(?:new )?[A-Za-z_$][\w$]*`)
	number     = pattern.New(`^-?[0-9]+(?:\.[0-9]+)?`)
	jsonText   = pattern.New(`^"(?:[^"\\]|\\.)*"`)
	plainText  = pattern.New(`^'([^'\\]*)'`)
	template   = pattern.New("^`(?:[^`\\\\]|\\\\.)*\\$\\{fresh\\}(?:[^`\\\\]|\\\\.)*`")

	statementStart = pattern.New(`^(?:const \w+ = )?(?:await )?`)
)

func (p *exprParser) skip(prefix string) bool {
	p.rest = strings.TrimLeft(p.rest, " ")
	rest, ok := strings.CutPrefix(p.rest, prefix)
	if ok {
		p.rest = strings.TrimLeft(rest, " ")
	}
	return ok
}

func (p *exprParser) expr() (expr, error) {
	e, err := p.head()
	for err == nil {
		switch {
		case strings.HasPrefix(p.rest, "."):
			p.rest = p.rest[1:]
			name := identifier.FindString(p.rest)
			if name == "" {
				return e, fmt.Errorf("no name follows a dot before %q", p.rest)
			}
			p.rest = p.rest[len(name):]
			e.links = append(e.links, link{name: name})
		case strings.HasPrefix(p.rest, "("):
			p.skip("(")
			var l link
			l.args, err = p.list(")")
			e.links = append(e.links, l)
		default:
			return e, nil
		}
	}
	return e, err
}

func (p *exprParser) head() (e expr, err error) {
	switch {
	case p.skip("["):
		e.open = "["
		e.items, err = p.list("]")
		return e, err
	case p.skip("{"):
		return p.object()
	}
	for _, form := range []*pattern.Pattern{jsonText, plainText, template, number, identifier} {
		text := form.FindString(p.rest)
		if text == "" {
			continue
		}
		p.rest = p.rest[len(text):]
		switch form {
		case jsonText:
			var value string
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				return e, fmt.Errorf("text %s: %w", text, err)
			}
			text = quotePlain(value)
		case plainText:
			text = quotePlain(text[1 : len(text)-1])
		}
		return expr{head: text}, nil
	}
	return e, fmt.Errorf("%q is no chain of calls", p.rest)
}

func (p *exprParser) list(end string) (items []expr, err error) {
	for !p.skip(end) {
		if len(items) > 0 && !p.skip(",") {
			return nil, fmt.Errorf("no comma stands before %q", p.rest)
		}
		item, err := p.expr()
		for err == nil && p.skip("+") {
			var next expr
			next, err = p.expr()
			parts := item.sum
			if parts == nil {
				parts = []expr{item}
			}
			item = expr{head: item.flat() + " + " + next.flat(), sum: append(parts, next)}
		}
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

func (p *exprParser) object() (e expr, err error) {
	e.open = "{"
	e.keys = []string{}
	for !p.skip("}") {
		if len(e.keys) > 0 && !p.skip(",") {
			return e, fmt.Errorf("no comma stands before %q", p.rest)
		}
		key := identifier.FindString(p.rest)
		if p.rest = p.rest[len(key):]; key == "" || !p.skip(":") {
			return e, fmt.Errorf("no key stands before %q", p.rest)
		}
		item, err := p.expr()
		if err != nil {
			return e, err
		}
		e.keys, e.items = append(e.keys, key), append(e.items, item)
	}
	return e, nil
}

// quotePlain returns a text as Prettier quotes it: in double quotes, unless it has more
// of them than of single ones.
func quotePlain(s string) string {
	text := quote(s)
	if text[0] == '`' || strings.Count(s, `"`) <= strings.Count(s, `'`) {
		return text
	}
	text = text[1 : len(text)-1]
	return "'" + strings.NewReplacer(`\\`, `\\`, `\"`, `"`, `'`, `\'`).Replace(text) + "'"
}

// width returns how many columns a text takes.
func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case wide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// wide reports whether a character takes two columns.
func wide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0x303e || r >= 0x3041 && r <= 0x33ff || r >= 0x3400 && r <= 0x4dbf || r >= 0x4e00 && r <= 0x9fff ||
		r >= 0xa000 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
		r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1f64f || r >= 0x1f680 && r <= 0x1f6ff || r >= 0x1f900 && r <= 0x1f9ff || r >= 0x20000 && r <= 0x3fffd)
}
