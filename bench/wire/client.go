package wire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Client sends MCP over a pair of pipes: one line, one message, one request at
// a time. It is as small as it gets, so that what is measured is the server.
type Client struct {
	in     io.Writer
	out    *bufio.Reader
	lastID int
}

// NewClient returns a client that writes to in and reads from out.
func NewClient(in io.Writer, out io.Reader) *Client {
	return &Client{in: in, out: bufio.NewReaderSize(out, 1<<20)}
}

// message holds a line from the server: an answer, or something of its own.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// Call holds the params of tools/call.
type Call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// Answer holds what a request brought.
type Answer struct {
	Result   json.RawMessage
	Took     time.Duration
	Bytes    int    // of the line, its end included
	Pictures int    // of those, base64 data of pictures
	Text     string // of a tool's content
	Failed   bool   // the tool says that it failed
}

// Data decodes the tool's own fields, as assay answers them.
func (a Answer) Data(into any) error {
	var result struct {
		StructuredContent struct{ Data json.RawMessage }
	}
	if err := json.Unmarshal(a.Result, &result); err != nil {
		return err
	}
	return json.Unmarshal(result.StructuredContent.Data, into)
}

// Structured returns the structured content of a tool's answer; empty where it has none.
func (a Answer) Structured() json.RawMessage {
	var result struct{ StructuredContent json.RawMessage }
	if json.Unmarshal(a.Result, &result) != nil {
		return nil // then it is no tool's answer
	}
	return result.StructuredContent
}

// Request sends one request and waits for its answer.
func (c *Client) Request(method string, params any) (Answer, error) {
	start := time.Now()
	id, err := c.send(method, params)
	if err != nil {
		return Answer{}, err
	}
	got, a, err := c.read(method)
	if err != nil {
		return Answer{}, err
	}
	if got != id {
		return Answer{}, fmt.Errorf("%s: answer to request %d, want %d", method, got, id)
	}
	a.Took = time.Since(start)
	return a, nil
}

// SideBySide sends all calls at once and waits for all answers, each of which
// took as long as it came after the first line was sent.
func (c *Client) SideBySide(calls []Call) ([]Answer, error) {
	start := time.Now()
	places := map[int]int{}
	for i, call := range calls {
		id, err := c.send("tools/call", call)
		if err != nil {
			return nil, err
		}
		places[id] = i
	}
	answers := make([]Answer, len(calls))
	for range calls {
		id, a, err := c.read("tools/call")
		if err != nil {
			return nil, err
		}
		i, ours := places[id]
		if !ours {
			return nil, fmt.Errorf("answer to request %d, which is none of these", id)
		}
		delete(places, id)
		a.Took = time.Since(start)
		if answers[i], err = a.content(); err != nil {
			return nil, fmt.Errorf("%s: %w", calls[i].Name, err)
		}
	}
	return answers, nil
}

func (c *Client) send(method string, params any) (id int, err error) {
	c.lastID++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.lastID, "method": method, "params": params})
	if err != nil {
		return 0, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return 0, fmt.Errorf("send %s: %w", method, err)
	}
	return c.lastID, nil
}

// read waits for the next answer, and replies to what the server asks meanwhile.
func (c *Client) read(method string) (id int, a Answer, err error) {
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return 0, a, fmt.Errorf("%s: no answer: %w", method, err)
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return 0, a, fmt.Errorf("%s: the server wrote no JSON: %w: %.200s", method, err, line)
		}
		if m.Method != "" {
			if err := c.reply(m); err != nil {
				return 0, a, err
			}
			continue
		}
		if m.Error != nil {
			return 0, a, fmt.Errorf("%s: error %d: %s", method, m.Error.Code, m.Error.Message)
		}
		if err := json.Unmarshal(m.ID, &id); err != nil {
			return 0, a, fmt.Errorf("%s: answer with id %s: %w", method, m.ID, err)
		}
		return id, Answer{Result: m.Result, Bytes: len(line)}, nil
	}
}

// reply answers what the server asks. A ping is all it may: the client
// declares no capability.
func (c *Client) reply(m message) error {
	if len(m.ID) == 0 {
		return nil // a notification
	}
	reply := map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": map[string]any{}}
	if m.Method != "ping" {
		delete(reply, "result")
		reply["error"] = map[string]any{"code": -32601, "message": "this client has no " + m.Method}
	}
	line, err := json.Marshal(reply)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(line, '\n'))
	return err
}

// Initialize opens the conversation.
func (c *Client) Initialize() (Answer, error) {
	a, err := c.Request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "assay-bench", "version": "1"},
	})
	if err != nil {
		return a, err
	}
	_, err = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return a, err
}

// Tool calls a tool and reads the content of its answer.
func (c *Client) Tool(t Call) (Answer, error) {
	a, err := c.Request("tools/call", t)
	if err == nil {
		a, err = a.content()
	}
	if err != nil {
		return a, fmt.Errorf("%s: %w", t.Name, err)
	}
	return a, nil
}

// content returns the answer with what the tool says in it.
func (a Answer) content() (Answer, error) {
	var result struct {
		Content []struct{ Type, Text, Data string }
		IsError bool
	}
	if err := json.Unmarshal(a.Result, &result); err != nil {
		return a, err
	}
	var texts []string
	for _, block := range result.Content {
		texts = append(texts, block.Text)
		a.Pictures += len(block.Data)
	}
	a.Text, a.Failed = strings.Join(texts, "\n"), result.IsError
	return a, nil
}
