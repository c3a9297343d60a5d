package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	"github.com/grafana/sobek/parser"
)

// Bounds of a file. The parser recurses, and where brackets are nested it reads them
// again and again.
const (
	MaxBytes    = 32 << 10  // of a file that a model wrote
	MaxOwnBytes = 512 << 10 // of one that a person keeps
	maxNesting  = 100
)

// File holds a parsed test file.
type File struct {
	Source string
	Body   []ast.Statement
}

// Problem says what is wrong in a file, and where.
type Problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (p Problem) Error() string { return fmt.Sprintf("line %d:%d: %s", p.Line, p.Column, p.Message) }

// Parse reads a file that a model wrote. Its error is a [Problem] with the first place
// that does not parse, or that other readers of JavaScript could read otherwise.
func Parse(source []byte) (File, error) { return parse(source, MaxBytes) }

// ParseOwn is the same for a file that a person keeps, which may be larger.
func ParseOwn(source []byte) (File, error) { return parse(source, MaxOwnBytes) }

func parse(source []byte, most int) (f File, err error) {
	f.Source = string(source)
	if len(source) > most {
		return f, Problem{Line: 1, Column: 1, Message: fmt.Sprintf("the file has %d bytes, more than %d: split it", len(source), most)}
	}
	if !utf8.Valid(source) {
		return f, Problem{Line: 1, Column: 1, Message: "the file is not UTF-8"}
	}
	if bytes.HasPrefix(source, []byte("#!")) {
		return f, Problem{Line: 1, Column: 1, Message: "a first line that names an interpreter is not accepted"}
	}
	depth := 0 // texts are counted too, which only ever refuses more
	for at, r := range f.Source {
		switch {
		case hidden(r):
			return f, f.problem(at, fmt.Sprintf("the character U+%04X is not accepted: it is not seen, or ends lines for some readers only", r))
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth = max(depth-1, 0)
		}
		if depth > maxNesting {
			return f, f.problem(at, fmt.Sprintf("brackets are nested more than %d deep", maxNesting))
		}
	}
	defer func() { // the parser is not ours: no input may end the process
		if p := recover(); p != nil {
			err = Problem{Line: 1, Column: 1, Message: fmt.Sprintf("the parser gave up: %v", p)}
		}
	}()
	program, err := parser.ParseFile(nil, "", f.Source, 0, parser.WithDisableSourceMaps, parser.IsModule)
	if err != nil {
		return f, syntaxProblem(err)
	}
	f.Body = program.Body
	return f, nil
}

// hidden reports whether a character is invisible, reorders text, or is a line end in
// JavaScript alone.
func hidden(r rune) bool {
	return r != '\n' && r != '\t' && r != '\r' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029')
}

// syntaxProblem returns the first error of the parser with the way out.
func syntaxProblem(err error) Problem {
	p := Problem{Line: 1, Column: 1, Message: err.Error()}
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		p = Problem{Line: list[0].Position.Line, Column: list[0].Position.Column, Message: list[0].Message}
	}
	p.Message = "it is no plain JavaScript: " + strings.TrimSuffix(p.Message, ".") + "; leave out type annotations and what is newer than ES2022"
	return p
}

// Offset returns where a node's index stands in the source, in bytes.
func (f File) Offset(at file.Idx) int { return min(max(int(at)-1, 0), len(f.Source)) }

// Text returns the source between two indices.
func (f File) Text(from, to file.Idx) string {
	start := f.Offset(from)
	return f.Source[start:max(start, f.Offset(to))]
}

// Problem returns a problem at a node's index.
func (f File) Problem(at file.Idx, format string, args ...any) Problem {
	return f.problem(f.Offset(at), fmt.Sprintf(format, args...))
}

func (f File) problem(offset int, message string) Problem {
	before := f.Source[:offset]
	line := strings.LastIndexByte(before, '\n') + 1
	return Problem{Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[line:]) + 1, Message: message}
}
