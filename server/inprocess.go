package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// InProcess attaches a client to a server in the same process. Messages go
// through a pair of pipes and [Server.Listen], as they do over stdio, so the
// client sees the same catalogue, answers and cancellation as one outside.
// Close ends both.
func InProcess(ctx context.Context, s *Server) (*Client, error) {
	requests, toServer := io.Pipe()
	answers, toClient := io.Pipe()
	listening, cancel := context.WithCancel(context.WithoutCancel(ctx)) // calls are cancelled one by one, the connection by Close
	ended := make(chan error, 1)
	go func() {
		err := s.Listen(listening, requests, toClient)
		_ = toClient.Close()
		_ = requests.Close()
		ended <- err
	}()
	c := client.NewClient(transport.NewIO(answers, toServer, nil))
	var once sync.Once
	var ending error
	end := func() error {
		once.Do(func() {
			ending = c.Close() // the end of input, which Listen waits for
			stuck := time.AfterFunc(time.Second, func() { cancel(); _ = answers.Close() })
			defer stuck.Stop()
			if err := <-ended; err != nil && !errors.Is(err, io.ErrClosedPipe) {
				ending = errors.Join(ending, err)
			}
			cancel()
		})
		return ending
	}
	if err := c.Start(listening); err != nil {
		return nil, errors.Join(fmt.Errorf("attach in process: %w", err), end())
	}
	if _, err := c.Initialize(ctx, ours()); err != nil {
		return nil, errors.Join(fmt.Errorf("attach in process: %w", err), end())
	}
	return &Client{mcp: c, end: end}, nil
}

// ours is how our clients introduce themselves.
func ours() mcp.InitializeRequest {
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: "assay", Version: "1"}
	return request
}

// Offer is one tool that a server offers.
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
