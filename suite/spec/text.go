package spec

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	forms "github.com/assay-qa/assay/qa/claim"
)

var (
	// expectedForm begins what must hold, at the beginning of a line or within it.
	expectedForm = pattern.New(`(?i)(?:^|[^\pL\pN])[*_]{0,3}(expected(?:\s+(?:results?|outcomes?|behaviou?rs?))?|expects?|expectations?)(?:[*_]|</\w+>){0,3}\s*[:：][*_]{0,3}(?:\s|</\w+>)*`)
	// claimForm matches a sentence that demands a look rather than an action.
	// "Check the box" is an action, so Check and Confirm need their "that".
	claimForm = pattern.New(`^(?i:(?:[-*+]\s+)?[*_]{0,3}(?:(?:verify|expect|expected|assert|ensure|make sure|(?:check|confirm)\s+(?:that|whether|if))\b|check\s*:))`)
	// labelForm matches a line with a label that may be a misspelt Expected.
	labelForm   = pattern.New(`^(?:[-*+]\s+)?[*_]{0,3}([A-Za-z]{4,10})[*_]{0,3}\s*:`)
	taskForm    = pattern.New(`^\[[ xX]\]\s+`)
	tableForm   = pattern.New(`^\|.*\|\s*[*_]{0,3}(?i:expected)\b[^|]*\|`)
	tagForm     = pattern.New(`<[^<>]*>`)
	wordForm    = pattern.New(`[\pL\pN]`)
	secretForm  = pattern.New(`\{\{\s*secret:([^{}]+?)\s*\}\}`)
	sentenceEnd = pattern.New(`[.!?](?:\s+|$)`)
)

// readBlocks reads the blocks within a block.
func (d *document) readBlocks(holder ast.Node, e *entry) {
	for n := holder.FirstChild(); n != nil; n = n.NextSibling() {
		d.readBlock(n, e)
	}
	if e.asks && len(e.expected) == 0 {
		d.problem(e.line, "Expected: says nothing: put what must hold behind it, or as a list below it")
	}
}

// readBlock reads one block.
func (d *document) readBlock(n ast.Node, e *entry) {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		info := ""
		if n.Info != nil {
			info = string(n.Info.Segment.Value(d.source))
		}
		e.appendText("```"+info+"\n"+string(n.Lines().Value(d.source))+"```", d.line(n.Pos()))
	case *ast.List:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			d.addNested(item, e)
		}
	case *ast.ThematicBreak:
	case *ast.Blockquote:
		d.readBlocks(n, e)
	default: // paragraphs, headings, and what looks like code or HTML and may hold an Expected
		d.readLines(n, e)
	}
}

// readLines reads the lines of a block.
func (d *document) readLines(n ast.Node, e *entry) {
	e.open = false
	var text strings.Builder
	var starts []int
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		text.WriteString(strings.TrimSuffix(string(s.Value(d.source)), "\n") + "\n")
		starts = append(starts, s.Start)
	}
	h, isHTML := n.(*ast.HTMLBlock)
	if isHTML && h.HasClosure() {
		text.Write(h.ClosureLine.Value(d.source))
		starts = append(starts, h.ClosureLine.Start)
	}
	left, closed := stripComments(text.String())
	if isHTML && !closed {
		d.problem(d.line(n.Pos()), "this comment has no end, so all below it is left out: write --> where it ends")
		return
	}
	for i, line := range strings.Split(left, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			d.addLine(line, d.line(starts[min(i, len(starts)-1)]), e)
		}
	}
}

// stripComments returns a text without its HTML comments, with all of its lines. A
// comment in a code span, or without an end, is none; closed is false then.
func stripComments(text string) (left string, closed bool) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "<!--")
		out.WriteString(before)
		if !found {
			return out.String(), true
		}
		line := out.String()
		if inCode := strings.Count(line[strings.LastIndexByte(line, '\n')+1:], "`")%2 == 1; inCode {
			out.WriteString("<!--")
			text = after
			continue
		}
		comment, rest, ends := strings.Cut(after, "-->")
		if !ends {
			return out.String() + "<!--" + after, false
		}
		out.WriteString(strings.Repeat("\n", strings.Count(comment, "\n")))
		text = rest
	}
}

