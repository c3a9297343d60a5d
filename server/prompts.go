package server

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
)

// Prompt describes a text that a person chooses for their model.
type Prompt struct {
	Name        string
	Title       string
	Description string
	Arguments   []PromptArgument
	// Render makes the text; [ErrInvalidParams] says that it can't with these
	// arguments.
	Render func(arguments map[string]string) (string, error)
}

// PromptArgument describes one argument of a prompt.
type PromptArgument struct {
	Name        string
	Description string
	Required    bool
}

// ErrInvalidParams says that the client has to fix its request.
var ErrInvalidParams = errors.New("invalid params")

// addPrompt registers a prompt.
func (s *Server) addPrompt(p Prompt) {
	definition := mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		definition.Arguments = append(definition.Arguments, mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	s.mcp.AddPrompt(definition, func(_ context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text, err := p.Render(request.Params.Arguments)
		if err != nil {
			return nil, err
		}
		return &mcp.GetPromptResult{Description: p.Description, Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(text)}}}, nil
	})
}
