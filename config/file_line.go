package config

import (
	"errors"

	"github.com/BurntSushi/toml"
)

// line returns the line on which the file sets path, or 0 if the parser does not know it.
//
// The toml package keeps the positions to itself and reports them only in errors. So the value is
// decoded once more, by a decoder that always fails, and the line is read from that error.
func (f *file) line(path toml.Key) int {
	level := f.root
	for _, part := range path[:len(path)-1] {
		var inner map[string]toml.Primitive
		if err := f.meta.PrimitiveDecode(level[part], &inner); err != nil {
			return 0
		}
		level = inner
	}
	value, ok := level[path[len(path)-1]]
	if !ok {
		return 0
	}
	return f.lineOf(value)
}

func (f *file) lineOf(value toml.Primitive) int {
	var placed toml.ParseError
	if errors.As(f.meta.PrimitiveDecode(value, new(alwaysFails)), &placed) && placed.Position.Line > 0 {
		return placed.Position.Line
	}
	// A table that only its children imply, as a in [a.b], begins where the first of them does.
	var children map[string]toml.Primitive
	if err := f.meta.PrimitiveDecode(value, &children); err != nil {
		return 0
	}
	first := 0
	for _, child := range children {
		if line := f.lineOf(child); line > 0 && (first == 0 || line < first) {
			first = line
		}
	}
	return first
}

// alwaysFails refuses to be decoded from any value.
type alwaysFails struct{}

// UnmarshalTOML makes the decoder fail and so report its place.
func (*alwaysFails) UnmarshalTOML(any) error { return errors.New("refused") }
