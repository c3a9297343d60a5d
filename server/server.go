// Package server serves MCP over stdio: registration, progress, cancellation
// and resources, in the three protocol revisions that clients use today.
//
// It takes tools and resources as values and does not depend on browsers or
// verdicts. It lets nothing but protocol messages out: what goes to the client
// passes through one writer, a message at a time.
package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Tool describes one tool to serve. Handle must always answer, and return soon after ctx is done.
type Tool struct {
	Definition mcp.Tool
	Handle     func(ctx context.Context, request mcp.CallToolRequest, progress func(message string)) *mcp.CallToolResult
}

// ErrNotFound says that an address names no resource; a Resource's Read
// returns it.
var ErrNotFound = errors.New("resource not found")

// Resource describes an address, or a template of addresses, that clients can read.
type Resource struct {
	URI         string // RFC 6570 template when it has braces
	Name        string
	Description string
	MIMEType    string
	// Read returns the content. Text types are sent as text, others as base64.
	Read func(ctx context.Context, uri string) (Content, error)
}

// Content holds the bytes of a resource, with their media type.
type Content struct {
	Data     []byte
	MIMEType string
}

// Options configures a server.
type Options struct {
	Version      string
	Instructions string
	Tools        []Tool
	Unknown      func(name string) string // what a caller of a tool that is not on offer can do; nil: the library's words
	Later        func() []Tool            // more tools, made once the client was greeted or when they are asked for; nil: none
	Resources    []Resource
	Latest       func() []Resource // listed too, though templates among Resources read them; nil: none
	Prompts      []Prompt
	// Before is called before each call of a tool, and returns what its answer says before anything else;
	// empty: nothing. It is told whether the tool reaches pages, as its hints say. It may [Ask], report its progress, and
	// hold the call up until ctx ends. nil: there is nothing to say.
	Before func(ctx context.Context, pages bool, report func(string)) string
	Now    func() time.Time
	Log    *slog.Logger
}

// Server serves one client over one pair of streams.
type Server struct {
	mcp  *server.MCPServer
	now  func() time.Time
	log  *slog.Logger
	wire *stdio

	pending pendingCalls
}

// workers limits the calls that run side by side: more than there are sessions, so
// that a quick call never queues behind slow ones.
const workers = 16

// New returns a server with everything registered.
func New(o Options) *Server {
	s := &Server{now: o.Now, log: o.Log}
	hooks := &server.Hooks{}
	hooks.AddBeforeCallTool(setRequestID)
	hooks.AddAfterListResources(func(_ context.Context, _ any, _ *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
		if o.Latest == nil || result.NextCursor != "" {
			return
		}
		for _, r := range o.Latest() {
			result.Resources = append(result.Resources, r.listed())
		}
	})
	s.mcp = server.NewMCPServer("assay", o.Version,
		server.WithInstructions(o.Instructions),
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(false, false),
		server.WithPromptCapabilities(false),
		server.WithHooks(hooks),
		server.WithTitle("assay: browser QA whose verdicts can be trusted"),
	)
	if o.Unknown != nil {
		hooks.AddOnError(s.explainUnknown(o.Unknown))
	}
	s.addTools(o, hooks)
	for _, r := range o.Resources {
		s.register(r)
	}
	for _, p := range o.Prompts {
		s.addPrompt(p)
	}
	return s
}

// explainUnknown gives the answer to a call of an unknown tool its words.
func (s *Server) explainUnknown(words func(name string) string) server.OnErrorHookFunc {
	return func(_ context.Context, id any, _ mcp.MCPMethod, message any, err error) {
		call, ok := message.(*mcp.CallToolRequest)
		if ok && errors.Is(err, server.ErrToolNotFound) && s.wire != nil {
			s.wire.reword(idKey(id), words(call.Params.Name))
		}
	}
}

// addTools registers the tools. Those of Later wait until the client has its first answer:
// their schemas take longer to make than all else that it waits for.
func (s *Server) addTools(o Options, hooks *server.Hooks) {
	add := func(tools []Tool) {
		for _, t := range tools {
			if o.Before != nil {
				t.Handle = before(t, o.Before)
			}
			s.mcp.AddTool(t.Definition, s.handler(t))
		}
	}
	add(o.Tools)
	if o.Later == nil {
		return
	}
	later := sync.OnceFunc(func() { add(o.Later()) })
	hooks.AddAfterInitialize(func(context.Context, any, *mcp.InitializeRequest, *mcp.InitializeResult) { go later() })
	hooks.AddBeforeListTools(func(context.Context, any, *mcp.ListToolsRequest) { later() })
	hooks.AddBeforeCallTool(func(context.Context, any, *mcp.CallToolRequest) { later() })
}

