package server

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
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

// skipLine drops what is left of a line as it comes, which costs no memory, and shows it
// to seen.
func skipLine(in *bufio.Reader, seen func([]byte)) error {
	for {
		piece, err := in.ReadSlice('\n')
		seen(piece)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// tooLong answers a message of that id that is too long.
func tooLong(id json.RawMessage) messageFault {
	return messageFault{id: id, code: invalidRequest,
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
