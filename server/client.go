package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// Client drives an attached MCP server: a process, over stdio, or one in this
// process.
type Client struct {
	mcp *client.Client
	end func() error
}

// Picture holds an image of an answer.
type Picture struct {
	MIMEType string
	Data     string // base64
}

// Answer holds the outcome of a tool call.
type Answer struct {
	Text       string
	Structured json.RawMessage
	IsError    bool
	Pictures   []Picture
}

// Call calls a tool.
func (c *Client) Call(ctx context.Context, tool string, arguments any) (Answer, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := c.mcp.CallTool(ctx, request)
	if err != nil {
		return Answer{}, fmt.Errorf("call %s: %w", tool, err)
	}
	answer := Answer{IsError: result.IsError}
	var texts []string
	for _, content := range result.Content {
		switch part := content.(type) {
		case mcp.TextContent:
			texts = append(texts, part.Text)
		case mcp.ImageContent:
			answer.Pictures = append(answer.Pictures, Picture{MIMEType: part.MIMEType, Data: part.Data})
		}
	}
	answer.Text = strings.Join(texts, "\n")
	if answer.Structured, err = json.Marshal(result.StructuredContent); err != nil {
		return answer, fmt.Errorf("call %s: read the answer: %w", tool, err)
	}
	return answer, nil
}

// Close ends the connection and the server behind it, and waits for it.
func (c *Client) Close() error { return c.end() }
