package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/internal/text"
)

// errorHead bounds where the error of an answer begins, in bytes: behind its id.
const errorHead = 4 << 10

// inOurWords returns an answer whose protocol error is one that its client can read: the
// library repeats what Go's decoder says of Go's types, and has no code for a prompt's
// own errors. A message that is given replaces the library's.
func inOurWords(line []byte, message string) []byte {
	if !bytes.Contains(line[:min(len(line), errorHead)], []byte(`"error":`)) {
		return line
	}
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *struct {
			Code    int             `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data,omitempty"`
		} `json:"error"`
	}
	if json.Unmarshal(line, &m) != nil || m.Error == nil {
		return line
	}
	said := *m.Error
	m.Error.Message = cmp.Or(message, text.Undecoded(said.Message))
	if said.Code == mcp.INTERNAL_ERROR && strings.HasPrefix(said.Message, ErrInvalidParams.Error()) {
		m.Error.Code = mcp.INVALID_PARAMS
	}
	if m.Error.Code == said.Code && m.Error.Message == said.Message {
		return line
	}
	out, err := json.Marshal(m)
	if err != nil {
		return line
	}
	return append(out, '\n')
}
