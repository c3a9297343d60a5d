package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"time"
)

// send starts a request and returns its id.
func (w *wire) send(method string, params map[string]any) string {
	w.t.Helper()
	id := w.nextID()
	w.raw(w.encode(map[string]any{"jsonrpc": "2.0", "id": json.Number(id), "method": method, "params": w.dressed(params)}))
	return id
}

func (w *wire) nextID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lastID++
	return strconv.Itoa(w.lastID)
}

// dressed adds what the newest revision wants in every request.
func (w *wire) dressed(params map[string]any) map[string]any {
	params = maps.Clone(params)
	if params == nil {
		params = map[string]any{}
	}
	if !w.revision.modern() {
		return params
	}
	meta := map[string]any{
		"io.modelcontextprotocol/protocolVersion":    w.revision,
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "e2e", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": w.capabilities(),
	}
	if own, ok := params["_meta"].(map[string]any); ok {
		maps.Copy(meta, own)
	}
	params["_meta"] = meta
	return params
}

// say sends a notification.
func (w *wire) say(method string, params map[string]any) {
	w.t.Helper()
	m := map[string]any{"jsonrpc": "2.0", "method": method}
	if params != nil {
		m["params"] = params
	}
	w.raw(w.encode(m))
}

// raw sends bytes as they are, and notes the requests among their lines.
func (w *wire) raw(text []byte) {
	w.t.Helper()
	for line := range bytes.Lines(text) {
		w.note(line)
	}
	w.write(text)
}

// garble sends a line that is no message. The answer must carry id, or none
// when id is empty.
func (w *wire) garble(line, id string) {
	w.t.Helper()
	if id != "" {
		w.mu.Lock()
		w.asked[id] = asked{method: "(refused)", times: 1}
		w.mu.Unlock()
	}
	w.write([]byte(line + "\n"))
}

func (w *wire) write(text []byte) {
	w.t.Helper()
	if _, err := w.stdin.Write(text); err != nil {
		w.t.Fatalf("write to the server: %v", err)
	}
}

func (w *wire) note(line []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name      string
			RequestID json.RawMessage
			Meta      struct{ ProgressToken json.RawMessage } `json:"_meta"`
		}
	}
	if json.Unmarshal(line, &m) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.Method == "notifications/cancelled" {
		w.cancelled[key(m.Params.RequestID)] = true
	}
	if id := key(m.ID); id != "" {
		w.asked[id] = asked{m.Method, m.Params.Name, string(m.Params.Meta.ProgressToken), w.asked[id].times + 1}
	}
}

// key spells an id in one way. The server may escape what we did not.
func key(id json.RawMessage) string {
	text, isText := "", json.Unmarshal(id, new(string)) == nil
	if !isText || json.Unmarshal(id, &text) != nil {
		return string(id)
	}
	return `"` + text + `"`
}

// answer waits for the answer to a request.
func (w *wire) answer(id string) message {
	w.t.Helper()
	return w.answerWithin(id, patience)
}

func (w *wire) answerWithin(id string, limit time.Duration) message {
	w.t.Helper()
	what := fmt.Sprintf("answer to request %s (%s %s)", id, w.asked[id].method, w.asked[id].tool)
	return w.await(what, limit, func(m message) bool { return m.Method == "" && key(m.ID) == id })
}

// ask sends a request and waits for its answer, which must be a result.
func (w *wire) ask(method string, params map[string]any) message {
	w.t.Helper()
	m := w.answer(w.send(method, params))
	if m.Error != nil {
		w.t.Fatalf("%s: error %d: %s", method, m.Error.Code, m.Error.Message)
	}
	return m
}

// encode makes one line.
func (w *wire) encode(m any) []byte {
	w.t.Helper()
	line, err := json.Marshal(m)
	if err != nil {
		w.t.Fatal(err)
	}
	return append(line, '\n')
}
