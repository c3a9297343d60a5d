package spec

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/assay-qa/assay/internal/pattern"
)

// table holds the data of a spec.
type table struct {
	names []string
	rows  [][]string
	line  int
	lines []int // of the rows
}

// maxRows bounds the runs of one spec.
const maxRows = 500

var ruleForm = pattern.New(`^\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?$`)

// table reads the table of the section Data. Its rows are read as they stand, so
// that a cell too many or too few is an error instead of being cut or filled up.
func (d *document) table(n ast.Node) {
	if _, ok := n.(*ast.HTMLBlock); ok {
		e := entry{}
		if d.readLines(n, &e); e.text == "" && len(e.expected) == 0 {
			return // a comment
		}
	}
	at := d.line(n.Pos())
	if d.data != nil {
		d.problem(at, "Data holds one table: put all rows into it")
		return
	}
	p, ok := n.(*ast.Paragraph)
	if !ok || p.Lines().Len() < 2 {
		d.problem(at, "Data holds a table: a line with the names, a line such as |---|---|, and a line for each run")
		return
	}
	t := &table{line: at}
	for i := range p.Lines().Len() {
		s := p.Lines().At(i)
		line, number := strings.TrimSpace(string(s.Value(d.source))), d.line(s.Start)
		switch i {
		case 0:
			t.names = cells(line)
			d.checkNames(t.names, number)
		case 1:
			if !ruleForm.MatchString(line) || len(cells(line)) != len(t.names) {
				d.problem(number, "below the names of a table stands a line such as %s", "|"+strings.Repeat("---|", len(t.names)))
				return
			}
		default:
			row := cells(line)
			if len(row) != len(t.names) {
				d.problem(number, "this row has %d cells, and there are %d names; a | within a cell is written \\|", len(row), len(t.names))
			}
			t.rows, t.lines = append(t.rows, row), append(t.lines, number)
		}
	}
	switch {
	case len(t.rows) == 0:
		d.problem(at, "the table has no rows: nothing would be run")
	case len(t.rows) > maxRows:
		d.problem(at, "the table has %d rows; accepted: up to %d", len(t.rows), maxRows)
	}
	d.data = t
}

func (d *document) checkNames(names []string, line int) {
	for i, name := range names {
		if !varForm.MatchString(name) {
			d.problem(line, "column %d is called %q: a name has letters, digits and _ . -, and begins with a letter", i+1, name)
		} else if slices.Contains(names[:i], name) {
			d.problem(line, "two columns are called %q", name)
		}
	}
}

// cells returns the cells of a row: GitHub's tables split at each | that has no
// backslash before it.
func cells(line string) []string {
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = strings.TrimSuffix(line, "|")
	}
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}
