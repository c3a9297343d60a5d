package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// client speaks MCP over a pair of pipes: one line, one message. It is as
// small as it gets, so that what is measured is the server.
type client struct {
	in     io.Writer
	out    *bufio.Reader
	lastID int
}

// message is a line from the server: an answer, or something of its own.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// answer is what a request brought.
type answer struct {
	result   json.RawMessage
	took     time.Duration
	bytes    int // of the line, its end included
	pictures int // of those, base64 data of pictures
	text     string
	failed   bool // the tool says that it failed
}

// request sends one request and waits for its answer.
func (c *client) request(method string, params any) (answer, error) {
	c.lastID++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.lastID, "method": method, "params": params})
	if err != nil {
		return answer{}, err
	}
	start := time.Now()
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return answer{}, fmt.Errorf("send %s: %w", method, err)
	}
	for {
		line, err := c.out.ReadBytes('\n')
		took := time.Since(start)
		if err != nil {
			return answer{}, fmt.Errorf("%s: no answer: %w", method, err)
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return answer{}, fmt.Errorf("%s: the server wrote no JSON: %w: %.200s", method, err, line)
		}
		switch {
		case m.Method != "":
			if err := c.reply(m); err != nil {
				return answer{}, err
			}
		case string(m.ID) != fmt.Sprint(c.lastID):
			return answer{}, fmt.Errorf("%s: answer to request %s, want %d", method, m.ID, c.lastID)
		case m.Error != nil:
			return answer{}, fmt.Errorf("%s: error %d: %s", method, m.Error.Code, m.Error.Message)
		default:
			return answer{result: m.Result, took: took, bytes: len(line)}, nil
		}
	}
}

// reply answers what the server asks. A ping is all it may: the client
// declares no capability.
func (c *client) reply(m message) error {
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

// initialize opens the conversation.
func (c *client) initialize() (answer, error) {
	a, err := c.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "assay-bench", "version": "1"},
	})
	if err != nil {
		return a, err
	}
	_, err = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return a, err
}

// tool calls a tool and reads the content of its answer.
func (c *client) tool(t toolCall) (answer, error) {
	a, err := c.request("tools/call", t)
	if err != nil {
		return a, fmt.Errorf("%s: %w", t.Name, err)
	}
	var result struct {
		Content []struct{ Type, Text, Data string }
		IsError bool
	}
	if err := json.Unmarshal(a.result, &result); err != nil {
		return a, fmt.Errorf("%s: %w", t.Name, err)
	}
	var texts []string
	for _, block := range result.Content {
		texts = append(texts, block.Text)
		a.pictures += len(block.Data)
	}
	a.text, a.failed = strings.Join(texts, "\n"), result.IsError
	return a, nil
}