// before puts a text before the answers of a tool.
func before(t Tool, words func(context.Context, bool, func(string)) string) func(context.Context, mcp.CallToolRequest, func(string)) *mcp.CallToolResult {
	handle, hint := t.Handle, t.Definition.Annotations.OpenWorldHint
	pages := hint == nil || *hint // as the protocol takes it where nothing is said
	return func(ctx context.Context, request mcp.CallToolRequest, progress func(string)) *mcp.CallToolResult {
		text := words(ctx, pages, progress)
		result := handle(ctx, request, progress)
		if text != "" {
			result.Content = slices.Insert(result.Content, 0, mcp.Content(mcp.NewTextContent(text)))
		}
		return result
	}
}

// Listen serves until in ends, ctx is done, or the client can't be written to.
// Calls in flight are cancelled then.
func (s *Server) Listen(ctx context.Context, in io.Reader, out io.Writer) error {
	s.wire = newStdio(in, out)
	stdio := server.NewStdioServer(s.mcp)
	stdio.SetErrorLogger(log.New(logLines{s.log}, "", 0))
	server.WithWorkerPoolSize(workers)(stdio)
	err := stdio.Listen(ctx, s.wire, s.wire)
	s.pending.end()
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// handler adapts a tool: it sends a heartbeat to clients that requested
// progress, and always returns a result.
func (s *Server) handler(t Tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if s.wire.isCancelled(request.Header.Get(idHeader)) {
			return &mcp.CallToolResult{}, nil // discarded: it is not sent
		}
		report, stop := s.heartbeat(request)
		defer stop()
		return s.answerCall(ctx, request, t, report), nil
	}
}

// idHeader carries a request's id to its handler, because the library doesn't
// pass it on. Over stdio a request has no headers of its own.
const idHeader = "Request-Id"

// setRequestID hands a call its id. The library drops a cancellation that
// overtakes its request on the way to a worker; the wire records it, and by
// the time this runs one of the two has it.
func setRequestID(_ context.Context, id any, request *mcp.CallToolRequest) {
	if request.Header == nil {
		request.Header = http.Header{}
	}
	request.Header.Set(idHeader, idKey(id))
}

// When a client that requested progress gets it. Many clients give up after a minute
// of silence. A client that reads a note together with its result handles the result
// first and reports an unknown token, so that short calls send none, and a result
// follows the last note at a distance.
const (
	progressAfter    = 500 * time.Millisecond
	progressInterval = 2 * time.Second
	resultAfter      = 20 * time.Millisecond
)

// heartbeat returns a function that reports progress, and one that ends it.
// Without a progress token both do nothing.
func (s *Server) heartbeat(request mcp.CallToolRequest) (report func(string), stop func()) {
	if request.Params.Meta == nil || request.Params.Meta.ProgressToken == nil {
		return func(string) {}, func() {}
	}
	messages := make(chan string)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s.sendProgress(request.Params.Meta.ProgressToken, request.Params.Name, messages, done)
	}()
	report = func(m string) {
		select {
		case messages <- m:
		case <-done:
		}
	}
	// The last report is on the wire before the result: both go through the
	// same writer, and stop waits for it.
	return report, func() { close(done); <-ended }
}

// sendProgress sends what is reported until done is closed: nothing before
// progressAfter, then each message and, in silence, the last one again. It returns
// when the result may follow.
func (s *Server) sendProgress(token mcp.ProgressToken, name string, messages <-chan string, done <-chan struct{}) {
	start, last := s.now(), 0.0
	beat := time.NewTimer(progressAfter)
	defer beat.Stop()
	message, late := name, false
	var quiet <-chan time.Time // since the last note
	send := func() {
		// Seconds since the start; the protocol requires a rising number.
		last = max(s.now().Sub(start).Seconds(), last+0.001)
		s.notify(token, last, message)
		quiet = time.After(resultAfter)
		beat.Reset(progressInterval)
	}
	for {
		select {
		case message = <-messages:
			if late {
				send()
			}
		case <-beat.C:
			late = true
			send()
		case <-done:
			if quiet != nil {
				<-quiet
			}
			return
		}
	}
}

func (s *Server) notify(token mcp.ProgressToken, seconds float64, message string) {
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "notifications/progress",
		"params": map[string]any{"progressToken": token, "progress": seconds, "message": message}})
	if err == nil {
		_, err = s.wire.Write(append(line, '\n'))
	}
	if err != nil {
		s.log.Debug("progress not sent", "err", err)
	}
}

// register adds a resource or a template.
func (s *Server) register(r Resource) {
	read := func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		content, err := r.Read(ctx, request.Params.URI)
		if errors.Is(err, ErrNotFound) {
			return nil, fmt.Errorf("%w: %s", server.ErrResourceNotFound, request.Params.URI)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", request.Params.URI, err)
		}
		return []mcp.ResourceContents{contents(request.Params.URI, content)}, nil
	}
	if isTemplate(r.URI) {
		s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(r.URI, r.Name, mcp.WithTemplateDescription(r.Description), mcp.WithTemplateMIMEType(r.MIMEType)), read)
		return
	}
	s.mcp.AddResource(r.listed(), read)
}

func (r Resource) listed() mcp.Resource {
	return mcp.NewResource(r.URI, r.Name, mcp.WithResourceDescription(r.Description), mcp.WithMIMEType(r.MIMEType))
}
