package claim

import (
	"fmt"
	"strings"
)

// A pattern of the tables is a row of words. In it (a|b c) are alternatives,
// [a] may be missing, <name> stands for a class of words, and {name} for one
// whose value the form needs; {name:as} keeps it under another name. Letters of
// scripts without spaces are a word each.

type op int

const (
	opWord op = iota
	opAll
	opAny
	opMaybe
	opClass
)

type node struct {
	op   op
	text string // a word, or the name of a class
	as   string // under what name the value is kept; empty: it is not
	kids []*node
}

// compilePattern reads a pattern.
func compilePattern(text string) (*node, error) {
	r := patternReader{rest: text}
	n := r.alternatives()
	if r.err == nil && r.rest != "" {
		r.err = fmt.Errorf("%q is left", r.rest)
	}
	if r.err != nil {
		return nil, fmt.Errorf("pattern %q: %w", text, r.err)
	}
	return n, nil
}

type patternReader struct {
	rest string
	err  error
}

func (r *patternReader) alternatives() *node {
	kids := []*node{r.row()}
	for strings.HasPrefix(r.rest, "|") {
		r.rest = r.rest[1:]
		kids = append(kids, r.row())
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return &node{op: opAny, kids: kids}
}

func (r *patternReader) row() *node {
	all := &node{op: opAll}
	for r.err == nil {
		r.rest = strings.TrimLeft(r.rest, " ")
		if r.rest == "" || strings.ContainsRune("|)]", rune(r.rest[0])) {
			break
		}
		switch r.rest[0] {
		case '(':
			all.kids = append(all.kids, r.group(')'))
		case '[':
			all.kids = append(all.kids, &node{op: opMaybe, kids: []*node{r.group(']')}})
		case '{', '<':
			all.kids = append(all.kids, r.class())
		default:
			all.kids = append(all.kids, r.words()...)
		}
	}
	return all
}

func (r *patternReader) group(end byte) *node {
	r.rest = r.rest[1:]
	n := r.alternatives()
	if !strings.HasPrefix(r.rest, string(end)) {
		r.err = fmt.Errorf("%c is missing", end)
		return n
	}
	r.rest = r.rest[1:]
	return n
}

func (r *patternReader) class() *node {
	end, keep := ">", false
	if r.rest[0] == '{' {
		end, keep = "}", true
	}
	name, rest, ok := strings.Cut(r.rest[1:], end)
	if !ok {
		r.err = fmt.Errorf("%s is missing", end)
	}
	r.rest = rest
	n := &node{op: opClass, text: name}
	if keep {
		name, as, renamed := strings.Cut(name, ":")
		if n.text, n.as = name, name; renamed {
			n.as = as
		}
	}
	return n
}

func (r *patternReader) words() []*node {
	end := strings.IndexAny(r.rest, " ([{<|)]")
	if end < 0 {
		end = len(r.rest)
	}
	text := r.rest[:end]
	r.rest = r.rest[end:]
	var out []*node
	run := ""
	for _, c := range text {
		if !isSpacelessScript(c) {
			run += string(c)
			continue
		}
		if run != "" {
			out, run = append(out, &node{op: opWord, text: run}), ""
		}
		out = append(out, &node{op: opWord, text: string(c)})
	}
	if run != "" {
		out = append(out, &node{op: opWord, text: run})
	}
	return out
}

// each calls visit for a node and all below it.
func (n *node) each(visit func(*node)) {
	visit(n)
	for _, k := range n.kids {
		k.each(visit)
	}
}

// withoutHead returns a pattern without its first class, and that class; nil where it
// does not begin with one.
func (n *node) withoutHead() (head, rest *node) {
	if n.op != opAll || len(n.kids) < 2 || n.kids[0].op != opClass {
		return nil, nil
	}
	return n.kids[0], &node{op: opAll, kids: n.kids[1:]}
}
