package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// parseJSON reads a JSON document.
func parseJSON(data []byte) (Node, error) {
	p := jsonParser{data: data, decoder: json.NewDecoder(bytes.NewReader(data)), line: 1}
	p.decoder.UseNumber()
	n, err := p.value(0)
	if err == nil {
		if _, _, more := p.next(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the end of the document")
		}
	}
	if err != nil {
		return Node{}, &SyntaxError{Line: p.errorLine(err), Message: fmt.Sprintf("not valid JSON: %v", readableJSON(err))}
	}
	return n, nil
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

func (p *jsonParser) value(depth int) (Node, error) {
	token, line, err := p.next()
	if err != nil {
		return Node{}, err
	}
	if depth > MaxDepth {
		return Node{}, fmt.Errorf("it is nested deeper than %d levels", MaxDepth)
	}
	n := Node{Line: line}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			n.Kind = Table
			err = p.table(&n, depth)
		} else {
			n.Kind = List
			err = p.list(&n, depth)
		}
	case json.Number:
		n.Value, err = number(v)
	case nil: // a field is left out, and no list takes it
		n.Null = true
	default:
		n.Value = v
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

func (p *jsonParser) table(n *Node, depth int) error {
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
		n.Fields = append(n.Fields, Field{Name: name, Line: line, Node: value})
	}
	_, _, err := p.next()
	return err
}

func (p *jsonParser) list(n *Node, depth int) error {
	for p.decoder.More() {
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, value)
	}
	_, _, err := p.next()
	return err
}
