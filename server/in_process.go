package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// InProcess attaches a client to a server in the same process, which then serves
// no other client. It has a session of its own: the library has one for all pairs of
// streams of a process, so a second pair would receive requests meant for
// the first one's client. The catalogue and the answers are those that a client
// outside gets. Close ends both.
func InProcess(ctx context.Context, s *Server) (*Client, error) {
	s.wire = newStdio(strings.NewReader(""), io.Discard)
	t := &inProcess{InProcessTransport: transport.NewInProcessTransport(s.mcp)}
	c := client.NewClient(t)
	var once sync.Once
	var ending error
	end := func() error {
		once.Do(func() {
			ending = c.Close()
			s.asked.end()
			t.running.Wait()
		})
		return ending
	}
	t.lifetime, t.cancel = context.WithCancel(context.WithoutCancel(ctx)) // calls are cancelled one by one, the connection by Close
	if err := c.Start(t.lifetime); err != nil {
		return nil, errors.Join(fmt.Errorf("attach in process: %w", err), end())
	}
	if _, err := c.Initialize(ctx, clientInfo()); err != nil {
		return nil, errors.Join(fmt.Errorf("attach in process: %w", err), end())
	}
	return &Client{mcp: c, end: end}, nil
}

// inProcess hands requests to the server, and answers when the caller gives up
// even if the tool takes a moment longer to end.
type inProcess struct {
	*transport.InProcessTransport
	lifetime context.Context
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// SendRequest makes one request.
func (t *inProcess) SendRequest(ctx context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if t.lifetime.Err() != nil {
		return nil, transport.ErrTransportClosed
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.lifetime, cancel)()
	type outcome struct {
		response *transport.JSONRPCResponse
		err      error
	}
	done := make(chan outcome, 1)
	t.running.Go(func() {
		r, err := t.InProcessTransport.SendRequest(ctx, request)
		done <- outcome{r, err}
	})
	select {
	case o := <-done:
		return o.response, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close cancels what is under way.
func (t *inProcess) Close() error {
	t.cancel()
	return t.InProcessTransport.Close()
}

// clientInfo returns the initialize request of this program's clients.
func clientInfo() mcp.InitializeRequest {
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: "assay", Version: "1"}
	return request
}

// Offer describes one tool that a server offers.
type Offer struct {
	Name        string
	Description string
	Schema      []byte // JSON Schema of the arguments
}

// Tools lists what the server offers, in its order.
func (c *Client) Tools(ctx context.Context) ([]Offer, error) {
	list, err := c.mcp.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, fmt.Errorf("list the tools: %w", err)
	}
	offers := make([]Offer, len(list.Tools))
	for i, t := range list.Tools {
		schema, err := json.Marshal(t.InputSchema)
		if err != nil {
			return nil, fmt.Errorf("read the schema of %s: %w", t.Name, err)
		}
		offers[i] = Offer{Name: t.Name, Description: t.Description, Schema: schema}
	}
	return offers, nil
}
