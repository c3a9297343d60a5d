package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// ErrCannotSample says that the client declares no sampling; [Sample] returns
// it. From revision 2026-07-28 on sampling is deprecated, and not requested.
var ErrCannotSample = errors.New("the client declares no sampling")

// Message holds a piece of a conversation with a client's model: a text, or a
// picture.
type Message struct {
	Assistant bool // said by the model; else by the user
	Text      string
	Picture   string // base64; empty: this is a text
	MIMEType  string // of Picture
}

// Sampling asks a client's model for a turn.
type Sampling struct {
	System    string
	Messages  []Message
	MaxTokens int
}

// Sampled holds the turn that the client's model returned.
type Sampled struct {
	Text  string
	Model string // the client's name of it
	Stop  string // endTurn, maxTokens or another reason; empty: not given
}

type sampler func(ctx context.Context, q Sampling) (Sampled, error)

type samplerKey struct{}

// Sample asks the model of the client whose call ctx belongs to, and waits for
// its turn until ctx ends. It works after the call too, as long as the client
// stays: hand a context on that outlives the call.
func Sample(ctx context.Context, q Sampling) (Sampled, error) {
	sample, ok := ctx.Value(samplerKey{}).(sampler)
	if !ok {
		return Sampled{}, ErrCannotSample
	}
	return sample(ctx, q)
}

// CanSample reports whether the client whose call ctx belongs to lends a model.
func CanSample(ctx context.Context) bool {
	_, ok := ctx.Value(samplerKey{}).(sampler)
	return ok
}

// withSampler lets the tools of a call ask the client's model, if it lends one.
func withSampler(ctx context.Context) context.Context {
	session := server.ClientSessionFromContext(ctx)
	client, known := session.(server.SessionWithClientInfo)
	model, able := session.(server.SessionWithSampling)
	if !known || !able || mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) || client.GetClientCapabilities().Sampling == nil {
		return ctx
	}
	return context.WithValue(ctx, samplerKey{}, sampler(func(ctx context.Context, q Sampling) (Sampled, error) {
		return sample(ctx, model, q)
	}))
}

func sample(ctx context.Context, model server.SessionWithSampling, q Sampling) (Sampled, error) {
	request := mcp.CreateMessageRequest{Request: mcp.Request{Method: string(mcp.MethodSamplingCreateMessage)}}
	request.SystemPrompt, request.MaxTokens = q.System, q.MaxTokens
	for _, m := range q.Messages {
		message := mcp.SamplingMessage{Role: mcp.RoleUser, Content: mcp.NewTextContent(m.Text)}
		if m.Assistant {
			message.Role = mcp.RoleAssistant
		}
		if m.Picture != "" {
			message.Content = mcp.NewImageContent(m.Picture, m.MIMEType)
		}
		request.Messages = append(request.Messages, message)
	}
	result, err := model.RequestSampling(ctx, request)
	if err != nil {
		return Sampled{}, err
	}
	text, err := sampledText(result.Content)
	return Sampled{Text: text, Model: result.Model, Stop: result.StopReason}, err
}

// sampledText reads the text of a turn: one content, or a list of them. Another
// kind is no turn that could be worked with.
func sampledText(content any) (string, error) {
	raw, err := json.Marshal(content)
	if err != nil {
		return "", err
	}
	type part struct{ Type, Text string }
	var parts []part
	if json.Unmarshal(raw, &parts) != nil {
		var one part
		if err := json.Unmarshal(raw, &one); err != nil {
			return "", fmt.Errorf("read the client's turn: %w", err)
		}
		parts = []part{one}
	}
	text := ""
	for _, p := range parts {
		if p.Type != "text" {
			return "", fmt.Errorf("the client's model answered with content of the type %q, want text", p.Type)
		}
		text += p.Text
	}
	return text, nil
}
