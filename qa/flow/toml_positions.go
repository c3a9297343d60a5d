package flow

import (
	"bytes"
	"fmt"
	"strings"
)

// tomlLines finds the line of each key of a document that the parser has
// accepted already: by its path, such as steps[2].selector. The toml package
// keeps positions per key and not per element of a list, so that all steps
// would seem to stand where the last one does.
func tomlLines(data []byte) map[string]int {
	s := tomlScanner{data: data, line: 1, lines: map[string]int{"": 1}, counts: map[string]int{}}
	s.document()
	return s.lines
}

// tooDeep returns the line on which a document nests deeper than any flow
// does, or 0. The parser's memory grows with the square of the depth.
func tooDeep(data []byte) int {
	s := tomlScanner{data: data, line: 1}
	brackets, dots := 0, 0
	for s.at < len(data) {
		switch c := data[s.at]; c {
		case '"', '\'':
			s.skipString()
			continue
		case '#':
			s.skipComment()
			continue
		case '[', '{':
			brackets, dots = brackets+1, 0
		case ']', '}':
			brackets = max(0, brackets-1)
		case '.':
			dots++
		case '=', ',', '\n':
			dots = 0
		}
		if brackets > maxDepth || dots > maxDepth {
			return s.line
		}
		s.step()
	}
	return 0
}

type tomlScanner struct {
	data   []byte
	at     int
	line   int
	lines  map[string]int
	counts map[string]int // elements of each list of tables so far
}

func (s *tomlScanner) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

// step takes one byte.
func (s *tomlScanner) step() {
	if s.peek() == '\n' {
		s.line++
	}
	s.at++
}

func (s *tomlScanner) skipComment() {
	for s.at < len(s.data) && s.peek() != '\n' {
		s.step()
	}
}

// skipBlank takes white space, line ends and comments.
func (s *tomlScanner) skipBlank() {
	for s.at < len(s.data) {
		switch s.peek() {
		case ' ', '\t', '\r', '\n':
			s.step()
		case '#':
			s.skipComment()
		default:
			return
		}
	}
}

// skipString takes a string of any of the four kinds.
func (s *tomlScanner) skipString() {
	quote := s.data[s.at : s.at+1]
	end := quote
	if long := bytes.Repeat(quote, 3); bytes.HasPrefix(s.data[s.at:], long) {
		end = long
	}
	for range end {
		s.step()
	}
	for s.at < len(s.data) {
		switch {
		case quote[0] == '"' && s.peek() == '\\':
			s.step()
			s.step()
		case bytes.HasPrefix(s.data[s.at:], end):
			for range end {
				s.step()
			}
			for len(end) == 3 && s.peek() == quote[0] { // up to two more belong to the text
				s.step()
			}
			return
		case len(end) == 1 && s.peek() == '\n':
			return // never closed; the parser says so
		default:
			s.step()
		}
	}
}

func (s *tomlScanner) document() {
	prefix := ""
	for {
		s.skipBlank()
		if s.at >= len(s.data) {
			return
		}
		line := s.line
		if s.peek() == '[' {
			prefix = s.header()
		} else {
			s.pair(prefix)
		}
		s.note(prefix, line)
	}
}

// note records the first line of a path.
func (s *tomlScanner) note(path string, line int) {
	if _, known := s.lines[path]; !known {
		s.lines[path] = line
	}
}

// header takes [a.b] or [[a.b]] and returns the path of what follows.
func (s *tomlScanner) header() string {
	s.step()
	element := s.peek() == '['
	if element {
		s.step()
	}
	path := ""
	parts := s.key()
	for i, part := range parts {
		path = strings.TrimPrefix(path+"."+part, ".")
		last := i == len(parts)-1
		if last && element {
			s.note(path, s.line)
			s.counts[path]++
		}
		if n := s.counts[path]; n > 0 {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
	}
	for s.peek() == ']' {
		s.step()
	}
	return path
}

// key takes a dotted key and returns its parts.
func (s *tomlScanner) key() []string {
	var parts []string
	for {
		s.skipBlank()
		start := s.at
		if c := s.peek(); c == '"' || c == '\'' {
			s.skipString()
			parts = append(parts, strings.Trim(string(s.data[start:s.at]), string(c)))
		} else {
			for c := s.peek(); s.at < len(s.data) && !bytes.ContainsRune([]byte(" \t\r\n.=]"), rune(c)); c = s.peek() {
				s.step()
			}
			parts = append(parts, string(s.data[start:s.at]))
		}
		for s.peek() == ' ' || s.peek() == '\t' {
			s.step()
		}
		if s.peek() != '.' {
			return parts
		}
		s.step()
	}
}

// pair takes key = value below prefix.
func (s *tomlScanner) pair(prefix string) {
	line, path := s.line, prefix
	for _, part := range s.key() {
		path = strings.TrimPrefix(path+"."+part, ".")
		s.note(path, line)
	}
	if s.peek() != '=' { // the parser would not have accepted it
		s.step()
		return
	}
	s.step()
	s.value(path)
}

// value takes a value, and notes the lines of what is in it.
func (s *tomlScanner) value(path string) {
	s.skipBlank()
	switch c := s.peek(); c {
	case '"', '\'':
		s.skipString()
	case '[':
		s.step()
		for i := 0; ; i++ {
			if s.skipBlank(); s.peek() == ']' || s.at >= len(s.data) {
				break
			}
			at, start := fmt.Sprintf("%s[%d]", path, i), s.at
			s.note(at, s.line)
			s.value(at)
			s.comma(start)
		}
		s.step()
	case '{':
		s.step()
		for {
			if s.skipBlank(); s.peek() == '}' || s.at >= len(s.data) {
				break
			}
			start := s.at
			s.pair(path)
			s.comma(start)
		}
		s.step()
	default:
		for s.at < len(s.data) && !bytes.ContainsRune([]byte(",]}\n#"), rune(s.peek())) {
			s.step()
		}
	}
}

// comma takes what stands between two elements, and something in any case: a
// document that this scanner misreads must not hold it up.
func (s *tomlScanner) comma(start int) {
	if s.skipBlank(); s.peek() == ',' || s.at == start {
		s.step()
	}
}
