package document

import (
	"bytes"
	"errors"
	"sort"

	"github.com/pelletier/go-toml/v2/unstable"
)

// place tells where a key or an element of a TOML document stands, and where what is in
// it does.
type place struct {
	line   int
	fields map[string]*place
	items  []*place
}

// item returns the place of an element, nil where it is not known.
func (p *place) item(i int) *place {
	if i < len(p.items) {
		return p.items[i]
	}
	return nil
}

// child returns the place of a key, which is made where it is new.
func (p *place) child(name string, line int) *place {
	if p.fields == nil {
		p.fields = map[string]*place{}
	}
	if p.fields[name] == nil {
		p.fields[name] = &place{line: line}
	}
	return p.fields[name]
}

// last returns where keys below a header go on: in the newest element of a list of tables.
func (p *place) last() *place {
	if len(p.items) > 0 {
		return p.items[len(p.items)-1]
	}
	return p
}

// places holds where the keys of a document stand.
type places struct {
	root    *place
	deep    int    // the line on which it nests deeper than [MaxDepth]; 0 for none
	read    int    // bytes that were read, up to the end of a line
	problem string // why it was not read to its end
	line    int    // of the problem
}

// maxUnread bounds the brackets of an expression that can't be read: a parser may call
// itself for each of them.
const maxUnread = 1000

// placesOf tells where the keys of a TOML document stand. It says nothing of values.
func placesOf(data []byte) places {
	s := tomlPlaces{data: data, lines: lineEnds(data)}
	out := places{root: &place{line: 1}, read: len(data)}
	s.parser.Reset(data)
	at, depth := out.root, 0
	for s.parser.NextExpression() && s.deep == 0 {
		switch e := s.parser.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			at, depth = s.header(out.root, e)
		case unstable.KeyValue:
			s.pair(at, e, depth)
		default: // comments are not kept
		}
	}
	out.deep = s.deep
	var broken *unstable.ParserError
	if err := s.parser.Error(); out.deep == 0 && errors.As(err, &broken) {
		offset := int(s.parser.Range(broken.Highlight).Offset)
		out.problem, out.line = broken.Message, s.lineAt(offset)
		if end := bytes.IndexByte(data[offset:], '\n'); end >= 0 {
			out.read = offset + end + 1
		}
		unread := data[s.seen:offset]
		if bytes.Count(unread, []byte("["))+bytes.Count(unread, []byte("{")) > maxUnread {
			out.deep = out.line
		}
	}
	return out
}

type tomlPlaces struct {
	parser unstable.Parser
	data   []byte
	lines  []int // offsets of the ends of lines
	seen   int   // offset of the newest key
	deep   int
}

func lineEnds(data []byte) []int {
	var out []int
	for i, c := range data {
		if c == '\n' {
			out = append(out, i)
		}
	}
	return out
}

func (s *tomlPlaces) lineAt(offset int) int { return sort.SearchInts(s.lines, offset) + 1 }

// enter notes a line that is too deep.
func (s *tomlPlaces) enter(depth, line int) bool {
	if depth > MaxDepth && s.deep == 0 {
		s.deep = line
	}
	return s.deep == 0
}

// key returns the place of a dotted key below at, and how many parts it has.
func (s *tomlPlaces) key(at *place, parts unstable.Iterator, depth int) (end *place, deeper int) {
	for parts.Next() {
		part := parts.Node()
		s.seen = int(part.Raw.Offset)
		depth++
		line := s.lineAt(s.seen)
		if !s.enter(depth, line) {
			return at, depth
		}
		at = at.child(string(part.Data), line)
		if !parts.IsLast() {
			at = at.last()
		}
	}
	return at, depth
}

// header takes [a.b] or [[a.b]] and returns the place of what follows.
func (s *tomlPlaces) header(root *place, e *unstable.Node) (*place, int) {
	at, depth := s.key(root, e.Key(), 0)
	if e.Kind == unstable.ArrayTable {
		at.items = append(at.items, &place{line: s.lineAt(s.seen)})
		depth++
	}
	return at.last(), depth
}

func (s *tomlPlaces) pair(at *place, e *unstable.Node, depth int) {
	end, depth := s.key(at, e.Key(), depth)
	s.value(end, e.Value(), depth)
}

// value notes the places of what is in a value. A list has no place of its own: it is
// where the one around it is, or what is in it.
func (s *tomlPlaces) value(at *place, v *unstable.Node, depth int) {
	if v.Kind != unstable.Array && v.Kind != unstable.InlineTable || !s.enter(depth, at.line) {
		return
	}
	for inside := v.Children(); inside.Next(); {
		child := inside.Node()
		if v.Kind == unstable.InlineTable {
			s.pair(at, child, depth)
			continue
		}
		line := at.line
		if offset, known := start(child); known {
			line = s.lineAt(offset)
		} else if n := len(at.items); n > 0 {
			line = at.items[n-1].line
		}
		at.items = append(at.items, &place{line: line})
		s.value(at.items[len(at.items)-1], child, depth+1)
	}
}

// start returns where a value begins, as far as its first part tells.
func start(v *unstable.Node) (offset int, known bool) {
	for v.Kind == unstable.Array {
		if v = v.Child(); v == nil {
			return 0, false
		}
	}
	return int(v.Raw.Offset), v.Raw.Length > 0
}
