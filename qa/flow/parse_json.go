package flow

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxDepth bounds the depth of values; it is deeper than any flow nests.
const maxDepth = 12

// parseJSON reads a JSON document into a node. line tells where it is wrong.
func parseJSON(data []byte) (n node, line int, err error) {
	p := jsonParser{data: data, decoder: json.NewDecoder(bytes.NewReader(data)), line: 1}
	p.decoder.UseNumber()
	n, err = p.value(0)
	if err == nil {
		if _, _, more := p.next(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the end of the document")
		}
	}
	if err != nil {
		return node{}, p.errorLine(err), fmt.Errorf("not valid JSON: %w", readableJSON(err))
	}
	return n, 0, nil
}

type jsonParser struct {
	data    []byte
	decoder *json.Decoder
	counted int // bytes whose lines are counted
	line    int
}

// next returns the next token and the line it ends on.
func (p *jsonParser) next() (json.Token, int, error) {
	token, err := p.decoder.Token()
	return token, p.lineAt(int(p.decoder.InputOffset())), err
}

// lineAt counts on from where it stopped, so that a whole file is counted once.
func (p *jsonParser) lineAt(offset int) int {
	if offset = min(offset, len(p.data)); offset > p.counted {
		p.line += bytes.Count(p.data[p.counted:offset], []byte("\n"))
		p.counted = offset
	}
	return p.line
}

func (p *jsonParser) errorLine(err error) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return p.lineAt(int(syntax.Offset))
	}
	return p.line
}

func readableJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends too early")
	}
	return err
}

func (p *jsonParser) value(depth int) (node, error) {
	token, line, err := p.next()
	if err != nil {
		return node{}, err
	}
	if depth > maxDepth {
		return node{}, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	}
	n := node{line: line}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			n.kind = table
			err = p.table(&n, depth)
		} else {
			n.kind = list
			err = p.list(&n, depth)
		}
	case json.Number:
		n.value, err = number(v)
	case nil: // a field is left out, and no list takes it
		n.null = true
	default:
		n.value = v
	}
	return n, err
}

func number(v json.Number) (any, error) {
	if !strings.ContainsAny(v.String(), ".eE") {
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
	}
	return v.Float64()
}

func (p *jsonParser) table(n *node, depth int) error {
	for p.decoder.More() {
		key, line, err := p.next()
		if err != nil {
			return err
		}
		name, ok := key.(string)
		if !ok {
			return fmt.Errorf("%v is no key", key)
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.fields = append(n.fields, field{name: name, line: line, node: value})
	}
	_, _, err := p.next()
	return err
}

func (p *jsonParser) list(n *node, depth int) error {
	for p.decoder.More() {
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, value)
	}
	_, _, err := p.next()
	return err
}
