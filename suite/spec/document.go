package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
)

// MaxBytes bounds a spec: no model reads a longer one with care.
const MaxBytes = 64 << 10

// maxFrontBytes bounds its front matter.
const maxFrontBytes = 16 << 10

// document holds one file of a spec, read but not yet joined with others.
type document struct {
	name     string
	front    front
	at       func(key string) int // line of a key of the front matter
	title    string
	pre      []entry
	steps    []entry // an entry with an include stands for the file's steps
	expected []entry
	cleanup  []entry
	data     *table
	prose    []entry
	within   bool // the section under way is a part of Steps
	sections bool // it has a known section, so its other text is beside the matter
	nearly   bool // a heading is nearly Steps
	stepsAt  int  // line of the heading Steps; 0: there is none

	source   []byte
	starts   []int // where each line of source begins
	problems []issue
}

// issue holds a problem with its place.
type issue struct {
	file, message string
	line          int
}

// entry holds one item of a section, with what is expected after it.
type entry struct {
	text     string
	line     int
	include  string
	expected []claim
	asks     bool // it said Expected: what follows is expected
	open     bool // what follows belongs to the last expectation
}

// claim holds something that must hold.
type claim struct {
	text string
	line int
}

// section names a known heading.
type section string

const (
	noSection     section = ""
	preconditions section = "preconditions"
	steps         section = "steps"
	expected      section = "expected"
	cleanup       section = "cleanup"
	data          section = "data"
)

// sections returns the headings that are known, with their other names.
func sections() map[string]section {
	return map[string]section{
		"preconditions": preconditions, "precondition": preconditions, "prerequisites": preconditions,
		"steps": steps, "test steps": steps, "steps to reproduce": steps, "expected": expected, "expected result": expected, "expected results": expected,
		"expectation": expected, "expectations": expected, "expected outcome": expected, "expected outcomes": expected, "expected behaviour": expected,
		"expected behavior": expected, "acceptance criteria": expected, "success criteria": expected, "pass criteria": expected, "assertions": expected, "verification": expected,
		"cleanup": cleanup, "clean up": cleanup, "clean-up": cleanup, "teardown": cleanup, "data": data,
	}
}

var includeForm = pattern.New(`^(?i:include):\s*(\S.*?)\s*$`)

// readDocument reads a file.
func readDocument(name string, content []byte) *document {
	d := &document{name: name, at: func(string) int { return 1 }}
	switch {
	case len(content) > MaxBytes:
		d.problem(1, "the file has %d bytes or more; accepted: up to %d. Is this the right file?", len(content), MaxBytes)
		return d
	case !utf8.Valid(content):
		d.problem(1, "the file is no UTF-8 text: save it as UTF-8")
		return d
	case controlForm.Match(content):
		d.problem(1, "the file has control characters: is it a text?")
		return d
	}
	plain := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(content), "\ufeff"))
	head, rest, found, err := cutFront(plain)
	switch {
	case err != nil:
		d.problem(1, "%v", err)
		return d
	case len(head) > maxFrontBytes:
		d.problem(1, "the front matter has %d bytes; accepted: up to %d", len(head), maxFrontBytes)
		return d
	}
	d.source = []byte(rest)
	d.starts = []int{0}
	for i, c := range d.source {
		if c == '\n' {
			d.starts = append(d.starts, i+1)
		}
	}
	if found {
		d.readFront(head)
	}
	d.readBody()
	return d
}

func (d *document) problem(line int, format string, args ...any) {
	d.problems = append(d.problems, issue{file: d.name, line: line, message: fmt.Sprintf(format, args...)})
}

// line returns the line of a place in the source, from 1.
func (d *document) line(offset int) int {
	i, found := slices.BinarySearch(d.starts, offset)
	if found {
		return i + 1
	}
	return i
}

// readBody sorts the blocks of the file into its sections. Only blocks are
// parsed: what stands in a line is the model's to read, and none of it is lost
// as a definition or a reference.
func (d *document) readBody() {
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	root := p.Parse(text.NewReader(d.source))
	in, level, stepsLevel, under := noSection, 0, 0, ""
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, isHeading := n.(*ast.Heading)
		if !isHeading {
			under = d.addBlock(in, n, under)
			continue
		}
		words := strings.TrimSpace(string(h.Lines().Value(d.source)))
		known, ok := d.sectionOf(words, d.line(h.Pos()))
		said := entry{line: d.line(h.Pos())}
		d.addLine(words, said.line, &said)
		d.expectHeading(in, under, said.line)
		if d.within = stepsLevel > 0 && h.Level > stepsLevel; !d.within {
			stepsLevel = 0
		}
		switch {
		case ok:
			in, level, under, d.sections = known, h.Level, "", true
			if in == steps && d.stepsAt == 0 {
				d.stepsAt = said.line
			}
			if in == steps {
				stepsLevel = h.Level
			}
		case len(said.expected) > 0:
			d.addText(in, said)
			under = ""
		case d.within:
			in, level, under = steps, stepsLevel, words // of the step that comes next
		case in != noSection && h.Level > level:
			under = words
		case d.title == "" && h.Level == 1:
			in, d.title = noSection, words
		default:
			in, under = noSection, ""
			d.prose = append(d.prose, entry{text: strings.Repeat("#", h.Level) + " " + words, line: said.line})
		}
	}
	d.expectHeading(in, under, len(d.starts))
}