// addLine adds one line of text: an expectation, or more of what was there.
func (d *document) addLine(line string, at int, e *entry) {
	line = taskForm.ReplaceAllString(line, "")
	if before, after, ok := cutExpected(line); ok {
		if before != "" {
			e.appendText(before, at)
		}
		e.asks, e.open = true, false
		if after != "" {
			d.addLine(after, at, e)
		}
		return
	}
	if tableForm.MatchString(line) {
		d.problem(at, "a table has no steps: write them as a list, with Expected below each")
	}
	if m := labelForm.FindStringSubmatch(line); m != nil {
		if near := text.Nearest(m[1], []string{"Expected", "Expect"}); near != "" {
			d.problem(at, "%q: did you mean %q? If not, begin the line with something less like it", m[1]+":", near+":")
		}
	}
	e.appendText(line, at)
}

// cutExpected cuts a line where it says Expected: at its beginning, behind a mark
// or a tag, or as a sentence of its own. In quotes it is a text, and "as expected:"
// is none either.
func cutExpected(line string) (before, after string, ok bool) {
	for _, m := range expectedForm.FindAllStringSubmatchIndex(line, -1) {
		before = strings.TrimRight(line[:m[2]], " \t*_")
		last, _ := utf8.DecodeLastRuneInString(before)
		word := before != "" && (unicode.IsLetter(last) || unicode.IsNumber(last))
		if strings.ContainsRune("\"'`“„«‘", last) || word && line[m[2]] != 'E' || strings.Count(before, "`")%2 == 1 {
			continue
		}
		before = strings.TrimRight(tagForm.ReplaceAllString(before, " "), " \t([-–—→⇒>")
		if !wordForm.MatchString(before) {
			before = ""
		}
		return before, strings.TrimSpace(line[m[1]:]), true
	}
	return "", "", false
}

// appendText adds to the open expectation, begins one after "Expected:", or
// adds to the text.
func (e *entry) appendText(text string, at int) {
	switch {
	case e.open:
		last := &e.expected[len(e.expected)-1]
		last.text += "\n" + text
	case e.asks:
		e.expected, e.open = append(e.expected, claim{text: text, line: at}), true
	default:
		e.text = strings.TrimSpace(e.text + "\n" + text)
	}
}

// addNested adds an item of a list within an item: an expectation, a part of the
// one above it, or a part of the text.
func (d *document) addNested(item ast.Node, e *entry) {
	sub := entry{line: d.line(item.Pos())}
	d.readBlocks(item, &sub)
	switch {
	case sub.text == "": // it says only what is expected
	case e.asks && !e.open, !e.open && claimForm.MatchString(sub.text):
		e.expected = append(e.expected, claim{text: sub.text, line: sub.line})
	default:
		e.appendText("- "+strings.ReplaceAll(sub.text, "\n", "\n  "), sub.line)
	}
	if len(sub.expected) > 0 {
		e.expected, e.open = append(e.expected, sub.expected...), false
	}
}

// claimOwnText makes a step that demands a look its own expectation, or those of
// its sentences that do.
func (e *entry) claimOwnText() {
	own := claims(e.text, e.line)
	if claimForm.MatchString(e.text) {
		own = []claim{{text: e.text, line: e.line}}
	}
	e.expected = append(own, e.expected...)
}

// checkBehindActs returns what a sentence says must hold after what it does: Click "Save"
// and see "Saved".
func checkBehindActs(sentence string) string {
	plain := secretForm.ReplaceAllString(strings.Trim(sentence, "-*•. \t"), "$${secret:$1}")
	_, check, unread := forms.ReadStep(plain)
	if unread != nil || strings.Contains(check, "${secret:") {
		return ""
	}
	return check
}

// claims returns the sentences of a text that demand a look, and what others say must hold after an act. What is code demands
// nothing.
func claims(text string, line int) (out []claim) {
	code := false
	for i, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "```") {
			code = !code
		}
		for l != "" && !code {
			sentence := l
			if end := sentenceEnd.FindStringIndex(l); end != nil {
				sentence, l = l[:end[1]], l[end[1]:]
			} else {
				l = ""
			}
			if sentence = strings.TrimSpace(sentence); claimForm.MatchString(sentence) {
				out = append(out, claim{text: sentence, line: line + i})
			} else if check := checkBehindActs(sentence); check != "" {
				out = append(out, claim{text: check, line: line + i})
			}
		}
	}
	return out
}
