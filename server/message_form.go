package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// JSON-RPC's codes for what can't be handed to a method.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// maxID bounds the whole numbers that every JSON reader keeps exact.
const maxID = 1<<53 - 1

// messageFault explains why a line is no message of this protocol. ID is that of the
// request, when one could be read.
type messageFault struct {
	id      json.RawMessage
	code    int
	message string
}

// response returns the answer to a faulty message. Without an id it has none, which the
// revisions since 2025-11-25 allow; the one before has no form for it.
func (f messageFault) response() []byte {
	answer := struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id,omitempty"`
		Error   map[string]any  `json:"error"`
	}{"2.0", f.id, map[string]any{"code": f.code, "message": f.message}}
	out, err := json.Marshal(answer)
	if err != nil {
		panic(fmt.Sprintf("marshal a fault: %v", err)) // the id was read as JSON a moment ago
	}
	return append(out, '\n')
}

// checkMessage checks a line's form. The library below us would drop a request
// with an id of null without a word, echo ids that the protocol doesn't have,
// and forget the id of what it can't decode.
func checkMessage(line []byte) (messageFault, bool) {
	if tooDeep(line) {
		return messageFault{id: idOf(line), code: parseError, message: fmt.Sprintf("Parse error: nested more than %d deep", maxDepth)}, true
	}
	if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] == '[' && json.Valid(line) {
		return messageFault{code: invalidRequest, message: "Invalid Request: batches are no part of this protocol: send one message a line"}, true
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(line, &m); err != nil {
		if json.Valid(line) {
			return messageFault{code: invalidRequest, message: "Invalid Request: a message is a JSON object"}, true
		}
		return messageFault{code: parseError, message: "Parse error: " + err.Error()}, true
	}
	rawID, hasID := m["id"]
	id, validID := requestID(rawID)
	method, hasMethod := m["method"]
	refuse := func(message string) (messageFault, bool) {
		return messageFault{id: id, code: invalidRequest, message: "Invalid Request: " + message}, true
	}
	switch {
	case string(m["jsonrpc"]) != `"2.0"`:
		return refuse(`jsonrpc must be "2.0"`)
	case hasID && !validID:
		return refuse("id must be a string, or a whole number that a double keeps exact")
	case !hasMethod && m["result"] == nil && m["error"] == nil:
		return refuse("method is missing")
	case hasMethod && !isString(method):
		return refuse("method must be a string")
	case hasMethod && m["params"] != nil && !isObject(m["params"]):
		return refuse("params must be an object")
	}
	return messageFault{}, false
}

// requestID returns the id if it is one that answers may carry.
func requestID(raw json.RawMessage) (json.RawMessage, bool) {
	if isString(raw) {
		return raw, true
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n > maxID || n < -maxID {
		return nil, false
	}
	return raw, true
}

func isString(raw json.RawMessage) bool { return strings.HasPrefix(string(raw), `"`) }
func isObject(raw json.RawMessage) bool { return strings.HasPrefix(string(raw), "{") }