// expectHeading makes an expectation of a heading in Steps that demands a look and has
// no step below it.
func (d *document) expectHeading(in section, heading string, line int) {
	if in == steps && claimForm.MatchString(heading) {
		d.expectAfterStep(entry{expected: []claim{{text: heading, line: line}}})
	}
}

// sectionOf returns the known section that a heading begins.
func (d *document) sectionOf(heading string, line int) (section, bool) {
	word := strings.ToLower(strings.Trim(strings.TrimSpace(heading), ":*_ "))
	all := sections()
	if s, ok := all[word]; ok {
		return s, true
	}
	names := []string{string(preconditions), string(steps), string(expected), string(cleanup), string(data)}
	if near := texts.Nearest(word, names); near != "" {
		d.nearly = d.nearly || near == string(steps)
		d.problem(line, "%q is no section; did you mean %q? If not, call it something less like it", heading, strings.ToUpper(near[:1])+near[1:])
	}
	return noSection, false
}

// addBlock puts a block into the section that it stands in. under is the heading
// of the next step, and is returned as long as no step took it.
func (d *document) addBlock(in section, n ast.Node, under string) string {
	if in == data {
		d.table(n)
		return under
	}
	if list, ok := n.(*ast.List); ok && in != noSection {
		for item := list.FirstChild(); item != nil; item = item.NextSibling() {
			e := entry{line: d.line(item.Pos())}
			d.readBlocks(item, &e)
			if under != "" && e.text != "" && !includeForm.MatchString(e.text) {
				e.text, under = under+":\n"+e.text, ""
			}
			if in == steps {
				e.claimOwnText()
			}
			d.addItem(in, e)
		}
		return under
	}
	e := entry{line: d.line(n.Pos())}
	d.readBlock(n, &e)
	if e.text != "" || len(e.expected) > 0 {
		d.addText(in, e)
	}
	return under
}

// addItem adds an item of a section's list.
func (d *document) addItem(in section, e entry) {
	if m := includeForm.FindStringSubmatch(e.text); m != nil {
		if in != steps || len(e.expected) > 0 {
			d.problem(e.line, "include: it goes into Steps as an item of its own, or into the front matter")
			return
		}
		d.steps = append(d.steps, entry{line: e.line, include: m[1]})
		return
	}
	switch {
	case e.text == "" && len(e.expected) == 0:
		d.problem(e.line, "this item says nothing")
	case in == steps && e.text == "":
		d.expectAfterStep(e)
	case in == steps:
		d.steps = append(d.steps, e)
	case in == expected:
		d.addExpected(e)
	default:
		d.addSetupOrCleanup(in, e)
	}
}

// expectAfterStep adds expectations to the last step.
func (d *document) expectAfterStep(e entry) {
	if len(d.steps) == 0 || d.steps[len(d.steps)-1].include != "" {
		for _, c := range e.expected {
			d.problem(c.line, "Expected without a step of this file before it: put it below its step, or into ## Expected")
		}
		return
	}
	last := &d.steps[len(d.steps)-1]
	last.expected = append(last.expected, e.expected...)
}

// addExpected adds an entry of Expected: the whole of it is one expectation, unless
// it says Expected itself.
func (d *document) addExpected(e entry) {
	if d.within { // of the step before it
		if e.text != "" {
			e.expected = append([]claim{{text: e.text, line: e.line}}, e.expected...)
		}
		d.expectAfterStep(e)
		return
	}
	if e.text != "" {
		d.expected = append(d.expected, entry{text: e.text, line: e.line})
	}
	for _, c := range e.expected {
		if c.text != e.text {
			d.expected = append(d.expected, entry{text: c.text, line: c.line})
		}
	}
}

// addSetupOrCleanup adds an entry of Preconditions or Cleanup, where nothing is expected.
func (d *document) addSetupOrCleanup(in section, e entry) {
	for _, c := range e.expected {
		d.problem(c.line, "Expected in %s has no step that it belongs to: move it below a step", in)
	}
	if in == preconditions {
		d.pre = append(d.pre, e)
	} else {
		d.cleanup = append(d.cleanup, e)
	}
}

// addText adds text that stands in no list.
func (d *document) addText(in section, e entry) {
	switch {
	case in == noSection, strings.HasSuffix(e.text, ":") && len(e.expected) == 0: // it leads to a list
		d.prose = append(d.prose, e)
	case in == steps && len(d.steps) > 0 && d.steps[len(d.steps)-1].include == "":
		last := &d.steps[len(d.steps)-1]
		last.text = strings.TrimSpace(last.text + "\n" + e.text)
		e.claimOwnText()
		last.expected = append(last.expected, e.expected...)
	case in == steps && len(e.expected) > 0:
		d.expectAfterStep(e)
	case in == steps:
		d.prose = append(d.prose, e)
	default:
		d.addItem(in, e)
	}
}
