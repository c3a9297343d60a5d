package server

import "encoding/json"

// maxRawID bounds an id, and the name of a member of a message, in bytes as they stand in JSON.
const maxRawID = 1 << 10

// idFinder finds the id of a message that is not read whole: too long, or too deep. It is
// given the message in pieces, and keeps none of it but names and ids at its top.
type idFinder struct {
	depth           int
	inText, escaped bool
	value           bool // what comes is a member's value, not its name
	token           []byte
	tooMuch         bool // of the token
	name            string
	id              json.RawMessage // of the message, once it was read whole; nil: none yet
}

// feed reads the next piece.
func (f *idFinder) feed(piece []byte) {
	for _, c := range piece {
		switch {
		case f.id != nil:
			return
		case f.inText:
			f.text(c)
		default:
			f.structure(c)
		}
	}
}

// text reads a byte of a text.
func (f *idFinder) text(c byte) {
	f.keep(c)
	switch {
	case f.escaped:
		f.escaped = false
	case c == '\\':
		f.escaped = true
	case c == '"':
		f.inText = false
	}
}

// structure reads a byte between texts.
func (f *idFinder) structure(c byte) {
	switch c {
	case '"':
		f.keep(c)
		f.inText = true
	case '{', '[':
		f.keep(c) // so that a value that begins so is no id
		f.depth++
	case '}', ']':
		if f.depth == 1 {
			f.endMember()
		}
		f.depth--
	case ':':
		if f.depth == 1 && !f.value {
			f.name, f.value = f.takeName(), true
		}
	case ',':
		if f.depth == 1 {
			f.endMember()
		}
	case ' ', '\t', '\r', '\n':
	default:
		f.keep(c)
	}
}

// keep adds a byte to the name or value at the message's top.
func (f *idFinder) keep(c byte) {
	if f.depth != 1 {
		return
	}
	if len(f.token) == maxRawID {
		f.tooMuch = true
		return
	}
	f.token = append(f.token, c)
}

func (f *idFinder) takeName() (name string) {
	if f.tooMuch || json.Unmarshal(f.token, &name) != nil {
		name = ""
	}
	f.token, f.tooMuch = f.token[:0], false
	return name
}

// endMember ends a member, whose value is the id or not.
func (f *idFinder) endMember() {
	if f.value && f.name == "id" && !f.tooMuch {
		if id, valid := requestID(f.token); valid && json.Valid(id) {
			f.id = append(json.RawMessage{}, id...)
		}
	}
	f.token, f.tooMuch, f.value, f.name = f.token[:0], false, false, ""
}

// idOf returns the id of a message that can't be decoded, wherever it stands; nil where
// there is none.
func idOf(message []byte) json.RawMessage {
	var f idFinder
	f.feed(message)
	return f.id
}
