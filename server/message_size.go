package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Bounds of one message. A tool's arguments are small; what is larger, or nested
// deeper, is a mistake or an attack, and would cost memory before any tool sees it.
const (
	maxMessage = 8 << 20 // bytes of a line
	maxDepth   = 1000    // objects and lists within each other
)

// readLine reads a line, or the beginning of one that is too long: long
// reports that, and [skipLine] drops the rest.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(line)+len(piece) > maxMessage {
			return append(line, piece...)[:maxMessage], piece[len(piece)-1] != '\n', errTooLong
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, false, err
		}
	}
}

var errTooLong = errors.New("the message is too long")

// skipLine drops what is left of a line as it comes, which costs no memory.
func skipLine(in *bufio.Reader) error {
	for {
		if _, err := in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// tooLong answers a message that begins with head and is too long. It is answered
// before its end has come.
func tooLong(head []byte) messageFault {
	return messageFault{id: idAtHead(head), code: invalidRequest,
		message: fmt.Sprintf("Invalid Request: the message has more than %d bytes, which is the limit; send less, or name a file", maxMessage)}
}

// tooDeep reports whether a line nests objects and lists deeper than the limit.
func tooDeep(line []byte) bool {
	depth, inText := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// maxHead bounds how much of a message is searched for its id, in bytes.
const maxHead = 64 << 10

// idAtHead returns the id of a message that can't be read whole, if it stands
// before what is too much of it; nil where it doesn't.
func idAtHead(head []byte) json.RawMessage {
	dec := json.NewDecoder(io.LimitReader(bytes.NewReader(head), maxHead))
	if first, err := dec.Token(); err != nil || first != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil
		}
		if key == "id" {
			id, _ := requestID(value)
			return id
		}
	}
	return nil
}
