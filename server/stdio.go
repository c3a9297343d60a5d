package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// stdio wraps the pair of streams between server and client. It does what the
// protocol requires and the library below doesn't do: a cancelled request gets
// no answer, and the answer to an unreadable message has no id rather than a
// null one.
type stdio struct {
	in   *bufio.Reader
	rest []byte // of the line being handed out

	mu        sync.Mutex
	out       io.Writer
	cancelled map[string]bool   // keys of the requests that await no answer
	reworded  map[string]string // messages of errors, by the keys of their requests
}

func newStdio(in io.Reader, out io.Writer) *stdio {
	return &stdio{in: bufio.NewReaderSize(in, 64<<10), out: out, cancelled: map[string]bool{}, reworded: map[string]string{}}
}

// Read hands out the client's well-formed lines, answers the others itself,
// and notes cancellations on the way.
func (w *stdio) Read(p []byte) (int, error) {
	for len(w.rest) == 0 {
		line, unread, err := readLine(w.in)
		if errors.Is(err, errTooLong) {
			if err := w.refuseLong(line, unread); err != nil {
				return 0, err
			}
			continue
		}
		if len(line) == 0 {
			return 0, err
		}
		if f, faulty := checkMessage(line); faulty {
			if err := w.send(f.response()); err != nil {
				return 0, err
			}
			continue
		}
		w.noteCancellation(line)
		w.rest = line
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// refuseLong answers a message that is too long, of which head was read: before its end
// has come, unless its id stands behind what is too much.
func (w *stdio) refuseLong(head []byte, unread bool) error {
	var ids idFinder
	ids.feed(head)
	early := ids.id != nil
	if early {
		if err := w.send(tooLong(ids.id).response()); err != nil {
			return err
		}
	}
	var ended error
	if unread {
		ended = skipLine(w.in, ids.feed)
	}
	if !early {
		return errors.Join(w.send(tooLong(ids.id).response()), ended)
	}
	return ended
}

// noteCancellation records which request a line cancels. A new request frees its id.
func (w *stdio) noteCancellation(line []byte) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	if !bytes.Contains(line, []byte(`"method"`)) || json.Unmarshal(line, &m) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case m.Method == "notifications/cancelled" && len(m.Params.RequestID) > 0:
		w.cancelled[idKey(m.Params.RequestID)] = true
	case len(m.ID) > 0:
		delete(w.cancelled, idKey(m.ID))
	}
}

// isCancelled reports whether a request was cancelled and not yet answered.
func (w *stdio) isCancelled(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cancelled[key]
}

// idKey spells a request's id, JSON or decoded, in the one way that makes equal
// ids equal: clients may write "é" as "\u00e9" in one place and not in another.
func idKey(id any) string {
	if raw, ok := id.(json.RawMessage); ok && json.Unmarshal(raw, &id) != nil {
		return ""
	}
	key, err := json.Marshal(id)
	if err != nil {
		return ""
	}
	return string(key)
}

// reword gives the error that answers a request another message.
func (w *stdio) reword(key, message string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reworded[key] = message
}

// Write sends one message. The library writes each message in one call.
func (w *stdio) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := line
	if key, isAnswer := answerTo(line); isAnswer {
		if w.cancelled[key] {
			delete(w.cancelled, key)
			return len(line), nil
		}
		out = inOurWords(line, w.reworded[key])
		delete(w.reworded, key)
		if key == "null" {
			out = bytes.Replace(out, []byte(`"id":null,`), nil, 1)
		}
	}
	if _, err := w.out.Write(plainCharacters(out)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// plainCharacters writes <, > and & as they are. Go escapes them for a page of HTML, which no
// message is read as: each is five bytes more in every answer.
func plainCharacters(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for len(line) > 0 {
		at := bytes.IndexByte(line, '\\')
		if at < 0 || at+2 > len(line) {
			return append(out, line...)
		}
		out, line = append(out, line[:at]...), line[at:]
		size := 2 // of the escape
		if line[1] == 'u' && len(line) >= 6 {
			size = 6
		}
		switch string(line[:size]) {
		case `\u003c`:
			out = append(out, '<')
		case `\u003e`:
			out = append(out, '>')
		case `\u0026`:
			out = append(out, '&')
		default:
			out = append(out, line[:size]...)
		}
		line = line[size:]
	}
	return out
}

// send writes a message of our own.
func (w *stdio) send(line []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.out.Write(line)
	return err
}

// answerTo returns the key of the request that a message answers.
func answerTo(line []byte) (key string, ok bool) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(line, &m) != nil || m.Method != "" {
		return "", false
	}
	if m.ID == nil {
		return "null", true
	}
	return idKey(m.ID), true
}
